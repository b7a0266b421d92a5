// Our own Glimmer on an executor. It keeps the multilevel scheme: levels that are prefixes of a random order of the
// points; each is interpolated from the level before and then relaxed. It differs from the method of 2007 in this
// (docs/manual/glimmer.md):
//   - Rows of many columns are replaced by their principal coordinates.
//   - The coarsest level, the landmarks, is solved to the minimum of its full stress. The picture that is shown starts
//     on the principal axes. Behind it, a population of layouts starts at random, some with extra dimensions that are
//     squeezed out; the best of them are polished by L-BFGS. The picture then glides to the chosen layout. If there are
//     at most 5,000 points, all of them are polished in this way in the end.
//   - A newcomer is placed at the minimum of its own stress against 512 placed points.
//   - Larger levels are relaxed in rounds. In each round, each point takes a damped step of Newton's method against 512
//     newly drawn partners. What a round measures before it moves is an unbiased figure of the layout.
//   - If distances come from a DistanceFeeder and there are many points, only those from the landmarks are requested,
//     and all other points are fitted to the landmarks.
// With a given start there is no search: all points begin there, on the last level. The launches are
// MultilevelKernels<E, L> (multilevel_cpu.hpp, multilevel_cuda.cuh).
#pragma once

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>

#include "kinescope/error.hpp"
#include "kinescope/executors/executor.hpp"
#include "kinescope/executors/functors.hpp"
#include "sim/data/text.hpp"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/forces/force_layout.hpp"
#include "sim/glimmer/layout_simulation.hpp"
#include "sim/glimmer/multilevel/multilevel_memory.hpp"
#include "sim/glimmer/multilevel/multilevel_plan.hpp"

namespace kinescope::sim::glimmer {

template <Executor E, int L>
class MultilevelKernels;  // specialized for each backend

template <Executor E, int L>
class MultilevelLayout : public LayoutSimulation<E, L> {
  using Base = LayoutSimulation<E, L>;
  using Base::count, Base::executor_, Base::levels_, Base::parameters_, Base::setup_, Base::stepper_;

 public:
  MultilevelLayout(const Setup& setup, GlimmerParameters& parameters) : Base(setup, parameters) {
    const bool gaps = has_gaps(*setup_.data);
    if (gaps && count() > matrix_limit)
      throw input_error(setup_.data->name + ": glimmer takes at most " + with_commas(matrix_limit) +
                        " points if pairs have no distance")
          .with({.parameter = "algorithm", .value = "glimmer-2007"});
    // Pairs without a distance are left out where all pairs are looked at: at the coarsest level.
    std::vector<std::int64_t> levels =
        plan_levels(count(), gaps ? matrix_limit : parameters_.landmarks.value(), parameters_.decimation.value());
    Coordinates<E> coordinates = make_coordinates(executor_, *setup_.data, parameters_, setup_.seed, levels);
    fits_ = coordinates.landmarks > 0 && coordinates.landmarks < count();
    if (fits_) levels = {coordinates.landmarks, count()};
    Base::take(std::move(coordinates.permutation), std::move(coordinates.reference), std::move(levels));
    allocate(coordinates);
    kernels_ = std::make_unique<MultilevelKernels<E, L>>(executor_, memory_);
    if constexpr (E::backend == Backend::cuda)
      if (fits_) kernels_->take_pages(std::move(coordinates.host_rows), parameters_.device_memory.value());
    Base::begin();
  }

 private:
  void allocate(Coordinates<E>& coordinates) {
    const auto make = [&](auto& array, std::int64_t size) {
      array = std::remove_reference_t<decltype(array)>(executor_, static_cast<std::size_t>(size));
      return array.data();
    };
    MultilevelMemory<L>& m = memory_;
    m.seed = setup_.seed;
    m.formula = coordinates.formula;
    m.scale_square = coordinates.scale * coordinates.scale;
    m.width = coordinates.width;
    m.points = count();
    unit_ = coordinates.unit;
    Base::take_start();
    m.stride = (m.points + 63) / 64 * 64;
    rows_ = std::move(coordinates.rows);
    m.rows = rows_.data();
    norms_ = std::move(coordinates.norms);
    m.norms = norms_.data();
    m.sources = coordinates.sources;
    if (fits_ && m.rows)
      m.held = m.rows + coordinates.landmarks * (m.width + 1);  // from the first newcomer's column on
    m.held_width = m.width;
    held_out_ = std::move(coordinates.held_out);
    if (held_out_.size() > 0) m.held_out = held_out_.data();
    m.held_out_each = coordinates.held_out_each;
    const Tail& tail = coordinates.tail;
    const auto upload = [&](auto& array, const auto& values) {
      array = std::remove_reference_t<decltype(array)>(executor_, values);
      return values.empty() ? nullptr : array.data();
    };
    m.far = upload(far_, tail.far);
    m.far_each = tail.far_each;
    m.far_delta = upload(far_delta_, tail.far_delta);
    m.far_estimate = upload(far_estimate_, tail.far_estimate);
    if (!m.far_estimate) m.far_estimate = m.far_delta;
    m.far_reach = upload(far_reach_, tail.far_reach);
    m.far_now = make(far_now_, (L + 2) * m.far_each);
    const FarStarts starts = far_starts(tail, levels_.front(), L, setup_.seed);
    m.far_points = starts.points;
    m.far_index = upload(far_index_, starts.index);
    m.far_place = upload(far_place_, starts.place);
    m.reference = Base::reference();
    m.reference_scale = coordinates.reference_scale;
    m.x = make(x_, L * m.stride);
    if (E::backend == Backend::cpu || fits_) m.direction = make(direction_, L * m.stride);
    m.hessian = make(hessian_, m.packed * m.stride);
    const bool finishes = !fits_ && m.points <= (m.far ? finish_limit_of_tails : finish_limit);
    m.small_points = finishes ? m.points : levels_.front();
    m.small_stride = (m.small_points + 31) / 32 * 32;
    m.matrix = make(matrix_, m.small_points * m.small_stride);
    m.layouts = make(layouts_, population * m.coordinates * m.small_stride);
    m.layout_copies = make(layout_copies_, population * m.coordinates * m.small_stride);
    m.layout_errors = make(layout_errors_, population);
    m.layout_sizes = make(layout_sizes_, population);
    m.polish = make(polish_, candidate_slots);
    m.polish_vectors = make(polish_vectors_, candidate_slots * m.polish_arrays * L * m.small_stride);
    m.row_values = make(row_values_, candidate_slots * m.small_stride);
    m.glide = make(glide_, 1);
    stages_host_ =
        Base::given() ? plan_refinement(levels_, fits_, finishes) : plan_multilevel(levels_, fits_, finishes);
    if (m.far)
      for (MultilevelStage& stage : stages_host_) {
        stage.far = tail.far_here[static_cast<std::size_t>(stage.level - 1)];
        const float* reach = tail.far_reach.data() + (stage.level - 1) * m.far_each;
        stage.far_reach = std::accumulate(reach, reach + stage.far, 0.0);
      }
    stages_ = Array<MultilevelStage, E>(executor_, stages_host_);
    state_ = Array<MultilevelState, E>(executor_, 1);
    constants_ = Array<MultilevelConstants, E>(executor_, 1);
    m.course = {stepper_.state(),
                state_.data(),
                stages_.data(),
                constants_.data(),
                stepper_.history(),
                stepper_.capacity(),
                parameters_.maximum_iterations.value()};
  }

