// GPU-SF on an executor: the V-cycle of stages (or a single stage). Each iteration is one launch.
#pragma once

#include <memory>

#include "kinescope/executors/executor.hpp"
#include "sim/glimmer/forces/newcomers.hpp"
#include "sim/glimmer/forces/stages.hpp"
#include "sim/glimmer/layout_simulation.hpp"

namespace kinescope::sim::glimmer {

template <Executor E, int L>
class ForceLayout : public LayoutSimulation<E, L> {
  using Base = LayoutSimulation<E, L>;
  using Base::count, Base::executor_, Base::parameters_, Base::points, Base::setup_, Base::stepper_;

 public:
  ForceLayout(const Setup& setup, GlimmerParameters& parameters) : Base(setup, parameters) {
    const Prepared prepared = prepare(*setup_.data, parameters_, setup_.seed);
    stages_host_ = plan_stages(count(), parameters_);
    std::vector<std::int64_t> levels;
    for (const Stage& stage : stages_host_)
      if (stage.phase == Phase::relax) levels.push_back(stage.points);
    Base::take({executor_, prepared.permutation}, {executor_, prepared.reference}, std::move(levels));
    unit_ = prepared.unit;
    Base::take_start();
    stride_ = prepared.stride;
    values_ = Array<float, E>(executor_, prepared.values);
    if (!prepared.begin.empty()) {
      begin_ = Array<std::uint64_t, E>(executor_, prepared.begin);
      index_ = Array<std::uint32_t, E>(executor_, prepared.index);
    }
    if (scheme().has_sample) {
      const SortedSample sample = sort_sample(
          {prepared.values.data(), stride_, parameters_.metric.value(), prepared.begin.data(), prepared.index.data()},
          stages_host_.front().points);
      sample_pivots_ = sample.pivots;
      sample_distance_ = Array<float, E>(executor_, sample.distance);
      sample_point_ = Array<std::int32_t, E>(executor_, sample.point);
    }
    for (int side = 0; side < 2; ++side) {
      position_[side] = Array<Vector<L>, E>(executor_, points());
      velocity_[side] = Array<Vector<L>, E>(executor_, points());
    }
    near_ = Array<Candidate, E>(executor_, points() * maximum_set);
    stages_ = Array<Stage, E>(executor_, stages_host_);
    filter_ = Array<float, E>(executor_, termination_filter(static_cast<int>(parameters_.window.value())));
    constants_ = Array<ForceConstants, E>(executor_, 1);
    state_ = Array<ForceState, E>(executor_, 1);
    Base::begin();
  }

 private:
  void start() override {
    const Stage& first = stages_host_.front();
    upload_constants();
    ForceState state;
    state.stages = static_cast<std::int32_t>(stages_host_.size());
    state.points = first.points;
    RunState run = Base::first_state();
    run.phase = static_cast<std::int32_t>(first.phase);
    stepper_.reset(run);
    state_.upload(std::span<const ForceState>(&state, 1));
    executor_.for_each("scatter", count(), Scatter<L>{{layout(0), layout(1)}, near_.data(), setup_.seed, 0.5f});
    if (Base::given()) Base::move_to_start();
  }

  void move_to(const std::vector<float>& layout) override {
    std::vector<Vector<L>> places(points());
    for (std::size_t slot = 0; slot < points(); ++slot)
      for (int l = 0; l < L; ++l) places[slot][l] = layout[slot * L + static_cast<std::size_t>(l)];
    for (Array<Vector<L>, E>& side : position_) side.upload(places);
  }

  void upload_constants() override {
    ForceConstants constants;
    constants.step = static_cast<float>(parameters_.step.value());
    constants.damping = static_cast<float>(parameters_.damping.value());
    constants.spring = static_cast<float>(parameters_.spring.value());
    constants.velocity_decay = static_cast<float>(parameters_.velocity_decay.value());
    constants.epsilon = static_cast<float>(parameters_.epsilon.value());
    constants.window = static_cast<std::int32_t>(parameters_.window.value());
    const ForceScheme& own = scheme();
    constants.near = own.near > 0 ? own.near : static_cast<std::int32_t>(parameters_.near.value());
    constants.random = own.random > 0 ? own.random : static_cast<std::int32_t>(parameters_.random.value());
    constants.arrive = !own.has_sample;
    constants.run_limit = parameters_.maximum_iterations.value();
    constants.velocity_limit = 2;
    constants.signal = static_cast<std::int32_t>(parameters_.second_curve.value());
    constants_.upload(std::span<const ForceConstants>(&constants, 1));
  }

  void iterate(std::int32_t) override {
    const Rows rows{values_.data(), stride_, parameters_.metric.value(), begin_.data(), index_.data()};
    if (scheme().has_sample)
      executor_.for_each("newcomers", {count(), &state_.data()->points},
                         PlaceNewcomers<L>{stepper_.state(),
                                           state_.data(),
                                           rows,
                                           {layout(0), layout(1)},
                                           sample_distance_.data(),
                                           sample_point_.data(),
                                           sample_pivots_,
                                           static_cast<std::int32_t>(stages_host_.front().points)});
    const StochasticForce<L> force{stepper_.state(),       state_.data(), constants_.data(), rows,
                                   {layout(0), layout(1)}, near_.data(),  setup_.seed};
    const EndIteration end{stepper_.state(), state_.data(),      stages_.data(),     constants_.data(),
                           filter_.data(),   stepper_.history(), stepper_.capacity()};
    executor_.reduce("stochastic force", {count(), &state_.data()->points}, ForceSums{}, force, end);
  }

  PositionsView positions() override { return {{&position_[0].data()->x, &position_[1].data()->x}, L, 1}; }
  const std::int64_t* level_first() override { return &state_.data()->level_first; }
  float unit() const override { return unit_; }
  std::string figure_name(std::int32_t) const override { return "sparse stress"; }
  void describe(const RunState& seen, Snapshot& snapshot) const override {
    Base::describe(seen, snapshot);
    const Signal signal = parameters_.second_curve.value();
    if (signal == Signal::none) return;
    Progress& progress = snapshot.progress;
    progress.second_figure_name = signal == Signal::velocity ? "mean speed" : "mean force";
    progress.second_figure = static_cast<double>(seen.second_figure);
  }
  const ForceScheme& scheme() const { return parameters_.algorithm.value().forces.value(); }
  Layout<L> layout(int side) { return {position_[side].data(), velocity_[side].data()}; }

  std::vector<Stage> stages_host_;
  float unit_ = 1;
  std::int32_t stride_ = 0;
  Array<float, E> values_;  // [points × stride_], or the values of sparse rows
  Array<std::uint64_t, E> begin_;
  Array<std::uint32_t, E> index_;
  Array<Vector<L>, E> position_[2], velocity_[2];
  Array<Candidate, E> near_;  // [points × maximum_set]
  std::int32_t sample_pivots_ = 0;
  Array<float, E> sample_distance_;  // as in SortedSample; empty without a sample
  Array<std::int32_t, E> sample_point_;
  Array<Stage, E> stages_;
  Array<float, E> filter_;
  Array<ForceConstants, E> constants_;
  Array<ForceState, E> state_;
};

}  // namespace kinescope::sim::glimmer
