#include "render/landscape/land/grass.hpp"

#include <array>

#include "render/gl/framebuffer.hpp"

namespace kinescope::render::landscape {
namespace {

constexpr int side = 190;     // tufts along the grid
constexpr float cell = 0.5f;  // m
constexpr std::size_t tuft_bytes = 12 * sizeof(float);
constexpr std::array<GLuint, 4> nothing{27, 0, 0, 0};  // vertices of a tuft; number of tufts

}  // namespace

Grass::Grass(const Quality& quality) : grows_(quality.grass) {
  if (!grows_) return;
  place_shader_ = Shader({"landscape/land/grass_compute.glsl"});
  shader_ = Shader({"landscape/land/grass_vertex.glsl", "landscape/land/grass_fragment.glsl"});
  tufts_ = Buffer(tuft_bytes * side * side);
  command_ = Buffer(sizeof nothing);
}

void Grass::draw() {
  if (!grows_) return;
  command_.write(0, sizeof nothing, nothing.data());
  tufts_.bind_storage(0);
  command_.bind_storage(1);
  place_shader_.set("side", side);
  place_shader_.set("cell", cell);
  place_shader_.use();
  dispatch_over(glm::ivec2(side));
  glMemoryBarrier(GL_COMMAND_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
  shader_.use();
  no_vertices_.bind();
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, command_.name());
  glDrawArraysIndirect(GL_TRIANGLES, nullptr);
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
}

}  // namespace kinescope::render::landscape
