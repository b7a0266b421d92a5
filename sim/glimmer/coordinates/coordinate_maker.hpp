// Makes coordinates from the steps of a backend (coordinates.cpp, coordinates_cuda.cu). Decides how many coordinates
// there are, and whether rows are kept instead. The steps are:
//
//   Steps(executor, data, parameters, seed)          scales the rows and draws the slots
//   static bool keeps_rows                           whether the rows themselves may be kept
//   std::int64_t points()
//   float unit()                                     one internal unit, in the data's (normalized) units
//   double mean_square()                             mean of δ² over the probe's pairs
//   Axes axes(bool centred)                          axes of the sample's rows, with find(wanted) and found()
//   ProbeSums probe(axes, formula)                   sums of the probe on all the axes found
//   void project(axes, k, bool reference, result)    writes width, rows and norms for all points, and the reference
//                                                    on request
//   void refer(axes, result)                         writes the reference
//   void copy_rows(result)                           keeps the rows
//   void hold_out(levels, result)                    draws the held-out pairs
//   ProbeSums refer_to_coordinates(result)           if rows cannot be kept: computes the reference from the
//                                                    coordinates, which are about 0 for metrics of angles
//   Tail tail(levels, result, bool exact)            the data's tail (held_out.hpp); exact: δ̂ = δ
//   Coordinates take(result)                         the finished result
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "kinescope/executors/executor.hpp"
#include "kinescope/random.hpp"
#include "sim/glimmer/coordinates/coordinates.hpp"

namespace kinescope::sim::glimmer {

inline constexpr std::int64_t most_coordinates = 128;
inline constexpr std::int64_t few_columns = 16;  // with so few columns, coordinates would save nothing

// The allowed error of δ̂, as a part of the stress of the principal coordinates in the layout's dimensions, which is
// known before the layout's own stress and is higher. With this bound MNIST takes 24 coordinates, 30 topics 32, and the
// descriptions of Debian's packages 16 (cosine-squared), where 128 lower the stress by 0.01 %.
inline constexpr double tolerance = 0.002;

constexpr RowFormula formula_of(Metric metric) {
  return metric == Metric::euclidean   ? RowFormula::differences
         : metric == Metric::manhattan ? RowFormula::manhattan
         : metric == Metric::cosine    ? RowFormula::cosine
                                       : RowFormula::cosine_squared;
}

// δ between two whole rows, a(column) and b(column). Uses eight running sums, so that the CPU's compiler can vectorize.
template <RowFormula F, class A, class B>
KINESCOPE_HD inline float row_distance(std::int64_t columns, A a, B b) {
  float sum[8] = {};
  std::int64_t h = 0;
  for (; h + 8 <= columns; h += 8)
    for (int lane = 0; lane < 8; ++lane) sum[lane] = add_column(F, sum[lane], a(h + lane), b(h + lane));
  for (; h < columns; ++h) sum[0] = add_column(F, sum[0], a(h), b(h));
  const float total = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
  return std::sqrt(square_distance(F, total, 0.0f, 0.0f));
}

template <class A, class B>
KINESCOPE_HD inline float row_distance(RowFormula formula, std::int64_t columns, A a, B b) {
  if (formula == RowFormula::differences) return row_distance<RowFormula::differences>(columns, a, b);
  if (formula == RowFormula::manhattan) return row_distance<RowFormula::manhattan>(columns, a, b);
  if (formula == RowFormula::cosine) return row_distance<RowFormula::cosine>(columns, a, b);
  return row_distance<RowFormula::cosine_squared>(columns, a, b);
}

// The probe: pairs of the last slots. If there are more points than the sample has, the axes were not fitted to these.
struct ProbePairs {
  static constexpr std::int64_t most_points = 1024, partners = 8;
  std::int64_t points, first;  // number of points, and the slot of the first

  explicit ProbePairs(std::size_t all)
      : points(std::min(static_cast<std::int64_t>(all), most_points)), first(static_cast<std::int64_t>(all) - points) {}
  KINESCOPE_HD std::int64_t count() const { return points * (points - 1 < partners ? points - 1 : partners); }
  KINESCOPE_HD std::int64_t i(std::int64_t pair) const { return pair % points; }
  KINESCOPE_HD std::int64_t j(std::int64_t pair) const { return (pair % points + pair / points + 1) % points; }
};

// Sums over the pairs of the probe.
struct ProbeSums {
  static constexpr int steps = static_cast<int>(most_coordinates / 8);
  double error[steps] = {};        // Σ(δ − δ̂)² with the first 8, 16, … coordinates
  double size = 0;                 // Σδ²
  double product = 0, square = 0;  // Σ dδ, Σ d² with d in the first L coordinates

  KINESCOPE_HD friend ProbeSums operator+(ProbeSums a, const ProbeSums& b) {
    for (int step = 0; step < steps; ++step) a.error[step] += b.error[step];
    a.size += b.size, a.product += b.product, a.square += b.square;
    return a;
  }
  bool spread() const { return square > 0 && size > 0; }
  double best_scale() const { return spread() ? product / square : 1; }  // the scale that minimizes the stress of d
  double stress() const { return spread() ? 1 - product * product / square / size : 0; }
};

struct SumProbe {
  ProbePairs pairs;
  RowFormula formula;
  const double* delta;     // [pairs]
  const float* projected;  // [points × k]
  const float* norms;      // [points]
  std::int64_t k;
  int L;

