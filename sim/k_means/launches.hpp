// Launches that both backends share: functors for the executors' for_each, reduce and once.
#pragma once

#include "sim/k_means/run_view.hpp"
#include "sim/k_means/sweep/criteria.hpp"

namespace kinescope::sim::k_means {

// Copies the centroids and the control block with which a worker computes a pass.
struct TakeCentroids {
  const float* from;
  float* to;
  Control control;
  Control* control_to;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    to[i] = from[i];
    if (i == 0) *control_to = control;
  }
};

// The sums of a pass: this process's own plus those of the workers.
struct AddSums {
  const std::int64_t* own;  // null: zeros
  const std::int64_t* others;
  std::int64_t stride;
  std::int32_t workers;
  std::int64_t* to;

  KINESCOPE_HD void operator()(std::int64_t e) const {
    std::int64_t sum = own ? own[e] : 0;
    for (std::int32_t worker = 0; worker < workers; ++worker) sum += others[worker * stride + e];
    to[e] = sum;
  }
};

// After a pass that left rows out: resets the limit of the inertia to that of any clustering.
struct KeepLimit {
  RunView run;

  KINESCOPE_HD void operator()() const { run.control->inertia_limit = run.inertia_limit; }
};

// What one element e = column · K + cluster contributes to the figures of an iteration when the centroids move.
struct Moved {
  double square = 0;   // squared movement
  double inertia = 0;  // the element's part of the inertia, minus its part of RunView::total_square
  std::int32_t empty = 0;

  KINESCOPE_HD friend Moved operator+(const Moved& a, const Moved& b) {
    return {a.square + b.square, a.inertia + b.inertia, a.empty + b.empty};
  }
};

struct MoveCentroids {
  RunView run;
  Stage stage;

  KINESCOPE_HD bool waits() const { return run.idle(stage) || (stage == Stage::repair && run.control->empty > 0); }

  KINESCOPE_HD std::int64_t sum(const std::int64_t* sums, int c, int k) const {
    const int K = run.clusters;
    if (!run.leaves_last || k < K - 1 || stage == Stage::repair) return sums[static_cast<std::int64_t>(c) * K + k];
    std::int64_t rest = c < run.dimensions() ? run.totals[c] : run.points.total;
    for (int j = 0; j < K - 1; ++j) rest -= sums[static_cast<std::int64_t>(c) * K + j];
    return rest;
  }

  KINESCOPE_HD Moved operator()(std::int64_t e) const {
    if (waits()) return {};
    const int K = run.clusters, d = run.dimensions();
    const int c = static_cast<int>(e / K), k = static_cast<int>(e % K);
    const std::int64_t *sums = run.current_sums(), count = sum(sums, d, k);
    const std::int64_t at = static_cast<std::int64_t>(k) * d + c;
    const float from = run.current_centroids()[at];
    const double whole = static_cast<double>(sum(sums, c, k)) / static_cast<double>(run.scale[c]);
    const double n = static_cast<double>(count);
    const float to = count > 0 ? static_cast<float>(whole / n) : from;
    if (c == 0) run.sizes[k] = count;
    run.centroids_in(1 - run.control->current)[at] = to;
    if (!run.keeps_sums) {
      std::int64_t* next = run.sums_in(1 - run.control->current);
      next[e] = 0;
      if (c == 0) next[static_cast<std::int64_t>(d) * K + k] = 0;
      if (e == 0) next[static_cast<std::int64_t>(d + 1) * K] = 0;
    }
    if (run.control->iterations < run.path_capacity - 1) {
      float* path = run.present_paths() + static_cast<std::int64_t>(run.control->iterations) * K * d;
      if (run.control->iterations == 0) path[at] = from;
      path[static_cast<std::int64_t>(K) * d + at] = to;
    }
    const double movement = static_cast<double>(to) - from, offset = static_cast<double>(from) - run.centre[c];
    return {movement * movement, offset * (n * offset - 2 * (whole - n * run.centre[c])), c == 0 && count == 0};
  }
};

inline constexpr double paper_ratio = 0.001;  // the published program stops at this part of the previous movement

// Ends an iteration, or reports that a cluster has lost its last point.
struct EndIteration {
  MoveCentroids moves;

  KINESCOPE_HD double inertia(const Moved& moved) const {
    const RunView& run = moves.run;
    if (!run.keeps_sums)
      return static_cast<double>(run.current_sums()[static_cast<std::int64_t>(run.dimensions() + 1) * run.clusters]) /
             run.square_scale();
    const double inertia = run.total_square + moved.inertia;
    return inertia > 0 ? inertia : 0;
  }

  // Whether the stop rule ends the run after this movement of the centroids.
  KINESCOPE_HD bool stops(double movement) const {
    const Control& control = *moves.run.control;
    if (moves.run.stop == StopRule::tolerance) return control.still;
    if (moves.run.stop == StopRule::iterations) return false;
    const bool first = !(control.movement < INFINITY);
    return movement <= (first ? 0 : paper_ratio * control.movement);
  }

