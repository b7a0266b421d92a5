// The sheet: the explicit scheme in two dimensions, and the tips of its spirals.
#pragma once

#include <cmath>

#include "sim/fitzhugh_nagumo/sheet/tips.hpp"
#include "sim/fitzhugh_nagumo/solution.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

struct SheetRun {
  Fields<float> fields;
  March* march;
  const RunState* run;
  ExplicitStep<float> step;
  std::int64_t nodes;  // per side
  bool periodic;
  Held held;

  // The node that stands for node i of a row or column.
  KINESCOPE_HD std::int64_t inside(std::int64_t i) const { return periodic ? wrapped(i, nodes) : reflected(i, nodes); }
};

// Keeps a stretch of a row: most launches find no row to keep, and ask once a stretch.
struct KeepStretch {
  static constexpr std::int64_t length = 32;
  KeepRow<float> row;

  KINESCOPE_HD void operator()(std::int64_t stretch) const {
    if (!row.due()) return;
    const std::int64_t end = (stretch + 1) * length < row.rows.columns ? (stretch + 1) * length : row.rows.columns;
    for (std::int64_t column = stretch * length; column < end; ++column) row(column);
  }
};

// Each backend specializes it (sheet_cpu.hpp, sheet_cuda.cuh).
template <Executor E>
class SheetKernels;

template <Executor E>
class Sheet : public BufferedSolution<float, E> {
  using Base = BufferedSolution<float, E>;
  using Base::executor_, Base::around_, Base::plan_, Base::points, Base::fields;

 public:
  Sheet(E& executor, SheetKernels<E>& kernels, const Surroundings& surroundings)
      : Base(executor, surroundings), kernels_(kernels), tips_(executor, surroundings.nodes) {
    Base::make_fields(around_.nodes * around_.nodes);
  }

  void begin(const Plan& plan) override {
    plan_ = plan;
    executor_.for_each("begin", points(),
                       Begin<float>{fields(), {plan.start, around_.nodes, plan.constants.dx, held()}, true});
    Base::keep_first_row();
  }
  void enqueue() override {
    kernels_.march(SheetRun{fields(), around_.march, around_.run, ExplicitStep<float>::make(plan_.constants, 2),
                            around_.nodes, plan_.periodic, held()});
    if (around_.rows.values)
      executor_.for_each("keep row", (around_.rows.columns - 1) / KeepStretch::length + 1,
                         KeepStretch{{fields(), around_.march, around_.run, around_.rows}});
  }

  void publish_tips(float* tips) override { tips_.find(fields(), around_.march, plan_.constants, tips); }
  void paint(const Stimulus& stimulus) override {
    executor_.for_each("stimulus", points(),
                       Paint<float>{fields(), around_.march, stimulus, around_.nodes, plan_.constants.dx, true});
  }

 private:
  static constexpr double pacemaker_radius = 4;  // length

  Held held() const {
    if (plan_.start != Case::target) return {};
    return {around_.nodes / 2, around_.nodes / 2,
            static_cast<std::int64_t>(std::ceil(pacemaker_radius / plan_.constants.dx))};
  }

  SheetKernels<E>& kernels_;
  TipFinder<E> tips_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
