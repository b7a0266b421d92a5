// The landscape's parts that need no OpenGL: the quadtree of the terrain and the explorer's eye.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <random>

#include "render/landscape/explorer.hpp"
#include "render/landscape/land/quadtree.hpp"

namespace kinescope::render::landscape::landscape_test {
namespace landscape_test {

constexpr float extent = 2000;
constexpr int tiles = 32;

std::vector<Patch> everything_from(glm::vec3 eye) {
  const Quadtree tree(extent, tiles, std::vector<glm::vec2>(tiles * tiles, glm::vec2(0, 100)));
  glm::mat4 all(0);  // maps every point to the picture's centre
  all[3][3] = 1;
  std::vector<Patch> patches;
  tree.select({eye, all}, patches);
  return patches;
}

TEST(LandscapeQuadtree, PatchesCoverTheGroundOnceAndOnly) {
  for (const glm::vec3 eye : {glm::vec3(1000, 1000, 2), glm::vec3(13, 1990, 40), glm::vec3(-700, 300, 900)}) {
    double area = 0;
    const std::vector<Patch> patches = everything_from(eye);
    for (const Patch& patch : patches) area += double(patch.size) * patch.size;
    const double side = (2 * Quadtree::mirrored_tiles + 1) * double(extent);
    EXPECT_DOUBLE_EQ(area, side * side);
    for (std::size_t a = 0; a < patches.size(); ++a)
      for (std::size_t b = a + 1; b < patches.size(); ++b) {
        const glm::vec2 low = glm::max(patches[a].origin, patches[b].origin);
        const glm::vec2 high = glm::min(patches[a].origin + patches[a].size, patches[b].origin + patches[b].size);
        ASSERT_FALSE(low.x < high.x && low.y < high.y) << "two patches overlap";
      }
  }
}

// The least and the greatest distance from the eye to a border of a patch, as the vertex shader measures distances.
struct Reach {
  float least, greatest;
};
Reach reach_of(glm::vec2 a, glm::vec2 b, glm::vec3 eye) {
  Reach reach{1e30f, 0};
  for (int i = 0; i <= 16; ++i) {
    const glm::vec2 p = glm::mix(a, b, float(i) / 16);
    const float d = glm::length(glm::vec3(p - glm::vec2(eye), eye.z));
    reach = {std::min(reach.least, d), std::max(reach.greatest, d)};
  }
  return reach;
}

// There are no cracks: neighbouring levels differ by one, and at their border the finer patch has morphed completely
// and the coarser patch not at all.
TEST(LandscapeQuadtree, WhereLevelsMeetTheFinerHasMorphedAndTheCoarserHasNot) {
  for (const glm::vec3 eye : {glm::vec3(1000, 1000, 2), glm::vec3(313, 1707, 55), glm::vec3(2100, 40, 10)}) {
    const std::vector<Patch> patches = everything_from(eye);
    int borders = 0;
    for (const Patch& fine : patches)
      for (const Patch& coarse : patches) {
        if (fine.size >= coarse.size) continue;
        const glm::vec2 low = glm::max(fine.origin, coarse.origin);
        const glm::vec2 high = glm::min(fine.origin + fine.size, coarse.origin + coarse.size);
        const bool touching = (low.x == high.x && low.y < high.y) || (low.y == high.y && low.x < high.x);
        if (!touching) continue;
        ++borders;
        ASSERT_EQ(coarse.size, 2 * fine.size);
        const Reach reach = reach_of(low, high, eye);
        EXPECT_GE(reach.least, 0.98f * fine.range);
        EXPECT_LE(reach.greatest, 0.78f * coarse.range);
      }
    EXPECT_GT(borders, 20);
  }
}

float hilly(glm::vec2 p) {
  return 60 + 70 * std::sin(0.011f * p.x) * std::cos(0.013f * p.y) + 9 * std::sin(0.09f * p.x + 0.05f * p.y);
}

TEST(LandscapeExplorer, IsNeverBelowTheGroundHoweverOneMoves) {
  Explorer explorer;
  explorer.arrive({hilly, 60, {1000, 1000, hilly({1000, 1000})}, extent});
  std::mt19937 random(3);
  std::uniform_real_distribution<float> any(-1, 1);
  const Travel ways[] = {Travel::tour, Travel::walk, Travel::fly, Travel::orbit};
  for (int i = 0; i < 20000; ++i) {
    if (i % 200 == 0) explorer.set_travel(ways[(i / 200) % 4]);
    Explorer::Input input;
    input.move = {any(random), any(random), any(random)};
    input.turn = 0.2f * glm::vec2(any(random), any(random));
    input.wheel = i % 50 == 0 ? 3 * any(random) : 0;
    input.fast = i % 3 == 0;
    explorer.update(0.05, input);
    ASSERT_GT(explorer.position().z, hilly(explorer.position())) << "step " << i;
    if (explorer.travel() == Travel::tour) {
      ASSERT_GT(explorer.position().z, 60);
    }
  }
}

// Whatever came before, an orbit looks at the cabin from the air, and so it does after go_home().
TEST(LandscapeExplorer, AnOrbitBeginsInTheAirAndLooksAtTheCabin) {
  const glm::vec3 home{1000, 1000, hilly({1000, 1000})};
  for (const double before : {0.0, 20.0, 70.0, 110.0})
    for (const bool dives : {false, true}) {
      Explorer explorer;
      explorer.arrive({hilly, 60, home, extent});
      explorer.update(before, {});
      if (dives) explorer.place({700, 700, 20}, 0, 0.7f);
      explorer.set_travel(Travel::orbit);
      for (int frame = 0; frame < 200; ++frame) {
        if (frame == 100) explorer.go_home();
        explorer.update(1.0 / 60, {});
        ASSERT_GT(explorer.position().z, 61) << before << " s";
        ASSERT_GT(explorer.position().z, hilly(explorer.position()) + 1.5f) << before << " s";
        const glm::vec3 to = glm::normalize(home + glm::vec3(0, 0, 3) - explorer.position());
        ASSERT_GT(glm::dot(to, explorer.forward()), 0.99f) << before << " s";
      }
    }
}

TEST(LandscapeExplorer, TheTourIsTheSameEveryTime) {
  Explorer a, b;
  for (Explorer* explorer : {&a, &b}) {
    explorer->arrive({hilly, 60, {1000, 1000, hilly({1000, 1000})}, extent});
    for (int i = 0; i < 600; ++i) explorer->update(1.0 / 60, {});
  }
  EXPECT_EQ(a.position(), b.position());
  EXPECT_EQ(a.forward(), b.forward());
}

// The sun is over the sea, to the east. With a low sun, the start looks towards it; with a high sun, it does not.
TEST(LandscapeExplorer, StartsWithALowSunAheadAndAHighOneAside) {
  const auto shore = [](glm::vec2 p) { return 64 - 0.02f * std::max(0.0f, p.x - 1030); };  // sea to the east
  const auto angle_to = [&](glm::vec3 light) {
    Explorer explorer;
    explorer.arrive({shore, 60, {1000, 1000, 64}, extent, light});
    const glm::vec2 ahead = glm::normalize(glm::vec2(explorer.forward())), sun = glm::normalize(glm::vec2(light));
    return std::acos(glm::dot(ahead, sun));
  };
  EXPECT_LT(angle_to(glm::normalize(glm::vec3(1, 0, 0.08f))), 0.6f);
  EXPECT_GT(angle_to(glm::normalize(glm::vec3(1, 0, 0.8f))), 1.0f);
}

// A tree right before the cabin, seen from where the start would be, moves the start; trees elsewhere do not.
TEST(LandscapeExplorer, StartsWhereNoTreeHidesTheCabin) {
  const auto flat = [](glm::vec2) { return 64.0f; };
  const glm::vec3 home{1000, 1000, 64};
  const auto start_with = [&](std::vector<glm::vec2> trees) {
    Explorer explorer;
    explorer.arrive({flat, 60, home, extent, glm::normalize(glm::vec3(1, 0, 0.8f)), std::move(trees)});
    return glm::vec2(explorer.position());
  };
  const glm::vec2 usual = start_with({}), out = usual - glm::vec2(home);
  EXPECT_EQ(start_with({glm::vec2(home) - out}), usual);
  const glm::vec2 tree = glm::vec2(home) + 0.5f * out, moved = start_with({tree});
  EXPECT_NE(moved, usual);
  // From there the tree is behind the eye, beyond the cabin, or beside it.
  const glm::vec2 to_home = glm::vec2(home) - moved, ahead = glm::normalize(to_home), to = tree - moved;
  const float along = glm::dot(to, ahead), aside = std::abs(to.x * ahead.y - to.y * ahead.x);
  EXPECT_TRUE(along < 0 || along > glm::length(to_home) || aside > 4) << along << ' ' << aside;
}

}  // namespace landscape_test
}  // namespace kinescope::render::landscape::landscape_test
