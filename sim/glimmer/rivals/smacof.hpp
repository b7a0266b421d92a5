// SMACOF over all pairs: each iteration is Guttman's transform, which never raises the stress. One pass over the pairs
// finds a layout's stress and its transform.
#pragma once

#include <vector>

#include "sim/glimmer/rivals/majorization.hpp"
#include "sim/glimmer/rivals/rival.hpp"
#include "sim/glimmer/rivals/stress_figure.hpp"

namespace kinescope::sim::glimmer {

class Smacof : public Rival {
 public:
  Smacof(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed);
  void step() override;

 private:
  void move_to(std::vector<double> layout);

  std::vector<float> delta_;
  std::vector<double> next_;  // the layout's transform
  std::size_t L_;
  double size_ = 0;  // Σ δ²
  int steps_ = 0;
};

}  // namespace kinescope::sim::glimmer
