// Mean shift: the data stay in place, faint, while shifted copies of them climb to the modes; at the end the data take
// their clusters' colours. In the plane the density lies under them. For a picture the scene shows its segmentation.

#include "app/scenes/images.hpp"
#include "app/scenes/points/layers.hpp"
#include "app/scenes/points/points.hpp"
#include "kinescope/data/pictures.hpp"
#include "kinescope/mean_shift/mean_shift.hpp"

namespace kinescope::app {

namespace published = sim::mean_shift::published;

namespace {

sim::Bandwidth bandwidth_of(const sim::Snapshot& run) {
  const auto* bandwidth = run.find<sim::Bandwidth>();
  return bandwidth ? *bandwidth : sim::Bandwidth();
}

std::optional<FieldLayer::Area> density_place(const sim::Snapshot& run) {
  const auto* map = run.find<sim::DensityMap>();
  if (!map) return std::nullopt;
  // The outermost line is where the density is a hundredth of its maximum: at most 3.03 bandwidths from the points.
  return FieldLayer::Area{{map->columns, map->rows},
                          {map->low_x, map->low_y},
                          {map->low_x + map->side, map->low_y + map->side},
                          map->maximum,
                          float(3.03 * bandwidth_of(run).value)};
}

Explanations figures() {
  return {{"Largest shift",
           "How far the fastest point moves in an iteration, in bandwidths. The run ends when this is below the "
           "tolerance."},
          {"Clusters",
           "The number of different places (at least half a bandwidth apart) that points have moved to so far. At the "
           "end this is the number of clusters."},
          {"Density", "The mean of the kernels of all points."},
          {"Bandwidth",
           "The tab beside the frame times: the number of clusters for each bandwidth. A long plateau means well "
           "separated clusters; a click chooses the bandwidth at its middle."}};
}

SegmentedPicture segmented_picture() {
  return {.segmented = published::segmented,
          .clusters = published::clusters,
          .before_groups = "Shifting",
          .shade = "mode's r, g, b",
          .about = "Each pixel moves to the nearest peak of the colour density.",
          .figures = figures()};
}

std::unique_ptr<Scene> make_points(const SceneSetup& setup) {
  auto scene = std::make_unique<PointScene>(
      setup, PublishedPoints{.positions = published::data,
                             .positions_stay = true,
                             .classes = published::clusters,
                             .group_name = "cluster found",
                             .faint_until_grouped = true,

                             .about = "Dots climb to the peaks of the density; each peak is a cluster. Drag Bandwidth "
                                      "to change them.",
                             .figures = figures()});
  scene->add_under(std::make_unique<FieldLayer>(published::density_map, "density", density_place));
  scene->add_over(std::make_unique<TrailLayer>(published::positions, published::data));
  scene->add_over(
      std::make_unique<MovingPointsLayer>(setup.opengl, setup.repeatable, published::positions, "shifted points"));
  scene->add_over(std::make_unique<CentreLayer>(
      "mode", "Modes", "Show a numbered disc at each cluster's mode; a larger cluster has a larger disc"));
  return scene;
}

}  // namespace

SceneKind mean_shift_scene() {
  return {
      .make = [](const SceneSetup& setup, int look) -> std::unique_ptr<Scene> {
        if (look == 1) return std::make_unique<ImageScene>(segmented_picture());
        return make_points(setup);
      },
      .look = [](const sim::Dataset* data, const sim::ParameterSet&) { return data && sim::is_image(*data) ? 1 : 0; }};
}

}  // namespace kinescope::app
