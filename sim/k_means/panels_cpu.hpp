// Labels of the points of a panel on the CPU. SIMD lanes compare 32 points at a time with two centroids, or three.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kinescope/executors/lanes.hpp"
#include "sim/k_means/formulas.hpp"
#include "sim/k_means/products_cpu.hpp"

namespace kinescope::sim::k_means {

// The labels of the points of one panel.
struct PanelLabels {
  alignas(32) std::int32_t label[panel];
  alignas(32) float square[panel];
};

// The squared distances between some points, whose columns are `stride` apart, and some centroids, [centroids × d].
template <int centroids, int vectors, int stride = panel>
inline void strip_squares(const float* column, const float* centroid, std::int64_t d,
                          lanes::Float8 (&sum)[centroids][vectors]) {
  lanes::Float8 own[centroids][vectors] = {};  // in registers, if the loops are unrolled
  for (std::int64_t c = 0; c < d; ++c, column += stride) {
#pragma GCC unroll 8
    for (int k = 0; k < centroids; ++k) {
      const lanes::Float8 value = lanes::broadcast(centroid[k * d + c]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v)
        own[k][v] = add_square(own[k][v], lanes::load<lanes::Float8>(column + 8 * v), value);
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < centroids; ++k)
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sum[k][v] = own[k][v];
}

// Compares a strip's points with `rows` centroids from number k on.
template <int rows, int vectors, int stride>
inline void enter_centroids(const float* x, const float* centroids, int k, int d, lanes::Float8 (&best)[vectors],
                            lanes::Int8 (&label)[vectors]) {
  lanes::Float8 square[rows][vectors];
  strip_squares<rows, vectors, stride>(x, centroids + static_cast<std::int64_t>(k) * d, d, square);
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      const lanes::Int8 nearer = square[r][v] < best[v];
      best[v] = nearer ? square[r][v] : best[v];
      label[v] = nearer ? lanes::Int8{} + (k + r) : label[v];
    }
}

// The nearest centroids of a strip's points, whose columns are `stride` apart.
template <int stride>
inline void nearest_of_strip(const float* x, const float* centroids, int clusters, int dimensions, float* square,
                             std::int32_t* labels) {
  constexpr int rows = 4, vectors = 2;  // eight sums: as many as keep the processor's adders busy
  for (int first = 0; first < strip; first += 8 * vectors) {
    lanes::Float8 best[vectors];
    lanes::Int8 label[vectors] = {};
    for (lanes::Float8& each : best) each = lanes::broadcast(std::numeric_limits<float>::infinity());
    int k = 0;
    for (; k + rows <= clusters; k += rows)
      enter_centroids<rows, vectors, stride>(x + first, centroids, k, dimensions, best, label);
    for (; k + 2 <= clusters; k += 2)
      enter_centroids<2, vectors, stride>(x + first, centroids, k, dimensions, best, label);
    if (k < clusters) enter_centroids<1, vectors, stride>(x + first, centroids, k, dimensions, best, label);
    for (int v = 0; v < vectors; ++v) {
      lanes::store(square + first + 8 * v, best[v]);
      *reinterpret_cast<lanes::Int8*>(labels + first + 8 * v) = label[v];
    }
  }
}

inline void nearest_of_panel(const float* x, const float* centroids, int clusters, int dimensions, PanelLabels& out) {
  for (int first = 0; first < panel; first += strip)
    nearest_of_strip<panel>(x + first, centroids, clusters, dimensions, out.square + first, out.label + first);
}

// nearer_of_panel computes D² only where products do not prove that no point x of a strip is nearer to a row than its
// present square (products_cpu.hpp, with m = 0).
inline float start_of_row(const float* row, int dimensions) {  // s
  double square = 0;
  for (int c = 0; c < dimensions; ++c) square += static_cast<double>(row[c]) * row[c];
  return start_score(square, dimensions);
}

inline constexpr int screened = 3;  // rows at a time

// Whether some point of a strip may be nearer to rows k, k + 1, … of `count`: one bit for each.
template <int vectors>
inline int possibly_nearer(const float* x, const float* rows, const float* starts, int k, int count, int d,
                           const lanes::Float8 (&least)[vectors]) {
  using lanes::Float8;
  const int k1 = std::min(k + 1, count - 1), k2 = std::min(k + 2, count - 1);
  const float* r0 = rows + static_cast<std::int64_t>(k) * d;
  const float *r1 = rows + static_cast<std::int64_t>(k1) * d, *r2 = rows + static_cast<std::int64_t>(k2) * d;
  Float8 t0[vectors], t1[vectors], t2[vectors];
#pragma GCC unroll 4
  for (int v = 0; v < vectors; ++v) {
    t0[v] = lanes::broadcast(starts[k]);
    t1[v] = lanes::broadcast(starts[k1]);
    t2[v] = lanes::broadcast(starts[k2]);
  }
  for (int c = 0; c < d; ++c, x += panel) {
    const Float8 b0 = -lanes::broadcast(r0[c]), b1 = -lanes::broadcast(r1[c]), b2 = -lanes::broadcast(r2[c]);
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      const Float8 value = lanes::load<Float8>(x + 8 * v);
      t0[v] = lanes::fma(value, b0, t0[v]);
      t1[v] = lanes::fma(value, b1, t1[v]);
      t2[v] = lanes::fma(value, b2, t2[v]);
    }
  }
  lanes::Int8 far0 = t0[0] >= least[0], far1 = t1[0] >= least[0], far2 = t2[0] >= least[0];
#pragma GCC unroll 4
  for (int v = 1; v < vectors; ++v) {
    far0 &= t0[v] >= least[v];
    far1 &= t1[v] >= least[v];
    far2 &= t2[v] >= least[v];
  }
  const auto some = [](lanes::Int8 far) { return !lanes::all(far); };
  return some(far0) | (k + 1 < count && some(far1)) << 1 | (k + 2 < count && some(far2)) << 2;
}

