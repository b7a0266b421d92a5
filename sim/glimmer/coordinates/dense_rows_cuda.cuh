// A dense table's rows by slot on a CUDA device, which holds all of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kinescope/permutation.hpp"
#include "sim/glimmer/coordinates/axes_cuda.cuh"
#include "sim/glimmer/coordinates/slots.hpp"
#include "sim/glimmer/forces/force_kernels.hpp"
#include "sim/glimmer/prepare.hpp"

namespace kinescope::sim::glimmer {
namespace cuda_kernels {

inline constexpr int tile_depth = 32, tile_pitch = 68;  // 64 rows, and four floats more to avoid bank conflicts
inline constexpr std::int64_t inner_part = 256;         // length of the inner dimension that a thread block takes

// The dataset's rows as RowScaling makes them.
struct ScaledRows {
  const float* values;
  const std::int32_t* permutation;
  const double *offset, *factor, *inverse_length;  // inverse_length: [points], or null
  std::int64_t columns;
  RowFormula formula;
  double precision;

  KINESCOPE_HD float of_point(std::int64_t point, std::int64_t c) const {
    return static_cast<float>(scaled(values[point * columns + c], offset[c], factor[c], precision));
  }
  KINESCOPE_HD float operator()(std::int64_t slot, std::int64_t c) const {
    const std::int64_t point = permutation[slot];
    const float value = of_point(point, c);
    return inverse_length ? static_cast<float>(value * inverse_length[point]) : value;
  }
  KINESCOPE_HD float distance(std::int64_t i, std::int64_t j) const {
    return row_distance(
        formula, columns, [&](std::int64_t c) { return (*this)(i, c); }, [&](std::int64_t c) { return (*this)(j, c); });
  }
};

// One warp for each point: writes the inverse length of its row, 1 for a row of zeros.
__global__ void __launch_bounds__(threads) inverse_lengths(ScaledRows rows, std::int64_t points, double* to) {
  const std::int64_t point = blockIdx.x * std::int64_t(threads / 32) + threadIdx.x / 32;
  if (point >= points) return;
  double sum = 0;
  for (std::int64_t c = threadIdx.x % 32; c < rows.columns; c += 32) {
    const double value = rows.of_point(point, c);
    sum += value * value;
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) to[point] = sum > 0 ? 1 / sqrt(sum) : 1;
}

struct Tiles {
  alignas(16) float left[tile_depth][tile_pitch], right[tile_depth][tile_pitch];

