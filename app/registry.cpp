#include "app/registry.hpp"

namespace kinescope::sim {
#define KINESCOPE_SIMULATION(name) const SimulationKind& name##_kind();
#include "app/simulations.inc"
#undef KINESCOPE_SIMULATION
}  // namespace kinescope::sim

namespace kinescope::app {

const std::vector<const sim::SimulationKind*>& simulation_kinds() {
  static const std::vector<const sim::SimulationKind*> kinds = {
#define KINESCOPE_SIMULATION(name) &sim::name##_kind(),
#include "app/simulations.inc"
#undef KINESCOPE_SIMULATION
  };
  return kinds;
}

const sim::SimulationKind* find_simulation(std::string_view name) {
  for (const sim::SimulationKind* kind : simulation_kinds())
    if (kind->name == name) return kind;
  return nullptr;
}

}  // namespace kinescope::app
