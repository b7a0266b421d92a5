#include "render/landscape/smoke.hpp"

#include "render/landscape/frame_block.hpp"

namespace kinescope::render::landscape {
namespace {

struct BlendScope {
  BlendScope() {
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
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

}  // namespace

Smoke::Smoke(const Quality& quality)
    : surface_({"landscape/smoke/smoke_vertex.glsl", "landscape/smoke/smoke_fragment.glsl"}, quality.definitions()),
      volume_({"landscape/smoke/smoke_volume_vertex.glsl", "landscape/smoke/smoke_volume_fragment.glsl"},
              quality.definitions()) {}

// The published command counts indices. Read in glDrawArraysIndirect's layout it gives the number of vertices, and the
// shader looks up each index. (The parts of a ring of buffers start at any offset, where an indexed draw could not.)
void Smoke::draw_surface(const SmokeBuffers& smoke) {
  if (!smoke.positions || !smoke.normals || !smoke.indices || !smoke.draw) return;
  const BlendScope blend;
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

void Smoke::draw_volume(const SmokeBuffers& smoke) {
  if (!smoke.field || smoke.field_grid < 2) return;
  if (smoke.field_grid != field_grid_) {
    field_grid_ = smoke.field_grid;
    field_ = Texture::solid(glm::ivec3(field_grid_), GL_R16F, false);
  }
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, smoke.field.buffer);
  glTextureSubImage3D(field_.name(), 0, 0, 0, 0, field_grid_, field_grid_, field_grid_, GL_RED, GL_FLOAT,
                      reinterpret_cast<const void*>(smoke.field.offset));
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  field_.bind(smoke_field_unit);
  const BlendScope blend;
  glCullFace(GL_FRONT);  // draws the far sides: the cube is seen from inside too
  volume_.set("cube", smoke.cube);
  volume_.use();
  no_vertices_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 36);
}

}  // namespace kinescope::render::landscape
