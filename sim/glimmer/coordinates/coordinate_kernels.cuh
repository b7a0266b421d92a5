// Kernels and functors that find principal coordinates on CUDA (coordinates_cuda.cu). No sum depends on which thread
// block comes first.
#pragma once

#include <algorithm>
#include <cmath>

#include "sim/core/executors/cuda.cuh"
#include "sim/core/executors/functors.hpp"
#include "sim/core/executors/warp.cuh"
#include "sim/core/permutation.hpp"
#include "sim/glimmer/coordinates/coordinate_maker.hpp"
#include "sim/glimmer/forces/force_kernels.hpp"
#include "sim/glimmer/prepare.hpp"

namespace kinescope::sim::glimmer {
namespace cuda_kernels {

inline constexpr int threads = 256;
inline constexpr int tile_depth = 32, tile_pitch = 68;  // 64 rows, and four floats more to avoid bank conflicts
inline constexpr std::int64_t inner_part = 256;         // of an inner dimension, per thread block
inline constexpr std::int64_t column_rows = 512;        // of a column, per thread block

__host__ __device__ inline std::int64_t parts_of(std::int64_t count, std::int64_t size) {
  return (count + size - 1) / size;
}

// The dataset's rows as RowScaling makes them.
struct ScaledRows {
  const float* values;
  const std::int32_t* permutation;
  const double *offset, *factor, *inverse_length;  // the last [points], or null
  std::int64_t columns;

  __device__ float of_point(std::int64_t point, std::int64_t c) const {
    return static_cast<float>((values[point * columns + c] - offset[c]) * factor[c]);
  }
  __device__ float operator()(std::int64_t slot, std::int64_t c) const {
    const std::int64_t point = permutation[slot];
    const float value = of_point(point, c);
    return inverse_length ? static_cast<float>(value * inverse_length[point]) : value;
  }
};

struct ColumnPart {
  double sum = 0;
  float minimum = INFINITY, maximum = -INFINITY;

  __device__ void add(const ColumnPart& other) {
    sum += other.sum;
    minimum = fminf(minimum, other.minimum), maximum = fmaxf(maximum, other.maximum);
  }
};

// Sums of parts of column_rows rows each, [parts][columns]; with `mean`, sums of the squared differences from it.
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

// One warp per point.
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

