// The cabin: its mesh, and the place by the shore where it stands.
#pragma once

#include <vector>

#include "kinescope/landscape/landscape.hpp"

namespace kinescope::sim::landscape {

// The cabin in its own axes, with the floor's centre at the origin and the door in the wall at −y.
Mesh make_cabin();
// Half sizes of the box around the cabin, which stands on the floor.
glm::vec3 cabin_half_sizes();
glm::vec3 cabin_chimney_mouth();  // in the cabin's own axes

// Heights on a coarse grid, and the distance of each place from the shore.
struct CoarseTerrain {
  int width = 0;               // places along a side
  float spacing = 0;           // m
  std::vector<float> heights;  // [width²]
  std::vector<float> shore;    // [width²] m to the shoreline

  float height(int x, int y) const { return heights[static_cast<std::size_t>(y * width + x)]; }
};

// O(width²): two sweeps over the grid.
CoarseTerrain make_coarse_terrain(std::vector<float> heights, int width, float spacing, float sea_level);

struct CabinSite {
  float x = 0, y = 0, floor = 0, yaw = 0;
};

// Chooses a place on gentle ground, near the water and a little above it, away from the terrain's border. The door
// faces the water.
CabinSite choose_site(const CoarseTerrain& terrain, float sea_level, std::uint64_t seed);

CabinPlace place_cabin(const CabinSite& site);

}  // namespace kinescope::sim::landscape
