// Gray–Scott: v as colours to paint on, or as heights.
#include <cmath>

#include "app/scenes/fields/field_scene.hpp"
#include "sim/gray_scott/gray_scott.hpp"

namespace kinescope::app {

SceneKind gray_scott_scene() {
  return {.make = [](const SceneSetup&, int) -> std::unique_ptr<Scene> {
    return std::make_unique<FieldScene>(
        PublishedField{.values = sim::gray_scott::published::v,
                       .symbol = "v",
                       .colours = {"", "", {{"Viridis", render::ColourMap::viridis, 0, 0.4f}}},
                       .sheet =
                           [](const sim::Snapshot& run) {
                             const sim::Progress& now = run.progress;
                             return Sheet{std::lround(std::sqrt(double(now.points))), 1, double(now.iteration)};
                           },
                       .height = 0.3f,
                       .paint = "add v",
                       .wipe = "take v away",
                       .unit = "nodes",
                       .about = "Two substances react and spread. Drag to add v, and change feed and kill: spots that "
                                "divide, stripes, waves.",
                       .figures = {{"Mean of v", "The part of the second substance, over the whole sheet."}}});
  }};
}

}  // namespace kinescope::app
