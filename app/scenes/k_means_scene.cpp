// k-means: points in their clusters' colours, the centroids with the ways they have come, in the plane the regions
// nearest to each, and while a sweep runs its curves over the number of clusters.
#include <algorithm>
#include <cmath>

#include "app/scenes/layers.hpp"
#include "app/scenes/points.hpp"
#include "sim/k_means/k_means.hpp"

namespace kinescope::app {
namespace {

const sim::KMeansView& k_means(const sim::Simulation& simulation) {
  return dynamic_cast<const sim::KMeansView&>(simulation);
}

// The region of each centroid, faint, under the points.
class RegionLayer : public PointLayer {
 public:
  void draw(const PointView& view, const render::Canvas& canvas) override {
    if (!shows(view)) return;
    const sim::RegionMap map = k_means(view.simulation).regions();
    render::FieldStyle style;
    style.ground = view.style.ground;
    style.colours = colours_of(view);
    style.hidden_classes = view.style.hidden_classes;
    style.smooth = false;
    style.opacity = view.style.ground == render::Ground::dark ? 0.13f : 0.16f;
    picture_.draw({.values = view.shared.view("regions"),
                   .size = {map.columns, map.rows},
                   .classes = true,
                   .low = {map.low_x, map.low_y},
                   .high = {map.high_x, map.high_y}},
                  view.camera.clip_from_world(), style, canvas);
  }
  void view_options(Ui& ui, const PointView& view) override {
    if (has_map(view))
      toggle(ui, "regions", "Regions", "What lies nearer to a centroid than to any other, in its colour", shown_);
  }

 private:
  static bool has_map(const PointView& view) {
    return k_means(view.simulation).regions().rows > 0 && view.points.columns[0] == 0 && view.points.columns[1] == 1;
  }
  bool shows(const PointView& view) const { return shown_ && view.groups && has_map(view); }

  render::FieldPicture picture_;
  bool shown_ = true;
};

// The way of each centroid, from where it started.
class PathLayer : public PointLayer {
 public:
  void draw_overlay(const PointView& view, const PictureArea& area) override {
    if (!shown_ || !view.groups) return;
    const std::shared_ptr<const sim::CentroidPaths> paths = k_means(view.simulation).paths();
    if (paths->rows.size() < 2 || paths->clusters > most_paths) return;
    area.list->PushClipRect(area.low, area.high, true);
    for (std::size_t k = 0; k < paths->clusters; ++k) {
      if (k < view.style.hidden_classes.size() && view.style.hidden_classes[k]) continue;
      draw_path(view, area, *paths, k);
    }
    area.list->PopClipRect();
  }
  void add_to_legend(const PointView& view, Legend& legend) const override {
    if (shown_ && view.groups && k_means(view.simulation).paths()->rows.size() > 1)
      legend.notes.push_back({"centroid's way", LegendMark::line, render::ink_colour(view.style.ground)});
  }
  void view_options(Ui& ui, const PointView&) override {
    toggle(ui, "paths", "Paths", "The way of each centroid since its start, a dot for each iteration", shown_);
  }

 private:
  static constexpr std::size_t most_paths = 200;

  void draw_path(const PointView& view, const PictureArea& area, const sim::CentroidPaths& paths, std::size_t k) {
    const float s = area.scale;
    line_.clear();
    for (const std::vector<float>& row : paths.rows) {
      const float* at = row.data() + k * paths.columns;
      const auto coordinate = [&](int axis) {
        const int column = view.points.columns[std::size_t(axis)];
        return axis < view.points.dimensions && column >= 0 ? at[column] : 0.f;
      };
      const glm::vec2 pixel = view.camera.pixel_of({coordinate(0), coordinate(1), coordinate(2)});
      line_.push_back({area.low.x + pixel.x, area.low.y + pixel.y});
    }
    const int count = int(line_.size());
    const ImU32 ground = (area.theme->ground & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 176);
    area.list->AddPolyline(line_.data(), count, ground, 0, 4 * s);
    area.list->AddPolyline(line_.data(), count, area.theme->ink, 0, 1.5f * s);
    ImVec2 last = line_.front();
    for (const ImVec2& at : line_) {
      if (std::hypot(at.x - last.x, at.y - last.y) < 5 * s) continue;
      area.list->AddCircleFilled(at, 2 * s, area.theme->ink, 12);
      last = at;
    }
    area.list->AddCircleFilled(line_.front(), 4.5f * s, area.theme->ground, 16);
    area.list->AddCircle(line_.front(), 3.5f * s, area.theme->ink, 16, 1.5f * s);
  }

