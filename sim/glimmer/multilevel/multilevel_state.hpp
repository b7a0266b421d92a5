// The course of our own Glimmer: the order of the stages, and when each is over. The state is plain values in the
// executor's memory. One thread takes all decisions there at the end of an iteration.
#pragma once

#include <cstdint>

#include "kinescope/executors/host_device.hpp"
#include "kinescope/executors/run_state.hpp"
#include "sim/glimmer/multilevel/glimmer_formulas.hpp"

namespace kinescope::sim::glimmer {

// Indices into the simulation's list of phase names.
enum class LayoutPhase : std::int32_t { interpolate = 0, relax = 1, search = 2, glide = 3, polish = 4 };

// The programs, each of which makes one kind of iteration (RunState::program).
enum Program : std::int32_t {
  program_search,  // the picture takes a SMACOF step; then the population goes through matchings
  program_rank,    // computes the layouts' full stress; the best and the picture become candidates
  program_polish,  // evaluates the full stress of each candidate and moves it
  program_glide,   // moves the picture towards the chosen layout
  program_place,   // places some of a level's newcomers; after the last of them, makes the first part of a round
  program_round,   // makes a part of a round over all points of a level
  program_fit,     // only the landmarks' distances are known: places the others among them, then moves them in steps
  program_finish   // polishes all the data by their full stress
};

struct MultilevelStage {
  Program program = program_search;
  std::int64_t points = 0;  // number of points in the level
  std::int64_t first = 0;   // newcomers start here
  std::int32_t level = 0;   // number of the level; 1 is the landmarks
  std::int32_t phase = 0;   // a LayoutPhase
  bool all = false;         // whether the level is all the data
  bool given = false;       // all points have a place when the run begins: there are no newcomers
  std::int64_t far = 0;     // number of far points in the level; all pairs among them are always measured
  double far_reach = 0;     // Σ over the far points of roughly their mean δ² to all points
};

inline constexpr int group_size = 8, groups = 2;        // layouts in a group, which share their matchings
inline constexpr int population = group_size * groups;  // layouts that start at random
inline constexpr int extra_dimensions = 2;  // most extra dimensions of a start; squeezed to zero while η is held
// Layouts that can be polished: the population, the best of earlier populations, and the picture.
inline constexpr int candidate_slots = population + 2, picture_slot = population + 1;
inline constexpr int maximum_batches = 5;  // most populations, which are grown while the best layouts disagree
inline constexpr std::int64_t few_points = 512;
inline constexpr int few_points_batches = 4;  // fewest populations if there are few points
inline constexpr int first_chunk = 64,
                     later_chunk = 512;        // matchings per iteration in the first population, and in later ones
inline constexpr int hidden_evaluations = 4;   // per iteration, unless only the picture is polished
inline constexpr double floor_stress = 1e-11;  // below this stress float32 gains nothing
inline constexpr std::int64_t matrix_limit = 5000;  // data of at most this many points end with their full stress
// Data of at most this many points end so too if their distances are computed from rows; the matrix takes 256 MiB. If
// they have a tail, it may take 576 MiB: few pairs then make much of the stress, and rounds end farther from its least.
inline constexpr std::int64_t finish_limit = 8192, finish_limit_of_tails = 12'288;
inline constexpr double default_threshold = 0.002;  // for MultilevelConstants::stop_threshold

// The population's timetable for n points. If these are all the data, they are annealed twice. The second time, each
// group starts from its best four layouts, slightly disturbed and with new extra dimensions.
struct Annealing {
  std::int64_t length = 0,
               second = 0;  // in matchings; the second time begins at `second`, which equals length if there is none
  bool squeezes = false;    // starts with extra dimensions
  std::int64_t chunk = first_chunk;

  // `threshold` is the stop threshold: a looser one shortens the annealing.
  KINESCOPE_HD static Annealing of(const MultilevelStage& stage, std::int32_t batch, double threshold) {
    const std::int64_t n = stage.points;
    const double haste = threshold > default_threshold ? default_threshold / threshold : 1;
    const std::int64_t chunk = batch == 0 ? first_chunk : later_chunk;
    const auto whole = [&](double matchings) {
      const double wanted = matchings * (haste > 0.1 ? haste : 0.1) / static_cast<double>(chunk);
      const auto chunks = static_cast<std::int64_t>(wanted);
      return (chunks < 1 ? 1 : static_cast<double>(chunks) < wanted ? chunks + 1 : chunks) * chunk;
    };
    if (is_plain(stage, batch)) return {whole(512), whole(512), false, chunk};
    if (!stage.all) return {whole(1600), whole(1600), true, chunk};
    const double wanted = (n <= 64 ? 1600 : n < 1000 ? 6400 : 2400) * (batch > 0 ? 2 : 1);
    return {whole(wanted), whole(2 * wanted / 3), true, chunk};
  }

