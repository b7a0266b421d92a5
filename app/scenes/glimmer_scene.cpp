// Glimmer's layout: points arrive level by level, and new ones are highlighted.
#include "app/scenes/points/points.hpp"
#include "sim/glimmer/glimmer.hpp"

namespace kinescope::app {

namespace published = sim::glimmer::published;

// Glimmer's published states are the numbers of the point cloud's emphasis, so no copy is needed.
static_assert(int(sim::PointState::absent) == int(render::Emphasis::hidden));
static_assert(int(sim::PointState::placed) == int(render::Emphasis::normal));
static_assert(int(sim::PointState::arriving) == int(render::Emphasis::highlighted));

ParameterHint hint_of(const sim::Simulation& run, const sim::Parameter& parameter, sim::ParameterSet&) {
  if (parameter.name() == "decimation" && run.progress().levels == 1)
    return ParameterHint{.idle = "there is one level only, all points fit into the coarsest"};
  if (parameter.name() == "device_memory" && run.backend() == sim::Backend::cpu)
    return ParameterHint{.idle = "the run is on the CPU"};
  if (parameter.text() != "0") return {};
  if (parameter.name() == "device_memory") return ParameterHint{.text = "half of what is free", .with_unit = false};
  if (parameter.name() != "maximum_iterations") return {};
  return ParameterHint{.text = "no limit", .with_unit = false};
}

// A run of our own Glimmer takes 60 to 170 iterations on most data; one of the layouts by forces takes many hundreds.
double slow_pace(sim::ParameterSet& parameters, double usual) {
  return parameters.find("algorithm")->text() == "glimmer" ? 10 : usual;
}

constexpr const char* about =
    "Each dot is a row; similar rows lie close together. Hover for a row, click to keep it, Ctrl-drag to select.";
constexpr const char* stress =
    "How far distances in the picture differ from distances in the data: 0 is perfect, below 0.1 is good, above 0.2 "
    "hides a lot.";

SceneKind glimmer_scene() {
  return {[](const SceneSetup& setup, int) -> std::unique_ptr<Scene> {
    return std::make_unique<PointScene>(setup, PublishedPoints{.positions = published::positions,
                                                               .positions_are_result = true,
                                                               .emphasis = published::states,
                                                               .dimensions_parameter = "output_dimensions",
                                                               .arriving = "new at this level",
                                                               .hint = hint_of,
                                                               .pace = slow_pace,
                                                               .about = about,
                                                               .figures = {{"Stress", stress}}});
  }};
}

}  // namespace kinescope::app