  KINESCOPE_HD ProbeSums operator()(std::int64_t pair) const {
    const std::int64_t i = pairs.i(pair), j = pairs.j(pair);
    const float *a = projected + i * k, *b = projected + j * k;
    ProbeSums sums;
    float sum = 0;
    for (int step = 0; step < ProbeSums::steps && 8 * step + 8 <= k; ++step) {
      for (int h = 8 * step; h < 8 * step + 8; ++h) sum = std::fma(a[h], b[h], sum);
      const double error = delta[pair] - std::sqrt(square_distance(formula, sum, norms[i], norms[j]));
      sums.error[step] = error * error;
    }
    double d = 0;
    for (int l = 0; l < L && l < k; ++l) {
      const double difference = double(a[l]) - b[l];
      d += difference * difference;
    }
    sums.product = std::sqrt(d) * delta[pair], sums.square = d;
    sums.size = delta[pair] * delta[pair];
    return sums;
  }
};

// The slots of held-out pair k, in a level of `points` points.
struct HeldOutChoice {
  std::int64_t i, j;

  KINESCOPE_HD static HeldOutChoice of(std::uint64_t seed, std::int64_t k, std::int64_t points) {
    const RandomWords words = Random(seed, stream_held_out).words(static_cast<std::uint64_t>(k));
    const std::uint32_t i = uniform_below(words[0], static_cast<std::uint32_t>(points));
    const std::uint32_t j = uniform_below(words[1], static_cast<std::uint32_t>(points - 1));
    return {i, j + (j >= i)};
  }
};

KINESCOPE_HD inline float estimated_distance(RowFormula formula, std::int64_t width, const float* a, const float* b,
                                             float norm_a, float norm_b) {
  float sum = 0;
  for (std::int64_t c = 0; c < width; ++c) sum = std::fma(a[c], b[c], sum);
  return std::sqrt(square_distance(formula, sum, norm_a, norm_b));
}

// Finds the least number of coordinates that suffices, trying more and more axes. If even most_coordinates, or half as
// many as there are columns, do not suffice, returns 0 where the rows can be kept, and the largest possible number
// otherwise. `sums` are then the probe's sums on the axes found last.
template <class Steps, class Axes>
std::int64_t choose_coordinates(Steps& steps, Axes& axes, RowFormula formula, std::int64_t columns, ProbeSums& sums) {
  double allowed = -1;
  const std::int64_t most =
      std::min(most_coordinates, Steps::keeps_rows ? columns / 2 : std::min(columns, steps.points()));
  for (std::int64_t wanted = 16; wanted / 2 < most || (!Steps::keeps_rows && axes.found() == 0); wanted *= 2) {
    axes.find(wanted);
    sums = steps.probe(axes, formula);
    if (allowed < 0) allowed = tolerance * sums.stress();
    for (std::int64_t k = 8; k <= std::min(axes.found(), most); k += 8) {
      const double error = sums.error[k / 8 - 1];
      if ((sums.size > 0 ? error / sums.size : 0) <= allowed) return k;
    }
  }
  return Steps::keeps_rows ? 0 : std::min(axes.found(), most);
}

template <class Steps, Executor E>
Coordinates<E> coordinates_by_steps(E& executor, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed,
                                    const std::vector<std::int64_t>& levels) {
  const Metric metric = parameters.metric.value();
  const bool angles = of_angles(metric);
  const auto columns = static_cast<std::int64_t>(data.dimensions);
  Steps steps(executor, data, parameters, seed);
  Coordinates<E> result;
  result.formula = formula_of(metric);
  const double mean_square = steps.mean_square();
  result.scale = mean_square > 0 ? static_cast<float>(1 / std::sqrt(mean_square)) : 1.0f;
  result.unit = steps.unit() / result.scale;
  std::optional<decltype(steps.axes(true))> axes;
  std::int64_t k = 0;  // number of coordinates kept; 0: the rows are used
  ProbeSums sums;
  if (!Steps::keeps_rows || (levels.size() > 1 && metric != Metric::manhattan && columns > few_columns)) {
    axes.emplace(steps.axes(!angles));
    const RowFormula formula = angles ? result.formula : RowFormula::products;
    k = choose_coordinates(steps, *axes, formula, columns, sums);
    if (k > 0) {
      result.formula = formula;
      steps.project(*axes, k, !angles, result);
    }
  }
  if (k == 0 || angles) {  // the reference is not among the coordinates
    if constexpr (Steps::keeps_rows) {
      if (angles || !axes) {
        axes.emplace(steps.axes(true));
        axes->find(parameters.output_dimensions.value());
      }
      sums = steps.probe(*axes, RowFormula::products);
      steps.refer(*axes, result);
    } else {
      sums = steps.refer_to_coordinates(result);
    }
  }
  result.reference_scale = static_cast<float>(sums.best_scale());
  if (k == 0) steps.copy_rows(result);
  if (levels.size() > 1) result.tail = steps.tail(levels, result, k == 0);
  if (!result.tail.pairs.empty()) {
    result.held_out = Array<HeldOutPair, E>(executor, result.tail.pairs);
    result.held_out_each = pairs_with_tail;
  } else if (k > 0 && steps.points() > 1) {  // one point has no pairs
    steps.hold_out(levels, result);
  }
  return steps.take(std::move(result));
}

}  // namespace kinescope::sim::glimmer
