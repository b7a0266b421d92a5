// Where plants grow: each plant tries places until one suits a kind, by height, slope, distance from the shore and from
// the cabin, and by a slow noise that makes groves and clearings. Every plant is placed independently, from its number.
#pragma once

#include <cmath>
#include <cstdint>

#include "sim/core/random.hpp"
#include "sim/landscape/landscape.hpp"
#include "sim/landscape/terrain/terrain_formulas.hpp"

namespace kinescope::sim::landscape {

inline constexpr std::uint32_t plant_stream = 0x91A70000u;
enum PlantKind : int { cottonwood, palm, flower, bush };
inline constexpr int plant_kinds = 4;

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
      // One plant in six grows near the cabin, where people look most.
      const bool near = i % 6 == 0;
      const float span = near ? 240.0f : terrain_side - 8;
      const float from_x = near ? cabin_x - 120 : 4, from_y = near ? cabin_y - 120 : 4;
      const float x = from_x + span * uniform_float(where[0]), y = from_y + span * uniform_float(where[1]);
      if (x < 4 || y < 4 || x > terrain_side - 4 || y > terrain_side - 4) continue;
      const int kind = pick(x, y, uniform_float(where[2]), uniform_float(where[3]));
      if (kind < 0) continue;
      const RandomWords how = random.words(static_cast<std::uint64_t>(i), 2 * attempt + 1);
      const std::uint32_t variant = uniform_below(how[0], plant_variants);
      const float size = uniform_float(how[1]);
      row[0] = x;
      row[1] = y;
      row[2] = terrain.height(x, y) - 0.05f;
      row[3] = 6.2831853f * uniform_float(how[2]);
      row[4] = kind <= palm ? 0.7f + 0.6f * size : 0.75f + 0.5f * size;
      row[5] = static_cast<float>(kind * plant_variants + static_cast<int>(variant));
      row[6] = uniform_float(how[3]);
      row[7] = 6.2831853f * uniform_float(how[3] * 2654435761u);
      return;
    }
    row[2] = -1000;  // no place suits: it is hidden and has no size
  }

 private:
  // Noise between random values at the corners, 0 … 1.
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

  // The kind that grows here, chosen by two random numbers; −1: none.
  KINESCOPE_HD int pick(float x, float y, float choice, float chance) const {
    const float over = terrain.height(x, y) - sea_level;
    if (over < 0.4f) return -1;
    const float slope = terrain.slope(x, y), shore_at = shore_distance(x, y);
    const float cabin = std::sqrt((x - cabin_x) * (x - cabin_x) + (y - cabin_y) * (y - cabin_y));
    if (cabin < 8) return -1;
    const float line = 0.42f * relief;  // the tree line
    const float grove = rise(groves(x, y, 70), 0.35f, 0.7f), meadow = 1 - grove;
    const float clear = rise(cabin, 13, 28);
    float weight[plant_kinds];
    weight[cottonwood] = 0.85f * (0.06f + grove) * rise(slope, 0.75f, 0.35f) * rise(over, line, 0.6f * line) *
                         rise(over, 1.5f, 4) * clear;
    weight[palm] = 0.7f * rise(shore_at, 60, 20) * rise(over, 9, 4) * rise(slope, 0.5f, 0.25f) * rise(cabin, 10, 14);
    weight[flower] =
        0.8f * (0.1f + meadow) * rise(slope, 0.6f, 0.3f) * rise(over, 1.3f * line, 0.8f * line) * rise(over, 1, 2);
    weight[bush] = 0.45f * rise(slope, 0.95f, 0.5f) * rise(over, 1.6f * line, 0.9f * line) * rise(over, 1, 2.5f) *
                   rise(cabin, 9, 13);
    // Kinds are tried in turn, starting with a random one, so that none keeps the others away.
    const int kind = static_cast<int>(choice * plant_kinds);
    return chance < weight[kind] ? kind : -1;
  }
};

}  // namespace kinescope::sim::landscape
