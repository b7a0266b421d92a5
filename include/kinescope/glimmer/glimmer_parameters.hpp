// Glimmer's parameters, as users set them.
#pragma once

#include <string>
#include <string_view>

#include "kinescope/data/metric.hpp"
#include "kinescope/data/normalize.hpp"
#include "kinescope/glimmer/layout_method.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

// A signal of the forces beside the sparse stress (thesis, 4.3.1).
enum class Signal { none, velocity, force };

namespace glimmer {

inline bool is_start(std::string_view text) {
  const auto ends = [&](std::string_view ending) { return text.ends_with(ending); };
  return text == "auto" || text == "random" || text == "classic" || text == "pivot" || ends(".csv") || ends(".tsv") ||
         ends(".npy") || ends(".gz");
}

// For the parameters' texts: the names of the methods that use a parameter, "smacof, nonmetric"; and of those that
// begin with classical scaling, "smacof and nonmetric".
std::string users_of(std::string_view parameter);
std::string classic_beginners();

}  // namespace glimmer

// The parameter `algorithm`.
struct LayoutParameter : ChoiceParameter {
  LayoutParameter();
  const glimmer::LayoutMethod& value() const { return *glimmer::layout_methods()[index()]; }
};

struct GlimmerParameters : ParameterSet {
  LayoutParameter algorithm;
  MetricParameter metric;
  Integer output_dimensions{{"output_dimensions", "", "dimensions of the layout"}, 2, {2, 3}};
  NormalizeParameter normalize;
  Text start{{"start", "",
              "initial layout: auto (the algorithm's own: classic for " + glimmer::classic_beginners() +
                  "), random, another algorithm's layout, or columns x, y, z of a file"},
             "auto",
             "auto|random|classic|pivot|FILE",
             "auto, random, classic, pivot or the name of a .csv, .tsv or .npy file",
             glimmer::is_start};
  Integer restarts{{"restarts", "",
                    "number of runs; the first from `start`, the others from random layouts; the one with the lowest "
                    "figure is kept (" +
                        glimmer::users_of("restarts") + ")"},
                   1,
                   {1, 1000},
                   Scale::logarithmic};
  Integer pivots{
      {"pivots", "points",
       "number of pivots, the points whose distances to all others are computed (" + glimmer::users_of("pivots") + ")"},
      50,
      {3, 5000}};
  Integer decimation{{"decimation", "", "how many times fewer points each coarser level has"}, 8, {2, 64}};
  Integer minimum_level{
      {"minimum_level", "points",
       "levels are made until the coarsest has fewer points than this (" + glimmer::users_of("minimum_level") + ")"},
      1000,
      {16, 4000}};
  Integer landmarks{
      {"landmarks", "points",
       "number of points in the coarsest level, where all pairs are used (" + glimmer::users_of("landmarks") + ")"},
      2560,
      {256, 5000}};
  Integer device_memory{
      {"device_memory", "MB",
       "GPU memory for distances; those that do not fit are sent again in each step. 0: half of the free memory"},
      0,
      {0, 1000000}};
  Integer near{{"near", "points", "how many of the nearest points found so far act on a point (forces)"}, 4, {1, 16}};
  Integer random{
      {"random", "points", "how many random points, new in each iteration, act on a point (forces)"}, 4, {1, 16}};
  Real step{{"step", "", "time step (forces)", Change::live}, 0.3, {0.01, 1.0}};
  Real damping{
      {"damping", "", "damping of the relative velocity along a spring (forces)", Change::live}, 0.3, {0.0, 1.0}};
  Real spring{{"spring", "", "stiffness of a spring (forces)", Change::live}, 0.7, {0.05, 2.0}};
  Real velocity_decay{
      {"velocity_decay", "", "fraction of its velocity that a point keeps in each iteration (forces)", Change::live},
      0.85,
      {0.0, 1.0}};
  Real step_strength{{"step_strength", "",
                      "fraction of its Newton step that a point moves in the first rounds (" +
                          glimmer::users_of("step_strength") + ")",
                      Change::live},
                     0.8,
                     {0.05, 0.95}};
  Real stop_threshold{{"stop_threshold", "",
                       "if a window of rounds lowers the stress by less than this fraction, steps are shortened, and "
                       "finally the level ends (" +
                           glimmer::users_of("stop_threshold") + ")",
                       Change::live},
                      0.002,
                      {1e-4, 0.5},
                      Scale::logarithmic};
  Real epsilon{{"epsilon", "", "a stage ends when the filtered change of the sparse stress is below this (forces)",
                Change::live},
               1e-4,
               {1e-9, 1.0},
               Scale::logarithmic};
  Integer window{{"window", "iterations", "length of the filter that smooths the change of the sparse stress (forces)"},
                 50,
                 {4, 250}};
  Choice<Signal> second_curve{
      {"second_curve", "",
       "what the curve shows beside the sparse stress: the mean speed of the points that move, or the mean size of "
       "their forces (forces)",
       Change::live},
      {"none", "velocity", "force"},
      Signal::none};
  Integer maximum_iterations{
      {"maximum_iterations", "iterations", "the run stops after this many iterations; 0: no limit"}, 0, {0, 10000000}};

  Integer neighbourhood{{"neighbourhood", "points",
                         "neighbourhood size for the trustworthiness and continuity in the report; 0: not reported",
                         Change::live, Role::elsewhere},
                        0,
                        {0, 100}};

  void visit(const std::function<void(Parameter&)>& f) override {
    f(algorithm), f(metric), f(output_dimensions), f(normalize), f(start), f(restarts), f(pivots), f(decimation),
        f(minimum_level), f(landmarks), f(device_memory), f(near), f(random);
    f(step), f(damping), f(spring), f(velocity_decay), f(step_strength), f(stop_threshold), f(epsilon), f(window),
        f(second_curve), f(maximum_iterations), f(neighbourhood);
  }

  bool applies(const Parameter& parameter) const override;

  Hint hint(const Parameter& parameter, const Snapshot& now) const override {
    if (&parameter == &decimation && now.progress.levels == 1)
      return {.idle = "there is only one level, because all points fit into the coarsest"};
    if (&parameter == &device_memory && now.backend == Backend::cpu) return {.idle = "the run is on the CPU"};
    if (&parameter == &device_memory && device_memory.value() == 0) return {.text = "half the free memory"};
    if (&parameter == &maximum_iterations && maximum_iterations.value() == 0) return {.text = "no limit"};
    return {};
  }
  ChoiceParameter* compared() override { return &algorithm; }

  // Whether the run refines an existing layout, from another algorithm or from a file.
  bool has_given_start() const { return applies(start) && is_layout(start.value()); }
  bool starts_from_file() const { return has_given_start() && start.value() != "classic" && start.value() != "pivot"; }

 private:
  static bool is_layout(std::string_view start) { return start != "auto" && start != "random"; }
};

std::unique_ptr<Simulation> make_cpu(const Setup& setup, GlimmerParameters& parameters);
std::unique_ptr<Simulation> make_cuda(const Setup& setup, GlimmerParameters& parameters);

}  // namespace kinescope::sim
