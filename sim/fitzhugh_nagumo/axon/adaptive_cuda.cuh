// The adaptive scheme's kernel: a block steps the cells of one tile, with a thread per node and a warp per cell. A
// block whose cells all sleep ends at once.
#pragma once

#include "kinescope/executors/cuda.cuh"
#include "sim/fitzhugh_nagumo/axon/adaptive.hpp"
#include "sim/fitzhugh_nagumo/warp_tile.cuh"

namespace kinescope::sim::fitzhugh_nagumo::axon_kernels {

template <class T>
__global__ void __launch_bounds__(region_nodes) march_cells(AdaptiveRun<T> run) {
  static_assert(cell_nodes == warp_width);
  constexpr int width = region_nodes + 2 * heat_reach;
  __shared__ T shared[2][width];
  const March march = *run.march;
  if (march.steps == 0) return;
  const Cells cells = run.cells;
  const int from = march.current, warp = threadIdx.x / warp_width, lane = threadIdx.x % warp_width;
  const std::int64_t cell = std::int64_t(blockIdx.x) * tile_cells - rim_cells + warp, node = cell * cell_nodes + lane;
  const bool own = warp >= rim_cells && warp < rim_cells + tile_cells && cell < cells.cells;
  const int before = cells.state(from, cell);
  const bool stepped = cells.stepped(from, cell);
  if (own && !stepped && lane == 0) cells.states[from ^ 1][cell] = asleep;
  if (!__syncthreads_or(own && stepped)) return;

  const bool live = stepped && node <= cells.intervals, held = run.end.held && node == cells.intervals;
  T v = 0, w = 0;
  if (live && before != asleep) {
    v = run.fields.v[from][node];
    w = run.fields.w[from][node];
  }
  if (held) v = 1;
  for (int i = threadIdx.x; i < 2 * width; i += region_nodes) shared[0][i] = 0;
  __syncthreads();
  const int place = threadIdx.x + heat_reach;
  // Nodes near an end also write their images beyond it.
  const std::int64_t to_last = cells.intervals - node;
  const int before_first = live && node > 0 && node <= heat_reach ? place - 2 * static_cast<int>(node) : -1;
  const int after_last = live && to_last > 0 && to_last <= heat_reach ? place + 2 * static_cast<int>(to_last) : width;
  // These threads also compute what the held node's thread computes: they need its v and w to mirror at the end.
  const bool near_held = run.end.held && after_last < width && threadIdx.x + to_last < region_nodes;
  T v_last = 1, w_last = near_held ? run.fields.w[from][cells.intervals] : T(0);
  const auto show = [&](T* to) {
    if (live) to[place] = v;
    if (before_first >= 0) to[before_first] = v;
    if (after_last < width) to[after_last] = run.end.mirrored_v(v, static_cast<int>(to_last), v_last, w_last);
  };

  const int steps = static_cast<int>(march.steps);
  const std::int64_t iteration = run.run->iteration;
  std::int64_t row = march.row, row_at = march.row_at;
  int slot = 0;
  for (int s = 1; s <= steps; ++s, slot ^= 1) {
    if (live) run.reaction(v, w);
    if (near_held) run.reaction(v_last, w_last);
    show(shared[slot]);
    __syncthreads();  // one barrier is enough: the next step writes the other slot
    if (live) {
      v = run.heat(shared[slot] + place);
      run.reaction(v, w);
    }
    if (near_held) {
      v_last = run.heat(shared[slot] + place + to_last);
      run.reaction(v_last, w_last);
      v_last = 1;
    }
    if (held) v = 1;
    if (iteration + s != row_at) continue;
    if (run.rows.values) {
      slot ^= 1;
      show(shared[slot]);
      __syncthreads();
      if (own && live) {
        float* to = run.rows.values + row * run.rows.columns;
        const std::int64_t end = run.column_at(node + 1);
        for (std::int64_t c = run.column_at(node); c < end && c < run.rows.columns; ++c)
          to[c] = static_cast<float>(run.places[c].interpolate([&](int k) { return shared[slot][place + k]; }));
      }
    }
    while (row_at <= iteration + s) row_at = march.iteration_of_row(++row);
  }

  if (!own || !stepped) return;
  if (live) {
    run.fields.v[from ^ 1][node] = v;
    run.fields.w[from ^ 1][node] = w;
  }
  const bool above = __any_sync(whole_warp, live && run.rest.ends(v, w));
  const std::uint32_t largest = warp_max(live ? __float_as_uint(static_cast<float>(v)) & 0x7FFFFFFFu : 0u);
  if (lane != 0) return;
  const std::int64_t now = iteration + steps;
  cells.states[from ^ 1][cell] = run.judged(run.judges(now), before, above);
  atomicAdd(reinterpret_cast<unsigned long long*>(&run.used->sum),
            static_cast<unsigned long long>(cells.nodes_of(cell) * steps));
  if (march.checks(now)) raise_on_device(&run.march->largest[run.solution], largest);
}

}  // namespace kinescope::sim::fitzhugh_nagumo::axon_kernels
