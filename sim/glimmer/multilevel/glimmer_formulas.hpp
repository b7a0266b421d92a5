// The formulas of our own Glimmer: random matchings, rounds, and the placing of one point among others.
//
//   symbol   here        meaning
//   δ_ij     delta       distance in the input, scaled so that its root mean square is 1
//   d_ij     d           distance in the layout
//   r_ij     ratio       δ/d
//   u_ij     -           unit vector from j to i in the layout
//   η        eta         matchings: part of a pair's error that one move takes away, 1/2 at most, since both ends move
//   γ        gamma       rounds: part of its Newton step that a point moves
//
// A matching pairs all points disjointly; both ends of each pair move towards the pair's distance,
//   x_i ← x_i − η (d − δ) (x_i − x_j)/d,   x_j ← x_j + η (d − δ) (x_i − x_j)/d,
// which is stochastic gradient descent on the raw stress Σ (d − δ)² without conflicts (compare J. Zheng, S. Pawar, D.
// Goodman, "Graph drawing by stochastic gradient descent", 2018).
//
// In a round every point first measures itself against many others, and then all move (Jacobi):
//   g_i = mean (1 − r)(x_i − x_j),   H_i = mean [(1 − r) I + r u uᵀ],   x_i ← x_i − γ H_i⁻¹ g_i,
// where g and H are half the gradient and half the Hessian of the point's own stress. As nothing has moved yet, Σ (d −
// δ)² of the same pairs is an unbiased figure of the layout.
//
// `S` is one float, or eight on the CPU (kinescope/executors/lanes.hpp).
#pragma once

#include <cstdint>

#include "kinescope/executors/lanes.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/random.hpp"

namespace kinescope::sim::glimmer {

// Added to d², so that coincident points stay where they are instead of dividing by 0.
inline constexpr float tiny_square = 1e-20f;

// a/b and √a. Correctly rounded on the CPU; on CUDA to two units in the last place, because correct rounding takes ten
// times as many instructions there.
template <class S>
KINESCOPE_HD inline S quotient(S a, S b) {
#ifdef __CUDA_ARCH__
  return __fdividef(a, b);
#else
  return a / b;
#endif
}

template <class S>
KINESCOPE_HD inline S root(S a) {
#ifdef __CUDA_ARCH__
  float result;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(a));
  return result;
#else
  return lanes::sqrt(a);
#endif
}

// How δ² of two rows is computed from what is stored for them.
enum class RowFormula : std::int32_t {
  differences,     // Euclidean, all columns: Σ (a − b)²
  products,        // Euclidean, principal coordinates p and the whole rows' squared norms: |a|² + |b|² − 2 p·q
  manhattan,       // all columns: (Σ |a − b|)²
  cosine,          // rows of length 1, or their principal coordinates: (1 − p·q)²
  cosine_squared,  // the same: (1 − p·q)⁴
  matrix           // [points × width] the distances themselves
};

constexpr bool of_angles(RowFormula formula) {
  return formula == RowFormula::cosine || formula == RowFormula::cosine_squared;
}

// δ² from a sum over columns, in the rows' own unit: call add_column for each column, then square_distance.
template <class S>
KINESCOPE_HD inline S add_column(RowFormula formula, S sum, S a, S b) {
  if (formula == RowFormula::differences) {
    const S difference = a - b;
    return lanes::fma(difference, difference, sum);
  }
  if (formula == RowFormula::manhattan) return sum + lanes::abs(a - b);
  return lanes::fma(a, b, sum);
}

template <class S>
KINESCOPE_HD inline S square_distance(RowFormula formula, S sum, S norm_a, S norm_b) {
  if (formula == RowFormula::differences) return sum;
  if (formula == RowFormula::products) return lanes::max(S{} + 0.0f, lanes::fma(S{} - 2.0f, sum, norm_a + norm_b));
  if (formula == RowFormula::manhattan) return sum * sum;
  sum = lanes::max(S{} + 0.0f, S{} + 1.0f - sum);
  return formula == RowFormula::cosine ? sum * sum : sum * sum * (sum * sum);
}

