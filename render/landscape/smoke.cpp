#include "render/landscape/smoke.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vector_relational.hpp>

#include "kinescope/executors/lanes.hpp"
#include "render/gl/mapping.hpp"
#include "render/gl/opengl.hpp"
#include "render/landscape/frame_block.hpp"

namespace kinescope::render::landscape {
namespace {

namespace lanes = sim::lanes;
using lanes::Float8;

struct BlendScope {
  BlendScope(GLenum from, GLenum to) {
    glEnable(GL_BLEND);
    glBlendFunc(from, to);
    glEnable(GL_CULL_FACE);
    glDepthMask(GL_FALSE);
  }
  ~BlendScope() {
    glDepthMask(GL_TRUE);
    glCullFace(GL_BACK);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
  }
};

struct PixelBox {
  glm::ivec2 low, high;  // both inclusive
};

// The box of all pixels that a box may cover.
PixelBox seen_of(const glm::vec3& from, const glm::vec3& to, const glm::mat4& clip_from_world, glm::ivec2 size) {
  glm::vec2 low(1e9f), high(-1e9f);
  for (int corner = 0; corner < 8; ++corner) {
    const glm::vec3 at = glm::mix(from, to, glm::vec3(corner & 1, corner >> 1 & 1, corner >> 2));
    const glm::vec4 clip = clip_from_world * glm::vec4(at, 1);
    if (clip.w < 1e-3f) return {{0, 0}, size - 1};  // the eye is in the box or beside it
    const glm::vec2 place = (0.5f + 0.5f * glm::vec2(clip) / clip.w) * glm::vec2(size);
    low = glm::min(low, place);
    high = glm::max(high, place);
  }
  const glm::vec2 last(size - 1);
  return {glm::ivec2(glm::clamp(low, glm::vec2(0), last + 1.0f)), glm::ivec2(glm::clamp(high, glm::vec2(-1), last))};
}

// The box around what shows of a field, in nodes; low > high if nothing does. O(nodes).
struct NodeBox {
  glm::ivec3 low, high;  // both inclusive
};
NodeBox filled(const float* field, int side) {
  // Rays pass by smoke_extinction() up to 1/1000. It is no more at any place where the field is no more than this.
  constexpr float thin = 1e-3f * 0.3f * 0.3f / 0.012f;
  NodeBox box{glm::ivec3(side), glm::ivec3(-1)};
  const auto add = [&](int axis, int node) {
    box.low[axis] = std::min(box.low[axis], node);
    box.high[axis] = std::max(box.high[axis], node);
  };
  std::vector<float> columns(std::size_t(side), 0);  // the largest value of each x
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y, field += side) {
      Float8 largest{};
      for (int x = 0; x < side; x += 8) {
        const int at = std::min(x, side - 8);
        const Float8 values = lanes::load<Float8>(field + at);
        largest = lanes::max(largest, values);
        lanes::store(&columns[std::size_t(at)], lanes::max(lanes::load<Float8>(&columns[std::size_t(at)]), values));
      }
      if (lanes::all(largest <= thin)) continue;
      add(1, y);
      add(2, z);
    }
  for (int x = 0; x < side; ++x)
    if (columns[std::size_t(x)] > thin) add(0, x);
  return box;
}

std::vector<std::string> volume_files(bool reduced) {
  if (reduced) return {"landscape/smoke/smoke_cube_vertex.glsl", "landscape/smoke/smoke_volume_fragment.glsl"};
  return {"landscape/smoke/smoke_volume_compute.glsl"};
}

}  // namespace

Smoke::Smoke(const Quality& quality)
    : quality_(quality),
      surface_({"landscape/smoke/smoke_vertex.glsl", "landscape/smoke/smoke_fragment.glsl"}, quality.definitions()),
      volume_(volume_files(quality.reduced), quality.definitions()),
      shade_shader_({"landscape/smoke/smoke_shade_compute.glsl"}),
      shade_(Texture::solid(glm::ivec3(quality.smoke_shade_size), GL_RG16F, false)) {
  if (quality.reduced)
    over_ = Shader({"landscape/smoke/smoke_cube_vertex.glsl", "landscape/smoke/smoke_over_fragment.glsl"});
  else
    field_shader_ = Shader({"landscape/smoke/smoke_field_compute.glsl"});
}

// The published command begins with the number of indices. Read in glDrawArraysIndirect's layout, this is the number of
// vertices, and the shader looks up each index. (An indirect indexed draw counts indices from the start of their
// buffer, but the slots of a ring of buffers start at any offset.)
void Smoke::draw_surface(const SmokeBuffers& smoke) {
  if (!smoke.positions || !smoke.normals || !smoke.indices || !smoke.draw) return;
  const BlendScope blend(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  smoke.positions.bind_storage(0);
  smoke.normals.bind_storage(1);
  smoke.indices.bind_storage(2);
  surface_.set("cube", smoke.cube);
  surface_.use();
  no_vertices_.bind();
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, smoke.draw.buffer);
  for (const GLenum away : {GL_FRONT, GL_BACK}) {
    glCullFace(away);
    glDrawArraysIndirect(GL_TRIANGLES, reinterpret_cast<const void*>(smoke.draw.offset));
  }
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
}

