// The parts of a Glimmer run as plain values that the CPU and the GPU read: points, stages, forces, termination.
#pragma once

#include <cstdint>

#include "kinescope/executors/host_device.hpp"
#include "kinescope/executors/run_state.hpp"

namespace kinescope::sim::glimmer {

inline constexpr int maximum_window = 250;

// The kinds of stages; each runs the forces until termination. Each level but the coarsest begins with `interpolate`,
// where only the newcomers move. Then all points `relax`.
enum class Phase : std::int32_t { interpolate = 0, relax = 1 };

struct Stage {
  std::int64_t points = 0;       // number of points in the level
  std::int64_t first_free = 0;   // points before this one do not move
  std::int64_t level_first = 0;  // the first point that the level has added
  std::int32_t level = 0;        // number of the level; the coarsest is 1
  Phase phase = Phase::relax;
  std::int64_t limit = 0;  // iterations of the stage at most
};

// The parameters of the forces, some of which may change during a run.
struct ForceConstants {
  float step = 0, damping = 0, spring = 0, velocity_decay = 0;
  float epsilon = 0;
  std::int32_t window = 0;  // w: the filter has w + 1 taps
  std::int32_t near = 0, random = 0;
  std::int32_t arrive = 0;     // whether newcomers start near the nearest of the points that they have found
  std::int64_t run_limit = 0;  // limit on iterations in the whole run
  std::int32_t signal = 0;     // a Signal: what the second figure of the run is
  float velocity_limit = 0;    // in internal units
};

// The state of the run, in the executor's memory.
struct ForceState {
  std::int32_t stage = 0, stages = 0;
  std::int64_t stage_iteration = 0;
  std::int64_t points = 0, first_free = 0;  // of the current stage; `points` is the extent of its launches
  std::int64_t level_first = 0;             // points from here on are new at this level
  float signal[maximum_window + 1] = {};    // sparse stress of the latest iterations, at stage_iteration modulo w + 1
};

// Numerator and denominator of the sparse stress.
struct SparseStress {
  float numerator = 0, denominator = 0;
  KINESCOPE_HD friend SparseStress operator+(SparseStress a, SparseStress b) {
    return {a.numerator + b.numerator, a.denominator + b.denominator};
  }
  KINESCOPE_HD float value() const { return denominator > 0 ? numerator / denominator : 0.0f; }
};

// Sums over the points that move: of their shares of the sparse stress, their speeds, and the sizes of their forces.
struct ForceSums {
  SparseStress stress;
  float speed = 0, force = 0;
  KINESCOPE_HD friend ForceSums operator+(ForceSums a, ForceSums b) {
    return {a.stress + b.stress, a.speed + b.speed, a.force + b.force};
  }
};

// Ends an iteration: records the sparse stress, decides whether the stage is over, and if so begins the next one.
//
// Termination (thesis, 4.3.2): the signal is convolved with the derivative of a low-pass windowed sinc (Hann) over w
// iterations. The stage is over when the absolute value of the result is below epsilon, but never before the window is
// full.
struct EndIteration {
  RunState* run;
  ForceState* state;
  const Stage* stages;
  const ForceConstants* constants;
  const float* filter;  // [w + 1]: the derivative's taps, filter[0] for the newest value
  HistoryPoint* history;
  std::int64_t capacity;

  KINESCOPE_HD void operator()(const ForceSums& sums) const {
    if (run->converged) return;
    const SparseStress sum = sums.stress;
    const float moving = static_cast<float>(state->points - state->first_free);
    run->second_figure = constants->signal == 1   ? sums.speed / moving
                         : constants->signal == 2 ? sums.force / moving
                                                  : NAN;
    const std::int32_t taps = constants->window + 1;
    state->signal[state->stage_iteration % taps] = sum.value();
    ++state->stage_iteration;
    run->record(sum.value(), history, capacity);
    const bool limit = constants->run_limit > 0 && run->iteration >= constants->run_limit;
    if (stage_over(taps)) enter(state->stage + 1);
    if (limit && !run->converged) run->converged = run->cut = 1;
    run->fraction = progress();
  }

  KINESCOPE_HD bool stage_over(std::int32_t taps) const {
    if (state->stage_iteration >= stages[state->stage].limit) return true;
    if (state->stage_iteration < taps) return false;
    float change = 0;
    for (std::int32_t k = 0; k < taps; ++k)
      change += filter[k] * state->signal[(state->stage_iteration - 1 - k) % taps];
    return change < constants->epsilon && change > -constants->epsilon;
  }

  KINESCOPE_HD void enter(std::int32_t stage) const {
    if (stage == state->stages) {
      run->converged = 1;
      return;
    }
    state->stage = stage;
    state->stage_iteration = 0;
    state->points = stages[stage].points;
    state->first_free = stages[stage].first_free;
    state->level_first = stages[stage].level_first;
    run->points = stages[stage].points;
    run->level = stages[stage].level;
    run->phase = static_cast<std::int32_t>(stages[stage].phase);
  }

  // Estimates the part done. The cost of an iteration is taken as proportional to the points of its stage, and a stage
  // is assumed to last two windows.
  KINESCOPE_HD float progress() const {
    float all = 0, done = 0;
    for (std::int32_t s = 0; s < state->stages; ++s) {
      all += static_cast<float>(stages[s].points);
      if (s < state->stage) done += static_cast<float>(stages[s].points);
    }
    const float part = static_cast<float>(state->stage_iteration) / static_cast<float>(2 * constants->window);
    done += static_cast<float>(stages[state->stage].points) * (part < 0.9f ? part : 0.9f);
    return all > 0 ? done / all : 0;
  }
};

}  // namespace kinescope::sim::glimmer
