// The layout on which a run begins: the parameter `start`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kinescope/glimmer/stress.hpp"
#include "sim/glimmer/rivals/stress_figure.hpp"

namespace kinescope::sim::glimmer {

// The layout that `start` names. auto: classic or pivot if the algorithm begins so, else random. random: a normal
// distribution in each direction. classic, pivot: the layouts of these algorithms. A file: its columns x, y, z, or its
// first columns of numbers, with one row for each row of the data's source or for each point.
//
// The layout is centred and multiplied by the factor that minimizes its stress. Points at one place are moved apart by
// 1e-5 of the layout's size. The result is [points × L] in the input's order, in the data's (normalized) units. Throws
// Error (input) for a file that cannot be read or whose rows do not match.
std::vector<double> start_layout(const InputDistances& distances, const StressFigure& figure, const Dataset& data,
                                 GlimmerParameters& parameters, std::uint64_t seed);

// Reads the file's layout [points × L] without changing it.
std::vector<double> layout_from_file(const std::string& file, const Dataset& data, std::size_t L);

// A start that the parameters name, with its stress: exact up to 5,000 points, otherwise over ten million drawn pairs.
struct GivenStart {
  std::vector<float> layout;  // as start_layout returns it
  FullStress stress;

  // Whether the layout `other` has less stress than the start. If the stress is sampled, it must be lower by more than
  // three standard errors.
  bool beaten_by(std::span<const float> other, const Dataset& data, GlimmerParameters& parameters) const;
};

// Returns nothing if the parameters name no start, so that the algorithm begins in its own way.
std::optional<GivenStart> given_start(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed);

}  // namespace kinescope::sim::glimmer
