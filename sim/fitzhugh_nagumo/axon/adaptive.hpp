// The adaptive explicit scheme: the explicit scheme on a subset of the uniform grid's nodes, chosen anew every step.
//
// Blocks of 8 cells use every 8th, 4th, 2nd or each node of theirs. The criteria are the paper's: coarse everywhere,
// finer where |∂v/∂x| is large, finer again where |Δv/Δt| is, finest near the zeros of ∂²v/∂x². Second derivatives are
// three-point Lagrange ones. Nodes that are left out hold the line between their neighbours, so that a node that comes
// into use finds its value there (the paper's linear interpolation), and one that was in use keeps its own.
#pragma once

#include <cmath>
#include <cstdint>

#include "sim/fitzhugh_nagumo/fields.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

inline constexpr std::int64_t block_cells = 8;

// Thresholds on |∂v/∂x| for spacings of 4, 2 and 1 cells, and on |∂v/∂t| for 2 and 1; radius around zeros of ∂²v/∂x².
struct Criteria {
  float slope[3] = {0.002f, 0.01f, 0.12f};
  float rate[2] = {0.004f, 0.03f};
  float front_slope = 0.05f;  // a zero of ∂²v/∂x² counts where |∂v/∂x| is above this: not in the noise of rest
  float front_radius = 4;     // length
};

template <class T>
struct AdaptiveGrid {
  std::uint8_t* spacing;  // [blocks] in cells
  std::uint8_t* wanted;   // [blocks] the spacing by the block's own solution; 0: the finest for all around it
  std::int64_t nodes, blocks;

  KINESCOPE_HD std::int64_t first(std::int64_t block) const { return block * block_cells; }
  KINESCOPE_HD std::int64_t end(std::int64_t block) const {  // the first node of the next block, or the last node
    const std::int64_t next = (block + 1) * block_cells;
    return next < nodes - 1 ? next : nodes - 1;
  }
  KINESCOPE_HD bool uses(std::int64_t i) const {
    return i == nodes - 1 || (i % block_cells) % spacing[i / block_cells] == 0;
  }
};

// v' and w' at one node in use.
template <class T>
struct AdaptiveNode {
  AdaptiveGrid<T> grid;
  const T* v;
  const T* w;
  ExplicitStep<T> step;
  T dx;

  // The node in use after node i, which is in use and not the last.
  KINESCOPE_HD std::int64_t after(std::int64_t i) const {
    const std::int64_t block = i / block_cells, next = i + grid.spacing[block];
    return next < grid.end(block) ? next : grid.end(block);
  }
  // The node in use before node i > 0.
  KINESCOPE_HD std::int64_t before(std::int64_t i) const {
    const std::int64_t block = (i - 1) / block_cells, spacing = grid.spacing[block];
    return grid.first(block) + (i - 1 - grid.first(block)) / spacing * spacing;
  }
  KINESCOPE_HD T curvature(std::int64_t i) const {
    const std::int64_t l = i > 0 ? before(i) : after(0), r = i < grid.nodes - 1 ? after(i) : before(i);
    const T left = static_cast<T>(i > 0 ? i - l : l) * dx,
            right = static_cast<T>(i < grid.nodes - 1 ? r - i : i - r) * dx;
    return second_derivative(v[l], v[i], v[r], left, right);
  }
  KINESCOPE_HD T next_v(std::int64_t i) const {
    // Without diffusion (r = 0) this is the explicit step; diffusion is added with the node's own distances.
    ExplicitStep<T> still = step;
    still.q0 = step.q0 + T(2) * step.r;
    still.r = 0;
    return fused(step.dt, curvature(i), still.next_v(v[i], T(0), w[i]));
  }
  KINESCOPE_HD T next_w(std::int64_t i) const { return step.next_w(v[i], w[i]); }
};

template <class T>
struct AdaptiveStep {
  AdaptiveGrid<T> grid;
  Fields<T> fields;
  const March* march;
  Held held;
  ExplicitStep<T> step;
  T dx;

  KINESCOPE_HD T next_v(const AdaptiveNode<T>& node, std::int64_t i) const {
    return held.holds(i) ? T(1) : node.next_v(i);
  }

