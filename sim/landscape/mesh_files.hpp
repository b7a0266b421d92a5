// Writes meshes as files, completely or not at all.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/landscape/mesh.hpp"

namespace kinescope::sim::landscape {

// One mesh of a scene; its groups are not written separately.
struct NamedMesh {
  std::string name;
  Mesh mesh;
};

struct MeshSize {
  std::size_t vertices = 0, triangles = 0;
};

// The approximate size in bytes of a file that write_meshes() writes for so many vertices and triangles; an .obj is
// text.
double mesh_file_bytes(const std::string& path, const MeshSize& size);

// The file's ending decides: Wavefront .obj with a group for each mesh, or .ply (binary, little-endian; positions,
// normals, colours, triangles). Any other ending is an input error.
void write_meshes(const std::string& path, const std::vector<NamedMesh>& meshes);

}  // namespace kinescope::sim::landscape
