// The kernels of our own Glimmer: a thread block for each layout of the population and for each block of 64 points of a
// round, a warp for each row of the full stress. Decisions are taken by the last thread block to arrive; the host is
// never asked.
#pragma once

#include <cstdint>

#include "sim/core/cuda.cuh"
#include "sim/glimmer/multilevel_functors.hpp"

namespace kinescope::sim::glimmer {
namespace cuda_kernels {

inline constexpr int team_threads = 512, tile_threads = 256, row_threads = 256;

__device__ inline double warp_sum(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// The sum over a thread block, for all its threads. `scratch` has 33 elements.
__device__ inline double block_sum(double value, double* scratch) {
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    const double total = warp_sum(threadIdx.x < blockDim.x / 32 ? scratch[threadIdx.x] : 0.0);
    if (threadIdx.x == 0) scratch[32] = total;
  }
  __syncthreads();
  const double total = scratch[32];
  __syncthreads();
  return total;
}

// True, for all threads, in the last thread block of the launch to call it; what the others wrote before is then
// visible.
__device__ inline bool last_block(unsigned* arrived) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(arrived, 1u) == gridDim.x * gridDim.y - 1;
    if (last) *arrived = 0;
  }
  __syncthreads();
  if (last) __threadfence();
  return last;
}

// A thread block as a team (polish.hpp).
struct BlockTeam {
  double* scratch;
  __device__ bool first() const { return threadIdx.x == 0; }
  __device__ void sync() const { __syncthreads(); }
  template <class F>
  __device__ void for_each(std::int64_t n, F f) const {
    for (std::int64_t k = threadIdx.x; k < n; k += blockDim.x) f(k);
    __syncthreads();
  }
  template <class F>
  __device__ double sum(std::int64_t n, F f) const {
    double value = 0;
    for (std::int64_t k = threadIdx.x; k < n; k += blockDim.x) value += f(k);
    return block_sum(value, scratch);
  }
};

// A chunk of matchings of one layout, in shared memory where it fits.
template <int L, bool Shared>
__global__ void __launch_bounds__(team_threads) anneal(MultilevelMemory<L> m, unsigned* arrived) {
  constexpr int C = MultilevelMemory<L>::coordinates;
  extern __shared__ float shared_x[];
  __shared__ double scratch[33];
  if (!m.course.current(program_search)) return;
  if (m.state().batch == 0 && m.state().picture <= floor_stress) {  // nothing can be better
    if (last_block(arrived) && threadIdx.x == 0) m.end_search();
    return;
  }
  const Annealing timetable = m.annealing();
  const std::int64_t n = m.state().points, first = m.state().t;
  const int layout = blockIdx.x, group = layout / group_size, thread = threadIdx.x,
            dimensions = timetable.squeezes ? C : L;
  float* home = m.layouts + layout * C * m.small_stride;
  const std::int64_t stride = Shared ? n : m.small_stride;
  float* x = Shared ? shared_x : home;
  const bool starts = first == 0, starts_again = timetable.squeezes && first == timetable.second;
  // The others may be on their way already, so the second start reads the copies that the first time left.
  const float* source = m.layout_copies + m.state().source[layout] * C * m.small_stride;
  for (int c = 0; c < dimensions; ++c)
    for (std::int64_t i = thread; i < n; i += team_threads) {
      const std::int64_t k = c * m.small_stride + i;
      x[c * stride + i] = starts         ? m.first_start(layout, i, c)
                          : starts_again ? m.second_start(layout, i, c, source[k])
                                         : home[k];
    }
  double errors = 0, sizes = 0;
  for (std::int64_t t = first; t < first + timetable.chunk; ++t) {
    __syncthreads();
    const std::int64_t r = m.rotation(group, t), low = (r + 1) / 2, pairs = low + (n - r - 1) / 2;
    const float eta = timetable.eta(t, group);
    for (std::int64_t p = thread; p < pairs; p += team_threads) {
      const std::int64_t i = p < low ? p : r + 1 + (p - low), j = p < low ? r - p : n - 1 - (p - low);
      const float delta = m.matrix[i * m.small_stride + j];
      float error = 0;
      const auto move = [&](auto extra) {
        constexpr int D = L + decltype(extra)::value;
        float a[D], b[D];
        for (int c = 0; c < D; ++c) a[c] = x[c * stride + i], b[c] = x[c * stride + j];
        error = move_pair<D>(delta, eta, a, b);
        for (int c = 0; c < D; ++c) x[c * stride + i] = a[c], x[c * stride + j] = b[c];
      };
      if (timetable.flat(t))  // the extra coordinates are 0 by now
        move(std::integral_constant<int, 0>());
      else
        move(std::integral_constant<int, extra_dimensions>());
      errors += static_cast<double>(error * error);
      sizes += static_cast<double>(delta * delta);
    }
    if (const float factor = timetable.squeeze(t); factor < 1) {
      __syncthreads();
      for (int c = L; c < C; ++c)
        for (std::int64_t i = thread; i < n; i += team_threads) x[c * stride + i] *= factor;
    }
  }
  __syncthreads();
  const bool copies = first + timetable.chunk == timetable.second;
  for (int c = 0; c < dimensions; ++c)
    for (std::int64_t i = thread; i < n; i += team_threads) {
      const std::int64_t k = c * m.small_stride + i;
      if (Shared) home[k] = x[c * stride + i];
      if (copies) m.layout_copies[layout * C * m.small_stride + k] = x[c * stride + i];
    }
  errors = block_sum(errors, scratch);
  sizes = block_sum(sizes, scratch);
  if (thread == 0) m.layout_errors[layout] = errors, m.layout_sizes[layout] = sizes;
  if (last_block(arrived) && thread == 0) m.end_search();
}

