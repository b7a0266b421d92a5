// Builds meshes from simple parts.
#pragma once

#include <glm/geometric.hpp>
#include <string>
#include <utility>

#include "kinescope/landscape/mesh.hpp"

namespace kinescope::sim::landscape {

class MeshBuilder {
 public:
  // Begins a new group: what is added from here on belongs to it.
  void group(std::string name, glm::vec3 colour) {
    close_group();
    colour_ = colour;
    mesh_.groups.push_back({std::move(name), colour, static_cast<std::uint32_t>(mesh_.indices.size()), 0});
  }
  void colour(glm::vec3 colour) { colour_ = colour; }

  std::uint32_t vertex(glm::vec3 position, glm::vec3 normal, glm::vec2 uv) {
    mesh_.positions.push_back(position);
    mesh_.normals.push_back(normal);
    mesh_.uv.push_back(uv);
    mesh_.colours.push_back(colour_);
    return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh_.indices.insert(mesh_.indices.end(), {a, b, c});
  }

  // The corners are counter-clockwise seen from outside. uv is in metres from the first corner.
  void quad(glm::vec3 a, glm::vec3 b, glm::vec3 c, glm::vec3 d) {
    const glm::vec3 normal = glm::normalize(glm::cross(b - a, d - a));
    const float width = glm::length(b - a), height = glm::length(d - a);
    quad(a, b, c, d, normal, {width, height});
  }
  void quad(glm::vec3 a, glm::vec3 b, glm::vec3 c, glm::vec3 d, glm::vec3 normal, glm::vec2 uv) {
    const std::uint32_t first = vertex(a, normal, {0, 0});
    vertex(b, normal, {uv.x, 0});
    vertex(c, normal, uv);
    vertex(d, normal, {0, uv.y});
    triangle(first, first + 1, first + 2);
    triangle(first, first + 2, first + 3);
  }

  void box(glm::vec3 low, glm::vec3 high);

  Mesh take() {
    close_group();
    return std::move(mesh_);
  }

 private:
  void close_group() {
    if (!mesh_.groups.empty())
      mesh_.groups.back().index_count =
          static_cast<std::uint32_t>(mesh_.indices.size()) - mesh_.groups.back().first_index;
  }

  Mesh mesh_;
  glm::vec3 colour_{1};
};

inline void MeshBuilder::box(glm::vec3 low, glm::vec3 high) {
  const auto corner = [&](int c) {
    return glm::vec3(c & 1 ? high.x : low.x, c & 2 ? high.y : low.y, c & 4 ? high.z : low.z);
  };
  constexpr int faces[6][4] = {{0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}, {4, 5, 7, 6}, {2, 3, 1, 0}};
  for (const auto& face : faces) quad(corner(face[0]), corner(face[1]), corner(face[2]), corner(face[3]));
}

}  // namespace kinescope::sim::landscape
