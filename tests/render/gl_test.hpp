// A headless OpenGL context for tests, software Mesa unless a GPU answers; any message of OpenGL's debug output is a
// failure.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "kinescope/error.hpp"
#include "render/gl/context.hpp"
#include "render/points/point_cloud.hpp"

namespace kinescope::render {

class GlTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      context = std::make_unique<HeadlessContext>(options());
    } catch (const sim::Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  void TearDown() override {
    if (!context) return;
    glFinish();
    for (const std::string& message : context->opengl().take_messages()) ADD_FAILURE() << "OpenGL: " << message;
  }
  virtual HeadlessOptions options() const { return {.debug = true}; }

  std::unique_ptr<HeadlessContext> context;
};

// Points with buffers of their own.
struct TestPoints {
  TestPoints(const std::vector<float>& coordinates, int dimensions, const std::vector<std::uint32_t>& states = {})
      : positions(std::max<std::size_t>(4 * coordinates.size(), 4)),
        emphasis(std::max<std::size_t>(4 * states.size(), 4)) {
    positions.write(0, 4 * coordinates.size(), coordinates.data());
    emphasis.write(0, 4 * states.size(), states.data());
    buffers.positions = {positions.name(), 0, GLsizeiptr(4 * coordinates.size())};
    buffers.dimensions = dimensions;
    buffers.count = coordinates.size() / std::size_t(dimensions);
    if (!states.empty()) buffers.emphasis = {emphasis.name(), 0, GLsizeiptr(4 * states.size())};
  }
  Buffer positions, emphasis;
  PointBuffers buffers;
};

// The projection for which world coordinates are pixels of a canvas, counted from its lower left corner.
inline glm::mat4 pixels_to_clip(glm::ivec2 size) {
  glm::mat4 clip(1);
  clip[0][0] = 2.0f / float(size.x);
  clip[1][1] = 2.0f / float(size.y);
  clip[2][2] = 1.0f / 64;
  clip[3] = {-1, -1, 0, 1};
  return clip;
}

inline Image draw_image(PointCloud& cloud, const PointBuffers& points, const PointStyle& style, glm::ivec2 size,
                        glm::vec4 background = {0, 0, 0, 1}) {
  const Framebuffer framebuffer(size);
  framebuffer.clear(background);
  cloud.draw(points, pixels_to_clip(size), style, Canvas::all_of(framebuffer));
  return framebuffer.read();
}

}  // namespace kinescope::render