  // Every other population is annealed quickly and in the layout's own dimensions. The carefully annealed ones agree on
  // the widest valley, which is not always the deepest.
  KINESCOPE_HD static bool is_plain(const MultilevelStage& stage, std::int32_t batch) {
    return stage.all && batch % 2 == 1;
  }

  // The matching at which the present annealing began; and how many matchings η is held.
  KINESCOPE_HD std::int64_t began(std::int64_t t) const { return t < second ? 0 : second; }
  KINESCOPE_HD std::int64_t hold(std::int64_t t) const { return span(t) * (squeezes ? 2 : 1) / 5; }
  KINESCOPE_HD std::int64_t span(std::int64_t t) const { return t < second ? second : length - second; }
  KINESCOPE_HD bool flat(std::int64_t t) const { return !squeezes || t - began(t) > hold(t) + 8; }

  KINESCOPE_HD float eta(std::int64_t t, int group) const {
    const float start = !squeezes ? 0.15f * static_cast<float>(1 + group % 2) : t < second ? 0.5f : 0.15f;
    const std::int64_t past = t - began(t) - hold(t);
    return past < 0 ? start : start / (1.0f + 40.0f * static_cast<float>(past) / static_cast<float>(span(t)));
  }
  // The factor of the extra dimensions' coordinates after matching t; it is 1, which leaves them unchanged, unless t is
  // a multiple of eight.
  KINESCOPE_HD float squeeze(std::int64_t t) const {
    if (!squeezes || t % 8 != 0 || flat(t)) return 1.0f;
    const float held = static_cast<float>(hold(t)),
                u = (static_cast<float>(t - began(t)) - 0.1f * held) / (0.9f * held);
    return u < 0 ? 1.0f : u >= 1 ? 0.0f : 1.0f - 0.3f * u * u;
  }
};

// Watches the stress over the pairs of the latest rounds: when it stops falling, the steps get shorter; when they are
// short enough, the level has settled.
struct Settling {
  static constexpr float shorter = 0.6f;
  double earlier = 0, later = 0;  // sums of the figures over the first and the second half of a window
  std::int32_t known = 0;
  float part = 1;  // factor on the step strength

  // With many points of low stress, the partners agree: there is little noise to average, so half of the partners are
  // enough. Windows are then shorter too, and the level ends earlier. Compared with 512 partners, windows of four and
  // an end at 1/8, shuttle's last level takes a fifth of the time for 0.4 % more stress.
  KINESCOPE_HD static bool agree(double figure, std::int64_t points) {
    return figure < single_minimum && points >= 32'768;
  }

  // Number of rounds between two decisions. With few points a round measures few pairs, and in four rounds of whole
  // steps the stress falls by less than its noise. (With windows of four, the stress is 1 % higher for MNIST's 10,000
  // points and for normal noise of 20,000 × 32.) Once steps are shorter, four are enough: they save a third of the
  // rounds for 0.05 to 0.3 % more stress (on those data, topics, sheets, a cube, Cauchy noise and shuttle). With a
  // million points, windows of two are enough. A given start gets long windows, because it may be anywhere (shuttle
  // from random places: 0.0059 with windows of two).
  KINESCOPE_HD std::int32_t window(double figure, std::int64_t points, bool last_level, bool given) const {
    if (given) return part == 1 ? 8 : 4;
    if (points > 500'000 || agree(figure, points)) return 2;
    return last_level && points < 32'768 && part == 1 ? 8 : 4;
  }

  // Adds a round's figure; returns true once the level has settled. The shorter the last steps, the smaller the noise
  // that the choice of partners leaves. A level that later newcomers will still move ends sooner.
  KINESCOPE_HD bool add(double figure, double threshold, std::int64_t points, bool last_level, bool given) {
    const std::int32_t rounds = window(figure, points, last_level, given);
    (known < rounds / 2 ? earlier : later) += figure;
    if (++known < rounds) return false;
    if (later > earlier * (1 - threshold)) part *= figure < single_minimum ? shorter * shorter : shorter;
    earlier = later = 0;
    known = 0;
    return part < (!last_level ? 0.9f : !given && agree(figure, points) ? 0.25f : 0.125f);
  }
};

// Means over the held-out pairs, whose δ and δ̂ are both known: of (d − δ)² − (d − δ̂)², and of δ² − δ̂².
struct HeldOutSums {
  double error = 0, size = 0;

