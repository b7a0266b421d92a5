// The parameters of the springs, as users set them.
#pragma once

#include "kinescope/data/normalize.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

struct SpringsParameters : ParameterSet {
  NormalizeParameter normalize;
  Integer springs{{"springs", "", "springs that pull each point in an iteration"}, 16, {1, 64}};
  Integer steps{
      {"steps", "iterations", "iterations until the run ends", Change::live}, 300, {1, 1'000'000}, Scale::logarithmic};
  Real strength{
      {"strength", "", "step length at the start; 1: all the way to where its springs are at rest", Change::live},
      1,
      {0.01, 1}};

  void visit(const std::function<void(Parameter&)>& f) override { f(normalize), f(springs), f(steps), f(strength); }
};

std::unique_ptr<Simulation> make_cpu(const Setup& setup, SpringsParameters& parameters);
std::unique_ptr<Simulation> make_cuda(const Setup& setup, SpringsParameters& parameters);

}  // namespace kinescope::sim
