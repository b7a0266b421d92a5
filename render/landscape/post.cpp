#include "render/landscape/post.hpp"

#include <algorithm>

namespace kinescope::render::landscape {
namespace {

constexpr float bloom_strength = 0.055f;

void write_over(const Texture& image, GLenum format) {
  image.bind_image(0, format, GL_READ_WRITE);
  dispatch_over(image.size());
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

}  // namespace

Post::Post(const Quality& quality)
    : quality_(quality),
      tone_({"landscape/post/tone_compute.glsl"}),
      fxaa_({"landscape/post/fxaa_compute.glsl"}),
      bloom_({"landscape/post/bloom_compute.glsl"}),
      shafts_({"landscape/post/shafts_compute.glsl"}) {}

void Post::allocate(glm::ivec2 size) {
  if (mapped_.name() && mapped_.size() == size) return;
  mapped_ = Texture::flat(size, GL_RGBA8);
  smooth_ = Framebuffer(size);
  const auto part = [&](int divisor) { return Texture::flat(glm::max(size / divisor, glm::ivec2(1)), GL_RGBA16F); };
  light_shafts_ = part(quality_.reduced ? 4 : 2);
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

void Post::draw(const Framebuffer& picture, const Texture& depth, const Canvas& canvas, std::optional<glm::vec2> sun,
                float shaft_strength) {
  allocate(picture.size());
  const bool shafts = quality_.light_shafts && sun && shaft_strength > 0;
  if (shafts) {
    shafts_.set("sun", *sun);
    shafts_.use();
    picture.colour().bind(0);
    depth.bind(1);
    write_over(light_shafts_, GL_RGBA16F);
  }
  if (!pyramid_.empty()) bloom(picture);
  tone_.set("bloom_strength", pyramid_.empty() ? 0.0f : bloom_strength);
  tone_.set("shaft_strength", shafts ? shaft_strength : 0.0f);
  tone_.use();
  picture.colour().bind(0);
  (pyramid_.empty() ? picture.colour() : pyramid_[0]).bind(1);
  light_shafts_.bind(2);
  write_over(mapped_, GL_RGBA8);
  fxaa_.use();
  mapped_.bind(0);
  write_over(smooth_.colour(), GL_RGBA8);
  glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT);
  const glm::ivec2 size = smooth_.size(), low = canvas.origin, high = canvas.origin + canvas.size;
  glBlitNamedFramebuffer(smooth_.name(), canvas.framebuffer, 0, 0, size.x, size.y, low.x, low.y, high.x, high.y,
                         GL_COLOR_BUFFER_BIT, size == canvas.size ? GL_NEAREST : GL_LINEAR);
}

}  // namespace kinescope::render::landscape
