// The FitzHugh–Nagumo simulation for any executor: one or two solutions (solution.hpp) that advance together. Turn
// (march.hpp) is the last launch of each group of launches. The rest of the class is in fitzhugh_nagumo_results.hpp.
#pragma once

#include <algorithm>
#include <any>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/executors/functors.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo.hpp"
#include "kinescope/shell.hpp"
#include "sim/fitzhugh_nagumo/axon/adaptive_axon.hpp"
#include "sim/fitzhugh_nagumo/axon/axon.hpp"
#include "sim/fitzhugh_nagumo/axon/paper_adaptive.hpp"
#include "sim/fitzhugh_nagumo/outputs.hpp"
#include "sim/fitzhugh_nagumo/sheet/sheet.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// The figures that the device writes, in memory that both processors see.
struct SharedFigures {
  std::int64_t nodes_used = 0;
  NewtonSteps newton;
  LargestMagnitude largest_difference;
  std::int64_t probe_set = 0, probe_iteration = 0;
  float probes[most_probes] = {};
};

// The nodes where v is read.
struct Probes {
  std::int64_t set = 0, nodes[most_probes] = {};
  std::int32_t count = 0;
};

// Host memory that kernels may write (sim/fitzhugh_nagumo/*_cpu.cpp, *_cuda.cu).
template <Executor E>
class SharedWithHost;

struct NoteFigures {
  const NodesUsed* used;
  const NewtonState* newton;
  SharedFigures* to;
  Probes probes;
  const float* v;  // the published v
  const RunState* run;
  KINESCOPE_HD void operator()() const {
    if (used) to->nodes_used = used->now;
    if (newton) to->newton = newton->done;
    for (std::int32_t i = 0; i < probes.count; ++i) to->probes[i] = v[probes.nodes[i]];
    to->probe_iteration = run->iteration;
    to->probe_set = probes.set;
  }
};

template <Executor E>
class FitzHughNagumoSimulation : public Shell<E, FitzHughNagumoParameters, WaveSimulation> {
  using Base = Shell<E, FitzHughNagumoParameters, WaveSimulation>;
  using Base::parameters_, Base::executor_, Base::stepper_, Base::setup_;

 public:
  FitzHughNagumoSimulation(const Setup& setup, FitzHughNagumoParameters& parameters)
      : Base(fitzhugh_nagumo_kind(), setup, parameters, history_capacity),
        axon_kernels_(executor_),
        sheet_kernels_(executor_) {
    plan_ = make_plan(parameters_, E::backend, 0);
    march_ = Array<March, E>(executor_, 1);
    make_rows();
    make_solutions();
    Base::restart();
  }

  void receive(const std::any& input) override;
  Table result() override;
  std::vector<std::string> endings(const std::string& output) const override;
  Table table(const std::string& output) override;
  bool write(const std::string& output, const std::string& path) override;
  Report report() override;
  double bytes_of(const std::string& output, const std::string& path) const override;
  std::size_t field_bytes() const override { return solutions_[0]->field_bytes(); }
  void copy_fields(void* v, void* w) override {
    stepper_.wait();
    first().copy_fields(march_.download()[0].current, v, w);
  }
  std::vector<float> newton_corrections() override {
    stepper_.wait();
    return first().newton_corrections();
  }

 private:
  static constexpr std::size_t history_capacity = 1 << 17;
  static constexpr std::int64_t most_rows = 1000, most_columns = 4096, most_side = 512;
  static constexpr std::int64_t most_values_of_sheet = 1 << 25;  // 128 MiB
  static constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();

  bool sheet() const { return plan_.dimensions == 2; }
  Solution<E>& first() { return *solutions_[0]; }
  bool keeps_rows() const { return rows_.columns > 0; }
  std::int64_t depth() const;
  std::int64_t steps_of_launch() const { return whole_run_ ? AxonKernels<E>::whole_run_steps : depth(); }
  std::int64_t launches() const { return (plan_.steps - 1) / steps_of_launch() + 1; }
  std::int64_t rows_at_most() const {
    return sheet() ? std::min(most_rows, most_values_of_sheet / rows_.columns) : most_rows;
  }
  std::int64_t steps_between_rows(std::int64_t steps) const;
  std::int64_t rows_for(std::int64_t steps) const;
  double time_of(std::int64_t iteration) const {
    return start_time_ + static_cast<double>(iteration - first_iteration_) * plan_.constants.dt;
  }

