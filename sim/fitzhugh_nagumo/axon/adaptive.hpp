// The adaptive explicit scheme: the axon on a grid of its own, no finer than the waves need. The grid consists of cells
// that sleep while they are at rest.
//
// A step of length Δt is a splitting of second order (G. Strang, SIAM J. Numer. Anal. 5, 1968): the reaction for Δt/2,
// diffusion for Δt, the reaction for Δt/2. Diffusion is a convolution with nine weights. The exact one, the heat
// kernel, is the Gaussian of variance 2Δt; the weights have that Gaussian's moments. They are therefore exact in time
// and of eighth order in space, and stable for steps several times as long as Euler's. The reaction uses the midpoint
// rule.
//
// A cell has 32 nodes. While it sleeps it is at rest (v = w = 0), and its nodes are neither read nor written. A cell is
// stepped if it or a neighbour is awake. It is awake if |v|, or the v that its w can bring about, is above a bound;
// this is judged where `adaptive_depth` divides the iteration. During a launch the nodes of sleeping cells stay 0, so
// that results do not depend on where a budget interrupts the run.
#pragma once

#include <cmath>
#include <cstdint>

#include "sim/fitzhugh_nagumo/fields.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

inline constexpr int heat_reach = 4;     // nodes on each side that a step reaches
inline constexpr int interpolation = 8;  // nodes from which a value between them is interpolated
inline constexpr int cell_nodes = 32;    // a warp's width
inline constexpr int tile_cells = 8;     // that one block (CUDA) or one task (CPU) steps
inline constexpr int rim_cells = 2;      // on each side of a tile, stepped with it
inline constexpr int tile_nodes = tile_cells * cell_nodes, rim_nodes = rim_cells * cell_nodes;
inline constexpr int region_nodes = tile_nodes + 2 * rim_nodes;
// Steps per launch. Each step uses up heat_reach nodes of the rim; the interpolation of rows needs the rest.
inline constexpr int adaptive_depth = (rim_nodes - interpolation / 2) / heat_reach;

enum Awake : std::uint8_t {
  asleep,  // at rest; its nodes hold no values
  awake,
  roused,  // was asleep when last judged, and is stepped because a neighbour is awake
};

// A step of the reaction alone, v' = f(v) − w, w' = ε (v − γ w), by the midpoint rule.
template <class T>
struct ReactionStep {
  T half, whole, a;          // step/2 and step
  T half_drive, half_decay;  // of w in half a step
  T drive, decay;

  static ReactionStep make(const Constants& c, double step) {
    const double drive = step * c.epsilon, decay = drive * c.gamma;
    return {T(step / 2), T(step), T(c.a), T(drive / 2), T(decay / 2), T(drive), T(decay)};
  }
  KINESCOPE_HD void operator()(T& v, T& w) const {
    const T v_middle = fused(half, reaction(v, a) - w, v);
    const T w_middle = fused(half_drive, v, fused(-half_decay, w, w));
    v = fused(whole, reaction(v_middle, a) - w_middle, v);
    w = fused(drive, v_middle, fused(-decay, w_middle, w));
  }
};

// Weights of the nodes at distances 0 … 4 whose even moments are those of a Gaussian with variance 2r.
template <class T>
struct HeatStep {
  T weight[heat_reach + 1];

