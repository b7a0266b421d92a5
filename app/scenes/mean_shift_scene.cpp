// Mean shift: points climbing to the modes of their density.
#include "app/scenes/points.hpp"

namespace kinescope::app {

std::unique_ptr<Scene> make_mean_shift_scene(const SceneSetup& setup) {
  return std::make_unique<PointScene>(setup, PublishedPoints{.positions = "positions"});
}

}  // namespace kinescope::app
