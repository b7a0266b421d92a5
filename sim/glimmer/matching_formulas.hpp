// The formulas of our own Glimmer: random matchings, multilateration, step sizes.
//
//   symbol   here        meaning
//   δ_ij     delta       distance in the input, scaled so that its root mean square is 1
//   d_ij     d           distance in the layout
//   η        eta         part of a pair's error that one move takes away: 1/2 at most, since both ends move
//
// A matching pairs all points disjointly; both ends of each pair move towards the pair's distance,
//   x_i ← x_i − η (d − δ) (x_i − x_j)/d,   x_j ← x_j + η (d − δ) (x_i − x_j)/d,
// which is stochastic gradient descent on the raw stress Σ (d − δ)² without conflicts (compare J. Zheng, S. Pawar, D.
// Goodman, "Graph drawing by stochastic gradient descent", 2018). η is held while the stress falls fast and then decays
// as t^-0.6, the positions meanwhile averaged with growing weights (B. Polyak, A. Juditsky 1992), so that the noise of
// the last moves averages out.
//
// `S` is one float, or eight on the CPU (sim/core/lanes.hpp).
#pragma once

#include <cstdint>

#include "sim/core/lanes.hpp"
#include "sim/core/random.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

// Added to d², so that coincident points stay where they are instead of dividing by 0.
inline constexpr float tiny_square = 1e-20f;

// δ from a sum over dimensions: add_dimension for each, then finish_distance.
template <class S>
KINESCOPE_HD inline S add_dimension(Metric metric, S sum, S a, S b) {
  switch (metric) {
    case Metric::euclidean: {
      const S difference = a - b;
      return lanes::fma(difference, difference, sum);
    }
    case Metric::manhattan:
      return sum + lanes::abs(a - b);
    case Metric::cosine:
      return lanes::fma(a, b, sum);
  }
  return sum;
}

template <class S>
KINESCOPE_HD inline S finish_distance(Metric metric, S sum) {
  if (metric == Metric::euclidean) return lanes::sqrt(sum);
  if (metric == Metric::cosine) return lanes::max(S{} + 0.0f, S{} + 1.0f - sum);
  return sum;
}

// Moves both ends; the pair's error d − δ before the move.
template <int L, class S>
KINESCOPE_HD inline S move_pair(S delta, S eta, S (&a)[L], S (&b)[L]) {
  S between[L], square = S{} + tiny_square;
  for (int c = 0; c < L; ++c) {
    between[c] = a[c] - b[c];
    square = lanes::fma(between[c], between[c], square);
  }
  const S d = lanes::sqrt(square), error = d - delta, part = error * eta / d;
  for (int c = 0; c < L; ++c) {
    a[c] = lanes::fma(-part, between[c], a[c]);
    b[c] = lanes::fma(part, between[c], b[c]);
  }
  return error;
}

// η after t matchings of which the first `hold` were held.
KINESCOPE_HD inline float decayed(float start, std::int64_t t, std::int64_t hold, float halving) {
  if (t < hold) return start;
  return start * powf(1.0f + static_cast<float>(t - hold) / halving, -0.6f);
}

// About normal, of variance 1: four uniform numbers are normal enough for a start.
KINESCOPE_HD inline float near_normal(const RandomWords& words) {
  const float sum =
      (uniform_float(words[0]) + uniform_float(words[1])) + (uniform_float(words[2]) + uniform_float(words[3]));
  return (sum - 2.0f) * 1.7320508f;
}

// A symmetric L × L system, L = 2 or 3; the packed upper triangle of `a` by rows. The solution replaces b.
template <class S>
KINESCOPE_HD inline void solve_symmetric(const S (&a)[3], S (&b)[2]) {
  const S inverse = (S{} + 1.0f) / (a[0] * a[2] - a[1] * a[1]);
  const S x = (a[2] * b[0] - a[1] * b[1]) * inverse, y = (a[0] * b[1] - a[1] * b[0]) * inverse;
  b[0] = x;
  b[1] = y;
}

