// Lines through vertices in buffers: where they are, how wide, how they fade; and the ring of past places.
#include "render/lines/lines.hpp"
#include "tests/render/point_test.hpp"

namespace kinescope::render::lines_gl_test {
namespace {

class LinesTest : public GlTest {
 protected:
  // Draws `lines` lines, which share the vertices equally, in the plane; a unit is a pixel.
  Image draw(const std::vector<float>& vertices, LineStyle style, std::size_t lines = 1) {
    const TestPoints points(vertices, 2);
    LineBuffers buffers;
    buffers.positions = points.buffers.positions;
    buffers.lines = lines;
    buffers.vertices = vertices.size() / 2 / lines;
    buffers.vertex_stride = 2;
    buffers.line_stride = 2 * buffers.vertices;
    return draw_lines(buffers, style);
  }
  Image draw_lines(const LineBuffers& buffers, LineStyle style) {
    style.uniform = white;
    style.pixel_scale = 1;
    const Framebuffer framebuffer(size);
    framebuffer.clear({0, 0, 0, 1});
    Lines lines;
    lines.draw(buffers, pixels_to_clip(size), style, Canvas::all_of(framebuffer));
    return framebuffer.read();
  }
};

TEST_F(LinesTest, CoverTheirLengthTimesTheirWidth) {
  for (const float width : {1.0f, 1.5f, 3.0f, 8.0f}) {
    LineStyle style;
    style.width = width;
    EXPECT_NEAR(area(draw({20.3f, 30, 120.3f, 30}, style)), 100 * width, 2) << width;
    EXPECT_NEAR(area(draw({20, 20, 80, 100}, style)), 100 * width, 0.03 * 100 * width + 1) << width;
  }
}

TEST_F(LinesTest, ABendIsCoveredOnce) {
  LineStyle style;
  style.width = 4;
  style.opacity = 0.5f;
  const Image image = draw({20, 20, 70, 40, 120, 20}, style);
  int brightest = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) brightest = std::max(brightest, int(image.rgba[i]));
  EXPECT_NEAR(brightest, 128, 2);
}

TEST_F(LinesTest, FadeFromTheLastVertexToTheFirst) {
  LineStyle style;
  style.width = 4;
  style.tail = 0;
  const Image image = draw({20, 60, 140, 60}, style);
  EXPECT_NEAR(pixel_up(image, 50, 60)[0], 255 / 4.0, 4);
  EXPECT_NEAR(pixel_up(image, 80, 60)[0], 255 / 2.0, 4);
  EXPECT_NEAR(pixel_up(image, 110, 60)[0], 255 * 0.75, 4);
}

TEST_F(LinesTest, AClassColoursAndHides) {
  const std::vector<std::uint32_t> classes{1, 0, no_class};
  const Buffer class_buffer(12, classes.data());
  const TestPoints points({20, 20, 140, 20, 20, 60, 140, 60, 20, 100, 140, 100}, 2);
  LineBuffers buffers;
  buffers.positions = points.buffers.positions;
  buffers.lines = 3;
  buffers.vertices = 2;
  buffers.vertex_stride = 2;
  buffers.line_stride = 4;
  buffers.classes = {class_buffer.name(), 0, 12};
  LineStyle style;
  style.width = 4;
  style.class_colours = {{255, 0, 0}, {0, 255, 0}};
  style.hidden_classes = {true};
  const Image image = draw_lines(buffers, style);
  EXPECT_EQ(pixel_up(image, 80, 20)[1], 255);
  EXPECT_EQ(pixel_up(image, 80, 20)[0], 0);
  EXPECT_EQ(pixel_up(image, 80, 60)[0], 0);
  EXPECT_EQ(pixel_up(image, 80, 100)[2], 255);
}

TEST_F(LinesTest, VerticesOnOnePlaceDrawNothing) {
  EXPECT_EQ(area(draw({50, 50, 50, 50, 50, 50}, LineStyle())), 0);
}

// Three points move along y = 20, 50 and 80. At most two are followed: points 0 and 2.
TEST_F(LinesTest, TrailsKeepTheLatestPlaces) {
  Trails trails(4, 2);
  TestPoints points({0, 20, 0, 50, 0, 80}, 2);
  const auto push = [&](float x) {
    const std::vector<float> now{x, 20, x, 50, x, 80};
    points.positions.write(0, 4 * now.size(), now.data());
    trails.push(points.buffers);
  };
  push(10);
  push(40);
  LineStyle style;
  style.width = 2;
  const Image begun = draw_lines(trails.lines(points.buffers), style);
  EXPECT_EQ(pixel_up(begun, 25, 20)[0], 255);
  EXPECT_EQ(pixel_up(begun, 25, 80)[0], 255);
  EXPECT_EQ(pixel_up(begun, 25, 50)[0], 0) << "at most two points are followed";
  for (const float x : {60.f, 80.f, 100.f, 120.f}) push(x);
  EXPECT_EQ(trails.length(), 4u);
  const Image later = draw_lines(trails.lines(points.buffers), style);
  EXPECT_EQ(pixel_up(later, 25, 20)[0], 0) << "forgotten";
  EXPECT_EQ(pixel_up(later, 110, 20)[0], 255);
  EXPECT_NEAR(area(later), 2 * 2 * 60, 4);
  trails.clear();
  EXPECT_EQ(area(draw_lines(trails.lines(points.buffers), style)), 0);
}

}  // namespace
}  // namespace kinescope::render::lines_gl_test
