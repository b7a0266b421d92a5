// Fields as pictures: colours come from the map, cells are where they belong, contour lines are at their values.
#include <cmath>

#include "render/fields/field_picture.hpp"
#include "tests/render/point_test.hpp"

namespace kinescope::render::field_picture_gl_test {
namespace {

std::vector<Rgb> grey_map() {
  std::vector<Rgb> map;
  for (int i = 0; i < 256; ++i) map.push_back({std::uint8_t(i), std::uint8_t(i), std::uint8_t(i)});
  return map;
}

class FieldPictureTest : public GlTest {
 protected:
  // The field fills the canvas, except for `rim` pixels on each side.
  template <class T>
  Image draw(const std::vector<T>& values, glm::ivec2 shape, const FieldStyle& style, float rim = 0) {
    static_assert(sizeof(T) == 4);
    const Buffer buffer(4 * values.size(), values.data());
    FieldBuffer field{.values = buffer.view(), .size = shape};
    field.classes = std::is_integral_v<T>;
    field.low = glm::vec2(rim);
    field.high = glm::vec2(size) - rim;
    const Framebuffer framebuffer(size);
    framebuffer.clear({0, 0, 0, 1});
    FieldPicture picture;
    FieldStyle whole = style;
    whole.pixel_scale = 1;
    if (whole.colours.empty()) whole.colours = grey_map();
    picture.draw(field, pixels_to_clip(size), whole, Canvas::all_of(framebuffer));
    return framebuffer.read();
  }
};

TEST_F(FieldPictureTest, AConstantFieldHasOneColour) {
  for (const float value : {-1.0f, 0.0f, 0.25f, 1.0f, 7.0f}) {
    const Image image = draw(std::vector<float>(12, value), {4, 3}, {});
    const int expected = int(255 * std::clamp(value, 0.0f, 1.0f) + 0.5f);
    for (const auto& [x, y] : {std::pair(0, 0), {159, 0}, {0, 119}, {159, 119}, {80, 60}})
      EXPECT_EQ(int(pixel_up(image, x, y)[0]), expected) << value << " at " << x << ", " << y;
  }
}

TEST_F(FieldPictureTest, LiesInItsRectangleAlone) {
  const Image image = draw(std::vector<float>(4, 1.0f), {2, 2}, {}, 20);
  EXPECT_NEAR(area(image), (size.x - 40) * (size.y - 40), 1);
  EXPECT_EQ(pixel_up(image, 19, 60)[0], 0);
  EXPECT_EQ(pixel_up(image, 20, 60)[0], 255);
}

TEST_F(FieldPictureTest, CellsAreRowsFromBelow) {
  FieldStyle style;
  style.smooth = false;
  const Image image = draw(std::vector<float>{0.2f, 0.4f, 0.6f, 0.8f}, {2, 2}, style);
  EXPECT_EQ(int(pixel_up(image, 10, 10)[0]), 51);
  EXPECT_EQ(int(pixel_up(image, 150, 10)[0]), 102);
  EXPECT_EQ(int(pixel_up(image, 10, 110)[0]), 153);
  EXPECT_EQ(int(pixel_up(image, 79, 59)[0]), 51);
  EXPECT_EQ(int(pixel_up(image, 80, 60)[0]), 204);
}

// A value lies at the middle of its cell; between the middles a smooth field is linear.
TEST_F(FieldPictureTest, ASmoothFieldIsLinearBetweenItsValues) {
  const int columns = 8;
  std::vector<float> values;
  for (int i = 0; i < columns; ++i) values.push_back((i + 0.5f) / columns);
  const Image image = draw(values, {columns, 1}, {});
  for (int x = 12; x < 148; ++x) EXPECT_NEAR(pixel_up(image, x, 60)[0], 255 * (x + 0.5) / 160, 1.1) << x;
}

TEST_F(FieldPictureTest, ALineLiesWhereTheValueIsCrossed) {
  // The values are distances from the middle, in pixels, so the contour lines are circles.
  const glm::ivec2 shape{80, 60};
  std::vector<float> values;
  for (int y = 0; y < shape.y; ++y)
    for (int x = 0; x < shape.x; ++x) values.push_back(2 * std::hypot(x + 0.5f - 40, y + 0.5f - 30));
  FieldStyle style;
  style.high = 80;
  style.lines = 1;  // at 40
  style.fill = false;
  style.line_width = 2;
  const Image image = draw(values, shape, style);
  EXPECT_NEAR(area(image), 2 * M_PI * 40 * 2, 0.03 * 2 * M_PI * 40 * 2);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x)
      if (pixel_up(image, x, y)[0] > 128) {
        EXPECT_NEAR(std::hypot(x + 0.5 - 80, y + 0.5 - 60), 40, 1.2);
      }
}

TEST_F(FieldPictureTest, MissingValuesShowAsMissing) {
  const Image image = draw(std::vector<float>{NAN}, {1, 1}, {});
  EXPECT_EQ(int(pixel_up(image, 80, 60)[0]), int(missing_colour(Background::dark)[0]));
}

TEST_F(FieldPictureTest, ClassesHaveTheirColours) {
  FieldStyle style;
  style.colours = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}};
  style.hidden_classes = {false, false, true};
  const Image image = draw(std::vector<std::uint32_t>{0, 1, 2, 0xFFFFFFFFu, 3}, {5, 1}, style);
  const auto at = [&](int cell) { return pixel_up(image, 16 + 32 * cell, 60); };
  EXPECT_EQ(int(at(0)[0]), 255);
  EXPECT_EQ(int(at(1)[1]), 255);
  EXPECT_EQ(int(at(2)[2]), 0) << "hidden";
  EXPECT_EQ(int(at(3)[0]) + at(3)[1] + at(3)[2], 0) << "no class";
  EXPECT_EQ(int(at(4)[0]), 255) << "colours begin again";
}

}  // namespace
}  // namespace kinescope::render::field_picture_gl_test