  // Adds the products of the rows 4·ty … 4·ty + 3 of `left` with the columns 4·tx … 4·tx + 3 of `right`.
  __device__ void add(float (&sum)[4][4]) const {
    const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
#pragma unroll 8
    for (int h = 0; h < tile_depth; ++h) {
      const float4 l = *reinterpret_cast<const float4*>(&left[h][4 * ty]),
                   r = *reinterpret_cast<const float4*>(&right[h][4 * tx]);
      const float a[4] = {l.x, l.y, l.z, l.w}, b[4] = {r.x, r.y, r.z, r.w};
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
    }
  }
};

// parts[z] [m × n] = A B over the z-th part of the inner dimension. A is [m × inner], or, if Turned, [inner × m].
template <bool Turned>
__global__ void __launch_bounds__(threads)
    multiply(const float* a, const float* b, std::int64_t m, std::int64_t inner, std::int64_t n, float* parts) {
  __shared__ Tiles tiles;
  const std::int64_t row = blockIdx.x * 64, column = blockIdx.y * 64, begin = blockIdx.z * inner_part,
                     end = begin + inner_part < inner ? begin + inner_part : inner;
  float sum[4][4] = {};
  for (std::int64_t first = begin; first < end; first += tile_depth) {
    __syncthreads();
    for (int k = threadIdx.x; k < 64 * tile_depth; k += threads) {
      const int i = Turned ? k % 64 : k / tile_depth, h = Turned ? k / 64 : k % tile_depth;
      const bool there = row + i < m && first + h < end;
      tiles.left[h][i] = !there ? 0.0f : Turned ? a[(first + h) * m + row + i] : a[(row + i) * inner + first + h];
      const int j = k % 64, g = k / 64;
      tiles.right[g][j] = column + j < n && first + g < end ? b[(first + g) * n + column + j] : 0.0f;
    }
    __syncthreads();
    tiles.add(sum);
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const std::int64_t r = row + 4 * (threadIdx.x / 16) + i, c = column + 4 * (threadIdx.x % 16) + j;
      if (r < m && c < n) parts[(blockIdx.z * m + r) * n + c] = sum[i][j];
    }
}

struct SumParts {
  const float* parts;
  std::int64_t count, size;
  float* to;
  __device__ void operator()(std::int64_t k) const {
    float sum = parts[k];
    for (std::int64_t part = 1; part < count; ++part) sum += parts[part * size + k];
    to[k] = sum;
  }
};

// Projects rows minus `mean` on the first k of the axes [columns × found].
__global__ void __launch_bounds__(threads)
    project(ScaledRows rows, const float* mean, const float* axes, std::int64_t found, std::int64_t k,
            std::int64_t first, std::int64_t count, Projected to) {
  __shared__ Tiles tiles;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::int64_t row = blockIdx.x * std::int64_t(64), column = blockIdx.y * std::int64_t(64);
  constexpr int own = 64 / (threads / 32);  // rows that a warp reads
  float square[own] = {}, sum[4][4] = {};
  for (std::int64_t from = 0; from < rows.columns; from += tile_depth) {
    const std::int64_t c = from + lane;
    const bool there = c < rows.columns;
    const float middle = there ? mean[c] : 0.0f;
    __syncthreads();
    for (int q = 0; q < own; ++q) {
      const int i = warp + q * (threads / 32);
      const float value = there && row + i < count ? rows(first + row + i, c) - middle : 0.0f;
      square[q] = fmaf(value, value, square[q]);
      tiles.left[lane][i] = value;
    }
    for (int e = threadIdx.x; e < 64 * tile_depth; e += threads) {
      const int j = e % 64, h = e / 64;
      tiles.right[h][j] = column + j < k && from + h < rows.columns ? axes[(from + h) * found + column + j] : 0.0f;
    }
    __syncthreads();
    tiles.add(sum);
  }
  if (to.norms && blockIdx.y == 0)
    for (int q = 0; q < own; ++q) {
      square[q] = warp_sum(square[q]);
      const std::int64_t i = row + warp + q * (threads / 32);
      if (lane == 0 && i < count) to.norms[i] = square[q];
    }
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) {
      const std::int64_t i = row + 4 * (threadIdx.x / 16) + a, c = column + 4 * (threadIdx.x % 16) + b;
      if (i >= count) continue;
      if (to.coordinates && c < k) to.coordinates[i * to.stride + c] = sum[a][b];
      if (to.reference && c < to.L) to.reference[i * to.L + c] = to.scale * sum[a][b];
    }
}

struct DrawSlots {
  Permutation permutation;
  std::int32_t* to;
  __device__ void operator()(std::int64_t slot) const {
    to[slot] = static_cast<std::int32_t>(permutation(static_cast<std::uint64_t>(slot)));
  }
};

// Copies rows to [count × width], with zeros past the last column.
struct CopyRows {
  ScaledRows rows;
  std::int64_t width;
  float* to;
  __device__ void operator()(std::int64_t k) const {
    const std::int64_t c = k % width;
    to[k] = c < rows.columns ? rows(k / width, c) : 0.0f;
  }
};

}  // namespace cuda_kernels

class DenseSample {
 public:
  DenseSample(Cuda& cuda, Array<float, Cuda> values, Array<float, Cuda> mean, std::int64_t rows, std::int64_t columns)
      : cuda_(&cuda), values_(std::move(values)), mean_(std::move(mean)), rows_(rows), columns_(columns) {}

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  const float* mean() const { return mean_.data(); }
  void image(const float* b, std::int64_t n, float* to) { multiply<false>(b, rows_, columns_, n, to); }
  void back(const float* z, std::int64_t n, float* to) { multiply<true>(z, columns_, rows_, n, to); }

 private:
  // Writes S B, or, if Turned, Sᵀ B, to `to` [m × n].
  template <bool Turned>
  void multiply(const float* b, std::int64_t m, std::int64_t inner, std::int64_t n, float* to) {
    using namespace cuda_kernels;
    const std::int64_t parts = parts_of(inner, inner_part);
    if (const auto size = static_cast<std::size_t>(parts * m * n); parts_.size() < size)
      parts_ = Array<float, Cuda>(*cuda_, size);
    cuda_->launch("axes",
                  {dim3(static_cast<unsigned>(parts_of(m, 64)), static_cast<unsigned>(parts_of(n, 64)),
                        static_cast<unsigned>(parts)),
                   threads},
                  cuda_kernels::multiply<Turned>, values_.data(), b, m, inner, n, parts_.data());
    cuda_->for_each("axes", m * n, SumParts{parts_.data(), parts, m * n, to});
  }

  Cuda* cuda_;
  Array<float, Cuda> values_, mean_, parts_;
  std::int64_t rows_, columns_;
};

class DenseRowsCuda {
 public:
  static constexpr bool keeps_rows = true;
  using Axes = CudaAxes<DenseSample>;

