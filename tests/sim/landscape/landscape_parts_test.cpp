// Tests of the landscape's parts: surfaces of metaballs, and the terrain.
#include <algorithm>
#include <gtest/gtest.h>

#include "kinescope/executors/cpu.hpp"
#include "sim/landscape/terrain/terrain.hpp"
#include "tests/sim/landscape/landscape_cases.hpp"

namespace kinescope::sim::landscape_parts_test {
namespace {

using namespace landscape_cases;

constexpr float iso = 0.25f;

double ball_field(const std::vector<Ball>& balls, double x, double y, double z) {
  double sum = 0;
  for (const Ball& b : balls) {
    const double q =
        ((x - b.x) * (x - b.x) + (y - b.y) * (y - b.y) + (z - b.z) * (z - b.z)) / (double(b.radius) * b.radius);
    if (q < 1) sum += (1 - q) * (1 - q);
  }
  return sum;
}

CubicGrid unit_cube(int nodes) {
  CubicGrid grid;
  grid.nodes = nodes;
  return grid;
}

TEST(LandscapeSurface, OneBallIsASphereOfSecondOrder) {
  const std::vector<Ball> ball = {{0.51f, 0.48f, 0.53f, 0.4f}};
  const double radius = 0.4 * std::sqrt(1 - std::sqrt(iso)), exact = 4 * M_PI / 3 * radius * radius * radius;
  double before = 0;
  for (const int nodes : {17, 33, 65, 129}) {
    const SurfaceData surface = make_parts_cpu(2)->surface(unit_cube(nodes), ball, iso, 200'000);
    const Topology shape = topology(surface);
    EXPECT_EQ(shape.open_edges, 0u);
    EXPECT_EQ(shape.euler(), 2);
    EXPECT_EQ(shape.vertices, surface.positions.size() / 3);
    const double error = std::fabs(volume(surface) / exact - 1);
    if (before > 0) {
      EXPECT_GT(std::log2(before / error), 1.7) << nodes;
    }
    before = error;
  }
  EXPECT_LT(before, 3e-4);
}

TEST(LandscapeSurface, ManyBallsMakeClosedSurfaces) {
  for (const int count : {3, 40, 400}) {
    const SurfaceData surface = make_parts_cpu(2)->surface(unit_cube(70), cloud(count, 0.09f), iso, 500'000);
    const Topology shape = topology(surface);
    EXPECT_FALSE(surface.overflow);
    EXPECT_EQ(shape.open_edges, 0u) << count;
    EXPECT_EQ(shape.euler() % 2, 0) << count;
    EXPECT_EQ(shape.vertices, surface.positions.size() / 3);
    EXPECT_GT(volume(surface), 0);
  }
}

TEST(LandscapeSurface, TheFieldIsTheSumOfTheBalls) {
  // More balls on one spot than a brick takes at a time. The number of nodes is no multiple of a brick.
  std::vector<Ball> balls = cloud(300, 0.12f);
  for (int i = 0; i < 3000; ++i) balls.push_back({0.3f, 0.4f, 0.5f + 1e-5f * float(i), 0.1f});
  balls.push_back({0.5f, 0.5f, 0.5f, 0});         // no ball
  balls.push_back({-0.03f, 0.5f, 1.02f, 0.11f});  // its centre is outside, it reaches in
  const CubicGrid grid = unit_cube(43);
  const std::vector<float> field = make_parts_cpu(2)->field(grid, balls);
  for (std::size_t i = 0; i < field.size(); ++i) {
    const double exact = ball_field(balls, double(i % 43) / 42, double(i / 43 % 43) / 42, double(i / 43 / 43) / 42);
    ASSERT_NEAR(field[i], exact, 1e-4 + 1e-5 * exact) << i;
    if (exact == 0) {
      ASSERT_EQ(field[i], 0) << i;
    }
  }
}

TEST(LandscapeSurface, NormalsFollowTheGradientAtSecondOrder) {
  const std::vector<Ball> balls = cloud(12, 0.25f);
  double before = 0;
  for (const int nodes : {33, 65, 129}) {
    const SurfaceData surface = make_parts_cpu(2)->surface(unit_cube(nodes), balls, iso, 200'000);
    double sum = 0;
    std::size_t counted = 0;
    for (std::size_t v = 0; v < surface.positions.size(); v += 3) {
      const float* p = surface.positions.data() + v;
      const float* n = surface.normals.data() + v;
      const double e = 1e-4;
      double g[3] = {ball_field(balls, p[0] - e, p[1], p[2]) - ball_field(balls, p[0] + e, p[1], p[2]),
                     ball_field(balls, p[0], p[1] - e, p[2]) - ball_field(balls, p[0], p[1] + e, p[2]),
                     ball_field(balls, p[0], p[1], p[2] - e) - ball_field(balls, p[0], p[1], p[2] + e)};
      const double length = std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
      ASSERT_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-5);
      if (length / (2 * e) < 1) continue;  // near saddles the direction is not defined
      sum += 1 - std::min(1.0, (g[0] * n[0] + g[1] * n[1] + g[2] * n[2]) / length);
      ++counted;
    }
    const double angle = std::sqrt(2 * sum / double(counted));  // root mean square
    if (before > 0) {
      EXPECT_GT(std::log2(before / angle), 1.4) << nodes;
    }
    before = angle;
  }
  EXPECT_LT(before, 0.01);
}

TEST(LandscapeSurface, SparseAndDenseAgreeBitForBit) {
  const CubicGrid grid = unit_cube(50);
  const std::vector<Ball> balls = cloud(60, 0.1f);
  const auto parts = make_parts_cpu(2);
  const SurfaceData sparse = parts->surface(grid, balls, iso, 300'000);
  const SurfaceData dense = parts->surface(grid, parts->field(grid, balls), iso, 300'000);
  EXPECT_EQ(sparse.indices, dense.indices);
  EXPECT_EQ(sparse.positions, dense.positions);
  EXPECT_EQ(sparse.normals, dense.normals);
  EXPECT_GT(sparse.indices.size(), 10'000u);
}

TEST(LandscapeSurface, DoesNotDependOnThreadsNorOnTheBallsOrder) {
  std::vector<Ball> balls = cloud(500, 0.08f);
  const SurfaceData one = make_parts_cpu(1)->surface(unit_cube(64), balls, iso, 300'000);
  std::reverse(balls.begin(), balls.end());
  for (const int threads : {2, 7}) {
    const SurfaceData other = make_parts_cpu(threads)->surface(unit_cube(64), balls, iso, 300'000);
    EXPECT_EQ(one.indices, other.indices);
    EXPECT_EQ(one.positions, other.positions);
    EXPECT_EQ(one.normals, other.normals);
  }
}

TEST(LandscapeSurface, WhatDoesNotFitIsCutAtABrick) {
  const std::vector<Ball> balls = cloud(200, 0.08f);
  const SurfaceData whole = make_parts_cpu(2)->surface(unit_cube(64), balls, iso, 300'000);
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{100}, whole.positions.size() / 6}) {
    const SurfaceData part = make_parts_cpu(2)->surface(unit_cube(64), balls, iso, capacity);
    EXPECT_TRUE(part.overflow);
    EXPECT_LE(part.positions.size() / 3, capacity);
    for (const std::uint32_t index : part.indices)
      ASSERT_TRUE(index < part.positions.size() / 3 || part.positions.empty()) << capacity;
    EXPECT_TRUE(std::equal(part.positions.begin(), part.positions.end(), whole.positions.begin()));
  }
  EXPECT_FALSE(make_parts_cpu(2)->surface(unit_cube(64), balls, iso, whole.positions.size() / 3).overflow);
}

TEST(LandscapeSurface, NoBallsNoSurface) {
  const SurfaceData none =
      make_parts_cpu(2)->surface(unit_cube(20), std::vector<Ball>{{0.5f, 0.5f, 0.5f, 0}}, iso, 100);
  EXPECT_TRUE(none.indices.empty());
  EXPECT_FALSE(none.overflow);
}

TerrainSettings terrain_settings(int levels, Shape shape = Shape::hills) {
  TerrainSettings settings;
  settings.levels = levels;
  settings.shape = shape;
  return settings;
}

// Heights before the Gaussians, made by warps with `lanes` lanes that walk `rows` rows.
template <int lanes>
std::vector<float> raw_heights(const TerrainSettings& settings, int rows) {
  const TerrainForm form = terrain_form(settings);
  std::vector<float> heights = control_heights(settings);
  SerialWarp<lanes> warp;
  for (int level = control_level + 1; level <= settings.levels; ++level) {
    const int cells = 1 << (level - 1), size = 2 * cells + 1;
    std::vector<float> finer(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    const RefineStrip strip{form.seed, form.roughness, form.term[level], level, heights.data(),
                            cells,     finer.data(),   nullptr,          1,     true,
                            rows};
    for (std::int64_t item = 0; item < strip.items(lanes); ++item) strip(warp, item);
    heights = std::move(finer);
  }
  return heights;
}

TEST(LandscapeTerrain, DoesNotDependOnThreads) {
  for (const Shape shape : {Shape::hills, Shape::island, Shape::alps}) {
    const TerrainData one = make_parts_cpu(1)->terrain(terrain_settings(8, shape));
    for (const int threads : {2, 7}) {
      const TerrainData other = make_parts_cpu(threads)->terrain(terrain_settings(8, shape));
      EXPECT_EQ(one.heights, other.heights);
      EXPECT_EQ(one.normals, other.normals);
    }
  }
}

TEST(LandscapeTerrain, StripsAndSegmentsDoNotShow) {
  const TerrainSettings settings = terrain_settings(9);
  const std::vector<float> whole = raw_heights<512>(settings, 1000);
  EXPECT_EQ(whole, raw_heights<32>(settings, 1));
  EXPECT_EQ(whole, raw_heights<32>(settings, 32));
  EXPECT_EQ(whole, raw_heights<7>(settings, 5));
}

TEST(LandscapeTerrain, MidpointsStayInTheirCornersRangeAndTheTerm) {
  const TerrainSettings settings = terrain_settings(9, Shape::alps);
  const std::vector<float> heights = raw_heights<128>(settings, 32);
  const int size = 513;
  const auto at = [&](int x, int y) { return heights[static_cast<std::size_t>(y * size + x)]; };
  const TerrainForm form = terrain_form(settings);
  std::size_t beyond = 0, checked = 0;
  for (int level = control_level + 1; level <= 9; ++level) {
    const int step = 1 << (9 - level);
    for (int y = 0; y < size; y += step)
      for (int x = 0; x < size; x += step) {
        const bool odd_x = x / step % 2, odd_y = y / step % 2;
        if (!odd_x && !odd_y) continue;
        std::vector<float> corners;
        const int spans[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        for (const auto& span : spans) {
          const bool centre = odd_x && odd_y;
          const int cx = centre ? x + step * (span[0] + span[1]) : x + step * span[0];
          const int cy = centre ? y + step * (span[0] - span[1]) : y + step * span[1];
          if (cx >= 0 && cy >= 0 && cx < size && cy < size) corners.push_back(at(cx, cy));
        }
        const auto [low, high] = std::minmax_element(corners.begin(), corners.end());
        const float term = form.term[level] * 1.0001f;
        ASSERT_GE(at(x, y), *low - term) << x << ", " << y;
        ASSERT_LE(at(x, y), *high + term) << x << ", " << y;
        beyond += at(x, y) < *low || at(x, y) > *high;
        ++checked;
      }
  }
  EXPECT_EQ(checked, std::size_t{513} * 513 - std::size_t{33} * 33);
  EXPECT_GT(beyond, checked / 100);  // displacements beyond the range do occur
}

TEST(LandscapeTerrain, IsSmoothedTwiceAndHasNormalsOfCentralDifferences) {
  const TerrainSettings settings = terrain_settings(7);
  const int size = 129;
  std::vector<float> heights = raw_heights<128>(settings, 32);
  const auto place = [&](int x, int y) {
    return static_cast<std::size_t>(std::clamp(y, 0, size - 1) * size + std::clamp(x, 0, size - 1));
  };
  for (int times = 0; times < 2; ++times) {
    std::vector<float> next(heights.size());
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) {
        double sum = 0;
        for (int j = -1; j <= 1; ++j)
          for (int i = -1; i <= 1; ++i)
            sum += (2 - std::abs(i)) * (2 - std::abs(j)) / 16.0 * heights[place(x + i, y + j)];
        next[place(x, y)] = static_cast<float>(sum);
      }
    heights = next;
  }
  const TerrainData made = make_parts_cpu(2)->terrain(settings);
  const float spacing = 2000.0f / 128;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      ASSERT_NEAR(made.heights[place(x, y)], heights[place(x, y)], 1e-3) << x << ", " << y;
      const Normal normal = unpack_normal(made.normals[place(x, y)]);
      const float dx =
          (heights[place(x + 1, y)] - heights[place(x - 1, y)]) / (spacing * (x > 0 && x < size - 1 ? 2 : 1));
      const float dy =
          (heights[place(x, y + 1)] - heights[place(x, y - 1)]) / (spacing * (y > 0 && y < size - 1 ? 2 : 1));
      const float length = std::sqrt(dx * dx + dy * dy + 1);
      ASSERT_NEAR(normal.x, -dx / length, 2e-4);
      ASSERT_NEAR(normal.y, -dy / length, 2e-4);
      ASSERT_NEAR(normal.z, 1 / length, 2e-3);
    }
}

TEST(LandscapeTerrain, ReliefAndShapesAreAsAsked) {
  for (const Shape shape : {Shape::hills, Shape::island, Shape::alps})
    for (const int levels : {5, 6, 9}) {
      const TerrainData made = make_parts_cpu(2)->terrain(terrain_settings(levels, shape));
      const auto [low, high] = std::minmax_element(made.heights.begin(), made.heights.end());
      EXPECT_GT(*low, -60);
      EXPECT_LT(*high, 410);
      EXPECT_GT(*high - *low, 220);
      if (shape != Shape::island) continue;
      const int last = made.size - 1;
      for (int i = 0; i < made.size; ++i) EXPECT_LT(made.heights[static_cast<std::size_t>(last * made.size + i)], 75);
    }
}

}  // namespace
}  // namespace kinescope::sim::landscape_parts_test