  // The least distance in nodes at which at most so many are kept, or if there is one, a little larger one which
  // ends at the last node.
  static std::int64_t stride_of(std::int64_t nodes, std::int64_t most);
  void make_rows();
  void make_solutions();
  std::unique_ptr<Solution<E>> make_axon(Scheme scheme, std::int32_t which);
  void create_buffers(BufferSource& source) override;
  void write_buffers() override;
  void start() override;
  bool work(const Budget& budget) override;
  // The seconds reported count computing alone, as in the papers, not the preparation.
  void begin_again() override {
    stepper_.wait();
    start();
    Base::earlier_seconds_ = 0;
  }
  void change(const FitzHughNagumoParameters& before) override;
  void iterate(std::int32_t) override;
  void describe(const RunState& run, Snapshot& snapshot) const override {
    snapshot.progress.converged = run.converged && run.phase == marching;
    snapshot.add(figures());
  }
  WaveFigures figures() const;
  void set_probes(const ProbeSet& set);
  void continue_from(const RunState& run, double time);
  void keep_rows_in_place(March& march, double time, std::int64_t steps);
  void stop_if_blown_up() const;
  void note_difference(const float* v, const float* beside) {
    executor_.reduce("largest difference", plan_.nodes, LargestMagnitude{}, LargestDifference{v, beside},
                     Store<LargestMagnitude>{&shared_.data()->largest_difference});
  }
  Table history_table();

  AxonKernels<E> axon_kernels_;
  SheetKernels<E> sheet_kernels_;
  SharedWithHost<E> shared_;
  Plan plan_;
  Array<March, E> march_;
  Array<float, E> row_values_, rows_before_;
  Rows rows_;
  std::vector<std::unique_ptr<Solution<E>>> solutions_;  // the first; with `compare` also the second
  bool whole_run_ = false;                               // one launch does many steps in place, and Turn's bookkeeping
  std::int64_t allowed_ = endless;
  std::int64_t first_iteration_ = 0;  // from this iteration on, time runs from start_time_ in steps of the plan's dt
  double start_time_ = 0;
  WaveFigures figures_;  // as noted at the last publication
  Probes probes_;
  Outlet<float> v_out_, w_out_, v2_out_, w2_out_, space_time_out_, tips_out_;
  Outlet<std::uint32_t> used_out_;
};

template <Executor E>
std::int64_t FitzHughNagumoSimulation<E>::depth() const {
  if (sheet()) return SheetKernels<E>::depth;
  if (plan_.has(Scheme::implicit) || plan_.has(Scheme::adaptive_paper)) return 1;
  return plan_.has(Scheme::adaptive) ? adaptive_depth : AxonKernels<E>::depth;
}

// How many steps two rows are apart: equally many, so that the rows are at even times, and if possible so many that the
// last row is at the end. Along a long axon keeping a row costs about as much as a step, so there they are further
// apart.
template <Executor E>
std::int64_t FitzHughNagumoSimulation<E>::steps_between_rows(std::int64_t steps) const {
  const std::int64_t least =
      std::max<std::int64_t>(plan_.nodes > (1 << 16) ? 16 : 1, (steps - 1) / (rows_at_most() - 1) + 1);
  for (std::int64_t apart = least; apart <= 4 * least; ++apart)
    if (steps % apart == 0) return apart;
  return least;
}

template <Executor E>
std::int64_t FitzHughNagumoSimulation<E>::rows_for(std::int64_t steps) const {
  return keeps_rows() ? steps / steps_between_rows(steps) + 1 : 0;
}

template <Executor E>
std::int64_t FitzHughNagumoSimulation<E>::stride_of(std::int64_t nodes, std::int64_t most) {
  const std::int64_t intervals = nodes - 1, least = (intervals - 1) / (most - 1) + 1;
  for (std::int64_t stride = least; 2 * stride <= 3 * least; ++stride)
    if (intervals % stride == 0) return stride;
  return least;
}

