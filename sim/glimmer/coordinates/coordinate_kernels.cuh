// Kernels and functors that make coordinates of dense or sparse rows on CUDA (coordinates_cuda.cu). No sum depends on
// the order in which thread blocks run.
#pragma once

#include <cmath>

#include "kinescope/array.hpp"
#include "kinescope/executors/cuda.cuh"
#include "kinescope/executors/functors.hpp"
#include "kinescope/executors/warp.cuh"
#include "sim/glimmer/coordinates/coordinate_maker.hpp"

namespace kinescope::sim::glimmer {
namespace cuda_kernels {

inline constexpr int threads = 256;
inline constexpr std::int64_t column_rows = 512;  // rows of a column that a thread block adds

__host__ __device__ inline std::int64_t parts_of(std::int64_t count, std::int64_t size) {
  return (count + size - 1) / size;
}

struct ColumnPart {
  double sum = 0;
  float minimum = INFINITY, maximum = -INFINITY;

  __device__ void add(const ColumnPart& other) {
    sum += other.sum;
    minimum = fminf(minimum, other.minimum), maximum = fmaxf(maximum, other.maximum);
  }
};

// Adds up each column in parts of column_rows rows, to parts [parts][columns]. With `mean`, adds the squared
// differences from it.
__global__ void __launch_bounds__(threads)
    column_parts(const float* values, std::int64_t rows, std::int64_t columns, const double* mean, ColumnPart* parts) {
  __shared__ ColumnPart shared[threads / 32][32];
  const std::int64_t c = blockIdx.y * 32 + threadIdx.x, begin = blockIdx.x * column_rows,
                     end = begin + column_rows < rows ? begin + column_rows : rows;
  ColumnPart part;
  if (c < columns) {
    const double middle = mean ? mean[c] : 0;
#pragma unroll 4
    for (std::int64_t i = begin + threadIdx.y; i < end; i += threads / 32) {
      const float value = values[i * columns + c];
      const double rest = value - middle;
      part.add({mean ? rest * rest : rest, value, value});
    }
  }
  shared[threadIdx.y][threadIdx.x] = part;
  __syncthreads();
  if (threadIdx.y > 0 || c >= columns) return;
  for (int k = 1; k < threads / 32; ++k) part.add(shared[k][threadIdx.x]);
  parts[blockIdx.x * columns + c] = part;
}

__global__ void __launch_bounds__(1024)
    finish_columns(const ColumnPart* parts, std::int64_t count, std::int64_t columns, ColumnPart* totals) {
  __shared__ ColumnPart shared[32][32];
  const std::int64_t c = blockIdx.x * 32 + threadIdx.x;
  ColumnPart part;
  if (c < columns)
    for (std::int64_t k = threadIdx.y; k < count; k += 32) part.add(parts[k * columns + c]);
  shared[threadIdx.y][threadIdx.x] = part;
  __syncthreads();
  if (threadIdx.y > 0 || c >= columns) return;
  for (int k = 1; k < 32; ++k) part.add(shared[k][threadIdx.x]);
  totals[c] = part;
}

struct MeanOfColumn {
  const ColumnPart* totals;
  double count;
  float* to;
  __device__ void operator()(std::int64_t c) const { to[c] = static_cast<float>(totals[c].sum / count); }
};

struct TakeOffMean {
  const float* mean;
  std::int64_t columns;
  float* rows;
  __device__ void operator()(std::int64_t k) const { rows[k] -= mean[k % columns]; }
};

template <class Rows>
struct ProbeDistance {
  Rows rows;
  ProbePairs pairs;
  double* to;
  __device__ void operator()(std::int64_t pair) const {
    to[pair] = rows.distance(pairs.first + pairs.i(pair), pairs.first + pairs.j(pair));
  }
};

// The reference: coordinates minus their mean, turned to their own principal axes, in the layout's units.
struct TurnCoordinates {
  const float *rows, *mean, *turn;
  std::int64_t k;
  int L;
  float scale;
  float* to;
  __device__ void operator()(std::int64_t at) const {
    const std::int64_t i = at / L, l = at % L;
    float sum = 0;
    for (std::int64_t a = 0; l < k && a < k; ++a) sum = fmaf(rows[i * k + a] - mean[a], turn[a * k + l], sum);
    to[at] = scale * sum;
  }
};

struct ProbePair {
  SumProbe sum;
  ProbeSums* to;
  __device__ void operator()(std::int64_t pair) const { to[pair] = sum(pair); }
};

// Adds ProbeSums as arrays of numbers, one thread block for each number. Cuda::reduce is for small sums: for one of 152
// bytes, nvcc 13.0 drops part of it.
inline constexpr unsigned probe_values = sizeof(ProbeSums) / sizeof(double);

__global__ void __launch_bounds__(reduction_block) sum_probe(const double* pairs, std::int64_t count, double* sums) {
  __shared__ double shared[reduction_block];
  double sum = 0;
  for (std::int64_t pair = threadIdx.x; pair < count; pair += reduction_block)
    sum += pairs[pair * probe_values + blockIdx.x];
  sum = sim::cuda_kernels::sum_in_tree(sum, shared);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

}  // namespace cuda_kernels

// Adds up each column of values [rows × columns]. With `mean`, adds the squared differences from it.
inline Array<cuda_kernels::ColumnPart, Cuda> sum_columns(Cuda& cuda, const float* values, std::int64_t rows,
                                                         std::int64_t columns, const double* mean = nullptr) {
  using namespace cuda_kernels;
  const std::int64_t parts = parts_of(rows, column_rows);
  const auto wide = static_cast<unsigned>(parts_of(columns, 32));
  Array<ColumnPart, Cuda> all(cuda, static_cast<std::size_t>(parts * columns)),
      totals(cuda, static_cast<std::size_t>(columns));
  cuda.launch("columns", {dim3(static_cast<unsigned>(parts), wide), dim3(32, threads / 32)}, column_parts, values, rows,
              columns, mean, all.data());
  cuda.launch("columns", {wide, dim3(32, 32)}, finish_columns, all.data(), parts, columns, totals.data());
  cuda.wait();
  return totals;
}

inline ProbeSums sum_probe(Cuda& cuda, const SumProbe& probe) {
  Array<ProbeSums, Cuda> sums(cuda, static_cast<std::size_t>(probe.pairs.count())), sum(cuda, 1);
  cuda.for_each("probe", probe.pairs.count(), cuda_kernels::ProbePair{probe, sums.data()});
  cuda.launch("probe", {cuda_kernels::probe_values, reduction_block}, cuda_kernels::sum_probe,
              reinterpret_cast<const double*>(sums.data()), probe.pairs.count(), reinterpret_cast<double*>(sum.data()));
  return sum.download().front();
}

// Subtracts the columns' means from values [rows × columns], and returns them.
inline Array<float, Cuda> take_off_mean(Cuda& cuda, float* values, std::int64_t rows, std::int64_t columns) {
  using namespace cuda_kernels;
  Array<float, Cuda> mean(cuda, static_cast<std::size_t>(columns));
  const Array<ColumnPart, Cuda> totals = sum_columns(cuda, values, rows, columns);
  cuda.for_each("columns", columns, MeanOfColumn{totals.data(), static_cast<double>(rows), mean.data()});
  cuda.for_each("columns", rows * columns, TakeOffMean{mean.data(), columns, values});
  cuda.wait();
  return mean;
}

}  // namespace kinescope::sim::glimmer
