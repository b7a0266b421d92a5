// The mixture of Gaussians with which a sweep weighs a number of clusters (criteria.hpp has the formulas): the functors
// of the stage `weigh`. One launch over the sampled points adds each point's shares in the Gaussians (the
// responsibilities of EM), in fixed point.
#pragma once

#include "sim/k_means/run_view.hpp"
#include "sim/k_means/sweep/criteria.hpp"

namespace kinescope::sim::k_means {

// Where the parts of RunView::gaussians are. Values per column and cluster are at column · K + cluster, the others at
// their cluster.
struct Gaussians {
  double *mean, *variance, *precision;  // [d × K]; a precision is half of 1 / variance
  double *weight,
      *constant;  // [K]; constant: ln(weight / Π_c √(2π variance)), −∞ for a Gaussian that was merged into another

  KINESCOPE_HD explicit Gaussians(const RunView& run) {
    const std::int64_t K = run.clusters, elements = K * run.dimensions();
    mean = run.gaussians;
    variance = mean + elements;
    precision = variance + elements;
    weight = precision + elements;
    constant = weight + K;
  }
};

// RunView::shares holds, in this order: Σ share · offset by column and cluster, Σ share · offset² likewise, Σ share by
// cluster, and ln L. Offsets are from the Gaussian's mean, and offset² is at most inertia_limit / N. What one point
// adds to a sum has up to 50 bits, or fewer if there are so many points that the sum would not fit in 64.
struct ShareScale {
  double share, offset, square, likelihood;

  KINESCOPE_HD explicit ShareScale(const RunView& run) {
    const double square_reach = run.inertia_limit / static_cast<double>(run.points.total);
    const double points = static_cast<double>(run.sample.count);
    share = points > 1024 ? 0x1p60 / points : 0x1p50;
    offset = share / std::sqrt(square_reach);
    square = share / square_reach;
    likelihood = share / most_likelihood;
  }

