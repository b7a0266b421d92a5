// The arrays of our own Glimmer, as pointers into the executor's memory.
#pragma once

#include <cstdint>

#include "sim/glimmer/coordinates/coordinates.hpp"
#include "sim/glimmer/multilevel/far_starts.hpp"
#include "sim/glimmer/multilevel/multilevel_state.hpp"
#include "sim/glimmer/multilevel/polish.hpp"
#include "sim/glimmer/orientation.hpp"

namespace kinescope::sim::glimmer {

enum MultilevelStream : std::uint32_t {  // the purposes of random numbers
  stream_population = 201,
  stream_population_matching,
  stream_anchors,
  stream_jitter,
  stream_round
};

// The order in which a round takes the points: position → slot, with a new stride and offset for each round. Slots are
// already in random order, so a block of positions is a random choice of points, and a different one in each round.
struct RoundOrder {
  std::uint64_t points, stride, offset;

  KINESCOPE_HD static RoundOrder of(std::uint64_t seed, std::int32_t level, std::int64_t round, std::int64_t n) {
    const RandomWords words =
        Random(seed, stream_round).words(static_cast<std::uint64_t>(round), static_cast<std::uint32_t>(level));
    const auto count = static_cast<std::uint32_t>(n);
    RoundOrder order{static_cast<std::uint64_t>(n), uniform_below(words[0], count), uniform_below(words[1], count)};
    for (;; order.stride = (order.stride + 1) % order.points) {
      auto a = static_cast<std::uint32_t>(order.points), b = static_cast<std::uint32_t>(order.stride);
      while (b != 0) {
        const std::uint32_t rest = a % b;
        a = b;
        b = rest;
      }
      if (a == 1) return order;  // no common divisor, so that each slot occurs once
    }
  }
  KINESCOPE_HD std::int64_t slot(std::int64_t position) const {
    return static_cast<std::int64_t>((stride * static_cast<std::uint64_t>(position) + offset) % points);
  }
  // The inverse of the stride modulo the number of points (Euclid).
  KINESCOPE_HD std::uint64_t inverse() const {
    std::int64_t known = 0, next = 1;
    for (std::uint64_t a = points, b = stride; b != 0;) {
      const std::uint64_t times = a / b, rest = a % b;
      const std::int64_t after = known - static_cast<std::int64_t>(times) * next;
      known = next;
      next = after;
      a = b;
      b = rest;
    }
    return static_cast<std::uint64_t>(known < 0 ? known + static_cast<std::int64_t>(points) : known);
  }
  KINESCOPE_HD std::int64_t position(std::int64_t slot) const {
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(slot) + points - offset) % points * inverse() %
                                     points);
  }
};

// The transformation that turns the chosen layout onto the picture.
template <int L>
struct Glide {
  Orientation<L> turn;
  double centre[L] = {};
};

// The work spent on a newcomer. Blocks of 64 newcomers have different anchors, which are drawn in blocks of 64 too.
// Found on MNIST by the stress before the first round.
inline constexpr PlaceEffort place_effort = {512, 128, 3, 2};

template <int L>
struct MultilevelMemory {
  static constexpr int coordinates = L + extra_dimensions;  // coordinates of a point in the population
  static constexpr int packed = L * (L + 1) / 2;

