// Presents a table of distances as a DistanceFeeder: row i, column j holds the distance between points i and j.
#pragma once

#include <memory>
#include <string>

#include "sim/core/dataset.hpp"

namespace kinescope::sim {

// Reads the values of `data`, which must outlive the result. Throws Error (input) if the table is not square, if a
// distance is missing (unless Dataset::pairs_left_out counts it) or negative, if a point's distance from itself is not
// 0, or if two distances that should be equal differ by more than 1e-5 of the largest. The message names row and
// column. O(points²) on all threads.
std::unique_ptr<const DistanceFeeder> distance_matrix(const Dataset& data);

// Says what is wrong with a distance between two points (counted from 0): "row 3, column 5: a distance is negative"; ""
// if nothing is. All distances from outside are checked with it.
std::string distance_flaw(std::size_t from, std::size_t to, float distance);

// The message for two distances that should be equal and are not.
std::string mirror_flaw(std::size_t from, std::size_t to);

}  // namespace kinescope::sim
