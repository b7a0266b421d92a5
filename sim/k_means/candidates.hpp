// The start with thousands of centroids: k-means‖ (B. Bahmani, B. Moseley, A. Vattani, R. Kumar, S. Vassilvitskii,
// "Scalable k-means++", 2012).
//
//   gather   rounds of draws from the points, many at once, with probabilities proportional to the squared distance to
//            the nearest centroid or candidate so far
//   choose   each candidate weighs as much as the points whose nearest it is, and k-means++ draws the centroids from
//            the candidates, which are far fewer than the points
//
// A round cuts the potential into equal parts and draws one point from each. The paper decides for each point by itself
// whether it is drawn; the parts give the same means, vary less, and the number of draws is known beforehand. A point
// that fills several parts is taken once.
//
// Known rows are the centroids placed before the first round, then the candidates. They are numbered in this order.
#pragma once

#include <atomic>
#include <vector>

#include "kinescope/array.hpp"
#include "sim/k_means/run_view.hpp"
#include "sim/k_means/start.hpp"

namespace kinescope::sim::k_means {

// The paper finds that five rounds suffice. More follow while there are too few different candidates: if some points
// are far from all others, the first rounds draw only these; and a round may draw equal points.
inline constexpr int least_rounds = 5;
inline std::int64_t least_candidates(std::int64_t missing) {
  return missing + missing / 4;
}

// docs/measurements.md compares other numbers.
inline std::int64_t draws_of_round(std::int64_t missing) {
  return missing * 3 / 10;
}

// Some of the known rows, with which all points are compared.
struct KnownRows {
  float* rows = nullptr;  // [count × d]
  std::int32_t first = 0, count = 0;
  std::uint32_t* nearest = nullptr;  // [N] the number of each point's nearest known row so far
};

// Draws a point from each of `parts` equal parts of the potential, in the order of the points.
struct DrawFromParts {
  RunView run;
  std::int64_t parts;
  std::int64_t* drawn;  // [parts]

  KINESCOPE_HD void operator()(std::int64_t part) const {
    const RandomWords words =
        Random(run.start_seed(), round_stream)
            .words(static_cast<std::uint64_t>(part), static_cast<std::uint32_t>(run.control->draws));
    const double at = static_cast<double>(part) + uniform_double(words[0], words[1]);
    drawn[part] = DrawCandidate{run}.drawn(at / static_cast<double>(parts));
  }
};

// Goes on to the next step of a round.
struct GoOnGathering {
  RunView run;
  std::int32_t known, compared;

  KINESCOPE_HD void operator()() const {
    run.control->known = known;
    run.control->compared = compared;
    run.go(run.clusters, Stage::gather, 1);
  }
};

// The potential is less than half a quantum: lets the next step sum it in finer ones.
struct SumFiner {
  RunView run;
  std::int32_t known;

  KINESCOPE_HD void operator()() const {
    Control& control = *run.control;
    control.known = known;
    control.compared = known - 1;  // to compare with the last row once more changes nothing but the sums
    control.potential_limit = static_cast<double>(run.points.total) * control.quantum;
    control.stale_squares = 0;
    run.go(run.clusters, Stage::gather, 1);
  }
};

struct EndRound {
  RunView run;
  std::int32_t known, compared;

  KINESCOPE_HD void operator()() const {
    Control& control = *run.control;
    control.compared = compared;
    control.known = known;
    control.potential_limit = control.potential + static_cast<double>(run.points.total) * control.quantum;
    control.stale_squares = 0;
    ++control.draws;
    ++control.rounds;
    run.go(run.clusters, Stage::gather, 1);
  }
};

struct CountNearest {
  const std::uint32_t* nearest;
  std::uint32_t* counts;

  KINESCOPE_HD void operator()(std::int64_t i) const {
#if defined(__CUDA_ARCH__)
    atomicAdd(counts + nearest[i], 1u);
#else
    std::atomic_ref(counts[nearest[i]]).fetch_add(1, std::memory_order_relaxed);
#endif
  }
};

// Lays the candidates out as points. e = column · (padded number of candidates) + candidate
struct LayOutCandidates {
  const float* rows;            // [count × d]
  const std::uint32_t* counts;  // [count]
  std::int64_t count, padded;
  int d;
  float* panels;    // [padded × d]
  double* weights;  // [padded]

  KINESCOPE_HD void operator()(std::int64_t e) const {
    const std::int64_t c = e / padded, i = e % padded;
    const bool real = i < count;
    panels[i / panel * panel * d + c * panel + i % panel] = real ? rows[i * d + c] : 0;
    if (c == 0) weights[i] = real ? static_cast<double>(counts[i]) : 0;
  }
};

// Ends the last round: from here on centroids are drawn from the candidates.
struct GoChoose {
  RunView run;

  KINESCOPE_HD void operator()() const {
    run.control->stale_squares = 1;
    run.go(run.clusters, Stage::choose, run.clusters - run.control->placed);
  }
};

// The candidates, and what the points know of them.
template <Executor E>
struct Candidates {
  template <class T>
  using Memory = Array<T, E>;

  std::vector<float> known;       // [known rows × d], on the host
  Memory<float> rows;             // the same, in the executor's memory
  Memory<std::uint32_t> nearest;  // [N] as in KnownRows
  Memory<std::uint32_t> counts;   // [known rows] how many points have each as their nearest
  Memory<std::int64_t> drawn;     // [draws of a round]
  std::int64_t count = 0;         // candidates, once all are gathered; then also, as for points:
  Memory<float> panels, squares;
  Memory<double> weights, panel_sums, group_sums;

  // The run in which the candidates are the points.
  RunView view(RunView run) {
    run.drawing = Stage::choose;
    run.points = {panels.data(), count, run.dimensions(), 0, count};
    run.weights = weights.data();
    run.squares = squares.data();
    run.panel_sums = panel_sums.data();
    run.group_sums = group_sums.data();
    return run;
  }
};

}  // namespace kinescope::sim::k_means