  KINESCOPE_HD friend HeldOutSums operator+(const HeldOutSums& a, const HeldOutSums& b) {
    return {a.error + b.error, a.size + b.size};
  }
};

// Sums over the pairs of far points: with δ (error, size); with δ̂ (estimated_…); and with δ̂ over the `met` pairs that
// the current part of a round measures (met_…). `expected` is the Σ δ̂² expected for the part's other pairs with far
// points. Their number changes from round to round, which would show in the figure if one point makes most of Σ δ² (by
// 3 % when its partners are in the last block, which is short).
template <class S>
struct FarSums {
  S error = {}, size = {}, estimated_error = {}, estimated_size = {}, met_error = {}, met_size = {}, met = {},
    expected = {};

  KINESCOPE_HD friend FarSums operator+(const FarSums& a, const FarSums& b) {
    return {a.error + b.error,
            a.size + b.size,
            a.estimated_error + b.estimated_error,
            a.estimated_size + b.estimated_size,
            a.met_error + b.met_error,
            a.met_size + b.met_size,
            a.met + b.met,
            a.expected + b.expected};
  }
};

// error, size: Σ (d − δ)² and Σ δ² over the pairs of newcomers with landmarks. held, fitted: Σ (d − δ)² of the held-out
// newcomers with all newcomers, and with the landmarks.
struct FitSums {
  double error = 0, size = 0, held = 0, fitted = 0;

  KINESCOPE_HD friend FitSums operator+(const FitSums& a, const FitSums& b) {
    return {a.error + b.error, a.size + b.size, a.held + b.held, a.fitted + b.fitted};
  }
};
// Number of newcomers whose distances to all others are known; they are used for the figure shown.
inline constexpr std::int64_t held_out_points = 64;

struct MultilevelState {
  std::int32_t stage = 0, stages = 0;
  std::int64_t points = 0, first = 0, level_first = 0;
  std::int64_t t = 0;       // matchings made (search), parts done (place), iterations made (glide, finish, fit)
  double delta_square = 0;  // Σ_{i<j} δ² over all pairs of the level, if known
  HeldOutSums held_out;     // for the layout shown
  FarSums<double> far;      // for the layout shown

  std::int32_t batch = 0;  // populations grown before this one
  std::int32_t round = 0;  // of the polish: 0 all candidates, 1 the best of each group, 2 the best one
  std::int32_t alive = 0;  // candidates still polished: slots order[0 … alive)
  std::int32_t order[population + 1] = {};
  std::int32_t source[population + 1] =
      {};                      // the layout from which each starts the second time, or that becomes a candidate
  std::int32_t champion = -1;  // slot of the best layout of earlier populations; −1: none
  double runner_up = -1;       // value of the second best so far; -1: none

  double picture = -1, picture_before = -1;  // the picture's stress now, and eight of its steps ago
  std::int32_t picture_steps = 0;
  bool picture_rests = false;

  double way = 0, gone = 0;  // glide: distance to the chosen layout, relative to the picture's size; part done

  bool placed = false;  // all newcomers of the level have been placed

  bool few_partners = false;   // whether rounds at this level have half of the partners
  std::int64_t rounds = 0;     // number of rounds finished at this level
  std::int32_t part = 0;       // part of the current round
  bool moves = false;          // steps must be taken before the next measurement
  double error = 0, size = 0;  // of the current round
  Settling settling;
};

// The parameters that may change during a run.
struct MultilevelConstants {
  float step_strength = 0.8f;
  double stop_threshold = default_threshold;
};

// A round at a level of n points. Blocks of 64 points are in random order, and each meets the next `partners` blocks.
// The round is cut into parts, so that an iteration over many points does not take too long.
struct RoundPlan {
  static constexpr std::int64_t block_points = 64;
  static constexpr std::int64_t part_pairs = 64 << 20;  // about 0.1 s on two cores
  std::int64_t points, blocks, partners, parts;

