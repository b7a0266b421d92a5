// Glimmer over an executor: the V-cycle of stages, each iteration one launch. glimmer_cpu.cpp and glimmer_cuda.cu instantiate it.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "sim/core/array.hpp"
#include "sim/core/stepper.hpp"
#include "sim/glimmer/glimmer.hpp"
#include "sim/glimmer/glimmer_kernels.hpp"
#include "sim/glimmer/make_glimmer.hpp"
#include "sim/glimmer/orientation.hpp"
#include "sim/glimmer/prepare.hpp"
#include "sim/glimmer/stress.hpp"

namespace kinescope::sim::glimmer {

// The authors' released program ends a stage after this many iterations in any case.
inline constexpr std::int64_t stage_limit = 2000;

template <class Executor, int L>
class Glimmer : public Simulation {
 public:
  Glimmer(const Setup& setup, ParameterSet& parameters, int processor)
      : setup_(setup), executor_(processor), stepper_(executor_, history_capacity(*setup.data)) {
    parameters_.copy_values(parameters);
    prepare_run();
  }

  void attach(BufferSource& source) override {
    source_ = &source;
    positions_buffer_ = source.create("positions", points() * L * sizeof(float));
    states_buffer_ = source.create("states", points() * sizeof(std::uint32_t));
  }

  bool advance(const Budget& budget) override {
    return stepper_.advance(budget, [this] { iterate(); });
  }

  void publish() override {
    publish_to(static_cast<float*>(source_->address(positions_buffer_)),
               static_cast<std::uint32_t*>(source_->address(states_buffer_)));
  }

  void finish() override { stepper_.wait(); }

  Progress progress() const override {
    static const std::vector<std::string>& names = glimmer_kind().phases;
    const RunState seen = stepper_.seen();
    Progress progress;
    progress.phase = names[static_cast<std::size_t>(seen.phase)];
    progress.level = seen.level;
    progress.levels = stages_host_.back().level;
    progress.points = static_cast<std::size_t>(seen.points);
    progress.iteration = static_cast<long>(seen.iteration);
    progress.figure = seen.figure;
    progress.fraction = seen.converged ? 1 : seen.fraction;
    progress.seconds = prepare_seconds_ + stepper_.seconds();
    progress.converged = seen.converged != 0;
    return progress;
  }

  void history(History& history) const override { stepper_.copy_history(history); }

  void change(const std::string& name, const std::string& value) override {
    assert(parameters_.find(name)->change() == Change::live);
    parameters_.set(name, value);
    upload_constants();
  }

  void restart() override { start(); }

  Table result() override {
    const std::vector<float> layout = oriented_layout();
    static constexpr const char* names[] = {"x", "y", "z"};
    Table table;
    table.source = setup_.data->name;
    table.rows = points();
    for (int l = 0; l < L; ++l) {
      Column column{names[l]};
      for (std::size_t i = 0; i < points(); ++i) column.numbers.push_back(layout[i * L + static_cast<std::size_t>(l)]);
      table.columns.push_back(std::move(column));
    }
    if (const Column* label = setup_.data->table.find(setup_.data->label_name)) {
      table.columns.push_back(*label);
      table.columns.back().name = "label";
    }
    return table;
  }

  Report report() override;

  Backend backend() const override { return Executor::backend; }
  void* stream() const override { return executor_.stream(); }

 private:
  std::size_t points() const { return setup_.data->points; }
  static std::size_t history_capacity(const Dataset&) { return 1 << 16; }

