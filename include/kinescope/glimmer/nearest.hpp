// The rows that are truly nearest to a point: by the distances of the data, wherever the layout puts them.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "kinescope/glimmer/input_distances.hpp"

namespace kinescope::sim::glimmer {

struct Neighbour {
  std::uint32_t point = 0;
  float distance = 0;  // in the data's (normalized) units
  friend bool operator<(const Neighbour& a, const Neighbour& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.point < b.point);
  }
};

// The `count` nearest points, without the point `self`. `distances` are those of all points. The result ascends by
// distance, then by point number, and is shorter if there are fewer points. For most distances it takes one comparison,
// at worst O(log count) of them.
std::vector<Neighbour> nearest_of(std::span<const float> distances, std::size_t self, std::size_t count);

// The `count` rows nearest to row `point`, exact. Looks at all points, in blocks of 16,384 on all threads; the result
// is the same for any number of threads. O(points · dimensions). Once `stop` is requested, returns soon with no rows.
std::vector<Neighbour> nearest_rows(const InputDistances& input, std::size_t point, std::size_t count,
                                    const std::stop_token& stop = {});

}  // namespace kinescope::sim::glimmer
