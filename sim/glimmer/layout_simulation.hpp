// The base class of all layouts, however they move their points. It holds the data by slot, the levels and the
// orientation, publishes the layout, and makes the results and the report.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "kinescope/glimmer/glimmer.hpp"
#include "kinescope/shell.hpp"
#include "sim/glimmer/orientation.hpp"
#include "sim/glimmer/prepare.hpp"
#include "sim/glimmer/quality/report.hpp"
#include "sim/glimmer/rivals/start.hpp"

namespace kinescope::sim::glimmer {

// Derived classes own the positions and compute the iterations.
template <Executor E, int L>
class LayoutSimulation : public Shell<E, GlimmerParameters> {
  using Base = Shell<E, GlimmerParameters>;

 public:
  Table result() override;
  Report report() override { return figures(false); }
  Report summary() override { return figures(true); }

 protected:
  using Base::setup_, Base::parameters_, Base::executor_, Base::stepper_;

  LayoutSimulation(const Setup& setup, GlimmerParameters& parameters)
      : Base(glimmer_kind(), setup, parameters, history_capacity) {}

  // Moves all points to `layout` [points × L], which is by slot and in layout units.
  virtual void move_to(const std::vector<float>& layout) = 0;
  virtual void upload_constants() = 0;  // copies the live parameters to the executor's memory
  virtual PositionsView positions() = 0;
  virtual const std::int64_t* level_first() = 0;                  // in the executor's memory
  virtual float unit() const = 0;                                 // one layout unit, in the data's (normalized) units
  virtual std::string figure_name(std::int32_t phase) const = 0;  // says over which pairs the figure is taken

  std::size_t points() const { return setup_.data->points; }
  std::int64_t count() const { return static_cast<std::int64_t>(setup_.data->points); }

  // Takes over the data that every layout needs.
  void take(Array<std::int32_t, E> permutation, Array<float, E> reference, std::vector<std::int64_t> levels) {
    permutation_ = std::move(permutation);
    reference_ = std::move(reference);
    orientation_ = Array<Orientation<L>, E>(executor_, 1);
    levels_ = std::move(levels);
  }

  const float* reference() const { return reference_.data(); }

  // Computes the given start if the parameters name one. A layout from a file is not turned: it becomes the reference.
  void take_start() {
    given_ = given_start(*setup_.data, parameters_, setup_.seed);
    if (given_ && parameters_.starts_from_file())
      reference_ = Array<float, E>(executor_, std::span<const float>(by_slot(given_->layout)));
  }
  const std::optional<GivenStart>& given() const { return given_; }
  // The report, or what of it takes little (Simulation::summary).
  virtual Report figures(bool brief);
  // The layout on which a run with a given start began, in the input's order and the data's units; empty without one.
  virtual std::vector<float> start_layout() const { return given_ ? given_->layout : std::vector<float>(); }
  void move_to_start() { move_to(by_slot(given_->layout)); }

  bool work(const Budget& budget) override {
    const bool more = Base::work(budget);
    if (!more && given_ && !judged_) judge();
    return more;
  }
  void begin_again() override {
    judged_ = went_back_ = false;
    Base::begin_again();
  }
  void write_buffers() override { publish_to(positions_out_.address(), states_out_.address()); }
  void change(const GlimmerParameters&) override { upload_constants(); }
  void describe(const RunState& seen, Snapshot& snapshot) const override {
    Progress& progress = snapshot.progress;
    progress.level = seen.level;
    progress.levels = static_cast<int>(levels_.size());
    progress.figure_name = figure_name(seen.phase);
    if (!given_ || (seen.iteration > 0 && !went_back_)) return;
    progress.figure = given_->stress.value;
    progress.figure_name = given_->stress.exact ? "stress, all pairs" : "stress, sampled";
    if (went_back_) progress.note = "returned to the initial layout: no layout with less stress was found";
  }

  // The state before the first iteration.
  RunState first_state() const {
    RunState run;
    run.points = levels_.front();
    run.level = 1;
    run.figure = NAN;
    return run;
  }

  std::vector<std::int64_t> levels_;  // numbers of points, the coarsest level first

 private:
  static constexpr std::size_t history_capacity = 1 << 17;

  void create_buffers(BufferSource& source) override {
    positions_out_.create(source, published::positions, points() * L);
    states_out_.create(source, published::states, points());
  }

  // Converts a layout from the input's order and the data's units to slots and layout units.
  std::vector<float> by_slot(const std::vector<float>& layout) const {
    const std::vector<std::int32_t> permutation = permutation_.download();
    std::vector<float> moved(layout.size());
    for (std::size_t slot = 0; slot < permutation.size(); ++slot)
      for (std::size_t l = 0; l < L; ++l)
        moved[slot * L + l] = layout[static_cast<std::size_t>(permutation[slot]) * L + l] / unit();
    return moved;
  }

  // Goes back to the given start unless the layout found has less stress.
  void judge() {
    judged_ = true;
    stepper_.wait();
    if (given_->beaten_by(oriented_layout(), *setup_.data, parameters_)) return;
    move_to_start();
    went_back_ = true;
  }

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
    Array<float, E> published(executor_, points() * L);
    publish_to(published.data(), nullptr);
    return published.download();
  }

  Array<std::int32_t, E> permutation_;  // [points] slot → input index
  Array<float, E> reference_;           // [points × L]
  Array<Orientation<L>, E> orientation_;
  std::optional<GivenStart> given_;
  bool judged_ = false;
  bool went_back_ = false;
  Outlet<float> positions_out_;
  Outlet<std::uint32_t> states_out_;
};

template <Executor E, int L>
Table LayoutSimulation<E, L>::result() {
  return layout_table(*setup_.data, oriented_layout(), L);
}

template <Executor E, int L>
Report LayoutSimulation<E, L>::figures(bool brief) {
  stepper_.wait();
  Report report;
  report.add("normalize_used", normalization_name(parameters_.normalize.value()));
  add_quality(report, *setup_.data, parameters_, oriented_layout(), start_layout(), brief);
  const History history = stepper_.seen_history();
  std::vector<Report> levels;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    const auto number = static_cast<int>(k + 1);
    std::int64_t interpolating = 0, relaxing = 0;
    double sparse_stress = NAN;
    for (const HistoryPoint& point : history.entries)
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
