// Where plants grow: each plant tries random places until one suits a kind. That depends on height, slope, distance
// from the shore and from the cabin, and on slow noises that make groves, stands and clearings. Every plant is placed
// independently, from its number. Cottonwoods fill groves on low ground, and birches stand at their edges. Conifers
// take over further up and on steep ground. Palms grow near the shore, reeds in beds along the water's edge.
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/landscape/landscape.hpp"
#include "kinescope/random.hpp"
#include "sim/landscape/terrain/terrain_formulas.hpp"

namespace kinescope::sim::landscape {

inline constexpr std::uint32_t plant_stream = 0x91A70000u;
// In the order of load_plants().
enum PlantKind : int { cottonwood, palm, flower, bush, conifer, birch, reed, factorial_bush };
inline constexpr int plant_kinds = 8;
KINESCOPE_HD constexpr bool is_tree(int kind) {
  return kind == cottonwood || kind == palm || kind == conifer || kind == birch;
}

struct PlacePlants {
  TerrainHeights terrain;
  const float* shore;  // [shore_width²] m to the shore, over the whole terrain
  std::int32_t shore_width;
  float sea_level, relief;
  float cabin_x, cabin_y;
  std::uint64_t seed;
  float* instances;  // [plants × 8]

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const Random random(seed, plant_stream);
    float* row = instances + 8 * i;
    for (int c = 0; c < 8; ++c) row[c] = 0;
    constexpr std::uint32_t tries = 96;
    for (std::uint32_t attempt = 0; attempt < tries; ++attempt) {
      const RandomWords where = random.words(static_cast<std::uint64_t>(i), 2 * attempt);
      // More than one plant in six grows near the cabin, where people look most.
      const bool near = i % 6 == 0 || i % 96 == 3;
      const float span = near ? 240.0f : terrain_side - 8;
      const float from_x = near ? cabin_x - 120 : 4, from_y = near ? cabin_y - 120 : 4;
      float x = from_x + span * uniform_float(where[0]), y = from_y + span * uniform_float(where[1]);
      // The water's edge is narrow: one plant in twelve first looks for it.
      const bool to_water = i % 12 == 3 && attempt < tries / 2;
      if (to_water) seek_water(x, y);
      if (x < 4 || y < 4 || x > terrain_side - 4 || y > terrain_side - 4) continue;
      const float chance = uniform_float(where[3]);
      const int kind =
          to_water ? (chance < reeds(x, y) ? static_cast<int>(reed) : -1) : pick(x, y, uniform_float(where[2]), chance);
      if (kind < 0) continue;
      const RandomWords how = random.words(static_cast<std::uint64_t>(i), 2 * attempt + 1);
      const std::uint32_t variant = uniform_below(how[0], plant_variants);
      const float size = uniform_float(how[1]);
      row[0] = x;
      row[1] = y;
      row[2] = terrain.height(x, y) - 0.05f;
      row[3] = 6.2831853f * uniform_float(how[2]);
      row[4] = is_tree(kind) ? 0.7f + 0.6f * size : 0.75f + 0.5f * size;
      row[5] = static_cast<float>(kind * plant_variants + static_cast<int>(variant));
      row[6] = uniform_float(how[3]);
      row[7] = 6.2831853f * uniform_float(how[3] * 2654435761u);
      return;
    }
    row[2] = -1000;  // no place suits: the plant is hidden and its scale is 0
  }

 private:
  // Value noise, 0 … 1: random values at the corners of a lattice, interpolated.
  KINESCOPE_HD float groves(float x, float y, float size) const {
    const float u = x / size, v = y / size, i = std::floor(u), j = std::floor(v), s = u - i, t = v - j;
    const Random random(seed, plant_stream + 1);
    const auto value = [&](int a, int b) {
      return random.uniform(static_cast<std::uint64_t>(static_cast<std::int64_t>(j) + b) << 32 |
                            static_cast<std::uint64_t>(static_cast<std::int64_t>(i) + a));
    };
    const float a = value(0, 0) + s * (value(1, 0) - value(0, 0)), b = value(0, 1) + s * (value(1, 1) - value(0, 1));
    return a + t * (b - a);
  }

  KINESCOPE_HD float shore_distance(float x, float y) const {
    const TerrainHeights map{shore, shore_width, terrain_side / static_cast<float>(shore_width - 1),
                             static_cast<float>(shore_width - 1) / terrain_side};
    return map.height(x, y);
  }

  KINESCOPE_HD static float rise(float value, float from, float to) {
    const float part = (value - from) / (to - from);
    return part < 0 ? 0.0f : part > 1 ? 1.0f : part;
  }

