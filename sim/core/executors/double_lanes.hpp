// Four doubles at once on the CPU, for sums that eight floats (lanes.hpp) would round too much. Everything rounds like
// the plain operation.
#pragma once

#include <cstdint>
#include <immintrin.h>

namespace kinescope::sim::lanes {

using Float4 = float __attribute__((vector_size(16)));
using Double4 = double __attribute__((vector_size(32)));
using Long4 = std::int64_t __attribute__((vector_size(32)));

inline Float4 fma(Float4 a, Float4 b, Float4 c) {
  return _mm_fmadd_ps(a, b, c);
}
inline Double4 fma(Double4 a, Double4 b, Double4 c) {
  return _mm256_fmadd_pd(a, b, c);
}
inline Double4 broadcast4(double value) {
  return _mm256_set1_pd(value);
}
inline Double4 load4(const double* from) {
  return _mm256_loadu_pd(from);
}
inline Double4 as_double(Float4 value) {
  return _mm256_cvtps_pd(value);
}
// The value where `mask` is set, else 0.
inline Double4 keep(Double4 value, Long4 mask) {
  return _mm256_and_pd(value, _mm256_castsi256_pd(reinterpret_cast<__m256i>(mask)));
}

}  // namespace kinescope::sim::lanes
