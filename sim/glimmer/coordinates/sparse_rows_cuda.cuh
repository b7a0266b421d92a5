// Sparse rows by slot on a CUDA device: products with them are sums over their values, never over a dense table.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "kinescope/executors/first_not_below.hpp"
#include "kinescope/executors/sort_cuda.cuh"
#include "sim/glimmer/coordinates/axes_cuda.cuh"
#include "sim/glimmer/coordinates/slots.hpp"
#include "sim/glimmer/coordinates/sparse_by_slot.hpp"

namespace kinescope::sim::glimmer {
namespace cuda_kernels {

struct SparseEntry {
  std::int32_t row;
  float value;
};

// Computes S B with one warp for each row; subtracts the shift, μᵀB.
__global__ void __launch_bounds__(threads)
    sparse_image(Rows rows, std::int64_t count, const float* b, std::int64_t n, const float* shift, float* to) {
  const std::int64_t row = blockIdx.x * std::int64_t(threads / 32) + threadIdx.x / 32;
  if (row >= count) return;
  const std::uint64_t begin = rows.begin[row], end = rows.begin[row + 1];
  for (std::int64_t k = threadIdx.x % 32; k < n; k += 32) {
    float sum = shift ? -shift[k] : 0.0f;
#pragma unroll 4
    for (std::uint64_t e = begin; e < end; ++e) sum = fmaf(rows.values[e], b[rows.index[e] * n + k], sum);
    to[row * n + k] = sum;
  }
}

// Computes Sᵀ Z with one thread block for each column of S and 32 columns of Z.
__global__ void __launch_bounds__(threads)
    sparse_back(const std::int64_t* column_begin, const SparseEntry* entries, const float* z, std::int64_t n,
                const float* mean, const float* total, float* to) {
  constexpr int warps = threads / 32;
  __shared__ float shared[warps][32];
  const std::int64_t column = blockIdx.x, k = blockIdx.y * std::int64_t(32) + threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float sum = 0;
  if (k < n) {
    const std::int64_t end = column_begin[column + 1];
#pragma unroll 4
    for (std::int64_t e = column_begin[column] + warp; e < end; e += warps)
      sum = fmaf(entries[e].value, z[entries[e].row * n + k], sum);
  }
  shared[warp][threadIdx.x % 32] = sum;
  __syncthreads();
  if (warp > 0 || k >= n) return;
  for (int w = 1; w < warps; ++w) sum += shared[w][threadIdx.x];
  to[column * n + k] = mean ? sum - mean[column] * total[k] : sum;
}

// to[k] = Σ_r weight[r] values[r × n + k], or, without weights, the plain sum; one thread block per k.
__global__ void __launch_bounds__(reduction_block)
    weighted_sums(const float* values, std::int64_t rows, std::int64_t n, const float* weight, float* to) {
  __shared__ double shared[reduction_block];
  double sum = 0;
  for (std::int64_t r = threadIdx.x; r < rows; r += reduction_block)
    sum += double(values[r * n + blockIdx.x]) * (weight ? weight[r] : 1.0f);
  sum = sim::cuda_kernels::sum_in_tree(sum, shared);
  if (threadIdx.x == 0) to[blockIdx.x] = static_cast<float>(sum);
}

// One warp for each slot; computes the same as SparseProjection (sparse_by_slot.hpp).
__global__ void __launch_bounds__(threads)
    sparse_project(Rows rows, const float* mean, const float* mean_on_axes, double mean_square, const float* axes,
                   std::int64_t found, std::int64_t k, std::int64_t first, std::int64_t count, Projected to) {
  const std::int64_t i = blockIdx.x * std::int64_t(threads / 32) + threadIdx.x / 32;
  if (i >= count) return;
  const int lane = threadIdx.x % 32;
  const std::uint64_t begin = rows.begin[first + i], end = rows.begin[first + i + 1];
  for (std::int64_t c = lane; c < to.stride || c < to.L; c += 32) {
    float sum = 0;
    if (c < k) {
      sum = mean ? -mean_on_axes[c] : 0.0f;
#pragma unroll 4
      for (std::uint64_t e = begin; e < end; ++e) sum = fmaf(rows.values[e], axes[rows.index[e] * found + c], sum);
    }
    if (to.coordinates && c < to.stride) to.coordinates[i * to.stride + c] = sum;
    if (to.reference && c < to.L) to.reference[i * to.L + c] = to.scale * sum;
  }
  if (!to.norms) return;
  double square = 0;  // |x − μ|² = |μ|² + Σ x (x − 2 μ)
  for (std::uint64_t e = begin + lane; e < end; e += 32)
    square += double(rows.values[e]) * (double(rows.values[e]) - (mean ? 2 * double(mean[rows.index[e]]) : 0.0));
  square = warp_sum(square);
  if (lane == 0) to.norms[i] = static_cast<float>(fmax(0.0, mean_square + square));
}

struct EntriesOfRow {
  Rows rows;
  std::uint32_t* column;
  SparseEntry* to;
  __device__ void operator()(std::int64_t row) const {
    for (std::uint64_t e = rows.begin[row]; e < rows.begin[row + 1]; ++e) {
      column[e] = rows.index[e];
      to[e] = {static_cast<std::int32_t>(row), rows.values[e]};
    }
  }
};

// Writes where each column begins among the sorted ones.
struct BeginOfColumn {
  const std::uint32_t* column;
  std::int64_t count;
  std::int64_t* to;
  __device__ void operator()(std::int64_t c) const { to[c] = first_not_below(column, count, c); }
};

}  // namespace cuda_kernels

// The sample of the first rows, about their mean or about 0.
class SparseSample {
 public:
  // `mean` is [columns], or empty for rows about 0.
  SparseSample(Cuda& cuda, const Rows& view, const SparseRows& host, std::size_t rows, const std::vector<float>& mean)
      : cuda_(&cuda),
        view_(view),
        rows_(static_cast<std::int64_t>(rows)),
        columns_(static_cast<std::int64_t>(host.columns)),
        entries_(cuda, host.begin[rows]),
        column_begin_(cuda, host.columns + 1),
        mean_square_(std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0)) {
    using namespace cuda_kernels;
    if (!mean.empty()) mean_ = Array<float, Cuda>(cuda, mean);
    Array<std::uint32_t, Cuda> column(cuda, entries_.size());
    cuda.for_each("sample", rows_, EntriesOfRow{view_, column.data(), entries_.data()});
    PairSort<std::uint32_t, SparseEntry> sort(cuda);
    if (entries_.size() > 0) sort(column, entries_, host.columns);
    cuda.for_each("sample", columns_ + 1,
                  BeginOfColumn{column.data(), static_cast<std::int64_t>(column.size()), column_begin_.data()});
    cuda.wait();
  }

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  const float* mean() const { return mean_.data(); }
  double mean_square() const { return mean_square_; }

