// A table that holds the distances themselves, row i and column j those of points i and j, as a DistanceFeeder.
#pragma once

#include <memory>
#include <string>

#include "sim/core/dataset.hpp"

namespace kinescope::sim {

// Reads the values of `data`, which must outlive the result. Throws Error (input) if the table is not square, if a
// distance is missing, negative or one of a point from itself, or if two that should be equal differ by more than 1e-5
// of the largest; names row and column. O(points²) on all threads.
std::unique_ptr<const DistanceFeeder> distance_matrix(const Dataset& data);

// What is wrong with a distance between two points, which count from 0, or "": "row 3, column 5: a distance is
// negative". Whoever takes distances checks them with it.
std::string distance_flaw(std::size_t from, std::size_t to, float distance);

// The same for two distances that should be equal.
std::string mirror_flaw(std::size_t from, std::size_t to);

}  // namespace kinescope::sim
