// The paper's adaptive scheme ("Adaptive Explicit Finite Difference Scheme", figures 7 and 8): Euler's steps on some of
// the nodes of the uniform grid, which are chosen anew in each step.
//
//   v' = v + Δt (∂²v/∂x² + f(v) − w),  w' = w + Δt ε (v − γ w),
//
// with the three-point Lagrange polynomial through a node and its neighbours in use, h₁ and h₂ away:
//   ∂²v/∂x² ≈ 2 ((v₋ − v) / h₁ + (v₊ − v) / h₂) / (h₁ + h₂)                                            (eq. 4)
//
// Every eighth node is in use; every fourth one where |∂v/∂x| is above a bound; every second one where |∂v/∂t| is; and
// all near the places where ∂²v/∂x² changes its sign on a slope. The paper states no numbers; with these bounds its
// divergent impulse has 2.4 to 3.3 times fewer nodes than the uniform grid, there 2 to 3 times. Nodes not in use hold
// the values between those of their neighbours in use, so that a node that comes into use has the value that the paper
// gives it.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "kinescope/executors/executor.hpp"
#include "sim/fitzhugh_nagumo/axon/axon.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

inline constexpr int coarse_nodes = 8, slope_nodes = 4, rate_nodes = 2;
inline constexpr double slope_bound = 1e-4, rate_bound = 1e-4,
                        curvature_bound = 1e-5;                          // of |∂v/∂x|, |∂v/∂t|, |∂²v/∂x²|
inline constexpr double inflection_radius = 6;                           // in units of length
inline constexpr std::int64_t most_inflection_nodes = coarse_nodes * 8;  // that the radius is long

// What a step found at a node in use.
struct NodeFound {
  std::int16_t spacing = 1;  // the number of nodes from one in use to the next that is wanted here
  std::int16_t bend = 0;     // sign of ∂²v/∂x² on a slope, else 0
};

// The nodes in use before and after node i; i itself if it is in use.
struct InUse {
  const std::uint8_t* used;  // [nodes] 1 or 0; the first and the last are 1
  std::int64_t nodes;

  KINESCOPE_HD std::int64_t at_or_before(std::int64_t i) const {
    while (!used[i]) --i;
    return i;
  }
  KINESCOPE_HD std::int64_t at_or_after(std::int64_t i) const {
    while (!used[i]) ++i;
    return i;
  }
};

// What both launches of a step work on.
template <class T>
struct PaperRun {
  Fields<T> fields;
  const March* march;
  std::uint8_t* used[2];  // [nodes] for each buffer of `fields`
  NodeFound* found;       // [nodes]
  std::int64_t nodes;
};

// The first launch: steps the nodes in use.
template <class T>
struct PaperStep {
  PaperRun<T> run;
  T dt, dx, a, drive, decay;  // drive = Δt ε, decay = Δt ε γ
  Held held;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const auto& [fields, march, used, found, nodes] = run;
    const int from = march->current;
    if (march->steps == 0 || !used[from][i]) return;
    const InUse grid{used[from], nodes};
    const T *v = fields.v[from], *w = fields.w[from];
    const std::int64_t before = i > 0 ? grid.at_or_before(i - 1) : grid.at_or_after(1);  // reflected at the ends
    const std::int64_t after = i < nodes - 1 ? grid.at_or_after(i + 1) : grid.at_or_before(nodes - 2);
    const T h1 = dx * T(i > before ? i - before : before - i), h2 = dx * T(after > i ? after - i : i - after);
    const T down = (v[before] - v[i]) / h1, up = (v[after] - v[i]) / h2;
    const T curvature = T(2) * (down + up) / (h1 + h2);
    const T rate = curvature + reaction(v[i], a) - w[i];
    const bool fixed = held.holds(i);
    fields.v[from ^ 1][i] = fixed ? v[i] : fused(dt, rate, v[i]);
    fields.w[from ^ 1][i] = fused(drive, v[i], fused(-decay, w[i], w[i]));
    const bool steep = larger(std::fabs(down), std::fabs(up)) > T(slope_bound);
    const bool fast = !fixed && std::fabs(rate) > T(rate_bound);
    found[i].spacing = static_cast<std::int16_t>(fast ? rate_nodes : steep ? slope_nodes : coarse_nodes);
    // A node that has just come into use lies on the line between its neighbours, up to rounding.
    const T rounding = T(64) * std::numeric_limits<T>::epsilon() / (h1 * h2);
    const bool bends = steep && std::fabs(curvature) > larger(T(curvature_bound), rounding);
    found[i].bend = static_cast<std::int16_t>(!bends ? 0 : curvature > 0 ? 1 : -1);
  }
};

// What the second launch sums.
struct PaperSums {
  LargestMagnitude largest;
  std::int64_t used = 0;
  KINESCOPE_HD friend PaperSums operator+(PaperSums a, PaperSums b) { return {a.largest + b.largest, a.used + b.used}; }
};