// Rows of Σ_j (d − δ)² and half the gradient of a layout, a warp to a row. x and gradient by coordinate with `stride`.
template <int L>
__device__ inline void evaluate_row(const MultilevelMemory<L>& m, const float* x, float* gradient, std::int64_t i,
                                    double* row_value) {
  const std::int64_t n = m.state().points, stride = m.small_stride;
  const float* row = m.matrix + i * stride;
  float a[L], sum[L] = {};
  for (int c = 0; c < L; ++c) a[c] = x[c * stride + i];
  double value = 0;
  for (std::int64_t j = threadIdx.x % 32; j < n; j += 32) {
    if (j == i) continue;
    float between[L], square = tiny_square;
    for (int c = 0; c < L; ++c) {
      between[c] = a[c] - x[c * stride + j];
      square = fmaf(between[c], between[c], square);
    }
    const float d = sqrtf(square), error = d - row[j], part = error / d;
    value += static_cast<double>(error * error);
    for (int c = 0; c < L; ++c) sum[c] = fmaf(part, between[c], sum[c]);
  }
  value = warp_sum(value);
  for (int c = 0; c < L; ++c) {
    for (int offset = 16; offset > 0; offset /= 2) sum[c] += __shfl_xor_sync(0xffffffffu, sum[c], offset);
    if (gradient && threadIdx.x % 32 == 0) gradient[c * stride + i] = sum[c];
  }
  if (threadIdx.x % 32 == 0) *row_value = value;
}

// What is evaluated at place y of an iteration: slot of a candidate, or −1.
template <int L>
__device__ inline int evaluated_slot(const MultilevelMemory<L>& m, int y, int time) {
  const MultilevelState& s = m.state();
  if (m.run().converged) return -1;
  switch (m.run().program) {
    case program_search:
      return y == 0 && s.batch == 0 && !s.picture_rests ? picture_slot : -1;
    case program_polish:
      return y < s.alive && time < m.evaluations() && !m.polish[s.order[y]].resting ? s.order[y] : -1;
    case program_glide:
    case program_finish:
      return y == 0 ? picture_slot : -1;
    default:
      return -1;
  }
}

