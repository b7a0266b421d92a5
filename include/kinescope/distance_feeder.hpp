// Distances between points that have no rows of numbers, or whose distance is not computed from such rows: shortest
// paths of a graph, a matrix in a file, a user's own function. A layout requests the distances from one point to all
// others at a time, and only from the points that it needs (S. Ingram, "Multilevel multidimensional scaling on the
// GPU", 2007, chapter 5, calls this feeding).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace kinescope::sim {

class DistanceFeeder {
 public:
  virtual ~DistanceFeeder() = default;
  virtual std::size_t points() const = 0;
  // Writes the distance of point `from` to every point, [points]: finite, not negative, 0 to itself, and the same both
  // ways; NaN between points that have no distance (Dataset::components). Many threads call it at once. Throws Error.
  virtual void row(std::size_t from, std::span<float> distances) const = 0;
  // A few words about the distances, for panels and messages: "shortest paths over 8,271 edges".
  virtual std::string description() const = 0;
};

}  // namespace kinescope::sim
