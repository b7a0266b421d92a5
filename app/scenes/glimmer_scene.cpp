// Glimmer's layout: points that come in level by level, the new ones told apart.
#include "app/scenes/points.hpp"
#include "sim/glimmer/glimmer.hpp"

namespace kinescope::app {

// The states that Glimmer publishes are what the point cloud calls emphasis: the same numbers, no copy.
static_assert(int(sim::PointState::absent) == int(render::Emphasis::hidden));
static_assert(int(sim::PointState::placed) == int(render::Emphasis::normal));
static_assert(int(sim::PointState::arriving) == int(render::Emphasis::highlighted));

ParameterHint iterations_hint(const sim::Simulation&, const sim::Parameter& parameter) {
  if (parameter.name() != "maximum_iterations" || parameter.text() != "0") return {};
  return ParameterHint{.text = "no limit", .with_unit = false};
}

std::unique_ptr<Scene> make_glimmer_scene(const SceneSetup& setup) {
  return std::make_unique<PointScene>(setup, PublishedPoints{.positions = "positions",
                                                             .emphasis = "states",
                                                             .dimensions_parameter = "output_dimensions",
                                                             .arriving = "new at this level",
                                                             .hint = iterations_hint});
}

}  // namespace kinescope::app
