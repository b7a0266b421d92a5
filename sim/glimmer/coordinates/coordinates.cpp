#include "sim/glimmer/coordinates/coordinates.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kinescope/executors/cpu.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/glimmer/coordinates/coordinate_maker.hpp"
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

// Subtracts the mean from a row, and returns the squared length of the rest.
float take_off(const std::vector<float>& mean, float* row) {
  float sum[8] = {};
  std::size_t h = 0;
  for (; h + 8 <= mean.size(); h += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) {
      row[h + lane] -= mean[h + lane];
      sum[lane] = std::fma(row[h + lane], row[h + lane], sum[lane]);
    }
  for (; h < mean.size(); ++h) row[h] -= mean[h], sum[0] = std::fma(row[h], row[h], sum[0]);
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

// project() of the sources below. projection(begin, end, to, norms) writes the first k coordinates of these slots, and
// the squared lengths of their whole rows.
template <class F>
void project_blocks(std::int64_t k, std::int64_t first, std::int64_t count, const Projected& to, const F& projection) {
  const auto wide = static_cast<std::size_t>(k), L = static_cast<std::size_t>(to.L);
  parallel_blocks(static_cast<std::size_t>(count), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<float> own(to.coordinates ? 0 : (end - begin) * wide), lengths(to.norms ? 0 : end - begin);
    float* coordinates = to.coordinates ? to.coordinates + begin * wide : own.data();
    const auto slot = static_cast<std::size_t>(first);
    projection(slot + begin, slot + end, coordinates, to.norms ? to.norms + begin : lengths.data());
    for (std::size_t i = begin; to.reference && i < end; ++i)
      for (std::size_t l = 0; l < L; ++l)
        to.reference[i * L + l] = l < wide ? to.scale * coordinates[(i - begin) * wide + l] : 0.0f;
  });
}

template <class Slots>
void measure_probe(const Slots& rows, const ProbePairs& pairs, double* to) {
  std::vector<std::int32_t> slots(static_cast<std::size_t>(pairs.points));
  std::iota(slots.begin(), slots.end(), static_cast<std::int32_t>(pairs.first));
  const auto probe = rows.take(slots);
  in_parallel(static_cast<std::size_t>(pairs.count()), 256, [&](std::size_t k) {
    const auto pair = static_cast<std::int64_t>(k);
    to[k] = probe.distance(static_cast<std::size_t>(pairs.i(pair)), static_cast<std::size_t>(pairs.j(pair)));
  });
}

// Dense rows as CoordinateMaker reads them. All threads work on them.
class DenseOnCpu {
 public:
  static constexpr bool keeps_rows = true;
  using Axes = glimmer::Axes;

  DenseOnCpu(Cpu& cpu, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
      : cpu_(cpu),
        scaling_(data, parameters),
        permutation_(cpu, data.points),
        columns_(data.dimensions),
        formula_(formula_of(parameters.metric.value())) {
    std::vector<std::int32_t> slots = slots_of(data.points, seed);
    bring_forward(outlying_rows(data, scaling_, parameters), slots);
    permutation_.upload(slots);
  }

  float unit() const { return scaling_.unit(); }
  Array<std::int32_t, Cpu>& permutation() { return permutation_; }
  DenseSlots slots(std::span<const std::int32_t> permutation) const {
    return {scaling_, permutation, columns_, formula_};
  }
  DenseSlots view() const { return slots(on_host(permutation_)); }
  void measure(const ProbePairs& pairs, double* to) const { measure_probe(view(), pairs, to); }
  Axes axes(bool centred) const {
    std::vector<float> mean;
    PrincipalAxes principal = axes_of_sample(scaling_, on_host(permutation_), columns_, centred, mean);
    return {std::move(mean), std::move(principal)};
  }
  void project(const Axes& axes, std::int64_t k, std::int64_t first, std::int64_t count, const Projected& to) const {
    const auto found = static_cast<Eigen::Index>(axes.found()), columns = static_cast<Eigen::Index>(columns_);
    const Matrix kept = Eigen::Map<const Matrix>(axes.principal.axes().data(), columns, found).leftCols(k);
    project_blocks(k, first, count, to, [&](std::size_t begin, std::size_t end, float* coordinates, float* norms) {
      thread_local std::vector<float> block;
      block.resize((end - begin) * columns_);
      copy(begin, end, block.data());
      const auto rows = static_cast<Eigen::Index>(end - begin);
      for (Eigen::Index i = 0; i < rows; ++i) norms[i] = take_off(axes.mean, block.data() + i * columns);
      Eigen::Map<Matrix>(coordinates, rows, k).noalias() = Eigen::Map<const Matrix>(block.data(), rows, columns) * kept;
    });
  }
  void copy(Coordinates<Cpu>& result) const {
    result.width = static_cast<std::int64_t>(columns_);
    result.rows = Array<float, Cpu>(cpu_, permutation_.size() * columns_);
    parallel_blocks(permutation_.size(), 256, [&](std::size_t begin, std::size_t end) {
      copy(begin, end, result.rows.data() + begin * columns_);
    });
  }

 private:
  // Writes the rows of the slots from `begin` to `end`, [count × columns].
  void copy(std::size_t begin, std::size_t end, float* to) const {
    for (std::size_t i = begin; i < end; ++i) view().copy(static_cast<std::int64_t>(i), to + (i - begin) * columns_);
  }

  Cpu& cpu_;
  RowScaling scaling_;
  Array<std::int32_t, Cpu> permutation_;
  std::size_t columns_;
  RowFormula formula_;
};

class SparseOnCpu {
 public:
  static constexpr bool keeps_rows = false;
  using Axes = glimmer::Axes;