  // Moves down or up the slope to the place where the ground rises out of the water (Newton's method).
  KINESCOPE_HD void seek_water(float& x, float& y) const {
    constexpr float step = 2;
    for (int k = 0; k < 6; ++k) {
      const float over = terrain.height(x, y) - sea_level - 0.25f;
      const float dx = (terrain.height(x + step, y) - terrain.height(x - step, y)) / (2 * step);
      const float dy = (terrain.height(x, y + step) - terrain.height(x, y - step)) / (2 * step);
      const float square = dx * dx + dy * dy + 1e-4f, most = 30 / std::sqrt(square);
      float part = over / square;
      part = part > most ? most : part < -most ? -most : part;
      x -= part * dx;
      y -= part * dy;
      x = x < 4 ? 4.0f : x > terrain_side - 4 ? terrain_side - 4 : x;
      y = y < 4 ? 4.0f : y > terrain_side - 4 ? terrain_side - 4 : y;
    }
  }

  // How well reeds grow here, 0 … 1: on the strip that waves reach, in beds.
  KINESCOPE_HD float reeds(float x, float y) const {
    const float over = terrain.height(x, y) - sea_level;
    const float cabin = std::sqrt((x - cabin_x) * (x - cabin_x) + (y - cabin_y) * (y - cabin_y));
    return over < 0.08f || cabin < 8 ? 0.0f
                                     : rise(over, 0.6f, 0.3f) * rise(terrain.slope(x, y), 0.5f, 0.25f) *
                                           rise(groves(x + 700, y, 24), 0.5f, 0.65f);
  }

  // The kind that grows here, chosen by two random numbers; −1 if none does.
  KINESCOPE_HD int pick(float x, float y, float choice, float chance) const {
    const float over = terrain.height(x, y) - sea_level;
    if (over < 0.4f) return -1;
    const float slope = terrain.slope(x, y), shore_at = shore_distance(x, y);
    const float cabin = std::sqrt((x - cabin_x) * (x - cabin_x) + (y - cabin_y) * (y - cabin_y));
    if (cabin < 8) return -1;
    const float line = 0.42f * relief;  // the tree line
    const float grove = rise(groves(x, y, 70), 0.35f, 0.7f), meadow = 1 - grove;
    const float clear = rise(cabin, 15, 34);
    // High up and on steep ground, and here and there below, conifers stand instead of broad-leaved trees.
    const float cold = rise(over / line + 0.35f * (groves(x, y + 900, 160) - 0.5f) + 0.3f * slope, 0.35f, 0.65f);
    const float edge = rise(groves(x, y, 70), 0.25f, 0.45f) * rise(groves(x, y, 70), 0.75f, 0.5f);
    float weight[plant_kinds];
    weight[cottonwood] = 0.85f * (0.06f + grove) * rise(slope, 0.75f, 0.35f) * rise(over, line, 0.6f * line) *
                         rise(over, 1.5f, 4) * clear * (1 - cold);
    weight[conifer] = 0.9f * (0.08f + grove) * rise(slope, 1.1f, 0.7f) * rise(over, 1.35f * line, 0.9f * line) *
                      rise(over, 4, 10) * clear * cold;
    weight[birch] = 0.7f * edge * rise(slope, 0.7f, 0.4f) * rise(over, line, 0.7f * line) * rise(over, 1.5f, 4) *
                    clear * (1 - 0.7f * cold);
    weight[reed] = 0;  // reeds are placed by seek_water() only
    weight[factorial_bush] = 0.3f * edge * rise(slope, 0.7f, 0.4f) * rise(over, line, 0.7f * line) *
                             rise(over, 1, 2.5f) * rise(cabin, 9, 13);
    weight[palm] = 0.7f * rise(shore_at, 60, 20) * rise(over, 9, 4) * rise(slope, 0.5f, 0.25f) * rise(cabin, 14, 24);
    weight[flower] =
        0.8f * (0.1f + meadow) * rise(slope, 0.6f, 0.3f) * rise(over, 1.3f * line, 0.8f * line) * rise(over, 1, 2);
    weight[bush] = 0.45f * rise(slope, 0.95f, 0.5f) * rise(over, 1.6f * line, 0.9f * line) * rise(over, 1, 2.5f) *
                   rise(cabin, 9, 13);
    // Each attempt tries one kind, chosen at random, so that no kind keeps the others away.
    const int kind = static_cast<int>(choice * plant_kinds);
    return chance < weight[kind] ? kind : -1;
  }
};

}  // namespace kinescope::sim::landscape
