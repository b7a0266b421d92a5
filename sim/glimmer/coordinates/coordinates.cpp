#include "sim/glimmer/coordinates/coordinates.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kinescope/executors/cpu.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/glimmer/coordinates/coordinate_maker.hpp"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/coordinates/slots.hpp"
#include "sim/glimmer/coordinates/sparse_by_slot.hpp"

namespace kinescope::sim::glimmer {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class F>
void parallel_blocks(std::size_t count, std::size_t size, F f) {
  in_parallel((count + size - 1) / size, 1, [&](std::size_t b) { f(b * size, std::min(count, (b + 1) * size)); });
}

struct Axes {
  std::vector<float> mean;  // [columns]; empty for sparse rows about 0
  PrincipalAxes principal;

  void find(std::int64_t wanted) { principal.find(wanted); }
  std::int64_t found() const { return principal.found(); }
};

// Projects rows minus their mean on axes [columns × k]. Writes the coordinates, and the squared length of each whole
// row.
struct DenseProjection {
  const std::vector<float>& mean;
  const std::vector<float>& axes;
  std::size_t columns, k;

  // `block` [count × columns] is overwritten; `to` is [count × k], norms [count].
  void operator()(float* block, std::size_t count, float* to, float* norms) const {
    for (std::size_t i = 0; i < count; ++i) {
      float* row = block + i * columns;
      float sum[8] = {};
      std::size_t h = 0;
      for (; h + 8 <= columns; h += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) {
          row[h + lane] -= mean[h + lane];
          sum[lane] = std::fma(row[h + lane], row[h + lane], sum[lane]);
        }
      for (; h < columns; ++h) row[h] -= mean[h], sum[0] = std::fma(row[h], row[h], sum[0]);
      norms[i] = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    }
    const auto rows = static_cast<Eigen::Index>(count), wide = static_cast<Eigen::Index>(columns),
               narrow = static_cast<Eigen::Index>(k);
    Eigen::Map<Matrix>(to, rows, narrow).noalias() =
        Eigen::Map<const Matrix>(block, rows, wide) * Eigen::Map<const Matrix>(axes.data(), wide, narrow);
  }
};

// A dataset's rows, as the steps below read them. slots() computes exact distances. projection(axes, k) returns a
// function (begin, end, to, norms) that writes the first k coordinates of these slots, and the squared lengths of their
// whole rows.
class DenseSource {
 public:
  static constexpr bool keeps_rows = true;

  DenseSource(const Dataset& data, GlimmerParameters& parameters, std::vector<std::int32_t>& permutation)
      : scaling_(data, parameters),
        permutation_(permutation),
        columns_(data.dimensions),
        formula_(formula_of(parameters.metric.value())) {
    bring_forward(outlying_rows(data, scaling_, parameters), permutation);
  }

  float unit() const { return scaling_.unit(); }
  DenseSlots slots() const { return {scaling_, permutation_, columns_, formula_}; }
  Axes axes(bool centred) const {
    std::vector<float> mean;
    PrincipalAxes principal = axes_of_sample(scaling_, permutation_, columns_, centred, mean);
    return {std::move(mean), std::move(principal)};
  }
  auto projection(const Axes& axes, std::size_t k) const {
    const auto found = static_cast<std::size_t>(axes.found());
    std::vector<float> kept(columns_ * k);
    for (std::size_t c = 0; c < columns_; ++c) std::copy_n(axes.principal.axes().data() + c * found, k, &kept[c * k]);
    return [this, &axes, k, kept = std::move(kept)](std::size_t begin, std::size_t end, float* to, float* norms) {
      thread_local std::vector<float> block;
      block.resize((end - begin) * columns_);
      copy(begin, end, block.data());
      DenseProjection{axes.mean, kept, columns_, k}(block.data(), end - begin, to, norms);
    };
  }
  // Writes the rows of the slots from `begin` to `end`, [count × columns].
  void copy(std::size_t begin, std::size_t end, float* to) const {
    for (std::size_t i = begin; i < end; ++i)
      scaling_(static_cast<std::size_t>(permutation_[i]), to + (i - begin) * columns_);
  }

