#include "sim/glimmer/symmetric_eigen.hpp"

#include <Eigen/Eigenvalues>

namespace kinescope::sim::glimmer {

SymmetricEigen symmetric_eigen(const std::vector<double>& matrix, std::int64_t n) {
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::Map<const Square>(matrix.data(), n, n));
  const Eigen::VectorXd values = solver.eigenvalues().reverse();
  const Square vectors = solver.eigenvectors().rowwise().reverse();
  return {{values.data(), values.data() + n}, {vectors.data(), vectors.data() + n * n}};
}

}  // namespace kinescope::sim::glimmer
