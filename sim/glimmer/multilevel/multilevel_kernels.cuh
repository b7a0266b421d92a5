// The kernels for the landmarks and the picture of our own Glimmer: a thread block for each layout of the population, a
// warp for each row of the full stress. The last thread block to finish takes the decisions, without the host.
#pragma once

#include <cstdint>

#include "kinescope/executors/cuda.cuh"
#include "kinescope/executors/warp.cuh"
#include "sim/glimmer/multilevel/multilevel_cuda_functors.cuh"

namespace kinescope::sim::glimmer {
namespace cuda_kernels {

// In a matching, 2,560 landmarks make 1,280 pairs: two for each thread of a team of 640.
inline constexpr int team_threads = 640, polish_threads = 1024, tile_threads = 256, row_threads = 256;
inline constexpr int ahead = 2;  // number of pairs per thread whose δ is fetched one matching ahead

// The sum over a thread block, returned to all its threads. `scratch` has 33 elements.
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

// True, for all threads, in the launch's last thread block to call it. That block sees what the others wrote before.
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

// A team that is a thread block (polish.hpp).
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

// The values of one matching that depend on when it is made.
struct MatchingTime {
  int rotation;
  float eta, squeeze;
  bool flat;
};

// Makes a chunk of matchings of one layout, in shared memory if it fits.
template <int L, bool Shared>
__global__ void __launch_bounds__(team_threads) anneal(MultilevelMemory<L> m, unsigned* arrived) {
  constexpr int C = MultilevelMemory<L>::coordinates;
  extern __shared__ float shared_x[];
  __shared__ double scratch[33];
  __shared__ MatchingTime times[later_chunk];
  if (!m.course.current(program_search)) return;
  if (m.state().batch == 0 && m.state().picture <= floor_stress) {  // nothing can be better than this
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
  // Other layouts may have changed already. So the second start reads the copies made at the end of the first
  // annealing.
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
  // The pairs (i, r − i), then those that wrap around.
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
      if (distance != distance) return;  // a pair without a distance
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

// A row of the full stress: Σ_j (d − δ)² and half the gradient of one point. One warp takes a row, four pairs for each
// thread at a time. x and gradient are stored by coordinate with `stride`, a multiple of 32. A point's pair with itself
// adds nothing, because its δ is 0.
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
      if (delta[k] != delta[k]) continue;  // a pair without a distance
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
    sum[c] = warp_sum(sum[c]);
    if (gradient && threadIdx.x % 32 == 0) gradient[c * stride + i] = sum[c];
  }
  if (threadIdx.x % 32 == 0) *row_value = value;
}

// The slot of the candidate that place y of the launch evaluates in this iteration, or −1.
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

// Computes, in one thread block, the picture's Σ (d − δ)² during the search and the glide.
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

// Block row y computes the rows of the full stress of layout y.
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

// The best layouts and the picture become candidates. Then the stage is over.
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

}  // namespace cuda_kernels

}  // namespace kinescope::sim::glimmer
