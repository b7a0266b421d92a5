// The steps to coordinates on CUDA.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "sim/core/executors/cpu.hpp"
#include "sim/glimmer/coordinates/coordinate_kernels.cuh"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/coordinates/slots.hpp"

namespace kinescope::sim::glimmer {

class CudaSteps {
 public:
  static constexpr bool keeps_rows = true;

  class Axes {
   public:
    Axes(Cuda& cuda, Array<float, Cuda> sample, Array<float, Cuda> mean, std::int64_t rows, std::int64_t columns)
        : cuda_(cuda), sample_(std::move(sample)), mean_(std::move(mean)), rows_(rows), columns_(columns) {}

    void find(std::int64_t wanted);
    std::int64_t found() const { return found_; }
    const float* mean() const { return mean_.data(); }
    const float* axes() const { return axes_.data(); }

   private:
    // to [m × n] = A B, or Aᵀ B
    template <bool Turned>
    void multiply(const float* a, const float* b, std::int64_t m, std::int64_t inner, std::int64_t n, float* to);
    void multiply_by_itself(const float* z, std::int64_t rows, int n);

    Cuda& cuda_;
    Array<float, Cuda> sample_, mean_, axes_, parts_;
    Array<double, Cuda> gram_;
    std::int64_t rows_, columns_, found_ = 0;
  };

