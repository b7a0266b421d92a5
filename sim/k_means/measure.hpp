// What a clustering is worth, and how a sweep goes on: the functors of the stage `measure` (criteria.hpp has the
// formulas).
#pragma once

#include "sim/k_means/criteria.hpp"
#include "sim/k_means/run_view.hpp"

namespace kinescope::sim::k_means {

// Elements are those of MoveCentroids: column · K + cluster.
struct Worth {
  double log_likelihood = 0, inertia = 0;

  KINESCOPE_HD friend Worth operator+(const Worth& a, const Worth& b) {
    return {a.log_likelihood + b.log_likelihood, a.inertia + b.inertia};
  }
};

struct WeighElement {
  RunView run;

  KINESCOPE_HD Worth operator()(std::int64_t e) const {
    if (run.idle(Stage::measure)) return {};
    const int K = run.clusters, d = run.dimensions(), c = static_cast<int>(e / K), k = static_cast<int>(e % K);
    const std::int64_t count = run.spreads[static_cast<std::int64_t>(d) * K + k];
    const double spread = static_cast<double>(run.spreads[e]) / run.square_scale();
    return {column_likelihood(count, spread, run.least_variance[c]) +
                (c == 0 ? size_likelihood(count, run.points.count) : 0),
            spread};
  }
};

struct StoreWorth {
  Worth* to;
  KINESCOPE_HD void operator()(const Worth& worth) const { *to = worth; }
};

// The Gaussian of cluster k: ln of its density at a point is, but for what all have alike,
// precisions[d · K + k] − ½ Σ_c precisions[c · K + k] (x_c − centroid_c)².
struct FitGaussian {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    if (run.idle(Stage::measure)) return;
    const int K = run.clusters, d = run.dimensions();
    const std::int64_t count = run.spreads[static_cast<std::int64_t>(d) * K + k];
    double constant = count > 0 ? portable_log(static_cast<double>(count)) : -INFINITY;
    for (int c = 0; c < d; ++c) {
      const std::int64_t e = static_cast<std::int64_t>(c) * K + k;
      const double spread = static_cast<double>(run.spreads[e]) / run.square_scale();
      const double variance = count > 0 ? variance_of(count, spread, run.least_variance[c]) : 1;
      run.precisions[e] = 1 / variance;
      constant -= 0.5 * portable_log(variance);
    }
    run.precisions[static_cast<std::int64_t>(d) * K + k] = constant;
  }
};

// run.labels: the Gaussian that makes the point likeliest.
struct LikeliestGaussian {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (run.idle(Stage::measure)) return;
    const int K = run.clusters, d = run.dimensions();
    const float *x = run.points.first_column(i), *centroid = run.current_centroids();
    double best = -INFINITY;
    std::uint32_t label = run.labels[i];
    for (int k = 0; k < K; ++k, centroid += d) {
      double likelihood = run.precisions[static_cast<std::int64_t>(d) * K + k];
      for (int c = 0; c < d && likelihood > best; ++c) {  // it only falls
        const double offset = static_cast<double>(x[c * panel]) - centroid[c];
        likelihood -= 0.5 * run.precisions[static_cast<std::int64_t>(c) * K + k] * (offset * offset);
      }
      if (likelihood > best) {
        best = likelihood;
        label = static_cast<std::uint32_t>(k);
      }
    }
    run.labels[i] = label;
  }
};

struct NoteInertia {
  RunView run;

  KINESCOPE_HD void operator()(const Worth& worth) const {
    if (!run.idle(Stage::measure)) run.control->inertia = worth.inertia;
  }
};

// Notes what the attempt is worth if it is the best at this K, and after the last attempt which K is.
struct Conclude {
  RunView run;

  KINESCOPE_HD void operator()(const Worth& worth) const {
    if (run.idle(Stage::measure)) return;
    Control& control = *run.control;
    const int K = run.clusters, d = run.dimensions();
    run.state->figure = static_cast<float>(control.inertia);
    control.improved = control.attempt == 0 || control.inertia < control.least_inertia;
    if (control.improved) {
      control.least_inertia = control.inertia;
      run.curve[control.finished] = {K, control.iterations, control.inertia,
                                     bic(worth.log_likelihood, K, d, run.points.count),
                                     aic(worth.log_likelihood, K, d)};
    }
    if (++control.attempt < run.attempts_of(K)) return;
    const KMeansCriteria& criteria = run.curve[control.finished++];
    if (control.chosen == 0 || criteria.bic < control.best_bic) {
      control.chosen = K;
      control.best_bic = criteria.bic;
    }
  }
};

// Keeps the centroids of the best attempt and of the chosen K, and lays out those that the next attempt begins with.
struct KeepBest {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t e) const {
    if (run.idle(Stage::measure)) return;
    const Control& control = *run.control;
    const int K = run.clusters, d = run.dimensions();
    float *current = run.current_centroids() + e, *kept = run.attempt_at(K) + e;
    if (control.improved) *kept = *current;
    if (control.attempt < run.attempts_of(K)) {
      if (run.grows(K) && e < static_cast<std::int64_t>(K - 1) * d) *current = run.attempt_at(K - 1)[e];
      return;
    }
    if (control.chosen == K) run.best[e] = *kept;
    *current = K < run.last_clusters ? *kept : e < static_cast<std::int64_t>(control.chosen) * d ? run.best[e] : 0;
  }
};

// Another attempt begins with no sums and, since changes alone are added to sums that are kept, with no labels.
struct ForgetSums {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (run.idle(Stage::measure)) return;
    const std::int64_t sums = 2 * (static_cast<std::int64_t>(run.dimensions() + 1) * run.last_clusters + 1);
    for (std::int64_t e = i; e < sums; e += run.points.count) run.sums[e] = 0;
    run.labels[i] = no_centroid;
  }
};

struct GoOn {
  RunView run;

  KINESCOPE_HD void operator()() const {
    if (run.idle(Stage::measure)) return;
    Control& control = *run.control;
    control.iterations = 0;
    control.movement = INFINITY;
    control.stale_squares = 1;
    control.inertia_limit = run.inertia_limit;
    const bool again = control.attempt < run.attempts_of(run.clusters);
    if (again) {
      control.placed = run.grows(run.clusters) ? run.clusters - 1 : 0;
      return run.go(run.clusters, Stage::start, run.clusters - control.placed);
    }
    control.attempt = 0;
    if (run.clusters < run.last_clusters) return run.go(run.clusters + 1, Stage::start, 1);
    control.last = 1;
    control.placed = control.chosen;
    run.go(control.chosen, Stage::lloyd, run.iteration_limit);
  }
};

}  // namespace kinescope::sim::k_means