  SparseOnCpu(Cpu& cpu, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
      : SparseOnCpu(cpu, data, parameters, slots_of(data.points, seed)) {}

  float unit() const { return data_.unit; }
  Array<std::int32_t, Cpu>& permutation() { return permutation_; }
  SparseSlots slots(std::span<const std::int32_t>) const { return {data_.rows, metric_}; }
  SparseSlots view() const { return {data_.rows, metric_}; }
  void measure(const ProbePairs& pairs, double* to) const { measure_probe(view(), pairs, to); }
  Axes axes(bool centred) const {
    const std::size_t count = std::min(data_.rows.rows(), sparse_sample_rows);
    std::vector<float> mean;
    if (centred) mean = mean_of_sparse(data_.rows, count);
    return {mean, PrincipalAxes(sparse_axis_rows(data_.rows, count, mean))};
  }
  void project(const Axes& axes, std::int64_t k, std::int64_t first, std::int64_t count, const Projected& to) const {
    const auto wide = static_cast<std::size_t>(k);
    const SparseProjection row(data_.rows, axes.mean, axes.principal.axes(), static_cast<std::size_t>(axes.found()),
                               wide);
    project_blocks(k, first, count, to, [&](std::size_t begin, std::size_t end, float* coordinates, float* norms) {
      for (std::size_t i = begin; i < end; ++i) norms[i - begin] = row(i, coordinates + (i - begin) * wide);
    });
  }
  void turn_coordinates(Coordinates<Cpu>& result, std::int64_t dimensions) const {
    const std::size_t k = static_cast<std::size_t>(result.width), L = static_cast<std::size_t>(dimensions),
                      points = permutation_.size(), sample = std::min(points, sample_rows);
    const float* rows = result.rows.data();
    std::vector<double> mean(k), gram(k * k);
    for (std::size_t i = 0; i < sample; ++i)
      for (std::size_t a = 0; a < k; ++a) mean[a] += static_cast<double>(rows[i * k + a]) / static_cast<double>(sample);
    for (std::size_t i = 0; i < sample; ++i)
      for (std::size_t a = 0; a < k; ++a)
        for (std::size_t b = 0; b < k; ++b)
          gram[a * k + b] += (rows[i * k + a] - mean[a]) * (rows[i * k + b] - mean[b]);
    const std::vector<float> turn = principal_turn(gram, result.width);
    float* reference = result.reference.data();
    in_parallel(points, 256, [&](std::size_t i) {
      for (std::size_t l = 0; l < L; ++l) {
        float sum = 0;
        for (std::size_t a = 0; l < k && a < k; ++a)
          sum += (rows[i * k + a] - static_cast<float>(mean[a])) * turn[a * k + l];
        reference[i * L + l] = result.scale * sum;
      }
    });
  }

 private:
  SparseOnCpu(Cpu& cpu, const Dataset& data, GlimmerParameters& parameters, const std::vector<std::int32_t>& slots)
      : data_(sparse_by_slot(data, parameters, slots)), metric_(parameters.metric.value()), permutation_(cpu, slots) {}

  SparseBySlot data_;
  Metric metric_;
  Array<std::int32_t, Cpu> permutation_;
};

}  // namespace

template <>
Coordinates<Cpu> make_coordinates(Cpu& cpu, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed,
                                  const std::vector<std::int64_t>& levels) {
  if (const auto feeder = feeder_of(data, parameters))
    return coordinates_of_distances(cpu, *feeder, data, parameters, seed, [&](auto& result, std::size_t size) {
      result.rows = Array<float, Cpu>(cpu, size);
      return result.rows.data();
    });
  if (data.sparse()) return CoordinateMaker<Cpu, SparseOnCpu>(cpu, data, parameters, seed).make(levels);
  return CoordinateMaker<Cpu, DenseOnCpu>(cpu, data, parameters, seed).make(levels);
}

}  // namespace kinescope::sim::glimmer
