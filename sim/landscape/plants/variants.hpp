// Chooses the variant of each plant so that neighbours differ. Plants of one variant differ, too: each leans a little
// its own way, and is a little wider or narrower.
#pragma once

#include <cmath>
#include <vector>

namespace kinescope::sim::landscape {

inline constexpr int differing_neighbours = 3;

// Changes the variants in `instances` [plants × 8], rows as published (landscape.hpp), so that no plant has the variant
// of any of its three nearest plants of the same kind. If two are equally near, the earlier row counts. Plants keep
// their variant if they can. `variants` must be at least 7; then it always succeeds. Proof: in any set of plants each
// adds at most 3 pairs of neighbours, so some plant has at most 2 · 3 neighbours in the set. It is coloured after them.
// O(n) for plants that are spread evenly.
void vary_neighbours(std::vector<float>& instances, int variants);

// How a plant stands, computed from the phase of its swaying. shaders/landscape/plants/plants.glsl does the same.
struct Stance {
  float lean_x, lean_y;  // m sideways per metre of height
  float width;           // factor on horizontal distances
};
inline Stance stance_of(float phase) {
  const auto part = [&](float times) { return phase * times - std::floor(phase * times); };
  const float lean = 0.05f * part(7.31f);
  return {lean * std::cos(phase), lean * std::sin(phase), 0.9f + 0.2f * part(3.17f)};
}

}  // namespace kinescope::sim::landscape