// δ², or 0 for a pair without a distance.
KINESCOPE_HD inline double size_of_pair(float delta) {
  return delta == delta ? static_cast<double>(delta) * delta : 0;
}

// Moves both ends; returns the pair's error d − δ before the move.
template <int L, class S>
KINESCOPE_HD inline S move_pair(S delta, S eta, S (&a)[L], S (&b)[L]) {
  S between[L], square = S{} + tiny_square;
  for (int c = 0; c < L; ++c) {
    between[c] = a[c] - b[c];
    square = lanes::fma(between[c], between[c], square);
  }
  const S d = root(square), error = d - delta, part = quotient(error * eta, d);
  for (int c = 0; c < L; ++c) {
    a[c] = lanes::fma(-part, between[c], a[c]);
    b[c] = lanes::fma(part, between[c], b[c]);
  }
  return error;
}

// Nearly normal, of variance 1: the sum of four uniform numbers is good enough for a start.
KINESCOPE_HD inline float near_normal(const RandomWords& words) {
  const float sum =
      (uniform_float(words[0]) + uniform_float(words[1])) + (uniform_float(words[2]) + uniform_float(words[3]));
  return (sum - 2.0f) * 1.7320508f;
}

// Solves a symmetric L × L system, L = 2 or 3; `a` is the packed upper triangle, row by row. The solution replaces b.
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

// The sums that a point gathers over its partners.
template <int L, class S>
struct PointSums {
  static constexpr int packed = L * (L + 1) / 2;
  S gradient[L] = {}, hessian[packed] = {};  // sums of g and H above; the upper triangle of H
  S error = {}, size = {};                   // Σ (d − δ)², Σ δ²

  KINESCOPE_HD static int diagonal(int c) { return c * L - c * (c - 1) / 2; }
};

// In g and H, δ/d is limited to this value. A pair of coincident points says nothing about directions, and must not
// drown the point's other pairs (found on data with duplicates).
inline constexpr float largest_ratio = 16.0f;

// The terms of one pair for the point at `a`; for the one at b the gradient has the opposite sign.
template <int L, class S>
KINESCOPE_HD inline PointSums<L, S> pair_terms(S delta_square, const S (&a)[L], const S (&b)[L]) {
  PointSums<L, S> terms;
  S between[L], square = S{} + tiny_square;
  for (int c = 0; c < L; ++c) {
    between[c] = a[c] - b[c];
    square = lanes::fma(between[c], between[c], square);
  }
  const S inverse = quotient(S{} + 1.0f, square), true_ratio = root(delta_square * inverse);
  const S miss = S{} + 1.0f - true_ratio, ratio = lanes::min(true_ratio, S{} + largest_ratio);
  terms.error = square * miss * miss;
  terms.size = delta_square;
  const S slope = S{} + 1.0f - ratio, along = ratio * inverse;
  for (int c = 0, entry = 0; c < L; ++c) {
    terms.gradient[c] = slope * between[c];
    const S part = along * between[c];
    for (int e = c; e < L; ++e, ++entry)
      terms.hessian[entry] = e == c ? lanes::fma(part, between[e], slope) : part * between[e];
  }
  return terms;
}

template <int L, class S>
KINESCOPE_HD inline void add_terms(PointSums<L, S>& sums, const PointSums<L, S>& terms) {
  for (int c = 0; c < L; ++c) sums.gradient[c] = sums.gradient[c] + terms.gradient[c];
  for (int e = 0; e < PointSums<L, S>::packed; ++e) sums.hessian[e] = sums.hessian[e] + terms.hessian[e];
  sums.error = sums.error + terms.error;
  sums.size = sums.size + terms.size;
}