template <int L>
__global__ void __launch_bounds__(row_threads) evaluate(MultilevelMemory<L> m, int time) {
  const int slot = evaluated_slot(m, static_cast<int>(blockIdx.y), time);
  if (slot < 0) return;
  const PolishVectors v = m.vectors(slot);
  const std::int32_t program = m.run().program;
  const bool trial = program == program_polish || program == program_finish;
  float* gradient = trial ? v.trial_gradient : program == program_search ? v.gradient : nullptr;
  const std::int64_t warps = std::int64_t(gridDim.x) * (row_threads / 32);
  for (std::int64_t i = blockIdx.x * (row_threads / 32) + threadIdx.x / 32; i < m.state().points; i += warps)
    evaluate_row<L>(m, trial ? v.trial : v.x, gradient, i, m.row_values + slot * m.small_stride + i);
}

// One thread block: the picture's Σ (d − δ)² in the search and the glide.
template <int L>
__global__ void __launch_bounds__(team_threads) end_picture(MultilevelMemory<L> m) {
  __shared__ double scratch[33];
  if (evaluated_slot(m, 0, 0) != picture_slot) return;
  const std::int32_t program = m.run().program;
  if (program != program_search && program != program_glide) return;
  const BlockTeam team{scratch};
  const double* rows = m.row_values + picture_slot * m.small_stride;
  const double value = 0.5 * team.sum(m.state().points, [&](std::int64_t i) { return rows[i]; });
  if (!team.first()) return;
  if (program == program_search)
    m.end_picture_step(value);
  else
    m.end_glide(value);
}

template <int L>
__global__ void __launch_bounds__(team_threads) step_candidates(MultilevelMemory<L> m, int time) {
  __shared__ double scratch[33];
  const int slot = evaluated_slot(m, static_cast<int>(blockIdx.x), time);
  if (slot < 0) return;
  const BlockTeam team{scratch};
  const double* rows = m.row_values + slot * m.small_stride;
  const double value = 0.5 * team.sum(m.state().points, [&](std::int64_t i) { return rows[i]; });
  polish_step(team, m.polish[slot], m.vectors(slot), value, m.state().points, m.goal());
}

// Block row y: the full stress of layout y.
template <int L>
__global__ void __launch_bounds__(row_threads) rank_rows(MultilevelMemory<L> m) {
  if (!m.course.current(program_rank)) return;
  const std::int64_t warps = std::int64_t(gridDim.x) * (row_threads / 32);
  const int layout = blockIdx.y;
  for (std::int64_t i = blockIdx.x * (row_threads / 32) + threadIdx.x / 32; i < m.state().points; i += warps)
    evaluate_row<L>(m, m.layouts + layout * m.coordinates * m.small_stride, nullptr, i,
                    m.row_values + layout * m.small_stride + i);
}

template <int L>
__global__ void __launch_bounds__(team_threads) rank(MultilevelMemory<L> m, unsigned* arrived) {
  __shared__ double scratch[33];
  if (!m.course.current(program_rank)) return;
  const BlockTeam team{scratch};
  const int layout = blockIdx.x;
  const double* rows = m.row_values + layout * m.small_stride;
  const double sum = 0.5 * team.sum(m.state().points, [&](std::int64_t i) { return rows[i]; });
  if (team.first()) m.layout_errors[layout] = sum;
  if (last_block(arrived) && team.first()) m.end_rank();
}

// The best layouts, and the picture, become candidates; then the stage is over.
template <int L>
__global__ void __launch_bounds__(team_threads) begin_polish(MultilevelMemory<L> m, unsigned* arrived) {
  if (!m.course.current(program_rank)) return;
  const int place = blockIdx.x;
  if (place < m.state().alive) {
    const int slot = m.state().order[place], source = m.state().source[place];
    const PolishVectors v = m.vectors(slot);
    const float* layout = m.layouts + (source < 0 ? 0 : source) * m.coordinates * m.small_stride;
    for (std::int64_t k = threadIdx.x; k < v.size; k += blockDim.x) {
      const bool there = k % m.small_stride < m.state().points;
      if (source >= 0) v.x[k] = there ? layout[k] : 0.0f;
      v.trial[k] = v.x[k];
      v.gradient[k] = v.trial_gradient[k] = 0;
    }
    if (threadIdx.x == 0) m.polish[slot] = PolishState{};
  }
  if (last_block(arrived) && threadIdx.x == 0) m.course.end_iteration(m.course.shown(m.state().picture), true);
}

