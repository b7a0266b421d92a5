// Triangle meshes as the landscape's renderers take them.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace kinescope::render::landscape {

struct MeshVertex {
  glm::vec3 position, normal;
  glm::vec2 uv;
  glm::vec3 colour;  // linear
  float kind;  // what the shader makes of it: leaves ≥ 0 with a shape each, −1 bark; of the cabin its material
};

struct MeshData {
  std::vector<MeshVertex> vertices;
  std::vector<std::uint32_t> indices;  // three a triangle, counter-clockwise from outside
};

}  // namespace kinescope::render::landscape
