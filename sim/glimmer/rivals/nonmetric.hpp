// Nonmetric scaling: only the order of the distances counts. Each iteration fits disparities to the layout's distances
// by monotone regression on the order of δ (pool-adjacent-violators; equal δ get equal disparities). Then it makes a
// step of SMACOF towards them; the first step goes towards the distances themselves. δ are binned by their rank, into a
// bin for each different one, or 2^16 of about equally many pairs, so that an iteration makes one pass over the pairs
// in their own order. Up to 5,000 points it uses all pairs; beyond, the pairs of each point with about 64 others.
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
  void add_to(Report& report) const override;

 private:
  void put_into_bins(const std::vector<float>& delta);
  void look();

  InputDistances distances_;
  StressFigure figure_;
  PairList pairs_;
  std::size_t L_;
  std::vector<double> x_;            // the layout before it is scaled to the data's distances
  std::vector<std::uint16_t> bins_;  // of each pair; 0: it has no distance
  std::size_t bin_count_ = 1;
  std::vector<float> found_, disparities_;
  int steps_ = 0;
};

}  // namespace kinescope::sim::glimmer
