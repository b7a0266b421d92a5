// The processor draws the same points as the compute shaders.
#include <algorithm>
#include <limits>

#include "render/points/point_frame.hpp"
#include "tests/render/point_test.hpp"

namespace kinescope::render::host_passes_gl_test {
namespace {

struct Case {
  std::size_t count = 1;
  int dimensions = 3, stride = 0;
  std::array<int, 3> columns{0, 1, 2};
  float radius = 0.5f, opacity = 1;
  bool emphasis = false;
};

class HostPasses : public GlTest {
 protected:
  // Rows of `stride` numbers, of which some are no numbers; every seventh colour is hidden.
  PointFrame frame_of(const Case& c) {
    Cloud cloud = random_cloud(c.count, 3, unsigned(c.count));
    const std::size_t stride = std::size_t(c.stride > 0 ? c.stride : c.dimensions);
    std::vector<float> rows(c.count * stride);
    std::vector<std::uint32_t> packed(c.count);
    for (std::size_t i = 0; i < c.count; ++i) {
      for (int axis = 0; axis < c.dimensions; ++axis)
        if (c.columns[std::size_t(axis)] >= 0)
          rows[i * stride + std::size_t(c.columns[std::size_t(axis)])] = cloud.positions[3 * i + std::size_t(axis)];
      if (i % 31 == 5) rows[i * stride] = i % 2 == 0 ? NAN : std::numeric_limits<float>::infinity();
      packed[i] = (i % 7 == 3 ? 0u : 0xff000000u) | std::uint32_t(i * 2654435761u) >> 8;
    }
    positions_ = Buffer(4 * rows.size(), rows.data(), c.count % 2 == 0 ? GL_MAP_READ_BIT : 0);
    colours_ = Buffer(4 * packed.size(), packed.data());
    emphases_ = Buffer(4 * cloud.states.size(), cloud.states.data());
    PointFrame frame;
    frame.points = {positions_.view(), c.dimensions, c.count, {}, c.stride, c.columns, {}, 0};
    if (c.emphasis) frame.points.emphasis = emphases_.view();
    // A perspective that puts some points outside the picture.
    frame.clip_from_world = glm::mat4(2.2f / float(size.x), 0, 0, 0, 0, 2.2f / float(size.y), 0, 0, 0.001f, 0.002f,
                                      0.01f, 0.002f, -1.1f, -1.1f, 0, 1);
    frame.colours = colours_.view();
    frame.radius = c.radius;
    frame.opacity = c.opacity;
    return frame;
  }
  Image drawn(PointFrame frame, bool on_host) {
    const Framebuffer picture(size);
    picture.clear({0, 0, 0, 1});
    ComputePainter painter(on_host);
    // In two parts, as tiles are.
    for (const int x : {0, 90}) {
      frame.canvas = Canvas::all_of(picture);
      painter.draw(frame.part({x, 0}, {x == 0 ? 90 : size.x - 90, size.y}));
      glFinish();  // Mesa 22 lets compute shaders overwrite storage that fragment shaders are still to read
    }
    return picture.read();
  }
  Buffer positions_, colours_, emphases_;
};

TEST_F(HostPasses, DrawWhatTheShadersDraw) {
  for (const std::size_t count : {1, 7, 8, 9, 255, 256, 257, 1000, 100003})
    for (const Case& shape :
         {Case{.dimensions = 3}, Case{.dimensions = 2}, Case{.dimensions = 3, .stride = 7, .columns = {4, 0, 6}},
          Case{.dimensions = 2, .stride = 5, .columns = {3, 1, -1}}})
      for (const float radius : {0.5f, 0.66f, 3.5f})
        for (const float opacity : {1.0f, 0.3f})
          for (const bool emphasis : {false, true}) {
            if (count > 1000 && (radius > 1 || shape.stride > 0)) continue;  // slow by shaders
            Case c = shape;
            c.count = count, c.radius = radius, c.opacity = opacity, c.emphasis = emphasis;
            const PointFrame frame = frame_of(c);
            const Image shaders = drawn(frame, false), host = drawn(frame, true);
            std::size_t different = 0;
            double lit = 0;
            for (std::size_t i = 0; i < host.rgba.size(); ++i) {
              different += std::abs(int(host.rgba[i]) - int(shaders.rgba[i])) > 2;
              lit += host.rgba[i];
            }
            EXPECT_GT(lit, count > 7 ? 0 : -1);
            // A point on the border of two pixels may be rounded to either.
            EXPECT_LE(different, host.rgba.size() / 1000) << count << " points, " << c.dimensions << "-D, radius "
                                                          << radius << ", opacity " << opacity << ", " << emphasis;
          }
}

}  // namespace
}  // namespace kinescope::render::host_passes_gl_test
