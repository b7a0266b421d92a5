// Products of the points of a strip with rows as products of whole numbers of 16 bits: nearly twice as many in a second
// as of floats, and with a proven error. products_cpu.hpp has y, z, s, u and e.
//
//   q = y/a, r = z/b, rounded to whole numbers     a = |y|/T, b = |z|/T, with T = 31000
//   t = s − a b (q · r + M)                        M = 1.03 √d T
//
// Each number of y is off by at most 0.505 a, each of z by 0.505 b. So
//
//   |y · z − a b (q · r)| ≤ |y − a q| |z| + |a q| |z − b r|
//                         ≤ 0.505 √d (a |z| + b |y| + 0.51 √d a b)
//
// which is less than a b M by 1 % of M, for up to 2^16 columns (|y| and |z|, as computed, are then off by less than
// 0.2 %, and √d is below 0.01 T). This 1 % covers the roundings of t. So t is below s − y · z, and proves what the t of
// products_cpu.hpp does. No sum of products, nor a part of one, exceeds |q| |r| < 2^30.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kinescope/executors/lanes.hpp"
#include "sim/k_means/products_cpu.hpp"

namespace kinescope::sim::k_means {

inline constexpr float whole_norm = 31000;     // T
inline constexpr float least_norm = 0x1p-40f;  // of y and z, so that a b is no subnormal number
inline constexpr int whole_columns = 1 << 16;  // for more nothing is proved

// Two whole numbers of 16 bits in one of 32.
inline std::int32_t pair_of(std::int32_t low, std::int32_t high) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(low & 0xFFFF) | static_cast<std::uint32_t>(high) << 16);
}

// Rows laid out for products of whole numbers: three side by side, and of each two columns side by side.
class WholeRows {
 public:
  // The arguments are those of PackedRows::pack.
  void pack(const float* rows, const std::vector<std::int32_t>& chosen, int d, const float* m) {
    count_ = static_cast<int>(chosen.size());
    pairs_ = (d + 1) / 2;
    const std::size_t triples = static_cast<std::size_t>((count_ + triple - 1) / triple), places = triples * triple;
    whole_.assign(places * static_cast<std::size_t>(pairs_), 0);
    starts_.assign(places, std::numeric_limits<float>::infinity());
    units_.assign(places, 0);
    allowance_ = static_cast<std::int32_t>(1.03f * std::sqrt(static_cast<float>(d)) * whole_norm) + 1;
    std::vector<float> z(2 * static_cast<std::size_t>(pairs_), 0.0f);
    for (int k = 0; k < count_; ++k) {
      const float* row = rows + static_cast<std::int64_t>(chosen[static_cast<std::size_t>(k)]) * d;
      double square = 0;
      for (int c = 0; c < d; ++c) {
        z[static_cast<std::size_t>(c)] = row[c] - m[c];
        square += static_cast<double>(z[static_cast<std::size_t>(c)]) * z[static_cast<std::size_t>(c)];
      }
      const float start = start_score(square, d);
      starts_[static_cast<std::size_t>(k)] = start;
      if (std::isinf(start)) continue;
      const double unit = std::max(std::sqrt(square), static_cast<double>(least_norm)) / whole_norm;
      units_[static_cast<std::size_t>(k)] = static_cast<float>(unit);
      std::int32_t* to = whole_.data() + static_cast<std::int64_t>(k / triple) * triple * pairs_ + k % triple;
      const auto whole = [&](std::size_t c) {
        return static_cast<std::int32_t>(std::lrint(z[c] / units_[static_cast<std::size_t>(k)]));
      };
      for (int p = 0; p < pairs_; ++p)
        to[p * triple] = pair_of(whole(2 * static_cast<std::size_t>(p)), whole(2 * static_cast<std::size_t>(p) + 1));
    }
  }
  int count() const { return count_; }
  std::int32_t allowance() const { return allowance_; }                      // M
  float start(int k) const { return starts_[static_cast<std::size_t>(k)]; }  // s
  float unit(int k) const { return units_[static_cast<std::size_t>(k)]; }    // b
  const std::int32_t* whole(int k, int pair) const {                         // k: a multiple of 3
    return whole_.data() + static_cast<std::int64_t>(k) * pairs_ + pair * triple;
  }

 private:
  int count_ = 0, pairs_ = 0;
  std::int32_t allowance_ = 0;
  std::vector<std::int32_t> whole_;    // [⌈count / 3⌉ × pairs × 3] r
  std::vector<float> starts_, units_;  // [3 ⌈count / 3⌉] s, infinite past the last; b
};

// q and a of a strip. y: [d × 32], whole: [⌈d / 2⌉ × 32], square: |y|² [32], unit: [32]
inline void make_whole(const float* y, const float* square, int d, std::int32_t* whole, float* unit) {
  using lanes::Float8, lanes::Int8;
  constexpr int vectors = strip / 8;
  Float8 inverse[vectors];
  for (int v = 0; v < vectors; ++v) {
    const Float8 norm = lanes::max(lanes::sqrt(lanes::load<Float8>(square + 8 * v)), lanes::broadcast(least_norm));
    const Float8 own = norm * (1 / whole_norm);
    lanes::store(unit + 8 * v, own);
    inverse[v] = 1 / own;
  }
  for (int c = 0; c < d; c += 2, y += 2 * strip, whole += strip)
    for (int v = 0; v < vectors; ++v) {
      const Int8 low = lanes::whole(lanes::load<Float8>(y + 8 * v) * inverse[v]);
      const Int8 high = c + 1 < d ? lanes::whole(lanes::load<Float8>(y + strip + 8 * v) * inverse[v]) : Int8{};
      lanes::store(whole + 8 * v, (low & 0xFFFF) | high << 16);
    }
}

// As find_leaders of products_cpu.hpp. y, unit: what make_whole has found
inline void find_leaders(const std::int32_t* y, const float* unit, int d, const WholeRows& rows, Leaders& leaders) {
  using lanes::Float8;
  alignas(32) std::int32_t sums[row_block * strip];
  const int pairs = (d + 1) / 2;
  leaders.clear();
  for (int first = 0; first < rows.count(); first += row_block) {
    const int some = std::min((rows.count() - first + triple - 1) / triple * triple, row_block);
    std::fill(sums, sums + some * strip, rows.allowance());
    for (int p = 0; p < pairs; p += column_block)
      for (int k = 0; k < some; k += triple)
        add_products<lanes::Int8>(y + p * strip, rows.whole(first + k, p), std::min(column_block, pairs - p),
                                  sums + k * strip, [](lanes::Int8 sum, lanes::Int8 own, std::int32_t z) {
                                    return sum + lanes::products_of_pairs(own, lanes::Int8{} + z);
                                  });
    enter_scores(first, some, leaders, [&](int k, int v) {
      const Float8 ab = lanes::load<Float8>(unit + 8 * v) * rows.unit(first + k);
      const Float8 sum = __builtin_convertvector(lanes::load_vector<lanes::Int8>(sums + k * strip + 8 * v), Float8);
      return lanes::fma(-ab, sum, lanes::broadcast(rows.start(first + k)));
    });
  }
}

}  // namespace kinescope::sim::k_means
