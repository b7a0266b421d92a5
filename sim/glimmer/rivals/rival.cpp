#include "sim/glimmer/rivals/rival.hpp"

#include <algorithm>

#include "kinescope/error.hpp"
#include "sim/data/text.hpp"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/prepare.hpp"
#include "sim/glimmer/rivals/pivot_layouts.hpp"
#include "sim/glimmer/rivals/start.hpp"

namespace kinescope::sim::glimmer {

std::vector<float> reference_layout(const Dataset& data, GlimmerParameters& parameters) {
  const auto L = static_cast<std::size_t>(parameters.output_dimensions.value());
  if (parameters.starts_from_file()) {
    const std::vector<double> layout = layout_from_file(parameters.start.value(), data, L);
    return {layout.begin(), layout.end()};
  }
  if (feeder_of(data, parameters) && !has_gaps(data)) {
    constexpr std::size_t few = 50;
    const InputDistances distances(data, parameters);
    Pivots pivots(distances, 1);
    while (pivots.count() < few && pivots.add()) continue;
    const std::vector<double> layout = landmark_layout(pivots, data.points, L);
    return {layout.begin(), layout.end()};
  }
  const Prepared prepared = prepare(data, parameters, 1);
  std::vector<float> reference(prepared.reference.size());
  for (std::size_t slot = 0; slot < data.points; ++slot)
    std::copy_n(
        prepared.reference.begin() + static_cast<std::ptrdiff_t>(slot * L), L,
        reference.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(prepared.permutation[slot]) * L));
  return reference;
}

std::unique_ptr<Rival> make_rival(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed) {
  const LayoutMethod& method = parameters.algorithm.value();
  if (has_gaps(data) && !method.takes_gaps)
    throw input_error(data.name + ": " + parameters.algorithm.text() + " needs every distance, but " +
                      count_of(data.pairs_left_out, "pair") + (data.pairs_left_out == 1 ? " has" : " have") + " none")
        .with({.parameter = "algorithm", .value = "glimmer"});
  return method.make(data, parameters, seed);
}

}  // namespace kinescope::sim::glimmer