void Smoke::prepare_volume(const SmokeBuffers& smoke) {
  prepared_ = smoke.field && smoke.field_grid > 1;
  if (!prepared_) return;
  find_filled(smoke);
  prepared_ = glm::all(glm::lessThan(low_, high_));
  if (!prepared_) return;
  if (smoke.field_grid != field_grid_) {
    field_grid_ = smoke.field_grid;
    field_ = Texture::solid(glm::ivec3(field_grid_), GL_R32F, false);
  }
  take_field(smoke);
  field_.bind(smoke_field_unit);
  shade_shader_.set("cube", smoke.cube);
  shade_.bind_image(0, GL_RG16F);
  // The texels that are looked up between low_ and high_.
  const auto texel = [&](glm::vec3 at) {
    return (at - glm::vec3(smoke.cube)) / smoke.cube.w * float(quality_.smoke_shade_size);
  };
  const glm::ivec3 first = glm::max(glm::ivec3(texel(low_) - 0.5f), 0),
                   last = glm::min(glm::ivec3(texel(high_) + 0.5f), quality_.smoke_shade_size - 1);
  shade_shader_.set("first", glm::vec3(first));
  shade_shader_.use();
  const glm::ivec3 groups = (last - first) / 4 + 1;
  glDispatchCompute(GLuint(groups.x), GLuint(groups.y), GLuint(groups.z));
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

// Software finds what part of the cube there is smoke in, and passes by the rest.
void Smoke::find_filled(const SmokeBuffers& smoke) {
  low_ = glm::vec3(smoke.cube);
  high_ = low_ + smoke.cube.w;
  if (!quality_.reduced || smoke.field_grid < 8 || !current_is_software()) return;
  const HostView field(smoke.field);
  const NodeBox box = filled(field.as<float>(), smoke.field_grid);
  const float node = smoke.cube.w / float(smoke.field_grid - 1);
  high_ = glm::min(high_, low_ + node * glm::vec3(box.high + 1));
  low_ = glm::max(low_, low_ + node * glm::vec3(box.low - 1));
}

void Smoke::take_field(const SmokeBuffers& smoke) {
  if (quality_.reduced) {
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, smoke.field.buffer);
    glTextureSubImage3D(field_.name(), 0, 0, 0, 0, field_grid_, field_grid_, field_grid_, GL_RED, GL_FLOAT,
                        reinterpret_cast<const void*>(smoke.field.offset));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    return;
  }
  smoke.field.bind_storage(0);
  field_.bind_image(0, GL_R32F);
  field_shader_.use();
  dispatch_over(glm::ivec2(field_grid_), field_grid_);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void Smoke::draw_volume(const SmokeBuffers& smoke, const Framebuffer& picture, const Texture& depth,
                        const glm::mat4& clip_from_world) {
  if (!prepared_) return;
  const PixelBox seen = seen_of(low_, high_, clip_from_world, picture.size());
  if (seen.low.x > seen.high.x || seen.low.y > seen.high.y) return;
  field_.bind(smoke_field_unit);
  shade_.bind(smoke_shade_unit);
  depth.bind(refraction_depth_unit);
  volume_.set("cube", smoke.cube);
  volume_.set("steps", quality_.smoke_steps);
  if (quality_.reduced)
    rasterize_volume(picture, clip_from_world);
  else
    compute_volume(picture, seen.low, seen.high);
}

void Smoke::compute_volume(const Framebuffer& picture, glm::ivec2 low, glm::ivec2 high) {
  volume_.set("first", low);
  volume_.set("last", high);
  picture.colour().bind_image(0, GL_RGBA16F, GL_READ_WRITE);
  volume_.use();
  dispatch_over(high - low + 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

void Smoke::set_box(Shader& shader, float margin) const {
  shader.set("box_low", low_ - margin);
  shader.set("box_high", high_ + margin);
}

// Draws the box's far sides, because the eye may be in it: first into a small picture, then over the whole picture.
void Smoke::rasterize_volume(const Framebuffer& picture, const glm::mat4& clip_from_world) {
  const glm::ivec2 size = glm::max(picture.size() / 2, glm::ivec2(1));
  if (!small_ || small_.size() != size) small_ = Framebuffer(size, {.format = GL_RGBA16F});
  glDisable(GL_DEPTH_TEST);
  small_.bind();
  {
    const BlendScope replace(GL_ONE, GL_ZERO);
    small_.clear({0, 0, 0, 1});
    glCullFace(GL_FRONT);
    set_box(volume_, 0);
    volume_.use();
    no_vertices_.bind();
    glDrawArrays(GL_TRIANGLES, 0, 36);
  }
  picture.bind();
  const BlendScope over(GL_ONE, GL_SRC_ALPHA);
  glCullFace(GL_FRONT);
  small_.colour().bind(reflection_unit);
  // Of the small picture, filtered pixels reach this far: three of the whole picture's, in metres.
  const glm::mat4 rows = glm::transpose(clip_from_world);
  const float away = glm::dot(rows[3], glm::vec4(0.5f * (low_ + high_), 1));
  set_box(over_, 3 * std::max(away, 0.0f) * 2 / (float(picture.size().y) * glm::length(glm::vec3(rows[1]))));
  over_.use();
  glDrawArrays(GL_TRIANGLES, 0, 36);
  glEnable(GL_DEPTH_TEST);
}

}  // namespace kinescope::render::landscape
