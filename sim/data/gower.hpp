// Distances between the rows of a table that has numbers, categories and gaps: J. C. Gower, "A general coefficient of
// similarity and some of its properties", Biometrics 27 (1971). Where x_ik is row i in column k, of range R_k,
//
//   d_ij = (Σ_k w_ijk d_ijk) / Σ_k w_ijk,   w_ijk = 0 where x_ik or x_jk is missing, else 1,
//   d_ijk = |x_ik − x_jk| / R_k for numbers, and for categories 0 if they are equal, else 1.
//
// A column of numbers that are all the same counts with d_ijk = 0. Gower's paper does not define the distance of a pair
// without a common column. Such a pair gets the expected distance: the mean over the columns k of the mean d_ijk over
// all pairs of rows.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kinescope/distance_feeder.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

class Gower final : public DistanceFeeder {
 public:
  // Copies these rows of the columns, which hold numbers or texts; each column needs at least one value. O(columns ·
  // rows · log rows).
  Gower(const std::vector<const Column*>& columns, const std::vector<std::size_t>& rows);

  std::size_t points() const override { return points_; }
  void row(std::size_t from, std::span<float> distances) const override;  // O(points · columns)
  std::string description() const override;

 private:
  std::size_t points_ = 0, of_numbers_ = 0, of_categories_ = 0;
  // [columns × points], NaN where missing: numbers from 0 to 1; categories counted from 0, so that two that differ are
  // at least 1 apart, and min(|a − b|, 1) is d_ijk of both.
  std::vector<float> values_;
  float expected_ = 0;  // between rows without a common column
};

}  // namespace kinescope::sim
