// The sheet: the explicit scheme in two dimensions, and the tips of its spirals.
#pragma once

#include <vector>

#include "kinescope/array.hpp"
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
class Sheet : public Solution<E> {
 public:
  Sheet(E& executor, SheetKernels<E>& kernels, const Surroundings& surroundings)
      : executor_(executor), kernels_(kernels), around_(surroundings), tips_(executor, surroundings.nodes) {
    for (auto* pair : {v_, w_})
      for (int i = 0; i < 2; ++i) pair[i] = Array<float, E>(executor_, static_cast<std::size_t>(points()));
  }

  void begin(const Plan& plan) override {
    plan_ = plan;
    executor_.for_each("begin", points(),
                       Begin<float>{fields(), {plan.start, around_.nodes, plan.constants.dx, held()}, true});
    if (around_.rows.values)
      executor_.for_each("first row", around_.rows.columns, KeepFirstRow<float>{fields(), around_.rows});
  }
  void continue_with(const Plan& plan) override { plan_ = plan; }
  void enqueue() override {
    kernels_.march(SheetRun{fields(), around_.march, around_.run, ExplicitStep<float>::make(plan_.constants, 2),
                            around_.nodes, plan_.periodic, held()});
    if (around_.rows.values)
      executor_.for_each("keep row", (around_.rows.columns - 1) / KeepStretch::length + 1,
                         KeepStretch{{fields(), around_.march, around_.run, around_.rows}});
  }

  void publish(float* v, float* w) override {
    executor_.for_each("publish", points(), Publish<float>{fields(), around_.march, v, w});
  }
  void publish_tips(float* tips) override { tips_.find(fields(), around_.march, plan_.constants, tips); }
  void paint(const Stimulus& stimulus) override {
    executor_.for_each("stimulus", points(),
                       Paint<float>{fields(), around_.march, stimulus, around_.nodes, plan_.constants.dx, true});
  }

  std::size_t field_bytes() const override { return v_[0].size() * sizeof(float); }
  void copy_fields(std::int32_t current, void* v, void* w) override {
    executor_.copy_out(v, v_[current].data(), field_bytes());
    executor_.copy_out(w, w_[current].data(), field_bytes());
  }
  std::vector<double> read_v(std::int32_t current) override { return widened(v_[current].download()); }
  std::vector<double> read_w(std::int32_t current) override { return widened(w_[current].download()); }

 private:
  static constexpr double pacemaker_radius = 4;  // length

  std::int64_t points() const { return around_.nodes * around_.nodes; }
  Held held() const {
    if (plan_.start != Case::target) return {};
    return {around_.nodes / 2, around_.nodes / 2,
            static_cast<std::int64_t>(std::ceil(pacemaker_radius / plan_.constants.dx))};
  }
  Fields<float> fields() { return {{v_[0].data(), v_[1].data()}, {w_[0].data(), w_[1].data()}}; }

  E& executor_;
  SheetKernels<E>& kernels_;
  Surroundings around_;
  Plan plan_;
  Array<float, E> v_[2], w_[2];
  TipFinder<E> tips_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
