#include "sim/glimmer/coordinates/distance_matrix.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>

#include "sim/core/error.hpp"
#include "sim/glimmer/in_parallel.hpp"

namespace kinescope::sim::glimmer {
namespace {

std::string place(std::size_t row, std::size_t column) {
  return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
}

// What is wrong with row i, or "".
std::string complaint(const Dataset& data, std::size_t i, float allowed) {
  const std::size_t n = data.points;
  for (std::size_t j = 0; j < n; ++j) {
    const float value = data.values[i * n + j], other = data.values[j * n + i];
    if (value < 0) return place(i, j) + ": a distance is negative";
    if (i == j && value != 0) return place(i, j) + ": a point has a distance from itself";
    if (std::abs(value - other) > allowed)
      return place(i, j) + " and " + place(j, i) + " differ, and should be one distance";
  }
  return "";
}

}  // namespace

MatrixBySlot matrix_by_slot(const Dataset& data, GlimmerParameters& parameters,
                            const std::vector<std::int32_t>& permutation) {
  const std::size_t n = data.points;
  const auto refuse = [&](const std::string& why) { throw input_error(data.name + ": metric=matrix: " + why); };
  if (data.sparse) refuse("sparse rows are no table of distances");
  if (!data.rows_left_out.empty())
    refuse("distances are missing, the first in line " + std::to_string(data.rows_left_out.front()) +
           "; each pair needs one");
  if (data.dimensions != n)
    refuse("as many columns as rows are needed, found " + std::to_string(n) + " rows and " +
           std::to_string(data.dimensions) + " columns");
  if (parameters.normalize.value() != Normalization::none) refuse("distances are not normalized by columns");
  const float largest = *std::max_element(data.values.begin(), data.values.end());
  std::vector<std::string> complaints(n);
  in_parallel(n, 16, [&](std::size_t i) { complaints[i] = complaint(data, i, 1e-5f * largest); });
  for (const std::string& each : complaints)
    if (!each.empty()) refuse(each);
  MatrixBySlot result;
  if (largest > 0) result.unit = largest;
  const std::size_t stride = (n + 3) / 4 * 4;
  result.stride = static_cast<std::int32_t>(stride);
  result.values.resize(n * stride);
  in_parallel(n, 16, [&](std::size_t a) {
    const auto i = static_cast<std::size_t>(permutation[a]);
    for (std::size_t b = 0; b < n; ++b) {
      const auto j = static_cast<std::size_t>(permutation[b]);
      result.values[a * stride + b] = 0.5f * (data.values[i * n + j] + data.values[j * n + i]) / result.unit;
    }
  });
  return result;
}

std::vector<float> reference_of(const MatrixBySlot& matrix, std::size_t points, std::size_t L) {
  const auto stride = static_cast<std::size_t>(matrix.stride), m = std::min<std::size_t>(points, 512);
  const auto square = [&](std::size_t i, std::size_t j) {
    return double(matrix.values[i * stride + j]) * matrix.values[i * stride + j];
  };
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m));
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) mean[static_cast<Eigen::Index>(i)] += square(i, j) / static_cast<double>(m);
  Eigen::MatrixXd gram(mean.size(), mean.size());
  for (Eigen::Index i = 0; i < gram.rows(); ++i)
    for (Eigen::Index j = 0; j < gram.cols(); ++j)
      gram(i, j) =
          -0.5 * (square(static_cast<std::size_t>(i), static_cast<std::size_t>(j)) - mean[i] - mean[j] + mean.mean());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  std::vector<float> result(points * L);
  for (std::size_t l = 0; l < std::min(L, m); ++l) {
    const Eigen::Index axis = gram.rows() - 1 - static_cast<Eigen::Index>(l);
    const double length = solver.eigenvalues()[axis];
    if (length <= 0) break;
    Eigen::VectorXd along = solver.eigenvectors().col(axis);
    Eigen::Index most = 0;
    along.cwiseAbs().maxCoeff(&most);
    along *= (along[most] < 0 ? -0.5 : 0.5) / std::sqrt(length);  // an eigenvector's sign is arbitrary; this fixes it
    in_parallel(points, 64, [&](std::size_t i) {
      double sum = 0;
      for (std::size_t j = 0; j < m; ++j)
        sum += along[static_cast<Eigen::Index>(j)] * (mean[static_cast<Eigen::Index>(j)] - square(i, j));
      result[i * L + l] = static_cast<float>(sum);
    });
  }
  return result;
}

}  // namespace kinescope::sim::glimmer
