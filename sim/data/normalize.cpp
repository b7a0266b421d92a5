#include "kinescope/data/normalize.hpp"

#include <algorithm>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"

namespace kinescope::sim {

namespace {

constexpr std::size_t block_rows = 2048;

ColumnSums no_sums(std::size_t columns) {
  return {std::vector<double>(columns, INFINITY), std::vector<double>(columns, -INFINITY), std::vector<double>(columns),
          std::vector<double>(columns)};
}

// Calls f(part, row) for each row of a block and combines the parts in the blocks' order: the sums are the same for any
// number of threads.
template <class F, class Combine>
void over_blocks(const Dataset& data, ColumnSums& sums, F f, Combine combine) {
  const std::size_t h = data.dimensions, blocks = (data.points + block_rows - 1) / block_rows;
  constexpr std::size_t at_once = 256;  // blocks whose parts are in memory at a time
  for (std::size_t first = 0; first < blocks; first += at_once) {
    const std::size_t count = std::min(at_once, blocks - first);
    std::vector<ColumnSums> parts(count, no_sums(h));
    in_parallel(count, 1, [&](std::size_t b) {
      const std::size_t begin = (first + b) * block_rows, end = std::min(begin + block_rows, data.points);
      for (std::size_t i = begin; i < end; ++i) f(parts[b], i);
    });
    for (const ColumnSums& part : parts)
      for (std::size_t c = 0; c < h; ++c) combine(sums, part, c);
  }
}

}  // namespace

const char* normalization_name(Normalization kind) {
  return kind == Normalization::zscore ? "zscore" : kind == Normalization::minmax ? "minmax" : "none";
}

ColumnSums sum_columns(const Dataset& data, bool deviations) {
  if (data.sparse()) throw input_error(data.name + ": sparse rows cannot be normalized");
  const std::size_t n = data.points, h = data.dimensions;
  ColumnSums sums = no_sums(h);
  over_blocks(
      data, sums,
      [&](ColumnSums& part, std::size_t row) {
        for (std::size_t c = 0; c < h; ++c) {
          const double value = data.value(row, c);
          part.minimum[c] = std::min(part.minimum[c], value);
          part.maximum[c] = std::max(part.maximum[c], value);
          part.mean[c] += value;
        }
      },
      [](ColumnSums& all, const ColumnSums& part, std::size_t c) {
        all.minimum[c] = std::min(all.minimum[c], part.minimum[c]);
        all.maximum[c] = std::max(all.maximum[c], part.maximum[c]);
        all.mean[c] += part.mean[c];
      });
  for (double& mean : sums.mean) mean /= static_cast<double>(n);
  if (!deviations) return sums;
  over_blocks(
      data, sums,
      [&](ColumnSums& part, std::size_t row) {
        for (std::size_t c = 0; c < h; ++c) {
          const double difference = data.value(row, c) - sums.mean[c];
          part.deviation[c] += difference * difference;
        }
      },
      [](ColumnSums& all, const ColumnSums& part, std::size_t c) { all.deviation[c] += part.deviation[c]; });
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

double precision_of(const Dataset& data) {
  return data.rest().empty() ? 0x1.01p-24 : 0x1p-47;
}

Scaling::Scaling(const Dataset& data, Normalization kind) : origin_(data.origin()), precision_(precision_of(data)) {
  if (kind != Normalization::none) columns_ = column_scales(sum_columns(data), kind);
}

float Scaling::scaled(std::size_t column, double value) const {
  if (!origin_.empty()) value -= origin_[column];
  if (!columns_.empty()) value = sim::scaled(value, columns_[column].offset, columns_[column].factor, precision_);
  return static_cast<float>(value);
}

double Scaling::restored(std::size_t column, double value) const {
  if (!columns_.empty()) value = value / columns_[column].factor + columns_[column].offset;
  return origin_.empty() ? value : value + origin_[column];
}

Numbers Scaling::restored(std::size_t column, std::vector<double> values, bool exact) const {
  for (double& value : values) value = restored(column, value);
  if (exact || (!origin_.empty() && origin_[column] != 0)) return values;
  return std::vector<float>(values.begin(), values.end());
}

std::shared_ptr<const Dataset> Scaling::apply(const std::shared_ptr<const Dataset>& data) const {
  if (columns_.empty()) return data;
  auto scaled_data = std::make_shared<Dataset>();
  scaled_data->name = data->name;
  scaled_data->points = data->points;
  scaled_data->dimensions = data->dimensions;
  scaled_data->value_names = data->value_names;
  scaled_data->picture = data->picture;
  DenseRows& rows = scaled_data->rows();
  rows.values.own().resize(data->values().size());
  rows.rest.resize(data->rest().size());
  for (std::size_t i = 0; i < data->points; ++i)
    for (std::size_t c = 0; c < data->dimensions; ++c) {
      const std::size_t at = i * data->dimensions + c;
      const double value = sim::scaled(data->value(i, c), columns_[c].offset, columns_[c].factor, precision_);
      rows.values.own()[at] = static_cast<float>(value);
      if (!rows.rest.empty()) rows.rest[at] = static_cast<float>(value - rows.values[at]);
    }
  return scaled_data;
}

}  // namespace kinescope::sim
