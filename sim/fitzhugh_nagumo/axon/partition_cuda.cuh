// Tiles of the partition method on CUDA: one tile per warp, eight rows per thread.
#pragma once

#include "sim/fitzhugh_nagumo/axon/partition.hpp"
#include "sim/fitzhugh_nagumo/warp_tile.cuh"

namespace kinescope::sim::fitzhugh_nagumo::axon_kernels {

inline constexpr int partition_nodes = partition_rows / warp_width;  // rows per thread

// A tile in which all rows but the last depend only on X, the last row's unknown, and X', that of the previous tile's
// last row. A thread's rows depend on its own last row and on that of the thread before, as in solve_tile.
template <class T>
struct ReducedTile {
  ThreadRows<T, partition_nodes> rows;
  T right[partition_nodes];
  T value, left, after;  // the thread's last row is value − left X' − after X; unused in the tile's last thread

  __device__ __forceinline__ ReducedTile(const System<T>& system, std::int64_t count, std::int64_t tile) {
    constexpr int M = partition_nodes;
    const std::int64_t base = tile * partition_rows + threadIdx.x % warp_width * M;
    T lower[M], diagonal[M], upper[M];
    load_rows(system.lower, base, count, T(0), lower);
    load_rows(system.diagonal, base, count, T(1), diagonal);
    load_rows(system.upper, base, count, T(0), upper);
    load_rows(system.right, base, count, T(0), right);
    rows.eliminate([&](int i) { return lower[i]; }, [&](int i) { return diagonal[i]; }, [&](int i) { return upper[i]; },
                   right);
    rows.template couple<true>(5, left, after, value);
  }
};

template <class T>
__global__ void __launch_bounds__(256)
    reduce_tiles(System<T> system, std::int64_t count, Joints<T> joints, const std::int32_t* idle) {
  if (idle && *idle) return;
  const std::int64_t tile = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_width;
  if (tile * partition_rows >= count) return;
  const ReducedTile<T> reduced(system, count, tile);
  const ThreadRows<T, partition_nodes>& rows = reduced.rows;
  const int lane = threadIdx.x % warp_width;
  const T value = __shfl_up_sync(whole_warp, reduced.value, 1), left = __shfl_up_sync(whole_warp, reduced.left, 1),
          after = __shfl_up_sync(whole_warp, reduced.after, 1);
  if (lane == 0) {
    joints.value[tile] = fused(-rows.c0, reduced.value, rows.f0);
    joints.left[tile] = fused(-rows.c0, reduced.left, rows.l0);
    joints.after[tile] = -rows.c0 * reduced.after;
  } else if (lane == warp_width - 1) {
    joints.lower[tile] = -rows.lower * left;
    joints.diagonal[tile] = fused(-rows.lower, after, rows.diagonal);
    joints.upper[tile] = rows.upper;
    joints.right[tile] = fused(-rows.lower, value, rows.right);
  }
}

template <class T>
__global__ void __launch_bounds__(256)
    substitute_tiles(System<T> system, std::int64_t count, const T* ends, T* solution, const std::int32_t* idle) {
  if (idle && *idle) return;
  constexpr int M = partition_nodes;
  const std::int64_t tile = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_width;
  if (tile * partition_rows >= count) return;
  ReducedTile<T> reduced(system, count, tile);
  const int lane = threadIdx.x % warp_width;
  const T before = tile == 0 ? T(0) : ends[tile - 1], end = ends[tile];
  T x = fused(-reduced.left, before, fused(-reduced.after, end, reduced.value));
  if (lane == warp_width - 1) x = end;
  T last = __shfl_up_sync(whole_warp, x, 1);
  if (lane == 0) last = before;
  reduced.rows.expand(last, x, reduced.right);
  store_tile(solution, tile * partition_rows + lane * M, count, lane * M, 0, reduced.right);
}

}  // namespace kinescope::sim::fitzhugh_nagumo::axon_kernels
