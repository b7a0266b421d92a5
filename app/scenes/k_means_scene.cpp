// k-means: points in their clusters' colours and the centroids with their paths; in the plane also the region nearest
// to each centroid, during a sweep its curves over the number of clusters, and of a mixture its Gaussians.
#include <algorithm>
#include <cmath>

#include "app/scenes/images.hpp"
#include "app/scenes/k_means/gaussian_layer.hpp"
#include "app/scenes/k_means/sweep_plot.hpp"
#include "app/scenes/points/layers.hpp"
#include "app/scenes/points/points.hpp"
#include "kinescope/data/pictures.hpp"
#include "kinescope/k_means/k_means.hpp"
#include "kinescope/k_means/k_means_parameters.hpp"

namespace kinescope::app {

namespace published = sim::k_means::published;

namespace {

// The region of each centroid, faint, under the points.
class RegionLayer : public SwitchedLayer {
 public:
  RegionLayer() : SwitchedLayer("regions", "Regions", "Show the area that belongs to each centroid") {}

  void keep(std::vector<KeptBuffer>& kept, std::size_t) const override { kept.emplace_back(published::regions); }
  void draw(const PointView& view, const render::Canvas& canvas) override {
    if (!shown_ || !view.groups || !view.by_groups || !offered(view)) return;
    const sim::RegionMap map = *view.snapshot.find<sim::RegionMap>();
    const render::FieldStyle style{.background = view.style.background,
                                   .colours = colours_of(view),
                                   .hidden_classes = view.style.hidden_classes,
                                   .smooth = false,
                                   .opacity = view.style.background == render::Background::dark ? 0.13f : 0.16f};
    picture_.draw({.values = view.shared.view(published::regions),
                   .size = {map.columns, map.rows},
                   .classes = true,
                   .low = {map.low_x, map.low_y},
                   .high = {map.high_x, map.high_y}},
                  view.camera.clip_from_world(), style, canvas);
  }

 private:
  bool offered(const PointView& view) const override {
    return view.snapshot.find<sim::RegionMap>() && view.points.columns[0] == 0 && view.points.columns[1] == 1;
  }

  render::FieldPicture picture_;
};

// The path of each centroid from its start.
class PathLayer : public SwitchedLayer {
 public:
  PathLayer()
      : SwitchedLayer("paths", "Paths",
                      "Show the path of each centroid since the start, with a dot for each iteration") {}

  void draw_overlay(const PointView& view, const PictureArea& area) override {
    if (!shown_ || !view.groups) return;
    const auto* paths = view.snapshot.find<sim::CentroidPaths>();
    if (!paths || paths->rows() < 2 || paths->clusters > most_paths) return;
    area.list->PushClipRect(area.low, area.high, true);
    for (std::size_t k = 0; k < paths->clusters; ++k)
      if (!hides(view, k)) draw_path(view, area, *paths, k);
    area.list->PopClipRect();
  }
  void add_to_legend(const PointView& view, Legend& legend) const override {
    const auto* paths = view.snapshot.find<sim::CentroidPaths>();
    if (shown_ && view.groups && paths && paths->rows() > 1)
      legend.notes.push_back({"centroid path", LegendMark::line, render::ink_colour(view.style.background)});
  }

 private:
  static constexpr std::size_t most_paths = 200;

  void draw_path(const PointView& view, const PictureArea& area, const sim::CentroidPaths& paths, std::size_t k) {
    const float s = area.scale;
    line_.clear();
    for (std::size_t row = 0; row < paths.rows(); ++row)
      line_.push_back(area.in_window(pixel_of(view, paths.row(row).data() + k * paths.columns)));
    const int count = int(line_.size());
    area.list->AddPolyline(line_.data(), count, with_alpha(area.theme->background, 176), 0, 4 * s);
    area.list->AddPolyline(line_.data(), count, area.theme->ink, 0, 1.5f * s);
    ImVec2 last = line_.front();
    for (const ImVec2& at : line_) {
      if (std::hypot(at.x - last.x, at.y - last.y) < 5 * s) continue;
      area.list->AddCircleFilled(at, 2 * s, area.theme->ink, 12);
      last = at;
    }
    area.list->AddCircleFilled(line_.front(), 4.5f * s, area.theme->background, 16);
    area.list->AddCircle(line_.front(), 3.5f * s, area.theme->ink, 16, 1.5f * s);
  }

  std::vector<ImVec2> line_;
};

// The plot of a sweep, which the user can hide.
class SweepLayer : public SwitchedLayer {
 public:
  SweepLayer()
      : SwitchedLayer("criteria", "BIC and AIC",
                      "Show BIC and AIC for each number of clusters; the lowest BIC is chosen") {}

  void draw_overlay(const PointView& view, const PictureArea& area) override {
    if (shown_) draw_sweep(area, view.snapshot);
  }

 private:
  bool offered(const PointView& view) const override { return view.snapshot.find<sim::KMeansSweep>(); }
};

// A picture in the colours of its centroids.
class PaletteScene : public ImageScene {
 public:
  using ImageScene::ImageScene;

  void draw_overlay(const PictureArea& area) override {
    ImageScene::draw_overlay(area);
    draw_criteria(area);
  }
  void interact(Ui& ui, const PictureArea& area) override {
    ImageScene::interact(ui, area);
    draw_criteria(area);
  }

 private:
  void draw_criteria(const PictureArea& area) const {
    if (runner_) draw_sweep(area, *time_.drawn);
  }
};

Explanations figures() {
  return {{"Inertia", "The sum of the squared distances of all points from their centroids; smaller is tighter."},
          {"Ln p", "How likely the points are in the mixture of Gaussians; higher is better."},
          {"BIC, AIC",
           "How well the clusters fit, with a penalty for their number; lower is better. A sweep keeps the K with the "
           "lowest BIC."},
          {"Size", "The number of points of each cluster, in the legend; cluster 0 is the largest."}};
}

std::unique_ptr<Scene> make_picture() {
  return std::make_unique<PaletteScene>(
      SegmentedPicture{.segmented = published::segmented,
                       .clusters = published::clusters,
                       .before_groups = "Placing centroids",
                       .shade = "centroid's r, g, b",
                       .about = "Each pixel takes the colour of its nearest centroid, which moves to the "
                                "mean of its pixels. Drag Clusters to change the palette.",
                       .figures = figures()});
}

std::unique_ptr<Scene> make_points(const SceneSetup& setup) {
  auto scene = std::make_unique<PointScene>(
      setup,
      PublishedPoints{.positions = published::positions,
                      .positions_stay = true,
                      .classes = published::clusters,
                      .group_name = "cluster found",
                      .faint_until_grouped = true,
                      .about = "Each dot joins its nearest centroid, which moves to the dots' mean. Drag Clusters to "
                               "change K.",
                      .figures = figures()});
  scene->add_under(std::make_unique<RegionLayer>());
  scene->add_over(std::make_unique<PathLayer>());
  scene->add_over(std::make_unique<GaussianLayer>());
  scene->add_over(std::make_unique<CentreLayer>(
      "centroid", "Centroids", "Show a numbered disc at each centroid; a larger cluster has a larger disc"));
  scene->add_over(std::make_unique<SweepLayer>());
  return scene;
}

}  // namespace

SceneKind k_means_scene() {
  return {
      .make = [](const SceneSetup& setup, int look) { return look == 1 ? make_picture() : make_points(setup); },
      .look = [](const sim::Dataset* data, const sim::ParameterSet&) { return data && sim::is_image(*data) ? 1 : 0; }};
}

}  // namespace kinescope::app
