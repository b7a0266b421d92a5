#include "render/landscape/shadows.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace kinescope::render::landscape {
namespace {

constexpr float depth_behind = 250;  // metres towards the light within which things still cast shadows into a cascade
constexpr float margin = 1.08f;      // a map is larger than its slice, so that it lasts some frames of a moving view
constexpr float least_turn = 0.99996f;  // cosine of half a degree: how far the light moves between two updates

// Whether it is the cascade's turn to be redrawn. One cascade per frame has its turn: the nearest every second frame,
// the next every fourth, the others every eighth.
bool has_turn(int cascade, long frame_number) {
  const long period = cascade == 0   ? 2
                      : cascade == 1 ? 4
                                     : 8,
             first = cascade == 0   ? 0
                     : cascade == 1 ? 1
                                    : 4 * cascade - 5;
  return frame_number % period == first;
}

}  // namespace

Shadows::Shadows(const Quality& quality)
    : count_(quality.cascades),
      size_(quality.shadow_size),
      distance_(quality.shadow_distance),
      map_(Texture::layered(glm::ivec2(quality.shadow_size), quality.cascades, GL_DEPTH_COMPONENT32F, 1, false)),
      framebuffer_(make_framebuffer()) {
  map_.set(GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  map_.set(GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  glNamedFramebufferDrawBuffer(framebuffer_.name(), GL_NONE);
}

void Shadows::place(const View& view, glm::vec3 to_light, long frame_number, FrameBlock& frame) {
  const float tangent = std::tan(0.5f * glm::radians(view.field_of_view));
  const float corner = tangent * std::sqrt(1 + view.aspect * view.aspect);
  glm::mat4 to_texture(1);
  to_texture[0][0] = to_texture[1][1] = 0.5f;
  to_texture[3] = {0.5f, 0.5f, 0, 1};
  float near = 0;
  for (int i = 0; i < count_; ++i) {
    const float part = float(i + 1) / float(count_);
    // A weighted mean of an exponential and an equal division of the distance.
    const float far = 0.85f * 12 * std::pow(distance_ / 12, part) + 0.15f * distance_ * part;
    const float centre = std::min(0.5f * (near + far) * (1 + corner * corner), far);
    const float radius = std::ceil(std::sqrt((far - centre) * (far - centre) + far * far * corner * corner));
    const glm::vec3 middle = view.eye + view.forward * centre;
    Cascade& cascade = cascades_[std::size_t(i)];
    const bool holds = glm::length(middle - cascade.middle) + radius <= cascade.radius &&
                       glm::dot(to_light, cascade.to_light) > least_turn;
    cascade.due = !holds || has_turn(i, frame_number);
    if (cascade.due) move(cascade, middle, std::ceil(margin * radius), to_light);
    frame.shadow_from_world[i] = to_texture * cascade.clip_from_world;
    frame.cascade_far[i] = far;
    frame.shadow_texel[i] = cascade.texel;
    near = far;
  }
  frame.options.x = float(count_);
}

void Shadows::forget() {
  for (Cascade& cascade : cascades_) cascade.radius = 0;
}

void Shadows::move(Cascade& cascade, glm::vec3 around, float radius, glm::vec3 to_light) const {
  const glm::vec3 up = std::abs(to_light.z) > 0.99f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1);
  const glm::mat4 turn = glm::lookAt(glm::vec3(0), -to_light, up);
  const float texel = 2 * radius / float(size_);
  glm::vec3 middle = turn * glm::vec4(around, 1);
  middle.x = std::floor(middle.x / texel) * texel;
  middle.y = std::floor(middle.y / texel) * texel;
  glm::mat4 box(1);
  const float depth = 2 * radius + depth_behind;
  box[0][0] = box[1][1] = 1 / radius;
  box[2][2] = -1 / depth;
  box[3] = {-middle.x / radius, -middle.y / radius, (middle.z + radius + depth_behind) / depth, 1};
  cascade.clip_from_world = box * turn;
  cascade.middle = around;
  cascade.to_light = to_light;
  cascade.radius = radius;
  cascade.texel = texel;
}

void Shadows::begin(int cascade) const {
  glNamedFramebufferTextureLayer(framebuffer_.name(), GL_DEPTH_ATTACHMENT, map_.name(), 0, cascade);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, size_, size_);
  const float farthest = 1;
  glClearNamedFramebufferfv(framebuffer_.name(), GL_DEPTH, 0, &farthest);
}

}  // namespace kinescope::render::landscape
