// What the launches of a run share: where everything is in the executor's memory, and how a run proceeds from launch to
// launch. The device alone decides what comes next: each launch reads RunState::program, and does nothing if it is not
// its turn.
//
//   stage    what it does                                        next stage
//   start    draws one more centroid, until there are K          lloyd; gather once there is one, if thousands are
//                                                                missing (candidates.hpp)
//   gather   a part of a round of k-means‖                       gather until there are enough candidates; choose
//   choose   draws one more centroid from the candidates         choose until there are K; lloyd
//   lloyd    one iteration: labels, sums, new centroids          lloyd; repair if a cluster has no points; when its
//                                                                iterations are over: measure if the run makes several
//                                                                attempts, else the run ends
//   repair   moves one point to an empty cluster                 repair until none is empty; then the centroids move,
//                                                                and the run goes on as after lloyd
//   measure  computes the inertia of one attempt at K            start of the next attempt; after the last one weigh
//                                                                (in a sweep), else the run ends with the best
//   weigh    one step towards the BIC and AIC of K               weigh until done; start with K + 1; after the last K
//                                                                lloyd with the chosen K, to the end
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kinescope/executors/run_state.hpp"
#include "kinescope/k_means/k_means.hpp"
#include "kinescope/k_means/k_means_parameters.hpp"
#include "sim/k_means/formulas.hpp"

namespace kinescope::sim::k_means {

enum class Stage { start, lloyd, repair, measure, weigh, gather, choose };

// Whether the stage belongs to the start.
KINESCOPE_HD inline bool places(Stage stage) {
  return stage == Stage::start || stage == Stage::gather || stage == Stage::choose;
}

// What a step of the stage `weigh` does once it knows the likelihood.
enum class Weighing : std::int32_t {
  fit,    // takes a step of EM
  unite,  // takes a step of EM, then merges two Gaussians into one
  over
};

KINESCOPE_HD inline std::int32_t program_of(int clusters, Stage stage) {
  return 8 * clusters + static_cast<std::int32_t>(stage);
}
KINESCOPE_HD inline int clusters_of(std::int32_t program) {
  return program / 8;
}
inline Stage stage_of(std::int32_t program) {
  return static_cast<Stage>(program % 8);
}

// For repairs: the point farthest from its centroid, among clusters with at least two points; and the first empty
// cluster.
struct Farthest {
  float square = 0;
  std::int32_t empty = std::numeric_limits<std::int32_t>::max();
  std::int64_t point = std::numeric_limits<std::int64_t>::max();

  KINESCOPE_HD friend Farthest operator+(const Farthest& a, const Farthest& b) {
    Farthest sum = b.square > a.square || (b.square == a.square && b.point < a.point) ? b : a;
    sum.empty = b.empty < a.empty ? b.empty : a.empty;
    return sum;
  }
};

// The state that a run keeps between launches, in addition to RunState.
struct Control {
  std::int32_t current = 0;        // which of the two sets of centroids and sums this iteration reads
  std::int32_t placed = 0;         // number of centroids placed
  std::int32_t stale_squares = 1;  // `squares` must be recomputed from all centroids, not only from the last
  std::int32_t iterations = 0;     // done in this attempt
  std::int32_t empty = 0;          // clusters waiting for a point
  std::int32_t moved = 0;          // points moved by repairs in this iteration
  std::int32_t from = 0, to = 0;   // old and new cluster of the point that is moved; `to` ascends
  std::int32_t draws = 0;          // draws, and rounds, since the start; each has random numbers of its own
  std::int32_t rounds = 0;         // of k-means‖, done for this start
  std::int32_t known = 0;          // centroids placed before the first round, and candidates
  std::int32_t compared = 0;       // of these, with how many all points have been compared
  std::int32_t still = 0;          // the last iteration's movement was small enough to count as converged
  std::int32_t attempt = 0;        // number of the attempt at this K
  std::int32_t best = 0;           // without a sweep: the best attempt so far
  std::int32_t path_set = 0;       // which of the two sets of paths is written
  std::int32_t finished = 0;       // number of entries of the curve
  std::int32_t chosen = 0;         // the K with the least BIC
  Weighing weighing = Weighing::fit;
  std::int32_t steps = 0;       // steps of EM with the present number of Gaussians
  std::int32_t united = 0;      // how many of this K's Gaussians have been merged into others
  std::int32_t sized = 0;       // number of clusters that `sizes` describes
  std::int32_t improved = 0;    // the attempt just measured is the best at this K
  std::int32_t last = 0;        // all attempts are over: the chosen clustering runs to its end, or has reached it
  std::int64_t mover = -1;      // the point that is moved; −1: none
  std::int32_t candidates = 0;  // of the present draw
  std::int64_t candidate[most_candidates]{};  // the points
  double quantum = 0, potential = 0;          // of the present draw
  Potentials potentials;                      // what each candidate leaves
  double potential_limit = 0;                 // upper bound of the next draw's potential, unless `stale_squares`
  Farthest farthest;                          // the farthest point found so far in this repair
  double inertia_limit = 0;                   // upper bound of the inertia from here on
  double least_inertia = 0;                   // among this K's attempts so far
  double likelihood = 0;                      // ln L after the last step of EM
  double movement = INFINITY;                 // Σ of the centroids' squared movements in the last iteration

