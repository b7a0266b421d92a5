#include "sim/k_means/screen/shown_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/principal_axes.hpp"
#include "sim/k_means/prepare.hpp"

namespace kinescope::sim::k_means {
namespace {

constexpr std::size_t axis_count = 3, most_sampled = 4096, most_numbers = std::size_t{1} << 24;

// The principal axes of evenly chosen points, and Σ |x − centre|² over these points.
std::pair<PrincipalAxes, double> axes_of_sample(const Dataset& data, const std::vector<float>& centre) {
  const std::size_t d = data.dimensions, step = (data.points + most_sampled - 1) / most_sampled;
  std::vector<float> offsets;
  double square = 0;
  for (std::size_t i = 0; i < data.points; i += step)
    for (std::size_t c = 0; c < d; ++c) {
      offsets.push_back(data.values()[i * d + c] - centre[c]);
      square += double(offsets.back()) * double(offsets.back());
    }
  PrincipalAxes axes(dense_axis_rows(std::move(offsets), static_cast<std::int64_t>(d)));
  axes.find(axis_count);
  return {std::move(axes), square};
}

}  // namespace

ShownColumns shown_columns(const Dataset& data, const std::vector<float>& centre) {
  ShownColumns shown;
  shown.dimensions = data.dimensions;
  shown.centre = centre;
  std::size_t own = data.dimensions;
  if (data.dimensions > axis_count) {
    const auto [found, square] = axes_of_sample(data, centre);
    const auto columns = static_cast<std::size_t>(found.found());
    for (std::size_t axis = 0; axis < axis_count; ++axis) {
      for (std::size_t c = 0; c < data.dimensions; ++c) shown.axes.push_back(found.axes()[c * columns + axis]);
      const double share = square > 0 ? std::min(1.0, found.squares()[axis] / square) : 0;
      shown.names.push_back("axis " + std::to_string(axis + 1) + " (" + std::to_string(std::lround(100 * share)) +
                            " % of variance)");
    }
    const std::size_t room = most_numbers / std::max<std::size_t>(1, data.points);
    own = std::min(own, room > axis_count ? room - axis_count : 0);
  }
  shown.origins.resize(shown.names.size());
  for (std::size_t c = 0; c < own; ++c) {
    shown.names.push_back(column_name(data, c));
    shown.origins.push_back(data.origin_of(c));
  }
  return shown;
}

std::vector<float> ShownColumns::project(const float* values, std::size_t rows) const {
  std::vector<float> projected;
  projected.reserve(rows * count());
  const std::size_t along_axes = axes.size() / dimensions, own = count() - along_axes;
  for (const float* row = values; row != values + rows * dimensions; row += dimensions) {
    for (std::size_t axis = 0; axis < along_axes; ++axis) {
      float sum = 0;
      for (std::size_t c = 0; c < dimensions; ++c) sum += (row[c] - centre[c]) * axes[axis * dimensions + c];
      projected.push_back(sum);
    }
    projected.insert(projected.end(), row, row + own);
  }
  return projected;
}

}  // namespace kinescope::sim::k_means
