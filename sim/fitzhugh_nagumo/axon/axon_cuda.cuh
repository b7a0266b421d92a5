// The axon's own kernels on CUDA.
//   march_tiles   several explicit steps in registers between two passes over memory, one tile per warp
//   march_whole   the whole run of a short axon in one block
//   step_tiles    a step of the implicit scheme with all its Newton iterations in one pass over memory (halo)
//   solve_tiles   one tridiagonal system in one pass over memory (halo)
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "kinescope/executors/cuda.cuh"
#include "sim/fitzhugh_nagumo/axon/adaptive_cuda.cuh"
#include "sim/fitzhugh_nagumo/axon/axon.hpp"
#include "sim/fitzhugh_nagumo/axon/cusparse.hpp"
#include "sim/fitzhugh_nagumo/axon/partition_cuda.cuh"
#include "sim/fitzhugh_nagumo/warp_tile.cuh"

namespace kinescope::sim::fitzhugh_nagumo {
namespace axon_kernels {

inline constexpr int depth = 16;     // explicit steps between two passes over memory; width of a tile's halo
inline constexpr int threads = 256;  // threads of a block
inline constexpr int warps = threads / warp_width;
inline constexpr int resident_nodes = 4;  // nodes per thread in march_whole
inline constexpr int most_warps = 32;
inline constexpr int implicit_nodes = 8;  // nodes per thread in step_tiles and solve_tiles

// Nodes per thread in march_tiles: more of them waste less in the halo, but doubles need twice the registers.
template <class T>
inline constexpr int explicit_nodes = sizeof(T) == 8 ? 8 : 16;

// Which of a thread's nodes are columns of the kept rows.
struct KeptNodes {
  std::int64_t column;  // column of the first such node
  unsigned mask = 0;    // a bit for each node

