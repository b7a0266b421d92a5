// Triangle meshes as the landscape's parts make them.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

namespace kinescope::sim::landscape {

// A part of a mesh's indices, with a name and a colour.
struct MeshGroup {
  std::string name;
  glm::vec3 colour{1};  // linear, 0 … 1
  std::uint32_t first_index = 0, index_count = 0;
};

// All vertex arrays have the same length; triangles turn counter-clockwise as seen from outside.
struct Mesh {
  std::vector<glm::vec3> positions, normals;  // metres; unit length
  std::vector<glm::vec2> uv;
  std::vector<glm::vec3> colours;      // linear, 0 … 1
  std::vector<std::uint32_t> indices;  // three per triangle
  std::vector<MeshGroup> groups;       // in the order of the indices; together they cover all

  std::size_t triangles() const { return indices.size() / 3; }
};

// A metaball, in the units of the space (metres for smoke). A radius of 0 means no ball.
struct alignas(16) Ball {
  float x, y, z, radius;
};

// A surface of metaballs as an executor makes it.
struct SurfaceData {
  std::vector<float> positions, normals;  // [vertices × 3]
  std::vector<std::uint32_t> indices;     // [triangles × 3]
  bool overflow = false;                  // it did not fit: only the first bricks are here
};

}  // namespace kinescope::sim::landscape