// A lower bound of the eigenvalues of the packed symmetric matrix: exact for L = 2; for L = 3 from its trace and norm
// (H. Wolkowicz, G. Styan, "Bounds for eigenvalues using traces", 1980).
template <class S>
KINESCOPE_HD inline S least_eigenvalue(const S (&a)[3]) {
  const S half = (a[0] - a[2]) * 0.5f;
  return (a[0] + a[2]) * 0.5f - lanes::sqrt(lanes::fma(half, half, a[1] * a[1]));
}

template <class S>
KINESCOPE_HD inline S least_eigenvalue(const S (&a)[6]) {
  const S mean = (a[0] + a[3] + a[5]) * (1.0f / 3), x = a[0] - mean, y = a[3] - mean, z = a[5] - mean;
  const S off = lanes::fma(a[1], a[1], lanes::fma(a[2], a[2], a[4] * a[4]));
  const S square = lanes::fma(x, x, lanes::fma(y, y, z * z)) + off * 2.0f;
  return mean - lanes::sqrt(square * (2.0f / 3));
}

// step ← (H + s I)⁻¹ g, where s is the smallest shift that keeps all eigenvalues at or above `floor`.
template <int L, class S>
KINESCOPE_HD inline void newton_step(const S (&hessian)[L * (L + 1) / 2], float floor, S (&step)[L]) {
  S h[L * (L + 1) / 2];
  for (int e = 0; e < L * (L + 1) / 2; ++e) h[e] = hessian[e];
  const S shift = lanes::max(S{} + 0.0f, S{} + floor - least_eigenvalue(h));
  for (int c = 0; c < L; ++c) h[PointSums<L, S>::diagonal(c)] = h[PointSums<L, S>::diagonal(c)] + shift;
  solve_symmetric(h, step);
}

// Lower limits of H's eigenvalues, as parts of the number of partners; the eigenvalues of an average H are about 1/2 of
// it. Found on MNIST.
inline constexpr float round_floor = 0.3f, place_floor = 0.2f;

// A new point starts its search from the linear solution, and from three points around the middle, at this part of the
// root mean square of δ. With a single start, points of high-dimensional data end in worse places (MNIST: stress of the
// newcomers 0.137 with one start, 0.133 with four).
inline constexpr int place_starts = 4;
inline constexpr float start_radius = 0.6f;
// Below this stress a point has a single minimum. Shuttle has 0.004, MNIST 0.13.
inline constexpr float single_minimum = 0.03f;

KINESCOPE_HD inline float start_direction(int start, int c, int L) {
  constexpr float in_plane[3][2] = {{1.0f, 0.0f}, {-0.5f, 0.8660254f}, {-0.5f, -0.8660254f}};
  constexpr float in_space[3][3] = {
      {0.9428090f, 0.0f, 0.3333333f}, {-0.4714045f, 0.8164966f, 0.3333333f}, {-0.4714045f, -0.8164966f, 0.3333333f}};
  return L == 2 ? in_plane[start][c < 2 ? c : 0] : in_space[start][c];
}

// The work spent on a newcomer.
struct PlaceEffort {
  int anchors, few;  // placed points against which it is measured: in all; and in the search
  int search,
      refine;  // Newton steps from each start on the few; on all (one from each start, the others from the best)
};

// The group of threads that sums over the anchors: here one thread, over all of them. In a group of several threads,
// each takes a part (`first`, and every `stride`th from there), and all of them get the sum.
struct Alone {
  int first = 0, stride = 1;

  template <class S>
  KINESCOPE_HD S sum(S value) const {
    return value;
  }
};

