// Labels for many clusters and columns: approximate distances on matrix units, then the formula itself wherever they
// could be wrong.
//
//   y = (x − m) g, z_k = (c_k − m) g       m: the data's centre, g: a power of two such that |y| < 256 in each column
//   ŷ, ẑ                                    the same in half precision; the residuals' norms are known exactly
//   s_k = ŷ · ẑ_k − |z_k|² / 2              the nearest centroid has the largest of y · z_k − |z_k|² / 2
//   |s_k − (y · z_k − |z_k|²/2)| ≤ E = |y − ŷ| (Z + Δ) + |ŷ| Δ + 1.5 (d + 32) 2^-22 (|ŷ| Z + H)
//                                           Z, Δ, H: largest |ẑ|, |z − ẑ| and |z|²/2 of all centroids
//
// The formula's own rounding moves a D² by at most (d + 3) 2^-24 of itself. Centroids whose s is so far below the
// largest that neither bound can make up for it are out; where one is left, it is the label that the formula gives.
// Points with two to four centroids left, and those where more may be, are collected, and the formula decides among
// these, or all.
//
// Two things make that cheap from the second iteration on. The score of a point's earlier label, at that centroid's new
// place, bounds the largest from below: only centroids that come near it are looked at one by one. And a point whose
// centroid has not moved by a single bit is as near to it as before, so that only centroids that have moved can take
// the point: centroids are sorted into moved and unmoved ones, points into those for all centroids and those for the
// moved.
#pragma once

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include "sim/core/array.hpp"
#include "sim/core/cuda.cuh"
#include "sim/k_means/launches.hpp"

namespace kinescope::sim::k_means {

// Where the approximation lies.
struct MatrixView {
  RunView run;
  int columns = 16, centroids = 128;  // d and K, padded
  float g = 1;
  __half* points = nullptr;           // [N padded × columns] ŷ
  float2* point_norms = nullptr;      // [N] |ŷ|, |y − ŷ|
  __half* centroid_halves = nullptr;  // [centroids × columns] ẑ; those that have moved come first
  float* half_squares = nullptr;      // [centroids] |z|²/2, in the same order
  float2* centroid_norms = nullptr;   // [centroids] |ẑ|, |z − ẑ|, likewise
  std::uint32_t* clusters = nullptr;  // [centroids] the cluster at a place of that order
  std::uint32_t* places = nullptr;    // [centroids] the place of a cluster
  float* by_column = nullptr;         // [d × centroids] c_kc
  std::uint32_t* earlier = nullptr;   // [N] labels before this iteration
  std::uint32_t* listed = nullptr;    // [N] points for all centroids, and from the end on those for the moved
  std::uint32_t* doubtful = nullptr;  // [N] points to be compared with all centroids
  std::uint32_t* close = nullptr;     // [N] points to be compared with `rivals`
  uint4* rivals = nullptr;            // [N] clusters
  struct Counts {
    unsigned moved, unmoved;            // centroids
    unsigned for_all, for_moved;        // points to be compared with all and with the moved centroids
    unsigned doubtful, close, changed;  // points; the last ones' labels are not the earlier ones
  }* counts = nullptr;
};

namespace kernels {

inline constexpr int tile = 128;  // points, and centroids, of a block at a time
inline constexpr int matrix_threads = 256;

// Norms are rounded up.
__device__ inline float norm_of(double square) {
  return static_cast<float>(sqrt(square)) * 1.000001f;
}

__global__ void halve_points(MatrixView m) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int d = m.run.dimensions();
  if (i >= (m.run.points.count + tile - 1) / tile * tile) return;
  double square = 0, residual = 0;
  for (int c = 0; c < m.columns; ++c) {
    const double y =
        i < m.run.points.count && c < d ? (double(m.run.points.first_column(i)[c * panel]) - m.run.centre[c]) * m.g : 0;
    const __half half = __double2half(y);
    const double kept = __half2float(half);
    m.points[i * m.columns + c] = half;
    square += kept * kept;
    residual += (y - kept) * (y - kept);
  }
  if (i < m.run.points.count) m.point_norms[i] = {norm_of(square), norm_of(residual)};
}

// A warp a centroid. Moved is one that differs from that of the iteration before.
__global__ void halve_centroids(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  const int k = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, d = m.run.dimensions();
  if (k >= m.centroids) return;
  const bool real = k < m.run.clusters;
  const float* centroid = m.run.current_centroids() + std::int64_t(k) * d;
  const float* former = m.run.centroids_in(1 - m.run.control->current) + std::int64_t(k) * d;
  bool moved = false;
  for (int c = lane; real && c < d; c += 32) moved |= __float_as_uint(centroid[c]) != __float_as_uint(former[c]);
  moved = __any_sync(0xFFFFFFFFu, moved);
  int place = k;
  if (real && lane == 0)
    place = moved ? atomicAdd(&m.counts->moved, 1u) : m.run.clusters - 1 - atomicAdd(&m.counts->unmoved, 1u);
  place = __shfl_sync(0xFFFFFFFFu, place, 0);
  double square = 0, residual = 0, whole = 0;
  for (int c = lane; c < m.columns; c += 32) {
    const bool inside = real && c < d;
    const double z = inside ? (double(centroid[c]) - m.run.centre[c]) * m.g : 0;
    const __half half = __double2half(z);
    const double kept = __half2float(half);
    m.centroid_halves[std::int64_t(place) * m.columns + c] = half;
    if (c < d) m.by_column[std::int64_t(c) * m.centroids + k] = inside ? centroid[c] : NAN;
    square += kept * kept;
    residual += (z - kept) * (z - kept);
    whole += z * z;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    square += __shfl_down_sync(0xFFFFFFFFu, square, offset);
    residual += __shfl_down_sync(0xFFFFFFFFu, residual, offset);
    whole += __shfl_down_sync(0xFFFFFFFFu, whole, offset);
  }
  if (lane > 0) return;
  m.clusters[place] = k;
  m.places[k] = place;
  m.centroid_norms[place] = {norm_of(square), norm_of(residual)};
  m.half_squares[place] = real ? static_cast<float>(0.5 * whole) : 1e30f;
}

// Takes one place a thread that wants one, with one addition a block.
__device__ inline unsigned take_place_in_block(unsigned* count, bool wants, unsigned& shared) {
  if (threadIdx.x == 0) shared = 0;
  __syncthreads();
  const unsigned all = __ballot_sync(0xFFFFFFFFu, wants), lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0 && all) first = atomicAdd(&shared, __popc(all));
  __syncthreads();
  if (threadIdx.x == 0 && shared) shared = atomicAdd(count, shared);
  __syncthreads();
  return shared + __shfl_sync(0xFFFFFFFFu, first, 0) + __popc(all & ((1u << lane) - 1));
}