  // The candidate with the least potential, the first of equal ones.
  KINESCOPE_HD int least_candidate() const {
    int best = 0;
    for (int j = 1; j < candidates; ++j)
      if (potentials.sum[j] < potentials.sum[best]) best = j;
    return best;
  }
};

// The result of one of several runs from different starts (`restarts`).
struct Tried {
  std::int32_t iterations = 0, converged = 0;
  double inertia = 0;
};

// An attempt counts as better only if its inertia is lower by more than this fraction. So both backends keep the same
// one of two attempts that end at the same place.
inline constexpr double equal_inertia = 1e-9;

// A sweep makes several attempts at each K and keeps the one with the least inertia. The first `growing_attempts` add a
// centroid to the best result for K − 1, so that the inertia never rises with K; the others start from scratch. (A.
// Likas, N. Vlassis, J. Verbeek, "The global k-means clustering algorithm", 2003, try every point as the additional
// centroid; here it is drawn with probabilities proportional to D².)
inline constexpr std::int32_t sweep_attempts = 5, growing_attempts = 3;

// The results for a K that was already weighed may still improve while one of the next `most_unions` numbers is
// weighed.
inline constexpr std::int32_t most_unions = 4;

inline constexpr std::int64_t path_numbers = 1 << 18;  // total size of the centroids that CentroidPaths stores

// Plain values and addresses; copied into every launch as a parameter.
struct RunView {
  Points points{};
  int clusters = 1, first_clusters = 1, last_clusters = 1;  // K of this launch; of the first and of the last of a sweep
  StopRule stop = StopRule::tolerance;
  double still_movement = 0;  // the largest Σ_k |Δc_k|² that counts as converged
  std::int32_t iteration_limit = 0;
  std::int32_t restarts = 1;
  bool random_start = false;
  bool keeps_sums = false;    // sums are kept from one iteration to the next, and only changes are added
  bool keeps_labels = false;  // a repair finds labels and squares in `labels` and `squares`
  bool leaves_last = false;   // the pass sums K − 1 clusters; the last one's sums are the totals minus these
  bool drops = false;         // rows of lost workers may be missing from the sums, so leaves_last is not possible
  bool served = false;        // a group computed the latest pass: the labels and sums kept here are not from it
  bool swept = false;
  bool asked = false;                      // the host requests a result: no launch is idle, whatever the run's state
  std::int64_t part_points = 0;            // points in the largest part
  bool paged = false;                      // the points come in several parts, sent again for each iteration
  const float* scale = nullptr;            // [d] 2^e_c
  const float* centre = nullptr;           // [d] means, approximately
  const std::int64_t* totals = nullptr;    // [d] Σ over all points
  const double* least_variance = nullptr;  // [d]
  float reach = 0;                         // largest |x_ic − centre_c|
  double total_square = 0;                 // Σ_i |x_i − centre|²
  float* centroids = nullptr;              // [2][last_clusters × d] row-major
  std::int64_t* sums = nullptr;            // [2][(d + 1) × K + 1]: by column, then n_k, then the inertia
  std::int64_t* spreads = nullptr;         // [(d + 1) × K]: by column Σ of (x_c − centroid_c)², then n_k
  std::uint32_t* labels = nullptr;         // [N] from the last pass that wrote them
  float* squares = nullptr;                // [N] D² to the nearest centroid, from the same pass
  float* row = nullptr;                    // [d] the values of the point that a repair moves
  std::int32_t candidates = 1;             // for each draw of the start
  float* rows = nullptr;                   // [most_candidates × d] their values
  double* panel_sums = nullptr;            // [groups × group] Σ of `squares` over each panel of all points, in quanta
  const double* weights = nullptr;         // [N] for these sums; null: all are 1
  Stage drawing = Stage::start;            // the stage whose draws are made: start, gather or choose
  double* group_sums = nullptr;            // [groups] and over each group of panels
  Points sample;                           // the points with which K is weighed: all, or a sample of many
  float* paths = nullptr;                  // [1 or 2][path_numbers], of which [path_capacity × K × d] are used
  std::int32_t path_capacity = 0;
  std::int64_t* sizes = nullptr;  // [last_clusters] in the last iteration
  float* attempts = nullptr;    // [most_unions + 1][last_clusters × d] centroids of the best attempts at the latest K
  float* best = nullptr;        // [last_clusters × d] centroids of the chosen K
  double* gaussians = nullptr;  // [(3d + 2) × last_clusters] (mixture.hpp)
  std::int64_t* shares = nullptr;   // [(2d + 1) × last_clusters + 1] (mixture.hpp)
  double inertia_limit = 0;         // upper bound of the inertia of any clustering
  KMeansCriteria* curve = nullptr;  // [last − first + 1]
  Tried* tried = nullptr;           // [restarts]
  Control* control = nullptr;
  RunState* state = nullptr;
  HistoryPoint* history = nullptr;
  std::int64_t history_capacity = 0;
  std::uint64_t seed = 1;