// Finds the place of a new point (or of eight), given δ² to `effort.anchors` placed points at `anchor(k, x)`. First
// solves the linear system from differences of squared distances. Then Newton's method on the point's stress goes on
// from there and from three other starts, and the best of them continues.
template <int L, class S, class Anchor, class Delta, class Group = Alone>
KINESCOPE_HD inline void place_point(const PlaceEffort& effort, Anchor anchor, Delta delta_square, S (&x)[L],
                                     const Group& group = {}) {
  constexpr int packed = L * (L + 1) / 2;
  const float share = 1.0f / static_cast<float>(effort.few);
  S mean[L] = {}, offset = {}, trace = {}, a[packed] = {}, b[L] = {}, p[L];
  for (int k = group.first; k < effort.few; k += group.stride) {
    anchor(k, p);
    for (int c = 0; c < L; ++c) mean[c] = lanes::fma(p[c], S{} + share, mean[c]);
  }
  for (S& value : mean) value = group.sum(value);
  const auto centred = [&](int k) {
    anchor(k, p);
    S square = {};
    for (int c = 0; c < L; ++c) {
      p[c] = p[c] - mean[c];
      square = lanes::fma(p[c], p[c], square);
    }
    return square;
  };
  for (int k = group.first; k < effort.few; k += group.stride)
    offset = lanes::fma(centred(k) - delta_square(k), S{} + share, offset);
  offset = group.sum(offset);
  for (int k = group.first; k < effort.few; k += group.stride) {
    const S square = centred(k), right = (square - delta_square(k) - offset) * 0.5f;
    trace = trace + square;
    for (int c = 0, entry = 0; c < L; ++c) {
      b[c] = lanes::fma(p[c], right, b[c]);
      for (int e = c; e < L; ++e, ++entry) a[entry] = lanes::fma(p[c], p[e], a[entry]);
    }
  }
  trace = group.sum(trace);
  for (S& value : a) value = group.sum(value);
  for (S& value : b) value = group.sum(value);
  const S ridge = trace * 1e-4f + 1e-12f;  // for anchors on a line, which leave one direction open
  for (int c = 0; c < L; ++c) a[PointSums<L, S>::diagonal(c)] = a[PointSums<L, S>::diagonal(c)] + ridge;
  solve_symmetric(a, b);
  // One step of Newton's method over the first `count` anchors; returns the sums before it.
  const auto step = [&](int count, S(&y)[L]) {
    PointSums<L, S> sums;
    for (int k = group.first; k < count; k += group.stride) {
      anchor(k, p);
      add_terms(sums, pair_terms<L>(delta_square(k), y, p));
    }
    for (S& value : sums.gradient) value = group.sum(value);
    for (S& value : sums.hessian) value = group.sum(value);
    sums.error = group.sum(sums.error);
    sums.size = group.sum(sums.size);
    newton_step<L>(sums.hessian, place_floor * static_cast<float>(count), sums.gradient);
    for (int c = 0; c < L; ++c) y[c] = y[c] - sums.gradient[c];
    return sums;
  };
  S best = {};
  for (int start = 0; start < place_starts; ++start) {
    S y[L], error = {}, size = {};
    for (int c = 0; c < L; ++c)
      y[c] = start == 0 ? mean[c] + b[c] : mean[c] + start_radius * start_direction(start - 1, c, L);
    for (int k = 0; k <= effort.search; ++k) {
      const PointSums<L, S> sums = step(effort.few, y);
      error = sums.error;
      size = sums.size;
      // Data that fit into the layout's dimensions are placed exactly by the linear solution.
      if (start == 0 && lanes::all(lanes::below(error, sums.size * 1e-9f + 1e-30f))) {
        for (int c = 0; c < L; ++c) x[c] = y[c];
        return;
      }
    }
    // All anchors decide which minimum is the best: the few may hold none of the points that matter (far outliers).
    if (effort.refine > 0) {
      const PointSums<L, S> sums = step(effort.anchors, y);
      error = sums.error;
      size = sums.size;
    }
    // If the stress is low, a point has only one minimum, to which the other starts would lead too.
    const bool single = start == 0 && lanes::all(lanes::below(error, size * single_minimum));
    const auto better = lanes::below(error, best);
    for (int c = 0; c < L; ++c) x[c] = start == 0 ? y[c] : lanes::select(better, y[c], x[c]);
    best = start == 0 ? error : lanes::min(error, best);
    if (single) break;
  }
  for (int k = 1; k < effort.refine; ++k) step(effort.anchors, x);
}

}  // namespace kinescope::sim::glimmer
