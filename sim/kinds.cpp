#include "kinescope/kinds.hpp"

namespace kinescope::sim {

#define KINESCOPE_SIMULATION(name) const SimulationKind& name##_kind();
#include "sim/simulations.inc"
#undef KINESCOPE_SIMULATION

const std::vector<const SimulationKind*>& all_kinds() {
  static const std::vector<const SimulationKind*> kinds = {
#define KINESCOPE_SIMULATION(name) &name##_kind(),
#include "sim/simulations.inc"
#undef KINESCOPE_SIMULATION
  };
  return kinds;
}

const SimulationKind* find_kind(std::string_view name) {
  for (const SimulationKind* kind : all_kinds())
    if (kind->name == name) return kind;
  return nullptr;
}

}  // namespace kinescope::sim