  void image(const float* b, std::int64_t n, float* to) {
    using namespace cuda_kernels;
    const float* shift = mean_.size() > 0 ? weigh(b, columns_, n, mean_.data()) : nullptr;
    cuda_->launch("axes", {static_cast<unsigned>(parts_of(rows_, threads / 32)), threads}, sparse_image, view_, rows_,
                  b, n, shift, to);
  }
  void back(const float* z, std::int64_t n, float* to) {
    using namespace cuda_kernels;
    const float* total = mean_.size() > 0 ? weigh(z, rows_, n, nullptr) : nullptr;
    cuda_->launch("axes", {dim3(static_cast<unsigned>(columns_), static_cast<unsigned>(parts_of(n, 32))), threads},
                  sparse_back, column_begin_.data(), entries_.data(), z, n, mean_.data(), total, to);
  }

  // μᵀB [n] for B [columns × n]. The next call overwrites it.
  const float* mean_on(const float* b, std::int64_t n) { return weigh(b, columns_, n, mean_.data()); }

 private:
  const float* weigh(const float* values, std::int64_t rows, std::int64_t n, const float* weight) {
    if (const auto size = static_cast<std::size_t>(n); sums_.size() < size) sums_ = Array<float, Cuda>(*cuda_, size);
    cuda_->launch("axes", {static_cast<unsigned>(n), reduction_block}, cuda_kernels::weighted_sums, values, rows, n,
                  weight, sums_.data());
    return sums_.data();
  }