  static HeatStep make(double r) {
    HeatStep step;
    for (int j = 0; j <= heat_reach; ++j) {
      // The Lagrange polynomial in s = distance² that is 1 at j² and 0 at the others' …
      double polynomial[heat_reach + 1] = {1}, below = 1;
      int degree = 0;
      for (int k = 0; k <= heat_reach; ++k) {
        if (k == j) continue;
        for (int d = ++degree; d >= 0; --d)
          polynomial[d] = (d > 0 ? polynomial[d - 1] : 0.0) - (d < degree ? k * k * polynomial[d] : 0.0);
        below *= j * j - k * k;
      }
      // … and its mean over the Gaussian, whose moment of s^m is (2m − 1)!! (2r)^m.
      double sum = 0, moment = 1;
      for (int m = 0; m <= heat_reach; moment *= (2 * m + 1) * 2 * r, ++m) sum += polynomial[m] * moment;
      step.weight[j] = T(sum / below / (j > 0 ? 2 : 1));
    }
    return step;
  }
  // `v` points to the node.
  KINESCOPE_HD T operator()(const T* v) const {
    T sum = weight[heat_reach] * (v[-heat_reach] + v[heat_reach]);
    for (int j = heat_reach - 1; j > 0; --j) sum = fused(weight[j], v[-j] + v[j], sum);
    return fused(weight[0], v[0], sum);
  }
};

// Where a node of the uniform grid is on the adaptive grid, and the weights of the adaptive nodes around it (Lagrange
// interpolation).
template <class T>
struct Place {
  std::int64_t node;        // the adaptive node at or before it
  T weight[interpolation];  // of nodes node − 3 … node + 4

  KINESCOPE_HD static Place of(std::int64_t i, std::int64_t nodes, std::int64_t intervals) {
    Place place;
    const std::int64_t scaled = i * intervals;  // below 2^53 for all numbers of nodes
    place.node = scaled / (nodes - 1);
    const double t = static_cast<double>(scaled % (nodes - 1)) / static_cast<double>(nodes - 1);
    constexpr int first = 1 - interpolation / 2;
    for (int k = 0; k < interpolation; ++k) {
      double weight = 1;
      for (int j = 0; j < interpolation; ++j)
        if (j != k) weight *= (t - (first + j)) / (k - j);
      place.weight[k] = T(weight);
    }
    return place;
  }
  // value(k) is that of node + k.
  template <class Value>
  KINESCOPE_HD T interpolate(Value value) const {
    T sum = 0;
    for (int k = 0; k < interpolation; ++k) sum = fused(weight[k], value(k + 1 - interpolation / 2), sum);
    return sum;
  }
};

// The adaptive grid: `intervals` + 1 nodes from end to end, and which of its cells are awake.
struct Cells {
  std::uint8_t* states[2];  // [cells] each, one for each of the two buffers of Fields
  std::int64_t intervals, cells;

  KINESCOPE_HD int state(int buffer, std::int64_t cell) const {
    return cell < 0 || cell >= cells ? int(asleep) : states[buffer][cell];
  }
  KINESCOPE_HD bool stepped(int buffer, std::int64_t cell) const {
    return cell >= 0 && cell < cells &&
           (state(buffer, cell) != asleep || state(buffer, cell - 1) == awake || state(buffer, cell + 1) == awake);
  }
  KINESCOPE_HD std::int64_t nodes_of(std::int64_t cell) const {
    const std::int64_t left = intervals + 1 - cell * cell_nodes;
    return left < cell_nodes ? left : cell_nodes;
  }
};

struct NodesUsed {
  std::int64_t now = 0;
  std::uint64_t sum = 0;  // over all steps
};

// An axon at rest whose last node is held at 1 begins with a jump there. Sampled at the nodes, the jump has the
// spectrum cot(κ/2)/2 instead of 1/κ. Therefore the nodes beside it get the values that the filter tan(κ/2)/(κ/2) = 1 −
// δ²/12 + 11 δ⁴/720 gives, with δ² the second difference. The error is then of sixth order instead of second.
template <class T>
struct BeginHeld {
  Fields<T> fields;
  std::int64_t intervals;
  KINESCOPE_HD void operator()() const {
    fields.v[0][intervals - 1] = T(-41) / T(360);
    fields.v[0][intervals - 2] = T(11) / T(720);
  }
};

// The criterion of rest for a cell: |v| and the v that w can bring about are at most `below` at all its nodes.
template <class T>
struct Rest {
  T below, w_to_v;
  KINESCOPE_HD bool ends(T v, T w) const { return !(larger(std::fabs(v), w_to_v * std::fabs(w)) <= below); }
};

