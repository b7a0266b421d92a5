#include "sim/landscape/mesh_files.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/core/error.hpp"
#include "sim/data/write.hpp"

namespace kinescope::sim::landscape {
namespace {

// A file written in large pieces; errors show when it is closed.
class Output {
 public:
  explicit Output(const std::string& path) : file_(std::fopen(path.c_str(), "wb"), &std::fclose) {
    if (!file_) throw run_error(path + ": cannot be written: " + std::strerror(errno));
    text_.reserve(flush_bytes + 4096);
  }

  Output& operator<<(const char* text) {
    text_ += text;
    return *this;
  }
  Output& number(float value) {
    char digits[32];
    text_ += ' ';
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    return *this;
  }
  Output& number(std::uint64_t value) {
    text_ += std::to_string(value);
    return *this;
  }
  template <class T>
  void raw(const T& value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    end_item();
  }
  void end_item() {
    if (text_.size() >= flush_bytes) flush();
  }
  void close(const std::string& path) {
    flush();
    if (std::fclose(file_.release()) != 0 || failed_)
      throw run_error(path + ": cannot be written: " + std::strerror(errno));
  }

 private:
  static constexpr std::size_t flush_bytes = 1 << 20;
  void flush() {
    failed_ = failed_ || std::fwrite(text_.data(), 1, text_.size(), file_.get()) != text_.size();
    text_.clear();
  }
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::string text_;
  bool failed_ = false;
};

void write_obj(Output& out, const std::vector<NamedMesh>& meshes) {
  out << "# Kinescope landscape: metres, z up\n";
  std::uint64_t first = 1;
  for (const auto& [name, mesh] : meshes) {
    out << "g " << name.c_str() << "\n";
    for (const glm::vec3& p : mesh.positions) {
      (out << "v").number(p.x).number(p.y).number(p.z) << "\n";
      out.end_item();
    }
    for (const glm::vec3& n : mesh.normals) {
      (out << "vn").number(n.x).number(n.y).number(n.z) << "\n";
      out.end_item();
    }
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
      const std::uint64_t vertex = first + mesh.indices[i];
      ((out << (i % 3 == 0 ? "f " : " ")).number(vertex) << "//").number(vertex);
      if (i % 3 == 2) out << "\n";
      out.end_item();
    }
    first += mesh.positions.size();
  }
}

void write_ply(Output& out, const std::vector<NamedMesh>& meshes) {
  std::uint64_t vertices = 0, triangles = 0;
  for (const NamedMesh& part : meshes) vertices += part.mesh.positions.size(), triangles += part.mesh.triangles();
  (out << "ply\nformat binary_little_endian 1.0\ncomment Kinescope landscape: metres, z up\nelement vertex ")
      .number(vertices);
  (out << "\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\n"
          "property float nz\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face ")
      .number(triangles);
  out << "\nproperty list uchar uint vertex_indices\nend_header\n";
  for (const NamedMesh& part : meshes)
    for (std::size_t i = 0; i < part.mesh.positions.size(); ++i) {
      out.raw(part.mesh.positions[i]);
      out.raw(part.mesh.normals[i]);
      for (int c = 0; c < 3; ++c)
        out.raw(static_cast<std::uint8_t>(255 * std::pow(std::clamp(part.mesh.colours[i][c], 0.0f, 1.0f), 1 / 2.2f) +
                                          0.5f));
    }
  std::uint32_t first = 0;
  for (const NamedMesh& part : meshes) {
    for (std::size_t i = 0; i < part.mesh.indices.size(); ++i) {
      if (i % 3 == 0) out.raw(std::uint8_t{3});
      out.raw(first + part.mesh.indices[i]);
    }
    first += static_cast<std::uint32_t>(part.mesh.positions.size());
  }
}

}  // namespace

void write_meshes(const std::string& path, const std::vector<NamedMesh>& meshes) {
  const bool obj = path.ends_with(".obj");
  if (!obj && !path.ends_with(".ply")) throw file_error(path, "expected a name that ends in .obj or .ply");
  write_then_rename(path, [&](const std::string& temporary) {
    Output out(temporary);
    obj ? write_obj(out, meshes) : write_ply(out, meshes);
    out.close(path);
  });
}

}  // namespace kinescope::sim::landscape
