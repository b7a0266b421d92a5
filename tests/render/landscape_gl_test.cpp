// The landscape's pictures: small ones, reduced as software draws them.
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <glm/geometric.hpp>
#include <random>

#include "render/landscape/renderer.hpp"
#include "tests/render/gl_test.hpp"

namespace kinescope::render::landscape::landscape_gl_test {
namespace landscape_gl_test {

constexpr float extent = 2000;
constexpr glm::ivec2 picture_size{160, 120};

class LandscapePictures : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!context) return;
    renderer = std::make_unique<Renderer>(context->opengl(), small_quality());
  }
  static Quality small_quality() {
    Quality quality = Quality::reduced_for_software();
    quality.scale = 1;
    quality.patch_cells = 16;
    quality.material_size = quality.noise_size = 32;
    quality.cloud_noise_size = 8;
    quality.shadow_size = 128;
    return quality;
  }
  // As a GPU draws it: surfaces first, their light by compute.
  static Quality computed_quality(int samples) {
    Quality quality = small_quality();
    quality.reduced = false;
    quality.plants_by_compute = quality.plants_reflected = quality.grass = true;
    quality.samples = samples;
    return quality;
  }
  void TearDown() override {
    renderer.reset();
    heights = {};
    GlTest::TearDown();
  }
  template <class Height>
  void raise(Height height, int heights_size = 257) {
    std::vector<float> values;
    float low = 1e30f, high = -1e30f;
    for (int j = 0; j < heights_size; ++j)
      for (int i = 0; i < heights_size; ++i) {
        values.push_back(height(extent * glm::vec2(i, j) / float(heights_size - 1)));
        low = std::min(low, values.back());
        high = std::max(high, values.back());
      }
    heights = Buffer(values.size() * sizeof(float), 0, values.data());
    renderer->terrain().set_heights({heights.name(), 0, GLsizeiptr(heights.bytes())},
                                    {heights_size, extent, low, high, 1});
  }
  Image draw(const DrawRequest& request) {
    const Framebuffer framebuffer(picture_size);
    framebuffer.clear({0, 0, 0, 1});
    renderer->draw(request, Canvas::all_of(framebuffer));
    return framebuffer.read();
  }
  void add_plants() {
    PlantShape shape;
    shape.radius = 2;
    shape.height = 6;
    for (const float turn : {0.0f, 1.57f}) {
      const glm::vec3 across(2 * std::cos(turn), 2 * std::sin(turn), 0), normal(-std::sin(turn), std::cos(turn), 0);
      const auto base = std::uint32_t(shape.leaves.vertices.size());
      for (const glm::vec2 uv : {glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(1, 1), glm::vec2(0, 1)})
        shape.leaves.vertices.push_back(
            {across * (2 * uv.x - 1) + glm::vec3(0, 0, 6 * uv.y), normal, uv, {0.1f, 0.3f, 0.05f}, 0});
      for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) shape.leaves.indices.push_back(base + k);
    }
    std::vector<PlantInstance> instances;
    for (int i = 0; i < 400; ++i) {
      const glm::vec2 p(900 + 9 * (i % 20), 900 + 9 * (i / 20));
      instances.push_back({{p, renderer->terrain().height_at(p)}, float(i), 1, 0, 0.5f, 0.3f});
    }
    renderer->plants().set_plants(std::span(&shape, 1), instances);
  }

  // One plant around the eye of quads from centimetres to tens of metres.
  void scatter_triangles(float kind) {
    PlantShape shape;
    shape.radius = shape.height = 60;
    std::mt19937 random(5);
    const auto number = [&](float low, float high) {
      return low + (high - low) * std::uniform_real_distribution<float>()(random);
    };
    MeshData& mesh = kind < 0 ? shape.branches : shape.leaves;
    for (int i = 0; i < 300; ++i) {
      const glm::vec3 middle(number(-40, 40), number(-40, 40), number(-20, 30));
      const float size = std::exp2(number(-4, i % 20 == 0 ? 5 : 2));
      const glm::vec3 across = size * glm::vec3(number(-1, 1), number(-1, 1), number(-1, 1));
      const glm::vec3 up = size * glm::vec3(number(-1, 1), number(-1, 1), number(-1, 1));
      const glm::vec3 normal = glm::normalize(glm::cross(across, up)), colour(number(0, 1), number(0, 1), number(0, 1));
      const auto base = std::uint32_t(mesh.vertices.size());
      for (const glm::vec2 uv : {glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(1, 1), glm::vec2(0, 1)})
        mesh.vertices.push_back({middle + uv.x * across + uv.y * up, normal, uv, colour, kind});
      for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) mesh.indices.push_back(base + k);
    }
    const PlantInstance instance{{1000, 1000, 20}, 0.7f, 1, 0, 0.5f, 0.3f};
    renderer->plants().set_plants(std::span(&shape, 1), std::span(&instance, 1));
  }

  std::unique_ptr<Renderer> renderer;
  Buffer heights;
};