template <Executor E>
void FitzHughNagumoSimulation<E>::make_rows() {
  if (sheet() && !setup_.history) return;
  rows_.nodes = plan_.nodes;
  rows_.stride = stride_of(plan_.nodes, sheet() ? most_side : most_columns);
  const std::int64_t along = Rows::kept(plan_.nodes, rows_.stride);
  rows_.side = sheet() ? along : 0;
  rows_.columns = sheet() ? along * along : along;
  row_values_ = Array<float, E>(executor_, static_cast<std::size_t>(rows_at_most() * rows_.columns));
  rows_.values = row_values_.data();
}

template <Executor E>
std::unique_ptr<Solution<E>> FitzHughNagumoSimulation<E>::make_axon(Scheme scheme, std::int32_t which) {
  Surroundings around{march_.data(), stepper_.state(), rows_, plan_.nodes, which};
  if (which > 0) around.rows.values = nullptr;  // the rows are of the first solution
  const auto make = [&]<class T>(T) -> std::unique_ptr<Solution<E>> {
    if (scheme == Scheme::adaptive) return std::make_unique<AdaptiveAxon<T, E>>(executor_, axon_kernels_, around);
    if (scheme == Scheme::adaptive_paper) return std::make_unique<PaperAxon<T, E>>(executor_, axon_kernels_, around);
    return std::make_unique<Axon<T, E>>(executor_, axon_kernels_, around, scheme);
  };
  return parameters_.precision.value() == Precision::double_precision ? make(0.0) : make(0.0f);
}

template <Executor E>
void FitzHughNagumoSimulation<E>::make_solutions() {
  if (sheet()) {
    const Surroundings around{march_.data(), stepper_.state(), rows_, plan_.nodes};
    solutions_.push_back(std::make_unique<Sheet<E>>(executor_, sheet_kernels_, around));
    return;
  }
  solutions_.push_back(make_axon(plan_.scheme, 0));
  if (plan_.compare != Compare::none)
    solutions_.push_back(make_axon(static_cast<Scheme>(static_cast<int>(plan_.compare) - 1), 1));
  // A first launch, on no data, allocates its memory: launches recorded in a graph must keep their addresses.
  if (solutions_.size() > 1) note_difference(nullptr, nullptr);
  whole_run_ = solutions_.size() == 1 && first().resident();
  stepper_.set_iterations_per_launch(steps_of_launch());
}

template <Executor E>
void FitzHughNagumoSimulation<E>::start() {
  plan_ = make_plan(parameters_, E::backend, 0);
  first_iteration_ = 0;
  start_time_ = 0;
  if (sheet()) stepper_.set_iterations_per_launch(steps_of_launch());
  RunState run;
  run.points = plan_.points();
  run.figure = NAN;
  run.phase = marching;
  run.converged = plan_.steps == 0;
  run.left = launches();
  March march;
  march.last = plan_.steps;
  march.allowed = allowed_ = endless;
  march.depth = depth();
  march.dt = plan_.constants.dt;
  const std::int64_t kept = rows_for(plan_.steps);
  march.set_rows(kept, kept > 1 ? static_cast<double>(steps_between_rows(plan_.steps)) * march.dt : 0);
  march.row = 1;
  march.row_at = march.iteration_of_row(1);
  march.stops_at_rows = sheet() && kept > 0;
  march.plan(run, march.depth);
  march_.upload({&march, 1});
  if (row_values_.size() > 0)
    executor_.for_each("rows", static_cast<std::int64_t>(row_values_.size()), Fill<float>{row_values_.data(), 0});
  for (auto& solution : solutions_) solution->begin(plan_);
  executor_.wait();
  stepper_.reset(run);
}

template <Executor E>
void FitzHughNagumoSimulation<E>::iterate(std::int32_t) {
  if (whole_run_) return first().enqueue_whole_run(stepper_.history(), stepper_.capacity());
  for (auto& solution : solutions_) solution->enqueue();
  Turn turn{march_.data(), stepper_.state(), stepper_.history(), stepper_.capacity()};
  for (std::size_t i = 0; i < solutions_.size(); ++i) turn.newton[i] = solutions_[i]->newton();
  executor_.once("turn", turn);
}

