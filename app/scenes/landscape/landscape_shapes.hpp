// Converts the landscape's meshes to those of the renderer.
#pragma once

#include <vector>

#include "kinescope/landscape/landscape.hpp"
#include "render/landscape/plants/plants.hpp"

namespace kinescope::app {

std::vector<render::landscape::PlantShape> plant_shapes(const std::vector<sim::landscape::PlantMesh>& plants);
// The kind of a vertex is the index of its group: walls, roof, door, chimney, window.
render::landscape::MeshData cabin_mesh(const sim::landscape::Mesh& cabin);

}  // namespace kinescope::app