  // `few`: half of the partners are enough (Settling::agree).
  KINESCOPE_HD static RoundPlan of(std::int64_t n, bool few = false) {
    RoundPlan plan;
    plan.points = n;
    plan.blocks = (n + block_points - 1) / block_points;
    plan.partners = few ? 2 : plan.blocks >= 9 ? 4 : (plan.blocks - 1) / 2;  // 4: 512 points
    plan.parts = (plan.blocks * plan.partners * block_points * block_points + part_pairs - 1) / part_pairs;
    if (plan.parts < 1) plan.parts = 1;
    return plan;
  }
  KINESCOPE_HD std::int64_t part_begin(std::int64_t part) const { return blocks * part / parts; }
  // Number of pairs that a part measures: each of its blocks with the `partners` blocks after it.
  KINESCOPE_HD std::int64_t pairs(std::int64_t part) const {
    const std::int64_t begin = part_begin(part), end = part_begin(part + 1), last = blocks - 1;
    const std::int64_t from = begin > last - partners ? begin : last - partners, to = end < last ? end : last;
    const std::int64_t short_ones = (end == blocks ? partners : 0) + (to > from ? to - from : 0);
    return ((end - begin) * partners * block_points - short_ones * (block_points - size(last))) * block_points;
  }
  // Number of points in the block; and number of points that the block meets in a round.
  KINESCOPE_HD std::int64_t size(std::int64_t block) const {
    return block + 1 < blocks ? block_points : points - block * block_points;
  }
  KINESCOPE_HD std::int64_t met(std::int64_t block) const {
    const std::int64_t from_last = blocks - 1 - block, near = from_last < block + 1 ? from_last : block + 1;
    const bool meets_last = near > 0 && near <= partners;  // the last block is among the neighbours, and may be short
    return 2 * partners * block_points - (meets_last ? block_points - size(blocks - 1) : 0);
  }
  // Number of points that the block meets in one part.
  KINESCOPE_HD std::int64_t met_in_part(std::int64_t block, std::int64_t part) const {
    const std::int64_t begin = part_begin(part), end = part_begin(part + 1);
    std::int64_t count = 0;
    for (std::int64_t step = 1; step <= partners; ++step) {
      const std::int64_t before = (block - step + blocks) % blocks;
      if (block >= begin && block < end) count += size((block + step) % blocks);
      if (before >= begin && before < end) count += size(before);
    }
    return count;
  }
};

// Number of newcomers placed in an iteration.
inline constexpr std::int64_t place_part = 1 << 16;

// Takes all decisions; the backends' functors call it at the end of an iteration.
struct Course {
  RunState* run;
  MultilevelState* state;
  const MultilevelStage* stages;
  const MultilevelConstants* constants;
  HistoryPoint* history;
  std::int64_t capacity;
  std::int64_t iteration_limit;  // 0: none

  KINESCOPE_HD const MultilevelStage& stage() const { return stages[state->stage]; }
  KINESCOPE_HD bool current(Program program) const { return !run->converged && run->program == program; }
  KINESCOPE_HD bool begins(Program program) const { return current(program) && state->t == 0; }
  KINESCOPE_HD Annealing annealing() const { return Annealing::of(stage(), state->batch, constants->stop_threshold); }

  KINESCOPE_HD static double pairs_of(std::int64_t n) {
    return 0.5 * static_cast<double>(n) * static_cast<double>(n - 1);
  }

  // The stress of the layout shown, given Σ (d − δ̂)² and Σ δ̂² over all pairs of the level.
  KINESCOPE_HD double shown(double error, double size) const {
    const double others = pairs_of(state->points) - pairs_of(stage().far);
    error += state->far.error - state->far.estimated_error + others * state->held_out.error;
    size += state->far.size - state->far.estimated_size + others * state->held_out.size;
    return size > 0 && error > 0 ? error / size : 0;
  }
  KINESCOPE_HD double shown(double stress) const { return shown(stress * state->delta_square, state->delta_square); }

  // The stress of the layout shown, from sums over the pairs of one part of a round. The far points' pairs are known;
  // the part's other pairs stand for the rest.
  KINESCOPE_HD double shown_in_round(double error, double size, std::int64_t pairs) const {
    const FarSums<double>& far = state->far;
    const double met = static_cast<double>(pairs) - far.met;
    const double each = met > 0 ? (pairs_of(state->points) - pairs_of(stage().far)) / met : 0;
    const double expected = static_cast<double>(state->points - stage().far) * stage().far_reach;
    return shown(far.estimated_error + each * (error - far.met_error),
                 far.estimated_size + expected + each * (size - far.met_size - far.expected));
  }

  // Counts the iteration, and begins the next stage if this one is over.
  KINESCOPE_HD void end_iteration(double figure, bool over) const {
    run->record(static_cast<float>(figure), history, capacity);
    if (over) enter(state->stage + 1);
    if (!run->converged && iteration_limit > 0 && run->iteration >= iteration_limit) run->converged = run->cut = 1;
    run->fraction = static_cast<float>(state->stage) / static_cast<float>(state->stages);
  }

