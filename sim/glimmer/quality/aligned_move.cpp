#include "sim/glimmer/quality/aligned_move.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace kinescope::sim::glimmer {

double aligned_move(std::span<const float> before, std::span<const float> after) {
  double mean[4] = {}, count = 0;
  const auto both = [&](std::size_t i) { return std::isfinite(before[2 * i]) && std::isfinite(after[2 * i]); };
  for (std::size_t i = 0; i < before.size() / 2; ++i)
    if (both(i)) {
      for (std::size_t c = 0; c < 2; ++c) mean[c] += before[2 * i + c], mean[2 + c] += after[2 * i + c];
      ++count;
    }
  if (count == 0) return 0;
  for (double& value : mean) value /= count;
  double m[2][2] = {}, a_square = 0, b_square = 0;
  for (std::size_t i = 0; i < before.size() / 2; ++i)
    if (both(i)) {
      const double a[2] = {before[2 * i] - mean[0], before[2 * i + 1] - mean[1]},
                   b[2] = {after[2 * i] - mean[2], after[2 * i + 1] - mean[3]};
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 2; ++c) m[r][c] += a[r] * b[c];
      a_square += a[0] * a[0] + a[1] * a[1], b_square += b[0] * b[0] + b[1] * b[1];
    }
  // The greatest trace of a rotation or reflection times m is the sum of m's singular values.
  const double squares = m[0][0] * m[0][0] + m[0][1] * m[0][1] + m[1][0] * m[1][0] + m[1][1] * m[1][1];
  const double trace = std::sqrt(squares + 2 * std::abs(m[0][0] * m[1][1] - m[0][1] * m[1][0]));
  return a_square > 0 ? std::sqrt(std::max(0.0, a_square + b_square - 2 * trace) / a_square) : 0;
}

}  // namespace kinescope::sim::glimmer
