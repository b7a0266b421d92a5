// The shares of the points in a mixture's Gaussians (mixture.hpp) on CUDA: one point per thread. A block's sums are in
// shared memory if they fit there.
#pragma once

#include "sim/k_means/cuda/sums_cuda.cuh"
#include "sim/k_means/sweep/mixture.hpp"

namespace kinescope::sim::k_means {

namespace kernels {

inline constexpr std::int64_t most_shared_shares = 48 * 1024 / 8;

// Dynamic shared memory: 8 bytes for each of share_count(run), or none if that is more than most_shared_shares.
__global__ void __launch_bounds__(block_threads) share(RunView run) {
  extern __shared__ unsigned char memory[];
  if (run.idle(Stage::weigh)) return;
  const ShareScale scale(run);
  const std::int64_t size = share_count(run), stride = std::int64_t(gridDim.x) * blockDim.x;
  const std::int64_t first = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (size > most_shared_shares) {
    for (std::int64_t j = first; j < run.sample.count; j += stride)
      share_point(run, scale, j, [&](std::int64_t e, std::int64_t value) { add_to(run.shares + e, value); });
    return;
  }
  const SharedSums sums(memory, static_cast<int>(size));
  __syncthreads();
  for (std::int64_t j = first; j < run.sample.count; j += stride)
    share_point(run, scale, j, [&](std::int64_t e, std::int64_t value) { sums.add(static_cast<int>(e), value); });
  __syncthreads();
  for (int e = threadIdx.x; e < size; e += blockDim.x) add_to(run.shares + e, sums[e]);
}

}  // namespace kernels
}  // namespace kinescope::sim::k_means