// Which cells are awake at the start.
template <class T>
struct JudgeBeginning {
  Fields<T> fields;
  Cells cells;
  Rest<T> rest;
  KINESCOPE_HD void operator()(std::int64_t cell) const {
    bool above = false;
    for (std::int64_t i = cell * cell_nodes, end = i + cells.nodes_of(cell); i < end; ++i)
      above = above || rest.ends(fields.v[0][i], fields.w[0][i]);
    cells.states[0][cell] = above ? awake : asleep;
  }
};

// The axon's end at the last node, beyond which the solution is mirrored.
template <class T>
struct LastEnd {
  bool held;  // at 1
  T spacing_square;

  // v at the ghost node `k` nodes beyond the last one, where `v` is the value k nodes before the last one. At a free
  // end that is the reflection. At a held end the difference from v_last changes its sign, up to the curvature: the sum
  // of both differences is k² Δx² ∂²v/∂x², and ∂²v/∂x² is w where v stays at 1. Within a step the held v takes part in
  // the reaction and in diffusion, as its neighbours do, and is set to 1 again after both. Holding it between them
  // would cost an order of accuracy (L. Einkemmer, A. Ostermann, SIAM J. Sci. Comput. 37, 2015).
  KINESCOPE_HD T mirrored_v(T v, int k, T v_last, T w_last) const {
    return held ? fused(T(k * k) * spacing_square, w_last, T(2) * v_last - v) : v;
  }
  // The same for w. It does not diffuse, so that it keeps a slope at a held end.
  KINESCOPE_HD T mirrored_w(T w, T w_last) const { return held ? T(2) * w_last - w : w; }
};

// The arguments of the adaptive kernels. They do March::steps steps, at most up to the next multiple of adaptive_depth.
template <class T>
struct AdaptiveRun {
  Fields<T> fields;
  Cells cells;
  March* march;
  const RunState* run;
  Rows rows;                 // null values: no rows are kept
  const Place<T>* places;    // [columns] of the kept rows
  ReactionStep<T> reaction;  // half a step
  HeatStep<T> heat;
  Rest<T> rest;
  NodesUsed* used;
  LastEnd<T> end;
  std::int64_t nodes;     // of the uniform grid
  std::int32_t solution;  // 0 for the first, 1 for the second

  std::int64_t tiles() const { return (cells.cells - 1) / tile_cells + 1; }
  KINESCOPE_HD bool judges(std::int64_t iteration) const { return iteration % adaptive_depth == 0; }
  // The new state of a cell that was stepped.
  KINESCOPE_HD std::uint8_t judged(bool judged_now, int before, bool above) const {
    if (judged_now) return above ? awake : asleep;
    return before == awake ? awake : roused;
  }
  // The first column of a row at or after a node.
  KINESCOPE_HD std::int64_t column_at(std::int64_t node) const {
    const std::int64_t below = cells.intervals * rows.stride, scaled = node * (nodes - 1);
    return node <= 0 ? 0 : node > cells.intervals ? rows.columns : (scaled + below - 1) / below;
  }
};

// The solution between the nodes and beyond the ends.
template <class T>
struct AdaptiveSolution {
  Fields<T> fields;
  Cells cells;
  const March* march;
  std::int64_t nodes;  // of the uniform grid
  LastEnd<T> end;

