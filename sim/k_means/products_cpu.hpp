// The nearest rows of strips of 32 points by products on the CPU: one fused multiply-add an element, where the formula
// has two operations. The formula decides only where the products leave a doubt.
//
//   y = x − m, z_k = c_k − m, as rounded     m: the data's centre, or zeros
//   t_k = s_k − y · z_k, as summed           s_k = |z_k|²/2 − e |z_k|²
//
// With u = 2^-24 and e = (1.1 d + 8) u, the roundings leave
//
//   |t_k − (s_k − y · z_k)| ≤ 1.01 d u (|z_k|² + |y|²/2)
//   |x − c_k|²   ≥ |y − z_k|² − 4.04 u (|y|² + |z_k|²)
//                ≥ |y|² (1 − (1.01 d + 4.04) u) + 2 t_k
//   D² as summed ≥ (1 − (d + 3) u) |x − c_k|²
//
// so that D² > b if t_k ≥ (b − |y|²)/2 + e (b + |y|²): the last term also covers the rounding of |y|² and of this
// bound. Whatever underflows is far below the 2^-120 added to it. Where |y|² or |z|² is above 2^126, so that a sum
// might overflow, nothing is proved.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kinescope/executors/lanes.hpp"
#include "sim/k_means/formulas.hpp"

namespace kinescope::sim::k_means {

inline constexpr int strip = 32;          // points that are multiplied at a time, in four vectors
inline constexpr int triple = 3;          // with this many rows: twelve sums stay in registers
inline constexpr int row_block = 48;      // rows whose sums are kept while the columns pass
inline constexpr int column_block = 128;  // columns of a strip, or pairs, that stay in the first-level cache

inline constexpr float most_screened = 0x1p126f;
inline constexpr float least_screened = 0x1p-120f;
inline float screening_error(int dimensions) {  // e
  return (1.1f * static_cast<float>(dimensions) + 8) * 0x1p-24f;
}

// What t must reach to prove that D² > b, for |y|² = square.
template <class S>
inline S least_score(S b, S square, float error) {
  return (b - square) * 0.5f + (b + square) * error + least_screened;
}

// s for |z|² = square; minus infinity if it proves nothing.
inline float start_score(double square, int dimensions) {
  if (!(square < most_screened)) return -std::numeric_limits<float>::infinity();
  return static_cast<float>(square * (0.5 - static_cast<double>(screening_error(dimensions))));
}

// A lower bound of |x − c| that follows from t and |y|² = square.
inline float distance_at_least(float t, float square, float error) {
  const float bound = ((square + 2 * t) - 2 * error * square) * (1 - 0x1p-21f) - least_screened;
  return square < most_screened && bound > 0 ? std::sqrt(bound) : 0;
}

// Whether a distance of at least `bound` proves that D² > b.
inline bool is_farther(float bound, float b, float error) {
  return bound * bound * (1 - error) - least_screened > b;
}

// Rows laid out for products: three side by side.
class PackedRows {
 public:
  // Rows number chosen[0], chosen[1], … of `rows`, [… × d]. m: [d]
  void pack(const float* rows, const std::vector<std::int32_t>& chosen, int d, const float* m) {
    count_ = static_cast<int>(chosen.size());
    const std::size_t triples = static_cast<std::size_t>((count_ + triple - 1) / triple), width = triple;
    negative_.assign(triples * width * static_cast<std::size_t>(d), 0);
    starts_.assign(triples * width, std::numeric_limits<float>::infinity());
    screened_ = true;
    for (int k = 0; k < count_; ++k) {
      const float* row = rows + static_cast<std::int64_t>(chosen[static_cast<std::size_t>(k)]) * d;
      float* to = negative_.data() + static_cast<std::int64_t>(k / triple) * triple * d + k % triple;
      double square = 0;
      for (int c = 0; c < d; ++c) {
        const float z = row[c] - m[c];
        to[c * triple] = -z;
        square += static_cast<double>(z) * z;
      }
      starts_[static_cast<std::size_t>(k)] = start_score(square, d);
      screened_ = screened_ && square < most_screened;
    }
  }
  int count() const { return count_; }
  bool screened() const { return screened_; }  // otherwise nothing can be proved
  const float* starts() const { return starts_.data(); }
  const float* negative(int k, int column, int d) const {  // k: a multiple of 3
    return negative_.data() + static_cast<std::int64_t>(k) * d + column * triple;
  }

