// Butterflies: each flies a pursuit curve after an invisible target that walks at random. It heads to where the target
// will be at the next step. A target that is caught or escapes is replaced. Unlike the paper's, these butterflies keep
// clear of the ground, the water, the cabin, trees and one another: they turn away from what is near, and if that was
// not enough they are moved out of it. After a step none is below the ground or inside the cabin's box.
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/executors/run_state.hpp"
#include "kinescope/landscape/landscape.hpp"
#include "kinescope/random.hpp"
#include "sim/landscape/live.hpp"
#include "sim/landscape/smoke/smoke_particles.hpp"
#include "sim/landscape/terrain/terrain_formulas.hpp"

namespace kinescope::sim::landscape {

inline constexpr std::uint32_t butterfly_stream = 0xB0770000u;
inline constexpr float butterfly_range = 48;        // m around the cabin, along x and y
inline constexpr float butterfly_clearance = 0.3f;  // m, least distance from ground, water and the cabin's box

struct Vector {
  float x = 0, y = 0, z = 0;
  KINESCOPE_HD Vector operator+(Vector o) const { return {x + o.x, y + o.y, z + o.z}; }
  KINESCOPE_HD Vector operator-(Vector o) const { return {x - o.x, y - o.y, z - o.z}; }
  KINESCOPE_HD friend Vector operator*(float s, Vector v) { return {s * v.x, s * v.y, s * v.z}; }
  KINESCOPE_HD float length() const { return std::sqrt(x * x + y * y + z * z); }
  KINESCOPE_HD Vector unit_or(Vector otherwise) const {
    const float l = length();
    return l > 1e-6f ? (1.0f / l) * *this : otherwise;
  }
};

struct Butterfly {
  Vector at;
  Vector heading;        // unit
  Vector target, drift;  // m, m/s
  float phase = 0;       // of the wings, in turns
  float speed = 0;       // m/s
  float size = 0;        // m
  std::uint32_t look = 0;
};

struct Trunk {
  float x, y, radius, height;  // m; height is the z of the tree's top
};

// The trees in the butterflies' range, sorted by the cells of a coarse grid over it.
struct TrunkGrid {
  static constexpr int cells = 16;  // along a side
  const Trunk* trunks = nullptr;
  const std::int32_t* first = nullptr;  // [cells² + 1] of `trunks`, by cell
};

// What butterflies must not touch.
struct Obstacles {
  TerrainHeights terrain;
  TrunkGrid trunks;
  float cabin[3] = {}, half[3] = {};  // m, of its box: centre of the floor, half sizes
  float cosine = 1, sine = 0;         // of the box's yaw
  float middle[2] = {};               // of the butterflies' range

  KINESCOPE_HD int trunk_cell(float value, int axis) const {
    const float place = (value - middle[axis] + butterfly_range) * (TrunkGrid::cells / (2 * butterfly_range));
    return place < 0 ? 0 : place >= TrunkGrid::cells ? TrunkGrid::cells - 1 : static_cast<int>(place);
  }
  // Transforms a place to the cabin's axes, measured from the box's centre.
  KINESCOPE_HD Vector to_cabin(Vector p) const {
    const float x = p.x - cabin[0], y = p.y - cabin[1];
    return {cosine * x + sine * y, cosine * y - sine * x, p.z - cabin[2] - half[2]};
  }
  KINESCOPE_HD Vector turned(Vector v) const { return {cosine * v.x - sine * v.y, sine * v.x + cosine * v.y, v.z}; }
};

struct FlyButterflies {
  Obstacles obstacles;
  std::uint64_t seed;
  const RunState* run;
  const Live* live;
  Butterfly* butterflies;  // [2 × most_butterflies]: the old and the new state, swapped each step
  bool begin;              // places all of them at their start

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t half = run->iteration & 1;
    if (begin) {
      butterflies[i] = butterflies[most_butterflies + i] = newborn(i);
      return;
    }
    if (run->converged) return;
    const Butterfly* before = butterflies + half * most_butterflies;
    Butterfly b = before[i];
    fly(b, i, before);
    butterflies[(1 - half) * most_butterflies + i] = b;
  }

 private:
  static constexpr float h = static_cast<float>(step_seconds);

  KINESCOPE_HD float floor_at(float x, float y) const {
    const float height = obstacles.terrain.upper_height(x, y);
    return height > live->sea_level ? height : live->sea_level;
  }