 private:
  RowScaling scaling_;
  const std::vector<std::int32_t>& permutation_;
  std::size_t columns_;
  RowFormula formula_;
};

class SparseSource {
 public:
  static constexpr bool keeps_rows = false;

  SparseSource(const Dataset& data, GlimmerParameters& parameters, const std::vector<std::int32_t>& permutation)
      : data_(sparse_by_slot(data, parameters, permutation)), metric_(parameters.metric.value()) {}

  float unit() const { return data_.unit; }
  SparseSlots slots() const { return {data_.rows, metric_}; }
  Axes axes(bool centred) const {
    const std::size_t count = std::min(data_.rows.rows(), sparse_sample_rows);
    std::vector<float> mean;
    if (centred) mean = mean_of_sparse(data_.rows, count);
    return {mean, PrincipalAxes(sparse_axis_rows(data_.rows, count, mean))};
  }
  auto projection(const Axes& axes, std::size_t k) const {
    const SparseProjection row(data_.rows, axes.mean, axes.principal.axes(), static_cast<std::size_t>(axes.found()), k);
    return [row, k](std::size_t begin, std::size_t end, float* to, float* norms) {
      for (std::size_t i = begin; i < end; ++i) norms[i - begin] = row(i, to + (i - begin) * k);
    };
  }

 private:
  SparseBySlot data_;
  Metric metric_;
};

// The steps on the CPU, on all threads.
template <class Source>
class CpuSteps {
 public:
  static constexpr bool keeps_rows = Source::keeps_rows;

