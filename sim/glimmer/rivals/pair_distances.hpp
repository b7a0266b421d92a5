// δ in double precision between any two points of a dataset, for layouts that are computed on the host.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/glimmer/dissimilarity.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

class PairDistances {
 public:
  // O(N · H) on all threads. Throws Error (input) as `prepare` and `feeder_of` do. `data` must outlive this.
  PairDistances(const Dataset& data, GlimmerParameters& parameters);

  std::size_t points() const { return points_; }
  double unit() const { return unit_; }  // of δ, in the data's (normalized) units
  // δ from one point to all, [points]. O(N · H), or the feeder's time. The first on all threads; the second on this
  // one, so that many may call it at once.
  void row(std::size_t from, std::span<double> to) const;
  void row_alone(std::size_t from, std::span<double> to) const;
  // O(H); with distances by need a whole row.
  double between(std::size_t i, std::size_t j) const;

  // The rows of Euclidean data, centred, [points × columns]; empty for all others. Then −½ J δ² J = X Xᵀ.
  std::span<const float> centred_rows() const {
    return metric_ == Metric::euclidean ? rows_ : std::span<const float>();
  }
  std::size_t columns() const { return columns_; }

 private:
  std::size_t points_, columns_ = 0;
  Metric metric_;
  double unit_ = 1;
  std::shared_ptr<const DistanceFeeder> feeder_;
  std::vector<float> rows_;  // [points × columns], scaled
  SparseRows sparse_;        // scaled
};

// All of them: δ_ij, j < i, at i(i − 1)/2 + j. O(N² H), on all threads. Throws Error (run) if memory is short, (input)
// for more points than `all_pairs_limit`, naming the algorithm.
inline constexpr std::size_t all_pairs_limit = 20'000;
std::vector<float> all_pairs(const PairDistances& distances, const Dataset& data, const char* algorithm);

// A layout's stress Σ (d − δ)² / Σ δ², over all pairs up to 1,000 points, else over pairs of 256 points with all.
class StressFigure {
 public:
  explicit StressFigure(const PairDistances& distances);

  bool exact() const { return exact_; }
  struct Value {
    double stress = 0;  // after the layout was multiplied by
    double scale = 1;   // the factor that minimizes it
  };
  // `layout` [points × L].
  Value of(std::span<const double> layout, std::size_t L) const;
  // As it stands, without the factor.
  double stress(std::span<const double> layout, std::size_t L) const;

 private:
  struct Sums {
    double size = 0, product = 0, square = 0;  // Σ δ², Σ dδ, Σ d²
  };
  Sums sums(std::span<const double> layout, std::size_t L) const;

  std::size_t points_;
  bool exact_;
  std::vector<std::size_t> from_;
  std::vector<float> delta_;  // [from × points]
};

}  // namespace kinescope::sim::glimmer