  Course course;
  std::uint64_t seed = 0;
  RowFormula formula = RowFormula::differences;
  float scale_square = 1;        // δ² = scale_square · square_distance of rows
  std::int64_t width = 0;        // columns of `rows`
  std::int64_t points = 0;       // N
  std::int64_t stride = 0;       // pitch of x, direction and hessian: N rounded up
  const float* rows = nullptr;   // [N × width] by slot
  const float* norms = nullptr;  // [N] with RowFormula::products
  // Number of points from which distances are known; 0 for rows of numbers. The first of them are the landmarks; the
  // others are held out of the fit. In that case `held` is [held-out points × newcomers] with the row pitch
  // `held_width`, from the first newcomer's column on.
  std::int64_t sources = 0;
  const float* held = nullptr;
  std::int64_t held_width = 0;
  const HeldOutPair* held_out = nullptr;  // [levels × held_out_each], or null where δ̂ = δ (held_out.hpp)
  std::int64_t held_out_each = 0;
  const std::int32_t* far = nullptr;  // [levels × far_each] slots of the far points, or null
  std::int64_t far_each = 0;
  const float *far_delta = nullptr, *far_estimate = nullptr;  // [levels × far_each × far_each] δ, δ̂
  const float* far_reach = nullptr;  // [levels × far_each] roughly the mean δ² of each to all points
  float* far_now =
      nullptr;  // [(L + 2) × far_each] their places; in a round also their blocks, and the Σ δ² expected for each
  std::int64_t far_points = 0;  // as in FarStarts
  const std::int32_t* far_index = nullptr;
  const float* far_place = nullptr;
  const float* reference = nullptr;  // [N × L] by slot: the data on its principal axes, to be scaled by reference_scale
  float reference_scale = 1;
  float* x = nullptr;          // [L × stride]: the layout shown; in rounds the layout itself
  float* direction = nullptr;  // [L × stride] H⁻¹ g of the latest round; only on the CPU, and for program_fit
  float* hessian = nullptr;    // [packed × stride] H of earlier rounds, each older one counting half as much

  // For small levels, of at most `small_points` points.
  std::int64_t small_points = 0, small_stride = 0;
  float* matrix = nullptr;         // [small_points × small_stride] δ, 0 past the last point
  float* layouts = nullptr;        // [population × coordinates × small_stride], in an order that the backend chooses
  float* layout_copies = nullptr;  // copies made at the end of the first annealing
  double* layout_errors = nullptr;  // [population] Σ(d − δ)² over the last chunk, or, after the ranking, over all pairs
  double* layout_sizes = nullptr;   // [population] Σδ² over the last chunk
  PolishState* polish = nullptr;    // [candidate_slots]
  float* polish_vectors = nullptr;  // [candidate_slots × polish_arrays × L · small_stride]
  Glide<L>* glide = nullptr;
  double* row_values = nullptr;  // [candidate_slots × small_stride] scratch memory of evaluations

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
  KINESCOPE_HD PolishVectors picture() const { return vectors(picture_slot); }
  KINESCOPE_HD PolishVectors chosen() const { return vectors(state().order[0]); }  // by the polish
  KINESCOPE_HD const MultilevelState& state() const { return *course.state; }
  KINESCOPE_HD const RunState& run() const { return *course.run; }
  KINESCOPE_HD Annealing annealing() const { return course.annealing(); }
  KINESCOPE_HD float gamma() const { return course.constants->step_strength * state().settling.part; }
  KINESCOPE_HD RoundOrder round_order() const {
    return RoundOrder::of(seed, run().level, state().rounds, state().points);
  }
  // The first slot of a block of 64 placed points against which newcomers are measured.
  KINESCOPE_HD std::uint64_t anchor_block(std::int64_t block, int tile) const {
    const RandomWords words =
        Random(seed, stream_anchors)
            .words(static_cast<std::uint64_t>(block),
                   16 * static_cast<std::uint32_t>(run().level) + static_cast<std::uint32_t>(tile / 4));
    return uniform_below(words[tile % 4], static_cast<std::uint32_t>(state().first - 63));
  }
  // A displacement too small to show in any figure. Points with equal rows must not stay in one place if δ̂ between
  // them is not 0.
  KINESCOPE_HD float jitter(std::int64_t i, int c) const {
    return 1e-7f *
           near_normal(Random(seed, stream_jitter).words(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(c)));
  }
  // Σ (d − δ)² over the pairs of newcomer k, counted from 0, with the held-out newcomers.
  KINESCOPE_HD double held_error(std::int64_t k) const {
    const std::int64_t first = state().first;
    double sum = 0;
    for (std::int64_t h = 0; h < sources - first; ++h) {
      if (h == k) continue;
      float square = 0;
      for (int c = 0; c < L; ++c) {
        const float between = x[c * stride + first + k] - x[c * stride + first + h];
        square = lanes::fma(between, between, square);
      }
      const float error = std::sqrt(square) - held[h * held_width + k];
      sum += static_cast<double>(error * error);
    }
    return sum;
  }
  KINESCOPE_HD const float* far_reach_here() const { return far_reach + (course.stage().level - 1) * far_each; }
  // If δ̂ = δ and all pairs are measured, the far points add nothing new.
  KINESCOPE_HD bool measures_far() const { return far && (held_out || in_round()); }
  KINESCOPE_HD bool in_round() const { return run().program == program_place || run().program == program_round; }