inline constexpr int list_threads = 1024;

// Which points are compared with which centroids; notes the labels there are. Only Lloyd's iteration knows that these
// are the nearest of the former centroids.
__global__ void __launch_bounds__(list_threads) list_points(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  __shared__ unsigned shared[2];
  const std::int64_t N = m.run.points.count, i = std::int64_t(blockIdx.x) * list_threads + threadIdx.x;
  const unsigned moved = m.counts->moved;
  bool all = i < N;
  if (all && stage == Stage::lloyd) {
    const std::uint32_t label = m.run.labels[i];
    m.earlier[i] = label;
    all = label == no_centroid || m.places[label] < moved;
  }
  const unsigned front = take_place_in_block(&m.counts->for_all, all, shared[0]);
  if (all) m.listed[front] = static_cast<std::uint32_t>(i);
  if (moved == 0) return;
  const bool rest = i < N && !all;
  const unsigned back = take_place_in_block(&m.counts->for_moved, rest, shared[1]);
  if (rest) m.listed[N - 1 - back] = static_cast<std::uint32_t>(i);
}

__device__ inline void load_matrix(unsigned (&r)[4], const __half* from) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(from));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

// 16 × 8 += 16 × 16 times 16 × 8.
__device__ inline void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
  const auto half_of = [&](unsigned a0, unsigned a1, unsigned b) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a0), "r"(a1), "r"(b));
  };
  half_of(a[0], a[1], b0);
  half_of(a[2], a[3], b1);
#endif
}

// Takes one place a thread that wants one, with one addition a warp.
__device__ inline unsigned take_place(unsigned* count, bool wants) {
  const unsigned all = __ballot_sync(0xFFFFFFFFu, wants), lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0 && all) first = atomicAdd(count, __popc(all));
  return __shfl_sync(0xFFFFFFFFu, first, 0) + __popc(all & ((1u << lane) - 1));
}

struct Largest {
  float z = 0, residual = 0, half_square = 0;
};

// The largest norms of all centroids, in every thread.
__device__ inline Largest largest_norms(const MatrixView& m) {
  __shared__ float shared[matrix_threads / 32][3];
  const auto larger = [](const Largest& a, const Largest& b) {
    return Largest{fmaxf(a.z, b.z), fmaxf(a.residual, b.residual), fmaxf(a.half_square, b.half_square)};
  };
  Largest largest;
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

// How far below the largest score a centroid may be and yet be the nearest.
__device__ inline float possible_lead(const MatrixView& m, std::int64_t i, float best, const Largest& largest) {
  const float2 norms = m.point_norms[i];
  const int d = m.run.dimensions();
  const float size = norms.x * largest.z;
  const float E = norms.y * (largest.z + largest.residual) + norms.x * largest.residual +
                  1.5f * (d + 32) * 0x1p-22f * (size + largest.half_square);
  const float square = (norms.x + norms.y) * (norms.x + norms.y) - 2 * best + 4 * E;
  return 1.01f * (2 * E + 1.1f * (d + 4) * 0x1p-24f * fmaxf(square, 0));
}

}  // namespace kernels
}  // namespace kinescope::sim::k_means
