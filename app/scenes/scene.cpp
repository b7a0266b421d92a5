#include "app/scenes/scene.hpp"

#include "app/registry.hpp"

namespace kinescope::app {

std::unique_ptr<Scene> make_scene(const sim::SimulationKind& kind, const SceneSetup& setup) {
  return scene_of(kind).make(setup);
}

}  // namespace kinescope::app
