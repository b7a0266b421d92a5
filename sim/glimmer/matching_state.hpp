// Our own Glimmer's course: which stage comes after which, when each is over. Plain values in the executor's memory; every
// decision is taken there, by one thread at the end of an iteration.
#pragma once

#include <cstdint>

#include "sim/core/host_device.hpp"
#include "sim/core/run_state.hpp"
#include "sim/glimmer/matching_formulas.hpp"

namespace kinescope::sim::glimmer {

// What makes an iteration (RunState::program).
enum Program : std::int32_t {
  program_anneal,            // the population moves through 32 matchings
  program_place_population,  // newcomers of a small level, in each layout of the population
  program_rank,              // the layouts' full stress; the best become candidates
  program_polish,            // one evaluation of the full stress for each candidate
  program_place,             // newcomers of a large level
  program_relax,             // eight matchings of all points of a large level
  program_average,           // the averaged positions become the positions
};

struct MatchingStage {
  Program program = program_relax;
  std::int64_t points = 0;      // of the level
  std::int64_t first = 0;       // newcomers start here
  std::int32_t level = 0;       // from 1, the coarsest
  std::int32_t phase = 0;       // index into the simulation's phases
  std::int64_t blocks = 0;      // of the relaxation
  bool coarsest = false, finest = false;
};

inline constexpr int population = 16;        // layouts that start at random; a multiple of eight
inline constexpr int extra_dimensions = 2;   // at most, of a start; squeezed to zero while η is held
inline constexpr int maximum_candidates = 4; // that are polished
inline constexpr int chunk = 32;             // matchings in an iteration of the population
inline constexpr int sub_matchings = 8;      // in an iteration of the relaxation
inline constexpr double floor_stress = 1e-11;  // sparse stress under which float32 has nothing to gain
inline constexpr std::int64_t matrix_limit = 5000;  // levels of up to so many points are solved over all pairs

// The population's timetable, for n points.
struct Annealing {
  std::int64_t length, hold, averaging;  // in matchings
  float start, halving;

  KINESCOPE_HD static Annealing of(std::int64_t n, bool coarsest) {
    Annealing annealing;
    const std::int64_t wanted = 5 * n;
    annealing.length = coarsest ? (wanted < 400 ? 400 : wanted > 3200 ? 3200 : wanted) : 1000;
    annealing.length = (annealing.length + chunk - 1) / chunk * chunk;
    annealing.hold = annealing.length * (coarsest ? 2 : 1) / 5;
    annealing.averaging = annealing.hold + (annealing.length - annealing.hold) / 5;
    annealing.start = coarsest ? 0.5f : 0.3f;
    annealing.halving = static_cast<float>(annealing.length) / 40.0f;
    return annealing;
  }
  KINESCOPE_HD float eta(std::int64_t t) const { return decayed(start, t, hold, halving); }
  // Factor of the extra dimensions' coordinates after matching t, a multiple of eight.
  KINESCOPE_HD float squeeze(std::int64_t t) const {
    const float u = (static_cast<float>(t) - 0.1f * static_cast<float>(hold)) / (0.9f * static_cast<float>(hold));
    return u < 0 ? 1.0f : u >= 1 ? 0.0f : 1.0f - 0.3f * u * u;
  }
};

// A pair of running sums, closed window by window.
struct Window {
  double error = 0, size = 0;            // Σ(d − δ)², Σδ² of the window that is open
  double previous = -1, current = -1;    // sparse stress of the last two that were closed
  std::int32_t matchings = 0, length = 16, closed = 0;

  KINESCOPE_HD bool add(double e, double s, std::int32_t count) {
    error += e;
    size += s;
    matchings += count;
    if (matchings < length) return false;
    previous = current;
    current = size > 0 ? error / size : 0;
    error = size = 0;
    matchings = 0;
    ++closed;
    return true;
  }
  KINESCOPE_HD double drop() const { return previous > 0 ? (previous - current) / previous : 1; }
  KINESCOPE_HD void restart() {
    const std::int32_t keep = length;
    *this = Window{};
    length = keep;
  }
};

struct MatchingState {
  std::int32_t stage = 0, stages = 0;
  std::int64_t points = 0, first = 0, level_first = 0, blocks = 0;
  std::int64_t t = 0;                    // matchings made in this stage
  std::int64_t decay_start = -1;         // relaxation: the matching at which η began to fall; -1 while it is held
  Window window;
  double weight_sum = 0;                 // of the averaged positions
  double delta_square = 0;               // Σ_{i<j} δ² of the level over all pairs (small levels)
  std::int32_t shown = 0;                // the layout of the population, or the candidate, that is shown
  std::int32_t alive = 0;                // candidates that are still polished: order[0 … alive)
  std::int32_t round = 0;
  std::int32_t order[population] = {};
};

// Everything that decides; the functors of the backends call it at the end of an iteration.
struct Course {
  RunState* run;
  MatchingState* state;
  const MatchingStage* stages;
  HistoryPoint* history;
  std::int64_t capacity;
  std::int64_t iteration_limit;  // 0: none

  KINESCOPE_HD const MatchingStage& stage() const { return stages[state->stage]; }
  KINESCOPE_HD bool current(Program program) const { return !run->converged && run->program == program; }

  // Counts the iteration, and goes on to the next stage if this one is over.
  KINESCOPE_HD void end_iteration(double figure, bool over) const {
    run->record(static_cast<float>(figure), history, capacity);
    if (iteration_limit > 0 && run->iteration >= iteration_limit) run->converged = 1;
    if (over && !run->converged) enter(state->stage + 1);
    run->fraction = static_cast<float>(state->stage) / static_cast<float>(state->stages);
  }

  KINESCOPE_HD void enter(std::int32_t next) const {
    if (next == state->stages) {
      run->converged = 1;
      return;
    }
    const MatchingStage& stage = stages[next];
    state->stage = next;
    state->points = run->points = stage.points;
    state->first = stage.first;
    state->level_first = stage.first;
    state->blocks = stage.blocks;
    state->t = 0;
    if (stage.program != program_average) {
      state->decay_start = -1;
      state->window = Window{};
      state->weight_sum = 0;
    }
    run->level = stage.level;
    run->phase = stage.phase;
    run->program = stage.program;
  }

  // Relaxation: η is held until a window's stress is less than 3 % below the one before, then decays over windows that grow by
  // half, until one is less than 1 % below.
  static constexpr float relax_start = 0.3f, relax_halving = 32.0f;
  KINESCOPE_HD float relax_eta(std::int32_t sub) const {
    return state->decay_start < 0 ? relax_start : decayed(relax_start, state->t + sub, state->decay_start, relax_halving);
  }
  KINESCOPE_HD bool averaging() const { return state->decay_start >= 0; }
  KINESCOPE_HD float average_weight() const { return static_cast<float>(state->t - state->decay_start + 4); }

  KINESCOPE_HD void end_relax(double error, double size) const {
    if (averaging()) state->weight_sum += average_weight();
    state->t += sub_matchings;
    bool over = state->t >= 4000;
    if (state->window.add(error, size, sub_matchings)) {
      if (state->window.current < floor_stress) {
        over = true;
      } else if (state->decay_start < 0) {
        if (state->window.closed > 1 && state->window.drop() < 0.03) {
          state->decay_start = state->t;
          state->window.restart();
        }
      } else {
        if (state->window.closed > 1 && state->window.drop() < 0.01) over = true;
        state->window.length = state->window.length * 3 / 2;
      }
    }
    end_iteration(size > 0 ? error / size : 0, over);
  }
};

}  // namespace kinescope::sim::glimmer