// δ² of 64 points from 64 others, four by four to a thread: own points 4·ty …, others 4·tx …. `own` and `others` are
// the slots, in shared memory.
inline constexpr int tile_columns = 32;  // staged at a time

struct TileMemory {
  float own[tile_columns][65], others[tile_columns][65];
};

template <int L>
__device__ inline void tile_squares(const MultilevelMemory<L>& m, const std::int64_t* own, const std::int64_t* others,
                                    TileMemory& memory, float (&square)[4][4]) {
  const int thread = threadIdx.x, ty = thread / 16, tx = thread % 16;
  for (auto& row : square)
    for (float& value : row) value = 0;
  for (std::int64_t first = 0; first < m.width; first += tile_columns) {
    const int columns = static_cast<int>(m.width - first < tile_columns ? m.width - first : tile_columns);
    __syncthreads();
    for (int k = thread; k < 64 * columns; k += tile_threads) {
      const int point = k / columns, h = k % columns;
      memory.own[h][point] = m.rows[own[point] * m.width + first + h];
      memory.others[h][point] = m.rows[others[point] * m.width + first + h];
    }
    __syncthreads();
    for (int h = 0; h < columns; ++h) {
      float a[4], b[4];
      for (int r = 0; r < 4; ++r) a[r] = memory.own[h][4 * ty + r], b[r] = memory.others[h][4 * tx + r];
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) square[r][c] = add_column(m.formula, square[r][c], a[r], b[c]);
    }
  }
  const bool normed = m.formula == RowFormula::products;
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      square[r][c] = m.scale_square * square_distance(m.formula, square[r][c], normed ? m.norms[own[4 * ty + r]] : 0.0f,
                                                      normed ? m.norms[others[4 * tx + c]] : 0.0f);
}

// δ² of 64 newcomers from their anchors, [newcomers' block][anchor][64], a tile of anchors to a thread block.
template <int L>
__global__ void __launch_bounds__(tile_threads) anchor_distances(MultilevelMemory<L> m, float* squares) {
  __shared__ TileMemory memory;
  __shared__ std::int64_t own[64], others[64];
  if (!m.course.current(program_place)) return;
  const std::int64_t first = m.state().first, n = m.state().points,
                     block = m.state().t * (place_part / 64) + blockIdx.x;
  if (first + 64 * block >= n) return;
  const int tile = blockIdx.y, thread = threadIdx.x;
  if (thread < 64) {
    own[thread] = static_cast<std::int64_t>(m.anchor_block(block, tile)) + thread;
    const std::int64_t i = first + 64 * block + thread;
    others[thread] = i < n ? i : n - 1;
  }
  __syncthreads();
  float square[4][4];
  tile_squares(m, own, others, memory, square);
  float* to = squares + (blockIdx.x * std::int64_t(place_effort.anchors) + 64 * tile) * 64;
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) to[(4 * (thread / 16) + r) * 64 + 4 * (thread % 16) + c] = square[r][c];
}

template <int L>
__global__ void __launch_bounds__(64) place_newcomers(MultilevelMemory<L> m, const float* squares) {
  __shared__ float anchors[place_effort.anchors * L];
  if (!m.course.current(program_place)) return;
  const std::int64_t first = m.state().first, n = m.state().points,
                     block = m.state().t * (place_part / 64) + blockIdx.x;
  if (first + 64 * block >= n) return;
  const int thread = threadIdx.x;
  for (int tile = 0; tile < place_effort.anchors / 64; ++tile) {
    const std::int64_t slot = static_cast<std::int64_t>(m.anchor_block(block, tile)) + thread;
    for (int c = 0; c < L; ++c) anchors[(64 * tile + thread) * L + c] = m.x[c * m.stride + slot];
  }
  __syncthreads();
  const std::int64_t i = first + 64 * block + thread;
  if (i >= n) return;
  const float* own = squares + blockIdx.x * std::int64_t(place_effort.anchors) * 64 + thread;
  float x[L];
  const PlaceEffort effort{place_effort.anchors, place_effort.few, place_effort.search, place_effort.refine};
  place_point<L, float>(
      effort,
      [&](int k, float(&p)[L]) {
        for (int c = 0; c < L; ++c) p[c] = anchors[k * L + c];
      },
      [&](int k) { return own[k * 64]; }, x);
  for (int c = 0; c < L; ++c) m.x[c * m.stride + i] = x[c] + m.jitter(i, c);
}

