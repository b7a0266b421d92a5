// The orientation of a layout. The layout is turned (and mirrored) to lie closest to the data's principal axes, so that
// it stays the same from level to level, from restart to restart, and for any seed (orthogonal Procrustes, P.
// Schönemann 1966).
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/executors/host_device.hpp"
#include "kinescope/executors/run_state.hpp"
#include "kinescope/glimmer/glimmer.hpp"

namespace kinescope::sim::glimmer {

// Sums over points of the position x, of the reference t, and of t xᵀ.
template <int L>
struct OrientationSums {
  double count = 0, x[L] = {}, t[L] = {}, tx[L][L] = {};

  // The terms of one point.
  KINESCOPE_HD static OrientationSums of(const float (&t)[L], const float (&x)[L]) {
    OrientationSums sums;
    sums.count = 1;
    for (int r = 0; r < L; ++r) {
      sums.x[r] = x[r];
      sums.t[r] = t[r];
      for (int c = 0; c < L; ++c) sums.tx[r][c] = double(t[r]) * x[c];
    }
    return sums;
  }
  KINESCOPE_HD friend OrientationSums operator+(OrientationSums a, const OrientationSums& b) {
    a.count += b.count;
    for (int r = 0; r < L; ++r) {
      a.x[r] += b.x[r];
      a.t[r] += b.t[r];
      for (int c = 0; c < L; ++c) a.tx[r][c] += b.tx[r][c];
    }
    return a;
  }
};

template <int L>
struct Orientation {
  double centre[L] = {};
  double rotation[L][L] = {};
};

// Tells where an algorithm keeps its positions: coordinate c of slot i is side[iteration & 1][i · point_stride + c ·
// coordinate_stride].
struct PositionsView {
  const float* side[2] = {};
  std::int64_t point_stride = 0, coordinate_stride = 0;

  KINESCOPE_HD float at(const RunState& run, std::int64_t i, int c) const {
    return side[run.iteration & 1][i * point_stride + c * coordinate_stride];
  }
};

template <int L>
struct SumOrientation {
  const RunState* run;
  PositionsView positions;
  const float* reference;  // [points × L]

  KINESCOPE_HD OrientationSums<L> operator()(std::int64_t i) const {
    float x[L], t[L];
    for (int c = 0; c < L; ++c) x[c] = positions.at(*run, i, c), t[c] = reference[i * L + c];
    return OrientationSums<L>::of(t, x);
  }
};

// A ← (A + A⁻ᵀ)/2 converges to the orthogonal factor of A's polar decomposition (N. Higham 1986).
KINESCOPE_HD inline void polar_step(double (&a)[2][2]) {
  const double determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
  const double b[2][2] = {{a[1][1], -a[1][0]}, {-a[0][1], a[0][0]}};
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) a[r][c] = 0.5 * (a[r][c] + b[r][c] / determinant);
}

KINESCOPE_HD inline void polar_step(double (&a)[3][3]) {
  double cofactor[3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      cofactor[r][c] = a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1];
    }
  const double determinant = a[0][0] * cofactor[0][0] + a[0][1] * cofactor[0][1] + a[0][2] * cofactor[0][2];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) a[r][c] = 0.5 * (a[r][c] + cofactor[r][c] / determinant);
}

template <int L>
struct FinishOrientation {
  Orientation<L>* orientation;

  KINESCOPE_HD void operator()(const OrientationSums<L>& sums) const {
    double a[L][L], size = 0;
    const double count = sums.count > 0 ? sums.count : 1;
    for (int r = 0; r < L; ++r)
      for (int c = 0; c < L; ++c) {
        a[r][c] = sums.tx[r][c] - sums.t[r] * sums.x[c] / count;
        size += a[r][c] * a[r][c];
      }
    // Adds a small multiple of the identity, different for each axis. It decides where the data leave a direction open
    // (a layout on a line, a single point).
    size = size > 0 ? std::sqrt(size) : 1;
    for (int r = 0; r < L; ++r)
      for (int c = 0; c < L; ++c) a[r][c] = a[r][c] / size + (r == c ? 1e-6 * (1 + 0.25 * r) : 0);
    for (int step = 0; step < 60; ++step) polar_step(a);
    bool finite = true;
    for (int r = 0; r < L; ++r)
      for (int c = 0; c < L; ++c) finite = finite && a[r][c] >= -2 && a[r][c] <= 2;
    for (int r = 0; r < L; ++r) {
      orientation->centre[r] = sums.x[r] / count;
      for (int c = 0; c < L; ++c) orientation->rotation[r][c] = finite ? a[r][c] : r == c ? 1 : 0;
    }
  }
};

// Writes the layout, oriented and in the data's units, in the input's order. Points of later levels get NaN and the
// state `absent`.
template <int L>
struct PublishLayout {
  const RunState* run;
  const std::int64_t* level_first;  // slots from here on are new at this level
  PositionsView positions;
  const std::int32_t* permutation;
  const Orientation<L>* orientation;
  float unit;
  float* published;       // [points × L], may be null
  std::uint32_t* states;  // [points], may be null

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t target = permutation[i];
    const bool present = i < run->points;
    if (published)
      for (int r = 0; r < L; ++r) {
        double turned = 0;
        for (int c = 0; c < L; ++c)
          turned += orientation->rotation[r][c] * (positions.at(*run, i, c) - orientation->centre[c]);
        published[target * L + r] = present ? static_cast<float>(turned * unit) : NAN;
      }
    // While a level settles, its new points are shown as arriving.
    const bool arriving = run->level > 1 && i >= *level_first && !run->converged;
    const PointState shown = !present ? PointState::absent : arriving ? PointState::arriving : PointState::placed;
    if (states) states[target] = static_cast<std::uint32_t>(shown);
  }
};

}  // namespace kinescope::sim::glimmer