  DenseRowsCuda(Cuda& cuda, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
      : cuda_(cuda),
        points_(static_cast<std::int64_t>(data.points)),
        columns_(static_cast<std::int64_t>(data.dimensions)),
        formula_(formula_of(parameters.metric.value())),
        sent_(data.values().on_device(cuda.device()) ? Array<float, Cuda>() : Array<float, Cuda>(cuda, data.values())),
        values_(sent_.size() ? sent_.data() : data.values().on_device(cuda.device())),
        permutation_(cuda, data.points),
        scaling_(data, parameters, column_sums(parameters.normalize.value() == Normalization::zscore)),
        offset_(cuda, scaling_.offset()),
        factor_(cuda, scaling_.factor()) {
    using namespace cuda_kernels;
    cuda_.for_each("slots", points_,
                   DrawSlots{Permutation(data.points, seed * 2 + stream_permutation), permutation_.data()});
    if (const auto outlying = outlying_rows(data, scaling_, parameters); !outlying.empty()) {
      std::vector<std::int32_t> permutation = slots_of(data.points, seed);
      bring_forward(outlying, permutation);
      permutation_.upload(permutation);
    }
    if (!scaling_.unit_length()) return;
    inverse_length_ = Array<double, Cuda>(cuda, data.points);
    cuda_.launch("lengths", {static_cast<unsigned>(parts_of(points_, threads / 32)), threads}, inverse_lengths, view(),
                 points_, inverse_length_.data());
  }

  float unit() const { return scaling_.unit(); }
  cuda_kernels::ScaledRows view() const {
    return {values_,  permutation_.data(), offset_.data(), factor_.data(), inverse_length_.data(), columns_,
            formula_, scaling_.precision()};
  }
  Array<std::int32_t, Cuda>& permutation() { return permutation_; }
  void measure(const ProbePairs& pairs, double* to) {
    cuda_.for_each("distances", pairs.count(), cuda_kernels::ProbeDistance{view(), pairs, to});
  }

  Axes axes(bool centred) {
    const auto count =
        static_cast<std::int64_t>(sample_size(static_cast<std::size_t>(points_), static_cast<std::size_t>(columns_)));
    Array<float, Cuda> sample(cuda_, static_cast<std::size_t>(count * columns_));
    cuda_.for_each("sample", count * columns_, cuda_kernels::CopyRows{view(), columns_, sample.data()});
    Array<float, Cuda> mean;
    if (centred)
      mean = take_off_mean(cuda_, sample.data(), count, columns_);
    else
      mean = Array<float, Cuda>(cuda_, std::vector<float>(static_cast<std::size_t>(columns_)));
    return {cuda_, DenseSample(cuda_, std::move(sample), std::move(mean), count, columns_)};
  }

  void project(Axes& axes, std::int64_t k, std::int64_t first, std::int64_t count, const Projected& to) {
    using namespace cuda_kernels;
    if (!to.coordinates) k = std::min<std::int64_t>(k, to.L);
    cuda_.launch("project",
                 {dim3(static_cast<unsigned>(parts_of(count, 64)), static_cast<unsigned>(parts_of(k, 64))), threads},
                 cuda_kernels::project, view(), axes.sample().mean(), axes.axes(), axes.found(), k, first, count, to);
  }

  void copy(Coordinates<Cuda>& result) {
    result.width = (columns_ + 3) / 4 * 4;
    result.rows = Array<float, Cuda>(cuda_, static_cast<std::size_t>(points_ * result.width));
    cuda_.for_each("copy", points_ * result.width, cuda_kernels::CopyRows{view(), result.width, result.rows.data()});
  }

  DenseSlots slots(std::span<const std::int32_t> permutation) const {
    return {scaling_, permutation, static_cast<std::size_t>(columns_), formula_};
  }

 private:
  ColumnSums column_sums(bool deviations) {
    ColumnSums sums;
    const auto count = static_cast<double>(points_);
    for (const cuda_kernels::ColumnPart& part : sum_columns(cuda_, values_, points_, columns_).download()) {
      sums.minimum.push_back(part.minimum), sums.maximum.push_back(part.maximum);
      sums.mean.push_back(part.sum / count), sums.deviation.push_back(0);
    }
    if (!deviations) return sums;
    const Array<double, Cuda> mean(cuda_, sums.mean);
    const std::vector<cuda_kernels::ColumnPart> parts =
        sum_columns(cuda_, values_, points_, columns_, mean.data()).download();
    for (std::size_t c = 0; c < parts.size(); ++c) sums.deviation[c] = std::sqrt(parts[c].sum / count);
    return sums;
  }

  Cuda& cuda_;
  std::int64_t points_, columns_;
  RowFormula formula_;
  Array<float, Cuda> sent_;  // the rows, if they are not on the device already
  const float* values_;      // as in the dataset
  Array<std::int32_t, Cuda> permutation_;
  RowScaling scaling_;
  Array<double, Cuda> offset_, factor_, inverse_length_;
};

}  // namespace kinescope::sim::glimmer
