// Vectors of numbers on the CPU: eight floats or four doubles; on CUDA one float, so that formulas over `Lanes` are
// written once for both. Everything rounds like the plain operation, so that lanes change no result. What the compiler
// doesn't make of vector types by itself is in lanes_avx2.hpp, and for other processors in lanes_plain.hpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "kinescope/executors/host_device.hpp"

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
#ifdef __CUDACC__
// The nearest whole number, of two the even one.
KINESCOPE_HD inline std::int64_t whole(float value) {
  return std::llrint(value);
}
KINESCOPE_HD inline std::int64_t whole(double value) {
  return std::llrint(value);
}
#endif

#ifndef __CUDACC__

using Float4 = float __attribute__((vector_size(16)));
using Float8 = float __attribute__((vector_size(32)));
using Int4 = std::int32_t __attribute__((vector_size(16)));
using Int8 = std::int32_t __attribute__((vector_size(32)));
using Double4 = double __attribute__((vector_size(32)));
using Long4 = std::int64_t __attribute__((vector_size(32)));

#endif

}  // namespace kinescope::sim::lanes

#ifndef __CUDACC__
#if defined(__AVX2__) && defined(__FMA__)
#include "kinescope/executors/lanes_avx2.hpp"
#else
#include "kinescope/executors/lanes_plain.hpp"
#endif

namespace kinescope::sim::lanes {

// Vectors from and to memory that is aligned to their numbers.
template <class Vector, class T>
inline Vector load_vector(const T* from) {
  Vector value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <>
inline constexpr int count<Float8> = 8;
template <>
inline Float8 load<Float8>(const float* from) {
  return load_vector<Float8>(from);
}
template <>
inline Float4 load<Float4>(const float* from) {
  return load_vector<Float4>(from);
}
inline Double4 load4(const double* from) {
  return load_vector<Double4>(from);
}
inline void store(float* to, Float8 value) {
  std::memcpy(to, &value, sizeof value);
}
inline void store(float* to, Float4 value) {
  std::memcpy(to, &value, sizeof value);
}
inline void store(double* to, Double4 value) {
  std::memcpy(to, &value, sizeof value);
}
inline void store(std::int32_t* to, Int8 value) {
  std::memcpy(to, &value, sizeof value);
}
inline void store(std::int64_t* to, Long4 value) {
  std::memcpy(to, &value, sizeof value);
}

inline Int8 iota() {
  return Int8{0, 1, 2, 3, 4, 5, 6, 7};
}
inline Float8 broadcast(float value) {
  return Float8{value, value, value, value, value, value, value, value};
}
inline Double4 broadcast4(double value) {
  return Double4{value, value, value, value};
}

inline Int8 below(Float8 a, Float8 b) {
  return a < b;
}
inline Float8 select(Int8 mask, Float8 a, Float8 b) {
  return mask ? a : b;
}
// The value where `mask` is set, else 0.
inline Float8 keep(Float8 value, Int8 mask) {
  return reinterpret_cast<Float8>(reinterpret_cast<Int8>(value) & mask);
}
inline Double4 keep(Double4 value, Long4 mask) {
  return reinterpret_cast<Double4>(reinterpret_cast<Long4>(value) & mask);
}
inline Float8 keep_first(Float8 value, std::int64_t present) {
  return keep(value, iota() < static_cast<std::int32_t>(present < 8 ? present : 8));
}
inline Float8 abs(Float8 a) {
  return reinterpret_cast<Float8>(reinterpret_cast<Int8>(a) & 0x7FFFFFFF);
}
inline Float4 abs(Float4 a) {
  return reinterpret_cast<Float4>(reinterpret_cast<Int4>(a) & 0x7FFFFFFF);
}

inline Float4 low_half(Float8 a) {
  return __builtin_shufflevector(a, a, 0, 1, 2, 3);
}
inline Float4 high_half(Float8 a) {
  return __builtin_shufflevector(a, a, 4, 5, 6, 7);
}
inline Float8 joined(Float4 low, Float4 high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
inline Double4 as_double(Float4 a) {
  return __builtin_convertvector(a, Double4);
}

// Exchanges rows and columns of 8 × 8 values.
inline void transpose(Float8 (&row)[8]) {
  Float8 pairs[8], fours[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = __builtin_shufflevector(row[i], row[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[i + 1] = __builtin_shufflevector(row[i], row[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int j = 0; j < 2; ++j) {
      fours[i + 2 * j] = __builtin_shufflevector(pairs[i + j], pairs[i + 2 + j], 0, 1, 8, 9, 4, 5, 12, 13);
      fours[i + 2 * j + 1] = __builtin_shufflevector(pairs[i + j], pairs[i + 2 + j], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; ++i) {
    row[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    row[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

// The sum over the lanes, in a stated order.
inline double sum_as_double(Float8 v) {
  return ((double(v[0]) + v[4]) + (double(v[1]) + v[5])) + ((double(v[2]) + v[6]) + (double(v[3]) + v[7]));
}
inline float sum(Float8 v) {
  const Float4 halves = low_half(v) + high_half(v);
  return (halves[0] + halves[2]) + (halves[1] + halves[3]);
}
inline double sum(Double4 v) {
  return (v[0] + v[2]) + (v[1] + v[3]);
}

}  // namespace kinescope::sim::lanes
#endif
