// Where a layout begins: `start`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/glimmer/rivals/stress_figure.hpp"

namespace kinescope::sim::glimmer {

// random: normal in each direction; classic, pivot: those layouts; a file: its columns x, y, z, or its first columns of
// numbers, a row for each row of the data's source or for each point. Centred, multiplied by the factor that minimizes
// the stress, points at one place moved apart by 1e-5 of the layout's size: [points × L] in the input's order, in
// the data's (normalized) units. Throws Error (input) for a file that cannot be read or has other rows.
std::vector<double> start_layout(const InputDistances& distances, const StressFigure& figure, const Dataset& data,
                                 GlimmerParameters& parameters, std::uint64_t seed);

// The file's layout alone, as it stands.
std::vector<double> layout_from_file(const std::string& file, const Dataset& data, std::size_t L);

// A start that was asked for, with its stress: exact up to 5,000 points, else over ten million drawn pairs.
struct GivenStart {
  std::vector<float> layout;  // as start_layout gives it
  double stress = 0;
  bool exact = true;

  // Whether that layout, of so many points and dimensions, has less stress than the start: of a sample, so much less
  // that the sample shows it.
  bool beaten_by(std::span<const float> layout, const Dataset& data, GlimmerParameters& parameters) const;
};

// Null if each algorithm begins in its own way.
std::optional<GivenStart> given_start(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed);

}  // namespace kinescope::sim::glimmer
