// Distances on the Earth, a sphere of radius 6371.0088 km (the mean radius of WGS 84), along great circles.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kinescope/distance_feeder.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

// Kilometres between two places in degrees. Exact to a few units in the last place of a double, for neighbours and
// antipodes too: the haversine of the angle and that of its supplement are computed, neither as 1 minus the other (R.
// Sinnott, "Virtues of the haversine", 1984).
double great_circle(double latitude, double longitude, double other_latitude, double other_longitude);

class GreatCircles final : public DistanceFeeder {
 public:
  // Copies these rows of two columns of degrees. Throws Error (input), which names the row, for a latitude beyond ±90
  // or a longitude beyond ±360. O(rows).
  GreatCircles(const Table& table, const Column& latitude, const Column& longitude,
               const std::vector<std::size_t>& rows);

  std::size_t points() const override { return latitude_.size(); }
  void row(std::size_t from, std::span<float> distances) const override;  // O(points)
  std::string description() const override { return "great circles in km"; }

 private:
  std::vector<double> latitude_, longitude_;
};

}  // namespace kinescope::sim
