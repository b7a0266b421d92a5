// Points are where they should be and have the right colours, on both paths of drawing.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include "render/pictures/picture.hpp"
#include "tests/render/point_test.hpp"

namespace kinescope::render::point_cloud_gl_test {
namespace {

class BothPaths : public GlTest, public testing::WithParamInterface<PointPath> {};
INSTANTIATE_TEST_SUITE_P(Points, BothPaths, testing::Values(PointPath::compute, PointPath::sprites),
                         [](const auto& parameter) {
                           return parameter.param == PointPath::compute ? "compute" : "sprites";
                         });

TEST_P(BothPaths, APointIsWhereItShouldBe) {
  PointCloud cloud(context->opengl(), GetParam());
  for (const int dimensions : {2, 3}) {
    std::vector<float> position{40.5f, 30.5f};
    if (dimensions == 3) position.push_back(5);
    const TestPoints points(position, dimensions);
    const Image image = draw_image(cloud, points.buffers, plain(7), size);
    double weight = 0, x_sum = 0, y_sum = 0;
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        const double value = pixel_up(image, x, y)[0];
        weight += value;
        x_sum += value * (x + 0.5);
        y_sum += value * (y + 0.5);
      }
    EXPECT_NEAR(x_sum / weight, 40.5, 0.01);
    EXPECT_NEAR(y_sum / weight, 30.5, 0.01);
    EXPECT_EQ(pixel_up(image, 40, 30)[0], 255);
    EXPECT_EQ(pixel_up(image, 45, 30)[0], 0);
  }
}

TEST_P(BothPaths, ADiscHasTheAreaOfACircle) {
  PointCloud cloud(context->opengl(), GetParam());
  for (const float diameter : {3.0f, 6.0f, 11.0f, 30.0f})
    for (const float shift : {0.0f, 0.3f, 0.5f}) {
      const TestPoints points({60 + shift, 60 - shift}, 2);
      const double expected = M_PI * diameter * diameter / 4;
      EXPECT_NEAR(area(draw_image(cloud, points.buffers, plain(diameter), size)), expected, 0.3 + 0.02 * expected)
          << diameter << " at " << shift;
    }
}

TEST_P(BothPaths, DiscsAtTheEdgeAreCutNotLost) {
  PointCloud cloud(context->opengl(), GetParam());
  const TestPoints points({0, 60}, 2), beyond({-2, 60}, 2), away({-20, 60}, 2);
  const double whole = M_PI * 25;
  EXPECT_NEAR(area(draw_image(cloud, points.buffers, plain(10), size)), whole / 2, 2);
  const double part = area(draw_image(cloud, beyond.buffers, plain(10), size));
  EXPECT_GT(part, 0.1 * whole);
  EXPECT_LT(part, 0.4 * whole);
  EXPECT_EQ(area(draw_image(cloud, away.buffers, plain(10), size)), 0);
}

TEST_P(BothPaths, HiddenAndUnplacedPointsAreNotDrawn) {
  PointCloud cloud(context->opengl(), GetParam());
  cloud.set_classes(std::array<std::uint32_t, 5>{0, 0, 1, 0, 0});
  PointStyle style = plain(6);
  style.colour_by = ColourBy::classes;
  style.class_colours = {white};
  style.hidden_classes = {false, true};
  const float infinity = std::numeric_limits<float>::infinity();
  const TestPoints points({20, 20, NAN, 40, 60, 60, 80, infinity, 100, 100}, 2, {0, 1, 1, 1, 1});
  const Image image = draw_image(cloud, points.buffers, style, size);
  EXPECT_NEAR(area(image), M_PI * 9, 1.5);  // only the last point
  EXPECT_EQ(pixel_up(image, 100, 100)[0], 255);
  style.hidden_classes.clear();
  EXPECT_NEAR(area(draw_image(cloud, points.buffers, style, size)), 2 * M_PI * 9, 3);
}

TEST_P(BothPaths, TheUppermostWins) {
  PointCloud cloud(context->opengl(), GetParam());
  cloud.set_colours(std::vector<std::array<std::uint8_t, 4>>{{255, 0, 0, 0}, {0, 255, 0, 0}});
  PointStyle style = plain(12);
  style.colour_by = ColourBy::own;
  // In the plane the later point is above.
  const TestPoints flat({50, 50, 50, 50}, 2);
  EXPECT_EQ(pixel_up(draw_image(cloud, flat.buffers, style, size), 50, 50)[1], 255);
  // Highlighted points are above the others.
  const TestPoints raised({50, 50, 50, 50}, 2, {2, 1});
  EXPECT_GT(pixel_up(draw_image(cloud, raised.buffers, style, size), 50, 50)[0], 200);
  // In space the nearer point hides the other; smaller z is nearer here.
  for (const float z : {-10.0f, 10.0f}) {
    const TestPoints deep({50, 50, z, 50, 50, 0}, 3);
    const Image image = draw_image(cloud, deep.buffers, style, size);
    EXPECT_EQ(pixel_up(image, 50, 50)[z < 0 ? 0 : 1], 255);
    EXPECT_EQ(pixel_up(image, 50, 50)[z < 0 ? 1 : 0], 0);
  }
}

TEST_P(BothPaths, HighlightedPointsAreLargerAndHaveAHalo) {
  PointCloud cloud(context->opengl(), GetParam());
  const TestPoints normal({50, 50}, 2, {1}), highlighted({50, 50}, 2, {2});
  EXPECT_GT(area(draw_image(cloud, highlighted.buffers, plain(6), size)),
            1.5 * area(draw_image(cloud, normal.buffers, plain(6), size)));
}

TEST_P(BothPaths, TranslucentPicturesDoNotDependOnTheOrder) {
  for (const int dimensions : {2, 3}) {
    Cloud random = random_cloud(3000, dimensions);
    PointStyle style = plain(8);
    style.colour_by = ColourBy::classes;
    style.opacity = 0.2f;
    PointCloud cloud(context->opengl(), GetParam());
    cloud.set_classes(random.classes);
    const Image first = draw_image(cloud, TestPoints(random.positions, dimensions, random.states).buffers, style, size);
    EXPECT_GT(area(first), 100);

    std::vector<std::size_t> order(random.classes.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(5));
    Cloud shuffled;
    for (const std::size_t i : order) {
      for (int axis = 0; axis < dimensions; ++axis)
        shuffled.positions.push_back(random.positions[i * std::size_t(dimensions) + std::size_t(axis)]);
      shuffled.classes.push_back(random.classes[i]);
      shuffled.states.push_back(random.states[i]);
    }
    cloud.set_classes(shuffled.classes);
    const Image second =
        draw_image(cloud, TestPoints(shuffled.positions, dimensions, shuffled.states).buffers, style, size);
    EXPECT_TRUE(first.rgba == second.rgba);
  }
}

TEST_P(BothPaths, TransmittancesMultiply) {
  PointCloud cloud(context->opengl(), GetParam());
  PointStyle style = plain(12);
  style.opacity = 0.5f;
  for (const int layers : {1, 2, 3}) {
    std::vector<float> positions;
    for (int k = 0; k < layers; ++k) positions.insert(positions.end(), {50, 50});
    const Image image = draw_image(cloud, TestPoints(positions, 2).buffers, style, size);
    EXPECT_NEAR(pixel_up(image, 50, 50)[0] / 255.0, 1 - std::pow(0.5, layers), 0.01);
  }
}

TEST_P(BothPaths, TheSamePictureEveryTime) {
  const Cloud random = random_cloud(5000, 3);
  const TestPoints points(random.positions, 3, random.states);
  PointStyle style = plain(5);
  style.colour_by = ColourBy::classes;
  std::vector<Image> images;
  for (int run = 0; run < 3; ++run) {
    PointCloud cloud(context->opengl(), GetParam());
    cloud.set_classes(random.classes);
    images.push_back(draw_image(cloud, points.buffers, style, size));
  }
  EXPECT_TRUE(images[0].rgba == images[1].rgba);
  EXPECT_TRUE(images[0].rgba == images[2].rgba);
}

TEST_P(BothPaths, TilesMakeTheWhole) {
  const Cloud random = random_cloud(800, 2);
  const TestPoints points(random.positions, 2, random.states);
  PointCloud cloud(context->opengl(), GetParam());
  cloud.set_classes(random.classes);
  for (const bool density : {false, true})
    for (const float opacity : {1.0f, 0.4f}) {
      PointStyle style = plain(6);
      style.colour_by = ColourBy::classes;
      style.opacity = opacity;
      style.density = density;
      const auto draw = [&](const Canvas& canvas) { cloud.draw(points.buffers, pixels_to_clip(size), style, canvas); };
      const Image whole = render_picture(size, {0, 0, 0}, draw), tiled = render_picture(size, {0, 0, 0}, draw, 50);
      int largest = 0;
      for (std::size_t i = 0; i < whole.rgba.size(); ++i)
        largest = std::max(largest, std::abs(int(whole.rgba[i]) - int(tiled.rgba[i])));
      // Positions are rounded relative to the tile, which makes small differences.
      EXPECT_LE(largest, 3) << "density " << density << ", opacity " << opacity;
    }
}

TEST_P(BothPaths, ACanvasWithinAFramebufferKeepsToItself) {
  PointCloud cloud(context->opengl(), GetParam());
  const TestPoints points({0, 0, 80, 60}, 2);
  for (const float opacity : {1.0f, 0.5f}) {
    PointStyle style = plain(20);
    style.opacity = opacity;
    const Framebuffer framebuffer({300, 200});
    framebuffer.clear({0, 0, 0, 1});
    cloud.draw(points.buffers, pixels_to_clip(size), style, Canvas{framebuffer.name(), {100, 50}, size});
    const Image image = framebuffer.read();
    EXPECT_GT(pixel_up(image, 180, 110)[0], 100);
    EXPECT_GT(pixel_up(image, 102, 52)[0], 100);
    EXPECT_EQ(pixel_up(image, 98, 52)[0], 0);
    EXPECT_EQ(pixel_up(image, 102, 48)[0], 0);
  }
}

class Points : public GlTest {};

TEST_F(Points, BothPathsAgree) {
  for (const int dimensions : {2, 3})
    for (const float opacity : {1.0f, 0.3f}) {
      const Cloud random = random_cloud(600, dimensions);
      const TestPoints points(random.positions, dimensions, random.states);
      PointStyle style = plain(7);
      style.colour_by = ColourBy::classes;
      style.opacity = opacity;
      std::vector<Image> images;
      for (const PointPath path : {PointPath::compute, PointPath::sprites}) {
        PointCloud cloud(context->opengl(), path);
        cloud.set_classes(random.classes);
        images.push_back(draw_image(cloud, points.buffers, style, size));
        EXPECT_EQ(cloud.path(), path);
      }
      double sum = 0;
      for (std::size_t i = 0; i < images[0].rgba.size(); ++i)
        sum += std::abs(int(images[0].rgba[i]) - int(images[1].rgba[i]));
      // Where rims overlap, sprites blend them in the order of their indices, and compute shaders take their mean.
      EXPECT_LT(sum / double(images[0].rgba.size()), opacity < 1 ? 1.0 : 3.0) << dimensions << " " << opacity;
    }
}

TEST_F(Points, TinyPointsAreOnePixelEach) {
  const TestPoints points({10.2f, 10.7f, 30.9f, 10.1f, 30.9f, 10.1f}, 2);
  PointCloud cloud(context->opengl(), PointPath::compute);
  const Image image = draw_image(cloud, points.buffers, plain(1), size);
  EXPECT_EQ(area(image), 2);
  EXPECT_EQ(pixel_up(image, 10, 10)[0], 255);
  EXPECT_EQ(pixel_up(image, 30, 10)[0], 255);
}

TEST_F(Points, ColoursByNumberFollowTheMap) {
  PointCloud cloud(context->opengl(), PointPath::compute);
  cloud.set_numbers(std::array<float, 5>{-5, 0, 10, 5, NAN});
  PointStyle style = plain(9);
  style.colour_by = ColourBy::numbers;
  style.map = ColourMap::viridis;
  style.low = 0;
  style.high = 10;
  const TestPoints points({20, 20, 40, 20, 60, 20, 80, 20, 100, 20, 120, 20}, 2);
  const Image image = draw_image(cloud, points.buffers, style, size);
  const auto table = colour_table(ColourMap::viridis, Background::dark);
  const std::array<Rgb, 6> expected{table[0], table[0], table[255], table[128], missing_colour(Background::dark),
                                    white};
  for (int k = 0; k < 6; ++k)
    for (int c = 0; c < 3; ++c)
      EXPECT_EQ(pixel_up(image, 20 + 20 * k, 20)[c], expected[std::size_t(k)][std::size_t(c)]) << k;
}

TEST_F(Points, SelectionDimsTheOthers) {
  PointCloud cloud(context->opengl(), PointPath::compute);
  const TestPoints points({20, 20, 40, 20}, 2);
  cloud.set_selection(std::array<std::uint32_t, 1>{1});
  Image image = draw_image(cloud, points.buffers, plain(9), size);
  EXPECT_LT(pixel_up(image, 20, 20)[0], 128);
  EXPECT_EQ(pixel_up(image, 40, 20)[0], 255);
  cloud.set_selection({});
  image = draw_image(cloud, points.buffers, plain(9), size);
  EXPECT_EQ(pixel_up(image, 20, 20)[0], 255);
}

TEST_F(Points, MarkersRingThePoint) {
  PointCloud cloud(context->opengl(), PointPath::compute);
  const TestPoints points({50, 50, 100, 50}, 2);
  cloud.set_markers(std::array<Marker, 1>{{{0, {255, 0, 0}}}});
  const Image image = draw_image(cloud, points.buffers, plain(8), size);
  int red = 0, red_at_other = 0;
  for (int y = 40; y < 60; ++y)
    for (int x = 40; x < 60; ++x) {
      red += pixel_up(image, x, y)[0] > 200 && pixel_up(image, x, y)[1] < 100;
      red_at_other += pixel_up(image, x + 50, y)[0] > 200 && pixel_up(image, x + 50, y)[1] < 100;
    }
  EXPECT_GT(red, 20);
  EXPECT_EQ(red_at_other, 0);
}

TEST_F(Points, AutomaticChoosesAPathAndDraws) {
  const Cloud random = random_cloud(3000, 2);
  const TestPoints points(random.positions, 2, random.states);
  PointCloud cloud(context->opengl());
  EXPECT_EQ(cloud.path(), PointPath::automatic);
  EXPECT_GT(area(draw_image(cloud, points.buffers, plain(4), size)), 500);
  EXPECT_NE(cloud.path(), PointPath::automatic);
  RecordProperty("path", cloud.path() == PointPath::compute ? "compute" : "sprites");
}

TEST_F(Points, NoPointsNoHarm) {
  for (const PointPath path : {PointPath::compute, PointPath::sprites, PointPath::automatic}) {
    PointCloud cloud(context->opengl(), path);
    EXPECT_EQ(area(draw_image(cloud, PointBuffers{}, plain(4), size)), 0);
    EXPECT_FALSE(cloud.pick_now(PointBuffers{}, {3, 3}));
  }
}

}  // namespace
}  // namespace kinescope::render::point_cloud_gl_test
