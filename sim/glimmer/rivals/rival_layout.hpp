// Runs a Rival as a simulation on an executor. The host computes an iteration; its layout is copied to the executor,
// which publishes it.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "kinescope/executors/executor.hpp"
#include "sim/glimmer/layout_simulation.hpp"
#include "sim/glimmer/rivals/rival.hpp"

namespace kinescope::sim::glimmer {

// The outcome of an iteration on the host.
struct RivalOutcome {
  float figure = 0, fraction = 0;
  std::int32_t converged = 0, cut = 0;
};

struct EndRivalIteration {
  RunState* run;
  const RivalOutcome* outcome;
  HistoryPoint* history;
  std::int64_t capacity;

  KINESCOPE_HD void operator()(std::int64_t) const {
    if (run->converged) return;
    run->record(outcome->figure, history, capacity);
    run->fraction = outcome->fraction;
    run->converged = outcome->converged;
    run->cut = outcome->cut;
  }
};

template <Executor E, int L>
class RivalLayout : public LayoutSimulation<E, L> {
  using Base = LayoutSimulation<E, L>;
  using Base::count, Base::executor_, Base::parameters_, Base::points, Base::setup_, Base::stepper_;

 public:
  RivalLayout(const Setup& setup, GlimmerParameters& parameters) : Base(setup, parameters) {
    std::vector<std::int32_t> order(points());
    std::iota(order.begin(), order.end(), 0);
    Base::take({executor_, order}, {executor_, reference_layout(*setup_.data, parameters_)}, {count()});
    positions_ = Array<float, E>(executor_, points() * L);
    outcome_ = Array<RivalOutcome, E>(executor_, 1);
    level_first_ = Array<std::int64_t, E>(executor_, std::vector<std::int64_t>{0});
    Base::begin();
  }

  bool work(const Budget& budget) override {
    const auto began = Base::Clock::now();
    for (long done = 0; done < budget.iterations; ++done) {
      if (stepper_.seen().converged) return false;
      const auto before = Base::Clock::now();
      rival_->step();
      const Rival::Seen& seen = rival_->seen();
      const std::int64_t limit = parameters_.maximum_iterations.value(), iteration = stepper_.seen().iteration + 1;
      const bool cut = limit > 0 && iteration >= limit && !seen.converged;
      const RivalOutcome outcome{static_cast<float>(seen.figure), static_cast<float>(seen.fraction),
                                 seen.converged || cut, cut};
      outcome_.upload(std::span<const RivalOutcome>(&outcome, 1));
      upload_layout();
      Base::earlier_seconds_ += Base::since(before);
      stepper_.advance({.iterations = 1}, [this](std::int32_t program) { iterate(program); });
      stepper_.wait();
      if (Base::since(began) >= budget.seconds) break;
    }
    return !stepper_.seen().converged;
  }

 private:
  Report figures(bool brief) override {
    Report report = Base::figures(brief);
    rival_->add_to(report);
    return report;
  }
  void start() override {
    rival_ = make_rival(*setup_.data, parameters_, setup_.seed);
    RunState run = Base::first_state();
    run.figure = static_cast<float>(rival_->seen().figure);
    run.phase = static_cast<std::int32_t>(Phase::relax);
    stepper_.reset(run);
    upload_layout();
    if (parameters_.has_given_start()) start_.assign(rival_->layout().begin(), rival_->layout().end());
  }
  std::vector<float> start_layout() const override { return start_; }
  void iterate(std::int32_t) override {
    executor_.for_each("end of iteration", 1,
                       EndRivalIteration{stepper_.state(), outcome_.data(), stepper_.history(), stepper_.capacity()});
  }
  void upload_layout() {
    const std::vector<float> layout(rival_->layout().begin(), rival_->layout().end());
    positions_.upload(layout);
  }
  void move_to(const std::vector<float>&) override {}  // a Rival computes its start itself
  void upload_constants() override {}                  // no parameter is live
  PositionsView positions() override { return {{positions_.data(), positions_.data()}, L, 1}; }
  const std::int64_t* level_first() override { return level_first_.data(); }
  float unit() const override { return 1; }
  std::string figure_name(std::int32_t) const override { return rival_->figure_name(); }

  std::unique_ptr<Rival> rival_;
  std::vector<float> start_;   // [points × L], the start if it was given; else empty
  Array<float, E> positions_;  // [points × L]
  Array<RivalOutcome, E> outcome_;
  Array<std::int64_t, E> level_first_;
};

}  // namespace kinescope::sim::glimmer
