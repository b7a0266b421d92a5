#include "sim/glimmer/prepare.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "kinescope/permutation.hpp"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/coordinates/sparse_by_slot.hpp"
#include "sim/glimmer/forces/force_kernels.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::size_t block_rows = 2048;

}  // namespace

RowScaling::RowScaling(const Dataset& data, GlimmerParameters& parameters)
    : RowScaling(data, parameters, sum_columns(data, parameters.normalize.value() == Normalization::zscore)) {}

RowScaling::RowScaling(const Dataset& data, GlimmerParameters& parameters, const ColumnSums& sums)
    : data_(data), offset_(data.dimensions), factor_(data.dimensions, 1.0) {
  const Normalization kind = parameters.normalize.value();
  unit_length_ = of_angles(parameters.metric.value());
  if (unit_length_ && kind != Normalization::none) precision_ = precision_of(data);
  const std::vector<ColumnScale> columns = column_scales(sums, kind);
  double widest = 0;
  for (std::size_t c = 0; c < data.dimensions; ++c) {
    const double range = sums.maximum[c] - sums.minimum[c];
    factor_[c] = columns[c].factor;
    // Angles are seen from zero, so for them the origins are put back.
    offset_[c] = kind != Normalization::none ? columns[c].offset : unit_length_ ? -data.origin_of(c) : sums.mean[c];
    widest = std::max(widest, range * factor_[c]);
  }
  if (!(widest < 1e36))
    throw input_error(data.name + ": its range is too wide for float32; try --set normalize=minmax");
  if (unit_length_) check_directions();
  if (unit_length_ || !(widest > 0)) return;
  unit_ = static_cast<float>(widest);
  for (double& factor : factor_) factor /= widest;
}

void RowScaling::operator()(std::size_t point, float* row) const {
  const std::size_t h = data_.dimensions;
  for (std::size_t c = 0; c < h; ++c)
    row[c] = static_cast<float>(scaled(data_.value(point, c), offset_[c], factor_[c], precision_));
  if (!unit_length_) return;
  double square = 0;
  for (std::size_t c = 0; c < h; ++c) square += double(row[c]) * row[c];
  if (square > 0)
    for (std::size_t c = 0; c < h; ++c) row[c] = static_cast<float>(row[c] / std::sqrt(square));
}

// 1 − p·q of rows of length 1 is rounded by about 6e-8, which must be little beside its mean. That is the mean of
// |p − m|², m being the mean row. If it is only what doubles round, then all rows have one direction, which is laid
// along one column: lengths along it are exact.
void RowScaling::check_directions() {
  constexpr std::size_t most_rows = 1024;
  constexpr double least = 4e-6, none = 1e-28;
  const std::size_t h = data_.dimensions;
  std::vector<double> row(h), mean(h);
  const auto each_direction = [&](std::size_t step, auto use) {
    for (std::size_t i = 0; i < data_.points; i += step) {
      double square = 0;
      for (std::size_t c = 0; c < h; ++c) {
        row[c] = scaled(data_.value(i, c), offset_[c], factor_[c], precision_);
        square += row[c] * row[c];
      }
      if (square == 0) continue;
      for (double& value : row) value /= std::sqrt(square);
      use();
    }
  };
  const auto away_with = [&](std::size_t step) {
    double count = 0, away = 0;  // of rows that have a direction
    each_direction(step, [&] {
      ++count;
      for (std::size_t c = 0; c < h; ++c) mean[c] += (row[c] - mean[c]) / count;
    });
    each_direction(step, [&] {
      for (std::size_t c = 0; c < h; ++c) away += (row[c] - mean[c]) * (row[c] - mean[c]) / count;
    });
    return away;
  };
  double away = away_with(data_.points / most_rows + 1);
  if (away <= none) away = away_with(1);
  if (away > none && away < least)
    throw input_error(data_.name +
                      ": its rows point in almost the same direction, which float32 cannot tell apart; "
                      "try --set normalize=zscore or another metric");
  if (away > none) return;
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const std::size_t along = std::size_t(std::ranges::max_element(mean, smaller) - mean.begin());
  for (std::size_t c = 0; c < h; ++c)
    if (c != along) factor_[c] = 0;
}

