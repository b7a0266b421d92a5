// Labels and sums of few clusters in few columns, all in registers.
#pragma once

#include "sim/core/cuda.cuh"
#include "sim/k_means/run_view.hpp"
#include "sim/k_means/sums_cuda.cuh"

namespace kinescope::sim::k_means {
namespace kernels {

// If label is k: adds a point. Predicated by hand: the compiler would branch, and neighbours seldom go the same way.
template <int d>
__device__ inline void add_where(int label, int k, int& count, std::int64_t (&sum)[d], const std::int64_t (&value)[d]) {
  if constexpr (d == 1)
    asm("{ .reg .pred p; setp.eq.s32 p, %2, %3; @p add.s32 %0, %0, 1; @p add.s64 %1, %1, %4; }"
        : "+r"(count), "+l"(sum[0])
        : "r"(label), "r"(k), "l"(value[0]));
  else
    asm("{ .reg .pred p; setp.eq.s32 p, %3, %4; @p add.s32 %0, %0, 1; @p add.s64 %1, %1, %5; @p add.s64 %2, %2, %6; }"
        : "+r"(count), "+l"(sum[0]), "+l"(sum[1])
        : "r"(label), "r"(k), "l"(value[0]), "l"(value[1]));
  if constexpr (d > 2)
    for (int j = 2; j < d; ++j)
      asm("{ .reg .pred p; setp.eq.s32 p, %1, %2; @p add.s64 %0, %0, %3; }"
          : "+l"(sum[j])
          : "r"(label), "r"(k), "l"(value[j]));
}

// The sums of clusters 0 … K − 2 of at most `most`, and the inertia. Even iterations go up through the points and odd
// ones down, so that what the last one left in the cache is used.
template <int d, int most>
__global__ void __launch_bounds__(block_threads, most* d > 16 ? 2 : 4) few(RunView run) {
  if (run.idle(Stage::lloyd)) return;
  const int K = run.clusters;
  float c[most][d];
  const float* centroids = run.current_centroids();
#pragma unroll
  for (int k = 0; k < most; ++k)
#pragma unroll
    for (int j = 0; j < d; ++j) c[k][j] = k < K ? centroids[k * d + j] : NAN;  // farther than anything
  float scale[d];
  for (int j = 0; j < d; ++j) scale[j] = run.scale[j];
  std::int64_t sums[most - 1][d] = {};
  int counts[most - 1] = {};
  double inertia = 0;

  const std::int64_t quads = run.points.panels() * (panel / 4), stride = std::int64_t(gridDim.x) * blockDim.x;
  const bool down = run.control->iterations & 1;
  for (std::int64_t q = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; q < quads; q += stride) {
    const std::int64_t quad = down ? quads - 1 - q : q, first = quad * 4;
    const float* at = run.points.x + first / panel * panel * d + first % panel;
    float x[d][4];
    for (int j = 0; j < d; ++j) *reinterpret_cast<float4*>(x[j]) = *reinterpret_cast<const float4*>(at + j * panel);
    const int present = static_cast<int>(min(std::int64_t(4), run.points.count - first));
    float total = 0;
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      float best = 0;
      int label = 0;
#pragma unroll
      for (int k = 0; k < most; ++k) {
        float square = 0;
#pragma unroll
        for (int j = 0; j < d; ++j) square = add_square(square, x[j][p], c[k][j]);
        const bool nearer = k > 0 && square < best;
        best = k == 0 ? square : nearer ? square : best;
        label = nearer ? k : label;
      }
      if (p >= present) label = most, best = 0;
      total += best;
      std::int64_t value[d];
#pragma unroll
      for (int j = 0; j < d; ++j) value[j] = to_fixed(x[j][p], scale[j]);
#pragma unroll
      for (int k = 0; k < most - 1; ++k) add_where<d>(label, k, counts[k], sums[k], value);
    }
    inertia += total;
  }

  constexpr int size = (most - 1) * (d + 1) + 1;
  __shared__ std::int64_t block[block_threads / 32][size];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const auto keep = [&](int e, std::int64_t value) {
    value = warp_sum(value);
    if (lane == 0) block[warp][e] = value;
  };
  for (int k = 0; k < most - 1; ++k) {
    for (int j = 0; j < d; ++j) keep(j * (most - 1) + k, sums[k][j]);
    keep(d * (most - 1) + k, counts[k]);
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

}  // namespace kernels
}  // namespace kinescope::sim::k_means
