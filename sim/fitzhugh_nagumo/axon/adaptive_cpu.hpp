// The adaptive scheme's loop on the CPU: a task steps the cells of one tile, whose values fit into the first-level
// cache.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "sim/fitzhugh_nagumo/axon/adaptive.hpp"
#include "sim/fitzhugh_nagumo/axon/loops_cpu.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

template <class T>
class AdaptiveTile {
 public:
  AdaptiveTile(const AdaptiveRun<T>& run, std::int64_t tile)
      : run_(run),
        march_(*run.march),
        from_(run.march->current),
        first_cell_(tile * tile_cells),
        first_(first_cell_ * cell_nodes - rim_nodes) {}

  // Returns whether any cell of the tile is stepped. Marks its other cells as asleep in the buffer of the next state.
  bool begin() {
    const Cells& cells = run_.cells;
    bool any = false;
    for (int c = 0; c < region_cells; ++c) {
      const std::int64_t cell = first_cell_ - rim_cells + c;
      stepped_[c] = cells.stepped(from_, cell);
      const bool own = c >= rim_cells && c < rim_cells + tile_cells;
      any = any || (own && stepped_[c]);
      if (own && !stepped_[c] && cell < cells.cells) cells.states[from_ ^ 1][cell] = asleep;
    }
    return any;
  }

  void march() {
    const FlushTiny flush;
    load();
    const int steps = static_cast<int>(march_.steps);
    const std::int64_t iteration = run_.run->iteration;
    std::int64_t row = march_.row, row_at = march_.row_at;
    for (int s = 1; s <= steps; ++s) {
      step(heat_reach * (steps - s) + interpolation / 2);
      if (iteration + s != row_at) continue;
      keep_row(row);
      while (row_at <= iteration + s) row_at = march_.iteration_of_row(++row);
    }
    store(iteration + steps, steps);
  }

 private:
  static constexpr int region_cells = tile_cells + 2 * rim_cells;

  // Calls f(begin, end) for each stretch of stepped cells within places begin … end − 1.
  template <class F>
  void stretches(int begin, int end, F f) const {
    begin = static_cast<int>(std::max<std::int64_t>(begin, -first_));
    end = static_cast<int>(std::min<std::int64_t>(end, run_.cells.intervals + 1 - first_));
    for (int c = 0; c < region_cells;) {
      int next = c;
      while (next < region_cells && stepped_[next]) ++next;
      const int low = std::max(begin, c * cell_nodes), high = std::min(end, next * cell_nodes);
      if (low < high) f(low, high);
      c = next + 1;
    }
  }

  void load() {
    for (auto& values : {v_, next_}) std::fill(values, values + region_nodes, T(0));
    const T *v = run_.fields.v[from_], *w = run_.fields.w[from_];
    for (int c = 0; c < region_cells; ++c) {
      const std::int64_t cell = first_cell_ - rim_cells + c;
      const bool holds = run_.cells.state(from_, cell) != asleep;
      const std::int64_t count = cell < 0 || cell >= run_.cells.cells ? 0 : run_.cells.nodes_of(cell);
      std::fill(w_ + c * cell_nodes, w_ + (c + 1) * cell_nodes, T(0));
      if (!holds) continue;
      std::copy_n(v + cell * cell_nodes, count, v_ + c * cell_nodes);
      std::copy_n(w + cell * cell_nodes, count, w_ + c * cell_nodes);
    }
    const std::int64_t last = run_.cells.intervals - first_;
    held_ = run_.end.held && last < region_nodes ? static_cast<int>(last) : -1;
    if (held_ >= 0) v_[held_] = 1;
  }

