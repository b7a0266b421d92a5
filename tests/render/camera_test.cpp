#include "render/camera.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace kinescope::render::camera_test {
namespace {

const Bounds square{{-1, -1, 0}, {1, 1, 0}};

void expect_near(glm::vec2 a, glm::vec2 b, float tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
}

TEST(Camera, PixelAndPointAreInverse) {
  for (const int dimensions : {2, 3}) {
    Camera camera(dimensions);
    camera.set_size({640, 480});
    camera.frame_all({{-3, 2, -1}, {5, 4, 2}}, true);
    for (const glm::vec2 pixel : {glm::vec2(0, 0), glm::vec2(640, 480), glm::vec2(17, 333)})
      expect_near(camera.pixel_of(camera.point_at(pixel)), pixel, 1e-2f);
  }
}

TEST(Camera, FramingShowsEveryCornerAndKeepsTheAspect) {
  const Bounds box{{-3, 10, -1}, {40, 12, 5}};
  for (const int dimensions : {2, 3})
    for (const glm::ivec2 size : {glm::ivec2(1280, 720), glm::ivec2(300, 900)}) {
      Camera camera(dimensions);
      camera.set_size(size);
      camera.frame_all(box, true);
      for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 point{corner & 1 ? box.low.x : box.high.x, corner & 2 ? box.low.y : box.high.y,
                              dimensions == 2 ? 0 : (corner & 4 ? box.low.z : box.high.z)};
        const glm::vec2 pixel = camera.pixel_of(point);
        EXPECT_GE(pixel.x, 0);
        EXPECT_LE(pixel.x, float(size.x));
        EXPECT_GE(pixel.y, 0);
        EXPECT_LE(pixel.y, float(size.y));
      }
      if (dimensions == 2) {
        const glm::vec2 origin = camera.pixel_of({0, 0, 0}), x = camera.pixel_of({1, 0, 0}),
                        y = camera.pixel_of({0, 1, 0});
        EXPECT_NEAR(x.x - origin.x, origin.y - y.y, 1e-3f);  // one unit has as many pixels in x as in y
      }
    }
}

TEST(Camera, FramingLeavesTheMarginsFree) {
  for (const int dimensions : {2, 3}) {
    Camera camera(dimensions);
    camera.set_size({800, 600});
    camera.set_margins({60, 10, 200, 40});
    camera.frame_all({{-5, -1, 0}, {5, 1, dimensions == 3 ? 4.f : 0.f}}, true);
    expect_near(camera.pixel_of({0, 0, dimensions == 3 ? 2.f : 0.f}), {60 + 540 / 2, 10 + 550 / 2}, 0.1f);
    for (const float x : {-5.f, 5.f}) {
      const glm::vec2 pixel = camera.pixel_of({x, 0, 0});
      EXPECT_GE(pixel.x, 60);
      EXPECT_LE(pixel.x, 600);
    }
  }
}

TEST(Camera, AShiftMovesWhatIsSeenAndKeepsTheScale) {
  for (const int dimensions : {2, 3}) {
    Camera camera(dimensions);
    camera.set_size({800, 600});
    camera.frame_all({{-5, -1, 0}, {5, 1, dimensions == 3 ? 4.f : 0.f}}, true);
    const Camera::State state = camera.state();
    const glm::vec3 point{1, 0.5f, 0};
    const glm::vec2 before = camera.pixel_of(point);
    const float scale = camera.units_per_pixel();
    camera.set_shift(-60);
    expect_near(camera.pixel_of(point), before - glm::vec2(60, 0), 0.01f);
    expect_near(camera.pixel_of(camera.point_at({123, 456})), {123, 456}, 0.01f);
    EXPECT_EQ(camera.units_per_pixel(), scale);
    EXPECT_EQ(camera.state(), state);
    camera.set_size({1600, 1200});
    expect_near(camera.pixel_of(point), 2.f * (before - glm::vec2(60, 0)), 0.02f);
    EXPECT_EQ(camera.shift(), -120);
  }
}

// A gradual motion over powers of ten would show nothing for seconds, so the camera jumps. It still follows a growing
// layout gradually.
TEST(Camera, FollowsAtOnceWhatIsOfAnotherScaleOrPlace) {
  for (const Bounds& other : {Bounds{{-1e4f, -1e4f, 0}, {1e4f, 1e4f, 0}}, Bounds{{0, 0, 0}, {1e-4f, 1e-4f, 0}},
                              Bounds{{5000, 500, 0}, {5002, 502, 0}}}) {
    Camera camera(2), framed(2);
    camera.frame_all(square, true);
    camera.follow(other, 0.02);
    framed.frame_all(other, true);
    EXPECT_EQ(camera.state(), framed.state());
  }
  Camera camera(2);
  camera.frame_all(square, true);
  const float before = camera.state().half_height;
  camera.follow({{-2, -2, 0}, {2, 2, 0}}, 0.02);
  EXPECT_LT(camera.state().half_height, 1.2f * before);
}

TEST(Camera, ZoomHoldsWhatIsUnderTheCursor) {
  Camera camera(2);
  camera.set_size({800, 600});
  camera.frame_all(square, true);
  const glm::vec2 cursor{123, 456};
  const glm::vec3 held = camera.point_at(cursor);
  const float before = camera.units_per_pixel();
  camera.zoom(5, cursor);
  EXPECT_LT(camera.units_per_pixel(), before);
  expect_near(camera.pixel_of(held), cursor, 1e-2f);
  camera.zoom(-5, cursor);
  EXPECT_NEAR(camera.units_per_pixel(), before, 1e-6f);
}