  template <int M>
  __device__ static KeptNodes of(const Rows& rows, std::int64_t base, std::int64_t nodes, int place, int halo) {
    KeptNodes kept;
    kept.column = base <= 0 ? 0 : (base + rows.stride - 1) / rows.stride;
    std::int64_t next = rows.along(kept.column);
    const bool own = rows.values && place >= halo && place < warp_width * M - halo;  // M divides the halo
#pragma unroll
    for (int i = 0; i < M; ++i)
      if (base + i == next) {
        if (own && next < nodes) kept.mask |= 1u << i;
        next = next + rows.stride < nodes - 1 ? next + rows.stride : nodes - 1;
      }
    return kept;
  }
  template <class T, int M>
  __device__ void write(const Rows& rows, std::int64_t row, const T (&v)[M]) const {
    float* to = rows.values + row * rows.columns + column;
#pragma unroll
    for (int i = 0; i < M; ++i)
      if (mask >> i & 1) *to++ = static_cast<float>(v[i]);
  }
};

// Does `steps` steps from `iteration` on and keeps the rows that are due. `row_at` is the iteration of the next row.
template <bool any_held, class T, int M>
__device__ void march_tile(const ExplicitRun<T>& run, const March& march, std::int64_t iteration, int steps,
                           const KeptNodes& kept, unsigned held, std::int64_t& row, std::int64_t& row_at, T (&v)[M],
                           T (&w)[M]) {
  const ExplicitStep<T> step = run.step;
  while (steps > 0) {
    // A stretch ends where a row is kept, so that the loop over its steps need not look for rows.
    const std::int64_t to_row = row_at - iteration;
    const int stretch = to_row < steps ? static_cast<int>(to_row) : steps;
    for (int s = 0; s < stretch; ++s) step_tile<any_held>(step, held, v, w);
    iteration += stretch;
    steps -= stretch;
    if (iteration != row_at) continue;
    kept.write(run.rows, row, v);
    while (row_at <= iteration) row_at = march.iteration_of_row(++row);
  }
}

// A bit for each of a thread's nodes that stands for the held one.
template <int M>
__device__ unsigned held_in(const Held& held, std::int64_t base, std::int64_t nodes) {
  unsigned mask = 0;
  if (held.radius < 0) return mask;
#pragma unroll
  for (int i = 0; i < M; ++i) mask |= unsigned(held.holds(reflected(base + i, nodes))) << i;
  return mask;
}

template <class T>
__global__ void __launch_bounds__(threads) march_tiles(ExplicitRun<T> run) {
  constexpr int M = explicit_nodes<T>, own = warp_width * M - 2 * depth;
  const March march = *run.march;
  if (march.steps == 0) return;
  const std::int64_t tile = std::int64_t(blockIdx.x) * warps + threadIdx.x / warp_width;
  if (tile * own >= run.nodes) return;
  const int place = threadIdx.x % warp_width * M, steps = static_cast<int>(march.steps);
  const std::int64_t base = tile * own - depth + place, iteration = run.run->iteration;
  T v[M], w[M];
  load_tile(run.fields.v[march.current], base, run.nodes, v);
  load_tile(run.fields.w[march.current], base, run.nodes, w);
  std::int64_t row = march.row, row_at = march.row_at;
  const unsigned held = held_in<M>(run.held, base, run.nodes);
  const KeptNodes kept = KeptNodes::of<M>(run.rows, base, run.nodes, place, depth);
  if (__any_sync(whole_warp, held != 0))
    march_tile<true>(run, march, iteration, steps, kept, held, row, row_at, v, w);
  else
    march_tile<false>(run, march, iteration, steps, kept, held, row, row_at, v, w);
  store_tile(run.fields.v[march.current ^ 1], base, run.nodes, place, depth, v);
  store_tile(run.fields.w[march.current ^ 1], base, run.nodes, place, depth, w);
  if (!march.checks(iteration + steps)) return;
  const std::uint32_t largest = largest_of_tile(base, run.nodes, place, depth, v);
  // Taking a block's largest value first would cost more, because warps would wait for each other.
  if (place == 0) raise_on_device(&run.march->largest[run.solution], largest);
}

// One block does all: the axon is in shared memory and its tiles are in the warps' registers, exchanged every `depth`
// steps. The kernel also does Turn's bookkeeping.
template <class T>
__global__ void __launch_bounds__(most_warps* warp_width)
    march_whole(ExplicitRun<T> run, HistoryPoint* history, std::int64_t capacity, std::int64_t most_steps) {
  constexpr int M = resident_nodes, own = warp_width * M - 2 * depth;
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ std::uint32_t largest[3];
  const March march = *run.march;
  const RunState begun = *run.run;
  if (begun.converged) return;
  const std::int64_t padded = (run.nodes + 3) / 4 * 4;
  T* shared_v = reinterpret_cast<T*>(memory);
  T* shared_w = shared_v + 2 * padded;
  for (std::int64_t i = threadIdx.x; i < run.nodes; i += blockDim.x) {
    shared_v[i] = run.fields.v[march.current][i];
    shared_w[i] = run.fields.w[march.current][i];
  }
  if (threadIdx.x < 3) largest[threadIdx.x] = 0;
  __syncthreads();
  const int place = threadIdx.x % warp_width * M;
  const std::int64_t base = std::int64_t(threadIdx.x / warp_width) * own - depth + place;
  const unsigned held = held_in<M>(run.held, base, run.nodes);
  const bool any_held = __any_sync(whole_warp, held != 0);
  const KeptNodes kept = KeptNodes::of<M>(run.rows, base, run.nodes, place, depth);
  std::int64_t end = begun.iteration + most_steps, iteration = begun.iteration, row = march.row, row_at = march.row_at;
  end = march.allowed < end ? march.allowed : end;
  end = march.last < end ? march.last : end;
  int at[M];  // places of the thread's nodes, or of their images beyond the ends
#pragma unroll
  for (int i = 0; i < M; ++i) at[i] = static_cast<int>(reflected(base + i, run.nodes));
  float figure = begun.figure;
  bool unstable = false;
  int from = 0;
  for (int chunk = 0; iteration < end && !unstable; ++chunk) {
    const std::int64_t to_depth = depth - iteration % depth;
    const int steps = static_cast<int>(to_depth < end - iteration ? to_depth : end - iteration), slot = chunk % 3;
    T v[M], w[M];
#pragma unroll
    for (int i = 0; i < M; ++i) {
      v[i] = shared_v[from * padded + at[i]];
      w[i] = shared_w[from * padded + at[i]];
    }
    if (any_held)
      march_tile<true>(run, march, iteration, steps, kept, held, row, row_at, v, w);
    else
      march_tile<false>(run, march, iteration, steps, kept, held, row, row_at, v, w);
    from ^= 1;
    store_tile(shared_v + from * padded, base, run.nodes, place, depth, v);
    store_tile(shared_w + from * padded, base, run.nodes, place, depth, w);
    const bool judged = march.checks(iteration + steps);
    const std::uint32_t mine = largest_of_tile(base, run.nodes, place, depth, v);
    if (place == 0) atomicMax(&largest[slot], mine);
    __syncthreads();
    const float now = __uint_as_float(largest[slot]);
    if (threadIdx.x == 0)
      largest[(slot + 2) % 3] = 0;  // it was last read before this barrier and is next used after another one
    unstable = judged && !(now <= unstable_above);
    for (int s = threadIdx.x; s < steps; s += blockDim.x)
      if (iteration + s < capacity)
        history[iteration + s] = {static_cast<long>(iteration + s + 1), s == steps - 1 && judged ? now : figure,
                                  static_cast<std::int16_t>(begun.level), static_cast<std::int16_t>(begun.phase)};
    if (judged) figure = now;
    iteration += steps;
  }
  for (std::int64_t i = threadIdx.x; i < run.nodes; i += blockDim.x) {
    run.fields.v[march.current][i] = shared_v[from * padded + i];
    run.fields.w[march.current][i] = shared_w[from * padded + i];
  }
  if (threadIdx.x != 0) return;
  RunState* state = const_cast<RunState*>(run.run);
  state->iteration = iteration;
  state->figure = figure;
  march.judge(*state, unstable, most_steps);
  run.march->row = row;
  run.march->row_at = row_at;
}

// How many doublings of distance solve_tile needs: after k of them rows 8 · 2^k apart still affect each other, and rows
// a halo apart never do.
__device__ __forceinline__ int couplings_within(int halo) {
  int k = 0;
  while (k < 5 && (implicit_nodes << k) < halo) ++k;
  return k;
}

// What a block of step_tiles finds, gathered in shared memory.
struct StepFindings {
  std::uint32_t largest, iterations, corrections[newton_limit];
};

template <bool any_held, class T>
__device__ void step_tile_implicitly(const HaloRun<T>& run, std::int64_t tile, StepFindings& findings) {
  constexpr int M = implicit_nodes;
  const int current = run.march->current;
  const int halo = static_cast<int>(run.halo), couplings = couplings_within(halo);
  const std::int64_t own = warp_width * M - 2 * halo;
  const int place = threadIdx.x % warp_width * M;
  const std::int64_t base = tile * own - halo + place;
  const ImplicitStep<T> step = run.step;
  T v[M], known[M], offset[M];
  load_tile(run.fields.v[current], base, run.nodes, v);
  load_tile(run.fields.w[current], base, run.nodes, offset);
  const unsigned held = any_held ? held_in<M>(run.held, base, run.nodes) : 0;
  const auto beside = [&](const T(&values)[M], int i, T left, T right) {
    return (i > 0 ? values[i > 0 ? i - 1 : 0] : left) + (i + 1 < M ? values[i + 1 < M ? i + 1 : i] : right);
  };
  T left = __shfl_up_sync(whole_warp, v[M - 1], 1), right = __shfl_down_sync(whole_warp, v[0], 1);
#pragma unroll
  for (int i = 0; i < M; ++i) {
    known[i] = step.known(v[i], beside(v, i, left, right), offset[i]);
    offset[i] = step.offset(v[i], offset[i]);
  }
  const auto coupling = [&](int) { return -step.r_half; };
  // A diagonal this large keeps the value of the row fixed.
  const auto diagonal = [&](int i) { return any_held && (held >> i & 1) ? T(1e30) : step.diagonal(v[i]); };
  bool converged = false;
  for (int iteration = 0; iteration < newton_limit && !converged; ++iteration) {
    left = __shfl_up_sync(whole_warp, v[M - 1], 1);
    right = __shfl_down_sync(whole_warp, v[0], 1);
    T correction[M];
#pragma unroll
    for (int i = 0; i < M; ++i)
      correction[i] = any_held && (held >> i & 1) ? T(0) : step.residual(v[i], beside(v, i, left, right), known[i]);
    solve_tile<T, M>(coupling, diagonal, coupling, correction, couplings);
    std::uint32_t all = 0;
#pragma unroll
    for (int i = 0; i < M; ++i) {
      v[i] -= correction[i];
      const std::uint32_t bits = __float_as_uint(static_cast<float>(correction[i])) & 0x7FFFFFFFu;
      all = bits > all ? bits : all;
    }
    all = warp_max(all);
    converged = __uint_as_float(all) <= newton_tolerance<T>;
    if (place != 0) continue;
    atomicMax(&findings.corrections[iteration], all);
    atomicMax(&findings.iterations, static_cast<std::uint32_t>(iteration + 1));
  }
#pragma unroll
  for (int i = 0; i < M; ++i) offset[i] = step.next_w(v[i], offset[i]);
  store_tile(run.fields.v[current ^ 1], base, run.nodes, place, halo, v);
  store_tile(run.fields.w[current ^ 1], base, run.nodes, place, halo, offset);
  const std::uint32_t largest = largest_of_tile(base, run.nodes, place, halo, v);
  if (place == 0) atomicMax(&findings.largest, converged ? largest : 0x7FC00000u);
}

template <bool any_held, class T>
__global__ void __launch_bounds__(threads) step_tiles(HaloRun<T> run) {
  __shared__ StepFindings findings;
  __shared__ unsigned arrived;
  if (run.march->steps == 0) return;
  constexpr unsigned words = sizeof(StepFindings) / sizeof(std::uint32_t);
  auto* found = reinterpret_cast<volatile std::uint32_t*>(&findings);
  if (threadIdx.x < words) found[threadIdx.x] = 0;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  const std::int64_t tile = std::int64_t(blockIdx.x) * warps + threadIdx.x / warp_width;
  if (tile * (warp_width * implicit_nodes - 2 * run.halo) < run.nodes)
    step_tile_implicitly<any_held>(run, tile, findings);
  if (!last_warp(&arrived)) return;
  const unsigned word = threadIdx.x % warp_width;
  if (word == 0)
    raise_on_device(&run.march->largest[run.solution], found[0]);
  else if (word < words)  // NewtonSteps has iterations and corrections in this order too
    raise_on_device(reinterpret_cast<std::uint32_t*>(&run.newton->now) + word - 1, found[word]);
}

template <class T>
__global__ void __launch_bounds__(threads)
    solve_tiles(System<T> system, T* solution, std::int64_t rows, int halo, const std::int32_t* idle) {
  constexpr int M = implicit_nodes;
  if (idle && *idle) return;
  const std::int64_t own = warp_width * M - 2 * halo;
  const std::int64_t tile = std::int64_t(blockIdx.x) * warps + threadIdx.x / warp_width;
  if (tile * own >= rows) return;
  const int place = threadIdx.x % warp_width * M;
  const std::int64_t base = tile * own - halo + place;
  T lower[M], diagonal[M], upper[M], right[M];
  load_rows(system.lower, base, rows, T(0), lower);
  load_rows(system.diagonal, base, rows, T(1), diagonal);
  load_rows(system.upper, base, rows, T(0), upper);
  load_rows(system.right, base, rows, T(0), right);
  solve_tile<T, M>([&](int i) { return lower[i]; }, [&](int i) { return diagonal[i]; }, [&](int i) { return upper[i]; },
                   right, halo == 0 ? 5 : couplings_within(halo));
  store_tile(solution, base, rows, place, halo, right);
}

inline unsigned blocks_for(std::int64_t nodes, std::int64_t own) {
  const std::int64_t tiles = (nodes - 1) / own + 1;
  return static_cast<unsigned>((tiles - 1) / warps + 1);
}

}  // namespace axon_kernels

template <>
class AxonKernels<Cuda> {
 public:
  explicit AxonKernels(Cuda& cuda) : cuda_(cuda) {}