  CpuSteps(Cpu& cpu, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
      : cpu_(cpu),
        points_(data.points),
        columns_(data.dimensions),
        L_(static_cast<std::size_t>(parameters.output_dimensions.value())),
        seed_(seed),
        permutation_(slots_of(points_, seed)),
        source_(data, parameters, permutation_),
        pairs_(points_),
        delta_(static_cast<std::size_t>(pairs_.count())) {
    std::vector<std::int32_t> slots(static_cast<std::size_t>(pairs_.points));
    std::iota(slots.begin(), slots.end(), static_cast<std::int32_t>(pairs_.first));
    const auto probe = source_.slots().take(slots);
    in_parallel(delta_.size(), 256, [&](std::size_t k) {
      const auto pair = static_cast<std::int64_t>(k);
      delta_[k] = probe.distance(static_cast<std::size_t>(pairs_.i(pair)), static_cast<std::size_t>(pairs_.j(pair)));
    });
  }

  std::int64_t points() const { return static_cast<std::int64_t>(points_); }
  float unit() const { return source_.unit(); }

  double mean_square() const {
    double sum = 0;
    for (const double value : delta_) sum += value * value;
    return delta_.empty() ? 0 : sum / static_cast<double>(delta_.size());
  }

  Axes axes(bool centred) const { return source_.axes(centred); }

  ProbeSums probe(const Axes& axes, RowFormula formula) const {
    const auto found = static_cast<std::size_t>(axes.found()), count = static_cast<std::size_t>(pairs_.points),
               first = static_cast<std::size_t>(pairs_.first);
    std::vector<float> projected(count * found), norms(count);
    const auto projection = source_.projection(axes, found);
    parallel_blocks(count, 64, [&](std::size_t begin, std::size_t end) {
      projection(first + begin, first + end, projected.data() + begin * found, norms.data() + begin);
    });
    const SumProbe sum{pairs_,       formula,      delta_.data(),       projected.data(),
                       norms.data(), axes.found(), static_cast<int>(L_)};
    ProbeSums sums;
    for (std::int64_t pair = 0; pair < pairs_.count(); ++pair) sums = sums + sum(pair);
    return sums;
  }

  void project(const Axes& axes, std::int64_t width, bool reference, Coordinates<Cpu>& result) {
    const auto k = static_cast<std::size_t>(width);
    result.width = width;
    result.rows = Array<float, Cpu>(cpu_, points_ * k);
    result.norms = Array<float, Cpu>(cpu_, points_);
    if (reference) result.reference = Array<float, Cpu>(cpu_, points_ * L_);
    const auto projection = source_.projection(axes, k);
    parallel_blocks(points_, 256, [&](std::size_t begin, std::size_t end) {
      float* coordinates = result.rows.data() + begin * k;
      projection(begin, end, coordinates, result.norms.data() + begin);
      if (reference) take_reference(begin, end, coordinates, k, result);
    });
  }

  void refer(const Axes& axes, Coordinates<Cpu>& result) {
    const auto found = static_cast<std::size_t>(axes.found());
    result.reference = Array<float, Cpu>(cpu_, points_ * L_);
    const auto projection = source_.projection(axes, found);
    parallel_blocks(points_, 256, [&](std::size_t begin, std::size_t end) {
      std::vector<float> coordinates((end - begin) * found), lengths(end - begin);
      projection(begin, end, coordinates.data(), lengths.data());
      take_reference(begin, end, coordinates.data(), found, result);
    });
  }

  ProbeSums refer_to_coordinates(Coordinates<Cpu>& result) {
    const auto k = static_cast<std::size_t>(result.width), sample = std::min(points_, sample_rows);
    const float* rows = result.rows.data();
    std::vector<double> mean(k), gram(k * k);
    for (std::size_t i = 0; i < sample; ++i)
      for (std::size_t a = 0; a < k; ++a) mean[a] += static_cast<double>(rows[i * k + a]) / static_cast<double>(sample);
    for (std::size_t i = 0; i < sample; ++i)
      for (std::size_t a = 0; a < k; ++a)
        for (std::size_t b = 0; b < k; ++b)
          gram[a * k + b] += (rows[i * k + a] - mean[a]) * (rows[i * k + b] - mean[b]);
    const std::vector<float> turn = principal_turn(gram, static_cast<std::int64_t>(k));
    result.reference = Array<float, Cpu>(cpu_, points_ * L_);
    float* reference = result.reference.data();
    parallel_blocks(points_, 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t l = 0; l < L_; ++l) {
          float sum = 0;
          for (std::size_t a = 0; l < k && a < k; ++a)
            sum += (rows[i * k + a] - static_cast<float>(mean[a])) * turn[a * k + l];
          reference[i * L_ + l] = result.scale * sum;
        }
    });
    ProbeSums sums;
    for (std::int64_t pair = 0; pair < pairs_.count(); ++pair) {
      const float *a = reference + (pairs_.first + pairs_.i(pair)) * static_cast<std::int64_t>(L_),
                  *b = reference + (pairs_.first + pairs_.j(pair)) * static_cast<std::int64_t>(L_);
      double square = 0;
      for (std::size_t l = 0; l < L_; ++l) square += (double(a[l]) - b[l]) * (double(a[l]) - b[l]);
      const double delta = result.scale * delta_[static_cast<std::size_t>(pair)];
      sums.product += std::sqrt(square) * delta, sums.square += square, sums.size += delta * delta;
    }
    return sums;
  }

  void copy_rows(Coordinates<Cpu>& result) {
    if constexpr (keeps_rows) {
      result.width = static_cast<std::int64_t>(columns_);
      result.rows = Array<float, Cpu>(cpu_, points_ * columns_);
      parallel_blocks(points_, 256, [&](std::size_t begin, std::size_t end) {
        source_.copy(begin, end, result.rows.data() + begin * columns_);
      });
    }
  }

  Tail tail(const std::vector<std::int64_t>& levels, const Coordinates<Cpu>& result, bool exact) const {
    const SlotRows rows{result.formula,
                        result.scale,
                        result.width,
                        permutation_,
                        {result.rows.data(), result.rows.size()},
                        {result.norms.data(), result.norms.size()}};
    return find_tail(source_.slots(), rows, exact, seed_, levels);
  }

