#include "sim/glimmer/forces/stages.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kinescope::sim::glimmer {
namespace {

// The authors' released program ends a stage of Glimmer after this many iterations at the latest.
constexpr std::int64_t stage_limit = 2000;
// Of the hybrid layout: iterations of each stage after the sample's, and points in the sample at least.
constexpr std::int64_t hybrid_iterations = 20, least_sample = 16;

// The levels' numbers of points, the coarsest level first.
std::vector<std::int64_t> level_sizes(std::int64_t points, GlimmerParameters& parameters) {
  std::vector<std::int64_t> sizes = {points};
  const ForceScheme& scheme = parameters.algorithm.value().forces.value();
  if (scheme.has_sample) {
    const auto root = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(points))));
    if (const std::int64_t sample = std::max(root, least_sample); sample < points) sizes.push_back(sample);
  } else if (scheme.has_levels && !parameters.has_given_start()) {
    while (sizes.back() >= std::max(parameters.minimum_level.value(), parameters.decimation.value()))
      sizes.push_back(sizes.back() / parameters.decimation.value());
  }
  std::ranges::reverse(sizes);
  return sizes;
}

}  // namespace

std::vector<Stage> plan_stages(std::int64_t points, GlimmerParameters& parameters) {
  const bool has_sample = parameters.algorithm.value().forces.value().has_sample;
  std::vector<Stage> stages;
  std::int64_t known = 0;
  for (const std::int64_t size : level_sizes(points, parameters)) {
    const std::int32_t level = stages.empty() ? 1 : stages.back().level + 1;
    const std::int64_t limit = has_sample && known > 0 ? hybrid_iterations : stage_limit;
    if (known > 0) stages.push_back({size, known, known, level, Phase::interpolate, limit});
    stages.push_back({size, 0, known, level, Phase::relax, limit});
    known = size;
  }
  return stages;
}

std::vector<float> termination_filter(int window) {
  // The cut-off, in cycles per iteration. The thesis does not give one; this one passes changes over about half the
  // window.
  const double cutoff = 2.0 / window, centre = 0.5 * window;
  std::vector<double> low_pass(static_cast<std::size_t>(window) + 2, 0.0);
  double sum = 0;
  for (int k = 0; k <= window; ++k) {
    const double x = k - centre, hann = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * k / window);
    const double sinc = x == 0 ? 2 * cutoff : std::sin(2 * std::numbers::pi * cutoff * x) / (std::numbers::pi * x);
    low_pass[static_cast<std::size_t>(k)] = sinc * hann;
    sum += low_pass[static_cast<std::size_t>(k)];
  }
  std::vector<float> taps;
  for (int k = 0; k <= window; ++k)
    taps.push_back(
        static_cast<float>((low_pass[static_cast<std::size_t>(k) + 1] - low_pass[static_cast<std::size_t>(k)]) / sum));
  return taps;
}

}  // namespace kinescope::sim::glimmer
