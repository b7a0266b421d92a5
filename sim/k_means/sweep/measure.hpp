// The course of several attempts: the functors of the stage `measure` (of one attempt) and, in a sweep, those that end
// a step of the stage `weigh` (of a number of clusters).
#pragma once

#include "sim/k_means/run_view.hpp"

namespace kinescope::sim::k_means {

// The part of one element in the inertia. Elements are those of MoveCentroids: e = column · K + cluster.
struct SpreadOfElement {
  RunView run;

  KINESCOPE_HD double operator()(std::int64_t e) const {
    return run.idle(Stage::measure) ? 0 : static_cast<double>(run.spreads[e]) / run.square_scale();
  }
};

struct ClearSpreads {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t e) const {
    if (!run.idle(Stage::measure)) run.spreads[e] = 0;
  }
};

struct TakeSize {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    run.sizes[k] = run.spreads[static_cast<std::int64_t>(run.dimensions()) * run.clusters + k];
  }
};

struct NoteAttempt {
  RunView run;

  KINESCOPE_HD void operator()(double inertia) const {
    if (run.idle(Stage::measure)) return;
    Control& control = *run.control;
    run.state->figure = static_cast<float>(inertia);
    control.improved = control.attempt == 0 || inertia < (1 - equal_inertia) * control.least_inertia;
    if (!run.swept) run.tried[control.attempt] = {control.iterations, control.still, inertia};
    if (control.improved) {
      control.least_inertia = inertia;
      control.best = control.attempt;
      if (run.swept) run.curve[control.finished] = {run.clusters, control.iterations, inertia, 0, 0};
    }
    ++control.attempt;
  }
};

// Keeps the centroids of the best attempt so far, and sets the centroids with which the next attempt, or the end of the
// run, begins.
struct KeepAttempt {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t e) const {
    if (run.idle(Stage::measure)) return;
    const int K = run.clusters;
    float* current = run.current_centroids() + e;
    if (run.control->improved) run.attempt_at(K)[e] = *current;
    if (!run.swept && !run.again()) *current = run.attempt_at(K)[e];
    if (run.again() && run.grows(K) && e < static_cast<std::int64_t>(K - 1) * run.dimensions())
      *current = run.attempt_at(K - 1)[e];
  }
};

// Keeps the centroids of the chosen K, and sets the centroids with which the next K, or the end of the sweep, begins.
struct KeepChosen {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t e) const {
    const Control& control = *run.control;
    if (run.idle(Stage::weigh) || control.weighing != Weighing::over) return;
    const int K = run.clusters;
    const bool within = e < static_cast<std::int64_t>(control.chosen) * run.dimensions();
    if (control.chosen >= K - most_unions && within) run.best[e] = run.attempt_at(control.chosen)[e];
    run.current_centroids()[e] = K < run.last_clusters ? run.attempt_at(K)[e] : within ? run.best[e] : 0;
  }
};

// Clears sums and labels before another attempt: kept sums only take changes, so they must start from zero and from no
// labels.
struct ForgetSums {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (run.idle(Stage::measure)) return;
    const std::int64_t sums = 2 * (static_cast<std::int64_t>(run.dimensions() + 1) * run.last_clusters + 1);
    for (std::int64_t e = i; e < sums; e += run.points.total) run.sums[e] = 0;
    run.labels[i] = no_centroid;
  }
};

KINESCOPE_HD inline void go_weigh(const RunView& run) {
  run.go(run.clusters, Stage::weigh, -1);
}

// Decides what follows an attempt: the next attempt, in a sweep the weighing of the best one, or the end of the run
// with the best one.
struct EndAttempt {
  RunView run;

  KINESCOPE_HD void end() const {
    Control& control = *run.control;
    const Tried& best = run.tried[control.best];
    if (!control.improved) control.path_set = 1 - control.path_set;
    control.iterations = best.iterations;
    control.still = best.converged;
    control.inertia_limit = best.inertia > 0 ? best.inertia : run.inertia_limit;
    control.last = 1;
    run.state->figure = static_cast<float>(best.inertia);
    run.end();
  }

  KINESCOPE_HD void operator()() const {
    if (run.idle(Stage::measure)) return;
    Control& control = *run.control;
    if (!run.swept && !run.again()) return end();
    if (!run.swept) {  // keeps the best attempt's paths; start_seed() changes, so draws count from 0
      if (control.improved) control.path_set = 1 - control.path_set;
      control.draws = 0;
    }
    control.iterations = 0;
    control.movement = INFINITY;
    control.stale_squares = 1;
    control.inertia_limit = run.inertia_limit;
    if (!run.again()) return go_weigh(run);
    control.placed = run.grows(run.clusters) ? run.clusters - 1 : 0;
    run.go(run.clusters, Stage::start, run.draws_left(run.clusters - control.placed));
  }
};

// Decides what follows a step of the weighing: another step, the next K, or the final iterations with the chosen K.
struct EndStep {
  RunView run;

  KINESCOPE_HD void operator()() const {
    if (run.idle(Stage::weigh)) return;
    Control& control = *run.control;
    if (control.weighing != Weighing::over) return go_weigh(run);
    control.attempt = 0;
    if (run.clusters < run.last_clusters) return run.go(run.clusters + 1, Stage::start, 1);
    control.last = 1;
    control.placed = control.chosen;
    run.go(control.chosen, Stage::lloyd, run.iteration_limit);
  }
};

}  // namespace kinescope::sim::k_means