  KINESCOPE_HD bool idle(Stage stage) const {
    return !asked && (state->converged || state->program != program_of(clusters, stage));
  }
  KINESCOPE_HD std::int32_t attempts_of(int k) const {
    return k == 1 ? 1 : swept && restarts < sweep_attempts ? sweep_attempts : restarts;
  }
  // The stage that places the missing centroids.
  KINESCOPE_HD Stage placing(int placed) const {
    return !random_start && placed > 0 && clusters - placed >= most_greedy_clusters ? Stage::gather : Stage::start;
  }
  // How many iterations of the start are left. Points drawn evenly are placed all at once.
  KINESCOPE_HD std::int64_t draws_left(int missing) const { return random_start ? 1 : missing; }
  KINESCOPE_HD bool tries() const { return swept || attempts_of(clusters) > 1; }
  KINESCOPE_HD bool again() const { return control->attempt < attempts_of(clusters); }
  KINESCOPE_HD bool grows(int k) const { return k > first_clusters && control->attempt < growing_attempts; }
  // Without a sweep, attempt n starts like a run whose seed is larger by n.
  KINESCOPE_HD std::uint64_t start_seed() const {
    return swept ? seed : seed + static_cast<std::uint64_t>(control->attempt);
  }
  KINESCOPE_HD float* present_paths() const { return paths + control->path_set * path_numbers; }
  // This run restricted to the part `some` of the points.
  KINESCOPE_HD RunView part(const Points& some) const {
    RunView run = *this;
    run.points = some;
    run.labels += some.first;
    if (run.squares) run.squares += some.first;
    return run;
  }
  // D² of a point to the nearest centroid so far, times its weight.
  KINESCOPE_HD double weighted_square(std::int64_t i) const {
    return weights ? weights[i] * static_cast<double>(squares[i]) : static_cast<double>(squares[i]);
  }
  KINESCOPE_HD int dimensions() const { return points.dimensions; }
  KINESCOPE_HD std::int64_t panels() const { return (points.total + panel - 1) / panel; }  // of all points
  KINESCOPE_HD std::int64_t groups() const { return (panels() + group - 1) / group; }
  KINESCOPE_HD float* centroids_in(int set) const {
    return centroids + static_cast<std::int64_t>(set) * last_clusters * dimensions();
  }
  // The best attempt at k clusters, kept until k + most_unions are weighed.
  KINESCOPE_HD float* attempt_at(int k) const {
    return attempts + static_cast<std::int64_t>(k % (most_unions + 1)) * last_clusters * dimensions();
  }
  KINESCOPE_HD float* current_centroids() const { return centroids_in(control->current); }
  KINESCOPE_HD std::int64_t sum_size() const { return static_cast<std::int64_t>(dimensions() + 1) * clusters + 1; }
  KINESCOPE_HD std::int64_t* sums_in(int set) const {
    return sums + (keeps_sums ? 0 : set) * (static_cast<std::int64_t>(dimensions() + 1) * last_clusters + 1);
  }
  KINESCOPE_HD std::int64_t* current_sums() const { return sums_in(control->current); }
  // The scale of inertias and spreads in fixed point: none exceeds 2^60, and the limit is within a factor of two of
  // that. It is a power of two, so the last digits of the limit, which depend on how points are dealt to workers,
  // change no bit of a later sum.
  KINESCOPE_HD double square_scale() const {
    int exponent = 0;
    std::frexp(control->inertia_limit, &exponent);  // limit < 2^exponent
    return std::ldexp(1.0, 60 - exponent);
  }