  std::vector<ImVec2> line_;
  bool shown_ = true;
};

// The criteria of a sweep over K, in the lower right corner.
class SweepLayer : public PointLayer {
 public:
  void draw_overlay(const PointView& view, const PictureArea& area) override {
    const sim::KMeansView& run = k_means(view.simulation);
    const std::vector<sim::KMeansCriteria> curve = run.curve();
    const float s = area.scale;
    const ImVec2 high{area.high.x - 16 * s, area.high.y - 16 * s}, low{high.x - width * s, high.y - height * s};
    if (!shown_ || curve.size() < 2 || low.x < area.low.x + 160 * s || low.y < area.low.y + 16 * s) return;
    const ImU32 plate = (area.theme->ground & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 226);
    area.list->AddRectFilled(low, high, plate, corner * s);
    const Frame frame(curve, {low.x + 16 * s, low.y + 40 * s}, {high.x - 16 * s, high.y - 30 * s});
    draw_axis(area, frame, curve);
    draw_curve(area, frame, curve, &sim::KMeansCriteria::aic, area.theme->ink_dim, 1.25f);
    draw_curve(area, frame, curve, &sim::KMeansCriteria::bic, area.theme->accent, 1.75f);
    for (const sim::KMeansCriteria& each : curve)
      if (each.clusters == run.chosen()) {
        const ImVec2 at{frame.x(each.clusters), frame.y(each.bic)};
        area.list->AddCircleFilled(at, 5 * s, area.theme->accent, 20);
        area.list->AddCircle(at, 5 * s, area.theme->ink, 20, 1.5f * s);
      }
    draw_title(area, low, high, run.chosen(), view.converged);
  }
  void view_options(Ui& ui, const PointView& view) override {
    if (!k_means(view.simulation).curve().empty())
      toggle(ui, "criteria", "BIC and AIC", "What each number of clusters is worth; the least BIC is chosen", shown_);
  }

 private:
  static constexpr float width = 280, height = 176;

  struct Frame {
    ImVec2 low, high;
    double least = INFINITY, most = -INFINITY;
    int first = 0, last = 1;

    Frame(const std::vector<sim::KMeansCriteria>& curve, ImVec2 from, ImVec2 to) : low(from), high(to) {
      for (const sim::KMeansCriteria& each : curve) {
        least = std::min({least, each.bic, each.aic});
        most = std::max({most, each.bic, each.aic});
      }
      first = curve.front().clusters;
      last = curve.back().clusters;
    }
    float x(int clusters) const { return low.x + (high.x - low.x) * float(clusters - first) / float(last - first); }
    float y(double value) const {
      return high.y - (high.y - low.y) * float((value - least) / std::max(1e-12, most - least));
    }
  };

  static void write(const PictureArea& area, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text) {
    area.list->AddText(font, font->FontSize, {std::round(at.x), std::round(at.y)}, colour, text.c_str());
  }
  static float width_of(ImFont* font, const std::string& text) {
    return font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.c_str()).x;
  }

  static void draw_axis(const PictureArea& area, const Frame& frame, const std::vector<sim::KMeansCriteria>& curve) {
    const float s = area.scale;
    area.list->AddLine({frame.low.x, frame.high.y + 6 * s}, {frame.high.x, frame.high.y + 6 * s}, area.theme->line, s);
    float written = -1e9f;
    for (const sim::KMeansCriteria& each : curve) {
      const std::string text = std::to_string(each.clusters);
      const float w = width_of(area.fonts.caption, text), x = frame.x(each.clusters) - 0.5f * w;
      if (x < written + 8 * s) continue;
      write(area, area.fonts.caption, {x, frame.high.y + 10 * s}, area.theme->ink_dim, text);
      written = x + w;
    }
  }
  static void draw_curve(const PictureArea& area, const Frame& frame, const std::vector<sim::KMeansCriteria>& curve,
                         double sim::KMeansCriteria::*figure, ImU32 colour, float thick) {
    std::vector<ImVec2> line;
    for (const sim::KMeansCriteria& each : curve) line.push_back({frame.x(each.clusters), frame.y(each.*figure)});
    area.list->AddPolyline(line.data(), int(line.size()), colour, 0, thick * area.scale);
    for (const ImVec2& at : line) area.list->AddCircleFilled(at, 2.5f * area.scale, colour, 12);
  }
  static void draw_title(const PictureArea& area, ImVec2 low, ImVec2 high, int chosen, bool over) {
    const float s = area.scale;
    const std::string title = (over ? "Chosen: " : "Best so far: ") + std::to_string(chosen) + " clusters";
    write(area, area.fonts.strong, {low.x + 16 * s, low.y + 10 * s}, area.theme->ink, title);
    float x = high.x - 16 * s;
    const auto key = [&](const char* text, ImU32 colour) {
      x -= width_of(area.fonts.caption, text);
      write(area, area.fonts.caption, {x, low.y + 11 * s}, area.theme->ink_dim, text);
      x -= 8 * s;
      area.list->AddCircleFilled({x, low.y + 19 * s}, 3 * s, colour, 12);
      x -= 12 * s;
    };
    key("AIC", area.theme->ink_dim);
    key("BIC", area.theme->accent);
  }

  bool shown_ = true;
};

// Few are told apart by eye; the command line takes as many as there are points.
std::optional<ParameterHint> clusters_hint(const sim::Simulation& run, const sim::Parameter& parameter) {
  if (parameter.name() != "clusters") return std::nullopt;
  return ParameterHint{1, std::clamp(double(run.progress().points), 2.0, 64.0), ""};
}

}  // namespace

std::unique_ptr<Scene> make_k_means_scene(const SceneSetup& setup) {
  auto scene = std::make_unique<PointScene>(
      setup, PublishedPoints{.positions = "positions",
                             .columns = [](const sim::Simulation& run) { return k_means(run).columns(); },
                             .classes = "clusters",
                             .group_name = "cluster",
                             .groups = [](const sim::Simulation& run) { return k_means(run).groups(); },
                             .faint_until_grouped = true,
                             .hint = clusters_hint});
  scene->add_under(std::make_unique<RegionLayer>());
  scene->add_over(std::make_unique<PathLayer>());
  scene->add_over(std::make_unique<CentreLayer>(
      "centroid", "Centroids", "A disc at each centroid, with its number; its area follows the cluster's size"));
  scene->add_over(std::make_unique<SweepLayer>());
  return scene;
}

}  // namespace kinescope::app
