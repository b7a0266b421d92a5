// Tables of distances: row i, column j holds the distance between points i and j. What people save as one
// (similarities, triangles, halves that differ, missing pairs) is made into one, which is presented as a
// DistanceFeeder.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/dataset.hpp"

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

// Makes the values of `dataset` a table of distances, NaN where a pair has none, and says in `remarks` what was done:
// - similarities become the largest minus each, if the request says that they are;
// - a triangle whose other half is empty or 0 is completed, and a pair that has one distance gets it in both places;
// - halves that differ by at most a hundredth of the largest distance, or by more if the request says so, become their
//   mean;
// - the diagonal is 0 where it was missing or within rounding of it.
// Sets `components` and `pairs_left_out`. Throws Error (input), with a remedy if there is one, if the table is not
// square, if it looks like similarities, and if its halves differ by more. What else is wrong with single distances is
// for distance_matrix to say. O(points²).
void tidy_distances(const DataRequest& request, Dataset& dataset, std::vector<std::string>& remarks);

}  // namespace kinescope::sim
