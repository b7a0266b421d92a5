// Points from which the distances to all are known. Each is the point farthest from those before; the first is drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/glimmer/rivals/stress_figure.hpp"

namespace kinescope::sim::glimmer {

class Pivots {
 public:
  Pivots(const InputDistances& distances, std::uint64_t seed);

  // Adds a pivot; returns false if every point coincides with a pivot. O(N · H).
  bool add();
  std::size_t count() const { return pivots_.size(); }
  std::size_t operator[](std::size_t k) const { return pivots_[k]; }
  const std::vector<double>& squares(std::size_t k) const { return squares_[k]; }  // δ² from pivot k, [points]

 private:
  const InputDistances& distances_;
  std::vector<std::size_t> pivots_;
  std::vector<std::vector<double>> squares_;
  std::vector<double> nearest_;  // [points] δ² to the nearest pivot
  std::size_t next_;
};

}  // namespace kinescope::sim::glimmer
