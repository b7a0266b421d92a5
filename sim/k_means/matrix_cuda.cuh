// Labels for many clusters and columns: approximate distances on matrix units, then the formula itself wherever they
// could be wrong; and neither where the centroids have not moved far enough to change a label.
//
//   y = (x − m) g, z_k = (c_k − m) g       m: the data's centre, g: a power of two such that |y| < 256 in each column
//   ŷ, ẑ                                    the same in half precision; the residuals' norms are known exactly
//   s_k = ŷ · ẑ_k − |z_k|² / 2              the nearest centroid has the largest of y · z_k − |z_k|² / 2
//   |s_k − (y · z_k − |z_k|²/2)| ≤ E = |y − ŷ| (Z + Δ) + |ŷ| Δ + (d + 32) 2^-22 |ŷ| Z + 2^-22 H
//                                           Z, Δ, H: largest |ẑ|, |z − ẑ| and |z|²/2 of all centroids
//
// The formula's own rounding moves a D² by at most (d + 3) 2^-24 of itself. Centroids whose s is so far below the
// largest that neither bound can make up for it are out; where one is left, it is the label that the formula gives.
// Points with a few centroids left, and those where more may be, are collected, and the formula decides among these, or
// all. A thread keeps the three largest s of its eighth of the centroids, their number in the lowest bits of s itself:
// that rounds s once more, which E counts.
//
// A point's distance from its centroid is at most `own`, and from any other at least `others`. When the centroids move,
// the former grows by the movement of that one at most, the latter shrinks by the largest movement; only once they meet
// is the point looked at again (G. Hamerly, "Making k-means even faster", 2010).
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
  float* point_squares = nullptr;     // [N] |y|²
  __half* centroid_halves = nullptr;  // [centroids × columns] ẑ
  float* by_column = nullptr;         // [d × centroids] c_kc
  float2* centroid_norms = nullptr;   // [centroids] |ẑ|, |z − ẑ|
  float* half_squares = nullptr;      // [centroids] |z|²/2
  float* movements = nullptr;         // [centroids] of z_k since the iteration before
  int number_bits = 4;                // of a centroid among those that a thread sees

  struct Bounds {
    float own, others;  // of |y − z_k|
  };
  Bounds* bounds = nullptr;          // [N] of Lloyd's iteration; where nothing is known, they have met
  std::uint32_t* earlier = nullptr;  // [N] labels before this iteration

  // Points in any order, and how many.
  std::uint32_t* listed = nullptr;    // [N] to be looked at
  std::uint32_t* doubtful = nullptr;  // [N] to be compared with all centroids; later, whose label has changed
  std::uint32_t* close = nullptr;     // [N] to be compared with `rivals`
  std::uint32_t* rivals = nullptr;    // [N × most_rivals]
  struct Counts {
    unsigned listed, doubtful, close, changed;
    float movement;  // the largest
  }* counts = nullptr;
};

namespace kernels {

inline constexpr int tile = 128;  // points, and centroids, of a block at a time
inline constexpr int matrix_threads = 256;
inline constexpr int most_rivals = 8;  // of a point; one with more is compared with all centroids

// Norms are rounded up.
__device__ inline float norm_of(double square) {
  return __double2float_ru(sqrt(square) * 1.000001);
}

__global__ void halve_points(MatrixView m) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int d = m.run.dimensions();
  if (i >= (m.run.points.count + tile - 1) / tile * tile) return;
  double square = 0, residual = 0, whole = 0;
  for (int c = 0; c < m.columns; ++c) {
    const double y =
        i < m.run.points.count && c < d ? (double(m.run.points.first_column(i)[c * panel]) - m.run.centre[c]) * m.g : 0;
    const __half half = __double2half(y);
    const double kept = __half2float(half);
    m.points[i * m.columns + c] = half;
    square += kept * kept;
    residual += (y - kept) * (y - kept);
    whole += y * y;
  }
  if (i >= m.run.points.count) return;
  m.point_norms[i] = {norm_of(square), norm_of(residual)};
  m.point_squares[i] = static_cast<float>(whole);
}

// A warp a centroid.
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

