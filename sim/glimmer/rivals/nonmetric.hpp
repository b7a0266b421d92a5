// Nonmetric scaling: only the order of the distances counts. Each iteration fits disparities to the layout's distances
// by monotone regression on the order of δ (pool-adjacent-violators; equal δ get equal disparities). Then it makes a
// step of SMACOF towards them; the first step goes towards the distances themselves. Up to 5,000 points it uses all
// pairs; beyond, the pairs of each point with about 64 others.
//
// The figure is Kruskal's stress-1, √(Σ (d − d̂)² / Σ d²).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/glimmer/rivals/majorization.hpp"
#include "sim/glimmer/rivals/rival.hpp"
#include "sim/glimmer/rivals/stress_figure.hpp"

namespace kinescope::sim::glimmer {

// Replaces `values` by the nondecreasing sequence that is nearest to them in weighted least squares. O(n).
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
  std::vector<std::uint32_t> order_;  // the pairs, sorted by δ
  std::vector<std::size_t> groups_;   // where each group of equal δ begins in order_, and its end
  std::vector<float> found_, disparities_;
  int steps_ = 0;
};

}  // namespace kinescope::sim::glimmer