  static constexpr std::int64_t depth = axon_kernels::depth;
  static constexpr std::int64_t whole_run_steps = 8192;
  static constexpr bool holds_whole_run(std::int64_t nodes) {
    return nodes <= axon_kernels::most_warps * (warp_width * axon_kernels::resident_nodes - 2 * depth);
  }

  template <class T>
  void march(const ExplicitRun<T>& run) {
    constexpr std::int64_t own = warp_width * axon_kernels::explicit_nodes<T> - 2 * depth;
    cuda_.launch("explicit", {axon_kernels::blocks_for(run.nodes, own), axon_kernels::threads},
                 axon_kernels::march_tiles<T>, run);
  }

  template <class T>
  void march_whole(const ExplicitRun<T>& run, HistoryPoint* history, std::int64_t capacity) {
    constexpr std::int64_t own = warp_width * axon_kernels::resident_nodes - 2 * depth;
    const auto warps = static_cast<unsigned>((run.nodes - 1) / own + 1);
    const std::size_t bytes = 4 * static_cast<std::size_t>((run.nodes + 3) / 4 * 4) * sizeof(T);
    if (bytes > 40 << 10) cuda_.allow_shared(axon_kernels::march_whole<T>);
    cuda_.launch("explicit, whole", {1, warps * warp_width, bytes}, axon_kernels::march_whole<T>, run, history,
                 capacity, whole_run_steps);
  }