float rough(glm::vec2 p) {
  return 80 * std::sin(0.006f * p.x) * std::cos(0.007f * p.y) + 14 * std::sin(0.05f * p.x) * std::sin(0.06f * p.y) +
         5 * std::sin(0.4f * p.x + 0.3f * p.y);
}

glm::vec3 looking(float yaw, float pitch) {
  return {std::sin(yaw) * std::cos(pitch), std::cos(yaw) * std::cos(pitch), std::sin(pitch)};
}

TEST_F(LandscapePictures, FresnelsLawAsSchlickHasIt) {
  Shader shader =
      Shader::from_text({{"a/fresnel_compute.glsl",
                          "#version 450\n#include \"landscape/water/fresnel.glsl\"\nlayout(local_size_x = 1) in;\n"
                          "layout(std430, binding = 0) buffer B { float mixed[]; };\nvoid main() { uint i = "
                          "gl_GlobalInvocationID.x; mixed[i] = fresnel(float(i) / 64.0); }\n"}});
  const Buffer buffer(65 * sizeof(float));
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer.name());
  shader.use();
  glDispatchCompute(65, 1, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  float mixed[65];
  glGetNamedBufferSubData(buffer.name(), 0, sizeof mixed, mixed);
  EXPECT_EQ(mixed[0], 1.0f);
  for (int i = 0; i <= 64; ++i) EXPECT_NEAR(mixed[i], 0.02 + 0.98 * std::pow(1 - i / 64.0, 5), 1e-6);
}

// Where two levels of detail share a plant, each sample shows the one or the other, in the parts that the entry says,
// and pixels differ by one sample at most.
TEST_F(LandscapePictures, EachSampleOfAPlantShowsOneLevelOfDetail) {
  Shader shader = Shader::from_text(
      {{"a/fade_compute.glsl",
        "#version 450\n#include \"landscape/frame.glsl\"\n#include \"landscape/plants/plants.glsl\"\n#include "
        "\"landscape/plants/plants_fade.glsl\"\n"
        "layout(local_size_x = 1) in;\nlayout(std430, binding = 2) buffer B { uint seen[]; };\nvoid main() {\n"
        "  float part = float(gl_GlobalInvocationID.y) / 16.0;\n"
        "  uint fine = entry_of(70000u, part, false), coarse = entry_of(70000u, part, true), bits = 0u;\n"
        "  vec2 pixel = vec2(gl_GlobalInvocationID.x % 64u, gl_GlobalInvocationID.x / 64u) + 0.5;\n"
        "  for (int i = 0; i < 2; ++i) {\n"
        "    if (!hidden(shown_of(fine), pixel, i, 2)) bits |= 1u << i;\n"
        "    if (!hidden(shown_of(coarse), pixel, i, 2)) bits |= 4u << i;\n  }\n"
        "  if (instance_of(fine) != 70000u || instance_of(coarse) != 70000u) bits = 0u;\n"
        "  seen[gl_GlobalInvocationID.y * 4096u + gl_GlobalInvocationID.x] = bits;\n}\n"}});
  const Buffer buffer(17 * 4096 * sizeof(std::uint32_t));
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, buffer.name());
  shader.use();
  glDispatchCompute(4096, 17, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  std::vector<std::uint32_t> seen(17 * 4096);
  glGetNamedBufferSubData(buffer.name(), 0, GLsizeiptr(buffer.bytes()), seen.data());
  for (int part = 0; part <= 16; ++part) {
    int fine = 0, neither_or_both = 0, least = 2, most = 0;
    for (int i = 0; i < 4096; ++i) {
      const std::uint32_t bits = seen[std::size_t(part) * 4096 + std::size_t(i)];
      const int here = std::popcount(bits & 3u);
      fine += here;
      least = std::min(least, here);
      most = std::max(most, here);
      neither_or_both += ((bits & 3u) ^ (bits >> 2)) != 3u;
    }
    EXPECT_EQ(neither_or_both, 0) << part;
    EXPECT_NEAR(fine / 8192.0, part / 16.0, 0.02) << part;
    EXPECT_LE(most - least, 1) << part;
  }
}

