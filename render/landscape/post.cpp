#include "render/landscape/post.hpp"

#include <algorithm>

namespace kinescope::render::landscape {
namespace {

constexpr float bloom_strength = 0.055f;
constexpr int shaft_divisor = 4;  // the picture of the shafts is smaller by this factor

void write_over(const Texture& image, GLenum format) {
  image.bind_image(0, format, GL_READ_WRITE);
  dispatch_over(image.size());
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

}  // namespace

Post::Post(const Quality& quality)
    : quality_(quality),
      tone_({"landscape/post/tone_compute.glsl"}, quality.definitions()),
      fxaa_({"landscape/post/fxaa_compute.glsl"}),
      bloom_({"landscape/post/bloom_compute.glsl"}),
      shaft_source_({"landscape/post/shaft_source_compute.glsl"}),
      shafts_({"landscape/post/shafts_compute.glsl"}),
      enlarge_({"landscape/screen_vertex.glsl", "landscape/post/enlarge_fragment.glsl"}) {}

void Post::allocate(glm::ivec2 size) {
  if (mapped_.name() && mapped_.size() == size) return;
  mapped_ = Texture::flat(size, format());
  smooth_ = Framebuffer(size, {.format = format()});
  const auto part = [&](int divisor) { return Texture::flat(glm::max(size / divisor, glm::ivec2(1)), GL_RGBA16F); };
  for (Texture& image : light_shafts_) image = part(shaft_divisor);
  pyramid_.clear();
  if (!quality_.bloom) return;
  for (int divisor = 2; divisor <= 64 && std::min(size.x, size.y) / divisor > 4; divisor *= 2)
    pyramid_.push_back(part(divisor));
}

void Post::bloom(const Framebuffer& picture) {
  const Texture* source = &picture.colour();
  bloom_.set("up", false);
  for (std::size_t i = 0; i < pyramid_.size(); ++i) {
    bloom_.set("limit", i == 0 ? 60.0f : 0.0f);
    bloom_.use();
    source->bind(0);
    write_over(pyramid_[i], GL_RGBA16F);
    source = &pyramid_[i];
  }
  bloom_.set("up", true);
  bloom_.use();
  for (std::size_t i = pyramid_.size(); i-- > 1;) {
    pyramid_[i].bind(0);
    write_over(pyramid_[i - 1], GL_RGBA16F);
  }
}

// Has finer steps than the screen if the picture will be enlarged.
GLenum Post::format() const {
  return quality_.scale < 1 ? GL_RGBA16 : GL_RGBA8;
}

const Texture& Post::shafts(const Framebuffer& picture, const Texture& depth, glm::vec2 sun) {
  shaft_source_.set("sun", sun);
  shaft_source_.set("side", shaft_divisor);
  shaft_source_.use();
  picture.colour().bind(0);
  depth.bind(1);
  write_over(light_shafts_[0], GL_RGBA16F);
  for (const bool second : {false, true}) {
    shafts_.set("sun", sun);
    shafts_.set("second", second);
    shafts_.use();
    light_shafts_[second ? 1 : 0].bind(0);
    write_over(light_shafts_[second ? 0 : 1], GL_RGBA16F);
  }
  return light_shafts_[0];
}

void Post::draw(const Framebuffer& picture, const Texture& depth, const Canvas& canvas, std::optional<glm::vec2> sun,
                float shaft_strength) {
  const glm::ivec2 size = picture.size();
  allocate(size);
  const bool with_shafts = quality_.light_shafts && sun && shaft_strength > 0;
  const Texture& light_shafts = with_shafts ? shafts(picture, depth, *sun) : light_shafts_[0];
  if (!pyramid_.empty()) bloom(picture);
  const bool enlarged = picture.size() != canvas.size;
  tone_.set("bloom_strength", pyramid_.empty() ? 0.0f : bloom_strength);
  tone_.set("shaft_strength", with_shafts ? shaft_strength : 0.0f);
  tone_.set("noise", enlarged ? 0.0f : 1.0f);
  tone_.use();
  picture.colour().bind(0);
  (pyramid_.empty() ? picture.colour() : pyramid_[0]).bind(1);
  light_shafts.bind(2);
  write_over(mapped_, format());
  fxaa_.use();
  mapped_.bind(0);
  smooth_.colour().bind_image(0, format());
  dispatch_over(size);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
  if (enlarged) return enlarge(canvas);
  glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT);
  const glm::ivec2 low = canvas.origin, high = canvas.origin + canvas.size;
  glBlitNamedFramebuffer(smooth_.name(), canvas.framebuffer, 0, 0, size.x, size.y, low.x, low.y, high.x, high.y,
                         GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Post::enlarge(const Canvas& canvas) {
  canvas.bind();
  smooth_.colour().bind(0);
  enlarge_.use();
  no_vertices_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace kinescope::render::landscape