  // Adds the products of rows 4·ty … of `left` with columns 4·tx … of `right`.
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

// parts[z] [m × n] = A B over the z-th part of the inner dimension. A is [m × inner], or, turned, [inner × m].
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

// gram [n × n] = Zᵀ Z for Z [rows × n], one warp per entry.
__global__ void __launch_bounds__(threads) multiply_by_itself(const float* z, std::int64_t rows, int n, double* gram) {
  const int entry = static_cast<int>(blockIdx.x) * (threads / 32) + static_cast<int>(threadIdx.x) / 32;
  const int a = entry / n, b = entry % n;
  if (a >= n || b < a) return;
  double sum = 0;
#pragma unroll 4
  for (std::int64_t h = threadIdx.x % 32; h < rows; h += 32) sum += double(z[h * n + a]) * z[h * n + b];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) gram[a * n + b] = gram[b * n + a] = sum;
}

// Cholesky: the upper triangle of gram becomes R with Rᵀ R = gram, but with the inverse of R's diagonal. A column that
// depends on those before it, within float's precision, gets 0 there. One thread block; works in shared memory if that
// was given.
__global__ void __launch_bounds__(threads) factor(double* gram, int n, bool in_shared) {
  extern __shared__ double shared[];
  __shared__ double whole[most_coordinates + spare_axes];  // the diagonal before
  double* g = in_shared ? shared : gram;
  for (int k = threadIdx.x; k < n; k += threads) whole[k] = gram[k * n + k];
  if (in_shared)
    for (int k = threadIdx.x; k < n * n; k += threads) shared[k] = gram[k];
  __syncthreads();
  for (int j = 0; j < n; ++j) {
    const double pivot = g[j * n + j], inverse = pivot > 1e-12 * whole[j] ? 1 / sqrt(pivot) : 0;
    __syncthreads();
    for (int b = j + 1 + static_cast<int>(threadIdx.x); b < n; b += threads) g[j * n + b] *= inverse;
    if (threadIdx.x == 0) g[j * n + j] = inverse;
    __syncthreads();
    const int rest = n - j - 1;
    for (int k = threadIdx.x; k < rest * rest; k += threads) {
      const int a = j + 1 + k / rest, b = j + 1 + k % rest;
      if (b >= a) g[a * n + b] -= g[j * n + a] * g[j * n + b];
    }
    __syncthreads();
  }
  if (in_shared)
    for (int k = threadIdx.x; k < n * n; k += threads) gram[k] = shared[k];
}

// One axis per thread block: column `axis` of basis · turn, with its largest entry positive.
__global__ void __launch_bounds__(threads)
    turn_axes(const float* basis, const float* turn, std::int64_t columns, int n, int found, float* axes) {
  __shared__ float largest[threads];
  __shared__ std::int64_t place[threads];
  const int axis = blockIdx.x, thread = threadIdx.x;
  float best = -1, sign = 1;
  std::int64_t where = 0;
  for (std::int64_t h = thread; h < columns; h += threads) {
    float value = 0;
    for (int j = 0; j < n; ++j) value = fmaf(basis[h * n + j], turn[j * n + axis], value);
    axes[h * found + axis] = value;
    if (fabsf(value) > best) best = fabsf(value), where = h;
  }
  largest[thread] = best, place[thread] = where;
  __syncthreads();
  for (int width = threads / 2; width > 0; width /= 2) {
    if (thread < width && (largest[thread + width] > largest[thread] ||
                           (largest[thread + width] == largest[thread] && place[thread + width] < place[thread])))
      largest[thread] = largest[thread + width], place[thread] = place[thread + width];
    __syncthreads();
  }
  sign = axes[place[0] * found + axis] < 0 ? -1.0f : 1.0f;
  __syncthreads();
  for (std::int64_t h = thread; h < columns; h += threads) axes[h * found + axis] *= sign;
}

// Where the coordinates of 64 slots go, from `first` on. Null: they are not needed.
struct Projected {
  float* coordinates = nullptr;  // [count × k]
  float* norms = nullptr;        // [count]
  float* reference = nullptr;    // [count × L], times `scale`
  float scale = 1;
  int L = 0;
};

// Rows minus `mean`, projected on the first k of the axes [columns × found].
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
      if (i >= count || c >= k) continue;
      if (to.coordinates) to.coordinates[i * k + c] = sum[a][b];
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

// Rows [count × width], zeros past the last column.
struct CopyRows {
  ScaledRows rows;
  std::int64_t width;
  float* to;
  __device__ void operator()(std::int64_t k) const {
    const std::int64_t c = k % width;
    to[k] = c < rows.columns ? rows(k / width, c) : 0.0f;
  }
};

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

// The start of subspace iteration: the axes found before, and random vectors.
struct StartBasis {
  const float* axes;
  std::int64_t found, n;
  bool whole;  // as many vectors as columns
  float* to;
  __device__ void operator()(std::int64_t k) const {
    const std::int64_t c = k / n, a = k % n;
    to[k] = whole ? static_cast<float>(c == a)
            : a < found
                ? axes[c * found + a]
                : Random(1, stream_axes).uniform(static_cast<std::uint64_t>(c), static_cast<std::uint32_t>(a)) - 0.5f;
  }
};

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

// Z ← Z R⁻¹, row by row.
struct Orthonormalize {
  const double* factor;
  int n;
  float* z;
  __device__ void operator()(std::int64_t h) const {
    float* row = z + h * n;
    for (int j = 0; j < n; ++j) {
      double value = row[j];
      for (int i = 0; i < j; ++i) value = fma(-double(row[i]), factor[i * n + j], value);
      row[j] = static_cast<float>(value * factor[j * n + j]);
    }
  }
};

struct ProbeDistance {
  ScaledRows rows;
  ProbePairs pairs;
  RowFormula formula;
  double* to;
  __device__ void operator()(std::int64_t pair) const {
    const std::int64_t i = pairs.first + pairs.i(pair), j = pairs.first + pairs.j(pair);
    to[pair] = row_distance(
        formula, rows.columns, [&](std::int64_t c) { return rows(i, c); }, [&](std::int64_t c) { return rows(j, c); });
  }
};

struct SquareOfDistance {
  const double* delta;
  __device__ double operator()(std::int64_t pair) const { return delta[pair] * delta[pair]; }
};

struct ProbePair {
  SumProbe sum;
  ProbeSums* to;
  __device__ void operator()(std::int64_t pair) const { to[pair] = sum(pair); }
};

// Adds ProbeSums as numbers, one thread block for each: Cuda::reduce is for small sums (nvcc 13.0 drops part of it for
// 152 bytes).
inline constexpr unsigned probe_values = sizeof(ProbeSums) / sizeof(double);

__global__ void __launch_bounds__(reduction_block) sum_probe(const double* pairs, std::int64_t count, double* sums) {
  __shared__ double shared[reduction_block];
  double sum = 0;
  for (std::int64_t pair = threadIdx.x; pair < count; pair += reduction_block)
    sum += pairs[pair * probe_values + blockIdx.x];
  sum = sim::cuda_kernels::sum_in_tree(sum, shared);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

struct HoldOut {
  ScaledRows rows;
  RowFormula exact, formula;
  std::uint64_t seed;
  const std::int64_t* levels;
  std::int64_t width;
  const float *coordinates, *norms;
  float scale;
  HeldOutPair* to;
  __device__ void operator()(std::int64_t k) const {
    const auto [i, j] = HeldOutChoice::of(seed, k, levels[k / held_out_pairs]);
    const std::int64_t a = i, b = j;
    const float delta = row_distance(
        exact, rows.columns, [&](std::int64_t c) { return rows(a, c); }, [&](std::int64_t c) { return rows(b, c); });
    const float estimate =
        estimated_distance(formula, width, coordinates + a * width, coordinates + b * width, norms[a], norms[b]);
    to[k] = {static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), scale * delta, scale * estimate,
             1.0f / held_out_pairs};
  }
};

}  // namespace cuda_kernels

}  // namespace kinescope::sim::glimmer