template <class S>
KINESCOPE_HD inline void solve_symmetric(const S (&a)[6], S (&b)[3]) {  // L D Lᵀ
  const S inverse0 = (S{} + 1.0f) / a[0], l1 = a[1] * inverse0, l2 = a[2] * inverse0;
  const S d1 = a[3] - l1 * a[1], m = a[4] - l1 * a[2], inverse1 = (S{} + 1.0f) / d1, l3 = m * inverse1;
  const S d2 = a[5] - l2 * a[2] - l3 * m;
  const S y1 = b[1] - l1 * b[0], y2 = b[2] - l2 * b[0] - l3 * y1;
  const S z = y2 / d2, y = y1 * inverse1 - l3 * z, x = b[0] * inverse0 - l1 * y - l2 * z;
  b[0] = x;
  b[1] = y;
  b[2] = z;
}

inline constexpr int anchors = 16;  // placed points that a newcomer is measured from

// Where a point with distances `delta` to the anchors at `p` belongs: the linear system of the squared distances, all
// relative to the anchors' mean, then three steps of Newton's method on the stress, its second-order term kept
// positive.
template <int L, class S>
KINESCOPE_HD inline void multilaterate(const S (&p)[anchors][L], const S (&delta)[anchors], S (&x)[L]) {
  constexpr int packed = L * (L + 1) / 2;
  constexpr float share = 1.0f / anchors;
  S mean[L] = {}, a[packed] = {}, b[L] = {}, offset = {}, trace = {};
  for (int k = 0; k < anchors; ++k)
    for (int c = 0; c < L; ++c) mean[c] = mean[c] + p[k][c] * share;
  const auto centred = [&](int k, S(&q)[L]) {
    S square = {};
    for (int c = 0; c < L; ++c) {
      q[c] = p[k][c] - mean[c];
      square = lanes::fma(q[c], q[c], square);
    }
    return square;
  };
  S q[L];
  for (int k = 0; k < anchors; ++k) offset = offset + (centred(k, q) - delta[k] * delta[k]) * share;
  for (int k = 0; k < anchors; ++k) {
    const S square = centred(k, q), right = (square - delta[k] * delta[k] - offset) * 0.5f;
    trace = trace + square;
    int entry = 0;
    for (int c = 0; c < L; ++c) {
      b[c] = lanes::fma(q[c], right, b[c]);
      for (int e = c; e < L; ++e, ++entry) a[entry] = lanes::fma(q[c], q[e], a[entry]);
    }
  }
  const S ridge = trace * 1e-4f + 1e-20f;  // anchors on a line leave a direction open
  for (int c = 0, entry = 0; c < L; entry += L - c, ++c) a[entry] = a[entry] + ridge;
  solve_symmetric(a, b);
  for (int c = 0; c < L; ++c) x[c] = mean[c] + b[c];
  for (int step = 0; step < 3; ++step) {
    for (S& value : a) value = S{};
    for (S& value : b) value = S{};
    for (int k = 0; k < anchors; ++k) {
      S square = S{} + tiny_square;
      for (int c = 0; c < L; ++c) {
        q[c] = x[c] - p[k][c];
        square = lanes::fma(q[c], q[c], square);
      }
      const S inverse = (S{} + 1.0f) / lanes::sqrt(square), slope = S{} + 1.0f - delta[k] * inverse;
      const S round = lanes::max(slope, S{} + 0.1f), along = S{} + 1.0f - round;
      int entry = 0;
      for (int c = 0; c < L; ++c) {
        b[c] = lanes::fma(slope, q[c], b[c]);
        a[entry] = a[entry] + round;
        const S u = q[c] * inverse * along;
        for (int e = c; e < L; ++e, ++entry) a[entry] = lanes::fma(u, q[e] * inverse, a[entry]);
      }
    }
    solve_symmetric(a, b);
    for (int c = 0; c < L; ++c) x[c] = x[c] - b[c];
  }
}

}  // namespace kinescope::sim::glimmer
