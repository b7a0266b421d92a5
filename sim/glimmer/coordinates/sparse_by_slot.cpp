#include "sim/glimmer/coordinates/sparse_by_slot.hpp"

#include <algorithm>
#include <cmath>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"

namespace kinescope::sim::glimmer {
namespace {

// `slab`: number of the basis' columns that a task takes; the products of one row then stay in registers. `parts`:
// number of parts of the rows that are multiplied in parallel.
constexpr std::size_t slab = 16, parts = 8;

// Computes Xᵀ X B in one pass over the rows for each slab of B. No part of X is ever made dense.
class SparseAxisRows : public AxisRows {
 public:
  SparseAxisRows(const SparseRows& rows, std::size_t count, std::vector<float> mean)
      : rows_(rows), count_(count), mean_(std::move(mean)) {}

  std::int64_t columns() const override { return static_cast<std::int64_t>(rows_.columns); }

  void multiply(const float* basis, std::int64_t count, float* to) const override {
    const auto wide = static_cast<std::size_t>(count), slabs = (wide + slab - 1) / slab, size = rows_.columns * slab;
    std::vector<float> sums(slabs * parts * size);
    in_parallel(slabs * parts, 1, [&](std::size_t task) {
      const std::size_t first = task / parts * slab;
      multiply_slab(basis + first, std::min(slab, wide - first), wide, task % parts, sums.data() + task * size);
    });
    in_parallel(rows_.columns, 512, [&](std::size_t c) {
      for (std::size_t a = 0; a < wide; ++a) {
        float sum = 0;
        for (std::size_t part = 0; part < parts; ++part)
          sum += sums[(a / slab * parts + part) * size + c * slab + a % slab];
        to[c * wide + a] = sum;
      }
    });
  }

  void gram(const float* basis, std::int64_t count, double* to) const override {
    const auto wide = static_cast<std::size_t>(count);
    std::vector<float> image(rows_.columns * wide);
    multiply(basis, count, image.data());
    in_parallel(wide, 1, [&](std::size_t a) {
      std::vector<double> sums(wide);
      for (std::size_t c = 0; c < rows_.columns; ++c)
        for (std::size_t b = 0; b < wide; ++b)
          sums[b] += static_cast<double>(basis[c * wide + a]) * static_cast<double>(image[c * wide + b]);
      std::copy(sums.begin(), sums.end(), to + a * wide);
    });
  }

 private:
  // Multiplies one part of the rows with one slab. Adds to `sum` [columns × slab], which must be 0 before.
  void multiply_slab(const float* basis, std::size_t width, std::size_t stride, std::size_t part, float* sum) const {
    std::vector<float> from(rows_.columns * slab);
    for (std::size_t c = 0; c < rows_.columns; ++c) std::copy_n(basis + c * stride, width, &from[c * slab]);
    float shift[slab] = {}, total[slab] = {};  // the mean times the basis, and the sum of all images
    for (std::size_t c = 0; c < mean_.size(); ++c)
      for (std::size_t k = 0; k < slab; ++k) shift[k] += mean_[c] * from[c * slab + k];
    for (std::size_t row = count_ * part / parts; row < count_ * (part + 1) / parts; ++row) {
      float image[slab];
      for (std::size_t k = 0; k < slab; ++k) image[k] = -shift[k];
      const auto index = rows_.index_of(row);
      const auto value = rows_.value_of(row);
      for (std::size_t e = 0; e < index.size(); ++e)
        for (std::size_t k = 0; k < slab; ++k) image[k] += value[e] * from[index[e] * slab + k];
      for (std::size_t e = 0; e < index.size(); ++e)
        for (std::size_t k = 0; k < slab; ++k) sum[index[e] * slab + k] += value[e] * image[k];
      for (std::size_t k = 0; k < slab; ++k) total[k] += image[k];
    }
    for (std::size_t c = 0; c < mean_.size(); ++c)
      for (std::size_t k = 0; k < slab; ++k) sum[c * slab + k] -= mean_[c] * total[k];
  }

