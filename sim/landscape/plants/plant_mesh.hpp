// Meshes of plants: branches as tapered cylinders, leaves as groups of quads.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/landscape/landscape.hpp"
#include "sim/landscape/plants/plant_grammar.hpp"

namespace kinescope::sim::landscape {

PlantMesh make_plant(const PlantGrammar& grammar, std::uint64_t seed, std::uint32_t variant);

// Makes plant_variants of each: [grammar × plant_variants + variant].
std::vector<PlantMesh> make_plants(const std::vector<PlantGrammar>& grammars, std::uint64_t seed);

}  // namespace kinescope::sim::landscape