  CudaSteps(Cuda& cuda, const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
      : cuda_(cuda),
        points_(static_cast<std::int64_t>(data.points)),
        columns_(static_cast<std::int64_t>(data.dimensions)),
        L_(static_cast<int>(parameters.output_dimensions.value())),
        seed_(seed),
        formula_(formula_of(parameters.metric.value())),
        values_(cuda, data.values),
        permutation_(cuda, data.points),
        scaling_(data, parameters, column_sums(parameters.normalize.value() == Normalization::zscore)),
        offset_(cuda, scaling_.offset()),
        factor_(cuda, scaling_.factor()),
        pairs_(data.points),
        delta_(cuda, static_cast<std::size_t>(pairs_.count())) {
    using namespace cuda_kernels;
    cuda_.for_each("slots", points_,
                   DrawSlots{Permutation(data.points, seed * 2 + stream_permutation), permutation_.data()});
    if (scaling_.unit_length()) {
      inverse_length_ = Array<double, Cuda>(cuda, data.points);
      cuda_.launch("lengths", {static_cast<unsigned>(parts_of(points_, threads / 32)), threads}, inverse_lengths,
                   rows(), points_, inverse_length_.data());
    }
    cuda_.for_each("distances", pairs_.count(), ProbeDistance{rows(), pairs_, formula_, delta_.data()});
  }

  std::int64_t points() const { return points_; }
  float unit() const { return scaling_.unit(); }

  double mean_square() {
    if (pairs_.count() == 0) return 0;
    Array<double, Cuda> sum(cuda_, 1);
    cuda_.reduce("distances", pairs_.count(), 0.0, cuda_kernels::SquareOfDistance{delta_.data()},
                 Store<double>{sum.data()});
    return sum.download().front() / static_cast<double>(pairs_.count());
  }

  Axes axes(bool centred) {
    using namespace cuda_kernels;
    const auto count =
        static_cast<std::int64_t>(sample_size(static_cast<std::size_t>(points_), static_cast<std::size_t>(columns_)));
    Array<float, Cuda> sample(cuda_, static_cast<std::size_t>(count * columns_)),
        mean(cuda_, static_cast<std::size_t>(columns_));
    cuda_.for_each("sample", count * columns_, CopyRows{rows(), columns_, sample.data()});
    if (centred) {
      const Array<ColumnPart, Cuda> totals = sum_columns(sample.data(), count, nullptr);
      cuda_.for_each("sample", columns_, MeanOfColumn{totals.data(), static_cast<double>(count), mean.data()});
      cuda_.for_each("sample", count * columns_, TakeOffMean{mean.data(), columns_, sample.data()});
    } else {
      mean.upload(std::vector<float>(static_cast<std::size_t>(columns_)));
    }
    return {cuda_, std::move(sample), std::move(mean), count, columns_};
  }

  ProbeSums probe(const Axes& axes, RowFormula formula) {
    if (pairs_.count() == 0) return {};
    Array<float, Cuda> projected(cuda_, static_cast<std::size_t>(pairs_.points * axes.found())),
        norms(cuda_, static_cast<std::size_t>(pairs_.points));
    project_slots(axes, axes.found(), pairs_.first, pairs_.points, {projected.data(), norms.data()});
    Array<ProbeSums, Cuda> sums(cuda_, static_cast<std::size_t>(pairs_.count())), sum(cuda_, 1);
    cuda_.for_each(
        "probe", pairs_.count(),
        cuda_kernels::ProbePair{{pairs_, formula, delta_.data(), projected.data(), norms.data(), axes.found(), L_},
                                sums.data()});
    cuda_.launch("probe", {cuda_kernels::probe_values, reduction_block}, cuda_kernels::sum_probe,
                 reinterpret_cast<const double*>(sums.data()), pairs_.count(), reinterpret_cast<double*>(sum.data()));
    return sum.download().front();
  }

  void project(const Axes& axes, std::int64_t k, bool reference, Coordinates<Cuda>& result) {
    result.width = k;
    result.rows = Array<float, Cuda>(cuda_, static_cast<std::size_t>(points_ * k));
    result.norms = Array<float, Cuda>(cuda_, static_cast<std::size_t>(points_));
    if (reference) result.reference = Array<float, Cuda>(cuda_, static_cast<std::size_t>(points_ * L_));
    project_slots(axes, k, 0, points_,
                  {result.rows.data(), result.norms.data(), result.reference.data(), result.scale, L_});
  }

  void refer(const Axes& axes, Coordinates<Cuda>& result) {
    result.reference = Array<float, Cuda>(cuda_, static_cast<std::size_t>(points_ * L_));
    if (axes.found() < L_)  // fewer columns than the layout has dimensions
      result.reference.upload(std::vector<float>(static_cast<std::size_t>(points_ * L_)));
    project_slots(axes, std::min<std::int64_t>(L_, axes.found()), 0, points_,
                  {nullptr, nullptr, result.reference.data(), result.scale, L_});
  }

  void copy_rows(Coordinates<Cuda>& result) {
    result.width = (columns_ + 3) / 4 * 4;
    result.rows = Array<float, Cuda>(cuda_, static_cast<std::size_t>(points_ * result.width));
    cuda_.for_each("copy", points_ * result.width, cuda_kernels::CopyRows{rows(), result.width, result.rows.data()});
  }

  // Finds the tail on the host. If there is none, only the norms of coordinates are copied there.
  Tail tail(const std::vector<std::int64_t>& levels, const Coordinates<Cuda>& result, bool exact) {
    std::vector<float> norms;
    if (result.formula == RowFormula::products) {
      norms = result.norms.download();
      if (!has_tail(norms)) return {};
    }
    const std::vector<std::int32_t> permutation = permutation_.download();
    const std::vector<float> rows = result.rows.download();
    return find_tail(DenseSlots{scaling_, permutation, static_cast<std::size_t>(columns_), formula_},
                     {result.formula, result.scale, result.width, permutation, rows, norms}, exact, seed_, levels);
  }

  void hold_out(const std::vector<std::int64_t>& levels, Coordinates<Cuda>& result) {
    result.held_out_each = held_out_pairs;
    result.held_out = Array<HeldOutPair, Cuda>(cuda_, levels.size() * held_out_pairs);
    const Array<std::int64_t, Cuda> counts(cuda_, levels);
    cuda_.for_each(
        "held-out pairs", static_cast<std::int64_t>(result.held_out.size()),
        cuda_kernels::HoldOut{rows(), formula_, result.formula, seed_, counts.data(), result.width, result.rows.data(),
                              result.norms.data(), result.scale, result.held_out.data()});
    cuda_.wait();
  }

  Coordinates<Cuda> take(Coordinates<Cuda> result) {
    result.permutation = std::move(permutation_);
    return result;
  }

 private:
  cuda_kernels::ScaledRows rows() const {
    return {values_.data(), permutation_.data(), offset_.data(), factor_.data(), inverse_length_.data(), columns_};
  }

  Array<cuda_kernels::ColumnPart, Cuda> sum_columns(const float* values, std::int64_t count, const double* mean) {
    using namespace cuda_kernels;
    const std::int64_t parts = parts_of(count, column_rows);
    const auto wide = static_cast<unsigned>(parts_of(columns_, 32));
    Array<ColumnPart, Cuda> all(cuda_, static_cast<std::size_t>(parts * columns_)),
        totals(cuda_, static_cast<std::size_t>(columns_));
    cuda_.launch("columns", {dim3(static_cast<unsigned>(parts), wide), dim3(32, threads / 32)}, column_parts, values,
                 count, columns_, mean, all.data());
    cuda_.launch("columns", {wide, dim3(32, 32)}, finish_columns, all.data(), parts, columns_, totals.data());
    cuda_.wait();
    return totals;
  }

  ColumnSums column_sums(bool deviations) {
    ColumnSums sums;
    const auto count = static_cast<double>(points_);
    for (const cuda_kernels::ColumnPart& part : sum_columns(values_.data(), points_, nullptr).download()) {
      sums.minimum.push_back(part.minimum), sums.maximum.push_back(part.maximum);
      sums.mean.push_back(part.sum / count), sums.deviation.push_back(0);
    }
    if (!deviations) return sums;
    const Array<double, Cuda> mean(cuda_, sums.mean);
    const std::vector<cuda_kernels::ColumnPart> parts = sum_columns(values_.data(), points_, mean.data()).download();
    for (std::size_t c = 0; c < parts.size(); ++c) sums.deviation[c] = std::sqrt(parts[c].sum / count);
    return sums;
  }

  void project_slots(const Axes& axes, std::int64_t k, std::int64_t first, std::int64_t count,
                     const cuda_kernels::Projected& to) {
    using namespace cuda_kernels;
    cuda_.launch("project",
                 {dim3(static_cast<unsigned>(parts_of(count, 64)), static_cast<unsigned>(parts_of(k, 64))), threads},
                 cuda_kernels::project, rows(), axes.mean(), axes.axes(), axes.found(), k, first, count, to);
  }

  Cuda& cuda_;
  std::int64_t points_, columns_;
  int L_;
  std::uint64_t seed_;
  RowFormula formula_;
  Array<float, Cuda> values_;  // as in the dataset
  Array<std::int32_t, Cuda> permutation_;
  RowScaling scaling_;
  Array<double, Cuda> offset_, factor_, inverse_length_;
  ProbePairs pairs_;
  Array<double, Cuda> delta_;
};

template <bool Turned>
void CudaSteps::Axes::multiply(const float* a, const float* b, std::int64_t m, std::int64_t inner, std::int64_t n,
                               float* to) {
  using namespace cuda_kernels;
  const std::int64_t parts = parts_of(inner, inner_part);
  if (const auto size = static_cast<std::size_t>(parts * m * n); parts_.size() < size)
    parts_ = Array<float, Cuda>(cuda_, size);
  cuda_.launch("axes",
               {dim3(static_cast<unsigned>(parts_of(m, 64)), static_cast<unsigned>(parts_of(n, 64)),
                     static_cast<unsigned>(parts)),
                threads},
               cuda_kernels::multiply<Turned>, a, b, m, inner, n, parts_.data());
  cuda_.for_each("axes", m * n, SumParts{parts_.data(), parts, m * n, to});
}

void CudaSteps::Axes::multiply_by_itself(const float* z, std::int64_t rows, int n) {
  using namespace cuda_kernels;
  cuda_.launch("axes", {static_cast<unsigned>(parts_of(std::int64_t{n} * n, threads / 32)), threads},
               cuda_kernels::multiply_by_itself, z, rows, n, gram_.data());
}

// Like PrincipalAxes::find, but orthonormal by Cholesky's factors.
void CudaSteps::Axes::find(std::int64_t wanted) {
  using namespace cuda_kernels;
  const std::int64_t count = std::min(wanted + spare_axes, columns_), found = count == columns_ ? count : wanted;
  const auto n = static_cast<int>(count);
  Array<float, Cuda> basis(cuda_, static_cast<std::size_t>(columns_ * count)),
      image(cuda_, static_cast<std::size_t>(rows_ * count));
  gram_ = Array<double, Cuda>(cuda_, static_cast<std::size_t>(count * count));
  const bool whole = count == columns_;
  cuda_.for_each("axes", columns_ * count, StartBasis{axes_.data(), found_, count, whole, basis.data()});
  const std::size_t bytes = static_cast<std::size_t>(count * count) * sizeof(double);
  const bool in_shared = bytes <= 48 << 10;
  for (int pass = 0; pass < (whole ? 0 : axis_passes); ++pass) {
    multiply<false>(sample_.data(), basis.data(), rows_, columns_, count, image.data());
    multiply<true>(sample_.data(), image.data(), columns_, rows_, count, basis.data());
    multiply_by_itself(basis.data(), columns_, n);
    cuda_.launch("axes", {1, threads, in_shared ? bytes : 0}, factor, gram_.data(), n, in_shared);
    cuda_.for_each("axes", columns_, Orthonormalize{gram_.data(), n, basis.data()});
  }
  multiply<false>(sample_.data(), basis.data(), rows_, columns_, count, image.data());
  multiply_by_itself(image.data(), rows_, n);
  const Array<float, Cuda> turn(cuda_, principal_turn(gram_.download(), count));
  axes_ = Array<float, Cuda>(cuda_, static_cast<std::size_t>(columns_ * found));
  cuda_.launch("axes", {static_cast<unsigned>(found), threads}, turn_axes, basis.data(), turn.data(), columns_, n,
               static_cast<int>(found), axes_.data());
  found_ = found;
  cuda_.wait();
}

namespace {

// Distances from some of the points. Their rows stay in the host's memory (DistancePages sends them).
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
  if (!feeder && !data.sparse && data.values.size() * sizeof(float) <= free / 2)
    return coordinates_by_steps<CudaSteps>(cuda, data, parameters, seed, levels);
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