 private:
  int count_ = 0;
  bool screened_ = false;
  std::vector<float> negative_;  // [⌈count / 3⌉ × d × 3] −z
  std::vector<float> starts_;    // [3 ⌈count / 3⌉] s; infinite past the last
};

// For each point of a strip: the row with the least t, that t, and the least t of the other rows.
struct Leaders {
  alignas(32) float least[strip];
  alignas(32) float second[strip];
  alignas(32) std::int32_t row[strip];

  void clear() {
    std::fill(least, least + strip, std::numeric_limits<float>::infinity());
    std::fill(second, second + strip, std::numeric_limits<float>::infinity());
    std::fill(row, row + strip, 0);
  }
};

// Adds the products of some columns of a strip with those of three rows. add(sum, y, z): a vector of sums with the
// products of a vector of the strip and a value of a row. y: [columns × 32], z: [columns × 3], sums: [3 × 32]
template <class Vector, class Value, class Add>
inline void add_products(const Value* y, const Value* z, int columns, Value* sums, const Add& add) {
  constexpr int vectors = strip / 8;
  Vector sum[triple][vectors];
#pragma GCC unroll 4
  for (int k = 0; k < triple; ++k)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) sum[k][v] = lanes::load_vector<Vector>(sums + k * strip + 8 * v);
  for (int c = 0; c < columns; ++c, y += strip, z += triple) {
#pragma GCC unroll 4
    for (int k = 0; k < triple; ++k) {
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sum[k][v] = add(sum[k][v], lanes::load_vector<Vector>(y + 8 * v), z[k]);
    }
  }
#pragma GCC unroll 4
  for (int k = 0; k < triple; ++k)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) lanes::store(sums + k * strip + 8 * v, sum[k][v]);
}

// Compares rows first, first + 1, … with the leaders. score(k, v): t of row first + k for vector v of the strip
template <class Score>
inline void enter_scores(int first, int rows, Leaders& leaders, const Score& score) {
  using lanes::Float8, lanes::Int8;
  for (int v = 0; v < strip / 8; ++v) {
    Float8 least = lanes::load<Float8>(leaders.least + 8 * v), second = lanes::load<Float8>(leaders.second + 8 * v);
    auto* const row = reinterpret_cast<Int8*>(leaders.row + 8 * v);
    Int8 number = *row;
    for (int k = 0; k < rows; ++k) {
      const Float8 own = score(k, v);
      const Int8 leads = own < least;
      second = lanes::min(second, lanes::max(own, least));
      least = lanes::min(least, own);
      number = leads ? Int8{} + (first + k) : number;
    }
    lanes::store(leaders.least + 8 * v, least);
    lanes::store(leaders.second + 8 * v, second);
    *row = number;
  }
}

// y: [d × 32]
inline void find_leaders(const float* y, int d, const PackedRows& rows, Leaders& leaders) {
  alignas(32) float t[row_block * strip];
  leaders.clear();
  for (int first = 0; first < rows.count(); first += row_block) {
    const int some = std::min((rows.count() - first + triple - 1) / triple * triple, row_block);
    for (int k = 0; k < some; ++k) std::fill(t + k * strip, t + (k + 1) * strip, rows.starts()[first + k]);
    for (int c = 0; c < d; c += column_block)
      for (int k = 0; k < some; k += triple)
        add_products<lanes::Float8>(
            y + c * strip, rows.negative(first + k, c, d), std::min(column_block, d - c), t + k * strip,
            [](lanes::Float8 sum, lanes::Float8 own, float z) { return lanes::fma(own, lanes::broadcast(z), sum); });
    enter_scores(first, some, leaders,
                 [&t](int k, int v) { return lanes::load<lanes::Float8>(t + k * strip + 8 * v); });
  }
}

}  // namespace kinescope::sim::k_means