// Looking down on closed terrain, no pixel is farther than the terrain can be. (The water lies far below.)
TEST_F(LandscapePictures, TheGroundHasNoCracks) {
  // Jagged: a coarser level lies metres away from a finer one. Four levels meet in each picture.
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

// What stands filled in the picture is lines in the view of wires, the water too: they cover a part of the same pixels.
TEST_F(LandscapePictures, TheWireframeIsOfLines) {
  MeshData box;
  for (const glm::vec2 side : {glm::vec2(0, -1), glm::vec2(1, 0), glm::vec2(0, 1), glm::vec2(-1, 0)}) {
    const glm::vec2 along(-side.y, side.x);
    const auto base = std::uint32_t(box.vertices.size());
    for (const glm::vec2 uv : {glm::vec2(-1, 0), glm::vec2(1, 0), glm::vec2(1, 1), glm::vec2(-1, 1)})
      box.vertices.push_back({{8.f * (side + uv.x * along), 10 * uv.y}, {side, 0}, uv, {0.5f, 0.2f, 0.1f}, 0});
    for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) box.indices.push_back(base + k);
  }
  for (const bool computed : {false, true}) {
    if (computed) renderer = std::make_unique<Renderer>(context->opengl(), computed_quality(2));
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
      EXPECT_GT(lines, 20) << what << computed;
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
    renderer->plants().set_plants({}, {});
    // The sea changes the light of everything: what moves with its level is the net alone.
    const auto sea = [&](float level) { return [&, level] { request.weather.sea_level = level; }; };
    const int filled = covered(DebugView::none, sea(-1000), sea(1)),
              lines = covered(DebugView::wireframe, sea(1), sea(3));
    EXPECT_GT(lines, 20) << computed;
    EXPECT_LT(lines, 0.6 * filled) << computed;
  }
}

// Of hills against the light, seen from just above the water: the mirror shows their outline upside down.
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

