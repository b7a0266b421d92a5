#include "sim/k_means/screen/shown_columns.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/random.hpp"
#include "sim/k_means/prepare.hpp"

namespace kinescope::sim::k_means {
namespace {

constexpr std::size_t axis_count = 3, most_sampled = 4096, most_numbers = std::size_t{1} << 24;
constexpr int tried = 8, rounds = 30;
constexpr std::uint32_t axis_stream = 0x6178;

// Subspace iteration (H. Rutishauser, 1970) on the covariance of evenly chosen points, without forming it.
struct PrincipalAxes {
  std::vector<float> directions;  // [3 × dimensions]
  std::vector<double> shares;     // of the variance, 0 … 1
};

PrincipalAxes principal_axes(const Dataset& data, const std::vector<float>& centre) {
  const std::size_t d = data.dimensions, step = (data.points + most_sampled - 1) / most_sampled;
  const std::size_t sampled = (data.points + step - 1) / step;
  const auto rows = static_cast<Eigen::Index>(sampled), columns = static_cast<Eigen::Index>(d);
  Eigen::MatrixXf offsets(rows, columns);
  for (std::size_t i = 0; i < sampled; ++i)
    for (std::size_t c = 0; c < d; ++c)
      offsets(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c)) = data.values[i * step * d + c] - centre[c];
  const Eigen::Index kept = std::min<Eigen::Index>(tried, columns);
  Eigen::MatrixXf basis(columns, kept);
  const Random random(1, axis_stream);
  for (Eigen::Index e = 0; e < basis.size(); ++e)
    basis.data()[e] = random.uniform(static_cast<std::uint64_t>(e)) - 0.5f;
  for (int round = 0; round < rounds; ++round) {
    basis = Eigen::HouseholderQR<Eigen::MatrixXf>(basis).householderQ() * Eigen::MatrixXf::Identity(columns, kept);
    if (round + 1 < rounds) basis = (offsets.transpose() * (offsets * basis)).eval();
  }
  const Eigen::MatrixXf within = offsets * basis;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXf> solver(within.transpose() * within);
  const Eigen::MatrixXf vectors = basis * solver.eigenvectors();  // ascending
  const double total = offsets.cast<double>().squaredNorm();
  PrincipalAxes axes;
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    Eigen::VectorXf direction = vectors.col(kept - 1 - static_cast<Eigen::Index>(axis));
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction(largest) < 0) direction = -direction;  // fixes the sign, which would depend on the machine
    axes.directions.insert(axes.directions.end(), direction.data(), direction.data() + direction.size());
    const double along = solver.eigenvalues()(kept - 1 - static_cast<Eigen::Index>(axis));
    axes.shares.push_back(total > 0 ? std::clamp(along / total, 0.0, 1.0) : 0.0);
  }
  return axes;
}

}  // namespace

ShownColumns shown_columns(const Dataset& data, const std::vector<float>& centre) {
  ShownColumns shown;
  shown.dimensions = data.dimensions;
  shown.centre = centre;
  std::size_t own = data.dimensions;
  if (data.dimensions > axis_count) {
    PrincipalAxes found = principal_axes(data, centre);
    shown.axes = std::move(found.directions);
    for (std::size_t axis = 0; axis < axis_count; ++axis)
      shown.names.push_back("axis " + std::to_string(axis + 1) + " (" +
                            std::to_string(std::lround(100 * found.shares[axis])) + " % of variance)");
    const std::size_t room = most_numbers / std::max<std::size_t>(1, data.points);
    own = std::min(own, room > axis_count ? room - axis_count : 0);
  }
  for (std::size_t c = 0; c < own; ++c) shown.names.push_back(column_name(data, c));
  return shown;
}

std::vector<float> ShownColumns::project(const float* values, std::size_t rows) const {
  std::vector<float> projected;
  projected.reserve(rows * count());
  const std::size_t along_axes = axes.size() / dimensions, own = count() - along_axes;
  for (const float* row = values; row != values + rows * dimensions; row += dimensions) {
    for (std::size_t axis = 0; axis < along_axes; ++axis) {
      float sum = 0;
      for (std::size_t c = 0; c < dimensions; ++c) sum += (row[c] - centre[c]) * axes[axis * dimensions + c];
      projected.push_back(sum);
    }
    projected.insert(projected.end(), row, row + own);
  }
  return projected;
}

}  // namespace kinescope::sim::k_means
