// The steps of coordinate_maker.hpp on CUDA.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "sim/core/executors/cpu.hpp"
#include "sim/glimmer/coordinates/coordinates_cuda.cuh"
#include "sim/glimmer/coordinates/dense_rows_cuda.cuh"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/coordinates/sparse_rows_cuda.cuh"

namespace kinescope::sim::glimmer {

// RowsCuda is DenseRowsCuda or SparseRowsCuda.
template <class RowsCuda>
class CudaSteps {
 public:
  static constexpr bool keeps_rows = RowsCuda::keeps_rows;
  using Axes = typename RowsCuda::Axes;

  CudaSteps(Cuda& cuda, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
      : cuda_(cuda),
        points_(static_cast<std::int64_t>(data.points)),
        L_(static_cast<int>(parameters.output_dimensions.value())),
        seed_(seed),
        rows_(cuda, data, parameters, seed),
        pairs_(data.points),
        delta_(cuda, static_cast<std::size_t>(pairs_.count())) {
    cuda_.for_each("distances", pairs_.count(), cuda_kernels::ProbeDistance{rows_.view(), pairs_, delta_.data()});
  }

  std::int64_t points() const { return points_; }
  float unit() const { return rows_.unit(); }

  double mean_square() {
    if (pairs_.count() == 0) return 0;
    Array<double, Cuda> sum(cuda_, 1);
    cuda_.reduce("distances", pairs_.count(), 0.0, cuda_kernels::SquareOfDistance{delta_.data()},
                 Store<double>{sum.data()});
    return sum.download().front() / static_cast<double>(pairs_.count());
  }

  Axes axes(bool centred) { return rows_.axes(centred); }

  ProbeSums probe(Axes& axes, RowFormula formula) {
    if (pairs_.count() == 0) return {};
    Array<float, Cuda> projected(cuda_, static_cast<std::size_t>(pairs_.points * axes.found())),
        norms(cuda_, static_cast<std::size_t>(pairs_.points));
    rows_.project(axes, axes.found(), pairs_.first, pairs_.points, {projected.data(), axes.found(), norms.data()});
    return sum_probe({pairs_, formula, delta_.data(), projected.data(), norms.data(), axes.found(), L_});
  }

  void project(Axes& axes, std::int64_t k, bool reference, Coordinates<Cuda>& result) {
    result.width = (k + 3) / 4 * 4;
    result.rows = Array<float, Cuda>(cuda_, static_cast<std::size_t>(points_ * result.width));
    result.norms = Array<float, Cuda>(cuda_, static_cast<std::size_t>(points_));
    if (reference) result.reference = Array<float, Cuda>(cuda_, static_cast<std::size_t>(points_ * L_));
    rows_.project(axes, k, 0, points_,
                  {result.rows.data(), result.width, result.norms.data(), result.reference.data(), result.scale, L_});
  }

  void refer(Axes& axes, Coordinates<Cuda>& result) {
    result.reference = Array<float, Cuda>(cuda_, static_cast<std::size_t>(points_ * L_));
    if (axes.found() < L_)  // fewer columns than the layout has dimensions
      result.reference.upload(std::vector<float>(static_cast<std::size_t>(points_ * L_)));
    rows_.project(axes, std::min<std::int64_t>(L_, axes.found()), 0, points_,
                  {nullptr, 0, nullptr, result.reference.data(), result.scale, L_});
  }

  ProbeSums refer_to_coordinates(Coordinates<Cuda>& result) {
    using namespace cuda_kernels;
    const std::int64_t k = result.width, count = std::min(points_, static_cast<std::int64_t>(sample_rows));
    Array<float, Cuda> sample(cuda_, static_cast<std::size_t>(count * k));
    cuda_.for_each("reference", count * k, Copy<float>{result.rows.data(), sample.data()});
    const Array<float, Cuda> mean = take_off_mean(cuda_, sample.data(), count, k);
    Array<double, Cuda> gram(cuda_, static_cast<std::size_t>(k * k));
    glimmer::multiply_by_itself(cuda_, sample.data(), count, static_cast<int>(k), gram.data());
    const Array<float, Cuda> turn(cuda_, principal_turn(gram.download(), k));
    result.reference = Array<float, Cuda>(cuda_, static_cast<std::size_t>(points_ * L_));
    cuda_.for_each(
        "reference", points_ * L_,
        TurnCoordinates{result.rows.data(), mean.data(), turn.data(), k, L_, result.scale, result.reference.data()});
    if (pairs_.count() == 0) return {};
    ProbeSums sums = sum_probe(
        {pairs_, result.formula, delta_.data(), result.reference.data() + pairs_.first * L_, nullptr, L_, L_});
    sums.product *= result.scale;  // the distances are not yet in the layout's units
    return sums;
  }

  void copy_rows(Coordinates<Cuda>& result) {
    if constexpr (keeps_rows) rows_.copy(result);
  }

  // Finds the tail on the host. If there is none, only the norms of coordinates are copied there.
  Tail tail(const std::vector<std::int64_t>& levels, const Coordinates<Cuda>& result, bool exact) {
    std::vector<float> norms;
    if (result.formula == RowFormula::products) {
      norms = result.norms.download();
      if (!has_tail(norms)) return {};
    }
    const std::vector<std::int32_t> permutation = rows_.permutation().download();
    const std::vector<float> rows = result.rows.download();
    return rows_.tail({result.formula, result.scale, result.width, permutation, rows, norms}, exact, seed_, levels);
  }

  void hold_out(const std::vector<std::int64_t>& levels, Coordinates<Cuda>& result) {
    result.held_out_each = held_out_pairs;
    result.held_out = Array<HeldOutPair, Cuda>(cuda_, levels.size() * held_out_pairs);
    const Array<std::int64_t, Cuda> counts(cuda_, levels);
    cuda_.for_each(
        "held-out pairs", static_cast<std::int64_t>(result.held_out.size()),
        cuda_kernels::HoldOut{rows_.view(), result.formula, seed_, counts.data(), result.width, result.rows.data(),
                              result.norms.data(), result.scale, result.held_out.data()});
    cuda_.wait();
  }

  Coordinates<Cuda> take(Coordinates<Cuda> result) {
    result.permutation = rows_.take_permutation();
    return result;
  }

 private:
  ProbeSums sum_probe(const SumProbe& probe) {
    Array<ProbeSums, Cuda> sums(cuda_, static_cast<std::size_t>(pairs_.count())), sum(cuda_, 1);
    cuda_.for_each("probe", pairs_.count(), cuda_kernels::ProbePair{probe, sums.data()});
    cuda_.launch("probe", {cuda_kernels::probe_values, reduction_block}, cuda_kernels::sum_probe,
                 reinterpret_cast<const double*>(sums.data()), pairs_.count(), reinterpret_cast<double*>(sum.data()));
    return sum.download().front();
  }

  Cuda& cuda_;
  std::int64_t points_;
  int L_;
  std::uint64_t seed_;
  RowsCuda rows_;
  ProbePairs pairs_;
  Array<double, Cuda> delta_;
};

namespace {

// Makes coordinates from the distances of some sources. Their rows stay in the host's memory (DistancePages sends
// them).
Coordinates<Cuda> coordinates_of_sources(Cuda& cuda, const DistanceFeeder& feeder, const Dataset& data,
                                         GlimmerParameters& parameters, std::uint64_t seed, const Sources& from) {
  const std::int64_t sources = from.all;
  const std::vector<std::int32_t> permutation = slots_of(data.points, seed);
  Coordinates<Cuda> result{Array<std::int32_t, Cuda>(cuda, permutation), RowFormula::matrix,
                           (static_cast<std::int64_t>(data.points) + 3) / 4 * 4};
  result.sources = sources, result.landmarks = from.landmarks;
  float* rows = nullptr;
  CUDA_CHECK(cudaMallocHost(&rows, static_cast<std::size_t>(sources * result.width) * sizeof(float)));
  result.host_rows = std::shared_ptr<float>(rows, cudaFreeHost);
  const ScopedSpan span(cuda.trace(), "distances by need");
  const float largest = take_distances(feeder, data.name, permutation, sources, result.width, rows);
  const DistanceFrame frame = fit_scale(rows, result.width, data.points, static_cast<std::size_t>(sources),
                                        static_cast<std::size_t>(parameters.output_dimensions.value()), largest);
  result.unit = frame.unit, result.reference_scale = frame.reference_scale;
  result.reference = Array<float, Cuda>(cuda, frame.reference);
  return result;
}

}  // namespace

template <>
Coordinates<Cuda> make_coordinates(Cuda& cuda, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed,
                                   const std::vector<std::int64_t>& levels) {
  std::size_t free = 0, total = 0;
  cuda.make_current();
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  const auto feeder = feeder_of(data, parameters);
  if (feeder) {
    const auto n = static_cast<std::int64_t>(data.points);
    const Sources sources = Sources::of(n, parameters.landmarks.value());
    if (sources.landmarks < n) return coordinates_of_sources(cuda, *feeder, data, parameters, seed, sources);
  }
  if (!feeder && data.sparse && 3 * data.sparse->bytes() <= free / 2)
    return coordinates_by_steps<CudaSteps<SparseRowsCuda>>(cuda, data, parameters, seed, levels);
  if (!feeder && !data.sparse && data.values.size() * sizeof(float) <= free / 2)
    return coordinates_by_steps<CudaSteps<DenseRowsCuda>>(cuda, data, parameters, seed, levels);
  std::optional<ScopedSpan> span;
  if (feeder) span.emplace(cuda.trace(), "distances by need");
  Cpu cpu(0);
  const Coordinates<Cpu> host = make_coordinates(cpu, data, parameters, seed, levels);
  const auto upload = [&]<class T>(const Array<T, Cpu>& values) {
    if (values.size() == 0) return Array<T, Cuda>();
    return Array<T, Cuda>(cuda, std::span<const T>(values.data(), values.size()));
  };
  const auto width = static_cast<std::size_t>(host.width), wide = (width + 3) / 4 * 4;
  Coordinates<Cuda> result{upload(host.permutation), host.formula, static_cast<std::int64_t>(wide)};
  std::vector<float> rows(data.points * wide);
  for (std::size_t i = 0; i < data.points; ++i) std::copy_n(host.rows.data() + i * width, width, &rows[i * wide]);
  result.rows = Array<float, Cuda>(cuda, rows);
  result.norms = upload(host.norms);
  result.reference = upload(host.reference);
  result.held_out = upload(host.held_out);
  result.sources = host.sources, result.landmarks = host.landmarks;
  result.held_out_each = host.held_out_each;
  result.tail = host.tail;
  result.scale = host.scale, result.unit = host.unit, result.reference_scale = host.reference_scale;
  return result;
}

}  // namespace kinescope::sim::glimmer