  // The partner rotation r of matching t of a group: i is paired with (r − i) mod n. It is drawn afresh in every eighth
  // matching; otherwise it advances by one.
  KINESCOPE_HD std::int64_t rotation(int group, std::int64_t t) const {
    const std::int64_t n = state().points;
    const auto draw = static_cast<std::uint32_t>((64 * state().batch + state().stage) * groups + group);
    const RandomWords words = Random(seed, stream_population_matching).words(static_cast<std::uint64_t>(t / 8), draw);
    std::int64_t r = uniform_below(words[0], static_cast<std::uint32_t>(n)) + t % 8;
    while (r >= n) r -= n;
    return r;
  }
  // Number of extra dimensions with which a layout of the population starts.
  KINESCOPE_HD static int extra(int layout) { return layout % (extra_dimensions + 1); }

  KINESCOPE_HD float noise(int layout, std::int64_t i, int c, int time) const {
    const auto draw = static_cast<std::uint32_t>(((state().batch * 2 + time) * population + layout) * coordinates + c);
    return near_normal(Random(seed, stream_population).words(static_cast<std::uint64_t>(i), draw));
  }
  // The coordinate c at which slot i of a layout starts: at random the first time, near `source`'s coordinate the
  // second time.
  KINESCOPE_HD float first_start(int layout, std::int64_t i, int c) const {
    if (starts_far(layout)) return c < L ? far_start(layout, i, c) : 0.0f;
    return c < L + extra(layout) ? 0.5f * noise(layout, i, c, 0) : 0.0f;
  }
  // Two start with the far points where they are best among themselves (far_starts.hpp).
  KINESCOPE_HD bool starts_far(int layout) const { return far_points > 0 && layout >= population - far_start_count; }
  KINESCOPE_HD float far_start(int layout, std::int64_t i, int c) const {
    const std::int32_t far_number = far_index[i];
    if (far_number < 0) return reference_scale * reference[i * L + c];
    return far_place[((population - 1 - layout) * far_points + far_number) * L + c];
  }
  // One layout starts from the data's principal axes: if random starts agree on a wrong minimum, these often lead to
  // the right one.
  KINESCOPE_HD float second_start(int layout, std::int64_t i, int c, float source) const {
    if (layout == group_size - 1) return c < L ? reference_scale * reference[i * L + c] : 0.0f;
    if (starts_far(layout)) return c < L ? far_start(layout, i, c) : 0.0f;
    if (c < L) return source + 0.02f * noise(layout, i, c, 1);
    return c < L + extra(layout) ? 0.2f * noise(layout, i, c, 1) : 0.0f;
  }

  // Ranks the layouts of a group by layout_errors, the best first; equal ones keep their order.
  KINESCOPE_HD void rank_group(int group, std::int32_t (&ranked)[group_size]) const {
    for (std::int32_t k = 0; k < group_size; ++k) {
      const std::int32_t layout = group * group_size + k;
      std::int32_t place = k;
      for (; place > 0 && layout_errors[ranked[place - 1]] > layout_errors[layout]; --place)
        ranked[place] = ranked[place - 1];
      ranked[place] = layout;
    }
  }

