// Two pictures beside each other: which colour is where, with and without transparent pixels.
#include "render/pictures/picture_pair.hpp"
#include "tests/render/point_test.hpp"

namespace kinescope::render::picture_pair_gl_test {
namespace {

using Colour = std::array<std::uint8_t, 4>;

// Four columns of 40 pixels, the divider in the middle.
class PicturePairTest : public GlTest {
 protected:
  Image draw(const std::vector<Colour>& left, const std::vector<Colour>& right,
             const std::vector<std::uint32_t>& rows = {}) {
    PicturePair pair;
    pair.set_left(left, {4, 3}, rows);
    const Buffer buffer(4 * right.size(), right.data());
    const Framebuffer framebuffer(size);
    framebuffer.clear({0, 0, 0, 1});
    pair.draw(buffer.view(), {{0, 0}, 1 / 40.0f, 80}, Background::light, Canvas::all_of(framebuffer));
    return framebuffer.read();
  }
};

Rgb at(const Image& image, int x, int y) {
  const std::uint8_t* pixel = image.pixel(x, y);
  return {pixel[0], pixel[1], pixel[2]};
}

TEST_F(PicturePairTest, LeftAndRightOfTheDivider) {
  std::vector<Colour> left, right;
  for (std::uint8_t i = 0; i < 12; ++i) left.push_back({i, 0, 0, 255}), right.push_back({0, i, 0, 255});
  const Image image = draw(left, right);
  for (std::uint8_t i = 0; i < 12; ++i) {
    const Rgb expected = i % 4 < 2 ? Rgb{i, 0, 0} : Rgb{0, i, 0};
    EXPECT_EQ(at(image, 40 * (i % 4) + 20, 40 * (i / 4) + 20), expected) << int(i);
  }
}

// Pixels 0 and 3 are transparent, and so are 7, 8 and 11; the others follow each other in the right picture.
TEST_F(PicturePairTest, TransparentPixelsShowTheChequeredGround) {
  std::vector<Colour> left, right;
  std::vector<std::uint32_t> rows;
  for (std::uint8_t i = 0; i < 12; ++i) {
    const bool clear = i % 4 == 3 || i == 0 || i == 8;
    rows.push_back(std::uint32_t(right.size()));
    left.push_back({i, 0, 0, std::uint8_t(clear ? 0 : 255)});
    if (!clear) right.push_back({0, i, 0, 255});
  }
  const Image image = draw(left, right, rows);
  for (std::uint8_t i = 0; i < 12; ++i) {
    const int x = 40 * (i % 4) + 20, y = 40 * (i / 4) + 20;
    if (left[i][3] > 0) {
      const Rgb expected = i % 4 < 2 ? Rgb{i, 0, 0} : Rgb{0, i, 0};
      EXPECT_EQ(at(image, x, y), expected) << int(i);
    } else {
      const Rgb one = at(image, x, y), other = at(image, x + 8, y);
      EXPECT_NE(one, other) << int(i);
      EXPECT_EQ(one, at(image, x + 8, y + 8)) << int(i);
      for (const Rgb& grey : {one, other}) EXPECT_GT(grey[0], 180) << "light, on a light background";
    }
  }
  // Half transparent: between the ground and the colour.
  for (Colour& colour : left) colour = {0, 0, 0, 128};
  const Rgb half = at(draw(left, {}), 20, 20);
  EXPECT_GT(half[0], 80);
  EXPECT_LT(half[0], 140);
}

}  // namespace
}  // namespace kinescope::render::picture_pair_gl_test