  void hold_out(const std::vector<std::int64_t>& levels, Coordinates<Cpu>& result) {
    result.held_out_each = held_out_pairs;
    result.held_out = Array<HeldOutPair, Cpu>(cpu_, levels.size() * held_out_pairs);
    const std::int64_t width = result.width;
    parallel_blocks(result.held_out.size(), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const auto [i, j] = HeldOutChoice::of(seed_, static_cast<std::int64_t>(k), levels[k / held_out_pairs]);
        const std::int32_t pair[2] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)};
        const float estimate =
            estimated_distance(result.formula, width, result.rows.data() + i * width, result.rows.data() + j * width,
                               result.norms.data()[i], result.norms.data()[j]);
        result.held_out.data()[k] = {pair[0], pair[1], result.scale * source_.slots().take(pair).distance(0, 1),
                                     result.scale * estimate, 1.0f / held_out_pairs};
      }
    });
  }

  Coordinates<Cpu> take(Coordinates<Cpu> result) {
    result.permutation = Array<std::int32_t, Cpu>(cpu_, permutation_);
    return result;
  }

 private:
  // Writes the reference of the slots from their first coordinates [end − begin × k].
  void take_reference(std::size_t begin, std::size_t end, const float* coordinates, std::size_t k,
                      Coordinates<Cpu>& result) const {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t l = 0; l < L_; ++l)
        result.reference.data()[i * L_ + l] = l < k ? result.scale * coordinates[(i - begin) * k + l] : 0.0f;
  }

  Cpu& cpu_;
  std::size_t points_, columns_, L_;
  std::uint64_t seed_;
  std::vector<std::int32_t> permutation_;
  Source source_;
  ProbePairs pairs_;
  std::vector<double> delta_;  // [pairs]
};

// Makes coordinates whose rows are the distances themselves.
Coordinates<Cpu> coordinates_of_distances(Cpu& cpu, const DistanceFeeder& feeder, const Dataset& data,
                                          GlimmerParameters& parameters, std::uint64_t seed) {
  const std::vector<std::int32_t> permutation = slots_of(data.points, seed);
  const auto n = static_cast<std::int64_t>(data.points);
  Coordinates<Cpu> result;
  result.formula = RowFormula::matrix;
  const Sources sources = Sources::of(n, parameters.landmarks.value());
  result.sources = sources.all;
  result.landmarks = sources.landmarks;
  result.width = (n + 3) / 4 * 4;
  result.permutation = Array<std::int32_t, Cpu>(cpu, permutation);
  result.rows = Array<float, Cpu>(cpu, static_cast<std::size_t>(result.sources * result.width));
  const ScopedSpan span(cpu.trace(), "distances by need");
  const float largest =
      take_distances(feeder, data.name, permutation, result.sources, result.width, result.rows.data(), has_gaps(data));
  const DistanceFrame frame =
      fit_scale(result.rows.data(), result.width, data.points, static_cast<std::size_t>(result.sources),
                static_cast<std::size_t>(parameters.output_dimensions.value()), largest);
  result.unit = frame.unit;
  result.reference_scale = frame.reference_scale;
  result.reference = Array<float, Cpu>(cpu, frame.reference);
  return result;
}

}  // namespace

template <>
Coordinates<Cpu> make_coordinates(Cpu& cpu, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed,
                                  const std::vector<std::int64_t>& levels) {
  if (const auto feeder = feeder_of(data, parameters))
    return coordinates_of_distances(cpu, *feeder, data, parameters, seed);
  if (data.sparse) return coordinates_by_steps<CpuSteps<SparseSource>>(cpu, data, parameters, seed, levels);
  return coordinates_by_steps<CpuSteps<DenseSource>>(cpu, data, parameters, seed, levels);
}

}  // namespace kinescope::sim::glimmer
