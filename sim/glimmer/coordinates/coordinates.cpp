#include "sim/glimmer/coordinates/coordinates.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <oneapi/tbb/parallel_for.h>

#include "sim/core/executors/cpu.hpp"
#include "sim/glimmer/coordinates/coordinate_maker.hpp"
#include "sim/glimmer/in_parallel.hpp"
#include "sim/glimmer/prepare.hpp"

namespace kinescope::sim::glimmer {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class F>
void parallel_blocks(std::size_t count, std::size_t size, F f) {
  oneapi::tbb::parallel_for(std::size_t{0}, (count + size - 1) / size,
                            [&](std::size_t b) { f(b * size, std::min(count, (b + 1) * size)); });
}

// Projects rows minus their mean on axes [columns × k]: gives the coordinates, and the squared length of each whole
// row.
struct Projection {
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

}  // namespace

// Works on all threads.
template <>
class CoordinateSteps<Cpu> {
 public:
  struct Axes {
    std::vector<float> mean;
    PrincipalAxes principal;

    void find(std::int64_t wanted) { principal.find(wanted); }
    std::int64_t found() const { return principal.found(); }
  };

  CoordinateSteps(Cpu& cpu, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
      : cpu_(cpu),
        scaling_(data, parameters),
        formula_(formula_of(parameters.metric.value())),
        points_(data.points),
        columns_(data.dimensions),
        L_(static_cast<std::size_t>(parameters.output_dimensions.value())),
        seed_(seed),
        permutation_(slots_of(points_, seed)),
        pairs_(points_),
        probe_(static_cast<std::size_t>(pairs_.points) * columns_),
        delta_(static_cast<std::size_t>(pairs_.count())) {
    in_parallel(static_cast<std::size_t>(pairs_.points), 64, [&](std::size_t i) {
      scaled_row(static_cast<std::size_t>(pairs_.first) + i, probe_.data() + i * columns_);
    });
    in_parallel(delta_.size(), 256, [&](std::size_t k) {
      const auto pair = static_cast<std::int64_t>(k), columns = static_cast<std::int64_t>(columns_);
      delta_[k] = distance(probe_.data() + pairs_.i(pair) * columns, probe_.data() + pairs_.j(pair) * columns);
    });
  }

  float unit() const { return scaling_.unit(); }

  double mean_square() const {
    double sum = 0;
    for (const double value : delta_) sum += value * value;
    return delta_.empty() ? 0 : sum / static_cast<double>(delta_.size());
  }

  Axes axes(bool centred) const {
    std::vector<float> mean;
    PrincipalAxes principal = axes_of_sample(scaling_, permutation_, columns_, centred, mean);
    return {std::move(mean), std::move(principal)};
  }

  ProbeSums probe(const Axes& axes, RowFormula formula) const {
    const auto found = static_cast<std::size_t>(axes.found()), count = static_cast<std::size_t>(pairs_.points);
    std::vector<float> projected(count * found), norms(count);
    const Projection projection{axes.mean, axes.principal.axes(), columns_, found};
    parallel_blocks(count, 64, [&](std::size_t begin, std::size_t end) {
      std::vector<float> block(probe_.data() + begin * columns_, probe_.data() + end * columns_);
      projection(block.data(), end - begin, projected.data() + begin * found, norms.data() + begin);
    });
    const SumProbe sum{pairs_,       formula,      delta_.data(),       projected.data(),
                       norms.data(), axes.found(), static_cast<int>(L_)};
    ProbeSums sums;
    for (std::int64_t pair = 0; pair < pairs_.count(); ++pair) sums = sums + sum(pair);
    return sums;
  }

  void project(const Axes& axes, std::int64_t width, bool reference, Coordinates<Cpu>& result) {
    const auto found = static_cast<std::size_t>(axes.found()), k = static_cast<std::size_t>(width);
    std::vector<float> kept(columns_ * k);
    for (std::size_t c = 0; c < columns_; ++c) std::copy_n(axes.principal.axes().data() + c * found, k, &kept[c * k]);
    result.width = width;
    result.rows = Array<float, Cpu>(cpu_, points_ * k);
    result.norms = Array<float, Cpu>(cpu_, points_);
    if (reference) result.reference = Array<float, Cpu>(cpu_, points_ * L_);
    const Projection projection{axes.mean, kept, columns_, k};
    over_rows([&](std::size_t begin, std::size_t count, std::vector<float>& block) {
      float* coordinates = result.rows.data() + begin * k;
      projection(block.data(), count, coordinates, result.norms.data() + begin);
      if (reference) take_reference(begin, count, coordinates, k, result);
    });
  }

  void refer(const Axes& axes, Coordinates<Cpu>& result) {
    const auto found = static_cast<std::size_t>(axes.found());
    result.reference = Array<float, Cpu>(cpu_, points_ * L_);
    const Projection projection{axes.mean, axes.principal.axes(), columns_, found};
    over_rows([&](std::size_t begin, std::size_t count, std::vector<float>& block) {
      std::vector<float> coordinates(count * found), lengths(count);
      projection(block.data(), count, coordinates.data(), lengths.data());
      take_reference(begin, count, coordinates.data(), found, result);
    });
  }

  void copy_rows(Coordinates<Cpu>& result) {
    result.width = static_cast<std::int64_t>(columns_);
    result.rows = Array<float, Cpu>(cpu_, points_ * columns_);
    over_rows([&](std::size_t begin, std::size_t, const std::vector<float>& block) {
      std::copy(block.begin(), block.end(), result.rows.data() + begin * columns_);
    });
  }

  Tail tail(const std::vector<std::int64_t>& levels, const Coordinates<Cpu>& result, bool exact) const {
    const SlotRows rows{result.formula,
                        result.scale,
                        result.width,
                        permutation_,
                        {result.rows.data(), result.rows.size()},
                        {result.norms.data(), result.norms.size()}};
    return find_tail(scaling_, columns_, formula_, rows, exact, seed_, levels);
  }

  void hold_out(const std::vector<std::int64_t>& levels, Coordinates<Cpu>& result) {
    result.held_out_each = held_out_pairs;
    result.held_out = Array<HeldOutPair, Cpu>(cpu_, levels.size() * held_out_pairs);
    const std::int64_t width = result.width;
    parallel_blocks(result.held_out.size(), 256, [&](std::size_t begin, std::size_t end) {
      std::vector<float> a(columns_), b(columns_);
      for (std::size_t k = begin; k < end; ++k) {
        const auto [i, j] = HeldOutChoice::of(seed_, static_cast<std::int64_t>(k), levels[k / held_out_pairs]);
        scaled_row(static_cast<std::size_t>(i), a.data());
        scaled_row(static_cast<std::size_t>(j), b.data());
        const float estimate =
            estimated_distance(result.formula, width, result.rows.data() + i * width, result.rows.data() + j * width,
                               result.norms.data()[i], result.norms.data()[j]);
        result.held_out.data()[k] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j),
                                     result.scale * distance(a.data(), b.data()), result.scale * estimate,
                                     1.0f / held_out_pairs};
      }
    });
  }

