// All pairs on CUDA. The data pass through shared memory in tiles, as in the paper.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/mean_shift/point_kernels.hpp"

namespace kinescope::sim::mean_shift::cuda_kernels {

inline constexpr int tile_threads = 128;        // one warp for each of a multiprocessor's four schedulers
inline constexpr int most_block_threads = 512;  // the most threads of a block that a user may set

template <int K>
inline constexpr int tiled_points = K <= 3   ? 4
                                    : K == 4 ? 2
                                             : 1;  // per thread

// A group is the set of points that one thread block shifts: tiled_points<K> for each thread. The data are cut into
// parts, and the thread block with blockIdx.y = n sums over part n. So even few points occupy all multiprocessors, and
// with many points all multiprocessors finish at nearly the same time.
struct Parts {
  double* sums;         // [parts × groups × values of a thread × threads of a block]
  unsigned* arrived;    // [groups] number of parts that are finished; 0 between launches
  std::int64_t length;  // points per part

  static constexpr std::int64_t wanted_blocks = 6000, most = 64, least_length = 128;

  // Depends only on the arguments, so that all devices add in the same order.
  static std::int64_t length_for(std::int64_t points, std::int64_t groups, std::int64_t tile) {
    const std::int64_t parts = std::clamp<std::int64_t>(wanted_blocks / groups, 1, most);
    const std::int64_t length = std::max(least_length, (points + parts - 1) / parts);
    return (length + tile - 1) / tile * tile;
  }
};

struct TiledEnd {
  unsigned *largest_bits, *arrived;  // both 0 between launches
  EndIteration end;
};

// Adds up the sums of a group's parts, in the order of the parts. The thread block that finishes last does this, and
// only there the result is true.
template <int K, int P>
__device__ inline bool add_parts(const Parts& parts, Sums<K> (&sums)[P]) {
  if (gridDim.y == 1) return true;
  const std::int64_t values = P * (K + 1) * std::int64_t(blockDim.x), stride = gridDim.x * values;
  double* const group = parts.sums + blockIdx.x * values + threadIdx.x;
  for (int p = 0; p < P; ++p) {
    double* own = group + blockIdx.y * stride + p * (K + 1) * blockDim.x;
    for (int c = 0; c < K; ++c) own[c * blockDim.x] = sums[p].moment[c];
    own[K * blockDim.x] = sums[p].weight;
  }
  __threadfence();
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(parts.arrived + blockIdx.x, 1u) == gridDim.y - 1;
    if (last) parts.arrived[blockIdx.x] = 0;
  }
  __syncthreads();
  if (!last) return false;
  __threadfence();
  for (int p = 0; p < P; ++p) sums[p] = {};
  for (unsigned part = 0; part < gridDim.y; ++part)
    for (int p = 0; p < P; ++p) {
      const double* theirs = group + part * stride + p * (K + 1) * blockDim.x;
      for (int c = 0; c < K; ++c) sums[p].moment[c] += __ldcg(theirs + c * blockDim.x);
      sums[p].weight += __ldcg(theirs + K * blockDim.x);
    }
  return true;
}

// The largest value in a thread block, returned to thread 0.
__device__ inline float block_largest(float value) {
  __shared__ float warps[32];
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < blockDim.x / 32; ++w) value = fmaxf(value, warps[w]);
  return value;
}

// Ends a group's part of the iteration. The group that finishes last ends the iteration. Squares are not negative, so
// their bits can be compared as integers, and the maximum does not depend on the order of the groups. Called by one
// thread.
__device__ inline void finish_group(float largest, const TiledEnd& end) {
  atomicMax(end.largest_bits, __float_as_uint(largest));
  __threadfence();
  if (atomicAdd(end.arrived, 1u) != gridDim.x - 1) return;
  __threadfence();
  const LargestSquare total{__uint_as_float(atomicExch(end.largest_bits, 0u))};
  *end.arrived = 0;
  end.end(total);
}

