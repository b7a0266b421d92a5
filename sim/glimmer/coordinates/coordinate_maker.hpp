// Makes coordinates from the rows that a backend holds (coordinates.cpp, dense_rows_cuda.cuh, sparse_rows_cuda.cuh).
// Decides how many coordinates there are, and whether rows are kept instead. `Source` has:
//
//   Source(executor, data, parameters, seed)     scales the rows and draws the slots
//   static bool keeps_rows                       whether the rows themselves may be kept
//   float unit()                                 one internal unit, in the data's (normalized) units
//   Array<std::int32_t, E>& permutation()        slot → the input's index
//   view()                                       a value for launches; its distance(i, j) is δ between two slots
//   void measure(pairs, to)                      writes δ of the probe's pairs
//   Axes axes(bool centred)                      axes of the sample's rows, with find(wanted) and found()
//   void project(axes, k, first, count, to)      projects `count` slots from `first` on; `to` is Projected
//   void copy(result)                            keeps the rows
//   void turn_coordinates(result, L)             if rows cannot be kept: writes the reference; computes it from the
//                                                coordinates, which are about 0 for metrics of angles
//   slots(permutation)                           the whole rows on the host (slots.hpp)
//
// The probe's sums are added by sum_probe(executor, SumProbe).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kinescope/executors/executor.hpp"
#include "kinescope/executors/functors.hpp"
#include "kinescope/random.hpp"
#include "kinescope/trace.hpp"
#include "sim/glimmer/coordinates/coordinates.hpp"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/prepare.hpp"

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

inline ProbeSums sum_probe(Cpu&, const SumProbe& probe) {
  ProbeSums sums;
  for (std::int64_t pair = 0; pair < probe.pairs.count(); ++pair) sums = sums + probe(pair);
  return sums;
}

// The arrays to which a projection writes the first k coordinates of some slots. Null pointers: not needed.
struct Projected {
  float* coordinates = nullptr;  // [count × stride], zeros past the k-th
  std::int64_t stride = 0;
  float* norms = nullptr;      // [count] squared lengths of the whole rows
  float* reference = nullptr;  // [count × L], times `scale`; zeros past the k-th
  float scale = 1;
  int L = 0;
};

struct SquareOfDistance {
  const double* delta;
  KINESCOPE_HD double operator()(std::int64_t pair) const { return delta[pair] * delta[pair]; }
};

template <class View>
struct HoldOut {
  View rows;
  RowFormula formula;
  std::uint64_t seed;
  const std::int64_t* levels;
  std::int64_t width;
  const float *coordinates, *norms;
  float scale;
  HeldOutPair* to;
  KINESCOPE_HD void operator()(std::int64_t k) const {
    const RandomWords words = Random(seed, stream_held_out).words(static_cast<std::uint64_t>(k));
    const auto points = static_cast<std::uint32_t>(levels[k / held_out_pairs]);
    const std::int64_t i = uniform_below(words[0], points), other = uniform_below(words[1], points - 1),
                       j = other + (other >= i);
    const float estimate =
        estimated_square(formula, width, coordinates + i * width, coordinates + j * width, norms[i], norms[j]);
    to[k] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), scale * rows.distance(i, j),
             scale * std::sqrt(estimate), 1.0f / held_out_pairs};
  }
};

// The host's view of an array; a copy of it if it is on a device.
template <class T, Executor E>
auto on_host(const Array<T, E>& array) {
  if constexpr (E::backend == Backend::cpu)
    return std::span<const T>(array.data(), array.size());
  else
    return array.size() > 0 ? array.download() : std::vector<T>();
}

// Columns of rows that are stored.
template <Executor E>
constexpr std::int64_t stored_width(std::int64_t columns) {
  return E::backend == Backend::cuda ? (columns + 3) / 4 * 4 : columns;
}

