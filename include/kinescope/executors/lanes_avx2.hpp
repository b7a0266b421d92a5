// The operations of lanes.hpp on processors with AVX2 and FMA.
#pragma once

#include <immintrin.h>

namespace kinescope::sim::lanes {

inline Float4 fma(Float4 a, Float4 b, Float4 c) {
  return _mm_fmadd_ps(a, b, c);
}
inline Float8 fma(Float8 a, Float8 b, Float8 c) {
  return _mm256_fmadd_ps(a, b, c);
}
inline Double4 fma(Double4 a, Double4 b, Double4 c) {
  return _mm256_fmadd_pd(a, b, c);
}
inline Float4 sqrt(Float4 a) {
  return _mm_sqrt_ps(a);
}
inline Float8 sqrt(Float8 a) {
  return _mm256_sqrt_ps(a);
}
inline Double4 sqrt(Double4 a) {
  return _mm256_sqrt_pd(a);
}
// `b` if either is a NaN.
inline Float4 max(Float4 a, Float4 b) {
  return _mm_max_ps(a, b);
}
inline Float8 max(Float8 a, Float8 b) {
  return _mm256_max_ps(a, b);
}
inline Double4 max(Double4 a, Double4 b) {
  return _mm256_max_pd(a, b);
}
inline Float8 min(Float8 a, Float8 b) {
  return _mm256_min_ps(a, b);
}
// To the nearest whole number, of two the even one.
inline Float8 round(Float8 a) {
  return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
inline Double4 round(Double4 a) {
  return _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
inline std::int64_t whole(float a) {
  return _mm_cvtss_si64(_mm_set_ss(a));
}
inline std::int64_t whole(double a) {
  return _mm_cvtsd_si64(_mm_set_sd(a));
}
inline Int8 whole(Float8 a) {
  return Int8(_mm256_cvtps_epi32(a));
}
// Each lane holds two whole numbers of 16 bits: the sum of their two products. None of them is −2^15.
inline Int8 products_of_pairs(Int8 a, Int8 b) {
  return Int8(_mm256_madd_epi16(__m256i(a), __m256i(b)));
}
// Eight half floats, exactly.
inline Float8 from_halves(const std::uint16_t* halves) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves)));
}
// 32 values to the nearest of the numbers 0 … 255, of two the even one.
inline void store_bytes(std::uint8_t* to, Float8 a, Float8 b, Float8 c, Float8 d) {
  const __m256i ab = _mm256_packs_epi32(_mm256_cvtps_epi32(a), _mm256_cvtps_epi32(b)),
                cd = _mm256_packs_epi32(_mm256_cvtps_epi32(c), _mm256_cvtps_epi32(d));
  const __m256i fours = _mm256_packus_epi16(ab, cd);
  const __m256i in_order = _mm256_permutevar8x32_epi32(fours, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), in_order);
}
inline bool all(Int8 mask) {
  return _mm256_movemask_ps(reinterpret_cast<__m256>(mask)) == 255;
}
// (v₀ + v₁) + (v₂ + v₃) of each of four vectors.
inline Float4 sums_of(Float4 a, Float4 b, Float4 c, Float4 d) {
  return _mm_hadd_ps(_mm_hadd_ps(a, b), _mm_hadd_ps(c, d));
}
inline Double4 sums_of(Double4 a, Double4 b, Double4 c, Double4 d) {
  const __m256d first = _mm256_hadd_pd(a, b), second = _mm256_hadd_pd(c, d);
  return Double4(_mm256_permute2f128_pd(first, second, 0x20)) + Double4(_mm256_permute2f128_pd(first, second, 0x31));
}

}  // namespace kinescope::sim::lanes
