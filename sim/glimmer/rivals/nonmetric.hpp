// Nonmetric scaling: only the order of the distances counts. Each iteration fits disparities to the layout's distances
// by monotone regression on the order of δ (pool-adjacent-violators; equal δ get equal disparities), and then makes a
// step of SMACOF towards them; the first step goes towards the distances themselves. Up to 5,000 points it takes all
// pairs, beyond that pairs of each point with 64 others.
//
// The figure is Kruskal's stress-1, √(Σ (d − d̂)² / Σ d²).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/glimmer/rivals/majorization.hpp"
#include "sim/glimmer/rivals/rival.hpp"
#include "sim/glimmer/rivals/stress_figure.hpp"

namespace kinescope::sim::glimmer {

// The nondecreasing sequence that is nearest to `values` in least squares, each with its weight. O(n).
void monotone_regression(std::vector<double>& values, const std::vector<double>& weights);

class Nonmetric : public Rival {
 public:
  Nonmetric(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed);
  void step() override;

 private:
  void look();

  InputDistances distances_;
  StressFigure figure_;
  PairList pairs_;
  std::size_t L_;
  std::vector<double> x_;             // the layout before it is scaled to the data's distances
  std::vector<std::uint32_t> order_;  // of the pairs, by δ
  std::vector<std::size_t> groups_;   // where the groups of equal δ begin in it, and its end
  std::vector<float> found_, disparities_;
  int steps_ = 0;
};

}  // namespace kinescope::sim::glimmer