  void prepare_run() {
    const auto begin = std::chrono::steady_clock::now();
    const Prepared prepared = prepare(*setup_.data, parameters_, setup_.seed);
    unit_ = prepared.unit;
    stride_ = prepared.stride;
    permutation_ = Array<std::int32_t, Executor>(executor_, prepared.permutation);
    values_ = Array<float, Executor>(executor_, prepared.values);
    reference_ = Array<float, Executor>(executor_, prepared.reference);
    for (int side = 0; side < 2; ++side) {
      position_[side] = Array<Vector<L>, Executor>(executor_, points());
      velocity_[side] = Array<Vector<L>, Executor>(executor_, points());
    }
    near_ = Array<std::int32_t, Executor>(executor_, points() * maximum_set);
    stages_host_ = plan_stages(static_cast<std::int64_t>(points()), parameters_);
    stages_ = Array<Stage, Executor>(executor_, stages_host_);
    filter_ = Array<float, Executor>(executor_, termination_filter(static_cast<int>(parameters_.window.value())));
    constants_ = Array<Constants, Executor>(executor_, 1);
    state_ = Array<GlimmerState, Executor>(executor_, 1);
    orientation_ = Array<Orientation<L>, Executor>(executor_, 1);
    start();
    prepare_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void start() {
    const Stage& first = stages_host_.front();
    upload_constants();
    GlimmerState state;
    state.stages = static_cast<std::int32_t>(stages_host_.size());
    state.points = first.points;
    RunState run;
    run.points = first.points;
    run.level = first.level;
    run.phase = static_cast<std::int32_t>(first.phase);
    run.figure = NAN;
    stepper_.reset(run);
    state_.upload(std::span<const GlimmerState>(&state, 1));
    executor_.for_each("scatter", static_cast<std::int64_t>(points()), Scatter<L>{{layout(0), layout(1)}, near_.data(), setup_.seed, 0.5f});
  }

  void upload_constants() {
    Constants constants;
    constants.step = static_cast<float>(parameters_.step.value());
    constants.damping = static_cast<float>(parameters_.damping.value());
    constants.spring = static_cast<float>(parameters_.spring.value());
    constants.velocity_decay = static_cast<float>(parameters_.velocity_decay.value());
    constants.epsilon = static_cast<float>(parameters_.epsilon.value());
    constants.window = static_cast<std::int32_t>(parameters_.window.value());
    constants.near = static_cast<std::int32_t>(parameters_.near.value());
    constants.random = static_cast<std::int32_t>(parameters_.random.value());
    constants.stage_limit = stage_limit;
    constants.run_limit = parameters_.maximum_iterations.value();
    constants.velocity_limit = 2;
    constants_.upload(std::span<const Constants>(&constants, 1));
  }

  Layout<L> layout(int side) { return {position_[side].data(), velocity_[side].data()}; }
  Extent extent() { return {static_cast<std::int64_t>(points()), &state_.data()->points}; }

  void iterate() {
    const StochasticForce<L> force{stepper_.state(),
                                   state_.data(),
                                   constants_.data(),
                                   {values_.data(), stride_, parameters_.metric.value()},
                                   {layout(0), layout(1)},
                                   near_.data(),
                                   setup_.seed};
    const EndIteration end{stepper_.state(), state_.data(), stages_.data(), constants_.data(), filter_.data(),
                           stepper_.history(), stepper_.capacity()};
    executor_.reduce("stochastic force", extent(), SparseStress{}, force, end);
  }

  void publish_to(float* positions, std::uint32_t* states) {
    executor_.reduce("orientation", extent(), OrientationSums<L>{},
                     SumOrientation<L>{stepper_.state(), {layout(0), layout(1)}, reference_.data()},
                     FinishOrientation<L>{orientation_.data()});
    executor_.for_each("publish", static_cast<std::int64_t>(points()),
                       PublishLayout<L>{stepper_.state(), state_.data(), {layout(0), layout(1)}, permutation_.data(),
                                        orientation_.data(), unit_, positions, states});
  }

  std::vector<float> oriented_layout() {
    Array<float, Executor> positions(executor_, points() * L);
    publish_to(positions.data(), nullptr);
    return positions.download();
  }

  Setup setup_;
  GlimmerParameters parameters_;
  Executor executor_;
  Stepper<Executor> stepper_;
  double prepare_seconds_ = 0;

  float unit_ = 1;
  std::int32_t stride_ = 0;
  std::vector<Stage> stages_host_;
  Array<std::int32_t, Executor> permutation_;    // [points] slot → input index
  Array<float, Executor> values_;                // [points × stride_]
  Array<float, Executor> reference_;             // [points × L]
  Array<Vector<L>, Executor> position_[2], velocity_[2];
  Array<std::int32_t, Executor> near_;           // [points × maximum_set]
  Array<Stage, Executor> stages_;
  Array<float, Executor> filter_;
  Array<Constants, Executor> constants_;
  Array<GlimmerState, Executor> state_;
  Array<Orientation<L>, Executor> orientation_;

  BufferSource* source_ = nullptr;
  BufferSource::Id positions_buffer_ = 0, states_buffer_ = 0;
};

template <class Executor, int L>
Report Glimmer<Executor, L>::report() {
  Report report;
  const FullStress stress = full_stress(*setup_.data, parameters_, oriented_layout());
  report.add("stress", stress.value);
  report.add("stress_is", std::string(stress.exact ? "exact" : "sampled"));
  History history;
  finish();
  stepper_.copy_history(history);
  std::vector<Report> levels;
  for (const Stage& stage : stages_host_) {
    if (stage.phase != Phase::relax) continue;
    std::int64_t iterations[2] = {0, 0};
    double sparse_stress = NAN;
    for (const HistoryPoint& point : history.points)
      if (point.level == stage.level) {
        ++iterations[point.phase];
        sparse_stress = point.figure;
      }
    if (iterations[0] + iterations[1] == 0) continue;
    Report level;
    level.add("points", static_cast<std::int64_t>(stage.points));
    level.add("interpolate_iterations", iterations[0]);
    level.add("relax_iterations", iterations[1]);
    level.add("sparse_stress", sparse_stress);
    levels.push_back(std::move(level));
  }
  report.add("levels", std::move(levels));
  return report;
}

template <class Executor>
std::unique_ptr<Simulation> make_glimmer(const Setup& setup, GlimmerParameters& parameters, int processor) {
  if (parameters.output_dimensions.value() == 3) return std::make_unique<Glimmer<Executor, 3>>(setup, parameters, processor);
  return std::make_unique<Glimmer<Executor, 2>>(setup, parameters, processor);
}

}  // namespace kinescope::sim::glimmer
