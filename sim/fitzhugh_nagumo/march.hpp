// How far a run has come and what the next launch does. A March is in the executor's memory. Kernels read it, the last
// launch of each group (Turn) advances it, and the host only sets how far launches may go. Every step computes the same
// numbers, wherever a budget interrupts the run.
#pragma once

#include <cstdint>

#include "kinescope/executors/host_device.hpp"
#include "kinescope/executors/run_state.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// If |v| is above this, the scheme has become unstable: v of a wave of this equation stays near [-0.5, 1.2].
inline constexpr float unstable_above = 1e3f;
inline constexpr int solutions = 2;  // at most: the first, and with `compare` a second

enum Phase : std::int32_t { marching, blown_up };

struct March {
  std::int64_t last = 0;     // iteration at which the run ends
  std::int64_t allowed = 0;  // the iteration that the enqueued launches may reach
  std::int64_t depth = 1;    // steps per launch, which ends where depth divides the iteration; there |v| is checked
  std::int64_t first = 0;    // from this iteration on, time runs in steps of dt from start_time
  double start_time = 0, dt = 0;

  std::int64_t rows = 0;  // number of times at which v is kept
  double row_time = 0;    // time between two rows
  double row_steps = 0,
         row_shift = 0;        // row k is taken at iteration − first = k row_steps − row_shift, rounded up
  std::int64_t row = 0;        // the next row
  std::int64_t row_at = 0;     // the iteration after which the next row is taken
  bool stops_at_rows = false;  // launches end there

  std::int64_t steps = 0;    // steps of the next launch
  std::int32_t current = 0;  // which of two buffers holds the solution
  std::uint32_t largest[solutions] =
      {};  // bits of the largest |v|; they sort like the numbers, those of a NaN above all
  std::int64_t newton_iterations = 0;

  KINESCOPE_HD double time(std::int64_t iteration) const {
    return start_time + static_cast<double>(iteration - first) * dt;
  }
  // The iteration after which the row is taken: the first at or past its time.
  KINESCOPE_HD std::int64_t iteration_of_row(std::int64_t which) const {
    if (which >= rows) return INT64_MAX;
    const double steps_there = static_cast<double>(which) * row_steps - row_shift;
    const auto whole = static_cast<std::int64_t>(steps_there);
    return first + (steps_there > static_cast<double>(whole) ? whole + 1 : whole);
  }
  // Whether |v| is checked at the end of a launch that ends at this iteration.
  KINESCOPE_HD bool checks(std::int64_t iteration) const { return iteration % depth == 0 || iteration == last; }
  // From now on rows are `apart` units of time apart.
  void set_rows(std::int64_t count, double apart) {
    rows = count;
    row_time = apart;
    row_steps = apart / dt;
    row_shift = start_time / dt + 1e-6;
  }
  KINESCOPE_HD void pass_rows(std::int64_t iteration) {
    while (row < rows && row_at <= iteration) row_at = iteration_of_row(++row);
  }
  // Notes in `run` whether it has ended or blown up, and how many launches of at most `most` steps are left.
  KINESCOPE_HD void judge(RunState& run, bool unstable, std::int64_t most) const {
    const std::int64_t left = last - run.iteration;
    if (unstable) run.phase = blown_up;
    if (unstable || left <= 0) run.converged = 1;
    run.left = (left + most - 1) / most;
    run.fraction = static_cast<float>(static_cast<double>(run.iteration) / static_cast<double>(last));
  }
  KINESCOPE_HD void plan(const RunState& run, std::int64_t most) {
    const std::int64_t end = allowed < last ? allowed : last;
    std::int64_t next = most - run.iteration % most;
    if (end - run.iteration < next) next = end - run.iteration;
    if (stops_at_rows && row < rows && row_at - run.iteration < next) next = row_at - run.iteration;
    steps = run.converged || next < 0 ? 0 : next;
  }
};

KINESCOPE_HD inline float float_of(std::uint32_t bits) {
  union {
    std::uint32_t bits;
    float value;
  } both = {bits};
  return both.value;
}
KINESCOPE_HD inline std::uint32_t bits_of(float value) {
  union {
    float value;
    std::uint32_t bits;
  } both = {value};
  return both.bits;
}

inline constexpr int newton_limit = 10;  // iterations of Newton's method; a step that needs more has not converged

// Newton's iterations in one step: their number, and ‖δv‖∞ of each correction as bits of a float.
struct NewtonSteps {
  std::uint32_t iterations = 0;
  std::uint32_t corrections[newton_limit] = {};
};

struct NewtonState {
  std::int32_t idle = 0;  // the following launches have nothing to do
  NewtonSteps now;        // the current step's
  NewtonSteps done;       // the last finished step's
};

// Ends a launch: counts its steps, checks the solution where depth divides the iteration, and plans the next launch.
struct Turn {
  March* march;
  RunState* run;
  HistoryPoint* history;
  std::int64_t capacity;
  NewtonState* newton[solutions] = {};  // null for a solution by another scheme

  // Works on copies, because each access to memory takes long on a device.
  KINESCOPE_HD void operator()() const {
    March now = *march;
    RunState state = *run;
    if (now.steps > 0) count(now, state);
    now.plan(state, now.depth);
    *march = now;
    *run = state;
  }

  KINESCOPE_HD void count(March& now, RunState& state) const {
    for (std::int64_t i = 1; i < now.steps; ++i) state.record(state.figure, history, capacity);
    const bool judged = now.checks(state.iteration + 1);
    const float largest = float_of(now.largest[0]), beside = float_of(now.largest[1]);
    state.record(judged ? largest : state.figure, history, capacity);
    if (judged) now.largest[0] = now.largest[1] = 0;
    for (NewtonState* solver : newton)
      if (solver) {
        now.newton_iterations += solver->now.iterations;
        solver->done = solver->now;
        solver->now = {};
      }
    now.current ^= 1;
    now.pass_rows(state.iteration);
    now.judge(state, judged && !(largest <= unstable_above && beside <= unstable_above), now.depth);
  }
};

// Lets the run go up to iteration `until`. The host launches it when a budget changes.
struct Allow {
  March* march;
  const RunState* run;
  std::int64_t until;

  KINESCOPE_HD void operator()() const {
    march->allowed = until;
    march->plan(*run, march->depth);
  }
};

// v at equally spaced times, at every `stride`-th node and the last one, of a sheet in both directions.
struct Rows {
  float* values = nullptr;  // [rows × columns]; null: none are kept
  std::int64_t columns = 0, stride = 1;
  std::int64_t nodes = 0;  // per side
  std::int64_t side = 0;   // of a sheet: columns in one direction

  static constexpr std::int64_t kept(std::int64_t nodes, std::int64_t stride) { return (nodes - 2) / stride + 2; }

  KINESCOPE_HD std::int64_t along(std::int64_t place) const {
    return place * stride < nodes - 1 ? place * stride : nodes - 1;
  }
  // The node of a column.
  KINESCOPE_HD std::int64_t node(std::int64_t column) const {
    return side > 0 ? along(column / side) * nodes + along(column % side) : along(column);
  }
};

}  // namespace kinescope::sim::fitzhugh_nagumo
