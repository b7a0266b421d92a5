// The kernels of our own Glimmer: a thread block for each layout of the population and for each block of 64 points of a
// round, a warp for each row of the full stress. Decisions are taken by the last thread block to arrive; the host is
// never asked.
#pragma once

#include <cstdint>

#include "sim/core/cuda.cuh"
#include "sim/glimmer/multilevel_cuda_functors.cuh"

namespace kinescope::sim::glimmer {
namespace cuda_kernels {

// 1,280 pairs of 2,560 landmarks are two for each thread of a team of 640.
inline constexpr int team_threads = 640, polish_threads = 1024, tile_threads = 256, row_threads = 256;
inline constexpr int ahead = 2;  // pairs of a thread whose δ is fetched one matching ahead

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

// What a matching is known by.
struct MatchingTime {
  int rotation;
  float eta, squeeze;
  bool flat;
};

// A chunk of matchings of one layout, in shared memory where it fits.
template <int L, bool Shared>
__global__ void __launch_bounds__(team_threads) anneal(MultilevelMemory<L> m, unsigned* arrived) {
  constexpr int C = MultilevelMemory<L>::coordinates;
  extern __shared__ float shared_x[];
  __shared__ double scratch[33];
  __shared__ MatchingTime times[later_chunk];
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
  for (std::int64_t t = first + thread; t < first + timetable.chunk; t += team_threads)
    times[t - first] = {static_cast<int>(m.rotation(group, t)), timetable.eta(t, group), timetable.squeeze(t),
                        timetable.flat(t)};
  __syncthreads();
  // The pairs (i, r − i), and those round the end.
  const int last = static_cast<int>(n) - 1, wide = static_cast<int>(stride);
  const auto pair = [last](int r, int p, int& i, int& j) {
    const int low = (r + 1) / 2;
    i = p < low ? p : r + 1 + (p - low);
    j = p < low ? r - p : last - (p - low);
  };
  const auto pairs_of = [last](int r) { return (r + 1) / 2 + (last - r) / 2; };
  const auto delta_of = [&](int i, int j) { return m.matrix[i * m.small_stride + j]; };
  float fetched[ahead];
  const auto fetch = [&](int r) {
#pragma unroll
    for (int q = 0; q < ahead; ++q)
      if (const int p = thread + q * team_threads; p < pairs_of(r)) {
        int i, j;
        pair(r, p, i, j);
        fetched[q] = delta_of(i, j);
      }
  };
  double errors = 0, sizes = 0;
  const int chunk = static_cast<int>(timetable.chunk);
  fetch(times[0].rotation);
  for (int t = 0; t < chunk; ++t) {
    const MatchingTime time = times[t];
    float delta[ahead];
#pragma unroll
    for (int q = 0; q < ahead; ++q) delta[q] = fetched[q];
    if (t + 1 < chunk) fetch(times[t + 1].rotation);
    __syncthreads();
    float error_sum = 0, size_sum = 0;
    const auto move = [&](auto extra, int p, float distance) {
      constexpr int D = L + decltype(extra)::value;
      int i, j;
      pair(time.rotation, p, i, j);
      float a[D], b[D];
      for (int c = 0; c < D; ++c) a[c] = x[c * wide + i], b[c] = x[c * wide + j];
      const float error = move_pair<D>(distance, time.eta, a, b);
      for (int c = 0; c < D; ++c) x[c * wide + i] = a[c], x[c * wide + j] = b[c];
      error_sum += error * error;
      size_sum += distance * distance;
    };
    const auto matching = [&](auto extra) {
      const int pairs = pairs_of(time.rotation);
#pragma unroll
      for (int q = 0; q < ahead; ++q)
        if (const int p = thread + q * team_threads; p < pairs) move(extra, p, delta[q]);
      for (int p = thread + ahead * team_threads; p < pairs; p += team_threads) {
        int i, j;
        pair(time.rotation, p, i, j);
        move(extra, p, delta_of(i, j));
      }
    };
    if (time.flat)  // the extra coordinates are 0 by now
      matching(std::integral_constant<int, 0>());
    else
      matching(std::integral_constant<int, extra_dimensions>());
    errors += static_cast<double>(error_sum);
    sizes += static_cast<double>(size_sum);
    if (time.squeeze < 1) {
      __syncthreads();
      for (int c = L; c < C; ++c)
        for (std::int64_t i = thread; i < n; i += team_threads) x[c * stride + i] *= time.squeeze;
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

// Rows of Σ_j (d − δ)² and half the gradient of a layout, a warp to a row, four pairs of a thread at a time. x and
// gradient by coordinate with `stride`, a multiple of 32. A point's own pair adds nothing: δ = 0 there.
template <int L>
__device__ inline void evaluate_row(const MultilevelMemory<L>& m, const float* x, float* gradient, std::int64_t i,
                                    double* row_value) {
  const int n = static_cast<int>(m.state().points), stride = static_cast<int>(m.small_stride);
  const float* row = m.matrix + i * m.small_stride;
  float a[L], sum[L] = {};
  for (int c = 0; c < L; ++c) a[c] = x[c * stride + i];
  double value = 0;
  for (int j = 4 * (threadIdx.x % 32); j < n; j += 128) {
    const float4 deltas = *reinterpret_cast<const float4*>(row + j);
    const float delta[4] = {deltas.x, deltas.y, deltas.z, deltas.w};
    float other[L][4], errors = 0;
    for (int c = 0; c < L; ++c) {
      const float4 part = *reinterpret_cast<const float4*>(x + c * stride + j);
      other[c][0] = part.x, other[c][1] = part.y, other[c][2] = part.z, other[c][3] = part.w;
    }
    for (int k = 0; k < 4; ++k) {
      if (j + k >= n) break;
      float between[L], square = tiny_square;
      for (int c = 0; c < L; ++c) {
        between[c] = a[c] - other[c][k];
        square = fmaf(between[c], between[c], square);
      }
      const float d = root(square), error = d - delta[k], part = quotient(error, d);
      errors = fmaf(error, error, errors);
      for (int c = 0; c < L; ++c) sum[c] = fmaf(part, between[c], sum[c]);
    }
    value += static_cast<double>(errors);
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
__global__ void __launch_bounds__(polish_threads) step_candidates(MultilevelMemory<L> m, int time) {
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

// δ² of 64 points from 64 others, four by four to a thread: own points 4·ty …, others 4·tx …. The rows' width is a
// multiple of four.
inline constexpr int tile_columns = 32;  // staged at a time
inline constexpr int tile_pitch = 68;    // points, and four more, so that the columns' values lie in all banks

struct TileMemory {
  alignas(16) float own[tile_columns][tile_pitch], others[tile_columns][tile_pitch];
  std::int32_t own_slots[64], other_slots[64];
};

// `columns` columns of 64 points' rows, turned.
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

// Slots lie in `memory` (the caller has waited for them). `own_staged`: the own rows, if they fit, lie there from
// before.
template <int L>
__device__ inline void tile_squares(const MultilevelMemory<L>& m, TileMemory& memory, bool own_staged,
                                    float (&square)[4][4]) {
  const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
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

// δ of the first small_points, a tile to a thread block; 0 on the diagonal and past the last point.
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

// δ² of 64 newcomers from their anchors, [newcomers block][anchor][64], a tile of anchors to a thread block.
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

// Four neighbouring threads, which share a newcomer's anchors.
struct Quartet {
  static constexpr int stride = 4;
  int first;
  unsigned mask;

  __device__ float sum(float value) const {
    value += __shfl_xor_sync(mask, value, 1);
    return value + __shfl_xor_sync(mask, value, 2);
  }
};

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
  const Quartet group{thread % 4, 0xfu << (thread % 32 / 4 * 4)};
  const float* own = squares + blockIdx.x * std::int64_t(place_effort.anchors) * 64 + point;
  float x[L];
  const PlaceEffort effort{place_effort.anchors, place_effort.few, place_effort.search, place_effort.refine};
  place_point<L, float>(
      effort,
      [&](int k, float(&p)[L]) {
        for (int c = 0; c < L; ++c) p[c] = anchors[k * L + c];
      },
      [&](int k) { return own[k * 64]; }, x, group);
  if (group.first == 0)
    for (int c = 0; c < L; ++c) m.x[c * m.stride + i] = x[c] + m.jitter(i, c);
}

// A part of a round: a thread block meets 64 positions with partner blocks after them. Each pair is looked at once, and
// counts for both of its points.
template <int L>
__global__ void __launch_bounds__(tile_threads, 2)
    measure(MultilevelMemory<L> m, bool placing, RoundSums<L> round, double2* task_sums, unsigned* arrived) {
  constexpr int values = RoundSums<L>::values, warps = tile_threads / 32;
  __shared__ TileMemory memory;
  __shared__ float column_sums[warps][values][64];
  __shared__ double scratch[33];
  // A launch past the placing must not do a part of a round: the points have not moved before it.
  if (placing ? !m.course.current(program_place) || !m.state().placed : !m.course.current(program_round)) return;
  const RoundPlan plan = RoundPlan::of(m.state().points, m.state().few_partners);
  const RoundOrder order = round.order(m.state().rounds);
  const int splits = round.splits(plan), each = static_cast<int>(plan.partners) / splits;
  const std::int64_t begin = plan.part_begin(m.state().part),
                     tasks = (plan.part_begin(m.state().part + 1) - begin) * splits;
  const int thread = threadIdx.x, ty = thread / 16, tx = thread % 16;
  // The sums of one thread over its pairs, by value.
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
    for (int r = 0; r < 4; ++r)  // over the sixteen threads of a row, in a fixed tree
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
