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
  float scale = 1;                   // δ = scale · distance of the columns
  std::int32_t dimensions = 0;       // H
  std::int64_t points = 0;           // N
  std::int64_t stride = 0;           // of columns, x, average: N rounded up
  const float* columns = nullptr;    // [H × stride] by slot; zeros past the last point
  const float* reference = nullptr;  // [N × L] by slot: the data on its principal axes, in units of reference_scale
  float reference_scale = 1;
  float* x = nullptr;        // [L × stride]: what is shown, and the layout itself once levels are large
  float* average = nullptr;  // [L × stride]: weighted sum of positions

  // Small levels, of at most `small_points` points.
  std::int64_t small_points = 0, small_stride = 0;
  float* matrix = nullptr;          // [small_points × small_stride] δ, 0 past the last point
  float* layouts = nullptr;         // [population × coordinates × small_stride], in the backend's own order
  float* layout_copies = nullptr;   // as they were at the end of the first annealing
  double* layout_errors = nullptr;  // [population] Σ(d − δ)² of the last chunk, then of all pairs
  double* layout_sizes = nullptr;   // [population] Σδ² of the last chunk
  PolishState* polish = nullptr;    // [candidate_slots]
  float* polish_vectors = nullptr;  // [candidate_slots × polish_arrays × L · small_stride]
  double* row_values = nullptr;     // [candidate_slots × small_stride] scratch of evaluations

  static constexpr int polish_arrays = 5 + 2 * memory_pairs;

  KINESCOPE_HD PolishVectors vectors(int candidate) const {
    const std::int64_t size = L * small_stride;
    float* base = polish_vectors + candidate * polish_arrays * size;
    return {size,
            base,
            base + size,
            base + 2 * size,
            base + 3 * size,
            base + 4 * size,
            base + 5 * size,
            base + (5 + memory_pairs) * size};
  }
  KINESCOPE_HD const MatchingState& state() const { return *course.state; }
  KINESCOPE_HD const RunState& run() const { return *course.run; }
  KINESCOPE_HD static std::int64_t blocks_of(std::int64_t n) { return (n + block_size(n) - 1) / block_size(n); }
  KINESCOPE_HD static std::int64_t block_size(std::int64_t n) { return n < 8192 ? 64 : 256; }

  KINESCOPE_HD Annealing annealing() const { return Annealing::of(course.stage(), state().batch); }

  // The partner rotation of matching t of a group: i is paired with (r − i) mod n. Drawn anew every eighth time, else
  // one further.
  KINESCOPE_HD std::int64_t rotation(int group, std::int64_t t) const {
    const std::int64_t n = state().points;
    const auto draw = static_cast<std::uint32_t>((64 * state().batch + state().stage) * groups + group);
    const RandomWords words = Random(seed, stream_population_matching).words(static_cast<std::uint64_t>(t / 8), draw);
    return (uniform_below(words[0], static_cast<std::uint32_t>(n)) + t % 8) % n;
  }
  // Extra dimensions that a layout of the population starts with.
  KINESCOPE_HD static int extra(int layout) { return layout % (extra_dimensions + 1); }

  KINESCOPE_HD float noise(int layout, std::int64_t i, int c, int time) const {
    const auto draw = static_cast<std::uint32_t>(((state().batch * 2 + time) * population + layout) * coordinates + c);
    return near_normal(Random(seed, stream_population).words(static_cast<std::uint64_t>(i), draw));
  }
  // Coordinate c of slot i where a layout starts: the first time at random, the second near `source`'s coordinate.
  KINESCOPE_HD float first_start(int layout, std::int64_t i, int c) const {
    return c < L + extra(layout) ? 0.5f * noise(layout, i, c, 0) : 0.0f;
  }
  // One layout starts from the data's principal axes: where random starts agree on a wrong minimum, these often lead to
  // the right one.
  KINESCOPE_HD float second_start(int layout, std::int64_t i, int c, float source) const {
    if (layout == group_size - 1) return c < L ? reference_scale * reference[i * L + c] : 0.0f;
    if (c < L) return source + 0.02f * noise(layout, i, c, 1);
    return c < L + extra(layout) ? 0.2f * noise(layout, i, c, 1) : 0.0f;
  }

  // Layouts of a group from the best on, by layout_errors; equals in the order of their numbers.
  KINESCOPE_HD void rank_group(int group, std::int32_t (&ranked)[group_size]) const {
    for (std::int32_t k = 0; k < group_size; ++k) {
      const std::int32_t layout = group * group_size + k;
      std::int32_t place = k;
      for (; place > 0 && layout_errors[ranked[place - 1]] > layout_errors[layout]; --place)
        ranked[place] = ranked[place - 1];
      ranked[place] = layout;
    }
  }

  // The end of a chunk of the annealing. A layout at the floor cannot be beaten and ends it.
  KINESCOPE_HD void end_anneal() const {
    MatchingState& s = *course.state;
    const Annealing timetable = annealing();
    const bool flat = timetable.flat(s.t);
    s.t += timetable.chunk;
    double best = -1;
    std::int32_t best_layout = 0;
    for (std::int32_t k = 0; k < population; ++k) {
      if (!flat && extra(k) > 0) continue;
      const double stress = layout_sizes[k] > 0 ? layout_errors[k] / layout_sizes[k] : 0;
      if (best < 0 || stress < best) best = stress, best_layout = k;
    }
    s.shown = s.champion >= 0 ? s.champion : best_layout;
    if (s.t == timetable.second)
      for (int group = 0; group < groups; ++group) {
        std::int32_t ranked[group_size];
        rank_group(group, ranked);
        for (int k = 0; k < group_size; ++k) s.source[group * group_size + k] = ranked[k / 2];
      }
    course.end_iteration(best, best <= floor_stress || s.t >= timetable.length);
  }

  // After the layouts' full stress is in layout_errors: the best of each group become candidates. Candidate k is to be
  // layout source[k], in slot order[k].
  KINESCOPE_HD void end_rank() const {
    MatchingState& s = *course.state;
    const std::int64_t n = s.points;
    bool zero = false;
    for (int k = 0; k < population; ++k) zero = zero || layout_errors[k] < 1e-9 * s.delta_square;
    const int each = zero              ? 1
                     : n <= 256        ? group_size
                     : n > 2500        ? 1
                     : s.batch == 0    ? 2
                     : n <= few_points ? group_size
                                       : 4;
    s.alive = 0;
    for (int group = 0; group < groups; ++group) {
      std::int32_t ranked[group_size];
      rank_group(group, ranked);
      for (int k = 0; k < each; ++k) s.source[s.alive++] = ranked[k];
    }
    for (std::int32_t k = 0, slot = 0; k < s.alive; ++k, ++slot) {
      slot += slot == s.champion;
      s.order[k] = slot;
    }
    s.round = 0;
  }

  KINESCOPE_HD PolishGoal goal() const {
    const double floor = 1e-13 * state().delta_square;
    const std::int64_t n = state().points;
    if (state().round == 0) return {12, 1e-4, floor};
    if (state().round == 1) return {n > 1000 ? 12 : 300, 2e-3, floor};
    return {300, !course.stage().answer ? 1e-3 : n > 2500 ? 5e-4 : 5e-5, floor};
  }

  KINESCOPE_HD void end_polish() const {
    MatchingState& s = *course.state;
    std::int32_t best = s.champion >= 0 ? s.champion : s.order[0];
    bool all_rest = true;
    for (std::int32_t k = 0; k < s.alive; ++k) {
      all_rest = all_rest && polish[s.order[k]].resting;
      if (polish[s.order[k]].value < polish[best].value) best = s.order[k];
    }
    s.shown = best;
    const double figure = s.delta_square > 0 ? polish[best].value / s.delta_square : 0;
    if (!all_rest) return course.end_iteration(figure, false);
    if (s.round == 2) return course.end_iteration(figure, true);
    if (s.round == 0) {
      keep_group_winners();
      course.end_iteration(figure, false);
    } else {
      confirm_or_try_again(best, figure);
    }
  }

 private:
  KINESCOPE_HD void keep_group_winners() const {
    MatchingState& s = *course.state;
    const std::int32_t each = s.alive / groups;
    for (int group = 0; group < groups; ++group) {
      std::int32_t winner = s.order[group * each];
      for (std::int32_t k = 1; k < each; ++k)
        if (polish[s.order[group * each + k]].value < polish[winner].value) winner = s.order[group * each + k];
      s.order[group] = winner;
    }
    begin_round(1, groups);
  }

  // Two layouts from independent groups that agree to 0.2 % confirm each other (1 % where a polish is costly): more
  // starts would find nothing better. Otherwise another population is grown.
  KINESCOPE_HD void confirm_or_try_again(std::int32_t best, double figure) const {
    MatchingState& s = *course.state;
    double second = s.runner_up;
    const auto compare = [&](std::int32_t slot) {
      if (slot != best && (second < 0 || polish[slot].value < second)) second = polish[slot].value;
    };
    for (std::int32_t k = 0; k < s.alive; ++k) compare(s.order[k]);
    if (s.champion >= 0) compare(s.champion);
    const double agreement = s.points > 1000 ? 1.01 : 1.002;
    // Few points cost little: there more populations are grown in any case.
    const bool asked = s.points > few_points || s.batch + 1 >= few_points_batches;
    const bool confirmed = polish[best].value < 1e-9 * s.delta_square ||
                           (asked && second >= 0 && second <= agreement * polish[best].value);
    if (confirmed || !course.stage().answer || s.batch + 1 >= maximum_batches) {
      s.order[0] = best;
      begin_round(2, 1);
      course.end_iteration(figure, false);
    } else {
      s.champion = best;
      s.runner_up = second;
      ++s.batch;
      course.end_iteration(figure, false);
      if (!course.run->converged) course.enter(0);
    }
  }

  KINESCOPE_HD void begin_round(std::int32_t round, std::int32_t alive) const {
    MatchingState& s = *course.state;
    s.round = round;
    s.alive = alive;
    for (std::int32_t k = 0; k < alive; ++k) {
      polish[s.order[k]].resting = false;
      polish[s.order[k]].round_start = polish[s.order[k]].accepted;
    }
  }
};

}  // namespace kinescope::sim::glimmer
