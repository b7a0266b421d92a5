#include "app/scenes/scene.hpp"

#include <cassert>

namespace kinescope::app {

#define KINESCOPE_SIMULATION(name) std::unique_ptr<Scene> make_##name##_scene(const SceneSetup& setup);
#include "app/simulations.inc"
#undef KINESCOPE_SIMULATION

std::unique_ptr<Scene> make_scene(const sim::SimulationKind& kind, const SceneSetup& setup) {
  // Simulations with a hyphen in their name have an underscore in their functions'.
  std::string name = kind.name;
  for (char& c : name)
    if (c == '-') c = '_';
#define KINESCOPE_SIMULATION(simulation) \
  if (name == #simulation) return make_##simulation##_scene(setup);
#include "app/simulations.inc"
#undef KINESCOPE_SIMULATION
  assert(!"a simulation without a scene");
  return nullptr;
}

}  // namespace kinescope::app