  template <class T>
  void march_adaptively(const AdaptiveRun<T>& run) {
    cuda_.launch("adaptive", {static_cast<unsigned>(run.tiles()), region_nodes}, axon_kernels::march_cells<T>, run);
  }

  template <class T>
  void step_by_halo(const HaloRun<T>& run) {
    const std::int64_t own = warp_width * axon_kernels::implicit_nodes - 2 * run.halo;
    const auto kernel = run.held.radius < 0 ? axon_kernels::step_tiles<false, T> : axon_kernels::step_tiles<true, T>;
    cuda_.launch("implicit", {axon_kernels::blocks_for(run.nodes, own), axon_kernels::threads}, kernel, run);
  }

  template <class T>
  void solve_by_halo(const System<T>& system, T* solution, std::int64_t rows, std::int64_t halo,
                     const std::int32_t* idle) {
    const std::int64_t own = warp_width * axon_kernels::implicit_nodes - 2 * halo;
    cuda_.launch("halo", {axon_kernels::blocks_for(rows, own), axon_kernels::threads}, axon_kernels::solve_tiles<T>,
                 system, solution, rows, static_cast<int>(halo), idle);
  }

  template <class T>
  void solve_one_tile(const System<T>& system, T* solution, std::int64_t rows, const std::int32_t* idle) {
    solve_by_halo(system, solution, rows, 0, idle);
  }
  template <class T>
  void reduce_tiles(const System<T>& system, std::int64_t rows, const Joints<T>& joints, const std::int32_t* idle) {
    cuda_.launch("reduce tiles", {axon_kernels::blocks_for(rows, partition_rows), axon_kernels::threads},
                 axon_kernels::reduce_tiles<T>, system, rows, joints, idle);
  }
  template <class T>
  void substitute_tiles(const System<T>& system, std::int64_t rows, const T* ends, T* solution,
                        const std::int32_t* idle) {
    cuda_.launch("substitute tiles", {axon_kernels::blocks_for(rows, partition_rows), axon_kernels::threads},
                 axon_kernels::substitute_tiles<T>, system, rows, ends, solution, idle);
  }

  // This solves even when idle, because the library cannot read the flag.
  template <class T>
  void solve_by_cusparse(const System<T>& system, T* solution, std::int64_t rows, const std::int32_t*) {
    if (!cusparse_) cusparse_ = std::make_unique<Cusparse>(cuda_);
    cusparse_->solve(system, solution, rows);
  }

 private:
  Cuda& cuda_;
  std::unique_ptr<Cusparse> cusparse_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
