#include "render/landscape/cabin.hpp"

namespace kinescope::render::landscape {

Cabin::Cabin(const Quality& quality)
    : shader_({"landscape/cabin_vertex.glsl", "landscape/cabin_fragment.glsl"}, quality.definitions()),
      shadow_shader_({"landscape/cabin_vertex.glsl", "landscape/depth_fragment.glsl"}) {}

void Cabin::set(const MeshData& mesh, glm::vec4 place) {
  vertices_ = Buffer(mesh.vertices.size() * sizeof(MeshVertex), mesh.vertices.data());
  indices_ = Buffer(mesh.indices.size() * sizeof(std::uint32_t), mesh.indices.data());
  glVertexArrayVertexBuffer(array_.name(), 1, vertices_.name(), 0, sizeof(MeshVertex));
  glVertexArrayElementBuffer(array_.name(), indices_.name());
  index_count_ = GLsizei(mesh.indices.size());
  place_ = place;
}

void Cabin::draw(bool shadow) {
  if (index_count_ == 0) return;
  Shader& shader = shadow ? shadow_shader_ : shader_;
  shader.set("place", place_);
  shader.use();
  array_.bind();
  glDrawElements(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr);
  glBindVertexArray(0);
}

}  // namespace kinescope::render::landscape
