// Labels for many clusters and columns: approximate distances on matrix units, then the formula itself wherever they
// could be wrong.
//
//   y = (x − m) g, z_k = (c_k − m) g       m: the data's centre, g: a power of two such that |y| < 256 in each column
//   ŷ, ẑ                                    the same in half precision; the residuals' norms are known exactly
//   s_k = ŷ · ẑ_k − |z_k|² / 2              the nearest centroid has the largest of y · z_k − |z_k|² / 2
//   |s_k − (y · z_k − |z_k|²/2)| ≤ E = |y − ŷ| (Z + Δ) + |ŷ| Δ + (d + 32) 2^-22 |ŷ| Z + 2^-22 H
//                                           Z, Δ, H: largest |ẑ|, |z − ẑ| and |z|²/2 of all centroids
//
// The formula's own rounding moves a D² by at most (d + 3) 2^-24 of itself. Centroids whose s is so far below the
// largest that neither bound can make up for it are out; where one is left, it is the label that the formula gives.
// Points with two to four centroids left, and those where more may be, are collected, and the formula decides among
// these, or all. A thread keeps the three largest s of its eighth of the centroids, their number in the lowest bits of
// s itself: that rounds s once more, which E counts.
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
  __half* centroid_halves = nullptr;  // [centroids × columns] ẑ
  float* by_column = nullptr;         // [d × centroids] c_kc
  float2* centroid_norms = nullptr;   // [centroids] |ẑ|, |z − ẑ|
  float* half_squares = nullptr;      // [centroids] |z|²/2
  int number_bits = 4;                // of a centroid among those that a thread sees
  std::uint32_t* doubtful = nullptr;  // [N] points to be compared with all centroids
  std::uint32_t* close = nullptr;     // [N] points to be compared with `rivals`
  uint4* rivals = nullptr;            // [N]
  unsigned* counts = nullptr;         // of doubtful and of close points, and of those whose label has changed
};

