// Labels and sums for few clusters and few columns, all in registers.
#pragma once

#include "kinescope/executors/cuda.cuh"
#include "sim/k_means/cuda/sums_cuda.cuh"
#include "sim/k_means/formulas.hpp"
#include "sim/k_means/run_view.hpp"

namespace kinescope::sim::k_means {
namespace kernels {

// The index of the first square that equals `best`; `most` if none does.
template <int most>
__device__ int nearest_of(const float (&square)[most], float best) {
  int label = most;
#pragma unroll
  for (int k = most - 1; k >= 0; --k) label = square[k] == best ? k : label;
  return label;
}

// A thread's own sums and counts for clusters 0 … most − 2. On most devices they are whole numbers. Devices that add
// doubles at half the speed of floats use doubles instead, always multiples of 1 / scale. That is exact for as many
// points as one thread processes (formulas.hpp leaves 62 bits for the sum of all N values). The predicates are written
// by hand: the compiler would branch, and neighbouring threads seldom take the same branch.
#if __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000
template <int d, int most>
struct OwnSums {
  double sums[most - 1][d] = {};
  int counts[most - 1] = {};

  __device__ void add(const float (&square)[most], float best, const float (&x)[d], const float (&scale)[d]) {
    double value[d];
#pragma unroll
    for (int j = 0; j < d; ++j) {
      const double magic = 0x1.8p52 / scale[j];  // its last bit is worth 1 / scale
      value[j] = (x[j] + magic) - magic;
    }
    if constexpr (d == 2 && most == 4) {  // the first of three comparisons that holds excludes the later ones
      asm("{ .reg .pred p, q, r, s, t;\n"
          "setp.eq.f32 p|s, %9, %12; setp.eq.and.f32 q|t, %10, %12, s; setp.eq.and.f32 r, %11, %12, t;\n"
          "@p add.s32 %0, %0, 1; @q add.s32 %1, %1, 1; @r add.s32 %2, %2, 1;\n"
          "@p add.f64 %3, %3, %13; @q add.f64 %5, %5, %13; @r add.f64 %7, %7, %13;\n"
          "@p add.f64 %4, %4, %14; @q add.f64 %6, %6, %14; @r add.f64 %8, %8, %14; }"
          : "+r"(counts[0]), "+r"(counts[1]), "+r"(counts[2]), "+d"(sums[0][0]), "+d"(sums[0][1]), "+d"(sums[1][0]),
            "+d"(sums[1][1]), "+d"(sums[2][0]), "+d"(sums[2][1])
          : "f"(square[0]), "f"(square[1]), "f"(square[2]), "f"(best), "d"(value[0]), "d"(value[1]));
      return;
    }
    const int label = nearest_of(square, best);
#pragma unroll
    for (int k = 0; k < most - 1; ++k) {
      asm("{ .reg .pred p; setp.eq.s32 p, %2, %3; @p add.s32 %0, %0, 1; @p add.f64 %1, %1, %4; }"
          : "+r"(counts[k]), "+d"(sums[k][0])
          : "r"(label), "r"(k), "d"(value[0]));
#pragma unroll
      for (int j = 1; j < d; ++j)
        asm("{ .reg .pred p; setp.eq.s32 p, %1, %2; @p add.f64 %0, %0, %3; }"
            : "+d"(sums[k][j])
            : "r"(label), "r"(k), "d"(value[j]));
    }
  }
  __device__ std::int64_t sum(int k, int j, float scale) const {
    return __double2ll_rn(sums[k][j] * scale);
  }
};
#else
template <int d, int most>
struct OwnSums {
  std::int64_t sums[most - 1][d] = {};
  int counts[most - 1] = {};

  __device__ void add(const float (&square)[most], float best, const float (&x)[d], const float (&scale)[d]) {
    const int label = nearest_of(square, best);
    std::int64_t value[d];
#pragma unroll
    for (int j = 0; j < d; ++j) value[j] = to_fixed(x[j], scale[j]);
#pragma unroll
    for (int k = 0; k < most - 1; ++k) {
      asm("{ .reg .pred p; setp.eq.s32 p, %2, %3; @p add.s32 %0, %0, 1; @p add.s64 %1, %1, %4; }"
          : "+r"(counts[k]), "+l"(sums[k][0])
          : "r"(label), "r"(k), "l"(value[0]));
#pragma unroll
      for (int j = 1; j < d; ++j)
        asm("{ .reg .pred p; setp.eq.s32 p, %1, %2; @p add.s64 %0, %0, %3; }"
            : "+l"(sums[k][j])
            : "r"(label), "r"(k), "l"(value[j]));
    }
  }
  __device__ std::int64_t sum(int k, int j, float) const {
    return sums[k][j];
  }
};
#endif

// The values of four consecutive points in each column.
template <int d>
struct Quad {
  float x[d][4];

