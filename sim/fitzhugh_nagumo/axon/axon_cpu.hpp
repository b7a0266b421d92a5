// The axon's loops on the CPU. Tiles fit into the nearest caches, so that several explicit steps are done before the
// next pass over memory. The halo method works on tiles, too.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "sim/core/executors/cpu.hpp"
#include "sim/fitzhugh_nagumo/axon/adaptive_cpu.hpp"
#include "sim/fitzhugh_nagumo/axon/axon.hpp"
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
    cpu_.tasks("implicit", (run.nodes - 1) / implicit_tile + 1,
               [&](std::int64_t tile) { step_tile(run, tile * implicit_tile); });
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
  static constexpr std::int64_t explicit_tile = 4096, implicit_tile = 1024;
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

  // Copies values first … first + count − 1 of an axon that is reflected beyond its ends.
  template <class T>
  static void load(const T* from, std::int64_t nodes, std::int64_t first, std::int64_t count, T* to) {
    const std::int64_t before = std::clamp<std::int64_t>(-first, 0, count);
    const std::int64_t inside = std::clamp<std::int64_t>(nodes - first, before, count);
    for (std::int64_t i = 0; i < before; ++i) to[i] = from[reflected(first + i, nodes)];
    std::copy(from + first + before, from + first + inside, to + before);
    for (std::int64_t i = inside; i < count; ++i) to[i] = from[reflected(first + i, nodes)];
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
    load(run.fields.v[from], run.nodes, own - steps, count, v);
    load(run.fields.w[from], run.nodes, own - steps, count, w);
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

  // Does all Newton iterations of one tile. Outside the tile v stays unchanged; the halo keeps that error out of the
  // tile's own nodes.
  template <class T>
  static void step_tile(const HaloRun<T>& run, std::int64_t own) {
    const FlushTiny flush;
    constexpr std::int64_t most = implicit_tile + 2 * most_halo;
    alignas(64) std::array<T, most + 2> value;  // v', with one more value at each end
    alignas(64) std::array<T, most> known, above, correction;
    const int from = run.march->current;
    const T *v = run.fields.v[from], *w = run.fields.w[from];
    const std::int64_t own_end = std::min(own + implicit_tile, run.nodes);
    const std::int64_t begin = std::max<std::int64_t>(0, own - run.halo), end = std::min(own_end + run.halo, run.nodes);
    const std::int64_t count = end - begin;
    T* next = value.data() + 1;
    load(v, run.nodes, begin - 1, count + 2, value.data());
    const std::int64_t held = run.held.radius < 0 ? -1 : run.held.x - begin;
    for (std::int64_t i = 0; i < count; ++i)
      known[i] = run.step.known(next[i], next[i - 1] + next[i + 1], w[begin + i]);
    bool converged = false;
    for (int iteration = 0; iteration < newton_limit && !converged; ++iteration) {
      correct(run, next, known.data(), above.data(), correction.data(), begin, count, held);
      const std::uint32_t all = magnitude_bits(correction.data(), count);
      converged = float_of(all) <= newton_tolerance<T>;
      raise_to(run.newton->now.corrections[iteration], all);
      raise_to(run.newton->now.iterations, static_cast<std::uint32_t>(iteration + 1));
    }
    T *v_to = run.fields.v[from ^ 1], *w_to = run.fields.w[from ^ 1];
    for (std::int64_t i = own; i < own_end; ++i) {
      v_to[i] = next[i - begin];
      w_to[i] = run.step.next_w(v_to[i], run.step.offset(v[i], w[i]));
    }
    raise_to(run.march->largest[run.solution],
             converged ? magnitude_bits(next + (own - begin), own_end - own) : 0x7FC00000u);
  }

  // One iteration: solves for the correction by Thomas' algorithm and subtracts it.
  template <class T>
  static void correct(const HaloRun<T>& run, T* next, const T* known, T* above, T* correction, std::int64_t begin,
                      std::int64_t count, std::int64_t held) {
    if (begin == 0) next[-1] = next[1];
    if (begin + count == run.nodes) next[count] = next[count - 2];
    for (std::int64_t i = 0; i < count; ++i)
      correction[i] = run.step.residual(next[i], next[i - 1] + next[i + 1], known[i]);
    T last_above = 0, last = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const bool fixed = i == held;
      const T lower = i == 0 || fixed ? T(0) : run.step.lower(begin + i, run.nodes);
      const T upper = fixed ? T(0) : run.step.upper(begin + i, run.nodes);
      const T diagonal = fixed ? T(1) : run.step.diagonal(next[i]), right = fixed ? T(0) : correction[i];
      const T inverse = T(1) / (diagonal - lower * last_above);
      above[i] = last_above = upper * inverse;
      correction[i] = last = (right - lower * last) * inverse;
    }
    for (std::int64_t i = count - 2; i >= 0; --i) correction[i] -= above[i] * correction[i + 1];
    for (std::int64_t i = 0; i < count; ++i) next[i] -= correction[i];
  }

  Cpu& cpu_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