  // The quantum of the next draw's sums.
  KINESCOPE_HD double quantum() const {
    return quantum_for(control->stale_squares ? inertia_limit : control->potential_limit);
  }

  KINESCOPE_HD void go(int k, Stage stage, std::int64_t left) const {
    state->program = program_of(k, stage);
    state->left = paged ? 1 : left;  // one at a time: else points would be sent in vain after the end
    state->phase = places(stage) ? 0 : swept ? 2 : 1;
    state->level = swept ? k - first_clusters + 1 : 0;
    const float parts = static_cast<float>(last_clusters - first_clusters + 1);
    const float part = static_cast<float>(control->iterations) / static_cast<float>(iteration_limit);
    const float attempt = (static_cast<float>(control->attempt) + part) / static_cast<float>(attempts_of(k));
    state->fraction = control->last ? 1 : (static_cast<float>(k - first_clusters) + attempt) / parts;
  }
  KINESCOPE_HD void end() const {
    state->fraction = 1;
    state->converged = 1;
    state->cut = !control->still;
  }
  KINESCOPE_HD void go_lloyd() const { go(clusters, Stage::lloyd, iteration_limit - control->iterations); }
};

// How many numbers `paths` holds.
KINESCOPE_HD inline std::int64_t path_size(const RunState& state, const Control& control, int dimensions) {
  if (control.iterations == 0) return 0;
  const std::int64_t row = static_cast<std::int64_t>(clusters_of(state.program)) * dimensions;
  return std::min<std::int64_t>(control.iterations + 1, path_numbers / row) * row;
}

// What the host needs for a pass that others compute.
struct PassOnHost {
  const RunState* state = nullptr;
  const Control* control = nullptr;
  const float* centroids = nullptr;  // [K × d]
};

// A copy, on the host, of what the window may show.
struct Look {
  RunState state;
  Control control;
  std::vector<KMeansCriteria> curve;  // at least Control::finished entries
  std::vector<float> paths;           // as many as exist, at most path_numbers
  std::vector<float> centroids;       // [placed × d]
  std::vector<std::int64_t> sizes;    // [sized]
};

}  // namespace kinescope::sim::k_means
