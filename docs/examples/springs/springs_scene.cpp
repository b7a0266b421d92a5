// The springs' layout: one dot for each row of the data.
#include "app/scenes/points/points.hpp"
#include "sim/springs/springs.hpp"

namespace kinescope::app {

SceneKind springs_scene() {
  return {.make = [](const SceneSetup& setup, int) -> std::unique_ptr<Scene> {
    return std::make_unique<PointScene>(
        setup, PublishedPoints{.positions = sim::springs::published::positions,
                               .about = "Each dot is a row; springs pull similar rows together. Hover for a row, click "
                                        "to keep it, Ctrl-drag to select.",
                               .figures = {{"Stress",
                                            "How far distances in the picture differ from distances in the data: 0 is "
                                            "perfect."}}});
  }};
}

}  // namespace kinescope::app
