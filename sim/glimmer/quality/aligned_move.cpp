#include "kinescope/glimmer/aligned_move.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace kinescope::sim::glimmer {

double aligned_move(std::span<const float> before, std::span<const float> after) {
  Eigen::Matrix2Xd a(2, before.size() / 2), b(2, before.size() / 2);
  Eigen::Index count = 0;
  for (std::size_t i = 0; i + 1 < before.size(); i += 2) {
    if (!std::isfinite(before[i]) || !std::isfinite(after[i])) continue;
    a.col(count) << before[i], before[i + 1];
    b.col(count++) << after[i], after[i + 1];
  }
  if (count == 0) return 0;
  a.conservativeResize(2, count), b.conservativeResize(2, count);
  a.colwise() -= a.rowwise().mean().eval(), b.colwise() -= b.rowwise().mean().eval();
  // The greatest trace of a rotation or reflection times a bᵀ is the sum of its singular values.
  const double size = a.squaredNorm(), trace = Eigen::Matrix2d(a * b.transpose()).jacobiSvd().singularValues().sum();
  return size > 0 ? std::sqrt(std::max(0.0, size + b.squaredNorm() - 2 * trace) / size) : 0;
}

}  // namespace kinescope::sim::glimmer
