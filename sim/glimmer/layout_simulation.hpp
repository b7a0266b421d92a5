// What all layouts have in common, whatever moves their points: the data by slot, levels, orientation, publishing,
// results.
#pragma once

#include <cassert>
#include <chrono>
#include <cmath>
#include <span>
#include <vector>

#include "sim/core/array.hpp"
#include "sim/core/stepper.hpp"
#include "sim/glimmer/glimmer.hpp"
#include "sim/glimmer/orientation.hpp"
#include "sim/glimmer/prepare.hpp"
#include "sim/glimmer/stress.hpp"

namespace kinescope::sim::glimmer {

// Derived classes own the positions, and say how an iteration is made. They call begin_run() at the end of their
// constructor.
template <class Executor, int L>
class LayoutSimulation : public Simulation {
 public:
  void attach(BufferSource& source) override {
    source_ = &source;
    positions_buffer_ = source.create("positions", points() * L * sizeof(float));
    states_buffer_ = source.create("states", points() * sizeof(std::uint32_t));
  }

  bool advance(const Budget& budget) override {
    return stepper_.advance(budget, [this](std::int32_t program) { iterate(program); });
  }

  void publish() override {
    publish_to(static_cast<float*>(source_->address(positions_buffer_)),
               static_cast<std::uint32_t*>(source_->address(states_buffer_)));
  }

  void finish() override { stepper_.wait(); }
  Progress progress() const override;
  void history(History& history) const override { stepper_.copy_history(history); }

  void change(const std::string& name, const std::string& value) override {
    assert(parameters_.find(name)->change() == Change::live);
    parameters_.set(name, value);
    upload_constants();
  }

  void restart() override { start(); }
  Table result() override;
  Report report() override;

  Backend backend() const override { return Executor::backend; }
  void* stream() const override { return executor_.stream(); }

 protected:
  using Clock = std::chrono::steady_clock;

  LayoutSimulation(const Setup& setup, GlimmerParameters& parameters)
      : setup_(setup), executor_(setup), stepper_(executor_, history_capacity) {
    parameters_.copy_values(parameters);
  }

  virtual void start() = 0;                        // positions and state as at the beginning; stepper_.reset
  virtual void upload_constants() = 0;             // parameters that change live
  virtual void iterate(std::int32_t program) = 0;  // enqueues one iteration of the program that RunState names
  virtual PositionsView positions() = 0;
  virtual const std::int64_t* level_first() = 0;                  // in the executor's memory
  virtual float unit() const = 0;                                 // a layout unit in the data's (normalized) units
  virtual std::string figure_name(std::int32_t phase) const = 0;  // says which pairs the figure is of

  std::size_t points() const { return setup_.data->points; }
  std::int64_t count() const { return static_cast<std::int64_t>(setup_.data->points); }

  // What every layout needs of the data.
  void take(Array<std::int32_t, Executor> permutation, Array<float, Executor> reference,
            std::vector<std::int64_t> levels) {
    permutation_ = std::move(permutation);
    reference_ = std::move(reference);
    orientation_ = Array<Orientation<L>, Executor>(executor_, 1);
    levels_ = std::move(levels);
  }

  const float* reference() const { return reference_.data(); }

  // The state at the very beginning.
  RunState first_state() const {
    RunState run;
    run.points = levels_.front();
    run.level = 1;
    run.figure = NAN;
    return run;
  }

  void begin_run(Clock::time_point construction_began) {
    start();
    prepare_seconds_ = std::chrono::duration<double>(Clock::now() - construction_began).count();
  }

  Setup setup_;
  GlimmerParameters parameters_;
  Executor executor_;
  Stepper<Executor> stepper_;
  std::vector<std::int64_t> levels_;  // their numbers of points, the coarsest first

 private:
  static constexpr std::size_t history_capacity = 1 << 17;

  Extent present() { return {count(), &stepper_.state()->points}; }

  void publish_to(float* published, std::uint32_t* states) {
    executor_.reduce("orientation", present(), OrientationSums<L>{},
                     SumOrientation<L>{stepper_.state(), positions(), reference_.data()},
                     FinishOrientation<L>{orientation_.data()});
    executor_.for_each("publish", count(),
                       PublishLayout<L>{stepper_.state(), level_first(), positions(), permutation_.data(),
                                        orientation_.data(), unit(), published, states});
  }

  std::vector<float> oriented_layout() {
    Array<float, Executor> published(executor_, points() * L);
    publish_to(published.data(), nullptr);
    return published.download();
  }

  double prepare_seconds_ = 0;
  Array<std::int32_t, Executor> permutation_;  // [points] slot → input index
  Array<float, Executor> reference_;           // [points × L]
  Array<Orientation<L>, Executor> orientation_;
  BufferSource* source_ = nullptr;
  BufferSource::Id positions_buffer_ = 0, states_buffer_ = 0;
};

template <class Executor, int L>
Progress LayoutSimulation<Executor, L>::progress() const {
  static const std::vector<std::string>& names = glimmer_kind().phases;
  const RunState seen = stepper_.seen();
  Progress progress;
  progress.phase = names[static_cast<std::size_t>(seen.phase)];
  progress.level = seen.level;
  progress.levels = static_cast<int>(levels_.size());
  progress.points = static_cast<std::size_t>(seen.points);
  progress.iteration = static_cast<long>(seen.iteration);
  progress.figure = seen.figure;
  progress.fraction = seen.converged ? 1 : seen.fraction;
  progress.seconds = prepare_seconds_ + stepper_.seconds();
  progress.converged = seen.converged != 0;
  progress.cut = seen.cut != 0;
  progress.figure_name = figure_name(seen.phase);
  return progress;
}

template <class Executor, int L>
Table LayoutSimulation<Executor, L>::result() {
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

template <class Executor, int L>
Report LayoutSimulation<Executor, L>::report() {
  finish();
  Report report;
  const FullStress stress = full_stress(*setup_.data, parameters_, oriented_layout());
  report.add("stress", stress.value);
  report.add("stress_is", std::string(stress.exact ? "exact" : "sampled"));
  History history;
  stepper_.copy_history(history);
  std::vector<Report> levels;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    const auto number = static_cast<int>(k + 1);
    std::int64_t interpolating = 0, relaxing = 0;
    double sparse_stress = NAN;
    for (const HistoryPoint& point : history.points)
      if (point.level == number) {
        ++(point.phase == static_cast<std::int16_t>(Phase::interpolate) ? interpolating : relaxing);
        sparse_stress = point.figure;
      }
    if (interpolating + relaxing == 0) continue;
    Report level;
    level.add("points", levels_[k]);
    level.add("interpolate_iterations", interpolating);
    level.add("relax_iterations", relaxing);
    level.add("seconds", stepper_.level_seconds(number));
    level.add("sparse_stress", sparse_stress);
    levels.push_back(std::move(level));
  }
  report.add("levels", std::move(levels));
  return report;
}

}  // namespace kinescope::sim::glimmer
