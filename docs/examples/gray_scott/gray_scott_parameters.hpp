// Gray–Scott's parameters, as users set them.
#pragma once

#include "kinescope/parameter.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

struct GrayScottParameters : ParameterSet {
  Integer nodes{{"nodes", "", "nodes along each side of the sheet"}, 256, {8, 4096}, Scale::logarithmic};
  Integer steps{
      {"steps", "steps", "time steps until the run ends", Change::live}, 10000, {1, 10'000'000}, Scale::logarithmic};
  Real feed{{"feed", "1/time", "rate at which u is fed (F)", Change::live}, 0.0367, {0.0, 0.1}};
  Real kill{{"kill", "1/time", "rate at which v decays beyond the feed (k)", Change::live}, 0.0649, {0.0, 0.1}};

  void visit(const std::function<void(Parameter&)>& f) override { f(nodes), f(steps), f(feed), f(kill); }
};

std::unique_ptr<Simulation> make_cpu(const Setup& setup, GrayScottParameters& parameters);
std::unique_ptr<Simulation> make_cuda(const Setup& setup, GrayScottParameters& parameters);

}  // namespace kinescope::sim
