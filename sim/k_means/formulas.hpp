// k-means (S. Lloyd, 1982; D. Arthur and S. Vassilvitskii, "k-means++", 2007), the formulas on plain values.
//
//   N, d, K     points, columns, clusters
//   x_i, c_k    points and centroids, float32
//   D²(i, k)    Σ_c (x_ic − c_kc)², a fused multiply-add a column in the columns' order, from 0
//   label(i)    the k with the least D²(i, k), the lowest of equal ones
//   S_kc, n_k   Σ of x_ic over the points of cluster k, and their number; c_k ← S_k / n_k
//
// A run has converged once Σ_k |Δc_k|² ≤ tolerance · (mean of the columns' variances), which is also scikit-learn's
// rule, or once no label changes. The second rule needs no comparison of labels: S is exact, so equal labels give equal
// centroids, and Σ is 0. Conversely, centroids that do not move leave all labels as they were.
//
// The published program ends a run once Σ_k |Δc_k|² ≤ 0.001 Σ_k |Δc_k|² of the iteration before. One far jump makes the
// next movement look small, so such a run may end before it has converged. It is then not reported as converged.
//
// The order of summation in D² defines the labels: every code path uses it, or proves that another value leads to the
// same label. S adds whole numbers: x_ic · 2^e_c, rounded. e_c is chosen for each column so that a value has 42 bits,
// or fewer if the sum of N values would not fit in 64 bits (38 for 10^7 points). So sums do not depend on any order,
// and the sums over parts of the points add up to those over all of them.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "kinescope/executors/host_device.hpp"
#include "kinescope/executors/lanes.hpp"

namespace kinescope::sim::k_means {

// All points, or a part of them. Memory holds panels of 128 points, and within a panel one column after the other, so
// that neighbouring lanes or threads read neighbouring values of one column. Places past the last point hold zeros.
inline constexpr int panel = 128;

struct Points {
  const float* x = nullptr;  // [panels × dimensions × 128]
  std::int64_t count = 0;    // points in this part; N if it holds all
  int dimensions = 0;        // d
  std::int64_t first = 0;    // the number of the first among all points, a multiple of 128
  std::int64_t total = 0;    // N

  KINESCOPE_HD std::int64_t panels() const { return (count + panel - 1) / panel; }
  KINESCOPE_HD const float* first_column(std::int64_t i) const {  // of point i; the next column is 128 further on
    return x + i / panel * panel * dimensions + i % panel;
  }
};

// Adds one column's term of D² to `sum`.
template <class S>
KINESCOPE_HD inline S add_square(S sum, S x, S c) {
  const S difference = x - c;
  return lanes::fma(difference, difference, sum);
}

KINESCOPE_HD inline float squared_distance(const float* x, const float* centroid, int dimensions) {
  float sum = 0;
  for (int c = 0; c < dimensions; ++c) sum = add_square(sum, x[c * panel], centroid[c]);
  return sum;
}

struct Nearest {
  std::uint32_t label;
  float square;
};

// The nearest of `clusters` centroids, [clusters × d] row-major; label 0 if every distance overflows.
KINESCOPE_HD inline Nearest nearest(const float* x, const float* centroids, int clusters, int dimensions) {
  Nearest best{0, std::numeric_limits<float>::infinity()};
  for (int k = 0; k < clusters; ++k) {
    const float square = squared_distance(x, centroids + static_cast<std::int64_t>(k) * dimensions, dimensions);
    if (square < best.square) best = {static_cast<std::uint32_t>(k), square};
  }
  return best;
}

inline constexpr int fixed_bits = 42;

// `scale` is a power of two.
KINESCOPE_HD inline std::int64_t to_fixed(float value, float scale) {
#if defined(__CUDA_ARCH__)
  // Devices convert to 64 bits slowly, so this splits the value into multiples of 2^20 and a rest, by adding numbers
  // whose last bit is worth that much.
  const float whole = value * scale, coarse = whole + 0x1.8p43f, rest = whole - (coarse - 0x1.8p43f);
  const int high = __float_as_int(coarse) - __float_as_int(0x1.8p43f);
  const int low = __float_as_int(rest + 0x1.8p23f) - __float_as_int(0x1.8p23f);
  return static_cast<std::int64_t>(high) * (1 << 20) + low;
#else
  return lanes::whole(value * scale);
#endif
}

KINESCOPE_HD inline std::int64_t to_fixed(double value, double scale) {
  return lanes::whole(value * scale);
}

// k-means++ draws the next centroid from the points with probabilities proportional to w_i, the squared distance to the
// nearest centroid so far; greedy k-means++ draws several candidates so, and keeps the one that leaves the least Σ w_i
// (Arthur and Vassilvitskii, section 6). The squares are rounded to multiples of a quantum, 2^-50 of a bound of their
// sum. So sums of them in float64 are exact in any order.
inline constexpr int most_candidates = 10;
inline constexpr int group = 128;                  // panels whose sums are added to one
inline constexpr int most_greedy_clusters = 4096;  // more are drawn by k-means‖ (candidates.hpp)

// 2 + ⌊ln K⌋, as the paper recommends; 1 beyond most_greedy_clusters.
inline int candidates_for(int clusters) {
  return clusters > most_greedy_clusters ? 1 : 2 + static_cast<int>(std::log(clusters));
}

inline constexpr double least_inertia_limit = 1e-280;  // its scale in fixed point, and its quantum, are finite

// The quantum for sums of at most `bound`. It is a power of two.
KINESCOPE_HD inline double quantum_for(double bound) {
  int exponent = 0;
  std::frexp(bound > least_inertia_limit ? bound : least_inertia_limit, &exponent);  // bound < 2^exponent
  return std::ldexp(1.0, exponent - 50);
}

// `value` rounded to a multiple of the quantum, with a `magic` of 1.5 · 2^52 quanta.
template <class Value>
KINESCOPE_HD inline Value to_quanta(Value value, Value magic) {
  return (value + magic) - magic;
}

// What the candidates would leave of the potential.
struct Potentials {
  double sum[most_candidates] = {};

  KINESCOPE_HD friend Potentials operator+(Potentials a, const Potentials& b) {
    for (int j = 0; j < most_candidates; ++j) a.sum[j] += b.sum[j];
    return a;
  }
};

// Streams of random numbers: of draws one at a time, and of a round of k-means‖.
inline constexpr std::uint32_t start_stream = 0x6B6D, round_stream = 0x6B72;

}  // namespace kinescope::sim::k_means