TEST_F(LandscapePictures, PassesLeaveOpenGlAsItWas) {
  for (const bool computed : {false, true}) {
    if (computed) renderer = std::make_unique<Renderer>(context->opengl(), computed_quality(2));
    raise(rough);
    add_plants();
    for (const float sea : {10.0f, 400.0f}) {  // the eye above the water, and below it
      DrawRequest request;
      request.eye = {{900, 880, 120}, looking(0.6f, -0.2f)};
      request.weather.sea_level = sea;
      draw(request);
      for (const GLenum capability : {GL_DEPTH_TEST, GL_CULL_FACE, GL_BLEND, GL_CLIP_DISTANCE0, GL_POLYGON_OFFSET_FILL,
                                      GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SCISSOR_TEST})
        EXPECT_FALSE(glIsEnabled(capability)) << capability;
      const auto integer = [](GLenum name) {
        GLint value[4] = {};
        glGetIntegerv(name, value);
        return value[0];
      };
      EXPECT_EQ(integer(GL_DEPTH_FUNC), GL_LESS);
      EXPECT_EQ(integer(GL_DEPTH_WRITEMASK), GL_TRUE);
      EXPECT_EQ(integer(GL_FRONT_FACE), GL_CCW);
      EXPECT_EQ(integer(GL_CLIP_DEPTH_MODE), GL_NEGATIVE_ONE_TO_ONE);
      EXPECT_EQ(integer(GL_CURRENT_PROGRAM), 0);
      EXPECT_EQ(integer(GL_VERTEX_ARRAY_BINDING), 0);
      EXPECT_EQ(integer(GL_DRAW_INDIRECT_BUFFER_BINDING), 0);
      EXPECT_EQ(integer(GL_PIXEL_UNPACK_BUFFER_BINDING), 0);
    }
  }
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

// Drawn and lit at once, or lit by compute from what drawing leaves: it is the same landscape. (Details differ, which
// software leaves out: squares of 20 pixels are compared.)
TEST_F(LandscapePictures, LightByComputeIsLightByDrawing) {
  const auto shore = [](glm::vec2 p) { return rough(p) + 0.05f * (p.y - 1000); };
  DrawRequest request;
  request.eye = {{930, 800, 60}, looking(0.5f, -0.12f)};
  request.weather.sea_level = 10;
  std::array<Image, 3> images;
  for (const int samples : {0, 1, 2}) {  // 0: by drawing
    if (samples > 0) renderer = std::make_unique<Renderer>(context->opengl(), computed_quality(samples));
    raise(shore);
    add_plants();
    images[std::size_t(samples)] = draw(request);
    EXPECT_EQ(draw(request).rgba, images[std::size_t(samples)].rgba) << "the same frame, the same picture";
  }
  constexpr int square = 20;
  double farthest = 0;
  int edges = 0;
  for (int y = 0; y < picture_size.y; y += square)
    for (int x = 0; x < picture_size.x; x += square)
      for (int channel = 0; channel < 3; ++channel) {
        double difference = 0;
        for (int k = 0; k < square * square; ++k) {
          const auto at = [&](int image) {
            return int(images[std::size_t(image)].pixel(x + k % square, y + k / square)[channel]);
          };
          difference += double(at(1) - at(0)) / (square * square);
          edges += channel == 1 && std::abs(at(2) - at(1)) > 16;
        }
        farthest = std::max(farthest, std::abs(difference));
      }
  EXPECT_LT(farthest, 30);
  EXPECT_GT(edges, 50);
  EXPECT_LT(edges, picture_size.x * picture_size.y / 5) << "more samples change edges only";
}

// Triangles of all sizes, behind, across and around the eye too, as bark and as leaves.
TEST_F(LandscapePictures, ComputeDrawsThePlantsThatOpenGlDraws) {
  constexpr DebugView views[] = {DebugView::depth, DebugView::none, DebugView::reflection};
  DrawRequest request;
  request.eye = {{1000, 1000, 20}, looking(0.3f, -0.2f)};
  request.weather.sea_level = 12;
  request.weather.wind_speed = 0;
  std::vector<Image> images[3];  // no plants, by OpenGL, by compute
  for (const int way : {0, 1, 2}) {
    Quality quality = computed_quality(1);
    quality.plants_by_compute = way == 2;
    quality.plant_detail = 1;
    renderer = std::make_unique<Renderer>(context->opengl(), quality);
    raise([](glm::vec2) { return 5.0f; });
    for (const float kind : {-1.0f, 1.0f}) {
      if (way > 0) scatter_triangles(kind);
      for (const DebugView shown : views) {
        request.debug = shown;
        images[way].push_back(draw(request));
        if (way != 2) continue;
        EXPECT_EQ(draw(request).rgba, images[way].back().rgba) << "the same frame, the same picture";
      }
    }
  }
  const int pixels = picture_size.x * picture_size.y;
  for (std::size_t i = 0; i < images[0].size(); ++i) {
    const auto differing = [&](int way, int other) {
      int count = 0;
      for (std::size_t k = 0; k < images[way][i].rgba.size(); k += 4) {
        int most = 0;
        for (std::size_t channel = k; channel < k + 3; ++channel)
          most = std::max(most, std::abs(int(images[way][i].rgba[channel]) - int(images[other][i].rgba[channel])));
        count += most > 12;
      }
      return count;
    };
    EXPECT_LT(differing(1, 2), pixels / (i < 3 ? 1000 : 50))
        << i << ": OpenGL lets outlines of leaves end half a pixel later";
    EXPECT_GT(differing(0, 1), pixels / 20) << i;
  }
}

TEST_F(LandscapePictures, CascadesTakeTurnsUntilTheViewLeavesThem) {
  Quality quality = small_quality();
  quality.cascades = most_cascades;
  Shadows shadows(quality);
  FrameBlock frame;
  Shadows::View view{{100, 200, 30}, {0, 1, 0}, 55, 1.6f};
  const glm::vec3 light = glm::normalize(glm::vec3(1, 1, 1));
  const auto due = [&](long number, glm::vec3 to_light) {
    shadows.place(view, to_light, number, frame);
    int count = 0;
    for (int i = 0; i < shadows.count(); ++i) count += shadows.is_due(i);
    return count;
  };
  EXPECT_EQ(due(0, light), 4) << "none has been drawn";
  std::array<int, most_cascades> turns{};
  for (long number = 1; number <= 16; ++number) {
    EXPECT_EQ(due(number, light), 1);
    for (int i = 0; i < shadows.count(); ++i) turns[std::size_t(i)] += shadows.is_due(i);
  }
  EXPECT_EQ(turns, (std::array<int, most_cascades>{8, 4, 2, 2}));
  view.eye.x += 200;
  EXPECT_GE(due(17, light), 3) << "the near ones are left behind";
  due(17, light);
  EXPECT_EQ(due(17, glm::normalize(glm::vec3(1.1f, 1, 1))), 4) << "the light has moved";
  shadows.forget();
  EXPECT_EQ(due(18, light), 4);
}

}  // namespace landscape_gl_test
}  // namespace kinescope::render::landscape::landscape_gl_test
