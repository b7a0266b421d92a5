// Our own Glimmer's course: which stage comes after which, when each is over. Plain values in the executor's memory;
// every decision is taken there, by one thread at the end of an iteration.
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
  std::int64_t points = 0;  // of the level
  std::int64_t first = 0;   // newcomers start here
  std::int32_t level = 0;   // from 1, the coarsest
  std::int32_t phase = 0;   // index into the simulation's phases
  std::int64_t blocks = 0;  // of the relaxation
  bool coarsest = false;
  bool answer = false;  // of the levels solved over all pairs: the last of them is all the data
  bool whole = false;   // the coarsest level is all the data
};

inline constexpr int group_size = 8, groups = 2;        // layouts of a group share their matchings
inline constexpr int population = group_size * groups;  // layouts that start at random
inline constexpr int extra_dimensions = 2;              // at most, of a start; squeezed to zero while η is held
inline constexpr int candidate_slots = population + 1;  // layouts that are polished, and the best of earlier batches
inline constexpr int maximum_batches = 5;               // populations grown at most, while their best layouts disagree
inline constexpr std::int64_t few_points = 512;
inline constexpr int few_points_batches = 4;  // populations grown at least for few points
// Matchings in an iteration of the first population, of others.
inline constexpr int first_chunk = 32, later_chunk = 512;
inline constexpr int sub_matchings = 8;             // in an iteration of the relaxation
inline constexpr double floor_stress = 1e-11;       // sparse stress under which float32 has nothing to gain
inline constexpr std::int64_t matrix_limit = 5000;  // levels of up to so many points are solved over all pairs

// The population's timetable at a level of n points. Where the level is all the data it is annealed twice: the second
// time each group starts from its best four layouts, a little disturbed and with new dimensions to spare.
struct Annealing {
  std::int64_t length = 0, second = 0;    // matchings; the second time begins at `second`, = length if there is none
  bool squeezes = false, starts = false;  // from spare dimensions; from positions of its own

  std::int64_t chunk = first_chunk;

  KINESCOPE_HD static Annealing of(const MatchingStage& stage, std::int32_t batch) {
    const std::int64_t n = stage.points;
    const auto within = [](std::int64_t value, std::int64_t low, std::int64_t high) {
      return value < low ? low : value > high ? high : value;
    };
    if (!stage.coarsest) return {2016, 2016};
    if (is_plain(stage, batch)) return {512, 512, false, true, later_chunk};
    std::int64_t wanted = within(5 * n, 400, 1600);
    if (stage.answer) wanted = within(4'400'000 / (n > 0 ? n : 1), 400, 3200);
    if (stage.whole) wanted = n <= 64 ? 1600 : n < 1000 ? 6400 : 2400;
    if (batch > 0) wanted *= 2;
    const std::int64_t chunk = batch == 0 ? first_chunk : later_chunk;
    const auto whole = [&](std::int64_t matchings) { return (matchings + chunk - 1) / chunk * chunk; };
    return {whole(wanted), whole(stage.whole ? 2 * wanted / 3 : wanted), true, true, chunk};
  }

  // Every other population is annealed in haste and in the layout's own dimensions: the careful ones agree on the
  // widest valley, which is not always the deepest.
  KINESCOPE_HD static bool is_plain(const MatchingStage& stage, std::int32_t batch) {
    return stage.whole && batch % 2 == 1;
  }

  // Within the first or second time: when it began, and how long η is held.
  KINESCOPE_HD std::int64_t began(std::int64_t t) const { return t < second ? 0 : second; }
  KINESCOPE_HD std::int64_t hold(std::int64_t t) const { return span(t) * (squeezes ? 2 : 1) / 5; }
  KINESCOPE_HD std::int64_t span(std::int64_t t) const { return t < second ? second : length - second; }
  KINESCOPE_HD bool flat(std::int64_t t) const { return !squeezes || t - began(t) > hold(t) + 8; }

