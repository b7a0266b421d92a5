// Arranges rectangles side by side, as rows of rows: the first rectangle of a row is followed, to its right, by rows
// that fit its height.
//
// Which rectangle follows which is decided once, from estimated sizes. Then the sizes may change as they like: no two
// rectangles ever overlap, and a small change of the sizes moves them only a little.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace kinescope::sim::glimmer {

using Size = std::array<double, 2>;  // width, height

class Packing {
 public:
  // Larger rectangles come first. O(n log n) for n rectangles.
  explicit Packing(const std::vector<Size>& estimated);

  // The upper left corners of rectangles of these sizes, y upwards; (0, 0) is the middle of them all. O(n).
  std::vector<Size> corners(const std::vector<Size>& sizes) const;

 private:
  // Makes the places for a whole of this width.
  void fill(const std::vector<Size>& estimated, const std::vector<std::size_t>& order, double width);
  Size size_of(const std::vector<Size>& sizes) const;  // of the whole

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Place {
    std::size_t item = 0;
    std::size_t right = none, below = none;  // the places that begin the rows to the right, and the next row
  };
  std::vector<Place> places_;  // each before those to its right and below it
};

}  // namespace kinescope::sim::glimmer
