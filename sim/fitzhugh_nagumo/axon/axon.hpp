// A solution along an axon by the explicit or the implicit scheme: its arrays, and the launches for a group of steps.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kinescope/array.hpp"
#include "sim/fitzhugh_nagumo/axon/newton.hpp"
#include "sim/fitzhugh_nagumo/solution.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// The arguments of the explicit kernels.
template <class T>
struct ExplicitRun {
  Fields<T> fields;
  March* march;
  const RunState* run;
  Rows rows;  // null values: no rows are kept
  ExplicitStep<T> step;
  std::int64_t nodes;
  Held held;
  std::int32_t solution;  // 0 for the first, 1 for the second
};

// The arguments of the fused implicit kernel.
template <class T>
struct HaloRun {
  Fields<T> fields;
  March* march;
  NewtonState* newton;
  ImplicitStep<T> step;
  std::int64_t nodes, halo;
  Held held;
  std::int32_t solution;
};

template <class T, Executor E>
class Axon : public BufferedSolution<T, E> {
  using Base = BufferedSolution<T, E>;

 public:
  Axon(E& executor, AxonKernels<E>& kernels, const Surroundings& surroundings, Scheme scheme)
      : Base(executor, surroundings), kernels_(kernels), scheme_(scheme), newton_(executor, 1) {
    Base::make_fields(nodes());
  }

  void begin(const Plan& plan) override {
    plan_ = plan;
    executor_.for_each("begin", nodes(), Begin<T>{fields(), {plan.start, nodes(), plan.constants.dx, held()}, false});
    const NewtonState newton;
    newton_.upload({&newton, 1});
    Base::keep_first_row();
  }

  void enqueue() override {
    if (scheme_ == Scheme::explicit_euler) return kernels_.march(explicit_run());
    step();
    if (around_.rows.values)
      executor_.for_each("keep row", around_.rows.columns,
                         KeepRow<T>{fields(), around_.march, around_.run, around_.rows});
  }

  bool resident() const override {
    return scheme_ == Scheme::explicit_euler && AxonKernels<E>::holds_whole_run(nodes());
  }
  void enqueue_whole_run(HistoryPoint* history, std::int64_t capacity) override {
    kernels_.march_whole(explicit_run(), history, capacity);
  }

  void publish_used(std::uint32_t* used) override {
    executor_.for_each("publish nodes", nodes(), Fill<std::uint32_t>{used, 1});
  }
  void paint(const Stimulus& stimulus) override {
    executor_.for_each("stimulus", nodes(),
                       Paint<T>{fields(), around_.march, stimulus, nodes(), plan_.constants.dx, false});
  }

  std::vector<float> newton_corrections() override {
    const NewtonSteps steps = newton_.download()[0].done;
    std::vector<float> sizes;
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(steps.iterations, newton_limit); ++i)
      sizes.push_back(float_of(steps.corrections[i]));
    return sizes;
  }
  NewtonState* newton() override { return scheme_ == Scheme::implicit ? newton_.data() : nullptr; }

 protected:
  using Base::executor_, Base::around_, Base::plan_, Base::fields;

  // Launches of one step.
  virtual void step() {
    if (plan_.solver == Solver::halo)
      kernels_.step_by_halo(halo_run());
    else
      step_by_newton();
  }

  std::int64_t nodes() const { return around_.nodes; }
  Held held() const { return plan_.start == Case::traveling ? Held{nodes() - 1, 0, 0} : Held{}; }

 private:
  ExplicitRun<T> explicit_run() {
    return {fields(), around_.march, around_.run,     around_.rows, ExplicitStep<T>::make(plan_.constants, 1),
            nodes(),  held(),        around_.solution};
  }
  HaloRun<T> halo_run() {
    return {fields(), around_.march, newton_.data(), ImplicitStep<T>::make(plan_.constants),
            nodes(),  plan_.halo,    held(),         around_.solution};
  }

  void step_by_newton() {
    if (!tridiagonal_) {
      tridiagonal_ = std::make_unique<Tridiagonal<T, E>>(executor_, kernels_, nodes());
      known_ = Array<T, E>(executor_, static_cast<std::size_t>(nodes()));
    }
    const ImplicitStep<T> step = ImplicitStep<T>::make(plan_.constants);
    NewtonState* newton = newton_.data();
    executor_.once("Newton begins", NewtonBegin{newton, around_.march});
    executor_.for_each("known", nodes(), NewtonKnown<T>{fields(), around_.march, step, nodes(), known_.data()});
    for (int i = 0; i < newton_limit && !(E::backend == Backend::cpu && *idle()); ++i) {
      executor_.for_each("Jacobian", nodes(),
                         NewtonSystem<T>{fields(), around_.march, newton, step, held(), nodes(), known_.data(),
                                         tridiagonal_->system()});
      tridiagonal_->solve(plan_.solver, idle());
      executor_.reduce("correct", nodes(), LargestMagnitude{},
                       NewtonCorrect<T>{fields(), around_.march, newton, tridiagonal_->solution()},
                       NewtonJudge{newton, newton_tolerance<T>});
    }
    executor_.reduce("Newton ends", nodes(), LargestMagnitude{}, NewtonEnd<T>{fields(), around_.march, newton, step},
                     NoteLargest{around_.march, around_.solution});
  }
  const std::int32_t* idle() { return &newton_.data()->idle; }

  AxonKernels<E>& kernels_;
  Scheme scheme_;
  Array<T, E> known_;
  Array<NewtonState, E> newton_;
  std::unique_ptr<Tridiagonal<T, E>> tridiagonal_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
