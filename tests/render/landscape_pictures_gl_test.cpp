// What whole pictures of the landscape must show.
#include <cstdlib>

#include "tests/render/landscape_gl_test.hpp"

namespace kinescope::render::landscape::landscape_pictures_gl_test {
namespace {

using namespace landscape_gl_test;

using LandscapePictures = LandscapeTest;

// Looking down on terrain without holes, no pixel is farther than the terrain can be. (The water is far below.)
TEST_F(LandscapePictures, TheGroundHasNoCracks) {
  // Jagged terrain: a coarser level is metres away from a finer one. Four levels meet in each picture.
  const auto jagged = [](glm::vec2 p) { return rough(p) + 12 * std::sin(1.5f * p.x) * std::sin(1.4f * p.y); };
  raise(jagged, 1025);
  DrawRequest request;
  request.debug = DebugView::depth;
  request.weather.sea_level = -1e5f;
  request.weather.clouds = 0;
  for (int i = 0; i < 6; ++i) {
    const glm::vec2 p(500 + 173 * i, 1400 - 121 * i);
    request.eye.position = {p, rough(p) + (i % 2 ? 60.0f : 260.0f)};
    request.eye.forward = looking(float(i), -0.95f);
    const Image image = draw(request);
    int holes = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) holes += image.pixel(x, y)[0] == 0;
    EXPECT_EQ(holes, 0) << "camera " << i;
  }
}

// The wireframe view draws as lines what the picture shows filled, the water too. The lines cover only a part of the
// filled pixels.
TEST_F(LandscapePictures, TheWireframeIsOfLines) {
  MeshData box;
  for (const glm::vec2 side : {glm::vec2(0, -1), glm::vec2(1, 0), glm::vec2(0, 1), glm::vec2(-1, 0)}) {
    const glm::vec2 along(-side.y, side.x);
    const auto base = std::uint32_t(box.vertices.size());
    for (const glm::vec2 uv : {glm::vec2(-1, 0), glm::vec2(1, 0), glm::vec2(1, 1), glm::vec2(-1, 1)})
      box.vertices.push_back({{8.f * (side + uv.x * along), 10 * uv.y}, {side, 0}, uv, {0.5f, 0.2f, 0.1f}, 0});
    for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) box.indices.push_back(base + k);
  }
  PlantShape trunk{.branches = box, .radius = 12, .height = 10};
  for (MeshVertex& vertex : trunk.branches.vertices) vertex.kind = -1;
  for (const bool computed : {false, true}) {
    Quality quality = computed ? computed_quality(2) : small_quality();
    quality.plant_detail = 1;  // the trunk is near enough to be drawn whole
    renderer = std::make_unique<Renderer>(context->opengl(), quality);
    raise([](glm::vec2) { return 0.f; });
    DrawRequest request;
    request.eye = {{1000, 960, 9}, glm::normalize(glm::vec3(0, 1, -0.15f))};
    request.weather.clouds = 0;
    const auto covered = [&](DebugView view, auto&& without, auto&& with) {
      request.debug = view;
      without();
      const Image before = draw(request);
      with();
      const Image after = draw(request);
      int changed = 0;
      for (int y = 0; y < picture_size.y; ++y)
        for (int x = 0; x < picture_size.x; ++x) {
          int apart = 0;
          for (int c = 0; c < 3; ++c)
            apart = std::max(apart, std::abs(int(before.pixel(x, y)[c]) - int(after.pixel(x, y)[c])));
          changed += apart > 12;
        }
      return changed;
    };
    const auto expect_lines = [&](const char* what, auto&& without, auto&& with) {
      const int filled = covered(DebugView::none, without, with), lines = covered(DebugView::wireframe, without, with);
      EXPECT_GT(filled, 300) << what << computed;
      EXPECT_GT(lines, 0.2 * filled) << what << computed
                                     << ": shadows on the ground's lines change pixels too, but fewer";
      EXPECT_LT(lines, 0.6 * filled) << what << computed;
    };
    request.weather.sea_level = -1000;
    expect_lines(
        "cabin",
        [&] {
          renderer->set_cabin({}, {1000, 1000, 0, 0.3f}, {});
        },
        [&] {
          renderer->set_cabin(box, {1000, 1000, 0, 0.3f}, {});
        });
    renderer->set_cabin({}, {1000, 1000, 0, 0.3f}, {});
    expect_lines(
        "plants", [&] { renderer->plants().set_plants({}, {}); }, [&] { add_plants(); });
    const PlantInstance near{{1000, 1000, 0}, 0.3f, 1, 0, 0.5f, 0.3f};
    expect_lines(
        "near plant", [&] { renderer->plants().set_plants({}, {}); },
        [&] { renderer->plants().set_plants(std::span(&trunk, 1), std::span(&near, 1)); });
    renderer->plants().set_plants({}, {});
    // Adding the sea changes the light of everything, but between two levels of the sea only its net of lines moves.
    const auto sea = [&](float level) { return [&, level] { request.weather.sea_level = level; }; };
    const int filled = covered(DebugView::none, sea(-1000), sea(1)),
              lines = covered(DebugView::wireframe, sea(1), sea(3));
    EXPECT_GT(lines, 20) << computed;
    EXPECT_LT(lines, 0.6 * filled) << computed;
  }
}

