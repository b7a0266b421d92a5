// The true nearest rows of a point: by the distances of the data, wherever the layout puts them.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "sim/glimmer/quality/input_distances.hpp"

namespace kinescope::sim::glimmer {

struct Neighbour {
  std::uint32_t point = 0;
  float distance = 0;  // in the data's (normalized) units
  friend bool operator<(const Neighbour& a, const Neighbour& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.point < b.point);
  }
};

// The `count` nearest of `distances`, which are those of points first, first + 1, …, without the point `self`: in
// order, equal ones by their numbers. Fewer if there are not so many. O(distances · log count) at worst, one comparison
// for most of them.
std::vector<Neighbour> nearest_of(std::span<const float> distances, std::size_t first, std::size_t self,
                                  std::size_t count);

// The `count` rows nearest to row `point`, exact: all points are looked at, in blocks of 16,384 on all threads, and the
// result is the same for any number of them. O(points · dimensions). Once `stop` is asked for, it ends soon with none.
std::vector<Neighbour> nearest_rows(const InputDistances& input, std::size_t point, std::size_t count,
                                    const std::stop_token& stop = {});

}  // namespace kinescope::sim::glimmer