TEST(Camera, PanMovesThePointWithTheCursor) {
  for (const int dimensions : {2, 3}) {
    Camera camera(dimensions);
    camera.set_size({800, 600});
    const glm::vec2 from{100, 200}, to{321, 77};
    const glm::vec3 held = camera.point_at(from);
    camera.pan(from, to);
    expect_near(camera.pixel_of(held), to, 1e-2f);
  }
}

TEST(Camera, OrbitTurnsAboutTheTarget) {
  Camera camera(3);
  camera.set_size({800, 600});
  camera.frame_all({{0, 0, 0}, {2, 2, 2}}, true);
  const glm::vec2 centre = camera.pixel_of({1, 1, 1}), before = camera.pixel_of({2, 1, 1});
  camera.orbit({100, 100}, {260, 130});
  expect_near(camera.pixel_of({1, 1, 1}), centre, 1e-2f);
  EXPECT_GT(glm::length(camera.pixel_of({2, 1, 1}) - before), 1);
  // Distances in space: from any side, the squared lengths of three projected perpendicular unit vectors sum to two.
  float sum = 0;
  for (const glm::vec3 axis : {glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1)}) {
    const glm::vec2 seen =
        (camera.pixel_of(glm::vec3(1) + axis) - camera.pixel_of(glm::vec3(1))) * camera.units_per_pixel();
    sum += glm::dot(seen, seen);
  }
  EXPECT_NEAR(sum, 2, 1e-4f);
}

TEST(Camera, UpIsUpAndNearerIsNearer) {
  Camera camera(3);
  camera.set_size({800, 600});
  EXPECT_LT(camera.pixel_of({0, 0, 1}).y, camera.pixel_of({0, 0, 0}).y);  // y of pixels runs down
  const Camera::State state = camera.state();
  const glm::vec3 to_viewer{std::cos(state.elevation) * std::cos(state.azimuth),
                            std::cos(state.elevation) * std::sin(state.azimuth), std::sin(state.elevation)};
  const glm::vec4 near = camera.clip_from_world() * glm::vec4(to_viewer, 1),
                  far = camera.clip_from_world() * glm::vec4(-to_viewer, 1);
  EXPECT_NEAR(near.x, far.x, 1e-5f);
  EXPECT_NEAR(near.y, far.y, 1e-5f);
  EXPECT_LT(near.z, far.z);
}

TEST(Camera, FollowingDoesNotDependOnTheTimeStep) {
  const Bounds grown{{-9, -2, 0}, {11, 7, 0}};
  const auto followed = [&](int steps) {
    Camera camera(2);
    camera.follow(square, 0.1);
    for (int k = 0; k < steps; ++k) camera.follow(grown, 0.5 / steps);
    return camera.state();
  };
  const Camera::State one = followed(1), many = followed(500);
  EXPECT_NEAR(one.half_height, many.half_height, 1e-3f);
  EXPECT_NEAR(one.target.x, many.target.x, 1e-3f);
}

TEST(Camera, FollowingIsSmoothAndArrives) {
  const Bounds grown{{-50, -50, 0}, {50, 50, 0}};
  Camera camera(2);
  camera.follow(square, 0);
  float before = camera.state().half_height, largest_ratio = 1;
  for (int frame = 0; frame < 300; ++frame) {
    camera.follow(grown, 1.0 / 60);
    largest_ratio = std::max(largest_ratio, camera.state().half_height / before);
    EXPECT_GE(camera.state().half_height, before * 0.9999f);  // never past the goal and back
    before = camera.state().half_height;
  }
  EXPECT_LT(largest_ratio, 1.2f);
  EXPECT_FALSE(camera.moving());
  for (const glm::vec3 corner : {grown.low, grown.high}) {
    const glm::vec2 pixel = camera.pixel_of(corner);
    EXPECT_TRUE(pixel.y >= 0 && pixel.y <= float(camera.size().y));
  }
}

TEST(Camera, TheUserTakesOverUntilFrameAll) {
  Camera camera(2);
  camera.follow(square, 0);
  camera.zoom(3, {10, 10});
  const Camera::State mine = camera.state();
  camera.follow({{-50, -50, 0}, {50, 50, 0}}, 10);
  EXPECT_EQ(camera.state(), mine);
  camera.frame_all(square);
  for (int frame = 0; frame < 300; ++frame) camera.follow(square, 1.0 / 60);
  expect_near(camera.pixel_of({0, 0, 0}), glm::vec2(camera.size()) * 0.5f, 0.5f);
}

TEST(Camera, HostileBoundsAreIgnored) {
  Camera camera(2);
  camera.follow(square, 0);
  const Camera::State before = camera.state();
  camera.follow({}, 1);
  camera.follow({{NAN, 0, 0}, {1, 1, 0}}, 1);
  camera.follow({{-INFINITY, 0, 0}, {1, 1, 0}}, 1);
  EXPECT_EQ(camera.state(), before);
  camera.frame_all({{2, 2, 0}, {2, 2, 0}}, true);  // a single point
  EXPECT_TRUE(std::isfinite(camera.units_per_pixel()) && camera.units_per_pixel() > 0);
}

}  // namespace
}  // namespace kinescope::render::camera_test
