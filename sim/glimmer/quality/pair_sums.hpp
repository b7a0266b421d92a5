// Σ (d − δ)² and Σ δ² over many pairs of rows, computed with vector instructions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "kinescope/glimmer/input_distances.hpp"
#include "sim/glimmer/dissimilarity.hpp"
#include "sim/glimmer/quality/placed_layout.hpp"

namespace kinescope::sim::glimmer {

struct PairSums {
  double error = 0, size = 0;  // Σ (d − δ)², Σ δ²
  friend PairSums operator+(PairSums a, PairSums b) { return {a.error + b.error, a.size + b.size}; }
};

// The sums for one pair; 0 if it has no distance.
inline PairSums pair_sums(double d, double delta) {
  if (std::isnan(delta)) return {};
  const double error = d - delta;
  return {error * error, delta * delta};
}

// Sums over the pairs of placed row `i` with the placed rows 0 … count − 1. `distances` are δ from row `i` to each row
// of the dataset. O(count).
inline PairSums sums_with_first(const PlacedLayout& placed, std::size_t i, std::size_t count,
                                std::span<const float> distances) {
  PairSums sums;
  for (const std::uint32_t other : std::span(placed.rows).first(count))
    sums = sums + pair_sums(placed.distance(placed.rows[i], other), double(distances[other]));
  return sums;
}

// Sums over all pairs of which a part is known and the rest is estimated from draws, each with its weight.
struct SampledSums {
  PairSums known, drawn;
  double draws = 0, error_square = 0, product = 0, size_square = 0;  // of the drawn terms

  void add(PairSums term, double weight) {
    const double error = weight * term.error, size = weight * term.size;
    drawn = drawn + PairSums{error, size};
    ++draws, error_square += error * error, product += error * size, size_square += size * size;
  }
  friend SampledSums operator+(const SampledSums& a, const SampledSums& b) {
    return {a.known + b.known,     a.drawn + b.drawn,
            a.draws + b.draws,     a.error_square + b.error_square,
            a.product + b.product, a.size_square + b.size_square};
  }

  double stress() const {
    const auto [error, size] = known + drawn;
    return size > 0 ? error / size : 0;
  }
  // Of the quotient, by linearization (W. Cochran, "Sampling techniques", 1977, section 6.4).
  double standard_error() const {
    if (draws == 0) return 0;
    const double q = stress(), rest = drawn.error - q * drawn.size,
                 squares = error_square - 2 * q * product + q * q * size_square - rest * rest / draws;
    return std::sqrt(std::max(squares, 0.0)) / (known + drawn).size;
  }
};

// Sums over pairs of dense rows that have a place in a layout. They equal those of pair_sums(), added pair by pair in
// the stated order: vector instructions change no bit.
class RowSums {
 public:
  static constexpr std::size_t width = 8;

  // O(points). Both must outlive this.
  RowSums(const InputDistances& input, const PlacedLayout& placed);

  // Returns one sum for each of the `count` ≤ `width` rows first, first + 1, …, over its pairs with all
  // rows before it, in ascending order of the partner. Rows are numbered among the placed ones. O(first · dimensions).
  std::array<PairSums, width> with_earlier(std::size_t first, std::size_t count) const;

  // The terms of the pairs (a_0, b_0), (a_1, b_1), …. Rows are numbered as in the dataset.
  // O(pairs · dimensions).
  void of_pairs(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::span<PairSums> terms) const;

 private:
  template <RowFormula F>
  std::array<PairSums, width> with_earlier_by(std::size_t first, std::size_t count) const;
  template <RowFormula F>
  void of_pairs_by(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::span<PairSums> terms) const;
  const double* place(std::size_t row) const { return places_.data() + 4 * row; }

  const InputDistances& input_;
  const PlacedLayout& placed_;
  std::vector<double> places_;  // [points × 4], with zeros past the last coordinate
};

}  // namespace kinescope::sim::glimmer
