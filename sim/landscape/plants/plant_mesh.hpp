// Meshes of plants: branches as tapered cylinders, leaves as groups of quads, fruit as solid bodies.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/landscape/landscape.hpp"
#include "sim/landscape/plants/plant_grammar.hpp"

namespace kinescope::sim::landscape {

// Where a node begins, and how it is turned: `along` is the direction of growth; the other two span the plane across
// it.
struct NodePlace {
  glm::vec3 base{0}, along{0, 0, 1}, across{1, 0, 0}, aside{0, 1, 0};  // m; unit vectors
};
// The base of a node lies on its parent's axis, PlantNode::along of the way from the parent's base to its end. [nodes]
std::vector<NodePlace> place_nodes(const std::vector<PlantNode>& nodes);

PlantMesh make_plant(const PlantGrammar& grammar, std::uint64_t seed, std::uint32_t variant);

// A plant of the kind whose place in load_plants() this is, as make_plants makes it.
PlantMesh make_variant(const PlantGrammar& grammar, std::size_t kind, std::uint64_t seed, std::uint32_t variant);

// Makes plant_variants of each: [grammar × plant_variants + variant].
std::vector<PlantMesh> make_plants(const std::vector<PlantGrammar>& grammars, std::uint64_t seed);

}  // namespace kinescope::sim::landscape
