// Turns a dataset into what the kernels read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/k_means/k_means_parameters.hpp"

namespace kinescope::sim::k_means {

struct Prepared {
  std::vector<float> panels;            // laid out like Points
  std::vector<float> scale, centre;     // [d], for RunView
  std::vector<std::int64_t> totals;     // [d]
  std::vector<double> least_variance;   // [d]
  std::vector<double> lowest, highest;  // [d]
  double total_square = 0;
  double mean_variance = 0;  // of the columns
};

// O(N · d). Throws Error (input) if no columns take part.
Prepared prepare(const Dataset& data, int threads);

// The K of the run, or the first and last K of a sweep; throws Error (input) if there are fewer points.
std::pair<int, int> cluster_range(const Dataset& data, const KMeansParameters& parameters);

// The rows of the file that the start names, [clusters × d]; empty if the start is drawn. Throws Error (input) if the
// file does not hold `clusters` rows of the columns that take part; its rows are in the input's units, and `scaling`
// converts them to the data's.
std::vector<float> given_start(const Dataset& data, const Scaling& scaling, const KMeansParameters& parameters,
                               int clusters);

// The name of a column that takes part; c0, c1, … if the data have no names.
std::string column_name(const Dataset& data, std::size_t column);

// An upper bound of the inertia around centroids within the data, or around the given ones. Throws Error (input) if
// squared distances would overflow float32 or vanish in it.
double inertia_limit(const Dataset& data, const Prepared& prepared, const std::vector<float>& given);

}  // namespace kinescope::sim::k_means
