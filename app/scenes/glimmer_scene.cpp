// Glimmer's layout: points arrive level by level, and new ones are highlighted.
#include "app/scenes/points/points.hpp"
#include "kinescope/glimmer/glimmer.hpp"

namespace kinescope::app {

namespace published = sim::glimmer::published;

// Glimmer's published states are the numbers of the point cloud's emphasis, so no copy is needed.
static_assert(int(sim::PointState::absent) == int(render::Emphasis::hidden));
static_assert(int(sim::PointState::placed) == int(render::Emphasis::normal));
static_assert(int(sim::PointState::arriving) == int(render::Emphasis::highlighted));

namespace {

PublishedPoints published_points() {
  return {.positions = published::positions,
          .positions_are_result = true,
          .emphasis = published::states,
          .dimensions_parameter = "output_dimensions",
          .arriving = "new at this level",
          .about =
              "Each dot is a row; similar rows lie close together. Hover for a row, click to keep it, Ctrl-drag "
              "to select.",
          .figures = {{"Stress",
                       "How far distances in the picture differ from distances in the data: 0 is perfect, below 0.1 is "
                       "good, above 0.2 hides a lot."}},
          .phases = {{"search",
                      "Search: many layouts of a small part of the points (all of them, if they are few) are computed "
                      "out of sight, and the best is kept. The picture shows one of them."},
                     {"glide", "Glide: the picture moves to the best layout that was found."},
                     {"interpolate", "Interpolate: further points appear, each where it fits best."},
                     {"relax", "Relax: all points move in rounds until the stress stops falling."},
                     {"polish", "Polish: the last small steps, which take all pairs of points into account."}}};
}

}  // namespace

SceneKind glimmer_scene() {
  return {[](const SceneSetup& setup, int) -> std::unique_ptr<Scene> {
    return std::make_unique<PointScene>(setup, published_points());
  }};
}

}  // namespace kinescope::app