  static constexpr double most_likelihood = 0x1p22;  // largest |ln L| of one point; larger ones are clamped
};

KINESCOPE_HD inline std::int64_t share_count(const RunView& run) {
  return static_cast<std::int64_t>(2 * run.dimensions() + 1) * run.clusters + 1;
}

// A Gaussian whose density at a point is below e^−40 of another's is ignored there.
inline constexpr double negligible = 40;

// ln of Gaussian k's term of the density at x. If that is below `least`, returns any number below `least`.
KINESCOPE_HD inline double log_part(const Gaussians& gaussians, int K, int k, const float* x, int d, double least) {
  double part = gaussians.constant[k];
  for (int c = 0; c < d && part > least; ++c) {
    const std::int64_t e = static_cast<std::int64_t>(c) * K + k;
    const double offset = static_cast<double>(x[c * panel]) - gaussians.mean[e];
    part -= gaussians.precision[e] * (offset * offset);
  }
  return part;
}

KINESCOPE_HD inline double log_density(const Gaussians& gaussians, int K, const float* x, int d) {
  double best = -INFINITY, sum = 0;
  for (int k = 0; k < K; ++k) {
    const double part = log_part(gaussians, K, k, x, d, best - negligible);
    if (!(part > best - negligible)) continue;
    sum = part > best ? sum * portable_exp(best - part) + 1 : sum + portable_exp(part - best);
    best = part > best ? part : best;
  }
  return best + portable_log(sum);
}

// Computes what the sample's point i adds to each sum, and passes it to add(index, whole number).
template <class Add>
KINESCOPE_HD inline void share_point(const RunView& run, const ShareScale& scale, std::int64_t i, Add add) {
  const Gaussians gaussians(run);
  const int K = run.clusters, d = run.dimensions();
  const std::int64_t elements = static_cast<std::int64_t>(d) * K;
  const float* x = run.sample.first_column(i);
  const double density = log_density(gaussians, K, x, d), most = ShareScale::most_likelihood;
  add(2 * elements + K, to_fixed(density < -most ? -most : density > most ? most : density, scale.likelihood));
  for (int k = 0; k < K; ++k) {
    const double part = log_part(gaussians, K, k, x, d, density - negligible);
    if (!(part > density - negligible)) continue;
    const double share = portable_exp(part < density ? part - density : 0);
    add(2 * elements + k, to_fixed(share, scale.share));
    for (int c = 0; c < d; ++c) {
      const std::int64_t e = static_cast<std::int64_t>(c) * K + k;
      const double offset = static_cast<double>(x[c * panel]) - gaussians.mean[e];
      add(e, to_fixed(share * offset, scale.offset));
      add(elements + e, to_fixed(share * (offset * offset), scale.square));
    }
  }
}

KINESCOPE_HD inline double kept_variance(double variance, double least) {
  return variance > least ? variance : least;
}

// Computes what follows from the mean, variances and weight of Gaussian k.
KINESCOPE_HD inline void complete(const Gaussians& gaussians, int K, int k, int d) {
  double constant = -INFINITY;
  if (gaussians.weight[k] > 0) constant = portable_log(gaussians.weight[k]) - 0.9189385332046727 * d;
  for (int c = 0; c < d; ++c) {
    const double variance = gaussians.variance[static_cast<std::int64_t>(c) * K + k];
    gaussians.precision[static_cast<std::int64_t>(c) * K + k] = 0.5 / variance;
    constant -= 0.5 * portable_log(variance);
  }
  gaussians.constant[k] = constant;
}

// Makes the Gaussian of cluster k from its spreads, unless an earlier attempt was better.
struct BeginGaussian {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    if (run.idle(Stage::measure) || !run.control->improved) return;
    const Gaussians gaussians(run);
    const int K = run.clusters, d = run.dimensions();
    const std::int64_t count = run.spreads[static_cast<std::int64_t>(d) * K + k];
    gaussians.weight[k] = static_cast<double>(count) / static_cast<double>(run.points.total);
    for (int c = 0; c < d; ++c) {
      const std::int64_t e = static_cast<std::int64_t>(c) * K + k;
      const double spread = static_cast<double>(run.spreads[e]) / run.square_scale();
      gaussians.mean[e] = run.current_centroids()[k * d + c];
      gaussians.variance[e] = kept_variance(count > 0 ? spread / static_cast<double>(count) : 1, run.least_variance[c]);
    }
    complete(gaussians, K, static_cast<int>(k), d);
  }
};

// Recomputes Gaussian k from the shares (the M step of EM).
struct RefitGaussian {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    if (run.idle(Stage::weigh) || run.control->weighing == Weighing::over) return;
    const Gaussians gaussians(run);
    const ShareScale scale(run);
    const int K = run.clusters, d = run.dimensions();
    const std::int64_t elements = static_cast<std::int64_t>(d) * K;
    const double count = static_cast<double>(run.shares[2 * elements + k]) / scale.share;
    gaussians.weight[k] = count / static_cast<double>(run.sample.count);
    for (int c = 0; c < d && count > 0; ++c) {
      const std::int64_t e = static_cast<std::int64_t>(c) * K + k;
      const double offset = static_cast<double>(run.shares[e]) / scale.offset / count;
      const double square = static_cast<double>(run.shares[elements + e]) / scale.square / count;
      gaussians.mean[e] += offset;
      gaussians.variance[e] = kept_variance(square - offset * offset, run.least_variance[c]);
    }
    complete(gaussians, K, static_cast<int>(k), d);
  }
};

// Two Gaussians, and the bound on what merging them loses.
struct Union {
  double loss = INFINITY;
  std::int32_t a = -1, b = -1;

  KINESCOPE_HD friend Union operator+(const Union& first, const Union& second) {
    return second.loss < first.loss || (second.loss == first.loss && second.b < first.b) ? second : first;
  }
};

// The variance along one column of the Gaussian that results from merging two. `a` and `b` are their elements; `share`
// is the weight of the first among both.
KINESCOPE_HD inline double variance_together(const Gaussians& gaussians, double share, std::int64_t a, std::int64_t b) {
  const double apart = gaussians.mean[a] - gaussians.mean[b];
  return share * gaussians.variance[a] + (1 - share) * gaussians.variance[b] + share * (1 - share) * (apart * apart);
}

// Finds the best Gaussian before b to merge with b.
struct FindUnion {
  RunView run;