  const SparseRows& rows_;
  std::size_t count_;
  std::vector<float> mean_;
};

// The range of the widest column; every column counts as containing a 0.
double widest_column(const SparseRows& rows) {
  std::vector<float> low(rows.columns), high(rows.columns);
  for (std::size_t e = 0; e < rows.value.size(); ++e) {
    low[rows.index[e]] = std::min(low[rows.index[e]], rows.value[e]);
    high[rows.index[e]] = std::max(high[rows.index[e]], rows.value[e]);
  }
  double widest = 0;
  for (std::size_t c = 0; c < rows.columns; ++c) widest = std::max(widest, double(high[c]) - double(low[c]));
  return widest;
}

}  // namespace

SparseBySlot sparse_by_slot(const Dataset& data, GlimmerParameters& parameters,
                            const std::vector<std::int32_t>& permutation) {
  const Metric metric = parameters.metric.value();
  if (parameters.normalize.value() != Normalization::none)
    throw input_error(data.name +
                      ": sparse rows cannot be normalized by columns, because no value would stay 0; use "
                      "--set metric=cosine or --set normalize=none");
  if (metric == Metric::manhattan)
    throw input_error(data.name +
                      ": Manhattan distances need a table that is not sparse; use --set metric=euclidean or "
                      "--set metric=cosine");
  const SparseRows& from = *data.sparse();
  const double widest = of_angles(metric) ? 0 : widest_column(from);
  if (!(widest < 1e36)) throw input_error(data.name + ": its range is too wide for float32");
  SparseBySlot result;
  if (widest > 0) result.unit = static_cast<float>(widest);
  SparseRows& to = result.rows;
  to.columns = from.columns;
  to.index.resize(from.index.size());
  to.value.resize(from.value.size());
  for (const std::int32_t point : permutation)
    to.begin.push_back(to.begin.back() + from.index_of(static_cast<std::size_t>(point)).size());
  in_parallel(permutation.size(), 256, [&](std::size_t slot) {
    const auto row = static_cast<std::size_t>(permutation[slot]);
    const auto index = from.index_of(row);
    const auto value = from.value_of(row);
    double square = 0;
    for (const float each : value) square += double(each) * each;
    const double factor = of_angles(metric) ? (square > 0 ? 1 / std::sqrt(square) : 0) : 1.0 / result.unit;
    std::copy(index.begin(), index.end(), to.index.begin() + static_cast<std::ptrdiff_t>(to.begin[slot]));
    for (std::size_t e = 0; e < value.size(); ++e) to.value[to.begin[slot] + e] = static_cast<float>(value[e] * factor);
  });
  return result;
}

std::unique_ptr<AxisRows> sparse_axis_rows(const SparseRows& rows, std::size_t count, std::vector<float> mean) {
  return std::make_unique<SparseAxisRows>(rows, count, std::move(mean));
}

std::vector<float> mean_of_sparse(const SparseRows& rows, std::size_t count) {
  std::vector<double> sum(rows.columns);
  for (std::size_t e = 0; e < rows.begin[count]; ++e) sum[rows.index[e]] += static_cast<double>(rows.value[e]);
  std::vector<float> mean(rows.columns);
  for (std::size_t c = 0; c < rows.columns; ++c) mean[c] = static_cast<float>(sum[c] / static_cast<double>(count));
  return mean;
}

SparseProjection::SparseProjection(const SparseRows& rows, const std::vector<float>& mean,
                                   const std::vector<float>& axes, std::size_t stride, std::size_t k)
    : rows_(rows), mean_(mean), axes_(axes), stride_(stride), k_(k), mean_on_axes_(k) {
  for (std::size_t c = 0; c < mean.size(); ++c) {
    mean_square_ += double(mean[c]) * mean[c];
    for (std::size_t a = 0; a < k; ++a) mean_on_axes_[a] += mean[c] * axes[c * stride + a];
  }
}

float SparseProjection::operator()(std::size_t row, float* to) const {
  for (std::size_t a = 0; a < k_; ++a) to[a] = -mean_on_axes_[a];
  const auto index = rows_.index_of(row);
  const auto value = rows_.value_of(row);
  double square = mean_square_;  // |x − μ|² = |μ|² + Σ x (x − 2 μ)
  for (std::size_t e = 0; e < index.size(); ++e) {
    const float* axis = axes_.data() + index[e] * stride_;
    for (std::size_t a = 0; a < k_; ++a) to[a] += value[e] * axis[a];
    square += double(value[e]) * (double(value[e]) - (mean_.empty() ? 0 : 2 * double(mean_[index[e]])));
  }
  return static_cast<float>(std::max(0.0, square));
}

}  // namespace kinescope::sim::glimmer
