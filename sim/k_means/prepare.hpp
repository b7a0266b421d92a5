// Facts about the data, and checks of the parameters, that a run needs before it starts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/k_means/k_means_parameters.hpp"
#include "sim/k_means/formulas.hpp"
#include "sim/k_means/points.hpp"

namespace kinescope::sim::k_means {

// Facts about the columns; prepare() in facts.hpp computes them.
struct Prepared {
  std::vector<float> scale, centre;     // [d], for RunView
  std::vector<std::int64_t> totals;     // [d]
  std::vector<double> lowest, highest;  // [d]
  double total_square = 0;              // Σ_i |x_i − centre|²
  double mean_variance = 0;             // mean of the columns' variances
};

// 2^e such that a value of at most `magnitude` times 2^e has at most fixed_bits bits, or fewer, so that the sum of
// `points` such values fits in 64 bits.
float fixed_scale(double magnitude, std::size_t points);

// The most points from which the criteria of a number of clusters are computed ("weighing" it). If there are more
// points, they are cut into this many parts of nearly equal length, and one point is drawn at random from each.
inline constexpr std::size_t most_weighed = 1 << 15;

// What weighing a number of clusters needs in addition to the points.
struct Weighed {
  std::vector<float> panels;           // the sampled points, laid out like Points
  std::size_t count = 0;               // number of sampled points
  std::vector<double> least_variance;  // [d], see criteria.hpp
};
Weighed weighed(const HostPoints& points, const Prepared& prepared, std::uint64_t seed, int threads);

// Turns values of a picture's r, g, b as a run has them into a colour: red in the lowest byte, 255 in the highest.
struct ColourUnits {
  float zero[3], unit[3];  // the c-th colour is zero[c] + unit[c] · its value

  template <class Value>
  KINESCOPE_HD std::uint32_t packed(Value value) const {
    std::uint32_t word = 0xFF000000u;
    for (int c = 0; c < 3; ++c) {
      const float colour = zero[c] + unit[c] * value(c);
      word |= static_cast<std::uint32_t>(colour < 0 ? 0 : colour > 255 ? 255 : colour + 0.5f) << (8 * c);
    }
    return word;
  }
};
inline constexpr std::uint32_t no_colour = 0xFF808080u;  // before there are centroids

// The points as a run computes with them, and what converts between the input's units and theirs: of a picture, the
// colours alone unless its places are asked for; else the columns as normalized.
struct UsedPoints {
  UsedPoints() = default;
  // Throws Error (input) if no column is used.
  UsedPoints(const std::shared_ptr<const Dataset>& source, const KMeansParameters& parameters);

  // A row for each cluster: its number, its size, and its centroid in the input's units. `centroids` [sizes × d].
  Table centroid_table(const std::vector<std::int64_t>& sizes, const std::vector<double>& centroids) const;
  // Of a picture, whose last columns are r, g, b.
  ColourUnits colour_units() const;
  template <class Number>
  GroupColour colour(const Number* centroid) const {
    const std::size_t first = data->dimensions - 3;
    GroupColour found;
    for (std::size_t c = 0; c < 3; ++c)
      found[c] = scaling.restored(first + c, static_cast<double>(centroid[first + c]));
    return found;
  }

  std::shared_ptr<const Dataset> data;
  Scaling scaling;
  Normalization normalization = Normalization::none;
};

// The first and the last K of a sweep; both are the number of clusters if there is no sweep. Throws Error (input) if
// the data have fewer different points than the last K.
std::pair<int, int> cluster_range(const HostPoints& points, const KMeansParameters& parameters);

// The rows of the file that the parameter `start` names, [clusters × d]; empty if the start is drawn at random. The
// file's rows are in the input's units, and `scaling` converts them to the data's. Throws Error (input) if the file
// does not have `clusters` rows, each with the columns that take part.
std::vector<float> given_start(const Dataset& data, const Scaling& scaling, const KMeansParameters& parameters,
                               int clusters);

// The name of a column that takes part; c0, c1, … if the data have no names.
std::string column_name(const Dataset& data, std::size_t column);
std::vector<std::string> column_names(const Dataset& data);

// What a file of centroids has before the columns that take part.
inline const std::vector<std::string> centroid_columns = {"cluster", "size"};

// An upper bound of the inertia for centroids within the range of the data and of the `given` ones. Throws Error
// (input) if squared distances would overflow or underflow in float32.
double inertia_limit(const Dataset& data, const Prepared& prepared, const std::vector<float>& given);

}  // namespace kinescope::sim::k_means
