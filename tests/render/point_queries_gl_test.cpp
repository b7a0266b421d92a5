// Queries about points: densities, the point under the cursor, the points inside a lasso, bounds.
#include <array>
#include <cmath>
#include <optional>

#include "render/points/bounds.hpp"
#include "tests/render/point_test.hpp"

namespace kinescope::render::point_queries_gl_test {
namespace {

class PointQueries : public GlTest {};

TEST_F(PointQueries, DensityCountsEveryPointOnce) {
  Cloud random = random_cloud(20'000, 2);
  random.positions[0] = NAN;
  random.positions[2] = -400;  // out of sight
  const TestPoints points(random.positions, 2);
  PointCloud cloud(context->opengl());
  for (const float diameter : {1.0f, 5.0f, 12.0f})
    for (const bool by_colour : {false, true}) {
      PointStyle style = plain(diameter);
      style.density = true;
      style.density_by_colour = by_colour;
      const Image image = draw_image(cloud, points.buffers, style, size);
      const std::uint64_t total = cloud.density_total();
      EXPECT_LE(total, 19'998u + 200u);  // the cells counted reach a little beyond the canvas
      EXPECT_GE(total, 19'998u);
      EXPECT_GT(area(image), 1000);
    }
}

TEST_F(PointQueries, ABlurKeepsTheCount) {
  // One pixel with many points: the blurred maximum is the count times the middle of the kernel.
  std::vector<float> positions;
  for (int k = 0; k < 1000; ++k) positions.insert(positions.end(), {80.5f, 60.5f});
  const TestPoints points(positions, 2);
  // Wide blurs are computed on cells of 2 × 2 or 4 × 4 pixels, but the range is still in points per pixel.
  for (const float diameter : {4.f, 8.f, 16.f}) {
    PointCloud cloud(context->opengl());
    PointStyle style = plain(diameter);
    style.density = true;
    draw_image(cloud, points.buffers, style, size);
    const double sigma = 1.2 * diameter / 2, peak = 1000 / (2 * M_PI * sigma * sigma);
    const auto range = cloud.density_range(true);
    ASSERT_TRUE(range);
    EXPECT_NEAR(range->high, peak, 0.03 * peak) << diameter;
    EXPECT_NEAR(range->low, 0.5 * peak / 1000, 0.01 * peak / 1000) << diameter;
  }
}

TEST_F(PointQueries, PickingFindsWhatIsUnderTheCursor) {
  PointCloud cloud(context->opengl(), PointPath::compute);
  const TestPoints points({20, 100, 60, 100, 61, 100, NAN, 50}, 2, {1, 1, 1, 1});
  draw_image(cloud, points.buffers, plain(6), size);
  const auto pick = [&](float x, float y_up) { return cloud.pick_now(points.buffers, {x, float(size.y) - y_up}); };
  EXPECT_EQ(pick(20, 100), 0u);
  EXPECT_EQ(pick(21, 101), 0u);
  EXPECT_EQ(pick(60, 100), 2u);     // under both: the upper one
  EXPECT_EQ(pick(57.5f, 100), 1u);  // under one disc only
  EXPECT_EQ(pick(24.5f, 100), 0u);  // beside it, within reach
  EXPECT_FALSE(pick(40, 100));
  EXPECT_FALSE(pick(20, 20));
  // Without waiting: the answer arrives once, with the request's number.
  const std::uint64_t request = cloud.request_pick(points.buffers, {20, float(size.y) - 100});
  EXPECT_NE(request, 0u);
  EXPECT_EQ(cloud.request_pick(points.buffers, {0, 0}), 0u);
  glFinish();
  const std::optional<Pick> answer = cloud.take_pick();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->request, request);
  EXPECT_EQ(answer->index, 0u);
  EXPECT_FALSE(cloud.take_pick());
}

TEST_F(PointQueries, PickingInSpaceTakesTheNearest) {
  PointCloud cloud(context->opengl(), PointPath::compute);
  const TestPoints points({50, 50, 0, 50, 50, -20, 50, 50, 20}, 3);
  draw_image(cloud, points.buffers, plain(8), size);
  EXPECT_EQ(cloud.pick_now(points.buffers, {51, float(size.y) - 51}), 1u);
}

TEST_F(PointQueries, HiddenClassesAreNotPicked) {
  PointCloud cloud(context->opengl(), PointPath::compute);
  cloud.set_classes(std::array<std::uint32_t, 2>{0, 1});
  PointStyle style = plain(8);
  style.colour_by = ColourBy::classes;
  style.hidden_classes = {false, true};
  const TestPoints points({50, 50, 50, 50}, 2);
  draw_image(cloud, points.buffers, style, size);
  EXPECT_EQ(cloud.pick_now(points.buffers, {50, float(size.y) - 50}), 0u);
}

TEST_F(PointQueries, ALassoTakesWhatItHolds) {
  const Cloud random = random_cloud(2000, 2);
  const TestPoints points(random.positions, 2);
  PointCloud cloud(context->opengl(), PointPath::compute);
  draw_image(cloud, points.buffers, plain(3), size);
  // A triangle, y down; inside it is x + y < 80.
  const std::array<glm::vec2, 3> polygon{{{0, 0}, {80, 0}, {0, 80}}};
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 2000; ++i)
    if (random.positions[2 * i] + (float(size.y) - random.positions[2 * i + 1]) < 80) expected.push_back(i);
  EXPECT_EQ(cloud.points_inside(points.buffers, polygon), expected);
  EXPECT_GT(expected.size(), 100u);
  EXPECT_TRUE(cloud.points_inside(points.buffers, std::span(polygon).first(2)).empty());
}

TEST_F(PointQueries, BoundsAreExact) {
  BoundsFinder finder;
  for (const int dimensions : {2, 3}) {
    Cloud random = random_cloud(10'001, dimensions);
    random.positions[4] = NAN;
    for (float& value : random.positions) value -= 60;
    random.states[7] = 0;
    random.positions[std::size_t(7 * dimensions)] = 1e9f;  // hidden, so that it does not count
    Bounds expected;
    for (std::size_t i = 0; i < random.states.size(); ++i) {
      glm::vec3 point(0);
      bool is_finite = true;
      for (int axis = 0; axis < dimensions; ++axis) {
        point[axis] = random.positions[i * std::size_t(dimensions) + std::size_t(axis)];
        is_finite = is_finite && std::isfinite(point[axis]);
      }
      if (!is_finite || random.states[i] == 0) continue;
      expected.low = expected.empty() ? point : glm::min(expected.low, point);
      expected.high = expected.empty() || expected.high.x < expected.low.x ? glm::max(point, expected.low)
                                                                           : glm::max(expected.high, point);
    }
    const TestPoints points(random.positions, dimensions, random.states);
    EXPECT_EQ(finder.now(points.buffers), expected);
    EXPECT_TRUE(finder.request(points.buffers));
    EXPECT_FALSE(finder.request(points.buffers));
    glFinish();
    EXPECT_EQ(finder.take(), expected);
    EXPECT_FALSE(finder.take());
  }
  EXPECT_TRUE(finder.now(TestPoints({NAN, 1}, 2).buffers).empty());
  EXPECT_TRUE(finder.now(PointBuffers{}).empty());
}

}  // namespace
}  // namespace kinescope::render::point_queries_gl_test
