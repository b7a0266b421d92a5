// Labels for many clusters and columns. Matrix units (tensor cores) compute approximate distances; wherever these could
// give a wrong label, the formula itself decides. Points for which the centroids have not moved far enough to change
// the label need neither.
//
//   y = (x − m) g, z_k = (c_k − m) g       m: the data's centre, g: a power of two such that |y| < 256 in each column
//   ŷ, ẑ                                    y and z in half precision; the norms of the residuals are known
//   s_k = ŷ · ẑ_k − |z_k|² / 2              the nearest centroid has the largest of y · z_k − |z_k|² / 2
//   |s_k − (y · z_k − |z_k|²/2)| ≤ E = |y − ŷ| (Z + Δ) + |ŷ| Δ + (d + 32) 2^-22 |ŷ| Z + 2^-22 H
//                                           Z, Δ, H: largest |ẑ|, |z − ẑ| and |z|²/2 of all centroids
//
// The formula's own rounding changes a D² by at most the fraction (d + 3) 2^-24. A centroid is excluded if its s is so
// far below the largest that the two bounds together cannot make up the difference. If only one centroid remains, it is
// the label that the formula would give. Points with a few centroids remaining are collected, and the formula decides
// among these centroids. Points with possibly more remaining are collected too, and the formula decides among all
// centroids. Each thread keeps the three largest s among the centroids that it processes. The centroid's number
// replaces the lowest bits of s; E includes this further rounding.
//
// For each point, `own` is an upper bound of the distance from its centroid, and `others` a lower bound of the distance
// from any other. When the centroids move, `own` grows by at most the movement of that centroid, and `others` shrinks
// by at most the largest movement. The point is examined again only once the bounds meet (G. Hamerly, "Making k-means
// even faster", 2010).
#pragma once

#include <cuda_fp16.h>

#include "kinescope/array.hpp"
#include "kinescope/executors/cuda.cuh"
#include "sim/k_means/launches.hpp"

namespace kinescope::sim::k_means {

// Where the data of the approximation are.
struct MatrixView {
  RunView run;
  int columns = 16, centroids = 128;  // d and K, padded
  float g = 1;
  __half* points = nullptr;           // [N padded × columns] ŷ
  float2* point_norms = nullptr;      // [N] |ŷ|, |y − ŷ|
  float* point_squares = nullptr;     // [N] |y|²
  float* rows = nullptr;              // [N × d] the points row by row, so that a single point is contiguous
  __half* centroid_halves = nullptr;  // [centroids × columns] ẑ
  float* by_column = nullptr;         // [d × centroids] c_kc
  float2* centroid_norms = nullptr;   // [centroids] |ẑ|, |z − ẑ|
  float* half_squares = nullptr;      // [centroids] |z|²/2
  float* movements = nullptr;         // [centroids] distance that z_k moved since the previous iteration
  int number_bits = 4;                // bits for the number of a centroid among those that a thread processes

  struct Bounds {
    float own, others;  // bounds of |y − z_k|
  };
  Bounds* bounds = nullptr;          // [N] kept by Lloyd's iteration; own ≥ others means that no bound is known
  std::uint32_t* earlier = nullptr;  // [N] labels before this iteration