  // SMACOF (J. de Leeuw 1977) for the picture: x ← x − 2γ/n · gradient, where `gradient` is half that of Σ (d − δ)². If
  // γ = 1/2 this is the Guttman transform; if γ < 1 it never raises the stress.
  KINESCOPE_HD float picture_step() const {
    return 2 * course.constants->step_strength / static_cast<float>(state().points);
  }

  // Called when the picture's Σ (d − δ)² has been summed. Decides whether the picture rests from now on.
  KINESCOPE_HD void end_picture_step(double value) const {
    MultilevelState& s = *course.state;
    s.picture = s.delta_square > 0 ? value / s.delta_square : 0;
    if (++s.picture_steps % 8 == 0) {
      s.picture_rests =
          s.picture_before >= 0 && s.picture > s.picture_before * (1 - 0.1 * course.constants->stop_threshold);
      s.picture_before = s.picture;
    }
  }

  // Ends a chunk of the annealing. If the picture's stress is at the floor, it cannot be beaten, and the annealing
  // ends.
  KINESCOPE_HD void end_search() const {
    MultilevelState& s = *course.state;
    const Annealing timetable = annealing();
    s.t += timetable.chunk;
    if (s.t == timetable.second)
      for (int group = 0; group < groups; ++group) {
        std::int32_t ranked[group_size];
        rank_group(group, ranked);
        for (int k = 0; k < group_size; ++k) s.source[group * group_size + k] = ranked[k / 2];
      }
    if (s.batch == 0 && s.picture <= floor_stress) {
      s.order[0] = picture_slot;
      s.stage += 2;  // skips ranking and polishing
      course.end_iteration(course.shown(s.picture), true);
    } else {
      const bool over = s.t >= timetable.length;
      course.end_iteration(course.shown(s.picture), over);
      // The stop threshold may have changed, and the timetable with it.
      if (!over) course.run->left = course.matchings_left() / timetable.chunk;
    }
  }

  // Called when the layouts' full stress is in layout_errors. The best of each group become candidates, and so does the
  // picture the first time. Candidate k is layout source[k], in slot order[k].
  KINESCOPE_HD void end_rank() const {
    MultilevelState& s = *course.state;
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
    if (s.batch == 0) {
      s.source[s.alive] = -1;
      s.order[s.alive++] = picture_slot;
    }
    s.round = 0;
  }

  KINESCOPE_HD PolishGoal goal() const {
    const double floor = 1e-13 * state().delta_square;
    const double wish = course.constants->stop_threshold / default_threshold;  // above 1: the user asks for less care
    const std::int64_t n = state().points;
    if (run().program == program_finish) return {300, (course.stage().given ? 5e-5 : 5e-4) * wish, floor};
    if (state().round == 0) return {12, 1e-4, floor};
    if (state().round == 1) return {n > 1000 ? 12 : 300, 2e-3, floor};
    return {300, (course.stage().all ? 5e-5 : 1e-3) * wish, floor};
  }

  // Number of evaluations in an iteration of the polish; small enough that the picture can be watched.
  KINESCOPE_HD int evaluations() const {
    return state().alive == 1 && state().order[0] == picture_slot ? 1 : hidden_evaluations;
  }

  KINESCOPE_HD void end_polish() const {
    MultilevelState& s = *course.state;
    std::int32_t best = s.champion >= 0 ? s.champion : s.order[0];
    bool all_rest = true;
    for (std::int32_t k = 0; k < s.alive; ++k) {
      all_rest = all_rest && polish[s.order[k]].resting;
      if (polish[s.order[k]].value < polish[best].value) best = s.order[k];
    }
    if (s.delta_square > 0) s.picture = polish[picture_slot].value / s.delta_square;
    const double figure = course.shown(s.picture);
    if (!all_rest) return course.end_iteration(figure, false);
    if (s.round == 2) return course.end_iteration(figure, true);
    if (s.round == 0) {
      keep_group_winners();
      course.end_iteration(figure, false);
    } else {
      confirm_or_try_again(best, figure);
    }
  }

