// Launches that place the first centroids: random points, or greedy k-means++. Both backends share these functors; the
// two passes over the points, update_squares and add_potentials, are in KMeansKernels<E>.
//
// A draw of k-means++:
//   update squares   each point's squared distance to the nearest centroid, and the panels' sums of them
//   sum squares      sums of 128 panels each, and of all: the potential
//   draw             the candidates, by walking through these sums
//   take rows        their columns
//   add potentials   what each candidate would leave of the potential; the least one becomes a centroid
#pragma once

#include "kinescope/permutation.hpp"
#include "kinescope/random.hpp"
#include "sim/k_means/run_view.hpp"

namespace kinescope::sim::k_means {

// Places the missing centroids on points drawn evenly, each on a different point.
struct PlaceAtRandom {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t e) const {
    if (run.idle(Stage::start)) return;
    const int d = run.dimensions();
    const std::int64_t k = e / d, c = e % d;
    if (k < run.control->placed) return;
    const std::uint64_t seed = run.start_seed() + static_cast<std::uint64_t>(run.control->draws);
    const Permutation permutation(static_cast<std::uint64_t>(run.points.total), seed);
    const std::int64_t i = static_cast<std::int64_t>(permutation(static_cast<std::uint64_t>(k))) - run.points.first;
    if (i >= 0 && i < run.points.count) run.current_centroids()[e] = run.points.first_column(i)[c * panel];
  }
};

struct EndPlacing {
  RunView run;

  KINESCOPE_HD void operator()() const {
    if (run.idle(Stage::start)) return;
    run.control->draws += run.clusters - run.control->placed;
    run.control->placed = run.clusters;
    run.go_lloyd();
  }
};

// The squared distance between a point and the nearest centroid placed so far; each draw updates it.
KINESCOPE_HD inline float updated_square(const RunView& run, std::int64_t i) {
  const Control& control = *run.control;
  const float* centroids = run.current_centroids();
  const float* x = run.points.first_column(i);
  const int d = run.dimensions();
  if (control.stale_squares) return nearest(x, centroids, control.placed, d).square;
  const float square = squared_distance(x, centroids + static_cast<std::int64_t>(control.placed - 1) * d, d);
  return square < run.squares[i] ? square : run.squares[i];
}

inline constexpr int ahead = 16;  // numbers that are fetched before the first of them is used

// The sum of a group's panels.
struct SumGroup {
  RunView run;

  KINESCOPE_HD double operator()(std::int64_t number) const {
    if (run.idle(run.drawing) || run.control->placed == 0) return 0;
    const double* panels = run.panel_sums + number * group;  // zeros after the last one
    double sum = 0;
    for (int first = 0; first < group; first += ahead)
      for (int j = 0; j < ahead; ++j) sum += panels[first + j];
    return run.group_sums[number] = sum;
  }
};

struct KeepPotential {
  RunView run;

  KINESCOPE_HD void operator()(double potential) const {
    if (run.idle(run.drawing)) return;
    Control& control = *run.control;
    control.quantum = run.quantum();  // stays while potential_limit changes
    control.potential = potential;
    // Even draws, and those among points that all lie on centroids, have nothing to choose from.
    control.candidates = control.placed > 0 && potential > 0 ? run.candidates : 1;
  }
};

// Draws one candidate.
struct DrawCandidate {
  RunView run;

  KINESCOPE_HD void operator()(std::int64_t number) const {
    Control& control = *run.control;
    if (run.idle(run.drawing) || number >= control.candidates) return;
    const RandomWords words = Random(run.start_seed(), start_stream)
                                  .words(static_cast<std::uint64_t>(number), static_cast<std::uint32_t>(control.draws));
    const double uniform = uniform_double(words[0], words[1]);
    control.candidate[number] = control.placed == 0
                                    ? static_cast<std::int64_t>(uniform * static_cast<double>(run.points.total))
                                : control.potential > 0 ? drawn(uniform)
                                                        : 0;
  }

  // The point at this part, 0 … 1, of the potential.
  KINESCOPE_HD std::int64_t drawn(double uniform) const {
    const Control& control = *run.control;
    const double quantum = control.quantum, magic = 0x1.8p52 * quantum;
    // A whole number of quanta, less than the potential.
    double rest = std::floor(uniform * (control.potential / quantum)) * quantum;
    if (rest >= control.potential) rest = control.potential - quantum;
    const std::int64_t at = walk(0, run.groups(), rest, [this](std::int64_t g) { return run.group_sums[g]; });
    const std::int64_t p = walk(at * group, run.panels(), rest, [this](std::int64_t p) { return run.panel_sums[p]; });
    return walk(p * panel, run.points.total, rest,
                [this, magic](std::int64_t i) { return to_quanta(run.weighted_square(i), magic); });
  }

  // The first place up to which the sum of the values exceeds `rest`; `rest` is reduced by what lies before it.
  template <class Value>
  KINESCOPE_HD static std::int64_t walk(std::int64_t first, std::int64_t end, double& rest, Value value) {
    for (; first + ahead < end; first += ahead) {
      double sum = 0;
      for (int j = 0; j < ahead; ++j) sum += value(first + j);
      if (sum > rest) break;
      rest -= sum;
    }
    for (; first + 1 < end; ++first) {
      const double own = value(first);
      if (own > rest) break;
      rest -= own;
    }
    return first;
  }
};

// Copies the candidates' columns, where their points are in this part. e = candidate · d + column
struct TakeRow {
  RunView part;

  KINESCOPE_HD void operator()(std::int64_t e) const {
    const std::int64_t d = part.dimensions(), number = e / d;
    if (part.idle(part.drawing) || number >= part.control->candidates) return;
    const std::int64_t i = part.control->candidate[number] - part.points.first;
    if (i >= 0 && i < part.points.count) part.rows[e] = part.points.first_column(i)[e % d * panel];
  }
};

// Ends the pass over one part of the points.
struct KeepPotentials {
  RunView part;

  KINESCOPE_HD void operator()(const Potentials& found) const {
    if (part.idle(part.drawing)) return;
    part.control->potentials = part.points.first == 0 ? found : part.control->potentials + found;
  }
};

// Ends a draw: the candidate with the least potential, the first of equal ones, becomes the next centroid.
struct PlaceCandidate {
  RunView run;

  KINESCOPE_HD void operator()() const {
    if (run.idle(run.drawing)) return;
    Control& control = *run.control;
    const int best = control.least_candidate(), d = run.dimensions();
    float* to = run.current_centroids() + static_cast<std::int64_t>(control.placed) * d;
    for (int c = 0; c < d; ++c) to[c] = run.rows[best * d + c];
    const double left = control.candidates > 1 ? control.potentials.sum[best] : control.potential;
    control.potential_limit = left + static_cast<double>(run.points.total) * control.quantum;  // room for rounding
    control.stale_squares = control.placed == 0;
    ++control.draws;
    ++control.placed;
    if (control.placed == run.clusters) return run.go_lloyd();
    const Stage next = run.drawing == Stage::choose ? Stage::choose : run.placing(control.placed);
    control.rounds = control.known = control.compared = 0;
    run.go(run.clusters, next, next == Stage::gather ? 1 : run.clusters - control.placed);
  }
};

}  // namespace kinescope::sim::k_means
