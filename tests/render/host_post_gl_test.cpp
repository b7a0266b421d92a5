// The processor maps, smooths and enlarges pictures as the shaders do.
#include <cmath>
#include <cstdlib>
#include <random>

#include "render/landscape/frame_block.hpp"
#include "render/landscape/host_post.hpp"
#include "render/landscape/post.hpp"
#include "tests/render/gl_test.hpp"

namespace kinescope::render::landscape::host_post_gl_test {
namespace {

using HostPostTest = GlTest;

// Slopes, edges in all directions, single pixels that are far too bright.
Framebuffer picture_of(glm::ivec2 size) {
  std::mt19937 random(unsigned(size.x));
  std::vector<float> light;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const bool inside = std::sin(0.21f * float(x) + 0.1f * float(y)) > std::cos(0.17f * float(y));
      float level = (inside ? 0.03f : 0.4f) + 0.3f * float(x) / float(size.x);
      if (random() % 61 == 0) level = 30;
      light.insert(light.end(), {level, 0.8f * level, inside ? level : 0.3f * level, 1});
    }
  Framebuffer picture(size, {.format = GL_RGBA16F});
  glTextureSubImage2D(picture.colour().name(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_FLOAT, light.data());
  return picture;
}

// A canvas with a frame that must stay as it is.
template <class Draw>
Image drawn(glm::ivec2 size, Draw draw) {
  const Framebuffer shown(size + 6);
  shown.clear({0, 0, 1, 1});
  Canvas canvas = Canvas::all_of(shown);
  canvas.origin = {2, 4};
  canvas.size = size;
  draw(canvas);
  return shown.read();
}

TEST_F(HostPostTest, DrawsWhatTheShadersDraw) {
  if (!context->is_software()) GTEST_SKIP() << "graphics cards round the places between pixels to 1/256";
  const Texture depth = Texture::flat({1, 1}, GL_R32F);
  HostPost host;
  for (const float sun_height : {0.6f, 0.1f})
    for (const auto& [from, to] : std::initializer_list<std::pair<glm::ivec2, glm::ivec2>>{
             {{96, 72}, {160, 120}}, {{97, 71}, {161, 119}}, {{7, 9}, {12, 15}}, {{1, 1}, {3, 2}}}) {
      Quality quality = Quality::reduced_for_software();
      constexpr float adapted = 1.3f, exposure = 1.7f;
      FrameBlock frame;
      frame.sun = {0, 0, sun_height, adapted};
      LightBlock light{};
      light.exposure.x = exposure;
      const Buffer frame_buffer(sizeof frame, &frame), light_buffer(sizeof light, &light);
      glBindBufferBase(GL_UNIFORM_BUFFER, frame_binding, frame_buffer.name());
      glBindBufferBase(GL_UNIFORM_BUFFER, light_binding, light_buffer.name());
      const Framebuffer picture = picture_of(from);
      Post post(quality);
      const Image by_shaders =
          drawn(to, [&](const Canvas& canvas) { post.draw(picture, depth, canvas, std::nullopt, 0); });
      const Image by_host =
          drawn(to, [&](const Canvas& canvas) { host.draw(picture, canvas, exposure * adapted, sun_height); });
      int most = 0, apart = 0, dark = 0, bright = 0;
      for (std::size_t i = 0; i < by_host.rgba.size(); ++i) {
        const int difference = std::abs(int(by_host.rgba[i]) - int(by_shaders.rgba[i]));
        most = std::max(most, difference);
        apart += difference > 0;
        dark += by_host.rgba[i] < 100;
        bright += by_host.rgba[i] > 160;
      }
      const std::string what = std::to_string(from.x) + " to " + std::to_string(to.x);
      EXPECT_LE(most, 2) << what;
      EXPECT_LE(apart, int(by_host.rgba.size() / 50)) << what;
      if (from.x < 50) continue;
      EXPECT_GT(dark, 1000) << what;
      EXPECT_GT(bright, 1000) << what;
    }
}

TEST_F(HostPostTest, InfiniteLightIsWhiteAndStaysAtItsPixel) {
  constexpr glm::ivec2 size{20, 12};
  std::vector<float> light(4 * std::size_t(size.x * size.y), 0.0f);
  for (int channel = 0; channel < 3; ++channel) light[std::size_t(4 * (6 * size.x + 9) + channel)] = INFINITY;
  const Framebuffer picture(size, {.format = GL_RGBA16F});
  glTextureSubImage2D(picture.colour().name(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_FLOAT, light.data());
  HostPost host;
  const Image image = drawn(size, [&](const Canvas& canvas) { host.draw(picture, canvas, 1, 0.5f); });
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const int grey = image.pixel(x + 2, image.height - 1 - (y + 4))[1];
      const int away = std::max(std::abs(x - 9), std::abs(y - 6));
      if (away == 0) {
        EXPECT_GT(grey, 60);
      }
      if (away > 5) {
        EXPECT_LE(grey, 1) << x << ", " << y;
      }
    }
}

}  // namespace
}  // namespace kinescope::render::landscape::host_post_gl_test
