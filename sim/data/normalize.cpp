#include "sim/data/normalize.hpp"

#include <algorithm>
#include <cmath>

namespace kinescope::sim {

ColumnSums sum_columns(const Dataset& data) {
  const std::size_t n = data.points, h = data.dimensions;
  ColumnSums sums{std::vector<double>(h, INFINITY), std::vector<double>(h, -INFINITY), std::vector<double>(h),
                  std::vector<double>(h)};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < h; ++c) {
      const double value = data.values[i * h + c];
      sums.minimum[c] = std::min(sums.minimum[c], value);
      sums.maximum[c] = std::max(sums.maximum[c], value);
      sums.mean[c] += value;
    }
  for (double& mean : sums.mean) mean /= static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < h; ++c) {
      const double difference = data.values[i * h + c] - sums.mean[c];
      sums.deviation[c] += difference * difference;
    }
  for (double& deviation : sums.deviation) deviation = std::sqrt(deviation / static_cast<double>(n));
  return sums;
}

std::vector<ColumnScale> column_scales(const ColumnSums& sums, Normalization kind) {
  std::vector<ColumnScale> columns(sums.mean.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double range = sums.maximum[c] - sums.minimum[c];
    if (kind == Normalization::zscore) columns[c] = {sums.mean[c], sums.deviation[c] > 0 ? 1 / sums.deviation[c] : 1};
    if (kind == Normalization::minmax) columns[c] = {sums.minimum[c], range > 0 ? 1 / range : 1};
  }
  return columns;
}

Scaling::Scaling(const Dataset& data, Normalization kind) {
  if (kind != Normalization::none) columns_ = column_scales(sum_columns(data), kind);
}

float Scaling::scaled(std::size_t column, float value) const {
  if (columns_.empty()) return value;
  return static_cast<float>((value - columns_[column].offset) * columns_[column].factor);
}

double Scaling::restored(std::size_t column, double value) const {
  return columns_.empty() ? value : value / columns_[column].factor + columns_[column].offset;
}

std::shared_ptr<const Dataset> Scaling::apply(const std::shared_ptr<const Dataset>& data) const {
  if (columns_.empty()) return data;
  auto scaled_data = std::make_shared<Dataset>();
  scaled_data->name = data->name;
  scaled_data->points = data->points;
  scaled_data->dimensions = data->dimensions;
  scaled_data->value_names = data->value_names;
  scaled_data->picture = data->picture;
  scaled_data->values.resize(data->values.size());
  for (std::size_t i = 0; i < data->values.size(); ++i)
    scaled_data->values[i] = scaled(i % data->dimensions, data->values[i]);
  return scaled_data;
}

}  // namespace kinescope::sim
