// Eight floats at once on the CPU, one on CUDA: formulas over `Lanes` are written once for both. Everything rounds like
// the plain float operation, so that lanes change no result.
#pragma once

#include <cmath>
#include <cstdint>

#include "sim/core/executors/host_device.hpp"

#ifndef __CUDACC__
#include <immintrin.h>
#endif

namespace kinescope::sim::lanes {

KINESCOPE_HD inline float fma(float a, float b, float c) {
  return std::fma(a, b, c);
}
KINESCOPE_HD inline float sqrt(float a) {
  return std::sqrt(a);
}
KINESCOPE_HD inline float max(float a, float b) {
  return a > b ? a : b;
}
KINESCOPE_HD inline float min(float a, float b) {
  return a < b ? a : b;
}
KINESCOPE_HD inline float abs(float a) {
  return std::fabs(a);
}
KINESCOPE_HD inline bool below(float a, float b) {
  return a < b;
}
// `a` where `mask` is set, else `b`.
KINESCOPE_HD inline float select(bool mask, float a, float b) {
  return mask ? a : b;
}
KINESCOPE_HD inline bool all(bool mask) {
  return mask;
}

template <class S>
inline constexpr int count = 1;
// `count` values from memory.
template <class S>
KINESCOPE_HD inline S load(const float* from) {
  return *from;
}
KINESCOPE_HD inline void store(float* to, float value) {
  *to = value;
}
// Keeps the first `present` values (1 or more) and sets the others to 0.
KINESCOPE_HD inline float keep_first(float value, std::int64_t) {
  return value;
}
KINESCOPE_HD inline double sum_as_double(float value) {
  return value;
}

#ifndef __CUDACC__

using Float8 = float __attribute__((vector_size(32)));
using Int8 = std::int32_t __attribute__((vector_size(32)));

inline Float8 fma(Float8 a, Float8 b, Float8 c) {
  return _mm256_fmadd_ps(a, b, c);
}
inline Float8 sqrt(Float8 a) {
  return _mm256_sqrt_ps(a);
}
inline Float8 max(Float8 a, Float8 b) {
  return _mm256_max_ps(a, b);
}
inline Float8 min(Float8 a, Float8 b) {
  return _mm256_min_ps(a, b);
}
inline Int8 below(Float8 a, Float8 b) {
  return a < b;
}
inline Float8 select(Int8 mask, Float8 a, Float8 b) {
  return _mm256_blendv_ps(b, a, _mm256_castsi256_ps(reinterpret_cast<__m256i>(mask)));
}
inline bool all(Int8 mask) {
  return _mm256_movemask_ps(_mm256_castsi256_ps(reinterpret_cast<__m256i>(mask))) == 255;
}
inline Float8 abs(Float8 a) {
  return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

template <>
inline constexpr int count<Float8> = 8;
template <>
inline Float8 load<Float8>(const float* from) {
  return _mm256_loadu_ps(from);
}
inline void store(float* to, Float8 value) {
  _mm256_storeu_ps(to, value);
}

inline Int8 iota() {
  return Int8{0, 1, 2, 3, 4, 5, 6, 7};
}
inline Float8 broadcast(float value) {
  return _mm256_set1_ps(value);
}
// The value where `mask` is set, else 0.
inline Float8 keep(Float8 value, Int8 mask) {
  return _mm256_and_ps(value, _mm256_castsi256_ps(reinterpret_cast<__m256i>(mask)));
}
inline Float8 keep_first(Float8 value, std::int64_t present) {
  return keep(value, iota() < static_cast<std::int32_t>(present < 8 ? present : 8));
}

inline double sum_as_double(Float8 v) {
  return ((double(v[0]) + v[4]) + (double(v[1]) + v[5])) + ((double(v[2]) + v[6]) + (double(v[3]) + v[7]));
}
inline float sum(Float8 value) {
  const __m128 halves = _mm_add_ps(_mm256_castps256_ps128(value), _mm256_extractf128_ps(value, 1));
  const __m128 quarters = _mm_add_ps(halves, _mm_movehl_ps(halves, halves));
  return _mm_cvtss_f32(_mm_add_ss(quarters, _mm_movehdup_ps(quarters)));
}

#endif

}  // namespace kinescope::sim::lanes
