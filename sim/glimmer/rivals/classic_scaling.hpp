// Classical scaling: the layout is the first L eigenvectors of B = −½ J δ² J, each as long as the square root of its
// eigenvalue. They are found by subspace iteration with the Rayleigh–Ritz method; each iteration makes one pass over B.
// If B has large negative eigenvalues, as distances that are not Euclidean cause, B is shifted.
#pragma once

#include <vector>

#include "sim/glimmer/rivals/rival.hpp"
#include "sim/glimmer/rivals/stress_figure.hpp"

namespace kinescope::sim::glimmer {

// The matrix B, by which vectors can be multiplied. For Euclidean rows X, B = J X (J X)ᵀ, in O(N H) a vector; for other
// data in O(N²).
class CentredProducts {
 public:
  CentredProducts(const InputDistances& distances, const Dataset& data);
  // B V for V [points × count], row-major.
  std::vector<double> times(const std::vector<double>& v, std::size_t count) const;
  // The sum of B's diagonal, and so of all its eigenvalues.
  double trace() const;

 private:
  std::vector<double> times_rows(const std::vector<double>& v, std::size_t count) const;
  std::vector<double> times_squares(const std::vector<double>& v, std::size_t count) const;

  const InputDistances& distances_;
  std::vector<float> pairs_;  // δ of all pairs, as all_pairs returns them; empty for Euclidean rows
};

class ClassicScaling : public Rival {
 public:
  ClassicScaling(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed);
  void step() override;
  // The eigenvalues of the layout's axes ("eigenvalues"), and their shares in the sum of all ("shares"): in the
  // variance, for Euclidean rows. Other distances may have negative eigenvalues, so that shares exceed 1 together.
  void add_to(Report& report) const override;

 private:
  InputDistances distances_;
  StressFigure figure_;
  CentredProducts products_;
  std::size_t n_, L_, width_;
  std::vector<double> basis_;   // [points × width], orthonormal
  std::vector<double> values_;  // [L] eigenvalues
  double shift_ = 0;
  int steps_ = 0;
};

}  // namespace kinescope::sim::glimmer