// The second launch: chooses the nodes of the next step, and gives values to those that were not in use.
template <class T>
struct PaperGrid {
  PaperRun<T> run;
  std::int64_t radius;  // in nodes

  KINESCOPE_HD PaperSums operator()(std::int64_t i) const {
    const auto& [fields, march, used, found, nodes] = run;
    if (march->steps == 0) return {};
    const int from = march->current;
    const InUse grid{used[from], nodes};
    const std::int64_t before = grid.at_or_before(i), after = grid.at_or_after(i);
    T *v = fields.v[from ^ 1], *w = fields.w[from ^ 1];
    if (before < after) {
      const T part = T(i - before) / T(after - before);
      v[i] = fused(part, v[after] - v[before], v[before]);
      w[i] = fused(part, w[after] - w[before], w[before]);
    }
    const int spacing = found[before].spacing < found[after].spacing ? found[before].spacing : found[after].spacing;
    const bool chosen = i % spacing == 0 || i == nodes - 1 || near_inflection(grid, i);
    used[from ^ 1][i] = chosen;
    return {{std::fabs(static_cast<float>(v[i]))}, chosen};
  }

  // Whether the bend changes its sign between two nodes in use, of which one is within the radius.
  KINESCOPE_HD bool near_inflection(const InUse& grid, std::int64_t i) const {
    std::int64_t low = i - radius > 0 ? i - radius : 0;
    const std::int64_t high = i + radius < run.nodes - 1 ? i + radius : run.nodes - 1;
    const NodeFound* found = run.found;
    int bend = 0;
    for (low = grid.at_or_before(low);; low = grid.at_or_after(low + 1)) {
      if (bend * found[low].bend < 0) return true;
      if (found[low].bend != 0) bend = found[low].bend;
      if (low >= high) break;
    }
    return false;
  }
};

struct NotePaperSums {
  March* march;
  NodesUsed* used;
  std::int32_t solution;
  KINESCOPE_HD void operator()(const PaperSums& sums) const {
    if (march->steps == 0) return;
    NoteLargest{march, solution}(sums.largest);
    used->now = sums.used;
    used->sum += static_cast<std::uint64_t>(sums.used);
  }
};

template <class T>
struct PublishPaperNodes {
  PaperRun<T> run;
  std::uint32_t* to;
  KINESCOPE_HD void operator()(std::int64_t i) const { to[i] = run.used[run.march->current][i]; }
};

template <class T, Executor E>
class PaperAxon : public Axon<T, E> {
  using Base = Axon<T, E>;
  using Base::executor_, Base::around_, Base::plan_, Base::nodes, Base::fields;

 public:
  PaperAxon(E& executor, AxonKernels<E>& kernels, const Surroundings& surroundings)
      : Base(executor, kernels, surroundings, Scheme::adaptive_paper), found_(executor, points()) {
    for (auto& used : used_) used = Array<std::uint8_t, E>(executor, points());
    count_ = Array<NodesUsed, E>(executor, 1);
  }

  void begin(const Plan& plan) override {
    Base::begin(plan);
    use_all();
    const NodesUsed count{nodes(), 0};
    count_.upload({&count, 1});
  }
  void step() override {
    const Constants& c = plan_.constants;
    executor_.for_each("step", nodes(),
                       PaperStep<T>{run(), T(c.dt), T(c.dx), T(c.a), T(c.dt * c.epsilon), T(c.dt * c.epsilon * c.gamma),
                                    Base::held()});
    const auto radius = static_cast<std::int64_t>(std::ceil(inflection_radius / c.dx));
    executor_.reduce("choose nodes", nodes(), PaperSums{}, PaperGrid<T>{run(), std::min(radius, most_inflection_nodes)},
                     NotePaperSums{around_.march, count_.data(), around_.solution});
  }
  void publish_used(std::uint32_t* used) override {
    executor_.for_each("publish nodes", nodes(), PublishPaperNodes<T>{run(), used});
  }
  const NodesUsed* used() override { return count_.data(); }
  NodesUsed nodes_used() const override { return count_.download()[0]; }
  void paint(const Stimulus& stimulus) override {
    Base::paint(stimulus);
    use_all();  // a stimulus may lie between nodes in use
  }

 private:
  std::size_t points() const { return static_cast<std::size_t>(nodes()); }
  PaperRun<T> run() { return {fields(), around_.march, {used_[0].data(), used_[1].data()}, found_.data(), nodes()}; }
  void use_all() {
    for (auto& used : used_) executor_.for_each("use all nodes", nodes(), Fill<std::uint8_t>{used.data(), 1});
  }

  Array<NodeFound, E> found_;
  Array<std::uint8_t, E> used_[2];
  Array<NodesUsed, E> count_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
