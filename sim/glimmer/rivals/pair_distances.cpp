#include "sim/glimmer/rivals/pair_distances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/error.hpp"
#include "sim/core/random.hpp"
#include "sim/data/limits.hpp"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/coordinates/sparse_by_slot.hpp"
#include "sim/glimmer/in_parallel.hpp"
#include "sim/glimmer/prepare.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::uint32_t stream_figure = 401;
constexpr std::size_t all_rows = 1000, some_rows = 256;

}  // namespace

PairDistances::PairDistances(const Dataset& data, GlimmerParameters& parameters)
    : points_(data.points), metric_(parameters.metric.value()), feeder_(feeder_of(data, parameters)) {
  if (feeder_) return;
  if (data.sparse) {
    std::vector<std::int32_t> order(points_);
    std::iota(order.begin(), order.end(), 0);
    SparseBySlot by_slot = sparse_by_slot(data, parameters, order);
    sparse_ = std::move(by_slot.rows);
    unit_ = by_slot.unit;
    return;
  }
  const RowScaling scaling(data, parameters);
  columns_ = data.dimensions;
  unit_ = scaling.unit();
  rows_.resize(points_ * columns_);
  in_parallel(points_, 1024, [&](std::size_t i) { scaling(i, rows_.data() + i * columns_); });
  if (metric_ != Metric::euclidean) return;
  std::vector<double> mean(columns_);
  for (std::size_t i = 0; i < points_; ++i)
    for (std::size_t c = 0; c < columns_; ++c) mean[c] += static_cast<double>(rows_[i * columns_ + c]);
  for (double& value : mean) value /= static_cast<double>(points_);
  in_parallel(points_, 1024, [&](std::size_t i) {
    for (std::size_t c = 0; c < columns_; ++c) rows_[i * columns_ + c] -= static_cast<float>(mean[c]);
  });
}

double PairDistances::between(std::size_t i, std::size_t j) const {
  if (feeder_) {
    std::vector<double> row(points_);
    row_alone(i, row);
    return row[j];
  }
  if (columns_ == 0) {
    const Rows rows{sparse_.value.data(), 0, metric_, sparse_.begin.data(), sparse_.index.data()};
    return static_cast<double>(rows.distance(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)));
  }
  const float *a = rows_.data() + i * columns_, *b = rows_.data() + j * columns_;
  double sum = 0;
  if (of_angles(metric_)) {
    for (std::size_t c = 0; c < columns_; ++c) sum += double(a[c]) * double(b[c]);
    const double away = std::max(0.0, 1 - sum);
    return metric_ == Metric::cosine ? away : away * away;
  }
  for (std::size_t c = 0; c < columns_; ++c) {
    const double difference = double(a[c]) - double(b[c]);
    sum += metric_ == Metric::manhattan ? std::abs(difference) : difference * difference;
  }
  return metric_ == Metric::manhattan ? sum : std::sqrt(sum);
}

void PairDistances::row_alone(std::size_t from, std::span<double> to) const {
  if (feeder_) {
    std::vector<float> row(points_);
    feeder_->row(from, row);
    std::copy(row.begin(), row.end(), to.begin());
    return;
  }
  for (std::size_t j = 0; j < points_; ++j) to[j] = j == from ? 0 : between(from, j);
}

void PairDistances::row(std::size_t from, std::span<double> to) const {
  if (feeder_) return row_alone(from, to);
  in_parallel(points_, 2048, [&](std::size_t j) { to[j] = j == from ? 0 : between(from, j); });
}

std::vector<float> all_pairs(const PairDistances& distances, const Dataset& data, const char* algorithm) {
  const std::size_t n = distances.points();
  if (n > all_pairs_limit)
    throw input_error(data.name + ": " + algorithm + " needs the distances of all pairs: at most " +
                      std::to_string(all_pairs_limit) + " points; pivot-mds and landmark have no such limit")
        .with({.parameter = "algorithm", .value = "pivot-mds"});
  const std::size_t pairs = n * (n - 1) / 2;
  require_memory(data.name, static_cast<double>(pairs) * sizeof(float));
  std::vector<float> all(pairs);
  in_parallel(n, 8, [&](std::size_t i) {
    std::vector<double> row(n);
    distances.row_alone(i, row);
    std::copy_n(row.begin(), i, all.begin() + static_cast<std::ptrdiff_t>(i * (i - 1) / 2));
  });
  return all;
}

StressFigure::StressFigure(const PairDistances& distances)
    : points_(distances.points()), exact_(distances.points() <= all_rows) {
  from_.resize(exact_ ? points_ : some_rows);
  std::iota(from_.begin(), from_.end(), std::size_t{0});
  const Random random(0, stream_figure);  // every layout gets the same pairs
  if (!exact_)
    for (std::size_t k = 0; k < from_.size(); ++k)
      from_[k] = uniform_below(random.words(k)[0], static_cast<std::uint32_t>(points_));
  delta_.resize(from_.size() * points_);
  std::vector<double> row(points_);
  for (std::size_t k = 0; k < from_.size(); ++k) {
    distances.row(from_[k], row);
    std::copy(row.begin(), row.end(), delta_.begin() + static_cast<std::ptrdiff_t>(k * points_));
  }
}

StressFigure::Sums StressFigure::sums(std::span<const double> layout, std::size_t L) const {
  std::vector<Sums> parts(from_.size());
  in_parallel(from_.size(), 1, [&](std::size_t k) {
    const double* x = layout.data() + from_[k] * L;
    Sums part;
    for (std::size_t j = 0; j < points_; ++j) {
      double square = 0;
      for (std::size_t l = 0; l < L; ++l) square += (x[l] - layout[j * L + l]) * (x[l] - layout[j * L + l]);
      const double delta = static_cast<double>(delta_[k * points_ + j]);
      part.size += delta * delta, part.product += std::sqrt(square) * delta, part.square += square;
    }
    parts[k] = part;
  });
  Sums sum;
  for (const Sums& part : parts) sum.size += part.size, sum.product += part.product, sum.square += part.square;
  return sum;
}

StressFigure::Value StressFigure::of(std::span<const double> layout, std::size_t L) const {
  const Sums sum = sums(layout, L);
  if (!(sum.square > 0) || !(sum.size > 0)) return {sum.size > 0 ? 1.0 : 0.0, 1};
  return {std::max(0.0, 1 - sum.product * sum.product / sum.square / sum.size), sum.product / sum.square};
}

double StressFigure::stress(std::span<const double> layout, std::size_t L) const {
  const Sums sum = sums(layout, L);
  return sum.size > 0 ? std::max(0.0, sum.size - 2 * sum.product + sum.square) / sum.size : 0;
}

}  // namespace kinescope::sim::glimmer
