#include "render/landscape/cabin.hpp"

#include <cstddef>
#include <string>

namespace kinescope::render::landscape {

Cabin::Array::Array() {
  GLuint array = 0;
  glCreateVertexArrays(1, &array);
  handle = Handle<DeleteVertexArray>(array);
  const auto attribute = [&](GLuint index, int numbers, std::size_t offset) {
    glEnableVertexArrayAttrib(array, index);
    glVertexArrayAttribFormat(array, index, numbers, GL_FLOAT, GL_FALSE, GLuint(offset));
    glVertexArrayAttribBinding(array, index, 0);
  };
  attribute(1, 3, offsetof(MeshVertex, position));
  attribute(2, 3, offsetof(MeshVertex, normal));
  attribute(3, 2, offsetof(MeshVertex, uv));
  attribute(4, 4, offsetof(MeshVertex, colour));
}

Cabin::Cabin(const Quality& quality)
    : shader_({"landscape/cabin_vertex.glsl", "landscape/cabin_fragment.glsl"},
              quality.reduced ? std::vector<std::string>{"REDUCED 1"} : std::vector<std::string>{}),
      shadow_shader_({"landscape/cabin_vertex.glsl", "landscape/depth_fragment.glsl"}) {}

void Cabin::set(const MeshData& mesh, glm::vec4 place) {
  vertices_ = Buffer(mesh.vertices.size() * sizeof(MeshVertex), 0, mesh.vertices.data());
  indices_ = Buffer(mesh.indices.size() * sizeof(std::uint32_t), 0, mesh.indices.data());
  glVertexArrayVertexBuffer(array_.handle.name(), 0, vertices_.name(), 0, sizeof(MeshVertex));
  glVertexArrayElementBuffer(array_.handle.name(), indices_.name());
  index_count_ = GLsizei(mesh.indices.size());
  place_ = place;
}

void Cabin::draw(bool shadow) {
  if (index_count_ == 0) return;
  Shader& shader = shadow ? shadow_shader_ : shader_;
  shader.set("place", place_);
  shader.use();
  glBindVertexArray(array_.handle.name());
  glDrawElements(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr);
  glBindVertexArray(0);
}

}  // namespace kinescope::render::landscape