namespace kernels {

inline constexpr int tile = 128;       // points, and centroids, of a block at a time
inline constexpr int depth = 128;      // columns at a time
inline constexpr int row = depth + 8;  // halves: rows of a tile lie in different banks
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

// A warp a centroid.
__global__ void halve_centroids(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  if (blockIdx.x == 0 && threadIdx.x < 3) m.counts[threadIdx.x] = 0;
  const int k = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, d = m.run.dimensions();
  if (k >= m.centroids) return;
  const float* centroid = m.run.current_centroids() + std::int64_t(k) * d;
  double square = 0, residual = 0, whole = 0;
  for (int c = lane; c < m.columns; c += 32) {
    const bool real = k < m.run.clusters && c < d;
    const double z = real ? (double(centroid[c]) - m.run.centre[c]) * m.g : 0;
    const __half half = __double2half(z);
    const double kept = __half2float(half);
    m.centroid_halves[std::int64_t(k) * m.columns + c] = half;
    if (c < d) m.by_column[std::int64_t(c) * m.centroids + k] = real ? centroid[c] : NAN;
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
  const bool real = k < m.run.clusters;
  m.centroid_norms[k] = {norm_of(square), norm_of(residual)};
  m.half_squares[k] = real ? static_cast<float>(0.5 * whole) : 1e30f;
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

// The three largest scores so far, of the centroids that a thread sees, with their numbers.
struct Leaders {
  float score[3] = {-INFINITY, -INFINITY, -INFINITY};

  __device__ void enter(float each, int number, int mask) {
    const float numbered = __int_as_float((__float_as_int(each) & ~mask) | number);
    const float second = fminf(score[0], numbered), third = fminf(score[1], second);
    score[0] = fmaxf(score[0], numbered);
    score[1] = fmaxf(score[1], second);
    score[2] = fmaxf(score[2], third);
  }
};

// `rows` × depth halves of a matrix into a tile, without waiting; columns past the last are left out.
__device__ inline void fetch_tile(__half* to, const __half* from, int columns, int first_column) {
  const int pieces = min(depth, columns - first_column) / 8;
  const auto fetch = [&](int r, int piece) {
    __pipeline_memcpy_async(to + r * row + piece * 8, from + std::int64_t(r) * columns + first_column + piece * 8, 16);
  };
  if (pieces == depth / 8) {  // nearly always; a division of each number would cost as much as the products
#pragma unroll
    for (int n = 0; n < tile * (depth / 8) / matrix_threads; ++n) {
      const int e = n * matrix_threads + threadIdx.x;
      fetch(e / (depth / 8), e % (depth / 8));
    }
  } else {
    for (int e = threadIdx.x; e < tile * pieces; e += matrix_threads) fetch(e / pieces, e % pieces);
  }
}

// The number of a thread's centroid: eight threads, four lanes of two warps side by side, share a tile's.
__device__ inline int number_in(int centroid_tile, int j, int odd) {
  return centroid_tile * 16 + j * 2 + odd;
}
__device__ inline std::uint32_t centroid_of(int number, int part) {
  return number / 16 * tile + part / 4 * 64 + number % 16 / 2 * 8 + part % 4 * 2 + number % 2;
}

// Takes one place a thread that wants one, with one addition a warp.
__device__ inline unsigned take_place(unsigned* count, bool wants) {
  const unsigned all = __ballot_sync(0xFFFFFFFFu, wants), lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0 && all) first = atomicAdd(count, __popc(all));
  return __shfl_sync(0xFFFFFFFFu, first, 0) + __popc(all & ((1u << lane) - 1));
}

inline constexpr int parts = 8;

struct Largest {
  float z = 0, residual = 0, half_square = 0;
};

// How far below the largest score a centroid may be and yet be the nearest.
__device__ inline float possible_lead(const MatrixView& m, std::int64_t i, float best, const Largest& largest) {
  const float2 norms = m.point_norms[i];
  const int d = m.run.dimensions();
  const float size = norms.x * largest.z;
  const float E = norms.y * (largest.z + largest.residual) + norms.x * largest.residual + (d + 32) * 0x1p-22f * size +
                  (0x1p-22f + ldexpf(1.0f, m.number_bits - 22)) * (size + largest.half_square);
  const float square = (norms.x + norms.y) * (norms.x + norms.y) - 2 * best + 4 * E;
  return 1.01f * (2 * E + 1.1f * (d + 4) * 0x1p-24f * fmaxf(square, 0));
}

// The label, or which centroids may be it.
__device__ inline void decide(const MatrixView& m, std::int64_t i, const Leaders* leaders, const Largest& largest) {
  bool doubtful = false, close = false;
  std::uint32_t left[4] = {};
  if (i < m.run.points.count) {
    float best = -INFINITY;
    for (int part = 0; part < parts; ++part) best = fmaxf(best, leaders[part * tile].score[0]);
    const float lead = possible_lead(m, i, best, largest);
    const int mask = (1 << m.number_bits) - 1;
    int count = 0;
    for (int part = 0; part < parts; ++part)
      for (int n = 0; n < 3; ++n) {
        const float score = leaders[part * tile].score[n];
        if (best - score > lead) continue;
        if (count < 4) left[count] = centroid_of(__float_as_int(score) & mask, part);
        ++count;
        doubtful |= n == 2;  // there may be a fourth
      }
    doubtful |= count > 4 || !(lead < 1e30f);
    close = !doubtful && count > 1;
    if (!doubtful && !close) m.run.labels[i] = left[0];
    for (int n = count; n < 4; ++n) left[n] = left[0];
  }
  const unsigned doubtful_place = take_place(&m.counts[0], doubtful), close_place = take_place(&m.counts[1], close);
  if (doubtful) m.doubtful[doubtful_place] = static_cast<std::uint32_t>(i);
  if (close) {
    m.close[close_place] = static_cast<std::uint32_t>(i);
    m.rivals[close_place] = {left[0], left[1], left[2], left[3]};
  }
}

struct MatrixTiles {
  __half centroids[2][tile * row];
  __half points[2][tile * row];  // the second where the columns come in more than one piece

  // In the place of centroids, once all of them have been seen.
  __device__ Leaders (&leaders())[parts][tile] { return *reinterpret_cast<Leaders(*)[parts][tile]>(centroids); }
};

// One stage of a block's work: a tile of centroids, of it some columns.
struct MatrixBlock {
  const MatrixView& m;
  MatrixTiles& tiles;
  std::int64_t first_point;
  int chunks;

  __device__ void fetch(int step) const {
    const int centroid_tile = step / chunks, first_column = step % chunks * depth;
    if (chunks > 1 || step == 0)
      fetch_tile(tiles.points[chunks > 1 ? step % 2 : 0], m.points + first_point * m.columns, m.columns, first_column);
    fetch_tile(tiles.centroids[step % 2], m.centroid_halves + std::int64_t(centroid_tile) * tile * m.columns, m.columns,
               first_column);
    __pipeline_commit();
  }

  __device__ void accumulate(int step, float (&scores)[2][8][4]) const {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, across = warp % 2, down = warp / 2;
    const int columns = min(depth, m.columns - step % chunks * depth);
    const __half* a_from = tiles.points[chunks > 1 ? step % 2 : 0] + (down * 32 + lane % 16) * row + lane / 16 * 8;
    const __half* b_from =
        tiles.centroids[step % 2] + (across * 64 + lane % 8 + lane / 16 * 8) * row + lane / 8 % 2 * 8;
    const auto sixteen = [&](int c) {
      unsigned a[2][4], b[4][4];
      for (int i = 0; i < 2; ++i) load_matrix(a[i], a_from + i * 16 * row + c);
      for (int j = 0; j < 4; ++j) load_matrix(b[j], b_from + j * 16 * row + c);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 8; ++j) multiply(scores[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    };
    if (columns == depth) {
#pragma unroll
      for (int c = 0; c < depth; c += 16) sixteen(c);
    } else {
      for (int c = 0; c < columns; c += 16) sixteen(c);
    }
  }

  __device__ void enter(int step, float (&scores)[2][8][4], Leaders (&best)[4]) const {
    const int lane = threadIdx.x % 32, across = threadIdx.x / 32 % 2, centroid_tile = step / chunks;
    const float* halves = m.half_squares + centroid_tile * tile + across * 64 + lane % 4 * 2;
    const int mask = (1 << m.number_bits) - 1;
    for (int j = 0; j < 8; ++j) {
      const float2 half = *reinterpret_cast<const float2*>(halves + j * 8);
      const int even = number_in(centroid_tile, j, 0), odd = number_in(centroid_tile, j, 1);
      for (int i = 0; i < 2; ++i) {
        best[2 * i].enter(scores[i][j][0] - half.x, even, mask);
        best[2 * i].enter(scores[i][j][1] - half.y, odd, mask);
        best[2 * i + 1].enter(scores[i][j][2] - half.x, even, mask);
        best[2 * i + 1].enter(scores[i][j][3] - half.y, odd, mask);
        for (float& score : scores[i][j]) score = 0;
      }
    }
  }

  __device__ void keep(const Leaders (&best)[4]) const {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int slot = 0; slot < 4; ++slot)
      tiles.leaders()[warp % 2 * 4 + lane % 4][warp / 2 * 32 + slot / 2 * 16 + slot % 2 * 8 + lane / 4] = best[slot];
  }
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

__global__ void __launch_bounds__(matrix_threads, 2) label_by_matrix(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  extern __shared__ float4 shared_memory[];
  MatrixTiles& tiles = *reinterpret_cast<MatrixTiles*>(shared_memory);
  const Largest largest = largest_norms(m);
  const int chunks = (m.columns + depth - 1) / depth, steps = m.centroids / tile * chunks;
  const std::int64_t point_tiles = (m.run.points.count + tile - 1) / tile;
  for (std::int64_t t = blockIdx.x; t < point_tiles; t += gridDim.x) {
    const MatrixBlock block{m, tiles, t * tile, chunks};
    float scores[2][8][4] = {};
    Leaders best[4];
    block.fetch(0);
    for (int step = 0; step < steps; ++step) {
      if (step + 1 < steps) block.fetch(step + 1);
      __pipeline_wait_prior(step + 1 < steps ? 1 : 0);
      __syncthreads();
      block.accumulate(step, scores);
      if (step % chunks == chunks - 1) block.enter(step, scores, best);
      __syncthreads();
    }
    block.keep(best);
    __syncthreads();
    if (threadIdx.x < tile) decide(m, t * tile + threadIdx.x, &tiles.leaders()[0][threadIdx.x], largest);
    __syncthreads();
  }
}

}  // namespace kernels
}  // namespace kinescope::sim::k_means