  KINESCOPE_HD T inside(const T* values, std::int64_t node) const {
    return cells.state(march->current, node / cell_nodes) == asleep ? T(0) : values[node];
  }
  // `mirrored` makes the value k nodes beyond the last node from the value k nodes before it.
  template <class Mirrored>
  KINESCOPE_HD T at(const T* values, std::int64_t node, Mirrored mirrored) const {
    if (node <= cells.intervals) return inside(values, node < 0 ? -node : node);
    const std::int64_t k = node - cells.intervals;
    return mirrored(inside(values, cells.intervals - k), static_cast<int>(k));
  }
  KINESCOPE_HD bool rests(std::int64_t node) const {
    constexpr int half = interpolation / 2;
    const std::int64_t first = node < half ? 0 : node - half, last = node + half;
    return cells.state(march->current, first / cell_nodes) == asleep &&
           cells.state(march->current, last / cell_nodes) == asleep &&
           cells.state(march->current, node / cell_nodes) == asleep;
  }
  KINESCOPE_HD T v(const Place<T>& place) const {
    const T *values = fields.v[march->current], *w = fields.w[march->current];
    const auto mirrored = [&](T v, int k) { return end.mirrored_v(v, k, T(1), inside(w, cells.intervals)); };
    return place.interpolate([&](int k) { return at(values, place.node + k, mirrored); });
  }
  KINESCOPE_HD T w(const Place<T>& place) const {
    const T* values = fields.w[march->current];
    const auto mirrored = [&](T w, int) { return end.mirrored_w(w, inside(values, cells.intervals)); };
    return place.interpolate([&](int k) { return at(values, place.node + k, mirrored); });
  }
  KINESCOPE_HD std::int64_t node_before(std::int64_t i) const { return i * cells.intervals / (nodes - 1); }
};

// Interpolates v and w on the uniform grid; either may be null.
template <class T, class Out>
struct PublishAdaptive {
  AdaptiveSolution<T> solution;
  Out* v;
  Out* w;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    const bool rests = solution.rests(solution.node_before(i));
    const Place<T> place = rests ? Place<T>{} : Place<T>::of(i, solution.nodes, solution.cells.intervals);
    if (v) v[i] = rests ? Out(0) : static_cast<Out>(solution.v(place));
    if (w) w[i] = rests ? Out(0) : static_cast<Out>(solution.w(place));
  }
};

// Finds the places of the columns of the kept rows, and writes the first row.
template <class T>
struct PlaceColumns {
  AdaptiveSolution<T> solution;
  Rows rows;
  Place<T>* places;
  KINESCOPE_HD void operator()(std::int64_t column) const {
    places[column] = Place<T>::of(rows.node(column), solution.nodes, solution.cells.intervals);
    rows.values[column] = static_cast<float>(solution.v(places[column]));
  }
};

// Writes 1 for each node of the uniform grid that is the nearest one to a stepped adaptive node, else 0.
struct PublishAdaptiveNodes {
  Cells cells;
  const March* march;
  std::int64_t nodes;
  std::uint32_t* to;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t last = nodes - 1, node = (2 * i * cells.intervals + last) / (2 * last);
    const std::int64_t nearest = (2 * node * last + cells.intervals) / (2 * cells.intervals);
    to[i] = nearest == i && cells.stepped(march->current, node / cell_nodes) ? 1 : 0;
  }
};

struct CountAdaptiveNodes {
  Cells cells;
  const March* march;
  KINESCOPE_HD std::int64_t operator()(std::int64_t cell) const {
    return cells.stepped(march->current, cell) ? cells.nodes_of(cell) : 0;
  }
};
struct NoteNodes {
  NodesUsed* used;
  KINESCOPE_HD void operator()(std::int64_t total) const { used->now = total; }
};

// Wakes the cells that a stimulus touches. Their nodes get values, which are 0 at first.
template <class T>
struct Wake {
  Fields<T> fields;
  Cells cells;
  const March* march;
  double low, high;  // ends of the stimulated range, in nodes
  KINESCOPE_HD void operator()(std::int64_t cell) const {
    const std::int64_t first = cell * cell_nodes, count = cells.nodes_of(cell);
    if (static_cast<double>(first + count - 1) < low || static_cast<double>(first) > high) return;
    std::uint8_t& state = cells.states[march->current][cell];
    for (std::int64_t i = first; state == asleep && i < first + count; ++i)
      fields.v[march->current][i] = fields.w[march->current][i] = 0;
    state = awake;
  }
};

}  // namespace kinescope::sim::fitzhugh_nagumo