std::vector<std::int32_t> slots_of(std::size_t points, std::uint64_t seed) {
  std::vector<std::int32_t> permutation(points);
  const Permutation drawn(points, seed * 2 + stream_permutation);
  in_parallel(points, block_rows,
              [&](std::size_t slot) { permutation[slot] = static_cast<std::int32_t>(drawn(slot)); });
  return permutation;
}

std::vector<std::int32_t> outlying_rows(const Dataset& data, const RowScaling& scaling, GlimmerParameters& parameters) {
  constexpr std::size_t most_values = 1 << 26, most_part = 8, sample = 4096;
  constexpr double far = 32;  // times the mean squared distance from the mean, as in held_out.cpp
  const std::size_t h = data.dimensions, n = data.points,
                    landmarks = static_cast<std::size_t>(parameters.landmarks.value());
  if (n <= landmarks || n * h > most_values || parameters.metric.value() != Metric::euclidean) return {};
  std::vector<float> row(h);
  std::vector<double> mean(h);
  const std::size_t step = (n + sample - 1) / sample;
  for (std::size_t i = 0; i < n; i += step) {
    scaling(i, row.data());
    for (std::size_t c = 0; c < h; ++c) mean[c] += double(row[c]) * double(step) / double(n);
  }
  std::vector<float> sizes(n);
  in_parallel_ranges(n, block_rows, [&](std::size_t begin, std::size_t end) {
    std::vector<float> here(h);
    for (std::size_t i = begin; i < end; ++i) {
      scaling(i, here.data());
      double size = 0;
      for (std::size_t c = 0; c < h; ++c) size += (here[c] - mean[c]) * (here[c] - mean[c]);
      sizes[i] = static_cast<float>(size);
    }
  });
  const double all = std::accumulate(sizes.begin(), sizes.end(), 0.0), least = far * all / double(n);
  double outside = 0;
  std::vector<std::int32_t> outlying;
  for (std::size_t i = 0; i < n; ++i)
    if (sizes[i] > least) outlying.push_back(static_cast<std::int32_t>(i)), outside += sizes[i];
  if (2 * outside < all) return {};  // then landmarks drawn by chance stand for all rows better
  std::ranges::stable_sort(outlying, std::greater(), [&](std::int32_t i) { return sizes[std::size_t(i)]; });
  outlying.resize(std::min(outlying.size(), landmarks / most_part));
  return outlying;
}

void bring_forward(const std::vector<std::int32_t>& rows, std::vector<std::int32_t>& permutation) {
  const std::set<std::int32_t> moved(rows.begin(), rows.end());
  for (std::size_t slot = 0, found = 0; found < moved.size(); ++slot)
    if (moved.contains(permutation[slot])) std::swap(permutation[slot], permutation[found++]);
}

std::size_t sample_size(std::size_t points, std::size_t columns) {
  return std::min(points, std::clamp<std::size_t>((1 << 24) / columns, 512, sample_rows));
}

PrincipalAxes axes_of_sample(const RowScaling& scaling, std::span<const std::int32_t> permutation, std::size_t columns,
                             bool centred, std::vector<float>& mean) {
  const std::size_t count = sample_size(permutation.size(), columns);
  std::vector<float> sample(count * columns);
  in_parallel(count, block_rows,
              [&](std::size_t i) { scaling(static_cast<std::size_t>(permutation[i]), sample.data() + i * columns); });
  mean.assign(columns, 0);
  if (centred) {
    std::vector<double> sum(columns);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t c = 0; c < columns; ++c) sum[c] += sample[i * columns + c];
    for (std::size_t c = 0; c < columns; ++c) mean[c] = static_cast<float>(sum[c] / static_cast<double>(count));
    in_parallel(count, block_rows, [&](std::size_t i) {
      for (std::size_t c = 0; c < columns; ++c) sample[i * columns + c] -= mean[c];
    });
  }
  return PrincipalAxes(dense_axis_rows(std::move(sample), static_cast<std::int64_t>(columns)));
}