  Cuda* cuda_;
  Rows view_;
  std::int64_t rows_, columns_;
  Array<cuda_kernels::SparseEntry, Cuda> entries_;  // by column
  Array<std::int64_t, Cuda> column_begin_;
  Array<float, Cuda> mean_, sums_;
  double mean_square_;
};

class SparseRowsCuda {
 public:
  static constexpr bool keeps_rows = false;
  using Axes = CudaAxes<SparseSample>;

  SparseRowsCuda(Cuda& cuda, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
      : SparseRowsCuda(cuda, data, parameters, slots_of(data.points, seed)) {}

  float unit() const { return host_.unit; }
  Rows view() const { return {value_.data(), 0, metric_, begin_.data(), index_.data()}; }
  Array<std::int32_t, Cuda>& permutation() { return permutation_; }
  void measure(const ProbePairs& pairs, double* to) {
    cuda_.for_each("distances", pairs.count(), cuda_kernels::ProbeDistance{view(), pairs, to});
  }

  Axes axes(bool centred) {
    const std::size_t count = std::min(host_.rows.rows(), sparse_sample_rows);
    const std::vector<float> mean = centred ? mean_of_sparse(host_.rows, count) : std::vector<float>();
    return {cuda_, SparseSample(cuda_, view(), host_.rows, count, mean)};
  }

  void project(Axes& axes, std::int64_t k, std::int64_t first, std::int64_t count, const Projected& to) {
    using namespace cuda_kernels;
    SparseSample& sample = axes.sample();
    const float* shift = sample.mean() ? sample.mean_on(axes.axes(), axes.found()) : nullptr;
    cuda_.launch("project", {static_cast<unsigned>(parts_of(count, threads / 32)), threads}, sparse_project, view(),
                 sample.mean(), shift, sample.mean_square(), axes.axes(), axes.found(), k, first, count, to);
  }

  void turn_coordinates(Coordinates<Cuda>& result, std::int64_t L) {
    using namespace cuda_kernels;
    const std::int64_t k = result.width, points = static_cast<std::int64_t>(permutation_.size()),
                       count = std::min(points, static_cast<std::int64_t>(sample_rows));
    Array<float, Cuda> sample(cuda_, static_cast<std::size_t>(count * k));
    cuda_.for_each("reference", count * k, Copy<float>{result.rows.data(), sample.data()});
    const Array<float, Cuda> mean = take_off_mean(cuda_, sample.data(), count, k);
    Array<double, Cuda> gram(cuda_, static_cast<std::size_t>(k * k));
    glimmer::multiply_by_itself(cuda_, sample.data(), count, static_cast<int>(k), gram.data());
    const Array<float, Cuda> turn(cuda_, principal_turn(gram.download(), k));
    cuda_.for_each("reference", points * L,
                   TurnCoordinates{result.rows.data(), mean.data(), turn.data(), k, static_cast<int>(L), result.scale,
                                   result.reference.data()});
  }

  SparseSlots slots(std::span<const std::int32_t>) const { return {host_.rows, metric_}; }

 private:
  SparseRowsCuda(Cuda& cuda, const Dataset& data, GlimmerParameters& parameters,
                 const std::vector<std::int32_t>& permutation)
      : cuda_(cuda),
        metric_(parameters.metric.value()),
        host_(sparse_by_slot(data, parameters, permutation)),
        permutation_(cuda, permutation),
        value_(cuda, host_.rows.value),
        begin_(cuda, host_.rows.begin),
        index_(cuda, host_.rows.index) {}

  Cuda& cuda_;
  Metric metric_;
  SparseBySlot host_;
  Array<std::int32_t, Cuda> permutation_;
  Array<float, Cuda> value_;
  Array<std::uint64_t, Cuda> begin_;
  Array<std::uint32_t, Cuda> index_;
};

}  // namespace kinescope::sim::glimmer