  // Does one step of the places within `margin` nodes of the tile.
  void step(int margin) {
    const int low = rim_nodes - margin, high = rim_nodes + tile_nodes + margin;
    const ReactionStep<T> reaction = run_.reaction;
    const HeatStep<T> heat = run_.heat;
    stretches(low - heat_reach, high + heat_reach, [&](int begin, int end) { react(reaction, v_, w_, begin, end); });
    mirror(v_);
    stretches(low, high, [&](int begin, int end) { diffuse(heat, reaction, v_, next_, w_, begin, end); });
    if (held_ >= low && held_ < high) next_[held_] = 1;
    std::swap(v_, next_);
  }
  static void react(const ReactionStep<T> reaction, T* __restrict v, T* __restrict w, int begin, int end) {
    for (int i = begin; i < end; ++i) {
      T v_here = v[i], w_here = w[i];
      reaction(v_here, w_here);
      v[i] = v_here;
      w[i] = w_here;
    }
  }
  static void diffuse(const HeatStep<T> heat, const ReactionStep<T> reaction, const T* __restrict v, T* __restrict next,
                      T* __restrict w, int begin, int end) {
    for (int i = begin; i < end; ++i) {
      T v_here = heat(v + i), w_here = w[i];
      reaction(v_here, w_here);
      next[i] = v_here;
      w[i] = w_here;
    }
  }
  // Fills the places beyond the axon's ends.
  void mirror(T* v) const {
    const std::int64_t last = run_.cells.intervals - first_;
    if (first_ < 0)
      for (int k = 1; k <= heat_reach; ++k) v[-first_ - k] = v[-first_ + k];
    if (last < region_nodes)
      for (int k = 1; k <= heat_reach; ++k) v[last + k] = run_.end.mirrored_v(v[last - k], k, v[last], w_[last]);
  }

  void keep_row(std::int64_t row) {
    if (!run_.rows.values) return;
    mirror(v_);
    float* to = run_.rows.values + row * run_.rows.columns;
    stretches(rim_nodes, rim_nodes + tile_nodes, [&](int begin, int end) {
      const std::int64_t last = std::min(run_.column_at(first_ + end), run_.rows.columns);
      for (std::int64_t c = run_.column_at(first_ + begin); c < last; ++c) {
        const Place<T>& place = run_.places[c];
        const T* v = v_ + (place.node - first_);
        to[c] = static_cast<float>(place.interpolate([v](int k) { return v[k]; }));
      }
    });
  }

  void store(std::int64_t iteration, int steps) {
    const bool judged = run_.judges(iteration);
    std::uint64_t used = 0;
    for (int c = rim_cells; c < rim_cells + tile_cells; ++c) {
      const std::int64_t cell = first_cell_ - rim_cells + c, node = cell * cell_nodes;
      if (!stepped_[c]) continue;
      const std::int64_t count = run_.cells.nodes_of(cell);
      const T *v = v_ + c * cell_nodes, *w = w_ + c * cell_nodes;
      bool above = false;
      for (std::int64_t i = 0; i < count; ++i) above = above | run_.rest.ends(v[i], w[i]);
      run_.cells.states[from_ ^ 1][cell] = run_.judged(judged, run_.cells.state(from_, cell), above);
      std::copy_n(v, count, run_.fields.v[from_ ^ 1] + node);
      std::copy_n(w, count, run_.fields.w[from_ ^ 1] + node);
      used += static_cast<std::uint64_t>(count * steps);
      if (march_.checks(iteration)) raise_to(run_.march->largest[run_.solution], magnitude_bits(v, count));
    }
    std::atomic_ref<std::uint64_t>(run_.used->sum).fetch_add(used, std::memory_order_relaxed);
  }

  const AdaptiveRun<T>& run_;
  const March& march_;
  const int from_;
  const std::int64_t first_cell_, first_;
  bool stepped_[region_cells];
  int held_ = -1;
  // With `beyond` more places at both ends, which stay 0 or mirror what is inside.
  static constexpr int beyond = 8;
  alignas(64) T buffers_[2][region_nodes + 2 * beyond] = {};
  alignas(64) T w_[region_nodes];
  T *v_ = buffers_[0] + beyond, *next_ = buffers_[1] + beyond;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
