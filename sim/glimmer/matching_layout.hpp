// Our own Glimmer over an executor. It keeps the V-cycle: levels that are prefixes of a random permutation, each
// interpolated and relaxed, the stop decided by the sparse stress. What differs from 2007:
//   - the coarsest level is solved to the minimum of its full stress: a population of layouts from random starts, some
//     with dimensions to spare that are squeezed out, then L-BFGS on the best; levels up to 5,000 points are polished
//     so too;
//   - newcomers are placed by multilateration; larger levels are relaxed by random matchings with a decaying step.
// The launches are MatchingKernels<Executor, L> (matching_cpu.hpp, matching_cuda.cuh).
#pragma once

#include <algorithm>
#include <memory>

#include "sim/glimmer/force_layout.hpp"
#include "sim/glimmer/layout_simulation.hpp"
#include "sim/glimmer/matching_memory.hpp"
#include "sim/glimmer/matching_plan.hpp"

namespace kinescope::sim::glimmer {

struct Clear {
  float* values;
  KINESCOPE_HD void operator()(std::int64_t i) const { values[i] = 0; }
};

template <class Executor, int L>
class MatchingLayout : public LayoutSimulation<Executor, L> {
  using Base = LayoutSimulation<Executor, L>;
  using Base::count, Base::executor_, Base::parameters_, Base::setup_, Base::stages_host_, Base::stepper_;

 public:
  MatchingLayout(const Setup& setup, GlimmerParameters& parameters) : Base(setup, parameters) {
    const auto began = Base::Clock::now();
    const Prepared prepared = prepare(*setup_.data, parameters_, setup_.seed);
    Base::take(prepared);
    const std::vector<MatchingStage> stages = plan_matching(stages_host_);
    stages_ = Array<MatchingStage, Executor>(executor_, stages);
    stage_count_ = static_cast<std::int32_t>(stages.size());
    first_stage_ = stages.front();
    std::int64_t small = 0;
    for (const MatchingStage& stage : stages)
      if (stage.program == program_polish) small = stage.points;
    allocate(prepared, small);
    kernels_ = std::make_unique<MatchingKernels<Executor, L>>(executor_, memory_);
    Base::begin_run(began);
  }

 private:
  void allocate(const Prepared& prepared, std::int64_t small) {
    const auto make = [&](auto& array, std::int64_t size) {
      array = std::remove_reference_t<decltype(array)>(executor_, static_cast<std::size_t>(size));
      return array.data();
    };
    MatchingMemory<L>& m = memory_;
    m.seed = setup_.seed;
    m.metric = parameters_.metric.value();
    m.points = count();
    m.dimensions = static_cast<std::int32_t>(setup_.data->dimensions);
    m.scale = distance_scale(prepared, m.points, m.metric, m.seed);
    unit_ = prepared.unit / m.scale;
    m.stride = (m.points + 63) / 64 * 64;
    columns_ = Array<float, Executor>(executor_, as_columns(prepared, m.points, m.dimensions, m.stride));
    m.columns = columns_.data();
    m.reference = Base::reference();
    m.reference_scale = m.scale;
    m.x = make(x_, L * m.stride);
    m.average = make(average_, L * m.stride);
    m.small_points = small;
    m.small_stride = (small + 31) / 32 * 32;
    m.matrix = make(matrix_, small * m.small_stride);
    m.layouts = make(layouts_, population * m.coordinates * m.small_stride);
    m.layout_copies = make(layout_copies_, population * m.coordinates * m.small_stride);
    m.layout_errors = make(layout_errors_, population);
    m.layout_sizes = make(layout_sizes_, population);
    m.polish = make(polish_, candidate_slots);
    m.polish_vectors = make(polish_vectors_, candidate_slots * m.polish_arrays * L * m.small_stride);
    m.row_values = make(row_values_, candidate_slots * m.small_stride);
    state_ = Array<MatchingState, Executor>(executor_, 1);
    constants_ = Array<MatchingConstants, Executor>(executor_, 1);
    m.course = {stepper_.state(),
                state_.data(),
                stages_.data(),
                constants_.data(),
                stepper_.history(),
                stepper_.capacity(),
                parameters_.maximum_iterations.value()};
  }

  void start() override {
    MatchingState state;
    state.stages = stage_count_;
    state.points = first_stage_.points;
    state_.upload(std::span<const MatchingState>(&state, 1));
    RunState run = Base::first_state();
    run.phase = first_stage_.phase;
    run.program = first_stage_.program;
    run.left = program_length(first_stage_, 0);
    stepper_.reset(run);
    upload_constants();
    // The CPU's vectors reach past a level's last point: what lies there is multiplied by 0, and must be finite for
    // that.
    executor_.for_each("clear", L * memory_.stride, Clear{memory_.x});
    kernels_->fill_matrix();
    kernels_->start_population();
  }

  void upload_constants() override {
    const MatchingConstants constants{static_cast<float>(parameters_.pull.value()), parameters_.settled.value()};
    constants_.upload(std::span<const MatchingConstants>(&constants, 1));
  }

  void iterate(std::int32_t program) override { kernels_->enqueue(program); }
  PositionsView positions() override { return {{memory_.x, memory_.x}, 1, memory_.stride}; }
  const std::int64_t* level_first() override { return &state_.data()->level_first; }
  float unit() const override { return unit_; }

  float unit_ = 1;
  std::int32_t stage_count_ = 0;
  MatchingStage first_stage_;
  MatchingMemory<L> memory_;
  Array<MatchingStage, Executor> stages_;
  Array<MatchingState, Executor> state_;
  Array<MatchingConstants, Executor> constants_;
  Array<float, Executor> columns_, x_, average_, matrix_, layouts_, layout_copies_, polish_vectors_;
  Array<double, Executor> layout_errors_, layout_sizes_, row_values_;
  Array<PolishState, Executor> polish_;
  std::unique_ptr<MatchingKernels<Executor, L>> kernels_;
};

// The algorithm and the output dimensions that the parameters ask for.
template <class Executor>
std::unique_ptr<Simulation> make_layout(const Setup& setup, GlimmerParameters& parameters) {
  const bool solid = parameters.output_dimensions.value() == 3;
  if (parameters.algorithm.value() == LayoutAlgorithm::glimmer) {
    if (solid) return std::make_unique<MatchingLayout<Executor, 3>>(setup, parameters);
    return std::make_unique<MatchingLayout<Executor, 2>>(setup, parameters);
  }
  if (solid) return std::make_unique<ForceLayout<Executor, 3>>(setup, parameters);
  return std::make_unique<ForceLayout<Executor, 2>>(setup, parameters);
}

}  // namespace kinescope::sim::glimmer