// Moves the points of a group: those from `place` on in the launch's order, of `present`.
template <int K, int P>
__device__ inline void move_points(const Shifted& shifted, std::int64_t place, std::int64_t present,
                                   const float (&y)[P][K], const Sums<K> (&sums)[P], const TiledEnd& end) {
  LargestSquare own;
  for (int p = 0; p < P; ++p)
    if (const std::int64_t n = place + p * blockDim.x; n < present)
      own = own + shifted.shift<K>(shifted.point(n), y[p], sums[p]);
  const float largest = block_largest(own.square);
  if (threadIdx.x == 0) finish_group(largest, end);
}

// Whether a group has no points, because those that move fill fewer groups; then nothing is left to do for it.
__device__ inline bool empty_group(std::int64_t first_of_block, std::int64_t present, const TiledEnd& end) {
  if (first_of_block < present) return false;
  if (blockIdx.y == 0 && threadIdx.x == 0) finish_group(0, end);
  return true;
}

// All pairs for the gaussian in one to three columns, if |x|² is at most 100. In 2^−|y−x|² = 2^(2y·x − |x|²) / 2^(|y|²)
// the last factor cancels in the mean. With K columns a pair costs 2K + 1 operations and one ex2.approx: K
// multiply-adds for the exponent, one addition and K multiply-adds for the sums. For K = 2 the limit is ex2's rate of
// 16 per clock and multiprocessor: a scheduler needs 8 clocks for a warp's pairs. The 5 operations take about as long,
// because registers can be read at two per clock. The relative error of a weight is 2^−22 from ex2 and |x|² · 2^−23
// from the exponent, at most 1.2e-5.
inline constexpr float expanded_limit = 100;
inline constexpr int tile_step = 4;       // points unrolled (on an H200 faster than 1, 2 or 8); divides a tile
inline constexpr int float_points = 128;  // number of points summed in float; these sums are added in double

// Loads a tile: each point's coordinates, and −|x|² as the fourth value. Past the end of the part the fourth value is
// −∞, so that such a point has no weight.
template <int K>
__device__ inline void load_tile(const Cloud& cloud, std::int64_t begin, std::int64_t end, int tile, float4* points) {
  for (int k = threadIdx.x; k < tile; k += blockDim.x) {
    float x[4] = {0, 0, 0, -INFINITY};
    if (begin + k < end) {
      float square = 0;
      for (int c = 0; c < K; ++c) {
        x[c] = cloud.x[c * cloud.stride + begin + k];
        square = fmaf(x[c], x[c], square);
      }
      x[3] = -square;
    }
    points[k] = make_float4(x[0], x[1], x[2], x[3]);
  }
}

