// Distances that come from a DistanceFeeder instead of rows of numbers: the distances from some points, the sources, to
// all points.
//
// Up to `matrix_limit` points, all are sources. Beyond, only the landmarks are: they are laid out among themselves, and
// every other point is placed by its distances from them. As the landmarks are drawn at random, a point's stress
// against them is an unbiased estimate of its stress against all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

// Returns the source of the distances of `data` if they do not come from rows: Dataset::distances, or with
// metric=matrix the table. Returns null otherwise. `data` must outlive the result. Throws Error (input) for a metric
// that the data do not have, and throws as distance_matrix does.
std::shared_ptr<const DistanceFeeder> feeder_of(const Dataset& data, GlimmerParameters& parameters);

// The number of points from which distances are taken. Up to `matrix_limit` these are all points. Beyond, they are the
// landmarks (fewer of them if their rows would take more than 1 GiB) and some points that are held out of the fit.
struct Sources {
  std::int64_t landmarks, all;
  static Sources of(std::int64_t points, std::int64_t landmarks);
};

// Writes the distances of the first `sources` slots to all points, [sources × stride] by slot, divided by the largest
// of them; 0 past the last point. Returns the largest distance, in the data's unit; 1 if all are 0. O(sources · points)
// and the feeder's own time, on all threads.
//
// Throws Error (input), which names the points, if a distance is negative or not a number, if a point has a distance
// from itself, or if the two distances of a pair of sources differ by more than 1e-5 of the largest. Smaller
// differences are replaced by the mean. With `gaps`, NaN is allowed: the pair has no distance.
float take_distances(const DistanceFeeder& feeder, const std::string& name,
                     const std::vector<std::int32_t>& permutation, std::int64_t sources, std::int64_t stride,
                     float* rows, bool gaps = false);

// Whether some pairs of these data, all of one component, have no distance: NaN.
inline bool has_gaps(const Dataset& data) {
  return data.pairs_left_out > 0 && data.components.empty();
}

// [points × L] in the rows' unit: classical scaling of the first 512 slots; then each point is placed by its distances
// from those (V. de Silva, J. Tenenbaum, "Sparse multidimensional scaling using landmark points", 2004). O(points).
std::vector<float> reference_of(const float* rows, std::int64_t stride, std::size_t points, std::size_t sources,
                                std::size_t L);

// The values that our own Glimmer needs in addition to the rows. `fit_scale` also converts the rows to the layout's
// unit, in which the root mean square of δ is 1.
struct DistanceFrame {
  std::vector<float> reference;  // [points × L] in the layout's unit
  float reference_scale = 1;     // the scale that minimizes the reference's stress
  float unit = 1;                // one layout unit, in the data's unit
};
DistanceFrame fit_scale(float* rows, std::int64_t stride, std::size_t points, std::size_t sources, std::size_t L,
                        float unit);

}  // namespace kinescope::sim::glimmer
