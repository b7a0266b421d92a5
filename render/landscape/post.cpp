#include "render/landscape/post.hpp"

#include <algorithm>

namespace kinescope::render::landscape {
namespace {

constexpr float bloom_strength = 0.055f;

}  // namespace

Post::Post(const Quality& quality)
    : quality_(quality),
      tone_({"landscape/screen_vertex.glsl", "landscape/tone_fragment.glsl"}),
      fxaa_({"landscape/screen_vertex.glsl", "landscape/fxaa_fragment.glsl"}),
      bloom_({"landscape/screen_vertex.glsl", "landscape/bloom_fragment.glsl"}),
      shafts_({"landscape/screen_vertex.glsl", "landscape/shafts_fragment.glsl"}) {}

void Post::allocate(glm::ivec2 size) {
  if (mapped_.name() && mapped_.size() == size) return;
  mapped_ = Target(size, 1, false, GL_RGBA8);
  const auto part = [&](int divisor) { return glm::max(size / divisor, glm::ivec2(1)); };
  shaft_target_ = Target(part(quality_.reduced ? 4 : 2), 1, false);
  pyramid_.clear();
  if (!quality_.bloom) return;
  for (int divisor = 2; divisor <= 64 && std::min(size.x, size.y) / divisor > 4; divisor *= 2)
    pyramid_.emplace_back(part(divisor), 1, false);
}

void Post::screen() {
  no_vertices_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void Post::bloom(const Target& picture) {
  const MipTexture* source = &picture.colour();
  bloom_.set("up", false);
  for (std::size_t i = 0; i < pyramid_.size(); ++i) {
    bloom_.set("limit", i == 0 ? 60.0f : 0.0f);
    bloom_.use();
    pyramid_[i].bind();
    source->bind(0);
    screen();
    source = &pyramid_[i].colour();
  }
  // Up again: each level is mixed into the finer one.
  bloom_.set("up", true);
  bloom_.use();
  glEnable(GL_BLEND);
  glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
  glBlendColor(0, 0, 0, 0.6f);
  for (std::size_t i = pyramid_.size(); i-- > 1;) {
    pyramid_[i - 1].bind();
    pyramid_[i].colour().bind(0);
    screen();
  }
  glDisable(GL_BLEND);
}

void Post::draw(const Target& picture, const Canvas& canvas, std::optional<glm::vec2> sun, float shaft_strength) {
  allocate(picture.size());
  const bool shafts = quality_.light_shafts && sun && shaft_strength > 0;
  if (shafts) {
    shaft_target_.bind();
    shafts_.set("sun", *sun);
    shafts_.use();
    picture.colour().bind(0);
    picture.depth().bind(1);
    screen();
  }
  if (!pyramid_.empty()) bloom(picture);
  mapped_.bind();
  tone_.set("bloom_strength", pyramid_.empty() ? 0.0f : bloom_strength);
  tone_.set("shaft_strength", shafts ? shaft_strength : 0.0f);
  tone_.use();
  picture.colour().bind(0);
  (pyramid_.empty() ? picture.colour() : pyramid_[0].colour()).bind(1);
  shaft_target_.colour().bind(2);
  screen();
  glBindFramebuffer(GL_FRAMEBUFFER, canvas.framebuffer);
  glViewport(canvas.origin.x, canvas.origin.y, canvas.size.x, canvas.size.y);
  fxaa_.set("origin", glm::vec2(canvas.origin));
  fxaa_.set("size", glm::vec2(canvas.size));
  fxaa_.use();
  mapped_.colour().bind(0);
  screen();
}

}  // namespace kinescope::render::landscape
