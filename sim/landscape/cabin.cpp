#include "sim/landscape/cabin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kinescope/random.hpp"
#include "sim/landscape/mesh_builder.hpp"

namespace kinescope::sim::landscape {
namespace {

// In metres.
constexpr float half_length = 3.4f, half_depth = 2.4f, wall = 2.5f, ridge = 4.4f, eaves = 0.5f, roof_thickness = 0.18f;
constexpr float foundation = 0.8f;  // reaches into the ground
constexpr float chimney_x = 2.1f, chimney_y = 0.9f, chimney_half = 0.38f, chimney_top = 5.3f;

void add_walls(MeshBuilder& builder) {
  builder.group("walls", {0.30f, 0.17f, 0.085f});
  // Logs: every other course stands out.
  constexpr int courses = 9;
  for (int i = 0; i < courses; ++i) {
    const float low = wall * float(i) / courses, high = wall * float(i + 1) / courses, out = i % 2 ? 0.0f : 0.05f;
    const float shade = i % 2 ? 0.85f : 1.0f;
    builder.colour(shade * glm::vec3(0.30f, 0.17f, 0.085f));
    builder.box({-half_length - out, -half_depth - out, low}, {half_length + out, half_depth + out, high});
  }
  builder.colour({0.28f, 0.27f, 0.25f});
  builder.box({-half_length - 0.1f, -half_depth - 0.1f, -foundation}, {half_length + 0.1f, half_depth + 0.1f, 0.12f});
  builder.colour({0.27f, 0.15f, 0.075f});
  for (const float side : {-1.0f, 1.0f}) {
    const glm::vec3 left(side * half_length, -half_depth, wall), right(side * half_length, half_depth, wall);
    const glm::vec3 top(side * half_length, 0, ridge);
    const glm::vec3 normal(side, 0, 0);
    const std::uint32_t a = builder.vertex(left, normal, {0, 0}),
                        b = builder.vertex(right, normal, {2 * half_depth, 0});
    const std::uint32_t c = builder.vertex(top, normal, {half_depth, ridge - wall});
    side > 0 ? builder.triangle(a, b, c) : builder.triangle(b, a, c);
  }
}

void add_roof(MeshBuilder& builder) {
  builder.group("roof", {0.23f, 0.075f, 0.055f});
  const float slope = (ridge - wall) / half_depth, low = wall - slope * eaves;
  const glm::vec3 up(0, 0, roof_thickness);
  for (const float side : {-1.0f, 1.0f}) {
    glm::vec3 a(-half_length - eaves, side * (half_depth + eaves), low), b(half_length + eaves, a.y, low);
    glm::vec3 c(b.x, 0, ridge), d(a.x, 0, ridge);
    if (side > 0) std::swap(a, b), std::swap(c, d);
    builder.quad(a + up, b + up, c + up, d + up);
    builder.quad(b, a, d, c);
    builder.quad(a, b, b + up, a + up);
    builder.quad(b, c, c + up, b + up);
    builder.quad(d, a, a + up, d + up);
  }
}

void add_openings(MeshBuilder& builder) {
  builder.group("door", {0.16f, 0.20f, 0.10f});
  builder.box({-0.5f, -half_depth - 0.12f, 0.1f}, {0.5f, -half_depth, 2.1f});
  builder.colour({0.45f, 0.36f, 0.22f});
  builder.box({0.32f, -half_depth - 0.17f, 1.05f}, {0.4f, -half_depth - 0.1f, 1.13f});
  builder.colour({0.28f, 0.27f, 0.25f});
  builder.box({-0.8f, -half_depth - 0.9f, -foundation}, {0.8f, -half_depth - 0.1f, 0.1f});  // the step
  builder.group("chimney", {0.24f, 0.21f, 0.19f});
  builder.box({chimney_x - chimney_half, chimney_y - chimney_half, wall},
              {chimney_x + chimney_half, chimney_y + chimney_half, chimney_top - 0.15f});
  builder.colour({0.17f, 0.15f, 0.14f});
  builder.box({chimney_x - chimney_half - 0.08f, chimney_y - chimney_half - 0.08f, chimney_top - 0.15f},
              {chimney_x + chimney_half + 0.08f, chimney_y + chimney_half + 0.08f, chimney_top});
  builder.group("window", {0.9f, 0.62f, 0.28f});
  for (const float x : {-2.0f, 2.0f})
    builder.box({x - 0.55f, -half_depth - 0.09f, 1.0f}, {x + 0.55f, -half_depth, 1.9f});
  for (const float x : {-1.7f, 1.7f}) builder.box({x - 0.5f, half_depth, 1.0f}, {x + 0.5f, half_depth + 0.09f, 1.9f});
  for (const float side : {-1.0f, 1.0f})
    builder.box({std::min(side * half_length, side * (half_length + 0.09f)), -0.5f, 1.0f},
                {std::max(side * half_length, side * (half_length + 0.09f)), 0.5f, 1.9f});
}

}  // namespace

Mesh make_cabin() {
  MeshBuilder builder;
  add_walls(builder);
  add_roof(builder);
  add_openings(builder);
  return builder.take();
}

glm::vec3 cabin_half_sizes() {
  return {half_length + eaves, half_depth + 0.95f, chimney_top / 2};
}

glm::vec3 cabin_chimney_mouth() {
  return {chimney_x, chimney_y, chimney_top};
}

CoarseTerrain make_coarse_terrain(std::vector<float> heights, int width, float spacing, float sea_level) {
  CoarseTerrain terrain{width, spacing, std::move(heights), {}};
  const float far = 1e6f;
  terrain.shore.assign(terrain.heights.size(), far);
  const auto place = [&](int x, int y) { return static_cast<std::size_t>(y * width + x); };
  const auto dry = [&](int x, int y) { return terrain.heights[place(x, y)] > sea_level; };
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < width; ++x)
      if ((x > 0 && dry(x, y) != dry(x - 1, y)) || (x + 1 < width && dry(x, y) != dry(x + 1, y)) ||
          (y > 0 && dry(x, y) != dry(x, y - 1)) || (y + 1 < width && dry(x, y) != dry(x, y + 1)))
        terrain.shore[place(x, y)] = 0.5f * spacing;
  // Propagates distances by a chess king's moves: a sweep forwards, then one backwards.
  const auto relax = [&](int x, int y, int dx, int dy) {
    if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= width) return;
    const float step = dx && dy ? 1.41421356f * spacing : spacing;
    terrain.shore[place(x, y)] = std::min(terrain.shore[place(x, y)], terrain.shore[place(x + dx, y + dy)] + step);
  };
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < width; ++x) relax(x, y, -1, 0), relax(x, y, 0, -1), relax(x, y, -1, -1), relax(x, y, 1, -1);
  for (int y = width - 1; y >= 0; --y)
    for (int x = width - 1; x >= 0; --x) relax(x, y, 1, 0), relax(x, y, 0, 1), relax(x, y, 1, 1), relax(x, y, -1, 1);
  return terrain;
}

