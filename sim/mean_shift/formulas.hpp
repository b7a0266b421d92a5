// Mean shift (K. Fukunaga, L. Hostetler, 1975; F. Vaccaro, "Clustering with Mean Shift, a GPU implementation", 2019).
//
//   symbol    here             meaning
//   x_j       Cloud            the data, which never move
//   y_i       y                the shifted points; y = x at the start (non-blurring mean shift)
//   h         bandwidth
//   K         weight           gaussian exp(−u²/2), epanechnikov max(0, 1 − u²), flat 1 for u ≤ 1
//
//   y_i ← Σ_j K(‖y_i − x_j‖/h) x_j / Σ_j K(‖y_i − x_j‖/h)        (eq. 1)
//   density(y) = Σ_j K(‖y − x_j‖/h) / N
//
// All kernels compute in internal units: each column less its median, times a scale such that K is a function of the
// squared distance q alone: 2^−q for the gaussian (scale √(log₂e / 2) / h), max(0, 1 − q) and [q ≤ 1] (scale 1 / h).
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/executors/lanes.hpp"
#include "kinescope/mean_shift/mean_shift_parameters.hpp"

namespace kinescope::sim::mean_shift {

inline constexpr int maximum_dimensions = 16;
// A bandwidth in the gaussian's internal units, √(log₂e / 2).
inline constexpr double gaussian_bandwidth = 0.8493218002880191;
inline double internal_bandwidth(Kernel kernel) {
  return kernel == Kernel::gaussian ? gaussian_bandwidth : 1.0;
}

// Points stored by column: coordinate c of point j is x[c · stride + j]. Up to 8 values past the last point may be
// read.
struct Cloud {
  const float* x = nullptr;
  std::int64_t stride = 0, count = 0;
  const float* weight = nullptr;  // [count] number of points that each one stands for; null: 1
};

// Σ w and Σ w (x − y). Differences from y are summed so that no digits are lost far from the origin.
template <int K>
struct Sums {
  double weight = 0, moment[K] = {};
};

// 2^−q for q ≥ 0; 0 where that is below 2^−126. On CUDA ex2.approx (relative error at most 2^−22).
KINESCOPE_HD inline float exp2_negative(float q) {
#ifdef __CUDA_ARCH__
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(-q));
  return result;
#else
  return q > 126.0f ? 0.0f : std::exp2(-q);
#endif
}

#ifndef __CUDACC__
// 2^−q, eight at a time: 2^−q = 2^n · 2^f with |f| ≤ 1/2, and Taylor's polynomial of degree 7 for 2^f (relative error
// 1e-7).
inline lanes::Float8 exp2_negative(lanes::Float8 q) {
  using lanes::Float8;
  const Float8 a = -q;
  const Float8 n = lanes::round(a), f = a - n;
  Float8 p = lanes::broadcast(1.5252734e-5f);
  for (const float coefficient :
       {1.5403530e-4f, 1.3333558e-3f, 9.6181291e-3f, 5.5504109e-2f, 2.4022651e-1f, 6.9314718e-1f, 1.0f})
    p = lanes::fma(p, f, lanes::broadcast(coefficient));
  const lanes::Int8 exponent = __builtin_convertvector(n, lanes::Int8) << 23;
  const Float8 scaled = reinterpret_cast<Float8>(reinterpret_cast<lanes::Int8>(p) + exponent);
  return lanes::keep(scaled, q <= 126.0f);
}
#endif

// Slightly above 1, so that rounding does not exclude points at a distance of exactly one bandwidth.
inline constexpr float flat_limit = 1.000002f;

template <Kernel kernel, class S>
KINESCOPE_HD inline S weight(S q) {
  if constexpr (kernel == Kernel::gaussian) return exp2_negative(q);
  if constexpr (kernel == Kernel::epanechnikov) return lanes::max(1.0f - q, S{});
  return lanes::select(q <= flat_limit, S{} + 1.0f, S{});
}

// The squared distance of y from point j, or from as many points from j on as S has lanes. Also writes the differences
// to `between`.
template <int K, class S>
KINESCOPE_HD inline S square_distance(const Cloud& cloud, std::int64_t j, const float* y, S* between) {
  S q = {};
  for (int c = 0; c < K; ++c) {
    between[c] = lanes::load<S>(cloud.x + c * cloud.stride + j) - y[c];
    q = lanes::fma(between[c], between[c], q);
  }
  return q;
}

// Adds the points begin … end − 1 to the sums, one by one. Runs of 64 points are summed in float, and the runs in
// double.
template <Kernel kernel, int K>
KINESCOPE_HD inline void add_one_by_one(const Cloud& cloud, std::int64_t begin, std::int64_t end, const float* y,
                                        Sums<K>& sums) {
  for (std::int64_t first = begin; first < end; first += 64) {
    const std::int64_t last = first + 64 < end ? first + 64 : end;
    float total = 0, moment[K] = {}, between[K];
    for (std::int64_t j = first; j < last; ++j) {
      float w = weight<kernel>(square_distance<K>(cloud, j, y, between));
      if (cloud.weight) w *= cloud.weight[j];
      total += w;
      for (int c = 0; c < K; ++c) moment[c] = lanes::fma(w, between[c], moment[c]);
    }
    sums.weight += total;
    for (int c = 0; c < K; ++c) sums.moment[c] += moment[c];
  }
}

