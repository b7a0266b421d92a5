// The stress of layouts that are computed on the host.
#pragma once

#include <span>
#include <vector>

#include "kinescope/glimmer/input_distances.hpp"

namespace kinescope::sim::glimmer {

// A layout's stress Σ (d − δ)² / Σ δ², over all pairs up to 1,000 points, otherwise over the pairs of 256 drawn points
// with all points.
class StressFigure {
 public:
  explicit StressFigure(const InputDistances& distances);

  bool exact() const { return exact_; }
  struct Value {
    double stress = 0;  // after the layout is multiplied by `scale`
    double scale = 1;   // the factor that minimizes the stress
  };
  // `layout` [points × L].
  Value of(std::span<const double> layout, std::size_t L) const;
  // The stress of the layout as it is, without the factor.
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
