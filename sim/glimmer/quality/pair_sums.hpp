// Σ (d − δ)² and Σ δ² over many pairs of rows, with vectors.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sim/glimmer/quality/input_distances.hpp"
#include "sim/glimmer/quality/placed_layout.hpp"

namespace kinescope::sim::glimmer {

struct PairSums {
  double error = 0, size = 0;  // Σ (d − δ)², Σ δ²
  friend PairSums operator+(PairSums a, PairSums b) { return {a.error + b.error, a.size + b.size}; }
};

// Of one pair.
inline PairSums pair_sums(double d, double delta) {
  const double error = d - delta;
  return {error * error, delta * delta};
}

// Pairs of rows that have a place in a layout. Sums are those of pair_sums(), added pair by pair in the stated order:
// vectors change no bit.
class RowSums {
 public:
  static constexpr std::size_t width = 8;

  // O(points). Both must outlive this.
  RowSums(const InputDistances& input, const PlacedLayout& placed);

  // Of dense rows, by their numbers among the placed ones: first, first + 1, …, `count` of them, up to `width`; each
  // with all before it, the sums of each in the order of these. O(first · dimensions).
  std::array<PairSums, width> with_earlier(std::size_t first, std::size_t count) const;

  // Adds the pairs of dense rows (a_0, b_0), (a_1, b_1), …, by their numbers in the dataset. O(pairs · dimensions).
  void add_pairs(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, PairSums& sums) const;

  // Of placed row `i` with placed rows 0 … count − 1, whose distances δ from it are given by the dataset's row.
  // O(count).
  PairSums with_first(std::size_t i, std::size_t count, std::span<const float> distances) const;

 private:
  template <RowFormula F>
  std::array<PairSums, width> with_earlier_by(std::size_t first, std::size_t count) const;
  template <RowFormula F>
  void add_pairs_by(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, PairSums& sums) const;
  const double* place(std::size_t row) const { return places_.data() + 4 * row; }

  const InputDistances& input_;
  const PlacedLayout& placed_;
  std::vector<double> places_;  // [points × 4], with zeros past the last coordinate
};

}  // namespace kinescope::sim::glimmer