  KINESCOPE_HD void enter(std::int32_t next) const {
    if (next < state->stages && stages[next].program == program_glide && state->order[0] == picture_slot)
      ++next;  // the picture is the chosen layout itself
    if (next >= state->stages) {
      run->converged = 1;
      return;
    }
    const MultilevelStage& stage = stages[next];
    state->stage = next;
    state->points = stage.points;
    state->first = stage.first;
    state->level_first = stage.given ? stage.points : stage.first;
    state->t = stage.given && stage.program == program_fit ? 1 : 0;
    if (stage.program == program_place) {
      // If the layout is exact, a round only confirms it.
      state->few_partners = run->figure <= floor_stress || (!stage.given && Settling::agree(run->figure, stage.points));
      state->rounds = 0;
      state->part = 0;
      state->error = state->size = 0;
      state->moves = state->placed = false;
      state->settling = Settling{};
    } else if (stage.program != program_fit) {
      run->points = stage.points;  // newcomers count once they have a place
    }
    run->level = stage.level;
    run->phase = stage.phase;
    run->program = stage.program;
    run->left = stage.program == program_search                 ? matchings_left() / annealing().chunk
                : stage.program == program_rank                 ? 1
                : stage.program == program_fit                  ? 1
                : stage.given && stage.program == program_place ? 1
                : stage.program == program_place ? (stage.points - stage.first + place_part - 1) / place_part
                                                 : -1;
  }

  KINESCOPE_HD std::int64_t matchings_left() const { return annealing().length - state->t; }

  // One iteration of the glide: moves the picture by at most 0.08 of its size, times the step strength.
  KINESCOPE_HD void step_glide() const {
    const double pace = 0.08 * constants->step_strength,
                 steepest = 1.5;  // steepest: the largest slope of the smooth course
    state->gone += state->way > 0 ? pace / (steepest * state->way) : 1;
    if (state->gone > 1) state->gone = 1;
  }

  // Ends an iteration in which the newcomers were placed or measured. Their pairs with the landmarks stand for the
  // pairs among themselves, which are not fitted and have larger errors. How much larger is found from the held-out
  // points.
  KINESCOPE_HD void end_fit(const FitSums& sums) const {
    MultilevelState& s = *state;
    if (s.t++ == 0) {
      run->points = s.points;
      end_iteration(run->figure, false);
      run->phase = static_cast<std::int32_t>(LayoutPhase::relax);
      run->left = 1;  // one iteration at a time: more would send pages in vain if this is the last one
      return;
    }
    const auto newcomers = static_cast<double>(s.points - s.first), landmarks = static_cast<double>(s.first);
    const double others = 0.5 * (newcomers - 1) / landmarks;  // pairs of newcomers for each pair with a landmark
    const double larger = sums.fitted > 0 ? sums.held / (newcomers - 1) / (sums.fitted / landmarks) : 1;
    const double size = s.delta_square + (1 + others) * sums.size;
    const double error = s.picture * s.delta_square + (1 + others * larger) * sums.error;
    const double figure = size > 0 ? error / size : 0;
    const bool settled = s.t > 2 && figure >= s.error * (1 - 0.1 * constants->stop_threshold);
    s.error = figure;
    end_iteration(figure, settled);
    if (!settled) run->left = 1;
  }

  // Called when a part of a round has been measured. At the end of a round, its steps are ready to be taken.
  KINESCOPE_HD void end_round_part(double error, double size) const {
    MultilevelState& s = *state;
    const RoundPlan plan = RoundPlan::of(s.points, s.few_partners);
    const bool placing = stage().program == program_place;
    s.error += error;
    s.size += size;
    s.moves = false;
    bool settled = false;
    const double shown_figure = shown_in_round(error, size, plan.pairs(s.part));
    if (++s.part == plan.parts) {
      const double figure = s.size > 0 ? s.error / s.size : 0;
      settled = figure < floor_stress ||
                s.settling.add(figure, constants->stop_threshold, s.points, stage().all, stage().given);
      s.part = 0;
      s.error = s.size = 0;
      ++s.rounds;
      s.moves = true;
    }
    if (placing) run->points = s.points;
    if (settled && placing)  // skips the stage of rounds, which has nothing left to do
      end_placing_settled(shown_figure);
    else
      end_iteration(shown_figure, placing || settled);
  }

 private:
  KINESCOPE_HD void end_placing_settled(double figure) const {
    ++state->stage;
    end_iteration(figure, true);
  }
};

}  // namespace kinescope::sim::glimmer
