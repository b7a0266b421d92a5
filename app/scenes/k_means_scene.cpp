// k-means.
#include "app/scenes/layers.hpp"
#include "app/scenes/points.hpp"
#include "sim/k_means/k_means.hpp"

namespace kinescope::app {

std::unique_ptr<Scene> make_k_means_scene(const SceneSetup& setup) {
  return std::make_unique<PointScene>(setup, PublishedPoints{.positions = "positions"});
}

}  // namespace kinescope::app
