// Series of numbers drawn as curves, and a field drawn as a surface.
#include <cmath>

#include "render/fields/height_surface.hpp"
#include "render/lines/series.hpp"
#include "tests/render/point_test.hpp"

namespace kinescope::render::series_gl_test {
namespace {

class SeriesTest : public GlTest {
 protected:
  // Draws the curve of the numbers. x runs from 0 to the picture's width; a unit of y is a pixel.
  Image draw(const std::vector<float>& values, std::size_t most, const std::vector<float>& minus = {}) {
    const Buffer buffer(4 * values.size(), values.data());
    const Buffer taken(std::max<std::size_t>(4, 4 * minus.size()), minus.empty() ? nullptr : minus.data());
    Series series;
    series.y = buffer.view();
    if (!minus.empty()) series.minus = taken.view();
    series.count = values.size();
    series.step = double(size.x) / double(values.size() - 1);
    SeriesVertices vertices(most);
    vertices.take(series);
    LineStyle style;
    style.uniform = white;
    style.width = 3;
    style.pixel_scale = 1;
    const Framebuffer framebuffer(size);
    framebuffer.clear({0, 0, 0, 1});
    Lines lines;
    lines.draw(vertices.line(), pixels_to_clip(size), style, Canvas::all_of(framebuffer));
    return framebuffer.read();
  }
};

// As a plot is drawn frame after frame: lines through one buffer, which is written before each of them, then a curve.
TEST_F(SeriesTest, LinesAreDrawnWhereTheyWereWrittenLast) {
  for (const std::size_t vertices : {2u, 200u, 5'000u, 20'000u, 100'000u}) {
    const Framebuffer framebuffer(size);
    Lines lines;
    const auto draw_line = [&](const LineBuffers& line) {
      lines.draw(line, pixels_to_clip(size), {.uniform = white, .width = 3, .pixel_scale = 1},
                 Canvas::all_of(framebuffer));
    };
    Buffer places(2 * vertices * sizeof(float));
    const auto line_at = [&](float y) {
      std::vector<glm::vec2> line;
      for (std::size_t i = 0; i < vertices; ++i) line.push_back({10 + 140 * float(i) / float(vertices - 1), y});
      places.write(0, places.bytes(), line.data());
      draw_line({.positions = places.view(), .lines = 1, .vertices = vertices, .vertex_stride = 2});
    };
    const std::vector<float> values(400, 110.0f);
    const Buffer buffer(4 * values.size(), values.data());
    SeriesVertices curve;
    for (int frame = 0; frame < 12; ++frame) {
      framebuffer.clear({0, 0, 0, 1});
      line_at(20);
      line_at(60);
      line_at(90);
      curve.take({.y = buffer.view(), .count = values.size(), .step = 0.4});
      draw_line(curve.line());
    }
    const Image image = framebuffer.read();
    for (const int y : {20, 60, 90, 110}) EXPECT_EQ(pixel_up(image, 80, y)[0], 255) << y << ", vertices: " << vertices;
  }
}

TEST_F(SeriesTest, PassesThroughItsNumbers) {
  std::vector<float> values;
  for (int i = 0; i <= size.x; ++i) values.push_back(60 + 40 * std::sin(0.05f * float(i)));
  const Image image = draw(values, 8192);
  for (int x = 2; x < size.x - 2; x += 7) {
    EXPECT_GT(int(pixel_up(image, x, int(values[std::size_t(x)]))[0]), 128) << x;
    EXPECT_EQ(int(pixel_up(image, x, int(values[std::size_t(x)]) + 12)[0]), 0) << x;
  }
}

TEST_F(SeriesTest, TakesOneFromTheOther) {
  const Image image = draw(std::vector<float>(50, 100.5f), 8192, std::vector<float>(50, 70));
  EXPECT_EQ(int(pixel_up(image, 80, 30)[0]), 255);
  EXPECT_EQ(int(pixel_up(image, 80, 100)[0]), 0);
}

TEST_F(SeriesTest, DrawsNothingIfABufferIsTooShort) {
  const std::vector<float> numbers(50, 60);
  const Buffer whole(4 * 50, numbers.data()), part(4 * 49, numbers.data());
  const BufferView all{whole.name(), 0, 4 * 50}, few{part.name(), 0, 4 * 49};
  SeriesVertices vertices;
  const auto made = [&](const BufferView& y, const BufferView& minus, const BufferView& x) {
    vertices.take({.y = y, .minus = minus, .x = x, .count = 50});
    return vertices.line().vertices;
  };
  EXPECT_EQ(made(all, all, all), 50u);
  EXPECT_EQ(made(few, all, all), 0u);
  EXPECT_EQ(made(all, few, all), 0u);
  EXPECT_EQ(made(all, all, few), 0u);
}

TEST_F(SeriesTest, OfManyNumbersNoneIsLost) {
  std::vector<float> values(100'000, 20.5f);
  values[61'234] = 100;
  const Image image = draw(values, 256);
  const int x = int(61'234.0 / 100'000 * size.x);
  int reached = 0;
  for (int near = x - 2; near <= x + 2; ++near) reached = std::max(reached, int(pixel_up(image, near, 95)[0]));
  EXPECT_GT(reached, 100);
  EXPECT_EQ(int(pixel_up(image, x - 20, 60)[0]), 0);
}

TEST_F(SeriesTest, NumbersThatAreNotFiniteLieBeyondThePicture) {
  std::vector<float> values(50, 60.5f);
  values[25] = NAN;
  values[26] = INFINITY;
  const Image image = draw(values, 8192);
  EXPECT_EQ(int(pixel_up(image, 20, 60)[0]), 255);
  EXPECT_EQ(int(pixel_up(image, 140, 60)[0]), 255);
}

class SurfaceTest : public GlTest {
 protected:
  static constexpr int nodes = 41;
  std::vector<Rgb> grey_ = [] {
    std::vector<Rgb> map;
    for (int i = 0; i < 256; ++i) map.push_back({std::uint8_t(i), std::uint8_t(i), std::uint8_t(i)});
    return map;
  }();

  // Draws the surface as seen from above; a unit is a pixel, and the field's side is the picture's height.
  Image draw(const std::vector<float>& values) {
    const Buffer buffer(4 * values.size(), values.data());
    const Framebuffer framebuffer(size);
    framebuffer.clear({0, 0, 0, 1});
    HeightSurface surface;
    glm::mat4 clip = pixels_to_clip(size);
    clip[2][2] = -0.001f;
    surface.draw({.values = buffer.view(), .nodes = nodes, .spacing = float(size.y) / (nodes - 1), .height = 10}, clip,
                 {.colours = std::span<const Rgb, 256>(grey_.data(), 256), .low = 0, .high = 1},
                 Canvas::all_of(framebuffer));
    return framebuffer.read();
  }
};

TEST_F(SurfaceTest, CoversItsSquareAlone) {
  const Image image = draw(std::vector<float>(nodes * nodes, 0.5f));
  EXPECT_GT(int(pixel_up(image, 2, 2)[0]), 60);
  EXPECT_EQ(int(pixel_up(image, 118, 118)[0]), int(pixel_up(image, 2, 2)[0]));  // level: lit alike everywhere
  EXPECT_EQ(int(pixel_up(image, 122, 60)[0]), 0);
}

TEST_F(SurfaceTest, SlopesTowardsTheLampAreBrighter) {
  std::vector<float> ridge(nodes * nodes);
  for (int i = 0; i < nodes * nodes; ++i) ridge[std::size_t(i)] = 0.5f + 0.4f * float(i % nodes == nodes / 2);
  const Image image = draw(ridge);
  EXPECT_GT(int(pixel_up(image, 57, 60)[0]), int(pixel_up(image, 63, 60)[0]) + 20);  // the lamp is on the left
}

}  // namespace
}  // namespace kinescope::render::series_gl_test
