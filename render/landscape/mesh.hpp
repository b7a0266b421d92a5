// Triangle meshes in the format that the landscape's renderers use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "render/gl/objects.hpp"

namespace kinescope::render::landscape {

struct MeshVertex {
  glm::vec3 position, normal;
  glm::vec2 uv;
  glm::vec3 colour;  // linear
  float kind;        // leaves: their shape, ≥ 0; bark: −1, with marks −2; fruit: −3; the cabin: its material
};

// Reads the attributes 1 to 4 from the vertices at binding 1.
inline VertexArray mesh_array() {
  VertexArray array;
  array.attribute(1, 3, offsetof(MeshVertex, position), 1);
  array.attribute(2, 3, offsetof(MeshVertex, normal), 1);
  array.attribute(3, 2, offsetof(MeshVertex, uv), 1);
  array.attribute(4, 4, offsetof(MeshVertex, colour), 1);
  return array;
}

struct MeshData {
  std::vector<MeshVertex> vertices;
  std::vector<std::uint32_t> indices;  // three per triangle, counter-clockwise seen from outside
};

}  // namespace kinescope::render::landscape