// Software finds air and clouds at the corners of triangles where that is near enough: how far apart the heights are
// must not show.
TEST_F(LandscapePictures, CloudsShadeTheGroundAlikeHoweverFarApartTheHeightsAre) {
  DrawRequest request;
  request.eye = {{1031, 1031, 12}, looking(1.57f, -0.5f)};
  request.weather = {.sun_azimuth = 90, .sun_elevation = 3, .clouds = 0.6f, .sea_level = -1000};
  const auto mean_of = [&](int heights_size) {
    raise([](glm::vec2) { return 10.0f; }, heights_size);
    const Image drawn = draw(request);
    glm::dvec3 sum(0);
    for (int y = 0; y < picture_size.y; ++y)
      for (int x = 0; x < picture_size.x; ++x)
        for (int c = 0; c < 3; ++c) sum[c] += drawn.pixel(x, y)[c];
    return sum / double(picture_size.x * picture_size.y);
  };
  const glm::dvec3 fine = mean_of(257);
  EXPECT_GT(fine.x + fine.y + fine.z, 10);
  for (const int size : {33, 65, 129}) EXPECT_LT(glm::length(mean_of(size) - fine), 0.5) << size;
}

// Hills against the light, seen from just above the water: the reflection shows their outline upside down.
TEST_F(LandscapePictures, TheReflectionMirrorsWhatStandsAboveTheWater) {
  raise([](glm::vec2 p) {
    const float ring = glm::length(p - 1000.0f) / 1000;
    return -20 + 300 * ring * ring * (0.6f + 0.4f * std::sin(7 * std::atan2(p.x - 1000, p.y - 1000)));
  });
  DrawRequest request;
  request.eye = {{1000, 1000, 0.4f}, {0, 1, 0}};
  request.weather = {.sun_azimuth = 0, .sun_elevation = 8, .clouds = 0, .sea_level = 0};
  request.debug = DebugView::reflection;
  const Image mirror = draw(request);
  request.debug = DebugView::depth;
  const Image depth = draw(request);
  int differing = 0, land = 0, sky = 0;
  for (int y = 2; y < picture_size.y / 2 - 4; ++y)
    for (int x = 0; x < picture_size.x; ++x) {
      const bool is_sky = depth.pixel(x, y)[0] == 0;
      const std::uint8_t* mirrored = mirror.pixel(x, picture_size.y - 1 - y);
      const bool mirrored_sky = mirrored[2] > 160;
      differing += is_sky != mirrored_sky;
      ++(is_sky ? sky : land);
    }
  EXPECT_GT(sky, 500);
  EXPECT_GT(land, 500);
  EXPECT_LT(differing, (sky + land) / 33);
}

TEST_F(LandscapePictures, TheSameFrameIsTheSamePicture) {
  raise(rough);
  add_plants();
  DrawRequest request;
  request.eye = {{930, 880, 110}, looking(0.5f, -0.25f)};
  request.weather.sea_level = 10;
  request.weather.seconds = 3.25;
  request.frame = 7;
  const Image first = draw(request), again = draw(request);
  EXPECT_EQ(first.rgba, again.rgba);
  request.weather.seconds = 4.75;
  EXPECT_NE(first.rgba, draw(request).rgba) << "wind and water never rest";
}

// Where colours change slowly, 8 bits make bands of one colour; noise breaks them up, in an enlarged picture too.
TEST_F(LandscapePictures, TheNightSkyHasNoBands) {
  for (const float scale : {1.0f, 0.6f}) {
    Quality quality = small_quality();
    quality.scale = scale;
    renderer = std::make_unique<Renderer>(context->opengl(), quality);
    raise([](glm::vec2) { return 0.0f; });
    DrawRequest request;
    request.eye = {{1000, 1000, 60}, looking(2, 0.7f)};
    request.weather = {.sun_azimuth = 85, .sun_elevation = -12, .clouds = 0, .sea_level = -100};
    const Image image = draw(request);
    int longest = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 1, run = 1; x < image.width; ++x) {
        run = image.pixel(x, y)[2] == image.pixel(x - 1, y)[2] ? run + 1 : 1;
        longest = std::max(longest, run);
      }
    EXPECT_LT(longest, 24) << "scale " << scale;
  }
}

// The brightness of the sky away from a low sun shows the camera's exposure. It is the same over deep water, shallows
// and flat land, and larger only where a hill hides the sun.
TEST_F(LandscapePictures, TheCameraOpensInTheShadeOfHillsAlone) {
  DrawRequest request;
  request.eye = {{1000, 1000, 3}, looking(0, 0.5f)};
  request.weather = {.sun_azimuth = 180, .sun_elevation = 8, .clouds = 0, .sea_level = 0};
  const auto brightness = [&](auto&& height) {
    raise(height);
    const Image image = draw(request);
    double sum = 0;
    for (int x = 0; x < image.width; ++x) sum += image.pixel(x, 8)[0];
    return sum / image.width;
  };
  const double deep = brightness([](glm::vec2) { return -60.0f; });
  EXPECT_NEAR(brightness([](glm::vec2) { return -0.5f; }), deep, 0.5);
  EXPECT_NEAR(brightness([](glm::vec2) { return 1.0f; }), deep, 0.5);
  EXPECT_NEAR(brightness([](glm::vec2 p) { return p.y < 900 ? 15.0f : -3.0f; }), deep, 0.5) << "too low a hill";
  EXPECT_GT(brightness([](glm::vec2 p) { return p.y < 900 ? 150.0f : -3.0f; }), deep + 10);
  EXPECT_NEAR(brightness([](glm::vec2 p) { return p.y > 1300 ? 50.0f : -3.0f; }), deep, 0.5) << "a hill elsewhere";
}

}  // namespace
}  // namespace kinescope::render::landscape::landscape_pictures_gl_test
