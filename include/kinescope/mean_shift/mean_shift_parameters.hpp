// Mean shift's parameters, as users set them.
#pragma once

#include "kinescope/data/normalize.hpp"
#include "kinescope/data/pictures.hpp"
#include "kinescope/mean_shift/mean_shift.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

namespace mean_shift {
enum class Kernel { gaussian, epanechnikov, flat };
enum class Method { automatic, naive, tiled, grid, field, bins };
enum class OnChange { automatic, go_on, start_anew };
}  // namespace mean_shift

struct MeanShiftParameters : ParameterSet {
  NormalizeParameter normalize;  // ignored for pictures, whose colours are comparable
  Real bandwidth{{"bandwidth", data_units, "width of the kernel; 0: estimated from the data", Change::live},
                 0,
                 {0.0, 1e30},
                 Scale::logarithmic};
  Choice<mean_shift::Kernel> kernel{{"kernel", "", "how a point's weight falls with its distance"},
                                    {"gaussian", "epanechnikov", "flat"},
                                    mean_shift::Kernel::gaussian};
  Choice<mean_shift::Method> method{{"method", "",
                                     "how sums are computed: all pairs (naive, tiled), near cells (grid), "
                                     "interpolation (field), merged similar pixels (bins; xyrgb)"},
                                    {"auto", "naive", "tiled", "grid", "field", "bins"},
                                    mean_shift::Method::automatic};
  Integer tile_width{
      {"tile_width", "points", "points in shared memory at a time (tiled)", Change::restart, Role::further},
      64,
      {16, 1024},
      Scale::logarithmic};
  Integer block_threads{{"block_threads", "threads", "threads per CUDA block (tiled, gaussian, up to three columns)"},
                        128,
                        {32, 512},
                        Scale::logarithmic};
  Integer iterations{
      {"iterations", "iterations", "exact number of iterations; 0: until converged", Change::live}, 0, {0, 1000000}};
  Real tolerance{{"tolerance", "bandwidths", "converged once the largest shift is below this", Change::live},
                 1e-3,
                 {1e-6, 1.0},
                 Scale::logarithmic};
  Real error_bound{
      {"error_bound", "bandwidths",
       "error that grid and field aim at after 15 iterations (measured error: largest_error in the report)",
       Change::restart, Role::further},
      1e-5,
      {1e-6, 0.1},
      Scale::logarithmic};
  Real merge_radius{
      {"merge_radius", "bandwidths", "modes nearer to each other than this are one cluster", Change::live},
      0.5,
      {1e-3, 10.0},
      Scale::logarithmic};
  Choice<mean_shift::OnChange> on_change{
      {"on_change", "",
       "when the bandwidth changes, go on from the present points or restart; auto: restart only if it became smaller",
       Change::live, Role::further},
      {"auto", "go-on", {"start-anew", "Restart"}},
      mean_shift::OnChange::automatic};
  FeaturesParameter features;
  Real space_bandwidth{{"space_bandwidth", "pixels", "width of the kernel in x and y (features=xyrgb)"},
                       16,
                       {0.1, 1e6},
                       Scale::logarithmic};

  void visit(const std::function<void(Parameter&)>& f) override {
    f(normalize), f(bandwidth), f(kernel), f(method), f(tile_width), f(block_threads), f(iterations), f(tolerance),
        f(error_bound), f(merge_radius);
    f(on_change);
    f(features), f(space_bandwidth);
  }

  bool applies(const Parameter& parameter) const override {
    using namespace mean_shift;
    const Method by = method.value();
    if (&parameter == &tile_width || &parameter == &block_threads) return by == Method::tiled;
    if (&parameter == &error_bound) return by == Method::automatic || by == Method::grid || by == Method::field;
    if (&parameter == &tolerance) return iterations.value() == 0;
    return &parameter != &space_bandwidth || features.value() == Features::xyrgb;
  }
  Role role(const Parameter& parameter, const Dataset* data) const override {
    const bool picture = data && is_image(*data);
    if (&parameter == &features) return FeaturesParameter::role(data);
    if (&parameter == (picture ? static_cast<const Parameter*>(&normalize) : &space_bandwidth)) return Role::elsewhere;
    return parameter.role();
  }
  // A bandwidth is useful up to half the data's extent.
  Hint hint(const Parameter& parameter, const Snapshot& now) const override {
    if (&parameter == &iterations && iterations.value() == 0) return {.text = "until converged"};
    const auto* used = now.find<Bandwidth>();
    if (&parameter != &bandwidth || !used) return {};
    if (!bandwidth.has_default()) return {0, 0.5 * used->extent};
    return {0, 0.5 * used->extent, "estimated: ", used->value};
  }
};

std::unique_ptr<Simulation> make_cpu(const Setup& setup, MeanShiftParameters& parameters);
std::unique_ptr<Simulation> make_cuda(const Setup& setup, MeanShiftParameters& parameters);

}  // namespace kinescope::sim
