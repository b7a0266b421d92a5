// Classical scaling: the layout is the first L eigenvectors of B = −½ J δ² J, each as long as the square root of its
// eigenvalue. They are found by subspace iteration with Rayleigh and Ritz, a pass over B an iteration; B is shifted
// where it has large negative eigenvalues, which distances that are not Euclidean give it.
#pragma once

#include <vector>

#include "sim/glimmer/rivals/rival.hpp"
#include "sim/glimmer/rivals/stress_figure.hpp"

namespace kinescope::sim::glimmer {

// B as what is multiplied with it. Of Euclidean rows X, B = J X (J X)ᵀ: O(N H) a vector; else O(N²).
class CentredProducts {
 public:
  CentredProducts(const InputDistances& distances, const Dataset& data);
  // B V for V [points × count], row-major.
  std::vector<double> times(const std::vector<double>& v, std::size_t count) const;

 private:
  std::vector<double> times_rows(const std::vector<double>& v, std::size_t count) const;
  std::vector<double> times_squares(const std::vector<double>& v, std::size_t count) const;

  const InputDistances& distances_;
  std::vector<float> pairs_;  // δ, as all_pairs gives them; empty for Euclidean rows
};

class ClassicScaling : public Rival {
 public:
  ClassicScaling(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed);
  void step() override;

 private:
  InputDistances distances_;
  StressFigure figure_;
  CentredProducts products_;
  std::size_t n_, L_, width_;
  std::vector<double> basis_;  // [points × width], orthonormal
  double shift_ = 0;
  int steps_ = 0;
};

}  // namespace kinescope::sim::glimmer