  KINESCOPE_HD Union operator()(std::int64_t b) const {
    Union best;
    if (run.idle(Stage::weigh) || run.control->weighing != Weighing::unite) return best;
    const Gaussians gaussians(run);
    const std::int64_t K = run.clusters;
    for (std::int64_t a = 0; a < b; ++a) {
      if (!(gaussians.weight[a] > 0 && gaussians.weight[b] > 0)) continue;
      const double weight = gaussians.weight[a] + gaussians.weight[b], share = gaussians.weight[a] / weight;
      double loss = 0;
      for (int c = 0; c < run.dimensions() && loss < best.loss; ++c) {
        const std::int64_t i = c * K + a, j = c * K + b;
        const double together = variance_together(gaussians, share, i, j);
        loss += 0.5 * weight *
                (share * portable_log(together / gaussians.variance[i]) +
                 (1 - share) * portable_log(together / gaussians.variance[j]));
      }
      if (loss < best.loss) best = {loss, static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)};
    }
    return best;
  }
};

struct Unite {
  RunView run;

  KINESCOPE_HD void operator()(const Union& pair) const {
    if (run.idle(Stage::weigh) || run.control->weighing != Weighing::unite || pair.a < 0) return;
    const Gaussians gaussians(run);
    const int K = run.clusters, d = run.dimensions();
    const double weight = gaussians.weight[pair.a] + gaussians.weight[pair.b],
                 share = gaussians.weight[pair.a] / weight;
    for (int c = 0; c < d; ++c) {
      const std::int64_t i = static_cast<std::int64_t>(c) * K + pair.a, j = static_cast<std::int64_t>(c) * K + pair.b;
      gaussians.variance[i] = variance_together(gaussians, share, i, j);
      gaussians.mean[i] = share * gaussians.mean[i] + (1 - share) * gaussians.mean[j];
    }
    gaussians.weight[pair.a] = weight;
    gaussians.weight[pair.b] = 0;
    complete(gaussians, K, pair.a, d);
    complete(gaussians, K, pair.b, d);
  }
};

// Runs after the shares are summed. Decides whether EM continues, whether two Gaussians are merged, or whether the
// weighing is over; then chooses the best K so far.
struct Weigh {
  RunView run;

  // Records the criteria for the present number of Gaussians if they are the best so far; returns whether they are.
  KINESCOPE_HD bool note(double likelihood) const {
    Control& control = *run.control;
    const int K = run.clusters - control.united;
    const double worth = bic(likelihood, K, run.dimensions(), run.sample.count);
    if (control.united == 0) ++control.finished;
    KMeansCriteria& criteria = run.curve[control.finished - 1 - control.united];
    if (control.united > 0 && !(worth < criteria.bic)) return false;
    criteria.bic = worth;
    criteria.aic = aic(likelihood, K, run.dimensions());
    return true;
  }

  KINESCOPE_HD void choose() const {
    Control& control = *run.control;
    const KMeansCriteria* best = run.curve;
    for (std::int32_t k = 1; k < control.finished; ++k)
      if (run.curve[k].bic < best->bic) best = run.curve + k;
    control.chosen = best->clusters;
  }

  KINESCOPE_HD void operator()() const {
    if (run.idle(Stage::weigh)) return;
    Control& control = *run.control;
    const double earlier = control.likelihood,
                 found = static_cast<double>(run.shares[share_count(run) - 1]) / ShareScale(run).likelihood;
    control.likelihood = found;
    control.weighing = Weighing::fit;
    const bool gains = control.steps == 0 || found - earlier >= least_gain(run.sample.count);
    if (gains && control.steps < most_steps(run.clusters, run.dimensions(), run.sample.count)) {
      ++control.steps;
      return;
    }
    control.steps = 0;
    control.weighing = Weighing::over;
    if (!run.swept) return;
    const bool better = note(found);
    if (better && control.united < most_unions && run.clusters - control.united > run.first_clusters) {
      ++control.united;
      control.weighing = Weighing::unite;
      return;
    }
    control.united = 0;
    choose();
  }
};

}  // namespace kinescope::sim::k_means