  void start() override {
    MultilevelState state;
    state.stages = static_cast<std::int32_t>(stages_host_.size());
    RunState run = Base::first_state();
    if (Base::given()) run.figure = static_cast<float>(Base::given()->stress.value);
    const MultilevelConstants first_constants = constants();
    Course course = memory_.course;
    course.run = &run, course.state = &state, course.stages = stages_host_.data(), course.constants = &first_constants;
    course.enter(0);
    if (Base::given()) run.points = count();
    state_.upload(std::span<const MultilevelState>(&state, 1));
    stepper_.reset(run);
    upload_constants();
    // The CPU's vectors reach past a level's last point; the values there are multiplied by 0, so they must be finite.
    executor_.for_each("clear", L * memory_.stride, Fill<float>{memory_.x, 0});
    if (run.program != program_place) kernels_->start();
    if (Base::given()) Base::move_to_start();
  }

  void move_to(const std::vector<float>& layout) override {
    std::vector<float> places(x_.size());
    for (std::int64_t slot = 0; slot < memory_.points; ++slot)
      for (int c = 0; c < L; ++c)
        places[static_cast<std::size_t>(c * memory_.stride + slot)] = layout[static_cast<std::size_t>(slot * L + c)];
    x_.upload(places);
  }

  MultilevelConstants constants() {
    return {static_cast<float>(parameters_.step_strength.value()), parameters_.stop_threshold.value()};
  }
  void upload_constants() override {
    const MultilevelConstants now = constants();
    constants_.upload(std::span<const MultilevelConstants>(&now, 1));
  }

  void iterate(std::int32_t program) override { kernels_->enqueue(program); }
  PositionsView positions() override { return {{memory_.x, memory_.x}, 1, memory_.stride}; }
  const std::int64_t* level_first() override { return &state_.data()->level_first; }
  float unit() const override { return unit_; }
  std::string figure_name(std::int32_t phase) const override {
    const auto here = static_cast<LayoutPhase>(phase);
    const bool sampled = here == LayoutPhase::interpolate || here == LayoutPhase::relax || memory_.held_out;
    return sampled ? "stress, sampled" : "stress, all pairs";
  }

  void describe(const RunState& seen, Snapshot& snapshot) const override {
    Base::describe(seen, snapshot);
    if constexpr (E::backend == Backend::cuda) {
      const double bytes = static_cast<double>(kernels_->bytes_sent()), seconds = stepper_.level_seconds(2);
      if (bytes > 0 && seconds > 0) {
        char words[64];
        std::snprintf(words, sizeof words, "distances sent at %.1f GB/s", 1e-9 * bytes / seconds);
        snapshot.progress.note = words;
      }
    }
  }

  bool fits_ = false;  // whether only the landmarks' distances are known
  float unit_ = 1;
  std::vector<MultilevelStage> stages_host_;
  MultilevelMemory<L> memory_;
  Array<MultilevelStage, E> stages_;
  Array<MultilevelState, E> state_;
  Array<MultilevelConstants, E> constants_;
  Array<HeldOutPair, E> held_out_;
  Array<std::int32_t, E> far_;
  Array<float, E> far_delta_, far_estimate_, far_reach_, far_now_, far_place_;
  Array<std::int32_t, E> far_index_;
  Array<float, E> rows_, norms_, x_, direction_, hessian_, matrix_, layouts_, layout_copies_, polish_vectors_;
  Array<double, E> layout_errors_, layout_sizes_, row_values_;
  Array<PolishState, E> polish_;
  Array<Glide<L>, E> glide_;
  std::unique_ptr<MultilevelKernels<E, L>> kernels_;
};

}  // namespace kinescope::sim::glimmer