  KINESCOPE_HD RandomWords draw(std::int64_t i, std::uint32_t which) const {
    return Random(seed, butterfly_stream + which)
        .words(static_cast<std::uint64_t>(run->iteration) << 16 | static_cast<std::uint64_t>(i));
  }

  // A random place in the air, within the range and outside the cabin.
  KINESCOPE_HD Vector anywhere(std::int64_t i, std::uint32_t which) const {
    const RandomWords words = draw(i, which);
    Vector p{obstacles.middle[0] + butterfly_range * 0.96f * (2 * uniform_float(words[0]) - 1),
             obstacles.middle[1] + butterfly_range * 0.96f * (2 * uniform_float(words[1]) - 1), 0};
    const float low = uniform_float(words[2]);
    p.z = floor_at(p.x, p.y) + 0.8f + 5.5f * low * low;
    return outside(p);
  }

  KINESCOPE_HD Butterfly newborn(std::int64_t i) const {
    Butterfly b;
    b.at = anywhere(i, 0);
    b.target = anywhere(i, 1);
    b.heading = (b.target - b.at).unit_or({1, 0, 0});
    const RandomWords words = draw(i, 2);
    b.phase = uniform_float(words[0]);
    b.speed = 1.3f + 1.2f * uniform_float(words[1]);
    b.size = 0.16f + 0.1f * uniform_float(words[2]);
    b.look = uniform_below(words[3], 3);
    return b;
  }

  KINESCOPE_HD void walk_target(Butterfly& b, std::int64_t i) const {
    const RandomWords words = draw(i, 3);
    const Vector push{2 * uniform_float(words[0]) - 1, 2 * uniform_float(words[1]) - 1,
                      2 * uniform_float(words[2]) - 1};
    b.drift = 0.985f * b.drift + 0.16f * push;
    b.target = b.target + h * b.drift;
    const float dx = b.target.x - obstacles.middle[0], dy = b.target.y - obstacles.middle[1];
    const float over = b.target.z - floor_at(b.target.x, b.target.y);
    const bool escaped =
        !(std::fabs(dx) < butterfly_range && std::fabs(dy) < butterfly_range && over > 0.4f && over < 12);
    const bool caught = (b.target - b.at).length() < 0.4f;
    if (!escaped && !caught && !in_cabin(b.target, 0.5f)) return;
    b.target = anywhere(i, 4);
    b.drift = {};
  }

  KINESCOPE_HD void fly(Butterfly& b, std::int64_t i, const Butterfly* before) const {
    walk_target(b, i);
    const RandomWords words = draw(i, 5);
    const Vector flutter{uniform_float(words[0]) - 0.5f, uniform_float(words[1]) - 0.5f,
                         uniform_float(words[2]) - 0.5f};
    const Vector next = b.target + h * b.drift;
    Vector wish = (next - b.at).unit_or(b.heading) + 0.9f * flutter;
    wish = wish + from_cabin(b.at) + from_trunks(b.at) + from_others(i, before);
    const float over = b.at.z - floor_at(b.at.x, b.at.y);
    if (over < 1.2f) wish.z += 1.5f * (1.2f - over);
    b.heading = (b.heading + 0.12f * wish).unit_or(b.heading);
    // The body moves up and down with the wings.
    const Vector step = h * b.speed * b.heading + Vector{0, 0, h * 0.5f * sine_turns(b.phase)};
    b.at = outside(b.at + step);
    b.phase += h * (7.0f + 2.0f * b.heading.z);
    b.phase -= std::floor(b.phase);
  }

  KINESCOPE_HD bool in_cabin(Vector p, float room) const {
    const Vector local = obstacles.to_cabin(p);
    return std::fabs(local.x) < obstacles.half[0] + room && std::fabs(local.y) < obstacles.half[1] + room &&
           std::fabs(local.z) < obstacles.half[2] + room;
  }

  KINESCOPE_HD Vector from_cabin(Vector p) const {
    const Vector local = obstacles.to_cabin(p);
    const float x = excess(local.x, obstacles.half[0]), y = excess(local.y, obstacles.half[1]);
    const float z = excess(local.z, obstacles.half[2]);
    const Vector away{x, y, z};
    const float distance = away.length();
    if (distance > 2.5f) return {};
    return (2 * (2.5f - distance)) * obstacles.turned(away.unit_or({local.x, local.y, 0}).unit_or({0, 0, 1}));
  }
  KINESCOPE_HD static float excess(float value, float half) {
    return value > half ? value - half : value < -half ? value + half : 0.0f;
  }