// Which points are looked at; notes the labels there are. Only Lloyd's iteration knows that these are the nearest of
// the former centroids, if they have not been changed since the bounds were made.
__global__ void __launch_bounds__(list_threads) list_points(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  __shared__ unsigned first;
  if (threadIdx.x == 0) first = 0;
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
  if (lane == 0 && all) place = atomicAdd(&first, __popc(all));
  __syncthreads();
  if (threadIdx.x == 0 && first) first = atomicAdd(&m.counts->listed, first);
  __syncthreads();
  place = first + __shfl_sync(0xFFFFFFFFu, place, 0) + __popc(all & ((1u << lane) - 1));
  if (listed) m.listed[place] = static_cast<std::uint32_t>(i);
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

// A tile's rows, `depth` halves of each from `first_column` on, without waiting; columns past the last are left out.
template <int depth, class RowOf>
__device__ inline void fetch_tile(__half* to, int columns, int first_column, RowOf from) {
  constexpr int row = depth + 8;
  const int pieces = min(depth, columns - first_column) / 8;
  const auto fetch = [&](int r, int piece) {
    __pipeline_memcpy_async(to + r * row + piece * 8, from(r) + first_column + piece * 8, 16);
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
inline constexpr std::uint32_t no_point = 0xFFFFFFFFu;

struct Largest {
  float z = 0, residual = 0, half_square = 0;
};

// E of the file's head.
__device__ inline float largest_error(const MatrixView& m, std::int64_t i, const Largest& largest) {
  const float2 norms = m.point_norms[i];
  const float size = norms.x * largest.z;
  return norms.y * (largest.z + largest.residual) + norms.x * largest.residual +
         (m.run.dimensions() + 32) * 0x1p-22f * size +
         (0x1p-22f + ldexpf(1.0f, m.number_bits - 22)) * (size + largest.half_square);
}

// How far below the largest score a centroid may be and yet be the nearest.
__device__ inline float possible_lead(const MatrixView& m, std::int64_t i, float best, float E) {
  const float square = m.point_squares[i] - 2 * best + 4 * E;
  return 1.01f * (2 * E + 1.1f * (m.run.dimensions() + 4) * 0x1p-24f * fmaxf(square, 0));
}

// A bound of |y − z_k|, from above or below.
__device__ inline float distance_at_most(float square, float score, float E) {
  return norm_of(fmax(double(square) * (1 + 0x1p-22) - 2.0 * score + 2.0 * E, 0.0));
}
__device__ inline float distance_at_least(float square, float score, float E) {
  return 0.999998f * norm_of(fmax(double(square) * (1 - 0x1p-22) - 2.0 * score - 2.0 * E, 0.0));
}

// The label, or which centroids may be it; and what is known of the distances.
__device__ inline void decide(const MatrixView& m, Stage stage, std::uint32_t i, const Leaders* leaders,
                              const Largest& largest) {
  bool doubtful = false, close = false;
  std::uint32_t left[most_rivals] = {};
  int count = 0;
  if (i != no_point) {
    float best = -INFINITY, rest = -INFINITY;
    for (int part = 0; part < parts; ++part) best = fmaxf(best, leaders[part * tile].score[0]);
    const float E = largest_error(m, i, largest), lead = possible_lead(m, i, best, E), square = m.point_squares[i];
    const int mask = (1 << m.number_bits) - 1;
    for (int part = 0; part < parts; ++part)
      for (int n = 0; n < 3; ++n) {
        const float score = leaders[part * tile].score[n];
        if (best - score > lead) {
          rest = fmaxf(rest, score);
          continue;
        }
        if (count < most_rivals) left[count] = centroid_of(__float_as_int(score) & mask, part);
        ++count;
        doubtful |= n == 2;  // there may be a fourth
      }
    doubtful |= count > most_rivals || !(lead < 1e30f);
    close = !doubtful && count > 1;
    if (!doubtful && !close) m.run.labels[i] = left[0];
    if (stage == Stage::lloyd)
      m.bounds[i] = doubtful
                        ? MatrixView::Bounds{0, 0}
                        : MatrixView::Bounds{distance_at_most(square, best, E), distance_at_least(square, rest, E)};
  }
  const unsigned doubtful_place = take_place(&m.counts->doubtful, doubtful),
                 close_place = take_place(&m.counts->close, close);
  if (doubtful) m.doubtful[doubtful_place] = i;
  if (close) {
    m.close[close_place] = i;
    std::uint32_t* rivals = m.rivals + std::int64_t(close_place) * most_rivals;
    for (int n = 0; n < most_rivals; ++n) rivals[n] = left[n < count ? n : 0];
  }
}

template <int depth>  // columns at a time
struct MatrixTiles {
  static constexpr int row = depth + 8;  // halves: rows of a tile lie in different banks

  std::uint32_t point[tile];  // no_point past the last
  alignas(16) __half centroids[2][tile * row];
  __half points[2][tile * row];  // the second where the columns come in more than one piece

  // In the place of centroids, once all of them have been seen.
  __device__ Leaders (&leaders())[parts][tile] { return *reinterpret_cast<Leaders(*)[parts][tile]>(centroids); }
};

// One stage of a block's work: a tile of centroids, of it some columns.
template <int depth>
struct MatrixBlock {
  static constexpr int row = MatrixTiles<depth>::row;

  const MatrixView& m;
  MatrixTiles<depth>& tiles;
  int chunks;

  __device__ void fetch(int step) const {
    const int centroid_tile = step / chunks, first_column = step % chunks * depth;
    if (chunks > 1 || step == 0)
      fetch_tile<depth>(tiles.points[chunks > 1 ? step % 2 : 0], m.columns, first_column, [&](int r) {
        const std::uint32_t i = tiles.point[r];
        return m.points + std::int64_t(i == no_point ? 0 : i) * m.columns;
      });
    const __half* centroids = m.centroid_halves + std::int64_t(centroid_tile) * tile * m.columns;
    fetch_tile<depth>(tiles.centroids[step % 2], m.columns, first_column,
                      [&](int r) { return centroids + r * m.columns; });
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

template <int depth>
__global__ void __launch_bounds__(matrix_threads, 2) label_by_matrix(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  extern __shared__ float4 shared_memory[];
  MatrixTiles<depth>& tiles = *reinterpret_cast<MatrixTiles<depth>*>(shared_memory);
  const Largest largest = largest_norms(m);
  const int chunks = (m.columns + depth - 1) / depth, steps = m.centroids / tile * chunks;
  const unsigned points = m.counts->listed;
  for (std::int64_t first = std::int64_t(blockIdx.x) * tile; first < points; first += std::int64_t(gridDim.x) * tile) {
    if (threadIdx.x < tile)
      tiles.point[threadIdx.x] = first + threadIdx.x < points ? m.listed[first + threadIdx.x] : no_point;
    __syncthreads();
    const MatrixBlock<depth> block{m, tiles, chunks};
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
    if (threadIdx.x < tile) decide(m, stage, tiles.point[threadIdx.x], &tiles.leaders()[0][threadIdx.x], largest);
    __syncthreads();
  }
}

}  // namespace kernels
}  // namespace kinescope::sim::k_means
