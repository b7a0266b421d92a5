// The sheet's loop on the CPU: several steps in one pass over memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "sim/fitzhugh_nagumo/axon/axon_cpu.hpp"
#include "sim/fitzhugh_nagumo/sheet/sheet.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// Rows begin … end − 1 of a sheet, which pass through all steps of a launch together: as soon as row k has come from
// memory, step s is done on row k − s, whose neighbours have just done step s − 1. Of each step only three rows of v
// are kept, so that all of them stay in a core's caches. Beyond its own rows a band computes `steps` more on both
// sides; beyond the sheet these are images of rows within.
class SheetBand {
 public:
  static constexpr std::int64_t most_steps = 8;

  SheetBand(const SheetRun& run, std::int64_t begin, std::int64_t end)
      : run_(run), march_(*run.march), begin_(begin), end_(end), apart_((run.nodes / line_floats + 2) * line_floats) {
    const auto needed = static_cast<std::size_t>((3 * most_steps + w_rows) * apart_ / line_floats);
    if (lines().size() < needed) lines().resize(needed);
  }

  void march() {
    const std::int64_t steps = march_.steps;
    for (std::int64_t k = begin_ - steps; k < end_ + steps; ++k) {
      load(k);
      for (std::int64_t s = 1; s <= steps; ++s) {
        const std::int64_t row = k - s;
        if (row >= begin_ - (steps - s) && row < end_ + (steps - s)) step(s, row);
      }
    }
    if (march_.checks(run_.run->iteration + steps)) raise_to(run_.march->largest[0], largest_);
  }

 private:
  static constexpr std::int64_t line_floats = 16;
  static constexpr std::int64_t w_rows = most_steps + 1;  // between the one loaded and the one that is done
  struct alignas(64) Line {
    float values[line_floats];
  };

  // The thread's memory. It is kept from band to band, because the system clears new memory page by page.
  static std::vector<Line>& lines() {
    thread_local std::vector<Line> memory;
    return memory;
  }
  // The place of node 0 in the i-th row of the memory. There is one more place before it, and one behind the last node.
  float* place(std::int64_t i) const { return lines().data()->values + i * apart_ + line_floats; }
  std::int64_t count(std::int64_t row) const { return row - (begin_ - march_.steps); }  // from 0 on
  float* v(std::int64_t step, std::int64_t row) const { return place(3 * step + count(row) % 3); }
  float* w(std::int64_t row) const { return place(3 * most_steps + count(row) % w_rows); }

  void load(std::int64_t row) const {
    const std::int64_t from = run_.inside(row) * run_.nodes;
    std::copy_n(run_.fields.v[march_.current] + from, run_.nodes, v(0, row));
    std::copy_n(run_.fields.w[march_.current] + from, run_.nodes, w(row));
    mirror(v(0, row));
  }
  // Fills the places beyond a row's ends.
  void mirror(float* row) const {
    row[-1] = row[run_.inside(-1)];
    row[run_.nodes] = row[run_.inside(run_.nodes)];
  }

  void step(std::int64_t s, std::int64_t row) {
    const std::int64_t n = run_.nodes;
    const bool last = s == march_.steps;
    const int to = march_.current ^ 1;
    float* next = last ? run_.fields.v[to] + row * n : v(s, row);
    step_row(run_.step, v(s - 1, row - 1), v(s - 1, row), v(s - 1, row + 1), w(row), next, n);
    hold(row, next);
    if (!last) return mirror(next);
    std::copy_n(w(row), n, run_.fields.w[to] + row * n);
    if (march_.checks(run_.run->iteration + s)) largest_ = std::max(largest_, magnitude_bits(next, n));
  }
  // Not inlined: there GCC forgets __restrict, and its vectors wait for a test that finds the rows too close.
  __attribute__((noinline)) static void step_row(const ExplicitStep<float> step, const float* __restrict below,
                                                 const float* __restrict v, const float* __restrict above,
                                                 float* __restrict w, float* __restrict next, std::int64_t nodes) {
    for (std::int64_t i = 0; i < nodes; ++i) {
      next[i] = step.next_v(v[i], (v[i - 1] + v[i + 1]) + (below[i] + above[i]), w[i]);
      w[i] = step.next_w(v[i], w[i]);
    }
  }
  void hold(std::int64_t row, float* v) const {
    const Held& held = run_.held;
    const std::int64_t y = run_.inside(row);
    if (std::abs(y - held.y) > held.radius) return;
    const std::int64_t end = std::min(held.x + held.radius + 1, run_.nodes);
    for (std::int64_t x = std::max<std::int64_t>(held.x - held.radius, 0); x < end; ++x)
      if (held.holds(x, y)) v[x] = 1;
  }

  const SheetRun& run_;
  const March& march_;
  std::int64_t begin_, end_;
  std::int64_t apart_;  // floats from one row of the memory to the next
  std::uint32_t largest_ = 0;
};

template <>
class SheetKernels<Cpu> {
 public:
  explicit SheetKernels(Cpu& cpu) : cpu_(cpu) {}

  static constexpr std::int64_t depth = SheetBand::most_steps;

  void march(const SheetRun& run) {
    if (run.march->steps == 0) return;
    // Low bands keep more threads busy, high ones compute fewer rows twice: 11 % with 64 rows, 5 % with 128.
    const std::int64_t band = run.nodes > 1024 ? 128 : 64;
    cpu_.tasks("sheet", (run.nodes - 1) / band + 1, [&](std::int64_t which) {
      const FlushTiny flush;
      SheetBand(run, which * band, std::min((which + 1) * band, run.nodes)).march();
    });
  }

 private:
  Cpu& cpu_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