template <Executor E, class Source>
class CoordinateMaker {
 public:
  CoordinateMaker(E& executor, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
      : executor_(executor),
        metric_(parameters.metric.value()),
        points_(static_cast<std::int64_t>(data.points)),
        columns_(static_cast<std::int64_t>(data.dimensions)),
        L_(static_cast<int>(parameters.output_dimensions.value())),
        seed_(seed),
        source_(executor, data, parameters, seed),
        pairs_(data.points),
        delta_(executor, static_cast<std::size_t>(pairs_.count())) {
    source_.measure(pairs_, delta_.data());
  }

  Coordinates<E> make(const std::vector<std::int64_t>& levels) {
    const bool angles = of_angles(metric_);
    result_.formula = formula_of(metric_);
    const double square = mean_square();
    result_.scale = square > 0 ? static_cast<float>(1 / std::sqrt(square)) : 1.0f;
    result_.unit = source_.unit() / result_.scale;
    std::optional<Axes> axes;
    std::int64_t k = 0;  // number of coordinates kept; 0: the rows are used
    ProbeSums sums;
    if (!Source::keeps_rows || (levels.size() > 1 && metric_ != Metric::manhattan && columns_ > few_columns)) {
      axes.emplace(source_.axes(!angles));
      const RowFormula formula = angles ? result_.formula : RowFormula::products;
      k = choose_coordinates(*axes, formula, sums);
      if (k > 0) {
        result_.formula = formula;
        project(*axes, k, !angles);
      }
    }
    if (k == 0 || angles) {  // the reference is not among the coordinates
      result_.reference = Array<float, E>(executor_, static_cast<std::size_t>(points_ * L_));
      if constexpr (Source::keeps_rows) {
        if (angles || !axes) {
          axes.emplace(source_.axes(true));
          axes->find(L_);
        }
        sums = probe(*axes, RowFormula::products);
        source_.project(*axes, axes->found(), 0, points_,
                        {.reference = result_.reference.data(), .scale = result_.scale, .L = L_});
      } else {
        sums = refer_to_coordinates();
      }
    }
    result_.reference_scale = static_cast<float>(sums.best_scale());
    if constexpr (Source::keeps_rows)
      if (k == 0) source_.copy(result_);
    if (levels.size() > 1) result_.tail = tail(levels, k == 0);
    if (!result_.tail.pairs.empty()) {
      result_.held_out = Array<HeldOutPair, E>(executor_, result_.tail.pairs);
      result_.held_out_each = pairs_with_tail;
    } else if (k > 0 && points_ > 1) {  // one point has no pairs
      hold_out(levels);
    }
    result_.permutation = std::move(source_.permutation());
    return std::move(result_);
  }

 private:
  using Axes = typename Source::Axes;

  // The mean of δ² over the probe's pairs.
  double mean_square() {
    if (pairs_.count() == 0) return 0;
    Array<double, E> sum(executor_, 1);
    executor_.reduce("distances", pairs_.count(), 0.0, SquareOfDistance{delta_.data()}, Store<double>{sum.data()});
    return sum.download().front() / static_cast<double>(pairs_.count());
  }

  // The probe's sums on all the axes found.
  ProbeSums probe(Axes& axes, RowFormula formula) {
    if (pairs_.count() == 0) return {};
    const std::int64_t found = axes.found();
    Array<float, E> projected(executor_, static_cast<std::size_t>(pairs_.points * found)),
        norms(executor_, static_cast<std::size_t>(pairs_.points));
    source_.project(axes, found, pairs_.first, pairs_.points, {projected.data(), found, norms.data()});
    return sum_probe(executor_, SumProbe{pairs_, formula, delta_.data(), projected.data(), norms.data(), found, L_});
  }

  // Finds the least number of coordinates that suffices, trying more and more axes. If even most_coordinates, or half
  // as many as there are columns, do not suffice, returns 0 where the rows can be kept, and the largest possible number
  // otherwise. `sums` are then the probe's sums on the axes found last.
  std::int64_t choose_coordinates(Axes& axes, RowFormula formula, ProbeSums& sums) {
    double allowed = -1;
    const std::int64_t most =
        std::min(most_coordinates, Source::keeps_rows ? columns_ / 2 : std::min(columns_, points_));
    for (std::int64_t wanted = 16; wanted / 2 < most || (!Source::keeps_rows && axes.found() == 0); wanted *= 2) {
      axes.find(wanted);
      sums = probe(axes, formula);
      if (allowed < 0) allowed = tolerance * sums.stress();
      for (std::int64_t k = 8; k <= std::min(axes.found(), most); k += 8) {
        const double error = sums.error[k / 8 - 1];
        if ((sums.size > 0 ? error / sums.size : 0) <= allowed) return k;
      }
    }
    return Source::keeps_rows ? 0 : std::min(axes.found(), most);
  }

  void project(Axes& axes, std::int64_t k, bool reference) {
    result_.width = stored_width<E>(k);
    result_.rows = Array<float, E>(executor_, static_cast<std::size_t>(points_ * result_.width));
    result_.norms = Array<float, E>(executor_, static_cast<std::size_t>(points_));
    if (reference) result_.reference = Array<float, E>(executor_, static_cast<std::size_t>(points_ * L_));
    source_.project(
        axes, k, 0, points_,
        {result_.rows.data(), result_.width, result_.norms.data(), result_.reference.data(), result_.scale, L_});
  }

  ProbeSums refer_to_coordinates() {
    source_.turn_coordinates(result_, L_);
    if (pairs_.count() == 0) return {};
    ProbeSums sums = sum_probe(executor_, SumProbe{pairs_, result_.formula, delta_.data(),
                                                   result_.reference.data() + pairs_.first * L_, nullptr, L_, L_});
    sums.product *= result_.scale;  // the distances are not yet in the layout's units
    return sums;
  }

  // The data's tail (held_out.hpp); exact: δ̂ = δ.
  Tail tail(const std::vector<std::int64_t>& levels, bool exact) {
    const auto norms = on_host(result_.norms);
    if (result_.formula == RowFormula::products && !has_tail(norms)) return {};
    const auto permutation = on_host(source_.permutation());
    const auto rows = on_host(result_.rows);
    const SlotRows by_slot{result_.formula, result_.scale, result_.width, permutation, rows, norms};
    return find_tail(source_.slots(permutation), by_slot, exact, seed_, levels);
  }

  void hold_out(const std::vector<std::int64_t>& levels) {
    result_.held_out_each = held_out_pairs;
    result_.held_out = Array<HeldOutPair, E>(executor_, levels.size() * held_out_pairs);
    const Array<std::int64_t, E> counts(executor_, levels);
    executor_.for_each("held-out pairs", static_cast<std::int64_t>(result_.held_out.size()),
                       HoldOut<decltype(source_.view())>{source_.view(), result_.formula, seed_, counts.data(),
                                                         result_.width, result_.rows.data(), result_.norms.data(),
                                                         result_.scale, result_.held_out.data()});
    executor_.wait();
  }

  E& executor_;
  Metric metric_;
  std::int64_t points_, columns_;
  int L_;
  std::uint64_t seed_;
  Source source_;
  ProbePairs pairs_;
  Array<double, E> delta_;  // [pairs]
  Coordinates<E> result_;
};

// Makes coordinates whose rows are the distances themselves. They are in the host's memory: allocate(result, size)
// returns it.
template <Executor E, class Allocate>
Coordinates<E> coordinates_of_distances(E& executor, const DistanceFeeder& feeder, const Dataset& data,
                                        GlimmerParameters& parameters, std::uint64_t seed, Allocate allocate) {
  const std::vector<std::int32_t> permutation = slots_of(data.points, seed);
  const auto n = static_cast<std::int64_t>(data.points);
  const Sources sources = Sources::of(n, parameters.landmarks.value());
  Coordinates<E> result;
  result.formula = RowFormula::matrix;
  result.sources = sources.all;
  result.landmarks = sources.landmarks;
  result.width = (n + 3) / 4 * 4;
  result.permutation = Array<std::int32_t, E>(executor, permutation);
  float* rows = allocate(result, static_cast<std::size_t>(result.sources * result.width));
  const ScopedSpan span(executor.trace(), "distances by need");
  const float largest =
      take_distances(feeder, data.name, permutation, result.sources, result.width, rows, has_gaps(data));
  const DistanceFrame frame = fit_scale(rows, result.width, data.points, static_cast<std::size_t>(result.sources),
                                        static_cast<std::size_t>(parameters.output_dimensions.value()), largest);
  result.unit = frame.unit;
  result.reference_scale = frame.reference_scale;
  result.reference = Array<float, E>(executor, frame.reference);
  return result;
}

}  // namespace kinescope::sim::glimmer