  KINESCOPE_HD void wait_for_repair(std::int32_t empty) const {
    const RunView& run = moves.run;
    const int K = run.clusters;
    std::int64_t* sums = run.current_sums();
    if (run.leaves_last)
      for (int c = 0; c <= run.dimensions(); ++c)
        sums[static_cast<std::int64_t>(c) * K + K - 1] = moves.sum(sums, c, K - 1);
    run.control->empty = empty;
    run.go(K, Stage::repair, -1);
  }

  KINESCOPE_HD void operator()(const Moved& moved) const {
    if (moves.waits()) return;
    const RunView& run = moves.run;
    Control& control = *run.control;
    if (moved.empty > 0 && moves.stage == Stage::lloyd) return wait_for_repair(moved.empty);
    const double figure = inertia(moved);
    control.current = 1 - control.current;
    control.empty = control.moved = 0;
    // Adds a margin for rounding. Without rounding the inertia never rises, so this bounds all later ones.
    const double room = run.keeps_sums ? 1e-9 * run.total_square : 0;
    if (figure + room > 0) control.inertia_limit = figure + room;
    control.still = moved.square <= run.still_movement;
    const bool stops = this->stops(moved.square);
    control.movement = moved.square;
    control.sized = run.clusters;
    ++control.iterations;
    run.state->record(static_cast<float>(figure), run.history, run.history_capacity);
    if (!stops && control.iterations < run.iteration_limit) return run.go_lloyd();
    if (run.tries() && !control.last) return run.go(run.clusters, Stage::measure, 1);
    run.end();
  }
};

KINESCOPE_HD inline Nearest assigned(const RunView& run, std::int64_t i) {
  const float* x = run.points.first_column(i);
  const int d = run.dimensions();
  const float* centroids = run.current_centroids();
  if (run.keeps_labels) return {run.labels[i], run.squares[i]};
  if (!run.keeps_sums || run.served) return nearest(x, centroids, run.clusters, d);
  const std::uint32_t label = run.labels[i];
  return {label, squared_distance(x, centroids + static_cast<std::int64_t>(label) * d, d)};
}

struct FindFarthest {
  RunView run;

  KINESCOPE_HD Farthest operator()(std::int64_t i) const {
    if (run.idle(Stage::repair) || run.control->empty <= 0) return {};
    // Centroids do not move between repairs, so the first repair computes labels and squares, and the later ones use
    // them.
    if (run.control->moved == 0) {
      const Nearest own = assigned(run, i);
      run.labels[i] = own.label;
      run.squares[i] = own.square;
    }
    const std::int64_t* counts = run.current_sums() + static_cast<std::int64_t>(run.dimensions()) * run.clusters;
    const std::int64_t point = run.points.first + i;
    Farthest own;
    if (point < run.clusters && counts[point] == 0)
      own.empty = static_cast<std::int32_t>(point);  // each point also checks the cluster of its number; K ≤ N
    const float square = run.squares[i];
    if (square > 0 && counts[run.labels[i]] >= 2) own.square = square, own.point = point;
    return own;
  }
};

// Ends the search for the farthest point in one part of the points. The farthest one's row is copied to RunView::row:
// its part may no longer be there once all parts have been processed.
struct KeepFarthest {
  RunView part;

  KINESCOPE_HD void operator()(const Farthest& found) const {
    if (part.idle(Stage::repair) || part.control->empty <= 0) return;
    Farthest& farthest = part.control->farthest;
    const Farthest best = farthest + found;
    if (best.point != farthest.point) {
      const float* from = part.points.first_column(best.point - part.points.first);
      for (int c = 0; c < part.dimensions(); ++c) part.row[c] = from[c * panel];
    }
    farthest = best;
  }
};

// Chooses the point that moves, and its new cluster.
struct ChooseMover {
  RunView run;

  KINESCOPE_HD void operator()() const {
    if (run.idle(Stage::repair)) return;
    Control& control = *run.control;
    const Farthest farthest = control.farthest;
    control.farthest = {};
    control.mover = -1;
    if (control.empty <= 0) return;
    if (!(farthest.square > 0)) {  // all points lie on centroids, so some clusters stay empty
      control.empty = 0;
      return;
    }
    std::int64_t* counts = run.current_sums() + static_cast<std::int64_t>(run.dimensions()) * run.clusters;
    control.mover = farthest.point;
    control.from = static_cast<std::int32_t>(run.labels[farthest.point]);
    control.to = farthest.empty;
    --counts[control.from];
    ++counts[control.to];
    run.labels[farthest.point] = static_cast<std::uint32_t>(control.to);
    run.squares[farthest.point] = 0;  // its centroid will be exactly there
    ++control.moved;
    --control.empty;
  }
};

// Writes the labels with the clusters renumbered by `place`.
struct Renumber {
  const std::uint32_t *labels, *place;
  std::uint32_t* to;

  KINESCOPE_HD void operator()(std::int64_t i) const { to[i] = place[labels[i]]; }
};

// Moves the values of the chosen point from the sums of its old cluster to those of the new one; one column each.
struct MoveColumn {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t c) const {
    const Control& control = *run.control;
    if (run.idle(Stage::repair) || control.mover < 0) return;
    const std::int64_t value = to_fixed(run.row[c], run.scale[c]);
    std::int64_t* sums = run.current_sums() + c * run.clusters;
    sums[control.from] -= value;
    sums[control.to] += value;
  }
};

}  // namespace kinescope::sim::k_means
