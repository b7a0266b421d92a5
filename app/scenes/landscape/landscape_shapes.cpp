#include "app/scenes/landscape/landscape_shapes.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace kinescope::app {
namespace {

using render::landscape::MeshData;
using render::landscape::PlantShape;

MeshData mesh_of(const sim::landscape::Mesh& mesh, float kind) {
  MeshData data;
  data.vertices.reserve(mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i)
    data.vertices.push_back({mesh.positions[i], mesh.normals[i], i < mesh.uv.size() ? mesh.uv[i] : glm::vec2(0),
                             i < mesh.colours.size() ? mesh.colours[i] : glm::vec3(0.5f), kind});
  data.indices = mesh.indices;
  return data;
}

MeshData leaves_of(const sim::landscape::PlantMesh& plant) {
  MeshData data = mesh_of(plant.leaves, 0);
  for (const sim::landscape::MeshGroup& group : plant.leaves.groups) {
    const auto shape = float(int(group.name == "leaves" ? plant.leaf_shape : plant.blossom_shape));
    for (std::uint32_t i = group.first_index; i < group.first_index + group.index_count; ++i)
      data.vertices[data.indices[i]].kind = shape;
  }
  return data;
}

}  // namespace

std::vector<PlantShape> plant_shapes(const std::vector<sim::landscape::PlantMesh>& plants) {
  std::vector<PlantShape> shapes;
  for (const sim::landscape::PlantMesh& plant : plants)
    shapes.push_back({mesh_of(plant.branches, plant.marked_bark ? -2 : -1), leaves_of(plant), mesh_of(plant.fruit, -3),
                      plant.radius, plant.height});
  return shapes;
}

MeshData cabin_mesh(const sim::landscape::Mesh& cabin) {
  constexpr std::array<std::string_view, 5> names{"walls", "roof", "door", "chimney", "window"};
  MeshData data = mesh_of(cabin, 0);
  for (const sim::landscape::MeshGroup& group : cabin.groups) {
    const auto kind = float(std::find(names.begin(), names.end(), group.name) - names.begin());
    for (std::uint32_t i = group.first_index; i < group.first_index + group.index_count; ++i)
      data.vertices[data.indices[i]].kind = kind;
  }
  return data;
}

}  // namespace kinescope::app