  template <class F>
  KINESCOPE_HD void near_trunks(Vector p, F f) const {
    if (!obstacles.trunks.first) return;
    const int x0 = obstacles.trunk_cell(p.x - 2, 0), x1 = obstacles.trunk_cell(p.x + 2, 0);
    const int y0 = obstacles.trunk_cell(p.y - 2, 1), y1 = obstacles.trunk_cell(p.y + 2, 1);
    for (int y = y0; y <= y1; ++y)
      for (int t = obstacles.trunks.first[y * TrunkGrid::cells + x0];
           t < obstacles.trunks.first[y * TrunkGrid::cells + x1 + 1]; ++t)
        f(obstacles.trunks.trunks[t]);
  }

  KINESCOPE_HD Vector from_trunks(Vector p) const {
    Vector sum;
    near_trunks(p, [&](const Trunk& t) {
      const Vector away{p.x - t.x, p.y - t.y, 0};
      const float distance = away.length() - t.radius;
      if (p.z < t.height && distance < 1.5f) sum = sum + (1.6f * (1.5f - distance)) * away.unit_or({1, 0, 0});
    });
    return sum;
  }

  KINESCOPE_HD Vector from_others(std::int64_t i, const Butterfly* before) const {
    const Vector p = before[i].at;
    Vector sum;
    for (int j = 0; j < live->butterflies; ++j) {
      const Vector away = p - before[j].at;
      const float square = away.x * away.x + away.y * away.y + away.z * away.z;
      if (square < 0.8f * 0.8f && j != i)
        sum = sum + (2 * (0.8f - std::sqrt(square))) * away.unit_or({0, 0, i < j ? 1.0f : -1.0f});
    }
    return sum;
  }

  // Moves a place roughly to the nearest allowed one: first out of trunks, then out of the cabin, then above ground and
  // water. The last move does not lead back into the cabin.
  KINESCOPE_HD Vector outside(Vector p) const {
    near_trunks(p, [&](const Trunk& t) {
      const Vector away{p.x - t.x, p.y - t.y, 0};
      const float distance = away.length(), least = t.radius + 0.15f;
      if (p.z >= t.height || distance >= least) return;
      const Vector out = away.unit_or({1, 0, 0});
      p.x = t.x + least * out.x;
      p.y = t.y + least * out.y;
    });
    if (in_cabin(p, butterfly_clearance)) {
      const Vector local = obstacles.to_cabin(p);
      const float x = obstacles.half[0] + butterfly_clearance + 1e-3f,
                  y = obstacles.half[1] + butterfly_clearance + 1e-3f;
      Vector to = local;
      if (x - std::fabs(local.x) < y - std::fabs(local.y))
        to.x = local.x < 0 ? -x : x;
      else
        to.y = local.y < 0 ? -y : y;
      const Vector moved = obstacles.turned(to);
      p.x = obstacles.cabin[0] + moved.x;
      p.y = obstacles.cabin[1] + moved.y;
    }
    const float lowest = floor_at(p.x, p.y) + butterfly_clearance;
    p.z = p.z > lowest ? p.z : lowest;
    return p;
  }
};

struct PublishButterflies {
  const RunState* run;
  const Live* live;
  const Butterfly* butterflies;
  float* to;  // [most_butterflies × 8]

  KINESCOPE_HD void operator()(std::int64_t i) const {
    float* row = to + 8 * i;
    if (i >= live->butterflies) {
      for (int c = 0; c < 8; ++c) row[c] = 0;
      return;
    }
    const Butterfly& b = butterflies[(run->iteration & 1) * most_butterflies + i];
    const float level = std::sqrt(b.heading.x * b.heading.x + b.heading.y * b.heading.y);
    row[0] = b.at.x;
    row[1] = b.at.y;
    row[2] = b.at.z;
    row[3] = std::atan2(b.heading.y, b.heading.x);
    row[4] = std::atan2(b.heading.z, level);
    row[5] = 0.35f + 1.0f * sine_turns(b.phase);
    row[6] = static_cast<float>(b.look);
    row[7] = b.size;
  }
};

}  // namespace kinescope::sim::landscape