namespace {

Prepared prepare_sparse(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed) {
  const auto L = static_cast<std::size_t>(parameters.output_dimensions.value());
  Prepared prepared;
  prepared.permutation = slots_of(data.points, seed);
  SparseBySlot by_slot = sparse_by_slot(data, parameters, prepared.permutation);
  const SparseRows& rows = by_slot.rows;
  prepared.unit = by_slot.unit;
  const std::size_t count = std::min(data.points, sample_rows);
  const std::vector<float> mean = mean_of_sparse(rows, count);
  PrincipalAxes principal(sparse_axis_rows(rows, count, mean));
  principal.find(static_cast<std::int64_t>(L));
  const auto found = static_cast<std::size_t>(principal.found());
  const SparseProjection projection(rows, mean, principal.axes(), found, std::min(L, found));
  prepared.reference.resize(data.points * L);
  in_parallel(data.points, block_rows, [&](std::size_t slot) { projection(slot, &prepared.reference[slot * L]); });
  prepared.values = std::move(by_slot.rows.value);
  prepared.begin = std::move(by_slot.rows.begin);
  prepared.index = std::move(by_slot.rows.index);
  return prepared;
}

}  // namespace

Prepared prepare(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed) {
  if (const auto feeder = feeder_of(data, parameters)) {
    Prepared prepared;
    prepared.permutation = slots_of(data.points, seed);
    const std::size_t stride = (data.points + 3) / 4 * 4;
    prepared.stride = static_cast<std::int32_t>(stride);
    prepared.values.resize(data.points * stride);
    const auto all = static_cast<std::int64_t>(data.points);
    prepared.unit = take_distances(*feeder, data.name, prepared.permutation, all, prepared.stride,
                                   prepared.values.data(), has_gaps(data));
    prepared.reference = reference_of(prepared.values.data(), prepared.stride, data.points, data.points,
                                      static_cast<std::size_t>(parameters.output_dimensions.value()));
    return prepared;
  }
  if (data.sparse()) return prepare_sparse(data, parameters, seed);
  const std::size_t n = data.points, h = data.dimensions;
  const auto L = static_cast<std::size_t>(parameters.output_dimensions.value());
  const RowScaling scaling(data, parameters);
  Prepared prepared;
  prepared.unit = scaling.unit();
  prepared.stride = static_cast<std::int32_t>((std::max<std::size_t>(h, 1) + 3) / 4 * 4);
  prepared.permutation = slots_of(n, seed);
  const auto stride = static_cast<std::size_t>(prepared.stride);
  prepared.values.resize(n * stride);
  in_parallel(n, block_rows, [&](std::size_t slot) {
    scaling(static_cast<std::size_t>(prepared.permutation[slot]), prepared.values.data() + slot * stride);
  });
  std::vector<float> mean;
  PrincipalAxes principal = axes_of_sample(scaling, prepared.permutation, h, true, mean);
  principal.find(static_cast<std::int64_t>(L));
  const auto found = static_cast<std::size_t>(principal.found());
  prepared.reference.resize(n * L);
  in_parallel(n, block_rows, [&](std::size_t slot) {
    const float* row = prepared.values.data() + slot * stride;
    for (std::size_t l = 0; l < std::min(L, found); ++l) {
      float dot = 0;
      for (std::size_t c = 0; c < h; ++c) dot += row[c] * principal.axes()[c * found + l];
      prepared.reference[slot * L + l] = dot;
    }
  });
  return prepared;
}

}  // namespace kinescope::sim::glimmer
