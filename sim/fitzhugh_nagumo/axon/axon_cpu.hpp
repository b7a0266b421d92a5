// The axon's loops on the CPU. Tiles fit into the nearest caches, so that several explicit steps are done before the
// next pass over memory. The halo method works on tiles, too (implicit_cpu.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "kinescope/executors/cpu.hpp"
#include "sim/fitzhugh_nagumo/axon/adaptive_cpu.hpp"
#include "sim/fitzhugh_nagumo/axon/axon.hpp"
#include "sim/fitzhugh_nagumo/axon/implicit_cpu.hpp"
#include "sim/fitzhugh_nagumo/axon/loops_cpu.hpp"
#include "sim/fitzhugh_nagumo/axon/partition_cpu.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

template <>
class AxonKernels<Cpu> {
 public:
  explicit AxonKernels(Cpu& cpu) : cpu_(cpu) {}

  static constexpr std::int64_t depth = 16;
  static constexpr std::int64_t whole_run_steps = depth;
  static constexpr bool holds_whole_run(std::int64_t) { return false; }
  template <class T>
  void march_whole(const ExplicitRun<T>&, HistoryPoint*, std::int64_t) {}
  template <class T>
  void solve_by_cusparse(const System<T>&, T*, std::int64_t, const std::int32_t*) {}  // make_plan refuses it

  template <class T>
  void march(const ExplicitRun<T>& run) {
    if (run.march->steps == 0) return;
    cpu_.tasks("explicit", (run.nodes - 1) / explicit_tile + 1,
               [&](std::int64_t tile) { march_tile(run, tile * explicit_tile); });
  }

  template <class T>
  void march_adaptively(const AdaptiveRun<T>& run) {
    if (run.march->steps == 0) return;
    cpu_.tasks("adaptive", run.tiles(), [&](std::int64_t which) {
      AdaptiveTile<T> tile(run, which);
      if (tile.begin()) tile.march();
    });
  }

  template <class T>
  void step_by_halo(const HaloRun<T>& run) {
    if (run.march->steps == 0) return;
    fitzhugh_nagumo::step_by_halo(cpu_, run);
  }

  template <class T>
  void solve_by_halo(const System<T>& system, T* solution, std::int64_t rows, std::int64_t halo,
                     const std::int32_t* idle) {
    if (idle && *idle) return;
    cpu_.tasks("halo", (rows - 1) / implicit_tile + 1, [&](std::int64_t tile) {
      const std::int64_t own = tile * implicit_tile, own_end = std::min(own + implicit_tile, rows);
      const std::int64_t begin = std::max<std::int64_t>(0, own - halo), end = std::min(own_end + halo, rows);
      std::array<T, implicit_tile + 2 * most_halo> above, value;
      T last_above = 0, last = 0;
      for (std::int64_t i = begin; i < end; ++i) {
        const T lower = i == begin ? T(0) : system.lower[i], inverse = T(1) / (system.diagonal[i] - lower * last_above);
        above[i - begin] = last_above = system.upper[i] * inverse;
        value[i - begin] = last = (system.right[i] - lower * last) * inverse;
      }
      T next = 0;
      for (std::int64_t i = end - 1; i >= own; --i) {
        next = i == end - 1 ? value[i - begin] : value[i - begin] - above[i - begin] * next;
        if (i < own_end) solution[i] = next;
      }
    });
  }

  template <class T>
  void solve_one_tile(const System<T>& system, T* solution, std::int64_t rows, const std::int32_t* idle) {
    ThomasSolve<T>{system, solution, rows, idle}();
  }
  template <class T>
  void reduce_tiles(const System<T>& system, std::int64_t rows, const Joints<T>& joints, const std::int32_t* idle) {
    if (idle && *idle) return;
    cpu_.tasks("reduce tiles", TileGroup<T>::groups(rows),
               [&](std::int64_t group) { TileGroup<T>(system, rows, group).reduce(joints); });
  }
  template <class T>
  void substitute_tiles(const System<T>& system, std::int64_t rows, const T* ends, T* solution,
                        const std::int32_t* idle) {
    if (idle && *idle) return;
    cpu_.tasks("substitute tiles", TileGroup<T>::groups(rows),
               [&](std::int64_t group) { TileGroup<T>(system, rows, group).substitute(ends, solution, rows); });
  }

 private:
  static constexpr std::int64_t explicit_tile = 4096;
  // More than the places of a tile that stand for the held node, even if the axon has only 8 nodes.
  static constexpr std::size_t most_held = 8;

  template <class T>
  static void step_span(const ExplicitStep<T> step, const T* __restrict v, T* __restrict next, T* __restrict w,
                        std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      next[i] = step.next_v(v[i], v[i - 1] + v[i + 1], w[i]);
      w[i] = step.next_w(v[i], w[i]);
    }
  }

  // Finds a tile's places that stand for the held node: the node itself, and its images beyond the ends.
  template <class T>
  static int find_held(const ExplicitRun<T>& run, std::int64_t first, std::int64_t count,
                       std::array<std::int64_t, most_held>& held) {
    int found = 0;
    for (std::int64_t i = 0; run.held.radius >= 0 && i < count; ++i)
      if (run.held.holds(reflected(first + i, run.nodes))) held[static_cast<std::size_t>(found++)] = i;
    return found;
  }

  template <class T>
  static void march_tile(const ExplicitRun<T>& run, std::int64_t own) {
    alignas(64) std::array<T, explicit_tile + 2 * depth> buffers[3];
    const FlushTiny flush;
    const March& march = *run.march;
    const std::int64_t steps = march.steps, iteration = run.run->iteration;
    const std::int64_t own_count = std::min(explicit_tile, run.nodes - own), count = own_count + 2 * steps;
    const int from = march.current;
    T *v = buffers[0].data(), *next = buffers[1].data(), *w = buffers[2].data();
    load_reflected(run.fields.v[from], run.nodes, own - steps, count, v);
    load_reflected(run.fields.w[from], run.nodes, own - steps, count, w);
    std::array<std::int64_t, most_held> held;
    const int held_count = find_held(run, own - steps, count, held);
    std::int64_t row = march.row, row_at = march.row_at;
    for (std::int64_t s = 1; s <= steps; ++s) {
      step_span(run.step, v, next, w, s, count - s);
      for (int k = 0; k < held_count; ++k) next[held[static_cast<std::size_t>(k)]] = 1;
      std::swap(v, next);
      if (iteration + s != row_at) continue;
      keep_row(run.rows, row, v + steps, own, own_count);
      while (row_at <= iteration + s) row_at = march.iteration_of_row(++row);
    }
    std::copy(v + steps, v + steps + own_count, run.fields.v[from ^ 1] + own);
    std::copy(w + steps, w + steps + own_count, run.fields.w[from ^ 1] + own);
    if (march.checks(iteration + steps))
      raise_to(run.march->largest[run.solution], magnitude_bits(v + steps, own_count));
  }

  template <class T>
  static void keep_row(const Rows& rows, std::int64_t row, const T* v, std::int64_t own, std::int64_t count) {
    if (!rows.values) return;
    float* to = rows.values + row * rows.columns;
    for (std::int64_t c = (own + rows.stride - 1) / rows.stride; c < rows.columns && rows.node(c) < own + count; ++c)
      to[c] = static_cast<float>(v[rows.node(c) - own]);
  }

  Cpu& cpu_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