CabinSite choose_site(const CoarseTerrain& terrain, float sea_level, std::uint64_t seed) {
  const Random random(seed, 0xCAB10000u);
  CabinSite best;
  float least = std::numeric_limits<float>::max();
  const int width = terrain.width;
  for (int y = 1; y + 1 < width; ++y)
    for (int x = 1; x + 1 < width; ++x) {
      const float height = terrain.height(x, y), over = height - sea_level;
      const float across = (terrain.height(x + 1, y) - terrain.height(x - 1, y)) / (2 * terrain.spacing);
      const float along = (terrain.height(x, y + 1) - terrain.height(x, y - 1)) / (2 * terrain.spacing);
      const float px = float(x) * terrain.spacing, py = float(y) * terrain.spacing;
      const float from_middle = std::hypot(px - terrain_side / 2, py - terrain_side / 2);
      const float shore = terrain.shore[static_cast<std::size_t>(y * width + x)];
      float cost = 12 * std::hypot(across, along) + 0.05f * std::fabs(shore - 35) + 0.004f * from_middle;
      cost += over < 3 ? 4 * (3 - over) : 0.15f * std::max(over - 8, 0.0f);
      cost += 1.5f * random.uniform(static_cast<std::uint64_t>(y) << 32 | static_cast<std::uint64_t>(x));
      if (cost >= least) continue;
      least = cost;
      // The door, in the wall at −y, faces down the slope, towards the water.
      const float slope = std::hypot(across, along);
      best = {px, py, std::max(height, sea_level + 1.5f), slope > 0 ? std::atan2(-along, -across) + 1.57079633f : 0.0f};
    }
  return best;
}

CabinPlace place_cabin(const CabinSite& site) {
  CabinPlace place;
  place.position = {site.x, site.y, site.floor};
  place.yaw = site.yaw;
  place.half_sizes = cabin_half_sizes();
  const glm::vec3 mouth = cabin_chimney_mouth();
  const float c = std::cos(site.yaw), s = std::sin(site.yaw);
  place.chimney_mouth = place.position + glm::vec3(c * mouth.x - s * mouth.y, s * mouth.x + c * mouth.y, mouth.z);
  return place;
}

}  // namespace kinescope::sim::landscape
