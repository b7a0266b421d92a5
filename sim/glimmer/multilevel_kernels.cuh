// The kernels of our own Glimmer: a thread block for each layout of the population and for each pair of blocks of a
// matching, a warp for each row of the full stress. Decisions are taken by the last thread block to arrive; the host is
// never asked.
#pragma once

#include <cstdint>

#include "sim/core/cuda.cuh"
#include "sim/glimmer/matching_memory.hpp"

namespace kinescope::sim::glimmer {
namespace cuda_kernels {

inline constexpr int team_threads = 512, relax_threads = 256, row_threads = 256;

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

// 32 matchings of one layout, in shared memory where it fits.
template <int L, bool Shared>
__global__ void __launch_bounds__(team_threads) anneal(MatchingMemory<L> m, unsigned* arrived) {
  constexpr int C = MatchingMemory<L>::coordinates;
  extern __shared__ float shared_x[];
  __shared__ double scratch[33];
  if (!m.course.current(program_anneal)) return;
  const Annealing timetable = m.annealing();
  const std::int64_t n = m.state().points, first = m.state().t;
  const int layout = blockIdx.x, group = layout / group_size, thread = threadIdx.x,
            dimensions = timetable.squeezes ? C : L;
  float* home = m.layouts + layout * C * m.small_stride;
  const std::int64_t stride = Shared ? n : m.small_stride;
  float* x = Shared ? shared_x : home;
  const bool starts = timetable.starts && first == 0, starts_again = timetable.squeezes && first == timetable.second;
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
  if (last_block(arrived) && thread == 0) m.end_anneal();
}

// Rows of Σ_j (d − δ)² and half the gradient of a layout, a warp to a row. x and gradient by coordinate with `stride`.
template <int L>
__device__ inline void evaluate_row(const MatchingMemory<L>& m, const float* x, float* gradient, std::int64_t i,
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

template <int L>
__global__ void __launch_bounds__(row_threads) evaluate_candidates(MatchingMemory<L> m) {
  if (!m.course.current(program_polish) || blockIdx.y >= m.state().alive) return;
  const int candidate = m.state().order[blockIdx.y];
  if (m.polish[candidate].resting) return;
  const PolishVectors v = m.vectors(candidate);
  const std::int64_t warps = std::int64_t(gridDim.x) * (row_threads / 32);
  for (std::int64_t i = blockIdx.x * (row_threads / 32) + threadIdx.x / 32; i < m.state().points; i += warps)
    evaluate_row<L>(m, v.trial, v.trial_gradient, i, m.row_values + candidate * m.small_stride + i);
}

template <int L>
__global__ void __launch_bounds__(team_threads) step_candidates(MatchingMemory<L> m, unsigned* arrived) {
  __shared__ double scratch[33];
  if (!m.course.current(program_polish)) return;
  const int place = blockIdx.x;
  if (place < m.state().alive) {
    const int candidate = m.state().order[place];
    if (!m.polish[candidate].resting) {
      const BlockTeam team{scratch};
      const double* rows = m.row_values + candidate * m.small_stride;
      const double value = 0.5 * team.sum(m.state().points, [&](std::int64_t i) { return rows[i]; });
      polish_step(team, m.polish[candidate], m.vectors(candidate), value, m.state().points, m.goal());
    }
  }
  if (last_block(arrived) && threadIdx.x == 0) m.end_polish();
}

// Block row y < population: the full stress of layout y; y = population: Σδ².
template <int L>
__global__ void __launch_bounds__(row_threads) rank_rows(MatchingMemory<L> m, double* size_rows) {
  if (!m.course.current(program_rank)) return;
  const std::int64_t warps = std::int64_t(gridDim.x) * (row_threads / 32);
  for (std::int64_t i = blockIdx.x * (row_threads / 32) + threadIdx.x / 32; i < m.state().points; i += warps) {
    const int layout = blockIdx.y;
    if (layout < population) {
      evaluate_row<L>(m, m.layouts + layout * m.coordinates * m.small_stride, nullptr, i,
                      m.row_values + layout * m.small_stride + i);
    } else {
      double square = 0;
      for (std::int64_t j = threadIdx.x % 32; j < m.state().points; j += 32) {
        const double delta = m.matrix[i * m.small_stride + j];
        square += delta * delta;
      }
      square = warp_sum(square);
      if (threadIdx.x % 32 == 0) size_rows[i] = square;
    }
  }
}

template <int L>
__global__ void __launch_bounds__(team_threads) rank(MatchingMemory<L> m, const double* size_rows, unsigned* arrived) {
  __shared__ double scratch[33];
  if (!m.course.current(program_rank)) return;
  const BlockTeam team{scratch};
  const int layout = blockIdx.x;
  const double* rows = layout < population ? m.row_values + layout * m.small_stride : size_rows;
  const double sum = 0.5 * team.sum(m.state().points, [&](std::int64_t i) { return rows[i]; });
  if (team.first()) (layout < population ? m.layout_errors[layout] : m.course.state->delta_square) = sum;
  if (last_block(arrived) && team.first()) m.end_rank();
}

// The best layouts become candidates; then the stage is over.
template <int L>
__global__ void __launch_bounds__(team_threads) begin_polish(MatchingMemory<L> m, unsigned* arrived) {
  if (!m.course.current(program_rank)) return;
  const int place = blockIdx.x;
  if (place < m.state().alive) {
    const int slot = m.state().order[place];
    const PolishVectors v = m.vectors(slot);
    const float* layout = m.layouts + m.state().source[place] * m.coordinates * m.small_stride;
    for (std::int64_t k = threadIdx.x; k < v.size; k += blockDim.x) {
      const bool there = k % m.small_stride < m.state().points;
      v.x[k] = v.trial[k] = there ? layout[k] : 0.0f;
      v.gradient[k] = v.trial_gradient[k] = 0;
    }
    if (threadIdx.x == 0) m.polish[slot] = PolishState{};
  }
  if (last_block(arrived) && threadIdx.x == 0) m.course.end_iteration(m.run().figure, true);
}

// Eight matchings of a pair of blocks of points (matching_cpu_large.hpp states which), the positions in shared memory
// meanwhile.
template <int L, Metric M>
__global__ void __launch_bounds__(relax_threads) relax(MatchingMemory<L> m, double2* block_sums, unsigned* arrived) {
  constexpr int size_limit = 256;
  __shared__ float x[2][L][size_limit];
  __shared__ double scratch[33];
  __shared__ float etas[sub_matchings];
  __shared__ std::uint32_t draws[sub_matchings][2];
  if (!m.course.current(program_relax)) return;
  const std::int64_t n = m.state().points, blocks = m.state().blocks, size = m.block_size(n),
                     step = m.state().t / sub_matchings;
  const int thread = threadIdx.x, vectors = static_cast<int>(size / 8);
  const Random random(m.seed, stream_matching + 16 * static_cast<std::uint32_t>(m.run().level));
  const std::int64_t r =
      uniform_below(random.words(static_cast<std::uint64_t>(step), 0xffffffffu)[0], static_cast<std::uint32_t>(blocks));
  const bool averaging = m.course.averaging(), begins = m.state().weight_sum == 0;
  const float weight = m.course.average_weight();
  if (thread < sub_matchings) etas[thread] = m.course.relax_eta(thread);
  for (std::int64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
    const std::int64_t q = (r - b + blocks) % blocks;
    if (q < b) {
      if (thread == 0) block_sums[b] = {0, 0};
      continue;
    }
    __syncthreads();
    if (thread < sub_matchings) {
      const RandomWords words =
          random.words(static_cast<std::uint64_t>(step), static_cast<std::uint32_t>(b * sub_matchings + thread));
      draws[thread][0] = words[0] % static_cast<std::uint32_t>(vectors);
      draws[thread][1] = words[1] & 7;
    }
    for (int side = 0; side < 2; ++side)
      for (int c = 0; c < L; ++c) {
        const std::int64_t i = (side == 0 ? b : q) * size + thread;
        if (thread < size && i < n) x[side][c][thread] = m.x[c * m.stride + i];
      }
    double errors = 0, sizes = 0;
    float(*other)[size_limit] = q == b ? x[0] : x[1];
    for (int u = 0; u < sub_matchings; ++u) {
      __syncthreads();
      const int v = thread / 8, w = (static_cast<int>(draws[u][0]) - v) & (vectors - 1);
      const int partner = w * 8 + ((static_cast<int>(draws[u][1]) - thread) & 7);
      const std::int64_t i = b * size + thread, j = q * size + partner;
      if (thread >= size || i >= n || j >= n || (q == b && w <= v)) continue;
      float delta = 0;
      const float* column = m.columns;
      for (std::int32_t h = 0; h < m.dimensions; ++h, column += m.stride)
        delta = add_dimension(M, delta, column[i], column[j]);
      delta = finish_distance(M, delta) * m.scale;
      float own[L], theirs[L];
      for (int c = 0; c < L; ++c) own[c] = x[0][c][thread], theirs[c] = other[c][partner];
      const float error = move_pair<L>(delta, etas[u], own, theirs);
      for (int c = 0; c < L; ++c) x[0][c][thread] = own[c], other[c][partner] = theirs[c];
      errors += static_cast<double>(error * error);
      sizes += static_cast<double>(delta * delta);
    }
    __syncthreads();
    for (int side = 0; side < (q == b ? 1 : 2); ++side)
      for (int c = 0; c < L; ++c) {
        const std::int64_t i = (side == 0 ? b : q) * size + thread;
        if (thread >= size || i >= n) continue;
        const std::int64_t k = c * m.stride + i;
        m.x[k] = x[side][c][thread];
        if (averaging) m.average[k] = (begins ? 0.0f : m.average[k]) + weight * x[side][c][thread];
      }
    errors = block_sum(errors, scratch);
    sizes = block_sum(sizes, scratch);
    if (thread == 0) block_sums[b] = {errors, sizes};
  }
  if (!last_block(arrived)) return;
  double errors = 0, sizes = 0;
  for (std::int64_t b = thread; b < blocks; b += relax_threads) errors += block_sums[b].x, sizes += block_sums[b].y;
  errors = block_sum(errors, scratch);
  sizes = block_sum(sizes, scratch);
  if (thread == 0) m.course.end_relax(errors, sizes);
}

}  // namespace cuda_kernels

}  // namespace kinescope::sim::glimmer