// Compares a panel's points with further rows, [count × d]: the label of a point that is nearer to one of them becomes
// first + its number. The rows' `starts` are of start_of_row().
inline void nearer_of_panel(const float* x, const float* rows, const float* starts, int first, int count, int d,
                            PanelLabels& of) {
  using lanes::Float8;
  constexpr int vectors = 4, strip = 8 * vectors;
  const float error = screening_error(d);
  for (int at = 0; at < panel; at += strip, x += strip) {
    Float8 square[vectors] = {}, least[vectors];
    float* best = of.square + at;
    auto* label = reinterpret_cast<lanes::Int8*>(of.label + at);
    for (int c = 0; c < d; ++c)
      for (int v = 0; v < vectors; ++v) {
        const Float8 value = lanes::load<Float8>(x + c * panel + 8 * v);
        square[v] = lanes::fma(value, value, square[v]);
      }
    const auto set_least = [&] {
      for (int v = 0; v < vectors; ++v) {
        const Float8 own = lanes::load<Float8>(best + 8 * v);
        least[v] = least_score(own, square[v], error);
        least[v] = square[v] < most_screened ? least[v] : lanes::broadcast(NAN);
      }
    };
    set_least();
    for (int k = 0; k < count; k += screened) {
      int possible = possibly_nearer(x, rows, starts, k, count, d, least);
      for (; possible; possible &= possible - 1) {
        const int own = k + std::countr_zero(static_cast<unsigned>(possible));
        Float8 sum[1][vectors] = {};
        strip_squares(x, rows + static_cast<std::int64_t>(own) * d, d, sum);
        for (int v = 0; v < vectors; ++v) {
          const Float8 before = lanes::load<Float8>(best + 8 * v);
          const lanes::Int8 nearer = sum[0][v] < before;
          lanes::store(best + 8 * v, nearer ? sum[0][v] : before);
          label[v] = nearer ? lanes::Int8{} + (first + own) : label[v];
        }
        set_least();
      }
    }
  }
}

}  // namespace kinescope::sim::k_means
