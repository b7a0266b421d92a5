// The first principal axes of rows, by subspace iteration (H. Rutishauser, "Computational aspects of F. L. Bauer's
// simultaneous iteration method", 1969): neither many rows nor many columns make it costly.
#pragma once

#include <cstdint>
#include <vector>

namespace kinescope::sim::glimmer {

inline constexpr std::uint32_t stream_axes = 230;
inline constexpr std::int64_t spare_axes = 6;  // vectors beyond the wanted ones, so that the last of those converge too
inline constexpr int axis_passes = 4;

// Rayleigh and Ritz: the eigenvectors of the symmetric `gram` [count × count], row-major, the largest eigenvalue's
// column first.
std::vector<float> principal_turn(const std::vector<double>& gram, std::int64_t count);

class PrincipalAxes {
 public:
  // `rows` [count × columns], row-major, is a sample. The axes go through the origin: for axes about the mean, subtract
  // it first.
  PrincipalAxes(std::vector<float> rows, std::int64_t columns);

  // Finds at least `wanted` axes, or as many as there are columns, starting from the axes found before: four passes
  // over the sample, O(count · columns · wanted), on all threads, with the same bits for any number of them.
  void find(std::int64_t wanted);

  std::int64_t found() const { return found_; }
  // [columns × found] row-major, orthonormal, the longest first; the largest entry of each axis is positive.
  const std::vector<float>& axes() const { return axes_; }

 private:
  std::vector<float> rows_, axes_;
  std::int64_t columns_, found_ = 0;
};

}  // namespace kinescope::sim::glimmer
