#include "sim/glimmer/prepare.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include "sim/core/error.hpp"
#include "sim/core/permutation.hpp"
#include "sim/glimmer/force_kernels.hpp"

namespace kinescope::sim::glimmer {
namespace {

template <class F>
void parallel_rows(std::size_t count, F f) {
  oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, count, 2048), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) f(i);
  });
}

// The first L principal axes [stride × L] of rows by slot, from as many of the first slots (a random sample) as cost
// little. Through the smaller of the two Gram matrices, so that neither many points nor many dimensions cost.
Eigen::MatrixXf principal_axes(const std::vector<float>& values, std::size_t points, std::int32_t stride, int L) {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto width = static_cast<std::size_t>(stride);
  const std::size_t affordable = 5'000'000 / (width * width);
  const auto sample = static_cast<Eigen::Index>(std::min(points, std::max<std::size_t>(affordable, 512)));
  Matrix x = Eigen::Map<const Matrix>(values.data(), sample, stride);
  x.rowwise() -= x.colwise().mean().eval();
  const bool few_columns = stride <= sample;
  const Eigen::MatrixXf gram = few_columns ? Eigen::MatrixXf(x.transpose() * x) : Eigen::MatrixXf(x * x.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXf> solver(gram);
  Eigen::MatrixXf axes = Eigen::MatrixXf::Zero(stride, L);
  for (int l = 0; l < L && l < gram.rows(); ++l) {
    const Eigen::VectorXf vector = solver.eigenvectors().col(gram.rows() - 1 - l);
    Eigen::VectorXf axis = few_columns ? vector : Eigen::VectorXf(x.transpose() * vector);
    const float length = axis.norm();
    if (!(length > 0)) continue;
    axis /= length;
    Eigen::Index largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    axes.col(l) =
        axis(largest) < 0 ? Eigen::VectorXf(-axis) : axis;  // an eigenvector's sign is nobody's; this one is ours
  }
  return axes;
}

void scale_to_unit_length(float* row, std::int32_t stride) {
  double square = 0;
  for (std::int32_t c = 0; c < stride; ++c) square += double(row[c]) * row[c];
  if (square > 0)
    for (std::int32_t c = 0; c < stride; ++c) row[c] = static_cast<float>(row[c] / std::sqrt(square));
}

}  // namespace

Prepared prepare(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed) {
  const std::size_t n = data.points, h = data.dimensions;
  const int L = static_cast<int>(parameters.output_dimensions.value());
  const bool cosine = parameters.metric.value() == Metric::cosine;
  const ColumnSums sums = sum_columns(data);
  const Normalization normalize = parameters.normalize.value();
  std::vector<ColumnScale> columns = column_scales(sums, normalize);
  if (normalize == Normalization::none && !cosine)
    for (std::size_t c = 0; c < h; ++c) columns[c].offset = sums.mean[c];
  double widest = 0;
  for (std::size_t c = 0; c < h; ++c)
    widest = std::max(widest, (sums.maximum[c] - sums.minimum[c]) * columns[c].factor);
  if (!(widest < 1e36))
    throw input_error(data.name + ": its range is too wide for float32; try --set normalize=minmax");
  Prepared prepared;
  prepared.unit = cosine || !(widest > 0) ? 1.0f : static_cast<float>(widest);
  prepared.stride = static_cast<std::int32_t>((std::max<std::size_t>(h, 1) + 3) / 4 * 4);
  prepared.permutation.resize(n);
  prepared.values.resize(n * static_cast<std::size_t>(prepared.stride));
  const double to_internal = cosine || !(widest > 0) ? 1.0 : 1.0 / widest;
  const Permutation permutation(n, seed * 2 + stream_permutation);
  parallel_rows(n, [&](std::size_t slot) {
    const std::size_t source = permutation(slot);
    prepared.permutation[slot] = static_cast<std::int32_t>(source);
    float* row = prepared.values.data() + slot * static_cast<std::size_t>(prepared.stride);
    for (std::size_t c = 0; c < h; ++c)
      row[c] = static_cast<float>((data.values[source * h + c] - columns[c].offset) * columns[c].factor * to_internal);
    if (cosine) scale_to_unit_length(row, prepared.stride);
  });
  const Eigen::MatrixXf axes = principal_axes(prepared.values, n, prepared.stride, L);
  prepared.reference.resize(n * static_cast<std::size_t>(L));
  parallel_rows(n, [&](std::size_t slot) {
    const Eigen::Map<const Eigen::VectorXf> row(
        prepared.values.data() + slot * static_cast<std::size_t>(prepared.stride), prepared.stride);
    for (int l = 0; l < L; ++l) prepared.reference[slot * static_cast<std::size_t>(L) + l] = row.dot(axes.col(l));
  });
  return prepared;
}

std::vector<Stage> plan_stages(std::int64_t points, GlimmerParameters& parameters) {
  std::vector<std::int64_t> sizes = {points};
  const bool glimmer = parameters.algorithm.value() == LayoutAlgorithm::glimmer;
  const bool single = parameters.algorithm.value() == LayoutAlgorithm::stochastic_force ||
                      (glimmer && points <= parameters.single_level.value());
  if (!single)
    while (sizes.back() >= std::max(parameters.minimum_level.value(), parameters.decimation.value()))
      sizes.push_back(sizes.back() / parameters.decimation.value());
  std::reverse(sizes.begin(), sizes.end());
  std::vector<Stage> stages;
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    const auto number = static_cast<std::int32_t>(level + 1);
    const std::int64_t known = level > 0 ? sizes[level - 1] : 0;
    if (level > 0) stages.push_back({sizes[level], known, known, number, Phase::interpolate});
    stages.push_back({sizes[level], 0, known, number, Phase::relax});
  }
  return stages;
}

std::vector<float> termination_filter(int window) {
  // Cut-off (in cycles an iteration): the thesis is silent; this one passes what changes over about half the window.
  const double cutoff = 2.0 / window, centre = 0.5 * window;
  std::vector<double> low_pass(static_cast<std::size_t>(window) + 2, 0.0);
  double sum = 0;
  for (int k = 0; k <= window; ++k) {
    const double x = k - centre, hann = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * k / window);
    const double sinc = x == 0 ? 2 * cutoff : std::sin(2 * std::numbers::pi * cutoff * x) / (std::numbers::pi * x);
    low_pass[static_cast<std::size_t>(k)] = sinc * hann;
    sum += low_pass[static_cast<std::size_t>(k)];
  }
  std::vector<float> taps;
  for (int k = 0; k <= window; ++k)
    taps.push_back(
        static_cast<float>((low_pass[static_cast<std::size_t>(k) + 1] - low_pass[static_cast<std::size_t>(k)]) / sum));
  return taps;
}

}  // namespace kinescope::sim::glimmer
