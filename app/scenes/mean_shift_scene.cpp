// Mean shift: points climbing to the modes of their density, or a picture being segmented.
#include "app/scenes/images.hpp"
#include "app/scenes/picture_or_points.hpp"
#include "app/scenes/points.hpp"

namespace kinescope::app {

std::unique_ptr<Scene> make_mean_shift_scene(const SceneSetup& setup) {
  return std::make_unique<PictureOrPoints>(
      [setup] { return std::make_unique<ImageScene>(setup); },
      [setup] { return std::make_unique<PointScene>(setup, PublishedPoints{.positions = "positions"}); });
}

}  // namespace kinescope::app