// If `tuned`, a block has tile_threads threads. Else it has any number of warps up to most_block_threads, with the sums
// in registers.
template <int K, int P, bool tuned>
__global__ void __launch_bounds__(tuned ? tile_threads : most_block_threads, !tuned   ? 1
                                                                             : K == 3 ? 5
                                                                                      : 6)
    tiled_expanded(Cloud cloud, Shifted shifted, int tile, Parts parts, TiledEnd end) {
  extern __shared__ float4 tile_points[];
  // Moments and weights of each thread's points. They are seldom used, and in registers they would halve the number of
  // warps that a multiprocessor can hold.
  __shared__ double shared_totals[P][K + 1][tuned ? tile_threads : 1];
  double own_totals[P][K + 1];
  const auto total = [&](int p, int c) -> double& {
    return tuned ? shared_totals[p][c][tuned ? threadIdx.x : 0] : own_totals[p][c];
  };
  if (shifted.idle()) return;
  const std::int64_t threads = tuned ? tile_threads : blockDim.x;
  const std::int64_t group_first = blockIdx.x * threads * P, first = group_first + threadIdx.x;
  const std::int64_t present = shifted.present(cloud.count);
  if (empty_group(group_first, present, end)) return;
  float twice[P][K], moment[P][K] = {}, weight[P] = {};  // twice: 2 y
  for (int p = 0; p < P; ++p) {
    const std::int64_t i = shifted.point(min(first + p * threads, present - 1));
    for (int c = 0; c < K; ++c) twice[p][c] = 2 * shifted.y[c * shifted.stride + i];
    for (int c = 0; c <= K; ++c) total(p, c) = 0;
  }
  const auto add_to_totals = [&] {
    for (int p = 0; p < P; ++p) {
      for (int c = 0; c < K; ++c) total(p, c) += moment[p][c], moment[p][c] = 0;
      total(p, K) += weight[p], weight[p] = 0;
    }
  };
  int pending = 0;  // points since the last addition in double
  const std::int64_t begin = blockIdx.y * parts.length, part_end = min(begin + parts.length, cloud.count);
  for (std::int64_t tile_begin = begin; tile_begin < part_end; tile_begin += tile) {
    __syncthreads();
    load_tile<K>(cloud, tile_begin, part_end, tile, tile_points);
    __syncthreads();
    for (int run = 0; run < tile; run += float_points) {
      const int run_end = min(run + float_points, tile);
#pragma unroll 1
      for (int k = run; k < run_end; k += tile_step)
#pragma unroll
        for (int step = 0; step < tile_step; ++step) {
          const float4 point = tile_points[k + step];
          const float x[3] = {point.x, point.y, point.z};
          for (int p = 0; p < P; ++p) {
            float exponent = point.w;
            for (int c = 0; c < K; ++c) exponent = fmaf(twice[p][c], x[c], exponent);
            const float w = exp2_negative(-exponent);
            weight[p] += w;
            for (int c = 0; c < K; ++c) moment[p][c] = fmaf(w, x[c], moment[p][c]);
          }
        }
      pending += run_end - run;
      if (pending >= float_points) add_to_totals(), pending = 0;
    }
  }
  add_to_totals();
  float y[P][K];
  Sums<K> sums[P];
  for (int p = 0; p < P; ++p) {
    double square = 0;
    for (int c = 0; c < K; ++c) y[p][c] = 0.5f * twice[p][c], square += double(y[p][c]) * y[p][c];
    const double factor = exp2(-square), all = total(p, K);
    sums[p].weight = factor * all;
    for (int c = 0; c < K; ++c) sums[p].moment[c] = factor * (total(p, c) - all * y[p][c]);
  }
  if (add_parts<K, P>(parts, sums)) move_points<K, P>(shifted, first, present, y, sums, end);
}

// All pairs for any kernel and any number of columns, by differences.
template <Kernel kernel, int K, int P>
__global__ void __launch_bounds__(tile_threads)
    tiled_differences(Cloud cloud, Shifted shifted, int tile, Parts parts, TiledEnd end) {
  extern __shared__ float4 tile_memory[];
  float* tile_columns = reinterpret_cast<float*>(tile_memory);  // [K × tile]
  if (shifted.idle()) return;
  const std::int64_t group_first = std::int64_t(blockIdx.x) * tile_threads * P, first = group_first + threadIdx.x;
  const std::int64_t present = shifted.present(cloud.count);
  if (empty_group(group_first, present, end)) return;
  float y[P][K];
  Sums<K> sums[P];
  for (int p = 0; p < P; ++p) shifted.read<K>(shifted.point(min(first + p * tile_threads, present - 1)), y[p]);
  const std::int64_t begin = blockIdx.y * parts.length, part_end = min(begin + parts.length, cloud.count);
  for (std::int64_t tile_begin = begin; tile_begin < part_end; tile_begin += tile) {
    const int present = static_cast<int>(min(std::int64_t(tile), part_end - tile_begin));
    __syncthreads();
    for (int c = 0; c < K; ++c)
      for (int k = threadIdx.x; k < present; k += tile_threads)
        tile_columns[c * tile + k] = cloud.x[c * cloud.stride + tile_begin + k];
    __syncthreads();
    const Cloud near{tile_columns, tile, present, cloud.weight ? cloud.weight + tile_begin : nullptr};
    for (int p = 0; p < P; ++p) add_one_by_one<kernel, K>(near, 0, present, y[p], sums[p]);
  }
  if (add_parts<K, P>(parts, sums)) move_points<K, P>(shifted, first, present, y, sums, end);
}

}  // namespace kinescope::sim::mean_shift::cuda_kernels