  Coordinates<Cpu> take(Coordinates<Cpu> result) {
    result.permutation = Array<std::int32_t, Cpu>(cpu_, permutation_);
    return result;
  }

 private:
  void scaled_row(std::size_t slot, float* row) const { scaling_(static_cast<std::size_t>(permutation_[slot]), row); }

  float distance(const float* a, const float* b) const {
    return row_distance(
        formula_, static_cast<std::int64_t>(columns_), [a](std::int64_t h) { return a[h]; },
        [b](std::int64_t h) { return b[h]; });
  }

  // Takes the reference from the first coordinates [count × k] of the slots from `begin` on.
  void take_reference(std::size_t begin, std::size_t count, const float* coordinates, std::size_t k,
                      Coordinates<Cpu>& result) const {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t l = 0; l < L_; ++l)
        result.reference.data()[(begin + i) * L_ + l] = l < k ? result.scale * coordinates[i * k + l] : 0.0f;
  }

  // Calls f(first slot, count, rows [count × columns]) for all points.
  template <class F>
  void over_rows(F f) {
    parallel_blocks(points_, 256, [&](std::size_t begin, std::size_t end) {
      thread_local std::vector<float> block;
      block.resize((end - begin) * columns_);
      for (std::size_t i = begin; i < end; ++i) scaled_row(i, block.data() + (i - begin) * columns_);
      f(begin, end - begin, block);
    });
  }

  Cpu& cpu_;
  RowScaling scaling_;
  RowFormula formula_;
  std::size_t points_, columns_, L_;
  std::uint64_t seed_;
  std::vector<std::int32_t> permutation_;
  ProbePairs pairs_;
  std::vector<float> probe_;   // [pairs_.points × columns] the rows of the probe
  std::vector<double> delta_;  // [pairs]
};

template <>
Coordinates<Cpu> make_coordinates(Cpu& cpu, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed,
                                  const std::vector<std::int64_t>& levels) {
  return coordinates_by_steps(cpu, data, parameters, seed, levels);
}

}  // namespace kinescope::sim::glimmer