// A part of a round: a thread block for each block of 64 positions, which meets the blocks before and after it; pairs
// with those after count for the stress. The points' directions are found at once.
template <int L>
__global__ void __launch_bounds__(tile_threads)
    measure(MultilevelMemory<L> m, bool placing, double2* block_sums, unsigned* arrived) {
  constexpr int packed = MultilevelMemory<L>::packed;
  __shared__ TileMemory memory;
  __shared__ std::int64_t own[64], others[64];
  __shared__ double scratch[33];
  // A launch past the placing must not do a part of a round: the points have not moved before it.
  if (placing ? !m.course.current(program_place) || !m.state().placed : !m.course.current(program_round)) return;
  const RoundPlan plan = RoundPlan::of(m.state().points);
  const RoundOrder order = m.round_order();
  const std::int64_t begin = plan.part_begin(m.state().part), end = plan.part_begin(m.state().part + 1);
  const int thread = threadIdx.x, ty = thread / 16, tx = thread % 16;
  for (std::int64_t block = begin + blockIdx.x; block < end; block += gridDim.x) {
    __syncthreads();
    const std::int64_t size = plan.size(block);
    if (thread < 64) own[thread] = order.slot(64 * block + (thread < size ? thread : 0));
    __syncthreads();
    float a[4][L];
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < L; ++c) a[r][c] = m.x[c * m.stride + own[4 * ty + r]];
    PointSums<L, float> sums[4];
    double error = 0, total = 0;
    for (std::int64_t step = -plan.partners; step <= plan.partners; ++step) {
      if (step == 0) continue;
      const std::int64_t partner = (block + step + plan.blocks) % plan.blocks, count = plan.size(partner);
      __syncthreads();
      if (thread < 64) others[thread] = order.slot(64 * partner + (thread < count ? thread : 0));
      __syncthreads();
      float square[4][4];
      tile_squares(m, own, others, memory, square);
      for (int k = 0; k < 4; ++k) {
        if (4 * tx + k >= count) continue;
        float b[L];
        for (int c = 0; c < L; ++c) b[c] = m.x[c * m.stride + others[4 * tx + k]];
        for (int r = 0; r < 4; ++r) {
          if (4 * ty + r >= size) continue;
          const PointSums<L, float> terms = pair_terms<L>(square[r][k], a[r], b);
          add_terms(sums[r], terms);
          if (step > 0) error += static_cast<double>(terms.error), total += static_cast<double>(terms.size);
        }
      }
    }
    for (int r = 0; r < 4; ++r) {  // over the sixteen threads of a row, in a fixed tree
      for (int offset = 8; offset > 0; offset /= 2) {
        for (int c = 0; c < L; ++c) sums[r].gradient[c] += __shfl_xor_sync(0xffffffffu, sums[r].gradient[c], offset);
        for (int e = 0; e < packed; ++e) sums[r].hessian[e] += __shfl_xor_sync(0xffffffffu, sums[r].hessian[e], offset);
      }
      if (tx == 0 && 4 * ty + r < size) find_direction<L>(m, sums[r], plan.met(block), own[4 * ty + r]);
    }
    error = block_sum(error, scratch);
    total = block_sum(total, scratch);
    if (thread == 0) block_sums[block - begin] = {error, total};
  }
  if (!last_block(arrived)) return;
  double error = 0, total = 0;
  for (std::int64_t k = thread; k < end - begin; k += tile_threads) error += block_sums[k].x, total += block_sums[k].y;
  error = block_sum(error, scratch);
  total = block_sum(total, scratch);
  if (thread == 0) m.course.end_round_part(error, total);
}

}  // namespace cuda_kernels

}  // namespace kinescope::sim::glimmer
