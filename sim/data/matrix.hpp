// What people save as a table of distances, made into one: similarities, triangles, halves that differ, missing pairs.
#pragma once

#include <string>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/data/load.hpp"

namespace kinescope::sim {

// Makes the values of `dataset` a table of distances, NaN where a pair has none, and says in `remarks` what was done:
// - similarities become the largest minus each, if the request says that they are;
// - a triangle whose other half is empty or 0 is completed, and a pair that has one distance gets it in both places;
// - halves that differ by at most a hundredth of the largest distance, or by more if the request says so, are replaced
// by
//   their mean;
// - the diagonal is 0 where it was missing or within rounding of it.
// Sets `components` and `pairs_left_out`. Throws Error (input), with a remedy if there is one, if the table is not
// square, if it looks like similarities, and if its halves differ by more. What else is wrong with single distances is
// for distance_matrix (distance_matrix.hpp) to say. O(points²).
void tidy_distances(const DataRequest& request, Dataset& dataset, std::vector<std::string>& remarks);

}  // namespace kinescope::sim
