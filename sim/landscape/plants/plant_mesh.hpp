// Meshes of plants: branches as tapered cylinders, leaves as groups of quads, fruit as solid bodies.
#pragma once

#include <cstdint>
#include <vector>

#include "kinescope/landscape/landscape.hpp"
#include "kinescope/landscape/plant_grammar.hpp"

namespace kinescope::sim::landscape {

// Where a node begins, and how it is turned. `along` is the direction of growth; `across` and `aside` span the plane
// perpendicular to it.
struct NodePlace {
  glm::vec3 base{0}, along{0, 0, 1}, across{1, 0, 0}, aside{0, 1, 0};  // m; unit vectors
};
// The places of all nodes, [nodes]. The base of a node is on its parent's axis, PlantNode::along of the way from the
// parent's base to its end.
std::vector<NodePlace> place_nodes(const std::vector<PlantNode>& nodes);

PlantMesh make_plant(const PlantGrammar& grammar, std::uint64_t seed, std::uint32_t variant);

// The plant that make_plants() makes for this kind (an index into load_plants()) and variant.
PlantMesh make_variant(const PlantGrammar& grammar, std::size_t kind, std::uint64_t seed, std::uint32_t variant);

// Makes plant_variants plants from each grammar: [grammar × plant_variants + variant].
std::vector<PlantMesh> make_plants(const std::vector<PlantGrammar>& grammars, std::uint64_t seed);

}  // namespace kinescope::sim::landscape
