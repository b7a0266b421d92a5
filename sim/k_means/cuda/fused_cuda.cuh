// Labels and sums in one pass over the points, with centroids and sums in shared memory.
#pragma once

#include "kinescope/executors/cuda.cuh"
#include "sim/k_means/cuda/sums_cuda.cuh"
#include "sim/k_means/run_view.hpp"

namespace kinescope::sim::k_means {
namespace kernels {

inline constexpr int chunk = 8;  // centroids compared at a time

inline int padded(int clusters) {
  return (clusters + chunk - 1) / chunk * chunk;
}

// Copies the centroids to shared memory by column, padded with NaN past the last one.
__device__ inline void load_centroids(const float* centroids, int K, int padded, int d, float* shared) {
  for (int e = threadIdx.x; e < padded * d; e += blockDim.x) {
    const int k = e % padded, c = e / padded;
    shared[e] = k < K ? centroids[k * d + c] : NAN;
  }
}

__device__ inline Nearest nearest_in_shared(const float* x, const float* shared, int padded, int d) {
  Nearest best{0, INFINITY};
  for (int k = 0; k < padded; k += chunk) {
    float square[chunk] = {};
    for (int c = 0; c < d; ++c) {
      const float value = x[c * panel];
      const float4 a = *reinterpret_cast<const float4*>(shared + c * padded + k),
                   b = *reinterpret_cast<const float4*>(shared + c * padded + k + 4);
      const float centroid[chunk] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
      for (int j = 0; j < chunk; ++j) square[j] = add_square(square[j], value, centroid[j]);
    }
    for (int j = 0; j < chunk; ++j)
      if (square[j] < best.square) best = {static_cast<std::uint32_t>(k + j), square[j]};
  }
  return best;
}

// The fused kernel adds each thread's own point to the sums. If there are many columns it uses this instead: each lane
// of a warp takes other columns, so that lanes never add to the same sum.
__device__ inline void add_by_columns(const RunView& run, std::int64_t base, const std::uint32_t* label, int present,
                                      const SharedSums& sums) {
  const int K = run.clusters, d = run.dimensions(), lane = threadIdx.x % 32;
  for (int quad = threadIdx.x / 32; quad * 4 < present; quad += block_threads / 32) {
    const float* at = run.points.first_column(base + quad * 4);
    for (int c = lane; c < d; c += 32) {
      const float4 x = *reinterpret_cast<const float4*>(at + c * panel);
      const float value[4] = {x.x, x.y, x.z, x.w};
      for (int p = 0; p < 4 && quad * 4 + p < present; ++p)
        sums.add(c * K + static_cast<int>(label[quad * 4 + p]), to_fixed(value[p], run.scale[c]));
    }
  }
}

inline constexpr int many_columns = 32;

__global__ void __launch_bounds__(block_threads) fused(RunView run) {
  if (run.idle(Stage::lloyd)) return;
  extern __shared__ float4 shared_memory[];
  __shared__ std::uint32_t labels[block_threads];
  const int K = run.clusters, d = run.dimensions(), pad = (K + chunk - 1) / chunk * chunk;
  float* centroids = reinterpret_cast<float*>(shared_memory);
  load_centroids(run.current_centroids(), K, pad, d, centroids);
  const SharedSums sums(centroids + pad * d, (d + 1) * K);
  double inertia = 0;
  __syncthreads();
  for (std::int64_t base = std::int64_t(blockIdx.x) * block_threads; base < run.points.count;
       base += std::int64_t(gridDim.x) * block_threads) {
    const std::int64_t i = base + threadIdx.x;
    const int present = static_cast<int>(min(std::int64_t(block_threads), run.points.count - base));
    if (i < run.points.count) {
      const float* x = run.points.first_column(i);
      const Nearest best = nearest_in_shared(x, centroids, pad, d);
      inertia += best.square;
      labels[threadIdx.x] = best.label;
      sums.add(d * K + static_cast<int>(best.label), 1);
      if (d < many_columns)
        for (int c = 0; c < d; ++c)
          sums.add(c * K + static_cast<int>(best.label), to_fixed(x[c * panel], run.scale[c]));
    }
    if (d >= many_columns) {
      __syncthreads();
      add_by_columns(run, base, labels, present, sums);
      __syncthreads();
    }
  }
  __syncthreads();
  std::int64_t* to = run.current_sums();
  for (int e = threadIdx.x; e < (d + 1) * K; e += block_threads) add_to(to + e, sums[e]);
  const std::int64_t part = warp_sum(to_fixed(inertia, run.square_scale()));
  if (threadIdx.x % 32 == 0) add_to(to + static_cast<std::int64_t>(d + 1) * K, part);
}

}  // namespace kernels
}  // namespace kinescope::sim::k_means