  KINESCOPE_HD void end_glide(double value) const {
    MultilevelState& s = *course.state;
    ++s.t;
    s.picture = s.delta_square > 0 ? value / s.delta_square : 0;
    course.end_iteration(course.shown(s.picture), s.gone >= 1);
  }

  KINESCOPE_HD void end_finish() const {
    MultilevelState& s = *course.state;
    const PolishState& p = polish[picture_slot];
    ++s.t;
    s.picture = s.delta_square > 0 ? p.value / s.delta_square : 0;
    course.end_iteration(course.shown(s.picture), p.resting);
  }

 private:
  KINESCOPE_HD void keep_group_winners() const {
    MultilevelState& s = *course.state;
    const bool with_picture = s.order[s.alive - 1] == picture_slot;
    const std::int32_t each = (s.alive - (with_picture ? 1 : 0)) / groups;
    for (int group = 0; group < groups; ++group) {
      std::int32_t winner = s.order[group * each];
      for (std::int32_t k = 1; k < each; ++k)
        if (polish[s.order[group * each + k]].value < polish[winner].value) winner = s.order[group * each + k];
      s.order[group] = winner;
    }
    if (with_picture) s.order[groups] = picture_slot;
    std::int32_t alive = groups + (with_picture ? 1 : 0);
    if (!course.stage().all) alive = drop_worse(alive);
    begin_round(1, alive);
  }

  // Keeps those of the landmarks' candidates that are within 5 % of the best. On MNIST, shuttle and topics the layout
  // stays the same, and topics takes a tenth less time.
  KINESCOPE_HD std::int32_t drop_worse(std::int32_t alive) const {
    MultilevelState& s = *course.state;
    double best = polish[s.order[0]].value;
    for (std::int32_t k = 1; k < alive; ++k)
      if (polish[s.order[k]].value < best) best = polish[s.order[k]].value;
    std::int32_t kept = 0;
    for (std::int32_t k = 0; k < alive; ++k)
      if (polish[s.order[k]].value <= 1.05 * best) s.order[kept++] = s.order[k];
    return kept;
  }

  // Two layouts from independent starts that agree to 0.2 % confirm each other (to 1 % where a polish is costly): more
  // starts would find nothing better. If no two agree, another population is grown.
  KINESCOPE_HD void confirm_or_try_again(std::int32_t best, double figure) const {
    MultilevelState& s = *course.state;
    double second = s.runner_up;
    const auto compare = [&](std::int32_t slot) {
      if (slot != best && (second < 0 || polish[slot].value < second)) second = polish[slot].value;
    };
    for (std::int32_t k = 0; k < s.alive; ++k) compare(s.order[k]);
    if (s.champion >= 0) compare(s.champion);
    const double agreement = s.points > 1000 ? 1.01 : 1.002;
    // For few points populations cost little, so more of them are always grown.
    const bool asked = s.points > few_points || s.batch + 1 >= few_points_batches;
    const bool hasty = course.constants->stop_threshold >= 10 * default_threshold;
    const bool confirmed = hasty || polish[best].value < 1e-9 * s.delta_square ||
                           (asked && second >= 0 && second <= agreement * polish[best].value);
    if (confirmed || !course.stage().all || s.batch + 1 >= maximum_batches) {
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
    MultilevelState& s = *course.state;
    s.round = round;
    s.alive = alive;
    for (std::int32_t k = 0; k < alive; ++k) {
      polish[s.order[k]].resting = false;
      polish[s.order[k]].round_start = polish[s.order[k]].accepted;
    }
  }
};

}  // namespace kinescope::sim::glimmer
