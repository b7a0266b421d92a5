// Which variant of its kind each plant is: neighbours differ. And how plants of one variant differ: each leans a little
// its own way, and is a little wider or narrower.
#pragma once

#include <cmath>
#include <vector>

namespace kinescope::sim::landscape {

inline constexpr int differing_neighbours = 3;

// Changes the variants in `instances` [plants × 8], rows as published (landscape.hpp), so that no plant is of the
// variant of any of its three nearest plants of the same kind; where two are equally near, the earlier row counts.
// Plants keep their variant where they can. Needs at least 7 variants, with which it always succeeds: of any plants,
// one has at most 2 · 3 neighbours among them (each brings 3), and is coloured after these. O(n) for plants that are
// spread evenly.
void vary_neighbours(std::vector<float>& instances, int variants);

// How a plant stands, from the phase of its swaying; shaders/landscape/plants/plants.glsl does the same.
struct Stance {
  float lean_x, lean_y;  // m aside for each m of height
  float width;           // factor on what lies across
};
inline Stance stance_of(float phase) {
  const auto part = [&](float times) { return phase * times - std::floor(phase * times); };
  const float lean = 0.05f * part(7.31f);
  return {lean * std::cos(phase), lean * std::sin(phase), 0.9f + 0.2f * part(3.17f)};
}

}  // namespace kinescope::sim::landscape
