// Kernels of our own Glimmer that work on tiles of 64 × 64 distances: the landmarks' matrix, placing, rounds. The last
// thread block to finish takes the decisions.
#pragma once

#include <cstdint>

#include "sim/glimmer/multilevel/multilevel_kernels.cuh"

namespace kinescope::sim::glimmer {
namespace cuda_kernels {

// A tile: δ² of 64 own points from 64 others. A thread computes 4 × 4 of them, from own point 4·ty and other point 4·tx
// on. The rows' width is a multiple of four.
inline constexpr int tile_columns = 32;  // number of columns loaded at a time
inline constexpr int tile_pitch = 68;  // 64 points and four more, so that the values of a column spread over all banks

struct TileMemory {
  alignas(16) float own[tile_columns][tile_pitch], others[tile_columns][tile_pitch];
  std::int32_t own_slots[64], other_slots[64];
};

// Loads `columns` columns of the rows of 64 points, transposed.
__device__ inline void stage_rows(const float* rows, std::int64_t width, int columns, const std::int32_t (&slots)[64],
                                  float (&to)[tile_columns][tile_pitch]) {
  for (int k = threadIdx.x; k < 16 * columns; k += tile_threads) {
    const int point = k % 64, h = k / 64 * 4;
    const float4 values = *reinterpret_cast<const float4*>(rows + slots[point] * width + h);
    to[h][point] = values.x, to[h + 1][point] = values.y, to[h + 2][point] = values.z, to[h + 3][point] = values.w;
  }
}

template <RowFormula F>
__device__ inline void add_columns(const TileMemory& memory, int columns, float (&sum)[4][4]) {
  const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
#pragma unroll 4
  for (int h = 0; h < columns; ++h) {
    const float4 own = *reinterpret_cast<const float4*>(&memory.own[h][4 * ty]),
                 other = *reinterpret_cast<const float4*>(&memory.others[h][4 * tx]);
    const float a[4] = {own.x, own.y, own.z, own.w}, b[4] = {other.x, other.y, other.z, other.w};
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c) sum[r][c] = add_column(F, sum[r][c], a[r], b[c]);
  }
}

// Computes δ². The slots are in `memory` (the caller has synchronized). `own_staged`: if the own rows fit, they are
// already there.
template <int L>
__device__ inline void tile_squares(const MultilevelMemory<L>& m, TileMemory& memory, bool own_staged,
                                    float (&square)[4][4]) {
  const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
  if (m.formula == RowFormula::matrix) {
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c) {
        const float delta = m.rows[memory.own_slots[4 * ty + r] * m.width + memory.other_slots[4 * tx + c]];
        square[r][c] = m.scale_square * (delta * delta);
      }
    return;
  }
  for (auto& row : square)
    for (float& value : row) value = 0;
  for (std::int64_t first = 0; first < m.width; first += tile_columns) {
    const int columns = static_cast<int>(m.width - first < tile_columns ? m.width - first : tile_columns);
    if (first > 0) __syncthreads();
    if (!own_staged || m.width > tile_columns)
      stage_rows(m.rows + first, m.width, columns, memory.own_slots, memory.own);
    stage_rows(m.rows + first, m.width, columns, memory.other_slots, memory.others);
    __syncthreads();
    switch (m.formula) {
      case RowFormula::differences:
        add_columns<RowFormula::differences>(memory, columns, square);
        break;
      case RowFormula::manhattan:
        add_columns<RowFormula::manhattan>(memory, columns, square);
        break;
      default:
        add_columns<RowFormula::products>(memory, columns, square);
    }
  }
  float own[4] = {}, others[4] = {};
  if (m.formula == RowFormula::products)
    for (int k = 0; k < 4; ++k) {
      own[k] = m.norms[memory.own_slots[4 * ty + k]];
      others[k] = m.norms[memory.other_slots[4 * tx + k]];
    }
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      square[r][c] = m.scale_square * square_distance(m.formula, square[r][c], own[r], others[c]);
}

// δ between the first small_points, one tile for each thread block; 0 on the diagonal and past the last point.
template <int L>
__global__ void __launch_bounds__(tile_threads) fill_matrix(MultilevelMemory<L> m) {
  __shared__ TileMemory memory;
  const int thread = threadIdx.x, last = static_cast<int>(m.small_points) - 1, row = static_cast<int>(blockIdx.y) * 64,
            column = static_cast<int>(blockIdx.x) * 64;
  if (thread < 64) {
    memory.own_slots[thread] = row + thread < last ? row + thread : last;
    memory.other_slots[thread] = column + thread < last ? column + thread : last;
  }
  __syncthreads();
  float square[4][4];
  tile_squares(m, memory, false, square);
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) {
      const std::int64_t i = row + 4 * (thread / 16) + r, j = column + 4 * (thread % 16) + c;
      if (i <= last && j < m.small_stride)
        m.matrix[i * m.small_stride + j] = i == j || j > last ? 0.0f : std::sqrt(square[r][c]);
    }
}

