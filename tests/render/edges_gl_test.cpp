// Edges between points: where they are drawn, that they are below the points, and which are not drawn.
#include "tests/render/point_test.hpp"

namespace kinescope::render::edges_gl_test {
namespace {

using Edges = std::vector<std::array<std::uint32_t, 2>>;

// Three points; an edge between the first two is horizontal. The tests draw the points so small that they hardly count.
const std::vector<float> corners{20, 30.5f, 120, 30.5f, 20, 100};

PointStyle with_edges(float opacity) {
  PointStyle style = plain(1);
  style.edge_opacity = opacity;
  style.hidden_classes = {};
  return style;
}

// The sum of a row's red channel, as a number of whole pixels.
double row_area(const Image& image, int y) {
  double sum = 0;
  for (int x = 0; x < image.width; ++x) sum += pixel_up(image, x, y)[0] / 255.0;
  return sum;
}

class EdgesTest : public GlTest {
 protected:
  Image draw(const std::vector<float>& positions, int dimensions, const Edges& edges, const PointStyle& style,
             const std::vector<std::uint32_t>& states = {}) {
    const TestPoints points(positions, dimensions, states);
    PointCloud cloud(context->opengl(), PointPath::compute);
    cloud.set_edges(edges);
    return draw_image(cloud, points.buffers, style, size);
  }
};

TEST_F(EdgesTest, CoverOnePixelAcrossFromPointToPoint) {
  const Image image = draw(corners, 2, {{0, 1}}, with_edges(1));
  const double ink = to_float(ink_colour(Background::dark)).x;
  EXPECT_NEAR(row_area(image, 30), 100 * ink, 3);
  EXPECT_EQ(row_area(image, 32), 0);
  EXPECT_EQ(pixel_up(image, 10, 30)[0], 0);
  EXPECT_EQ(pixel_up(image, 130, 30)[0], 0);
  // A slanting edge covers the same area for each pixel of its length.
  EXPECT_NEAR(area(draw({20, 20, 80, 100}, 2, {{0, 1}}, with_edges(1))), 100 * ink, 5);
}

TEST_F(EdgesTest, AreAsStrongAsAskedFor) {
  const int whole = pixel_up(draw(corners, 2, {{0, 1}}, with_edges(1)), 70, 30)[0];
  const int part = pixel_up(draw(corners, 2, {{0, 1}}, with_edges(0.25f)), 70, 30)[0];
  EXPECT_NEAR(part, 0.25 * whole, 2);
  const int twice = pixel_up(draw(corners, 2, {{0, 1}, {0, 1}}, with_edges(0.25f)), 70, 30)[0];
  EXPECT_NEAR(twice, (1 - 0.75 * 0.75) * whole, 2);
  EXPECT_EQ(pixel_up(draw(corners, 2, {{0, 1}}, with_edges(0)), 70, 30)[0], 0);
}

TEST_F(EdgesTest, FollowThePointsAndTheirColumns) {
  TestPoints points({20, 30.5f, 7, 120, 30.5f, 7}, 2);
  points.buffers.count = 2;
  points.buffers.stride = 3;
  PointCloud cloud(context->opengl(), PointPath::compute);
  cloud.set_edges(Edges{{0, 1}});
  EXPECT_GT(row_area(draw_image(cloud, points.buffers, with_edges(1), size), 30), 80);
  const std::vector<float> moved{20, 60.5f, 7, 120, 60.5f, 7};
  points.positions.write(0, 4 * moved.size(), moved.data());
  const Image image = draw_image(cloud, points.buffers, with_edges(1), size);
  EXPECT_EQ(row_area(image, 30), 0);
  EXPECT_GT(row_area(image, 60), 80);
}

TEST_F(EdgesTest, AreThereInSpaceToo) {
  const Image image = draw({20, 30.5f, -10, 120, 30.5f, 10}, 3, {{0, 1}}, with_edges(1));
  EXPECT_NEAR(row_area(image, 30), 100 * to_float(ink_colour(Background::dark)).x, 3);
}

TEST_F(EdgesTest, LieUnderThePoints) {
  PointStyle style = with_edges(1);
  style.diameter = 11;
  style.uniform = {255, 0, 0};
  const Image image = draw(corners, 2, {{0, 1}}, style);
  EXPECT_EQ(pixel_up(image, 20, 30)[1], 0);
  EXPECT_GT(pixel_up(image, 70, 30)[1], 128);
}

TEST_F(EdgesTest, GoWithTheirPoints) {
  const Edges edges{{0, 1}, {1, 2}, {0, 9}};
  EXPECT_NEAR(area(draw(corners, 2, edges, with_edges(1), {1, 0, 1})), 2, 1);
  std::vector<float> lost = corners;
  lost[2] = std::nanf("");
  EXPECT_NEAR(area(draw(lost, 2, edges, with_edges(1))), 2, 1);
  const TestPoints points(corners, 2);
  PointCloud cloud(context->opengl(), PointPath::compute);
  cloud.set_edges(edges);
  cloud.set_classes(std::vector<std::uint32_t>{0, 1, 0});
  PointStyle style = with_edges(1);
  style.colour_by = ColourBy::classes;
  style.class_colours = {white, white};
  EXPECT_GT(area(draw_image(cloud, points.buffers, style, size)), 200);
  style.hidden_classes = {false, true};
  EXPECT_NEAR(area(draw_image(cloud, points.buffers, style, size)), 2, 1);
}

TEST_F(EdgesTest, AreTheSameInTilesOfAPicture) {
  const Cloud cloud_of_points = random_cloud(40, 2);
  const TestPoints points(cloud_of_points.positions, 2);
  Edges edges;
  for (std::uint32_t i = 0; i + 1 < 40; ++i) edges.push_back({i, i + 1});
  PointCloud cloud(context->opengl(), PointPath::compute);
  cloud.set_edges(edges);
  const Image whole = draw_image(cloud, points.buffers, with_edges(0.5f), size);
  const glm::ivec2 part{80, 60};
  const Framebuffer framebuffer(part);
  for (const glm::ivec2 origin : {glm::ivec2(0, 0), glm::ivec2(80, 0), glm::ivec2(0, 60), glm::ivec2(80, 60)}) {
    framebuffer.clear({0, 0, 0, 1});
    Canvas tile = Canvas::all_of(framebuffer);
    tile.tile_origin = origin;
    tile.picture_size = size;
    cloud.draw(points.buffers, pixels_to_clip(size), with_edges(0.5f), tile);
    const Image image = framebuffer.read();
    for (int y = 0; y < part.y; ++y)
      for (int x = 0; x < part.x; ++x)
        ASSERT_NEAR(pixel_up(image, x, y)[0], pixel_up(whole, x + origin.x, y + origin.y)[0], 1) << x << " " << y;
  }
}

TEST(EdgeOpacity, FallsWithTheirNumber) {
  EXPECT_FLOAT_EQ(default_edge_opacity(1), default_edge_opacity(500));
  EXPECT_NEAR(default_edge_opacity(1'000'000), 0.05, 0.005);
  float before = 1;
  for (const std::size_t edges : {500, 13'000, 200'000, 1'000'000, 50'000'000}) {
    EXPECT_LT(default_edge_opacity(edges), before);
    before = default_edge_opacity(edges);
  }
  EXPECT_GT(before, 1.5f / 255) << "one edge still changes a pixel";
}

}  // namespace
}  // namespace kinescope::render::edges_gl_test