  // Lists of points, in any order, and their lengths.
  std::uint32_t* listed = nullptr;    // [N] to be examined
  std::uint32_t* doubtful = nullptr;  // [N] to be compared with all centroids; later, those whose label has changed
  std::uint32_t* close = nullptr;     // [N] to be compared with `rivals`
  std::uint32_t* rivals = nullptr;    // [N × most_rivals]
  struct Counts {
    unsigned listed, doubtful, close, changed;
    float movement;  // largest movement of a centroid
  }* counts = nullptr;
};

namespace kernels {

inline constexpr int tile = 128;  // points, and centroids, that a block processes at a time
inline constexpr int matrix_threads = 256;
inline constexpr std::uint32_t no_point = 0xFFFFFFFFu;
inline constexpr int most_rivals = 8;  // of a point; one that has more is compared with all centroids

// Norms are rounded up.
__device__ inline float norm_of(double square) {
  return __double2float_ru(sqrt(square) * 1.000001);
}

// Computes the points in half precision, their norms, and their rows, one tile per block. The columns pass through
// shared memory in pieces, so that both reading and writing are coalesced.
__global__ void __launch_bounds__(tile) halve_points(MatrixView m) {
  constexpr int piece = 32;
  __shared__ float shared[piece][tile + 1];
  const std::int64_t first = std::int64_t(blockIdx.x) * tile, i = first + threadIdx.x;
  const int d = m.run.dimensions();
  double square = 0, residual = 0, whole = 0;
  for (int from = 0; from < m.columns; from += piece) {
    for (int c = from; c < from + piece; ++c) {
      const float x = i < m.run.points.count && c < d ? m.run.points.first_column(i)[c * panel] : 0;
      shared[c - from][threadIdx.x] = x;
      if (i >= m.run.points.count || c >= d) continue;
      const double y = (double(x) - m.run.centre[c]) * m.g, kept = __half2float(__double2half(y));
      square += kept * kept;
      residual += (y - kept) * (y - kept);
      whole += y * y;
    }
    __syncthreads();
    for (int e = threadIdx.x; e < tile * piece; e += tile) {
      const std::int64_t point = first + e / piece;
      const int c = from + e % piece;
      const bool real = point < m.run.points.count && c < d;
      const float x = shared[e % piece][e / piece];
      if (c < m.columns)
        m.points[point * m.columns + c] = __double2half(real ? (double(x) - m.run.centre[c]) * m.g : 0);
      if (real) m.rows[point * d + c] = x;
    }
    __syncthreads();
  }
  if (i >= m.run.points.count) return;
  m.point_norms[i] = {norm_of(square), norm_of(residual)};
  m.point_squares[i] = static_cast<float>(whole);
}

// Computes the centroids in half precision, by column, their norms and their movements; one warp per centroid.
__global__ void halve_centroids(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  const int k = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, d = m.run.dimensions();
  if (k >= m.centroids) return;
  const float* centroid = m.run.current_centroids() + std::int64_t(k) * d;
  const float* former = m.run.centroids_in(1 - m.run.control->current) + std::int64_t(k) * d;
  double square = 0, residual = 0, whole = 0, movement = 0;
  for (int c = lane; c < m.columns; c += 32) {
    const bool real = k < m.run.clusters && c < d;
    const double z = real ? (double(centroid[c]) - m.run.centre[c]) * m.g : 0;
    const __half half = __double2half(z);
    const double kept = __half2float(half);
    m.centroid_halves[std::int64_t(k) * m.columns + c] = half;
    if (c < d) m.by_column[std::int64_t(c) * m.centroids + k] = real ? centroid[c] : NAN;
    const double by = real ? (double(centroid[c]) - former[c]) * m.g : 0;
    square += kept * kept;
    residual += (z - kept) * (z - kept);
    whole += z * z;
    movement += by * by;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    square += __shfl_down_sync(0xFFFFFFFFu, square, offset);
    residual += __shfl_down_sync(0xFFFFFFFFu, residual, offset);
    whole += __shfl_down_sync(0xFFFFFFFFu, whole, offset);
    movement += __shfl_down_sync(0xFFFFFFFFu, movement, offset);
  }
  if (lane > 0) return;
  const bool real = k < m.run.clusters;
  m.centroid_norms[k] = {norm_of(square), norm_of(residual)};
  m.half_squares[k] = real ? static_cast<float>(0.5 * whole) : 1e30f;
  m.movements[k] = norm_of(movement);
  atomicMax(reinterpret_cast<int*>(&m.counts->movement), __float_as_int(norm_of(movement)));  // none is negative
}

inline constexpr int list_threads = 1024;

// Lists the points whose labels must be computed, and copies the present labels to `earlier`. Only Lloyd's iteration
// can leave points out: there, a label is known to be that of the nearest previous centroid, as long as it has not
// changed since the bounds were computed.
__global__ void __launch_bounds__(list_threads) list_points(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  __shared__ unsigned count, first;  // how many of the block's points are listed, and the place of the first
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const std::int64_t i = std::int64_t(blockIdx.x) * list_threads + threadIdx.x;
  bool listed = i < m.run.points.count;
  if (listed && stage == Stage::lloyd) {
    const std::uint32_t label = m.run.labels[i];
    if (label != no_centroid && label == m.earlier[i]) {
      MatrixView::Bounds bounds = m.bounds[i];
      const float largest = m.counts->movement;
      bounds.own = __fadd_ru(bounds.own, m.movements[label]);
      bounds.others = __fadd_rd(bounds.others, -largest);
      listed = !(bounds.own * (1 + (m.run.dimensions() + 4) * 0x1p-23f) < bounds.others || largest == 0);
      if (!listed && largest > 0) m.bounds[i] = bounds;
    }
    m.earlier[i] = label;
  }
  const unsigned all = __ballot_sync(0xFFFFFFFFu, listed), lane = threadIdx.x % 32;
  unsigned place = 0;
  if (lane == 0 && all) place = atomicAdd(&count, __popc(all));
  __syncthreads();
  if (threadIdx.x == 0) first = atomicAdd(&m.counts->listed, count);
  __syncthreads();
  place = first + __shfl_sync(0xFFFFFFFFu, place, 0) + __popc(all & ((1u << lane) - 1));
  if (listed) m.listed[place] = static_cast<std::uint32_t>(i);
}

// Reserves one place in a list for each thread that wants one, with one atomic addition per warp. Returns the thread's
// place.
__device__ inline unsigned take_place(unsigned* count, bool wants) {
  const unsigned all = __ballot_sync(0xFFFFFFFFu, wants), lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0 && all) first = atomicAdd(count, __popc(all));
  return __shfl_sync(0xFFFFFFFFu, first, 0) + __popc(all & ((1u << lane) - 1));
}

struct LargestNorms {
  float z = 0, residual = 0, half_square = 0;
};

// The largest norms over all centroids, returned to every thread.
__device__ inline LargestNorms largest_norms(const MatrixView& m) {
  __shared__ float shared[matrix_threads / 32][3];
  const auto larger = [](const LargestNorms& a, const LargestNorms& b) {
    return LargestNorms{fmaxf(a.z, b.z), fmaxf(a.residual, b.residual), fmaxf(a.half_square, b.half_square)};
  };
  LargestNorms largest;
  for (int k = threadIdx.x; k < m.run.clusters; k += matrix_threads)
    largest = larger(largest, {m.centroid_norms[k].x, m.centroid_norms[k].y, m.half_squares[k]});
  for (int offset = 16; offset > 0; offset /= 2)
    largest = larger(largest, {__shfl_xor_sync(0xFFFFFFFFu, largest.z, offset),
                               __shfl_xor_sync(0xFFFFFFFFu, largest.residual, offset),
                               __shfl_xor_sync(0xFFFFFFFFu, largest.half_square, offset)});
  float* own = shared[threadIdx.x / 32];
  if (threadIdx.x % 32 == 0) own[0] = largest.z, own[1] = largest.residual, own[2] = largest.half_square;
  __syncthreads();
  for (const auto& each : shared) largest = larger(largest, {each[0], each[1], each[2]});
  return largest;
}

// E of the comment at the top of this file, and the rounding by the centroids' numbers.
__device__ inline float largest_error(const MatrixView& m, std::int64_t i, const LargestNorms& largest) {
  const float2 norms = m.point_norms[i];
  const float size = norms.x * largest.z;
  return norms.y * (largest.z + largest.residual) + norms.x * largest.residual +
         (m.run.dimensions() + 32) * 0x1p-22f * size +
         (0x1p-22f + ldexpf(1.0f, m.number_bits - 22)) * (size + largest.half_square);
}

// How far below the largest score a centroid's score may be if it may still be the nearest.
__device__ inline float possible_lead(const MatrixView& m, std::int64_t i, float best, float E) {
  const float square = m.point_squares[i] - 2 * best + 4 * E;
  return 1.01f * (2 * E + 1.1f * (m.run.dimensions() + 4) * 0x1p-24f * fmaxf(square, 0));
}

// A bound of |y − z_k|: an upper bound, and a lower bound.
__device__ inline float distance_at_most(float square, float score, float E) {
  return norm_of(fmax(double(square) * (1 + 0x1p-22) - 2.0 * score + 2.0 * E, 0.0));
}
__device__ inline float distance_at_least(float square, float score, float E) {
  return 0.999998f * norm_of(fmax(double(square) * (1 - 0x1p-22) - 2.0 * score - 2.0 * E, 0.0));
}

}  // namespace kernels
}  // namespace kinescope::sim::k_means