// δ² between 64 newcomers and their anchors, [block of newcomers][anchor][64]. Each thread block computes one tile of
// anchors.
template <int L>
__global__ void __launch_bounds__(tile_threads) anchor_distances(MultilevelMemory<L> m, float* squares) {
  __shared__ TileMemory memory;
  if (!m.course.current(program_place)) return;
  const std::int64_t first = m.state().first, n = m.state().points,
                     block = m.state().t * (place_part / 64) + blockIdx.x;
  if (first + 64 * block >= n) return;
  const int tile = blockIdx.y, thread = threadIdx.x;
  if (thread < 64) {
    memory.own_slots[thread] = static_cast<std::int32_t>(m.anchor_block(block, tile)) + thread;
    const std::int64_t i = first + 64 * block + thread;
    memory.other_slots[thread] = static_cast<std::int32_t>(i < n ? i : n - 1);
  }
  __syncthreads();
  float square[4][4];
  tile_squares(m, memory, false, square);
  float* to = squares + (blockIdx.x * std::int64_t(place_effort.anchors) + 64 * tile) * 64;
  for (int r = 0; r < 4; ++r)
    *reinterpret_cast<float4*>(to + (4 * (thread / 16) + r) * 64 + 4 * (thread % 16)) =
        make_float4(square[r][0], square[r][1], square[r][2], square[r][3]);
}

// Four neighbouring threads that share a newcomer's anchors.
struct Quartet {
  static constexpr int stride = 4;
  int first;
  unsigned mask;

  __device__ float sum(float value) const {
    value += __shfl_xor_sync(mask, value, 1);
    return value + __shfl_xor_sync(mask, value, 2);
  }
};

// Finds x of a newcomer with the four threads of a quartet, as place_point does. Anchor k is at anchors[k · L] …;
// `delta_square` of k is the newcomer's δ² to it. Returns true in the thread that is to write x.
template <int L, class Delta>
__device__ inline bool place_in_quartet(const float (&anchors)[place_effort.anchors * L], Delta delta_square,
                                        float (&x)[L]) {
  const int thread = threadIdx.x;
  const Quartet group{thread % 4, 0xfu << (thread % 32 / 4 * 4)};
  const PlaceEffort effort{place_effort.anchors, place_effort.few, place_effort.search, place_effort.refine};
  place_point<L, float>(
      effort,
      [&](int k, float(&p)[L]) {
        for (int c = 0; c < L; ++c) p[c] = anchors[k * L + c];
      },
      delta_square, x, group);
  return group.first == 0;
}

template <int L>
__global__ void __launch_bounds__(tile_threads) place_newcomers(MultilevelMemory<L> m, const float* squares) {
  __shared__ float anchors[place_effort.anchors * L];
  if (!m.course.current(program_place)) return;
  const std::int64_t first = m.state().first, n = m.state().points,
                     block = m.state().t * (place_part / 64) + blockIdx.x;
  if (first + 64 * block >= n) return;
  const int thread = threadIdx.x;
  for (int k = thread; k < place_effort.anchors; k += tile_threads) {
    const std::int64_t slot = static_cast<std::int64_t>(m.anchor_block(block, k / 64)) + k % 64;
    for (int c = 0; c < L; ++c) anchors[k * L + c] = m.x[c * m.stride + slot];
  }
  __syncthreads();
  const int point = thread / Quartet::stride;
  const std::int64_t i = first + 64 * block + point;
  if (i >= n) return;
  const float* own = squares + blockIdx.x * std::int64_t(place_effort.anchors) * 64 + point;
  float x[L];
  if (place_in_quartet(
          anchors, [&](int k) { return own[k * 64]; }, x))
    for (int c = 0; c < L; ++c) m.x[c * m.stride + i] = x[c] + m.jitter(i, c);
}