  KINESCOPE_HD void operator()(std::int64_t block) const {
    if (march->steps == 0) return;
    const int from = march->current;
    T *v = fields.v[from ^ 1], *w = fields.w[from ^ 1];
    const AdaptiveNode<T> node{grid, fields.v[from], fields.w[from], step, dx};
    const std::int64_t end = grid.end(block);
    std::int64_t i = grid.first(block);
    T v_here = next_v(node, i), w_here = node.next_w(i);
    while (i < end) {
      const std::int64_t next = node.after(i);
      const T v_next = next_v(node, next), w_next = node.next_w(next);
      const T part = T(1) / static_cast<T>(next - i);
      for (std::int64_t k = i; k < next; ++k) {
        const T share = static_cast<T>(k - i) * part;
        v[k] = fused(share, v_next - v_here, v_here);
        w[k] = fused(share, w_next - w_here, w_here);
      }
      i = next, v_here = v_next, w_here = w_next;
    }
    if (end == grid.nodes - 1) v[end] = v_here, w[end] = w_here;
  }
};

// The spacing that the new solution wants in each block.
template <class T>
struct WantSpacing {
  AdaptiveGrid<T> grid;
  Fields<T> fields;
  const March* march;
  Criteria criteria;
  T dx, dt;
  bool first;  // before the first step: judge the solution itself, without its rate

  KINESCOPE_HD void operator()(std::int64_t block) const {
    if (march->steps == 0 && !first) return;
    const T* old = fields.v[march->current];
    const T* v = first ? old : fields.v[march->current ^ 1];
    const AdaptiveNode<T> node{grid, v, nullptr, {}, dx};
    float slope = 0, rate = 0;
    bool front = false;
    const std::int64_t end = grid.end(block);
    for (std::int64_t i = grid.first(block); i < end;) {
      const std::int64_t next = node.after(i);
      const float here = static_cast<float>(std::fabs(v[next] - v[i]) / (static_cast<T>(next - i) * dx));
      slope = here > slope ? here : slope;
      const float change = static_cast<float>(std::fabs(v[i] - old[i]) / dt);
      rate = change > rate ? change : rate;
      front = front || (here > criteria.front_slope && (node.curvature(i) < 0) != (node.curvature(next) < 0));
      i = next;
    }
    std::uint8_t want = slope > criteria.slope[2]   ? 1
                        : slope > criteria.slope[1] ? 2
                        : slope > criteria.slope[0] ? 4
                                                    : 8;
    const std::uint8_t by_rate = rate > criteria.rate[1] ? 1 : rate > criteria.rate[0] ? 2 : 8;
    grid.wanted[block] = front ? 0 : want < by_rate ? want : by_rate;
  }
};

// A block's new spacing: what the block wants, the finest near a front, and at most twice its neighbours'; its nodes in
// use.
template <class T>
struct ChooseSpacing {
  AdaptiveGrid<T> grid;
  const March* march;
  std::int64_t radius;  // of a front's surroundings, in blocks
  bool first;

  KINESCOPE_HD int wanted(std::int64_t block) const {
    int want = grid.wanted[block] > 0 ? grid.wanted[block] : 1;
    for (std::int64_t other = block - radius; other <= block + radius; ++other)
      if (other >= 0 && other < grid.blocks && grid.wanted[other] == 0) want = 1;
    return want;
  }

  KINESCOPE_HD std::int64_t operator()(std::int64_t block) const {
    if (march->steps == 0 && !first) return 0;
    int spacing = wanted(block);
    for (std::int64_t distance = 1, most = 2; most < block_cells; ++distance, most *= 2)
      for (const std::int64_t other : {block - distance, block + distance})
        if (other >= 0 && other < grid.blocks) {
          const int limit = static_cast<int>(most) * wanted(other);
          spacing = spacing < limit ? spacing : limit;
        }
    grid.spacing[block] = static_cast<std::uint8_t>(spacing);
    const std::int64_t cells = grid.end(block) - grid.first(block);
    return (cells + spacing - 1) / spacing + (block == grid.blocks - 1 ? 1 : 0);
  }
};

struct NodesUsed {
  std::int64_t now = 0, sum = 0, steps = 0;
};

struct NoteNodes {
  NodesUsed* used;
  const March* march;
  bool first;
  KINESCOPE_HD void operator()(std::int64_t total) const {
    if (march->steps == 0 && !first) return;
    used->now = total;
    used->sum += total;
    ++used->steps;
  }
};

template <class T>
struct PublishUsed {
  AdaptiveGrid<T> grid;  // null spacing: every node is in use
  std::uint32_t* to;
  KINESCOPE_HD void operator()(std::int64_t i) const { to[i] = !grid.spacing || grid.uses(i) ? 1 : 0; }
};

}  // namespace kinescope::sim::fitzhugh_nagumo
