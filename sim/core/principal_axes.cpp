
#include "sim/core/principal_axes.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <utility>

#include "kinescope/in_parallel.hpp"
#include "kinescope/random.hpp"

namespace kinescope::sim {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<const Matrix>;
using Part = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;

// Eigen takes long to compile a product for each combination of operand types, so all products here go through these
// two functions.
Matrix product(const Part& a, const Part& b) {
  return a * b;
}
Matrix transposed_product(const Part& a, const Part& b) {
  return a.transpose() * b;
}

constexpr Eigen::Index block = 512;     // rows per task
constexpr Eigen::Index qr_rows = 2048;  // rows that are made orthonormal at a time

// Sums f(rows of the block) over the blocks in their order.
template <class F>
Matrix sum_over_blocks(const Rows& rows, F f) {
  const Eigen::Index blocks = (rows.rows() + block - 1) / block;
  std::vector<Matrix> parts(static_cast<std::size_t>(blocks));
  in_parallel(parts.size(), 1, [&](std::size_t part) {
    const Eigen::Index b = static_cast<Eigen::Index>(part) * block;
    parts[part] = f(rows.middleRows(b, std::min(block, rows.rows() - b)));
  });
  for (std::size_t b = 1; b < parts.size(); ++b) parts[0] += parts[b];
  return std::move(parts[0]);
}

class DenseAxisRows : public AxisRows {
 public:
  DenseAxisRows(std::vector<float> values, std::int64_t columns) : values_(std::move(values)), columns_(columns) {}

  std::int64_t columns() const override { return columns_; }
  void multiply(const float* basis, std::int64_t count, float* to) const override {
    const Rows vectors(basis, columns_, count);
    Eigen::Map<Matrix>(to, columns_, count) =
        sum_over_blocks(rows(), [&](const Part& part) { return transposed_product(part, product(part, vectors)); });
  }
  void gram(const float* basis, std::int64_t count, double* to) const override {
    const Rows vectors(basis, columns_, count);
    const Matrix sum = sum_over_blocks(rows(), [&](const Part& part) {
      const Matrix image = product(part, vectors);
      return transposed_product(image, image);
    });
    std::copy_n(sum.data(), sum.size(), to);
  }

 private:
  Rows rows() const { return {values_.data(), static_cast<Eigen::Index>(values_.size()) / columns_, columns_}; }

  std::vector<float> values_;
  std::int64_t columns_;
};

}  // namespace

std::unique_ptr<AxisRows> dense_axis_rows(std::vector<float> rows, std::int64_t columns) {
  return std::make_unique<DenseAxisRows>(std::move(rows), columns);
}

SymmetricEigen symmetric_eigen(const std::vector<double>& matrix, std::int64_t n) {
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::Map<const Square>(matrix.data(), n, n));
  const Eigen::VectorXd values = solver.eigenvalues().reverse();
  const Square vectors = solver.eigenvectors().rowwise().reverse();
  return {{values.data(), values.data() + n}, {vectors.data(), vectors.data() + n * n}};
}

std::vector<float> principal_turn(const std::vector<double>& gram, std::int64_t count) {
  const std::vector<double> turn = symmetric_eigen(gram, count).vectors;
  return {turn.begin(), turn.end()};
}

namespace {

// An orthonormal basis of the space that the columns span. If there are many rows, each block of rows is factorized
// first (QR), then the stacked R factors of the blocks (J. Demmel, L. Grigori, M. Hoemmen, J. Langou,
// "Communication-optimal parallel and sequential QR", 2012).
Matrix orthonormal(const Matrix& columns) {
  const Eigen::Index rows = columns.rows(), count = columns.cols(), blocks = rows / qr_rows;
  const auto basis_of = [](const Eigen::HouseholderQR<Matrix>& qr, Eigen::Index height) {
    return Matrix(qr.householderQ() * Matrix::Identity(height, qr.matrixQR().cols()));
  };
  if (blocks < 2 || qr_rows < count) return basis_of(Eigen::HouseholderQR<Matrix>(columns), rows);
  Matrix basis(rows, count), left(blocks * count, count);
  const auto each_block = [&](auto f) {
    in_parallel(static_cast<std::size_t>(blocks), 1, [&](std::size_t number) {
      const auto b = static_cast<Eigen::Index>(number);
      f(b, b * qr_rows, b + 1 == blocks ? rows - b * qr_rows : qr_rows);
    });
  };
  each_block([&](Eigen::Index b, Eigen::Index first, Eigen::Index height) {
    const Eigen::HouseholderQR<Matrix> qr(columns.middleRows(first, height));
    left.middleRows(b * count, count) = qr.matrixQR().topRows(count).template triangularView<Eigen::Upper>();
    basis.middleRows(first, height) = basis_of(qr, height);
  });
  const Matrix turn = basis_of(Eigen::HouseholderQR<Matrix>(left), left.rows());
  each_block([&](Eigen::Index b, Eigen::Index first, Eigen::Index height) {
    basis.middleRows(first, height) = product(basis.middleRows(first, height), turn.middleRows(b * count, count));
  });
  return basis;
}

}  // namespace

PrincipalAxes::PrincipalAxes(std::unique_ptr<AxisRows> rows) : rows_(std::move(rows)), columns_(rows_->columns()) {}

void PrincipalAxes::find(std::int64_t wanted) {
  const Eigen::Index count = std::min<Eigen::Index>(wanted + spare_axes, columns_);
  Matrix basis(columns_, count);
  if (count == columns_) {
    basis.setIdentity();
  } else {
    const Random random(1, stream_axes);
    for (Eigen::Index c = 0; c < columns_; ++c)
      for (Eigen::Index a = 0; a < count; ++a)
        basis(c, a) = a < found_ ? axes_[static_cast<std::size_t>(c * found_ + a)]
                                 : random.uniform(static_cast<std::uint64_t>(c), static_cast<std::uint32_t>(a)) - 0.5f;
    for (int pass = 0; pass < axis_passes; ++pass) {
      Matrix image(columns_, count);
      rows_->multiply(basis.data(), count, image.data());
      basis = orthonormal(image);
    }
  }
  std::vector<double> gram(static_cast<std::size_t>(count * count));
  rows_->gram(basis.data(), count, gram.data());
  const SymmetricEigen eigen = symmetric_eigen(gram, count);
  const std::vector<float> turn(eigen.vectors.begin(), eigen.vectors.end());
  Matrix axes = product(basis, Rows(turn.data(), count, count)).leftCols(count == columns_ ? count : wanted);
  for (Eigen::Index a = 0; a < axes.cols(); ++a) {
    Eigen::Index largest = 0;
    axes.col(a).cwiseAbs().maxCoeff(&largest);
    if (axes(largest, a) < 0) axes.col(a) *= -1.0f;  // an eigenvector's sign is arbitrary; this fixes it
  }
  found_ = axes.cols();
  axes_.assign(axes.data(), axes.data() + axes.size());
  squares_.assign(eigen.values.begin(), eigen.values.begin() + found_);
}

}  // namespace kinescope::sim