#ifndef __CUDACC__

// The sums of one point, eight side by side in float: lane l has every eighth point, in their order. So they are
// precise enough for some hundreds of points, and for thousands where a weight stands for many.
template <Kernel kernel, int K>
class LaneSums {
  using Float8 = lanes::Float8;
  static constexpr int block = 8;  // vectors: as many independent chains keep the multipliers busy

 public:
  void add(const Cloud& cloud, std::int64_t begin, std::int64_t end, const float* y) {
    std::int64_t j = begin;
    for (; end - j >= 8 * block; j += 8 * block) add_block<block, false>(cloud, j, end, y);
    if (end - j > 32) add_block<4, false>(cloud, j, end, y), j += 32;
    if (end - j > 16) add_block<2, false>(cloud, j, end, y), j += 16;
    if (end - j > 8) add_block<1, false>(cloud, j, end, y), j += 8;
    if (end > j) add_block<1, true>(cloud, j, end, y);
  }

  void add_to(Sums<K>& sums) const {
    sums.weight += lanes::sum_as_double(weight_);
    for (int c = 0; c < K; ++c) sums.moment[c] += lanes::sum_as_double(moment_[c]);
  }

 private:
  // Adds B vectors of points from j on; if `cut`, only points before `end`. First all weights, then the moments, a few
  // columns at a time, so that everything stays in registers. Differences are computed twice: loads are scarcer.
  template <int B, bool cut>
  void add_block(const Cloud& cloud, std::int64_t j, std::int64_t end, const float* y) {
    Float8 w[B] = {};
    for (int c = 0; c < K; ++c) {
      const float* x = cloud.x + c * cloud.stride + j;
      const Float8 from = lanes::broadcast(y[c]);
      for (int b = 0; b < B; ++b) {
        const Float8 between = lanes::load<Float8>(x + 8 * b) - from;
        w[b] = lanes::fma(between, between, w[b]);
      }
    }
    Float8 total = weight_;
    for (int b = 0; b < B; ++b) {
      w[b] = weight<kernel>(w[b]);
      if constexpr (cut) w[b] = lanes::keep_first(w[b], end - j);
      if (cloud.weight) w[b] *= lanes::load<Float8>(cloud.weight + j + 8 * b);
      total += w[b];
    }
    weight_ = total;
    add_moments<B, 0>(cloud, j, y, w);
  }

  template <int B, int first>
  void add_moments(const Cloud& cloud, std::int64_t j, const float* y, const Float8* w) {
    constexpr int columns = K - first < 4 ? K - first : 4;
    Float8 moment[columns];
    for (int c = 0; c < columns; ++c) moment[c] = moment_[first + c];
    for (int b = 0; b < B; ++b)
      for (int c = 0; c < columns; ++c) {
        const float* x = cloud.x + (first + c) * cloud.stride + j;
        moment[c] = lanes::fma(w[b], lanes::load<Float8>(x + 8 * b) - lanes::broadcast(y[first + c]), moment[c]);
      }
    for (int c = 0; c < columns; ++c) moment_[first + c] = moment[c];
    if constexpr (first + columns < K) add_moments<B, first + columns>(cloud, j, y, w);
  }

  Float8 weight_ = {}, moment_[K] = {};
};

#endif

// Adds the points begin … end − 1 to the sums in the way that is fastest on this processor.
template <Kernel kernel, int K>
KINESCOPE_HD inline void add_range(const Cloud& cloud, std::int64_t begin, std::int64_t end, const float* y,
                                   Sums<K>& sums) {
#ifdef __CUDACC__
  add_one_by_one<kernel, K>(cloud, begin, end, y, sums);
#else
  for (std::int64_t first = begin; first < end; first += 512) {
    LaneSums<kernel, K> part;
    part.add(cloud, first, first + 512 < end ? first + 512 : end, y);
    part.add_to(sums);
  }
#endif
}

// The gaussian's sums over some thousand weighted points, all in float.
#ifndef __CUDACC__
template <int K>
using NearSums = LaneSums<Kernel::gaussian, K>;
#else
template <int K>
class NearSums {
 public:
  KINESCOPE_HD void add(const Cloud& cloud, std::int64_t begin, std::int64_t end, const float* y) {
    float total = weight_, moment[K], between[K];  // kept in registers
    for (int c = 0; c < K; ++c) moment[c] = moment_[c];
    for (std::int64_t j = begin; j < end; ++j) {
      const float w = exp2_negative(square_distance<K>(cloud, j, y, between)) * cloud.weight[j];
      total += w;
      for (int c = 0; c < K; ++c) moment[c] = lanes::fma(w, between[c], moment[c]);
    }
    weight_ = total;
    for (int c = 0; c < K; ++c) moment_[c] = moment[c];
  }

  KINESCOPE_HD void add_to(Sums<K>& sums) const {
    sums.weight += weight_;
    for (int c = 0; c < K; ++c) sums.moment[c] += moment_[c];
  }

 private:
  float weight_ = 0, moment_[K] = {};
};
#endif

}  // namespace kinescope::sim::mean_shift
