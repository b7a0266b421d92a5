// The landscape: terrain, plants, a cabin, smoke and butterflies, after "Algorithms for Procedurally Generated
// Environments". The seed determines all of it. One iteration is 1/60 s.
//
// Metres, seconds, radians; x east, y north, z up. The terrain is the square [0, extent]², extent = 2000 m for every
// terrain_size. The cabin stands on a levelled spot near the shore. Smoke is born at its chimney's mouth and stays
// within a cube. The centre of the cube's bottom is at the mouth.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "kinescope/landscape/mesh.hpp"
#include "kinescope/landscape/plant_grammar.hpp"
#include "kinescope/published.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

namespace landscape {

inline constexpr float terrain_side = 2000;   // m along a side
inline constexpr float smoke_cube_side = 32;  // m
inline constexpr float smoke_iso = 0.25f;     // value of the smoke's field at its surface
inline constexpr int plant_variants = 8;      // of each kind; neighbours differ (plants/variants.hpp)
inline constexpr double step_seconds = 1.0 / 60;

inline constexpr int largest_field_grid = 128;
inline constexpr int most_butterflies = 2000;

// Nodes along a side of the published field.
inline constexpr int field_grid(int smoke_grid) {
  return smoke_grid < largest_field_grid ? smoke_grid : largest_field_grid;
}
// Sizes of the buffers, for the smoke_grid at the start.
inline constexpr std::size_t smoke_vertex_capacity(std::size_t grid) {
  const std::size_t side = grid < 128 ? 128 : grid;
  return 32 * side * side;
}
inline constexpr std::size_t smoke_index_capacity(std::size_t grid) {
  return 6 * smoke_vertex_capacity(grid);
}

// The published buffers; T = 2^terrain_size + 1, G = smoke_grid. Heights and plants do not change after a start.
// Buffers are created once, with sizes for the smoke_grid at the start but at least 128, so that the grid and the
// number of butterflies can change live.
namespace published {
inline constexpr Published<float> heights{"heights"};  // [T × T], row j at y = j · spacing
// [max(trees, 1) × 8]: x, y, z, yaw, scale (0: no plant), index into plants(), tint 0 … 1, phase of its swaying.
inline constexpr Published<float> plants{"plant_instances"};
inline constexpr Published<float> smoke_positions{"smoke_positions"};  // [smoke_vertex_capacity(G) × 3]
inline constexpr Published<float> smoke_normals{"smoke_normals"};      // [as smoke_positions], unit, outward
// [smoke_index_capacity(G)], three per triangle, counter-clockwise seen from outside.
inline constexpr Published<std::uint32_t> smoke_indices{"smoke_indices"};
// [8]: index count, 1, 0, 0, 0 (a DrawElementsIndirectCommand), vertex count, live particles, 1 if the surface did not
// fit (then only the bricks that fit are in the buffers).
inline constexpr Published<std::uint32_t> smoke_draw{"smoke_draw"};
// [128³], of which the first field_grid(G)³ are used, x fastest. Node (i, j, k) is at corner + (i, j, k) · side /
// (field_grid(G) − 1). The surface is where the field is smoke_iso. The field is zero where no particle reaches, and
// coarser than the surface's grid if G > 128.
inline constexpr Published<float> smoke_field{"smoke_field"};
// [most_butterflies × 8], of which the first `butterflies` rows are used: x, y, z, heading (from east towards north),
// pitch, wing angle (0 flat, up positive), look (0 Monarch, 1 blue Morpho, 2 white Morpho), size (m).
inline constexpr Published<float> butterflies{"butterflies"};
}  // namespace published

// The facts in a run's snapshots: TerrainGrid, PlantMeshes, Cabin and SmokePlace.
struct TerrainGrid {
  int size = 0;                   // heights along a side
  float spacing = 0, extent = 0;  // m
  float low = 0, high = 0;        // the heights' range, m
  std::uint64_t version = 0;      // changes when the heights do
};

struct PlantMesh {
  std::string kind;       // "cottonwood"
  Mesh branches, leaves;  // rooted at the origin, z up; uv: around and along a branch, over a quad of leaves
  Mesh fruit;             // bodies of 18 vertices, of which the first six are those of an octahedron
  LeafShape leaf_shape = LeafShape::spray, blossom_shape = LeafShape::spray;  // of the groups "leaves", "blossoms"
  bool marked_bark = false;
  float radius = 0, height = 0;  // m, of the whole plant at scale 1
  float trunk_radius = 0;        // m, at the ground

  std::array<const Mesh*, 3> parts() const { return {&branches, &leaves, &fruit}; }
  std::size_t triangles() const { return branches.triangles() + leaves.triangles() + fruit.triangles(); }
};

// One for each kind and variant: [kind × plant_variants + variant].
struct PlantMeshes {
  std::vector<PlantMesh> meshes;
};

// An input of a run (Simulation::receive): regrows all plants of a kind (an index into load_plants()) from another
// grammar; they stay where they stand. An Error (input) if the grammar grows too large.
struct PlantChange {
  std::size_t kind = 0;
  PlantGrammar grammar;
};

struct CabinPlace {
  glm::vec3 position{0};  // centre of the floor
  float yaw = 0;          // from east towards north; the door looks along −y of the cabin's own axes
  glm::vec3 half_sizes{
      0};  // of the box around walls, roof and chimney, in the cabin's axes; the box stands on the floor
  glm::vec3 chimney_mouth{0};
};

struct Cabin {
  CabinPlace place;
  // In its own axes, with the floor's centre at the origin. Its groups are walls, roof, door, chimney, window.
  std::shared_ptr<const Mesh> mesh;
};

struct SmokePlace {
  glm::vec3 corner{0};  // of the cube, where its coordinates are least
  float side = 0;       // m
  int grid = 0;         // nodes along a side
};

}  // namespace landscape

const SimulationKind& landscape_kind();

}  // namespace kinescope::sim
