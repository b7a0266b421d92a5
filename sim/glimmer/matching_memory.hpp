// The arrays of our own Glimmer, as pointers into the executor's memory.
#pragma once

#include <cstdint>

#include "sim/glimmer/matching_state.hpp"
#include "sim/glimmer/polish.hpp"

namespace kinescope::sim::glimmer {

enum MatchingStream : std::uint32_t {  // what random numbers are for
  stream_population = 201,
  stream_population_matching,
  stream_population_anchors,
  stream_anchors,
  stream_jitter,
  stream_scale,
  stream_matching = 256  // + 16 · level
};

template <int L>
struct MatchingMemory {
  static constexpr int coordinates = L + extra_dimensions;  // of a layout of the population

  Course course;
  std::uint64_t seed = 0;
  Metric metric = Metric::euclidean;
  float scale = 1;                 // δ = scale · distance of the columns
  std::int32_t dimensions = 0;     // H
  std::int64_t points = 0;         // N
  std::int64_t stride = 0;         // of columns, x, average: N rounded up
  const float* columns = nullptr;  // [H × stride] by slot; zeros past the last point
  float* x = nullptr;              // [L × stride]: what is shown, and the layout itself once levels are large
  float* average = nullptr;        // [L × stride]: weighted sum of positions

  // Small levels, of at most `small_points` points.
  std::int64_t small_points = 0, small_stride = 0;
  float* matrix = nullptr;         // [small_points × small_stride] δ, 0 past the last point
  float* layouts = nullptr;        // [population × coordinates × small_stride], in the backend's own order
  float* layout_averages = nullptr;
  double* layout_errors = nullptr; // [population] Σ(d − δ)² of the last chunk, then of all pairs
  double* layout_sizes = nullptr;  // [population] Σδ² of the last chunk
  PolishState* polish = nullptr;   // [maximum_candidates]
  float* polish_vectors = nullptr; // [maximum_candidates × polish_arrays × L · small_stride]
  double* row_values = nullptr;    // [population × small_stride] scratch of evaluations

  static constexpr int polish_arrays = 5 + 2 * memory_pairs;

  KINESCOPE_HD PolishVectors vectors(int candidate) const {
    const std::int64_t size = L * small_stride;
    float* base = polish_vectors + candidate * polish_arrays * size;
    return {size, base, base + size, base + 2 * size, base + 3 * size, base + 4 * size, base + 5 * size,
            base + (5 + memory_pairs) * size};
  }
  KINESCOPE_HD const MatchingState& state() const { return *course.state; }
  KINESCOPE_HD const RunState& run() const { return *course.run; }
  KINESCOPE_HD static std::int64_t blocks_of(std::int64_t n) { return (n + block_size(n) - 1) / block_size(n); }
  KINESCOPE_HD static std::int64_t block_size(std::int64_t n) { return n < 8192 ? 64 : 256; }

  // The partner rotation of matching t of a group of eight layouts: i is paired with (r − i) mod n. Drawn anew every eighth time,
  // else one further.
  KINESCOPE_HD std::int64_t rotation(int group, std::int64_t t) const {
    const std::int64_t n = state().points;
    const RandomWords words = Random(seed, stream_population_matching).words(static_cast<std::uint64_t>(t / 8), static_cast<std::uint32_t>(16 * state().stage + group));
    return (uniform_below(words[0], static_cast<std::uint32_t>(n)) + t % 8) % n;
  }
  // Extra dimensions that a layout of the population starts with.
  KINESCOPE_HD static int extra(int layout) { return layout % (extra_dimensions + 1); }

  // Whether the best layout so far is at the floor, where nothing is left to gain; layouts that are not flat yet don't count.
  // Also notes which to show. Called by one thread.
  KINESCOPE_HD bool judge_population(const Annealing& annealing, bool coarsest, double& figure) const {
    MatchingState& s = *course.state;
    const bool flat = !coarsest || s.t > annealing.hold + 8;
    double best = -1;
    std::int32_t best_layout = 0;
    for (std::int32_t k = 0; k < population; ++k) {
      if (!flat && extra(k) > 0) continue;
      const double stress = layout_sizes[k] > 0 ? layout_errors[k] / layout_sizes[k] : 0;
      if (best < 0 || stress < best) best = stress, best_layout = k;
    }
    figure = best;
    s.shown = best_layout;
    return best <= floor_stress;
  }

  KINESCOPE_HD void end_anneal() const {
    const bool coarsest = course.stage().coarsest;
    const Annealing annealing = Annealing::of(state().points, coarsest);
    course.state->t += chunk;
    double figure = 0;
    const bool at_floor = judge_population(annealing, coarsest, figure);
    course.end_iteration(figure, at_floor || state().t >= annealing.length);
  }

  // After the layouts' full stress is in layout_errors: the best become candidates.
  KINESCOPE_HD void end_rank() const {
    MatchingState& s = *course.state;
    for (std::int32_t k = 0; k < population; ++k) {  // insertion: the order of equals is that of their numbers
      std::int32_t place = k;
      for (; place > 0 && layout_errors[s.order[place - 1]] > layout_errors[k]; --place) s.order[place] = s.order[place - 1];
      s.order[place] = k;
    }
    const double best = layout_errors[s.order[0]];
    s.alive = best < 1e-9 * s.delta_square ? 1 : maximum_candidates;
    s.round = 0;
  }

  KINESCOPE_HD PolishGoal goal() const {
    const double floor = 1e-13 * state().delta_square;
    return state().alive > 1 ? PolishGoal{12, 1e-4, floor} : PolishGoal{300, 2e-4, floor};
  }

  // Once all candidates rest the worse half is dropped, until one is left, which goes on to the end. Candidate numbers are
  // those of the polish arrays; order[] holds them from here on.
  KINESCOPE_HD void end_polish() const {
    MatchingState& s = *course.state;
    bool all_rest = true;
    std::int32_t best = s.order[0];
    for (std::int32_t k = 0; k < s.alive; ++k) {
      all_rest = all_rest && polish[s.order[k]].resting;
      if (polish[s.order[k]].value < polish[best].value) best = s.order[k];
    }
    s.shown = best;
    const double figure = s.delta_square > 0 ? polish[best].value / s.delta_square : 0;
    const bool over = all_rest && s.alive == 1;
    if (all_rest && s.alive > 1) {
      for (std::int32_t k = 1; k < s.alive; ++k) {
        const std::int32_t moving = s.order[k];
        std::int32_t place = k;
        for (; place > 0 && polish[s.order[place - 1]].value > polish[moving].value; --place) s.order[place] = s.order[place - 1];
        s.order[place] = moving;
      }
      s.alive = (s.alive + 1) / 2;
      ++s.round;
      for (std::int32_t k = 0; k < s.alive; ++k) {
        polish[s.order[k]].resting = false;
        polish[s.order[k]].round_start = polish[s.order[k]].accepted;
      }
    }
    course.end_iteration(figure, over);
  }
};

}  // namespace kinescope::sim::glimmer
