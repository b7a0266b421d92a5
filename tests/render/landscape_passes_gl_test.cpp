// The landscape's passes one by one: single shaders, the OpenGL state that passes leave, and what two ways of drawing
// have in common.
#include <array>
#include <bit>
#include <cstdlib>

#include "tests/render/landscape_gl_test.hpp"

namespace kinescope::render::landscape::landscape_passes_gl_test {
namespace {

using namespace landscape_gl_test;

using LandscapePasses = LandscapeTest;

TEST_F(LandscapePasses, FresnelsLawAsSchlickHasIt) {
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

// If two levels of detail share a plant, each sample shows exactly one of them. The finer level shows the part of the
// samples that the entry states, and its number of samples differs between pixels by at most one.
TEST_F(LandscapePasses, EachSampleOfAPlantShowsOneLevelOfDetail) {
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

TEST_F(LandscapePasses, PassesLeaveOpenGlAsItWas) {
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

// The landscape looks the same whether surfaces are lit while they are drawn, or stored and then lit by compute
// shaders. (Software leaves out details, so the means of squares of 20 × 20 pixels are compared.)
TEST_F(LandscapePasses, LightByComputeIsLightByDrawing) {
  const auto shore = [](glm::vec2 p) { return rough(p) + 0.05f * (p.y - 1000); };
  DrawRequest request;
  request.eye = {{930, 800, 60}, looking(0.5f, -0.12f)};
  request.weather.sea_level = 10;
  std::array<Image, 3> images;
  for (const int samples : {0, 1, 2}) {  // 0: lit while drawing
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

// Software passes by the part of the smoke's cube that is empty, and smoke looks as if it did not. Nodes that are too
// thin to show make it take the whole cube.
TEST_F(LandscapePasses, SmokeLooksTheSameHoweverMuchOfItsCubeIsEmpty) {
  raise([](glm::vec2) { return 5.0f; });
  constexpr int nodes = 32;
  DrawRequest request;
  request.eye = {{1000, 960, 12}, looking(0, 0.1f)};
  request.weather = {.clouds = 0, .sea_level = -100};
  request.smoke.cube = {990, 990, 5, 20};
  request.smoke.field_grid = nodes;
  enum Content { nothing, smoke, smoke_and_corners };
  const auto shown = [&](Content content) {
    std::vector<float> field(nodes * nodes * nodes, 0);
    const auto at = [&](int x, int y, int z) -> float& { return field[std::size_t((z * nodes + y) * nodes + x)]; };
    if (content != nothing)
      for (int z = 0; z < nodes; ++z)
        for (int y = 0; y < nodes; ++y)
          for (int x = 0; x < nodes; ++x) {
            const float away = glm::length(glm::vec3(x - 14, y - 17, z - 9)) / 7;
            at(x, y, z) = 40 * std::max(0.0f, 1 - away * away);
          }
    if (content == smoke_and_corners)
      for (const int k : {0, nodes - 1}) at(k, k, k) = 0.5f;  // smoke has faded at the corners
    const Buffer buffer(field.size() * sizeof(float), field.data());
    request.smoke.field = buffer.view();
    return draw(request);
  };
  const Image empty = shown(nothing), part = shown(smoke), whole = shown(smoke_and_corners);
  int covered = 0, apart = 0;
  for (std::size_t i = 0; i < part.rgba.size(); i += 4) {
    covered += std::abs(int(whole.rgba[i]) - int(empty.rgba[i])) > 20;
    apart += std::abs(int(part.rgba[i]) - int(whole.rgba[i])) > 1;
  }
  EXPECT_GT(covered, 300);
  EXPECT_LE(apart, covered / 200);
}

// The triangles have all sizes, and some are behind the eye or around it. They are drawn as bark and as leaves.
TEST_F(LandscapePasses, ComputeDrawsThePlantsThatOpenGlDraws) {
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

TEST_F(LandscapePasses, CascadesTakeTurnsUntilTheViewLeavesThem) {
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

// Rays skip as far as the greatest slope of the clouds' field allows, so a steeper field would make them miss clouds.
// The map repeats without a seam, and covers from a tenth to nine tenths leave both clouds and sky.
TEST_F(LandscapePasses, TheFieldOfCloudsIsNowhereSteeperThanRaysSuppose) {
  for (const int size : {256, 512}) {
    const Texture map = Texture::flat(glm::ivec2(size), GL_R16F, 1, true);
    Shader shader({"landscape/sky/cloud_field_compute.glsl"});
    compute_image(shader, map, GL_R16F);
    std::vector<float> field(std::size_t(size * size));
    glGetTextureImage(map.name(), 0, GL_RED, GL_FLOAT, GLsizei(field.size() * sizeof(float)), field.data());
    const auto at = [&](int x, int y) { return field[std::size_t((y % size) * size + x % size)]; };
    float steepest = 0;
    int over_thin = 0, over_full = 0;  // places above the thresholds for covers of a tenth and of nine tenths
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) {
        // Between four texels, the slope along an axis is at most the steeper one of the two edges along that axis.
        const float a = at(x, y), b = at(x + 1, y), c = at(x, y + 1), d = at(x + 1, y + 1);
        steepest = std::max(steepest, std::hypot(std::max(std::abs(b - a), std::abs(d - c)),
                                                 std::max(std::abs(c - a), std::abs(d - b))));
        over_thin += a > 0.69f;
        over_full += a > 0.29f;
      }
    EXPECT_LE(steepest * float(size) / cloud_field_extent, cloud_field_slope) << size;
    EXPECT_GT(steepest * float(size) / cloud_field_extent, 0.6f * cloud_field_slope) << size << ": too cautious";
    EXPECT_GT(over_thin, 0) << size;
    EXPECT_LT(over_full, size * size) << size;
  }
}

}  // namespace
}  // namespace kinescope::render::landscape::landscape_passes_gl_test