// A part of a round: each thread block pairs 64 positions with the partner blocks after them. Each pair is computed
// once and counts for both points.
template <int L>
__global__ void __launch_bounds__(tile_threads, 2)
    measure(MultilevelMemory<L> m, bool placing, RoundSums<L> round, double2* task_sums, unsigned* arrived) {
  constexpr int values = RoundSums<L>::values, warps = tile_threads / 32;
  __shared__ TileMemory memory;
  __shared__ float column_sums[warps][values][64];
  __shared__ double scratch[33];
  // A launch that belongs to the placing must not make a part of a later round, because no launch has moved the points
  // before it.
  if (placing ? !m.course.current(program_place) || !m.state().placed : !m.course.current(program_round)) return;
  const RoundPlan plan = RoundPlan::of(m.state().points, m.state().few_partners);
  const RoundOrder order = round.order(m.state().rounds);
  const int splits = round.splits(plan), each = static_cast<int>(plan.partners) / splits;
  const std::int64_t begin = plan.part_begin(m.state().part),
                     tasks = (plan.part_begin(m.state().part + 1) - begin) * splits;
  const int thread = threadIdx.x, ty = thread / 16, tx = thread % 16;
  // The v-th of a thread's sums over its pairs.
  const auto value_of = [](const PointSums<L, float>& sums, int v) -> float {
    return v < L ? sums.gradient[v < L ? v : 0] : sums.hessian[v < L ? 0 : v - L];
  };
  for (std::int64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const std::int64_t block = begin + task / splits, size = plan.size(block);
    const int split = static_cast<int>(task % splits);
    float a[4][L];
    PointSums<L, float> mine[4];
    double error = 0, total = 0;
    for (int step = split * each; step < (split + 1) * each; ++step) {
      const bool starts = step == split * each;
      const std::int64_t partner = (block + step + 1) % plan.blocks, count = plan.size(partner);
      __syncthreads();
      if (thread < 64)
        memory.other_slots[thread] =
            static_cast<std::int32_t>(order.slot(64 * partner + (thread < count ? thread : 0)));
      else if (starts && thread < 128)
        memory.own_slots[thread - 64] =
            static_cast<std::int32_t>(order.slot(64 * block + (thread - 64 < size ? thread - 64 : 0)));
      __syncthreads();
      float square[4][4];
      tile_squares(m, memory, !starts, square);
      if (starts)
        for (int r = 0; r < 4; ++r)
          for (int c = 0; c < L; ++c) a[r][c] = m.x[c * m.stride + memory.own_slots[4 * ty + r]];
      float error_sum = 0, size_sum = 0;
      for (int k = 0; k < 4; ++k) {
        float b[L];
        for (int c = 0; c < L; ++c) b[c] = m.x[c * m.stride + memory.other_slots[4 * tx + k]];
        PointSums<L, float> theirs;
        for (int r = 0; r < 4; ++r) {
          if (4 * ty + r >= size || 4 * tx + k >= count) continue;
          PointSums<L, float> terms = pair_terms<L>(square[r][k], a[r], b);
          error_sum += terms.error, size_sum += terms.size;
          add_terms(mine[r], terms);
          for (float& slope : terms.gradient) slope = -slope;
          add_terms(theirs, terms);
        }
        for (int v = 0; v < values; ++v) {
          float sum = value_of(theirs, v);
          sum += __shfl_xor_sync(0xffffffffu, sum, 16);
          if (thread % 32 < 16) column_sums[thread / 32][v][4 * tx + k] = sum;
        }
      }
      error += static_cast<double>(error_sum), total += static_cast<double>(size_sum);
      __syncthreads();
      for (int k = thread; k < values * 64; k += tile_threads) {
        float sum = 0;
        for (int warp = 0; warp < warps; ++warp) sum += column_sums[warp][k / 64][k % 64];
        round.at(plan, splits + step, k / 64)[64 * partner + k % 64] = sum;
      }
    }
    for (int r = 0; r < 4; ++r)  // adds over the sixteen threads of a row, in a fixed tree
      for (int v = 0; v < values; ++v) {
        float sum = value_of(mine[r], v);
        for (int offset = 8; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
        if (tx == 0) round.at(plan, split, v)[64 * block + 4 * ty + r] = sum;
      }
    error = block_sum(error, scratch);
    total = block_sum(total, scratch);
    if (thread == 0) task_sums[task] = {error, total};
  }
  if (!last_block(arrived)) return;
  double error = 0, total = 0;
  for (std::int64_t k = thread; k < tasks; k += tile_threads) error += task_sums[k].x, total += task_sums[k].y;
  error = block_sum(error, scratch);
  total = block_sum(total, scratch);
  if (thread != 0) return;
  m.course.end_round_part(error, total);
  if (m.state().moves) round.order(m.state().rounds) = m.round_order();
}

}  // namespace cuda_kernels

}  // namespace kinescope::sim::glimmer