  KINESCOPE_HD float eta(std::int64_t t, int group) const {
    const float start = !squeezes ? 0.15f * static_cast<float>(1 + group % 2) : t < second ? 0.5f : 0.15f;
    const std::int64_t past = t - began(t) - hold(t);
    return past < 0 ? start : start / (1.0f + 40.0f * static_cast<float>(past) / static_cast<float>(span(t)));
  }
  // Factor of the extra dimensions' coordinates after matching t, a multiple of eight; 1 where they are left alone.
  KINESCOPE_HD float squeeze(std::int64_t t) const {
    if (!squeezes || t % 8 != 0 || flat(t)) return 1.0f;
    const float held = static_cast<float>(hold(t)),
                u = (static_cast<float>(t - began(t)) - 0.1f * held) / (0.9f * held);
    return u < 0 ? 1.0f : u >= 1 ? 0.0f : 1.0f - 0.3f * u * u;
  }
};

// A pair of running sums, closed window by window.
struct Window {
  double error = 0, size = 0;          // Σ(d − δ)², Σδ² of the window that is open
  double previous = -1, current = -1;  // sparse stress of the last two that were closed
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
  std::int64_t t = 0;             // matchings made in this stage
  std::int64_t decay_start = -1;  // relaxation: the matching at which η began to fall; -1 while it is held
  Window window;
  double weight_sum = 0;    // of the averaged positions
  double delta_square = 0;  // Σ_{i<j} δ² of the level over all pairs (small levels)
  std::int32_t batch = 0;   // populations grown before this one
  std::int32_t shown = 0;   // the layout of the population, or the candidate slot, that is shown
  std::int32_t round = 0;   // of the polish: 0 all candidates, 1 the groups' best, 2 the best alone
  std::int32_t alive = 0;   // candidates that are polished: slots order[0 … alive)
  std::int32_t order[population] = {};
  std::int32_t source[population] = {};  // layout that each layout starts from the second time; or becomes candidate
  std::int32_t champion = -1;            // slot of the best layout of earlier batches
  double runner_up = -1;                 // value of the second best so far; -1 if there is none
};

// The parameters that may change while the run goes on.
struct MatchingConstants {
  float pull = 0.3f;      // η of the relaxation while it is held
  double settled = 0.01;  // part by which a window's stress must still fall
};

// Iterations that a stage takes at most; -1: nobody knows.
KINESCOPE_HD inline std::int64_t program_length(const MatchingStage& stage, std::int32_t batch) {
  if (stage.program == program_anneal) {
    const Annealing timetable = Annealing::of(stage, batch);
    return timetable.length / timetable.chunk;
  }
  return stage.program == program_polish || stage.program == program_relax ? -1 : 1;
}

// Everything that decides; the functors of the backends call it at the end of an iteration.
struct Course {
  RunState* run;
  MatchingState* state;
  const MatchingStage* stages;
  const MatchingConstants* constants;
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
    state->points = stage.points;
    state->first = stage.first;
    state->level_first = stage.first;
    state->blocks = stage.blocks;
    state->t = 0;
    // While another population is grown, the best of the earlier ones stays in view.
    const bool again = state->batch > 0 && stage.program <= program_polish;
    if (stage.program != program_average) {
      state->decay_start = -1;
      state->window = Window{};
      state->weight_sum = 0;
    }
    const bool placing = stage.program == program_place || stage.program == program_place_population;
    if (!again) {
      if (!placing) run->points = stage.points;  // newcomers are there once they have a place
      run->level = stage.level;
    }
    run->phase = stage.phase;
    run->left = program_length(stage, state->batch);
    run->program = stage.program;
  }

  // Relaxation: η is held until a window's stress is less than 3 % below the one before, then decays over windows that
  // grow by half, until the level has settled.
  static constexpr float relax_halving = 32.0f;
  KINESCOPE_HD float relax_eta(std::int32_t sub) const {
    return state->decay_start < 0 ? constants->pull
                                  : decayed(constants->pull, state->t + sub, state->decay_start, relax_halving);
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
        if (state->window.closed > 1 && state->window.drop() < constants->settled) over = true;
        state->window.length = state->window.length * 3 / 2;
      }
    }
    end_iteration(size > 0 ? error / size : 0, over);
  }
};

}  // namespace kinescope::sim::glimmer
