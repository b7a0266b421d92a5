// What the launches of a run share: where everything lies in the executor's memory, and how a run proceeds from launch
// to launch. The device decides alone: each launch reads RunState::program and does nothing if it is not its turn.
//
//   start    draws one more centroid, until there are K                                       then lloyd
//   lloyd    labels, sums, new centroids: one iteration        when it ends, the end; if there are attempts, measure
//            if a cluster has no points, the centroids wait                                   and repair
//   repair   moves one point to an empty cluster; after the last one the centroids move       then lloyd
//   measure  the inertia of one attempt at K        start with the next attempt; after the last, the end, or in a sweep
//                                                                                                               weigh
//   weigh    a step of what K is worth                                      start with K + 1, or lloyd to the end
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/core/executors/run_state.hpp"
#include "sim/k_means/formulas.hpp"
#include "sim/k_means/k_means.hpp"
#include "sim/k_means/k_means_parameters.hpp"

namespace kinescope::sim::k_means {

enum class Stage { start, lloyd, repair, measure, weigh };

// What a step of the stage `weigh` does once the likelihood is known.
enum class Weighing : std::int32_t {
  fit,    // takes a step of EM
  unite,  // does the same, and joins two Gaussians into one
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

// The point farthest from its centroid, among clusters that can spare one, and the first empty cluster.
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

// What a run remembers between launches, in addition to RunState.
struct Control {
  std::int32_t current = 0;        // which of the two sets of centroids and sums this iteration reads
  std::int32_t placed = 0;         // number of centroids placed
  std::int32_t stale_squares = 1;  // `squares` must be computed from all centroids, not only from the last
  std::int32_t iterations = 0;     // done for this K
  std::int32_t empty = 0;          // clusters waiting for a point
  std::int32_t moved = 0;          // points moved by repairs in this iteration
  std::int32_t from = 0, to = 0;   // clusters of the point that is moved; `to` ascends
  std::int32_t draws = 0;          // centroids drawn since the start; each draw has random numbers of its own
  std::int32_t still = 0;          // the last iteration moved the centroids no further than what counts as converged
  std::int32_t attempt = 0;        // number of the attempt at this K
  std::int32_t best = 0;           // without a sweep: the best attempt so far
  std::int32_t path_set = 0;       // which of the two sets of paths is written
  std::int32_t finished = 0;       // number of entries of the curve
  std::int32_t chosen = 0;         // the K with the least BIC
  Weighing weighing = Weighing::fit;
  std::int32_t steps = 0;      // of EM, for this K
  std::int32_t united = 0;     // this K's Gaussians that have been joined to others
  std::int32_t sized = 0;      // number of clusters that `sizes` describes
  std::int32_t improved = 0;   // the attempt just measured is the best at this K
  std::int32_t last = 0;       // all attempts are over: the chosen clustering runs to its end, or is at it
  std::int64_t mover = -1;     // the point that is moved; −1: none
  Race race;                   // the winner of a draw so far
  Farthest farthest;           // of a repair so far
  double inertia_limit = 0;    // upper bound of all inertias from here on
  double least_inertia = 0;    // among this K's attempts so far
  double likelihood = 0;       // ln L after the last step of EM
  double movement = INFINITY;  // Σ of the centroids' squared movements in the last iteration
};

// One of several runs from different starts (`restarts`).
struct Tried {
  std::int32_t iterations = 0, converged = 0;
  double inertia = 0;
};

// An inertia that is less by no more than this part is no improvement: so both backends keep the same of two attempts
// that end at the same place.
inline constexpr double equal_inertia = 1e-9;

// A sweep makes several attempts at each K and keeps the one with the least inertia. The first ones add a centroid to
// the best of K − 1 (A. Likas, N. Vlassis, J. Verbeek, "The global k-means clustering algorithm", 2003, who try every
// point; here D² draws them), so that inertia never rises with K; the others start anew.
inline constexpr std::int32_t sweep_attempts = 5, growing_attempts = 3;

// A K that was already weighed may still improve while one of the next so many is weighed.
inline constexpr std::int32_t most_unions = 4;

inline constexpr std::int64_t path_numbers = 1 << 18;  // total size of the centroids that CentroidPaths stores

// Plain values and addresses; copied into every launch.
struct RunView {
  Points points{};
  int clusters = 1, first_clusters = 1, last_clusters = 1;  // K of this launch; of the first and of the last of a sweep
  StopRule stop = StopRule::tolerance;
  double still_movement = 0;  // the largest Σ_k |Δc_k|² that counts as converged
  std::int32_t iteration_limit = 0;
  std::int32_t restarts = 1;
  bool random_start = false;
  bool keeps_sums = false;   // from one iteration to the next, adding only changes
  bool leaves_last = false;  // the pass sums K − 1 clusters; the last one is the rest of the totals
  bool drops = false;        // rows of lost workers may be missing from the sums: none is left to the totals
  bool served = false;       // a crew has made the latest pass: what is kept here is not of it
  bool swept = false;
  bool asked = false;                      // asked by the host: no launch is idle, whatever the run's state
  std::int64_t part_points = 0;            // the most in a part of the points
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
  float* row = nullptr;                    // [d] of the point that wins a draw, or is moved
  Points sample;                           // by which a number of clusters is weighed: all points, or some of many
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
  // Iterations of the start: points drawn evenly are placed all at once.
  KINESCOPE_HD std::int64_t draws_left(int missing) const { return random_start ? 1 : missing; }
  KINESCOPE_HD bool tries() const { return swept || attempts_of(clusters) > 1; }
  KINESCOPE_HD bool again() const { return control->attempt < attempts_of(clusters); }
  KINESCOPE_HD bool grows(int k) const { return k > first_clusters && control->attempt < growing_attempts; }
  // Without a sweep the start of attempt n is that of a run with the seed n larger.
  KINESCOPE_HD std::uint64_t start_seed() const {
    return swept ? seed : seed + static_cast<std::uint64_t>(control->attempt);
  }
  KINESCOPE_HD float* present_paths() const { return paths + control->path_set * path_numbers; }
  // The run as launches see it that have this part of the points.
  KINESCOPE_HD RunView part(const Points& some) const {
    RunView run = *this;
    run.points = some;
    run.labels += some.first;
    if (run.squares) run.squares += some.first;
    return run;
  }
  // Points come in several parts, and anew for each iteration.
  KINESCOPE_HD bool paged() const { return part_points < points.total; }
  KINESCOPE_HD int dimensions() const { return points.dimensions; }
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
  // The scale of inertias and spreads in fixed point: none exceeds 2^60, within a factor of four.
  // A power of two: the last digits of the limit, which depend on how points are dealt, change no bit of a later sum.
  KINESCOPE_HD double square_scale() const {
    int exponent = 0;
    std::frexp(control->inertia_limit, &exponent);  // limit < 2^exponent
    return std::ldexp(1.0, 60 - exponent);
  }

  KINESCOPE_HD void go(int k, Stage stage, std::int64_t left) const {
    state->program = program_of(k, stage);
    state->left = paged() ? 1 : left;  // one at a time: what comes after the end would be sent in vain
    state->phase = stage == Stage::start ? 0 : swept ? 2 : 1;
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

// What the host needs of a pass that others compute.
struct PassOnHost {
  const RunState* state = nullptr;
  const Control* control = nullptr;
  const float* centroids = nullptr;  // [K × d]
};

// What the window may ask for, copied from the executor's memory.
struct Look {
  RunState state;
  Control control;
  std::vector<KMeansCriteria> curve;  // at least Control::finished
  std::vector<float> paths;           // as many as exist, at most path_numbers
  std::vector<float> centroids;       // [placed × d]
  std::vector<std::int64_t> sizes;    // [sized]
};

}  // namespace kinescope::sim::k_means