  __device__ void load(const RunView& run, std::int64_t quad) {
    const std::int64_t first = quad * 4;
    const float* at = run.points.x + first / panel * panel * d + first % panel;
#pragma unroll
    for (int j = 0; j < d; ++j)
      *reinterpret_cast<float4*>(x[j]) = __ldg(reinterpret_cast<const float4*>(at + j * panel));
  }
};

// Adds up the sums of a block's threads, and adds the result to global memory.
template <int d, int most>
__device__ void add_block(const RunView& run, const OwnSums<d, most>& own, const float (&scale)[d], double inertia) {
  constexpr int size = (most - 1) * (d + 1) + 1;
  __shared__ std::int64_t block[block_threads / 32][size];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, K = run.clusters;
  const auto keep = [&](int e, std::int64_t value) {
    value = warp_sum(value);
    if (lane == 0) block[warp][e] = value;
  };
#pragma unroll
  for (int k = 0; k < most - 1; ++k) {
#pragma unroll
    for (int j = 0; j < d; ++j) keep(j * (most - 1) + k, own.sum(k, j, scale[j]));
    keep(d * (most - 1) + k, own.counts[k]);
  }
  keep(size - 1, to_fixed(inertia, run.square_scale()));
  __syncthreads();
  if (threadIdx.x >= size) return;
  std::int64_t value = 0;
  for (int w = 0; w < block_threads / 32; ++w) value += block[w][threadIdx.x];
  const int column = threadIdx.x / (most - 1), k = threadIdx.x % (most - 1);
  std::int64_t* to = run.current_sums();
  if (threadIdx.x == size - 1)
    add_to(to + static_cast<std::int64_t>(d + 1) * K, value);
  else if (k < K - 1)
    add_to(to + column * K + k, value);
}

// Computes the sums for clusters 0 … K − 2, K ≤ `most`, and the inertia. Even iterations go up through the points and
// odd ones go down, so that each uses what the previous one left in the cache. The next points are loaded while the
// present ones are processed.
template <int d, int most>
__global__ void __launch_bounds__(block_threads, most* d > 16 ? 2 : 4) few(RunView run) {
  if (run.idle(Stage::lloyd)) return;
  float c[most][d], scale[d];
  const float* centroids = run.current_centroids();
#pragma unroll
  for (int k = 0; k < most; ++k)
#pragma unroll
    for (int j = 0; j < d; ++j) c[k][j] = k < run.clusters ? centroids[k * d + j] : NAN;  // NaN is never nearest
  for (int j = 0; j < d; ++j) scale[j] = run.scale[j];
  OwnSums<d, most> own;
  double inertia = 0;
  const std::int64_t quads = run.points.panels() * (panel / 4), stride = std::int64_t(gridDim.x) * blockDim.x;
  const bool down = run.control->iterations & 1;
  const auto at = [&](std::int64_t q) { return down ? quads - 1 - q : q; };
  std::int64_t q = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  Quad<d> next;
  if (q < quads) next.load(run, at(q));
  for (; q < quads; q += stride) {
    const Quad<d> now = next;
    if (q + stride < quads) next.load(run, at(q + stride));
    const int present = static_cast<int>(min(std::int64_t(4), run.points.count - 4 * at(q)));
    float total = 0;
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      float x[d], square[most], best = INFINITY;
#pragma unroll
      for (int j = 0; j < d; ++j) x[j] = now.x[j][p];
#pragma unroll
      for (int k = 0; k < most; ++k) {
        square[k] = 0;
#pragma unroll
        for (int j = 0; j < d; ++j) square[k] = add_square(square[k], x[j], c[k][j]);
        best = fminf(best, square[k]);  // fminf ignores a NaN
      }
      const bool real = p < present;
      total += real ? best : 0;
      own.add(square, real ? best : -1, x, scale);
    }
    inertia += total;
  }
  add_block<d, most>(run, own, scale, inertia);
}

}  // namespace kernels
}  // namespace kinescope::sim::k_means
