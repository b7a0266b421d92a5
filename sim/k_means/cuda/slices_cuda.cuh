// Sums for known labels, for any number of clusters and columns. A block sums a slice of the columns and a range of the
// clusters in shared memory.
#pragma once

#include "kinescope/executors/cuda.cuh"
#include "sim/k_means/cuda/sums_cuda.cuh"
#include "sim/k_means/run_view.hpp"

namespace kinescope::sim::k_means {
namespace kernels {

// How the sums are cut into slices of the columns (blockIdx.x) and ranges of the clusters (blockIdx.y). Blocks with
// different blockIdx.z take different parts of the points. After the columns comes one more, n_k.
struct Slices {
  int columns, clusters;  // per block
};

// What is added: for Coordinates, the values of points whose label has changed (they are also subtracted from the old
// cluster); for Offsets, the squared offsets of all points from their centroids.
struct Coordinates {
  const std::uint32_t* before;
  __device__ std::uint32_t old_label(std::int64_t i) const { return before[i]; }
  __device__ std::int64_t value(const RunView& run, float x, int c, std::uint32_t) const {
    return to_fixed(x, run.scale[c]);
  }
};
struct Offsets {
  double scale;
  __device__ std::uint32_t old_label(std::int64_t) const { return no_centroid; }
  __device__ std::int64_t value(const RunView& run, float x, int c, std::uint32_t k) const {
    const double offset = static_cast<double>(x) - run.current_centroids()[std::int64_t(k) * run.dimensions() + c];
    return to_fixed(offset * offset, scale);
  }
};

template <class What>
__device__ void add_slice(const RunView& run, What what, Slices slices, std::int64_t* to) {
  extern __shared__ float4 shared_memory[];
  const int K = run.clusters, d = run.dimensions();
  const int first_column = blockIdx.x * slices.columns, columns = min(slices.columns, d + 1 - first_column);
  const int first_cluster = blockIdx.y * slices.clusters, clusters = min(slices.clusters, K - first_cluster);
  const SharedSums sums(shared_memory, slices.columns * slices.clusters);
  __syncthreads();
  const std::int64_t panels = run.points.panels();
  const std::int64_t begin = panels * blockIdx.z / gridDim.z * panel,
                     end = min(run.points.count, panels * (blockIdx.z + 1) / gridDim.z * panel);
  const auto add = [&](std::int64_t i, std::uint32_t before, std::uint32_t now) {
    const float* x = run.points.first_column(i);
    const std::uint32_t from = before - first_cluster, into = now - first_cluster;
    for (int j = 0; j < columns; ++j) {
      const int c = first_column + j;
      const std::int64_t value = c == d ? 1 : what.value(run, x[c * panel], c, now);
      if (before != no_centroid && from < clusters) sums.add(j * clusters + static_cast<int>(from), -value);
      if (into < clusters) sums.add(j * clusters + static_cast<int>(into), value);
    }
  };
  // Reads the labels of four points at a time: if few have changed, reading labels is nearly all the work.
  for (std::int64_t first = begin + threadIdx.x; first < end; first += 4 * blockDim.x) {
    std::uint32_t before[4], now[4];
    for (int n = 0; n < 4; ++n) {
      const std::int64_t i = min(first + n * blockDim.x, end - 1);
      before[n] = what.old_label(i), now[n] = run.labels[i];
    }
    for (int n = 0; n < 4; ++n)
      if (first + n * blockDim.x < end && before[n] != now[n]) add(first + n * blockDim.x, before[n], now[n]);
  }
  __syncthreads();
  for (int e = threadIdx.x; e < columns * clusters; e += blockDim.x)
    add_to(to + std::int64_t(first_column + e / clusters) * K + first_cluster + e % clusters, sums[e]);
}

// Does nothing unless more than `most` points have changed.
__global__ void add_changes(RunView run, const std::uint32_t* before, Slices slices, const unsigned* changed,
                            unsigned most) {
  if (!run.idle(Stage::lloyd) && *changed > most) add_slice(run, Coordinates{before}, slices, run.current_sums());
}
__global__ void add_offsets(RunView run, Slices slices) {
  if (!run.idle(Stage::measure)) add_slice(run, Offsets{run.square_scale()}, slices, run.spreads);
}

}  // namespace kernels
}  // namespace kinescope::sim::k_means
