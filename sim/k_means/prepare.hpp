// What a run needs to know of its data and parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/k_means/k_means_parameters.hpp"

namespace kinescope::sim::k_means {

// What is known of the columns (facts.hpp).
struct Prepared {
  std::vector<float> scale, centre;     // [d], for RunView
  std::vector<std::int64_t> totals;     // [d]
  std::vector<double> lowest, highest;  // [d]
  double total_square = 0;              // Σ_i |x_i − centre|²
  double mean_variance = 0;             // of the columns
};

// 2^e such that N values of at most `magnitude` have fixed_bits bits, or as many as let the sum fit in 64 bits.
float fixed_scale(double magnitude, std::size_t points);

// A sweep over many points weighs a sample: the points are cut into so many parts of equal length, and one is drawn
// from each.
inline constexpr std::size_t most_weighed = 1 << 15;

// What weighing a number of clusters needs beside the points.
struct Weighed {
  std::vector<float> panels;           // the sample, laid out like Points
  std::size_t count = 0;               // its points
  std::vector<double> least_variance;  // [d]
};
Weighed weighed(const Dataset& data, const Prepared& prepared, std::uint64_t seed, int threads);

// The K of the run, or the first and last K of a sweep; throws Error (input) if there are fewer different points.
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
