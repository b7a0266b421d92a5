#include "kinescope/glimmer/input_distances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kinescope/in_parallel.hpp"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/coordinates/sparse_by_slot.hpp"
#include "sim/glimmer/dissimilarity.hpp"
#include "sim/glimmer/prepare.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::size_t rows_of_task = 2048;

// Rounding makes 1 − cos of a row with itself a few units in the last place of a float, not 0. Values up to this are
// set to 0.
constexpr float angle_rounding = 5e-7f;

}  // namespace

InputDistances::InputDistances(const Dataset& data, GlimmerParameters& parameters)
    : points_(data.points), feeder_(feeder_of(data, parameters)), metric_(parameters.metric.value()) {
  if (feeder_) return;
  if (data.sparse()) {
    std::vector<std::int32_t> in_order(points_);
    std::iota(in_order.begin(), in_order.end(), 0);
    SparseBySlot taken = sparse_by_slot(data, parameters, in_order);
    unit_ = taken.unit;
    columns_ = taken.rows.columns;
    values_ = std::move(taken.rows.value);
    begin_ = std::move(taken.rows.begin);
    index_ = std::move(taken.rows.index);
    squares_.resize(points_);
    in_parallel(points_, rows_of_task, [&](std::size_t i) {
      for (std::uint64_t e = begin_[i]; e < begin_[i + 1]; ++e) squares_[i] += double(values_[e]) * values_[e];
    });
  } else {
    const RowScaling scaling(data, parameters);
    unit_ = scaling.unit();
    stride_ = (std::max<std::size_t>(data.dimensions, 1) + 3) / 4 * 4;
    values_.resize(points_ * stride_);
    in_parallel(points_, rows_of_task, [&](std::size_t i) { scaling(i, values_.data() + i * stride_); });
  }
  rows_ = std::make_unique<Rows>(Rows{values_.data(), static_cast<std::int32_t>(stride_), metric_,
                                      is_sparse() ? begin_.data() : nullptr, is_sparse() ? index_.data() : nullptr});
}

InputDistances::InputDistances(InputDistances&&) noexcept = default;
InputDistances::~InputDistances() = default;

double InputDistances::pair(std::size_t i, std::size_t j) const {
  return unit_ * static_cast<double>(rows_->distance(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)));
}

void InputDistances::part(std::size_t from, std::size_t first, std::span<float> distances) const {
  if (is_sparse()) return sparse_part(from, first, distances);
  const float least = of_angles(metric_) ? angle_rounding : 0;
  for (std::size_t k = 0; k < distances.size(); ++k) {
    const auto delta = static_cast<float>(pair(from, first + k));
    distances[k] = delta > least && first + k != from ? delta : 0;
  }
}

// Spreads the row `from` over all columns once, so that each other row costs only its own values.
void InputDistances::sparse_part(std::size_t from, std::size_t first, std::span<float> distances) const {
  thread_local std::vector<float> spread;
  if (spread.size() < columns_) spread.assign(columns_, 0);
  for (std::uint64_t e = begin_[from]; e < begin_[from + 1]; ++e) spread[index_[e]] = values_[e];
  const Metric metric = metric_;
  for (std::size_t k = 0; k < distances.size(); ++k) {
    const std::size_t j = first + k;
    double product = 0;
    for (std::uint64_t e = begin_[j]; e < begin_[j + 1]; ++e) product += double(values_[e]) * spread[index_[e]];
    double delta = std::max(0.0, 1 - product);
    if (metric == Metric::euclidean) delta = std::sqrt(std::max(0.0, squares_[from] + squares_[j] - 2 * product));
    if (metric != Metric::euclidean && delta <= angle_rounding) delta = 0;
    if (metric == Metric::cosine_squared) delta *= delta;
    distances[k] = j == from ? 0 : static_cast<float>(unit_ * delta);
  }
  for (std::uint64_t e = begin_[from]; e < begin_[from + 1]; ++e) spread[index_[e]] = 0;
}

void InputDistances::row(std::size_t from, std::span<float> distances) const {
  feeder_ ? feeder_->row(from, distances) : part(from, 0, distances);
}

}  // namespace kinescope::sim::glimmer
