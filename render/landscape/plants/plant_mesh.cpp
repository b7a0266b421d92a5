// Plants with fewer triangles, for the middle distance.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/landscape/plants/plants.hpp"

namespace kinescope::render::landscape {
namespace {

constexpr std::size_t body_vertices = 18, kept_fruit = 2;
constexpr float grown_fruit = 1.4f;

// Twigs are tapered cylinders with few sides: the shortest edge of their triangles tells how thick they are.
float thickness(const MeshData& mesh, std::size_t triangle) {
  const auto at = [&](std::size_t k) { return mesh.vertices[mesh.indices[3 * triangle + k]].position; };
  return std::min({glm::length(at(0) - at(1)), glm::length(at(1) - at(2)), glm::length(at(2) - at(0))});
}

// Keeps every `kept_fruit`-th fruit, enlarged and as an octahedron.
void add_octahedra(const MeshData& fruit, MeshData& mesh) {
  for (std::size_t body = 0; body + body_vertices <= fruit.vertices.size(); body += kept_fruit * body_vertices) {
    const auto base = std::uint32_t(mesh.vertices.size());
    const glm::vec3 middle = 0.5f * (fruit.vertices[body].position + fruit.vertices[body + 2].position);
    for (std::size_t k = 0; k < 6; ++k) {
      MeshVertex vertex = fruit.vertices[body + k];
      vertex.position = middle + grown_fruit * (vertex.position - middle);
      mesh.vertices.push_back(vertex);
    }
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t next = (k + 1) % 4;
      for (const std::uint32_t corner : {k, next, 4u, next, k, 5u}) mesh.indices.push_back(base + corner);
    }
  }
}

}  // namespace

MeshData reduced(const PlantShape& shape, std::size_t kept_leaf, std::size_t most_triangles) {
  MeshData mesh;
  const MeshData& branches = shape.branches;
  const std::size_t triangles = branches.indices.size() / 3;
  std::vector<float> thicknesses(triangles);
  for (std::size_t t = 0; t < triangles; ++t) thicknesses[t] = thickness(branches, t);
  float least = 0;
  if (triangles > most_triangles) {
    std::vector<float> sorted = thicknesses;
    std::nth_element(sorted.begin(), sorted.end() - std::ptrdiff_t(most_triangles), sorted.end());
    least = sorted[sorted.size() - most_triangles];
  }
  mesh.vertices = branches.vertices;
  for (std::size_t t = 0; t < triangles; ++t)
    if (thicknesses[t] >= least)
      for (std::size_t k = 0; k < 3; ++k) mesh.indices.push_back(branches.indices[3 * t + k]);
  const float grown = std::sqrt(float(kept_leaf)) * 0.95f;
  for (std::size_t quad = 0; 4 * quad + 3 < shape.leaves.vertices.size(); quad += kept_leaf) {
    const auto base = std::uint32_t(mesh.vertices.size());
    glm::vec3 middle{0};
    for (std::size_t k = 0; k < 4; ++k) middle += 0.25f * shape.leaves.vertices[4 * quad + k].position;
    for (std::size_t k = 0; k < 4; ++k) {
      MeshVertex vertex = shape.leaves.vertices[4 * quad + k];
      vertex.position = middle + grown * (vertex.position - middle);
      mesh.vertices.push_back(vertex);
    }
    for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) mesh.indices.push_back(base + k);
  }
  add_octahedra(shape.fruit, mesh);
  return mesh;
}

}  // namespace kinescope::render::landscape
