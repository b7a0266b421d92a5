// The fields Σ_j K(‖y − x_j‖) and Σ_j K(‖y − x_j‖)(x_j − y) on a grid, for the gaussian in one to three dimensions.
// They are computed once, since x never moves: the points are spread on the grid (the transpose of Lagrange
// interpolation, with P nodes per axis), and the grid is convolved axis by axis. Then one iteration of a point is one
// interpolation.
//
// Only the density is spread on the grid. The second field comes from the same grid, convolved with u·K(u) along its
// own axis.
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/executors/host_device.hpp"
#include "kinescope/executors/lanes.hpp"

namespace kinescope::sim::mean_shift {

struct FieldGrid {
  std::int32_t dimensions = 0, order = 6;  // order: P
  std::int32_t nodes[3] = {1, 1, 1};
  // Node n along axis c is at (first[c] + n) · spacing. Nodes are counted from the origin, where most points are, so
  // that a far outlier costs no digits.
  std::int32_t first[3] = {0, 0, 0};
  float spacing = 1, inverse_spacing = 1;
  std::int32_t half_width = 0;  // half the width of the convolution's kernel, in nodes

  KINESCOPE_HD std::int64_t count() const { return std::int64_t{nodes[0]} * nodes[1] * nodes[2]; }
  // The cell between nodes that holds a point. After sorting by it, neighbouring points read the same nodes.
  KINESCOPE_HD std::int64_t key(const float* x, std::int64_t stride) const;
};

// Four floats: Σ K, then Σ K (x − y) for each axis.
struct alignas(16) Node {
  float value[4];
};

#ifdef __CUDACC__
using Node4 = Node;
KINESCOPE_HD inline Node4 load(const Node* from) {
#ifdef __CUDA_ARCH__
  const float4 v = *reinterpret_cast<const float4*>(from);
  return {{v.x, v.y, v.z, v.w}};
#else
  return *from;
#endif
}
KINESCOPE_HD inline Node4 zero_node() {
  return {{0, 0, 0, 0}};
}
KINESCOPE_HD inline Node4 fma(float w, const Node4& a, Node4 sum) {
  for (int l = 0; l < 4; ++l) sum.value[l] = std::fma(w, a.value[l], sum.value[l]);
  return sum;
}
KINESCOPE_HD inline Node as_node(const Node4& a) {
  return a;
}
#else
using Node4 = lanes::Float4;
inline Node4 load(const Node* from) {
  return lanes::load<Node4>(from->value);
}
inline Node4 zero_node() {
  return Node4{};
}
inline Node4 fma(float w, Node4 a, Node4 sum) {
  return lanes::fma(Node4{w, w, w, w}, a, sum);
}
inline Node as_node(Node4 a) {
  Node node;
  lanes::store(node.value, a);
  return node;
}
#endif

// 1 / Π_{i ≠ m} (m − i) for P nodes.
template <int P>
KINESCOPE_HD constexpr double lagrange_factor(int m) {
  double product = 1;
  for (int i = 0; i < P; ++i)
    if (i != m) product *= m - i;
  return 1 / product;
}

template <class T, int P>
struct LagrangeFactors {
  T value[P];
  KINESCOPE_HD constexpr LagrangeFactors() : value{} {
    for (int m = 0; m < P; ++m) value[m] = static_cast<T>(lagrange_factor<P>(m));
  }
};

// The weights of the P nodes at 1 − P/2 … P/2, for a place t in [0, 1).
template <int P, class T>
KINESCOPE_HD inline void lagrange(T t, T* weights) {
  constexpr LagrangeFactors<T, P> factors;
  T before = 1;
  for (int m = 0; m < P; ++m) {
    weights[m] = before;
    before *= t - T(m + 1 - P / 2);
  }
  T after = 1;
  for (int m = P - 1; m >= 0; --m) {
    weights[m] *= after * factors.value[m];
    after *= t - T(m + 1 - P / 2);
  }
}

// The first of the P nodes along axis c around y, and the place of y between the middle two.
template <int P>
KINESCOPE_HD inline std::int32_t locate(const FieldGrid& grid, int c, float y, float& place) {
  const float u = y * grid.inverse_spacing, below = std::floor(u);
  const std::int32_t node = static_cast<std::int32_t>(below) - grid.first[c] - (P / 2 - 1), last = grid.nodes[c] - P;
  place = u - below;
  return node < 0 ? 0 : node > last ? last : node;  // only rounding can put y outside the data's box
}

KINESCOPE_HD inline std::int64_t FieldGrid::key(const float* x, std::int64_t stride) const {
  std::int64_t key = 0;
  float place;
  for (int c = dimensions - 1; c >= 0; --c) key = key * nodes[c] + locate<2>(*this, c, x[c * stride], place);
  return key;
}

// Interpolates the field at y, which must be within the data's bounding box. Reads P^D nodes, in runs of P · 16 bytes.
template <int D, int P>
KINESCOPE_HD inline Node interpolate(const FieldGrid& grid, const Node* field, const float* y) {
  float weights[D][P];
  std::int32_t first[D];
  for (int c = 0; c < D; ++c) {
    float place;
    first[c] = locate<P>(grid, c, y[c], place);
    lagrange<P>(place, weights[c]);
  }
  Node4 sum = zero_node();
  const std::int64_t row_stride = grid.nodes[0], plane_stride = row_stride * grid.nodes[1];
  for (int b = 0; b < (D > 2 ? P : 1); ++b) {
    Node4 plane = zero_node();
    for (int a = 0; a < (D > 1 ? P : 1); ++a) {
      const Node* row = field + first[0];
      if constexpr (D > 1) row += (first[1] + a) * row_stride;
      if constexpr (D > 2) row += (first[2] + b) * plane_stride;
      Node4 line = zero_node();
      for (int m = 0; m < P; ++m) line = fma(weights[0][m], load(row + m), line);
      if constexpr (D > 1)
        plane = fma(weights[1][a], line, plane);
      else
        plane = line;
    }
    if constexpr (D > 2)
      sum = fma(weights[2][b], plane, sum);
    else
      sum = plane;
  }
  return as_node(sum);
}

}  // namespace kinescope::sim::mean_shift