template <Executor E>
void FitzHughNagumoSimulation<E>::stop_if_blown_up() const {
  const RunState run = stepper_.seen();
  if (run.phase == blown_up) throw blown_up_error(plan_, time_of(run.iteration));
}

template <Executor E>
bool FitzHughNagumoSimulation<E>::work(const Budget& budget) {
  stop_if_blown_up();
  std::int64_t until = endless;
  if (budget.iterations < std::numeric_limits<long>::max()) {
    stepper_.wait();
    const std::int64_t now = stepper_.seen().iteration;
    until = budget.iterations < endless - now ? now + budget.iterations : endless;
  }
  if (until != allowed_) {
    executor_.once("allow", Allow{march_.data(), stepper_.state(), until});
    allowed_ = until;
  }
  const bool more = Base::work(budget);
  stop_if_blown_up();
  return more;
}

// Continues from the present state with the present parameters.
template <Executor E>
void FitzHughNagumoSimulation<E>::continue_from(const RunState& seen, double time) {
  March march = march_.download()[0];
  RunState run = seen;
  march.first = run.iteration;
  march.start_time = time;
  march.dt = plan_.constants.dt;
  march.last = run.iteration + plan_.steps;
  keep_rows_in_place(march, time, run.iteration + plan_.steps);
  run.converged = plan_.steps == 0;
  run.left = launches();
  march.plan(run, march.depth);
  march_.upload({&march, 1});
  for (auto& solution : solutions_) solution->continue_with(plan_);
  Base::go_on(run);
}

// After a change of the end time, moves the kept rows to the row numbers that their times now have.
template <Executor E>
void FitzHughNagumoSimulation<E>::keep_rows_in_place(March& march, double time, std::int64_t steps) {
  const std::int64_t rows_before = march.rows, come_to = march.row,
                     count = static_cast<std::int64_t>(row_values_.size());
  const double before = march.row_time;
  const std::int64_t kept = rows_for(steps);
  if (kept < 2 || parameters_.end_time.value() == 0) return;  // no time is left for another row
  march.set_rows(kept, parameters_.end_time.value() / static_cast<double>(kept - 1));
  const std::int64_t known = std::min(march.rows, static_cast<std::int64_t>(time / march.row_time + 1e-9) + 1);
  march.row = known;
  march.row_at = march.iteration_of_row(known);
  if (rows_before < 2) return;  // the first row stays first
  if (rows_before_.size() != row_values_.size()) rows_before_ = Array<float, E>(executor_, row_values_.size());
  row_values_.swap(rows_before_);
  executor_.for_each("move rows", count,
                     MoveRows{rows_before_.data(), row_values_.data(), rows_.columns, come_to, march.rows, known,
                              march.row_time / before});
  executor_.wait();
  // The solutions keep writing to the address that they know.
  executor_.for_each("move rows", count, Copy<float>{row_values_.data(), rows_before_.data()});
  executor_.wait();
  row_values_.swap(rows_before_);
}

template <Executor E>
void FitzHughNagumoSimulation<E>::change(const FitzHughNagumoParameters&) {
  stepper_.wait();
  const RunState run = stepper_.seen();
  const double time = time_of(run.iteration);
  const Plan plan = make_plan(parameters_, E::backend, time, &plan_);  // throws if a value is impossible
  if (run.phase == blown_up) return begin_again();
  plan_ = plan;
  first_iteration_ = run.iteration;
  start_time_ = time;
  continue_from(run, time);
}

template <Executor E>
void FitzHughNagumoSimulation<E>::receive(const std::any& input) {
  if (const auto* probes = std::any_cast<ProbeSet>(&input)) set_probes(*probes);
  const auto* stimulus = std::any_cast<Stimulus>(&input);
  if (!stimulus) return;
  Stimulus wide = *stimulus;
  wide.radius = std::max(wide.radius, plan_.constants.dx);
  for (auto& solution : solutions_) solution->paint(wide);
}

}  // namespace kinescope::sim::fitzhugh_nagumo
