#include "sim/landscape/mesh_files.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kinescope/data/output_file.hpp"
#include "kinescope/error.hpp"

namespace kinescope::sim::landscape {
namespace {

void append(OutputFile& out, float value) {
  char text[32] = {' '};
  out.append({text, static_cast<std::size_t>(std::to_chars(text + 1, text + sizeof text, value).ptr - text)});
}

template <class T>
void append_raw(OutputFile& out, const T& value) {
  out.append({reinterpret_cast<const char*>(&value), sizeof value});
}

// One line: "v x y z".
void append_vector(OutputFile& out, std::string_view name, const glm::vec3& vector) {
  out.append(name);
  for (int c = 0; c < 3; ++c) append(out, vector[c]);
  out.append("\n");
}

void write_obj(OutputFile& out, const std::vector<NamedMesh>& meshes) {
  out.append("# Kinescope landscape: metres, z up\n");
  std::uint64_t first = 1;
  for (const auto& [name, mesh] : meshes) {
    out.append("g " + name + "\n");
    for (const glm::vec3& position : mesh.positions) append_vector(out, "v", position);
    for (const glm::vec3& normal : mesh.normals) append_vector(out, "vn", normal);
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
      const std::string vertex = std::to_string(first + mesh.indices[i]);
      out.append(i % 3 == 0 ? "f " : " ");
      out.append(vertex);
      out.append("//");
      out.append(vertex);
      if (i % 3 == 2) out.append("\n");
    }
    first += mesh.positions.size();
  }
}

void write_ply(OutputFile& out, const std::vector<NamedMesh>& meshes) {
  std::uint64_t vertices = 0, triangles = 0;
  for (const NamedMesh& part : meshes) vertices += part.mesh.positions.size(), triangles += part.mesh.triangles();
  out.append("ply\nformat binary_little_endian 1.0\ncomment Kinescope landscape: metres, z up\nelement vertex " +
             std::to_string(vertices) +
             "\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\n"
             "property float nz\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face " +
             std::to_string(triangles) + "\nproperty list uchar uint vertex_indices\nend_header\n");
  for (const NamedMesh& part : meshes)
    for (std::size_t i = 0; i < part.mesh.positions.size(); ++i) {
      append_raw(out, part.mesh.positions[i]);
      append_raw(out, part.mesh.normals[i]);
      for (int c = 0; c < 3; ++c) {
        const float linear = std::clamp(part.mesh.colours[i][c], 0.0f, 1.0f);
        append_raw(out, static_cast<std::uint8_t>(255 * std::pow(linear, 1 / 2.2f) + 0.5f));
      }
    }
  std::uint32_t first = 0;
  for (const NamedMesh& part : meshes) {
    for (std::size_t i = 0; i < part.mesh.indices.size(); ++i) {
      if (i % 3 == 0) append_raw(out, std::uint8_t{3});
      append_raw(out, first + part.mesh.indices[i]);
    }
    first += static_cast<std::uint32_t>(part.mesh.positions.size());
  }
}

}  // namespace

double mesh_file_bytes(const std::string& path, const MeshSize& size) {
  const bool obj = path.ends_with(".obj");
  return (obj ? 66.0 : 27.0) * double(size.vertices) + (obj ? 54.0 : 13.0) * double(size.triangles);
}

void write_meshes(const std::string& path, const std::vector<NamedMesh>& meshes) {
  const bool obj = path.ends_with(".obj");
  if (!obj && !path.ends_with(".ply")) throw file_error(path, "expected a name that ends in .obj or .ply");
  OutputFile out(path);
  obj ? write_obj(out, meshes) : write_ply(out, meshes);
  out.keep();
}

}  // namespace kinescope::sim::landscape
