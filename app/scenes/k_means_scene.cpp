// k-means: points in their clusters' colours and the centroids with their paths; in the plane also the region nearest
// to each centroid, and during a sweep its curves over the number of clusters.
#include <algorithm>
#include <cmath>

#include "app/plot/plot_axis.hpp"
#include "app/scenes/k_means/workers_view.hpp"
#include "app/scenes/points/layers.hpp"
#include "app/scenes/points/points.hpp"
#include "sim/k_means/k_means.hpp"
#include "sim/k_means/k_means_parameters.hpp"

namespace kinescope::app {

namespace published = sim::k_means::published;

namespace {

const sim::KMeans& k_means(const sim::Simulation& simulation) {
  return dynamic_cast<const sim::KMeans&>(simulation);
}

// The region of each centroid, faint, under the points.
class RegionLayer : public SwitchedLayer {
 public:
  RegionLayer() : SwitchedLayer("regions", "Regions", "Show the area that belongs to each centroid") {}

  void keep(std::vector<KeptBuffer>& kept, std::size_t) const override { kept.emplace_back(published::regions); }
  void draw(const PointView& view, const render::Canvas& canvas) override {
    if (!shown_ || !view.groups || !offered(view)) return;
    const sim::RegionMap map = k_means(view.simulation).regions();
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
    return k_means(view.simulation).regions().rows > 0 && view.points.columns[0] == 0 && view.points.columns[1] == 1;
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
    const std::shared_ptr<const sim::CentroidPaths> paths = k_means(view.simulation).paths();
    if (paths->rows.size() < 2 || paths->clusters > most_paths) return;
    // At an earlier moment the paths end at that moment's iteration.
    const long behind = view.past ? view.simulation.progress().iteration - view.iteration : 0;
    const auto rows = std::size_t(std::clamp(long(paths->rows.size()) - behind, 1L, long(paths->rows.size())));
    area.list->PushClipRect(area.low, area.high, true);
    for (std::size_t k = 0; k < paths->clusters; ++k)
      if (!hides(view, k)) draw_path(view, area, *paths, rows, k);
    area.list->PopClipRect();
  }
  void add_to_legend(const PointView& view, Legend& legend) const override {
    if (shown_ && view.groups && k_means(view.simulation).paths()->rows.size() > 1)
      legend.notes.push_back({"centroid path", LegendMark::line, render::ink_colour(view.style.background)});
  }

 private:
  static constexpr std::size_t most_paths = 200;

  void draw_path(const PointView& view, const PictureArea& area, const sim::CentroidPaths& paths, std::size_t rows,
                 std::size_t k) {
    const float s = area.scale;
    line_.clear();
    for (std::size_t row = 0; row < rows; ++row)
      line_.push_back(area.in_window(pixel_of(view, paths.rows[row].data() + k * paths.columns)));
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

// The plot of a sweep's criteria over K, in the lower right corner.
class SweepLayer : public SwitchedLayer {
 public:
  SweepLayer()
      : SwitchedLayer("criteria", "BIC and AIC",
                      "Show BIC and AIC for each number of clusters; the lowest BIC is chosen") {}

  void draw_overlay(const PointView& view, const PictureArea& area) override {
    const sim::KMeans& run = k_means(view.simulation);
    const std::vector<sim::KMeansCriteria> curve = run.curve();
    const float s = area.scale;
    // At the left, since the legend is at the right.
    const ImVec2 low{area.low.x + 56 * s, area.high.y - (axis + 8 + height) * s};
    const ImVec2 high{low.x + width * s, low.y + height * s};
    if (!shown_ || curve.size() < 2 || high.x > area.high.x - 160 * s || low.y < area.low.y + 16 * s) return;
    area.list->AddRectFilled(low, high, with_alpha(area.theme->background, 226), corner * s);
    const Frame frame(curve, {low.x + 44 * s, low.y + 64 * s}, {high.x - 44 * s, high.y - 34 * s});
    draw_axes(area, frame);
    const ImVec2 aic = draw_curve(area, frame, curve, &sim::KMeansCriteria::aic, false),
                 bic = draw_curve(area, frame, curve, &sim::KMeansCriteria::bic, true);
    name_ends(area, bic, aic);
    mark_chosen(area, frame, curve, run.chosen());
    draw_title(area, low, run.chosen(), view.converged);
  }

 private:
  bool offered(const PointView& view) const override { return !k_means(view.simulation).curve().empty(); }

  static constexpr float width = 304, height = 200, axis = 32;  // design pixels; `axis` is the room for labels
  static constexpr int most_labels = 12;                        // on the x axis; each has two digits

  // The vertical axis shows how far a criterion is above its own minimum, on a logarithmic scale. The first clusters
  // lower a criterion far more than clusters beyond the best number raise it, and the two criteria differ from each
  // other by less than either changes.
  struct Frame {
    ImVec2 low, high;
    double least_bic = INFINITY, least_aic = INFINITY;
    AxisTicks across, up;

    Frame(const std::vector<sim::KMeansCriteria>& curve, ImVec2 from, ImVec2 to) : low(from), high(to) {
      for (const sim::KMeansCriteria& each : curve) {
        least_bic = std::min(least_bic, each.bic);
        least_aic = std::min(least_aic, each.aic);
      }
      double most = 1;
      for (const sim::KMeansCriteria& each : curve) most = std::max({most, each.bic - least_bic, each.aic - least_aic});
      up = ticks_within(0, most, 4, AxisScale::from_zero);
      across = ticks_within(curve.front().clusters, curve.back().clusters, most_labels);
      std::erase_if(across.major, [](double value) { return value != std::round(value); });
    }
    float x(double clusters) const { return low.x + (high.x - low.x) * float(across.place(clusters)); }
    float y(double above) const { return high.y - (high.y - low.y) * float(up.place(above)); }
  };

  static void draw_axes(const PictureArea& area, const Frame& frame) {
    ImFont* font = area.fonts.caption;
    const float s = area.scale, half = 0.5f * font->FontSize;
    for (const double above : frame.up.major) {
      const std::string text = tick_label(frame.up, above, true);
      const float y = std::round(frame.y(above));
      area.list->AddLine({frame.low.x - 8 * s, y}, {frame.high.x + 8 * s, y}, area.theme->line, s);
      area.write({frame.low.x - 12 * s - width_of(font, text), y - half}, area.theme->ink_dim, text);
    }
    for (const double clusters : frame.across.major) {
      const std::string text = tick_label(frame.across, clusters);
      const float x = frame.x(clusters) - 0.5f * width_of(font, text);
      area.write({x, frame.high.y + 12 * s}, area.theme->ink_dim, text);
    }
  }

  // Returns the end of the curve. AIC is dashed, so that the curves differ without colours too.
  static ImVec2 draw_curve(const PictureArea& area, const Frame& frame, const std::vector<sim::KMeansCriteria>& curve,
                           double sim::KMeansCriteria::*figure, bool solid) {
    const float s = area.scale;
    const ImU32 colour = solid ? area.theme->accent : area.theme->ink_dim;
    const double least = solid ? frame.least_bic : frame.least_aic;
    std::vector<ImVec2> line;
    for (const sim::KMeansCriteria& each : curve)
      line.push_back({frame.x(each.clusters), frame.y(each.*figure - least)});
    if (solid) {
      area.list->AddPolyline(line.data(), int(line.size()), colour, 0, 1.75f * s);
      for (const ImVec2& at : line) area.list->AddCircleFilled(at, 2.5f * s, colour, 12);
    } else {
      draw_dashes(area, line, colour);
    }
    return line.back();
  }
  static void draw_dashes(const PictureArea& area, const std::vector<ImVec2>& line, ImU32 colour) {
    const float s = area.scale, dash = 5 * s, period = 9 * s;
    float begun = 0;  // length of the path before this segment
    for (std::size_t i = 1; i < line.size(); ++i) {
      const ImVec2 a = line[i - 1], way{line[i].x - a.x, line[i].y - a.y};
      const float length = std::hypot(way.x, way.y), end = begun + length;
      for (float from = std::floor(begun / period) * period; from < end && length > 0; from += period) {
        const float t = std::max(0.f, (from - begun) / length), u = std::min(1.f, (from + dash - begun) / length);
        if (u > t)
          area.list->AddLine({a.x + t * way.x, a.y + t * way.y}, {a.x + u * way.x, a.y + u * way.y}, colour, 1.5f * s);
      }
      begun = end;
    }
  }
  static void name_ends(const PictureArea& area, ImVec2 bic, ImVec2 aic) {
    const float s = area.scale, size = area.fonts.caption->FontSize, middle = 0.5f * (bic.y + aic.y);
    const float apart = std::max(std::abs(bic.y - aic.y), size + 2 * s), side = bic.y <= aic.y ? -0.5f : 0.5f;
    const float x = bic.x + 12 * s;
    area.write({x, middle + side * apart - 0.5f * size}, area.theme->accent, "BIC");
    area.write({x, middle - side * apart - 0.5f * size}, area.theme->ink_dim, "AIC");
  }
  static void mark_chosen(const PictureArea& area, const Frame& frame, const std::vector<sim::KMeansCriteria>& curve,
                          int chosen) {
    const float s = area.scale;
    for (const sim::KMeansCriteria& each : curve) {
      if (each.clusters != chosen) continue;
      const ImVec2 at{frame.x(chosen), frame.y(each.bic - frame.least_bic)};
      area.list->AddCircleFilled(at, 5 * s, area.theme->accent, 20);
      area.list->AddCircle(at, 5 * s, area.theme->ink, 20, 1.5f * s);
    }
  }
  static void draw_title(const PictureArea& area, ImVec2 low, int chosen, bool over) {
    const float s = area.scale;
    const std::string title = (over ? "Chosen: K = " : "Best so far: K = ") + std::to_string(chosen);
    write_text(area.list, area.fonts.strong, {low.x + 16 * s, low.y + 10 * s}, area.theme->ink, title);
    area.write({low.x + 16 * s, low.y + 30 * s}, area.theme->ink_dim, "BIC/AIC above minimum (lower is better)");
  }
};

// The scene of k-means. With several processes it also shows the workers, and marks in the curve where one was lost or
// joined.
class KMeansScene : public PointScene {
 public:
  KMeansScene(const SceneSetup& setup, PublishedPoints published)
      : PointScene(setup, std::move(published)), has_workers_(setup.workers) {}

  void set_run(const render::DrawnBuffers& buffers, Runner& runner) override {
    strips_.begin_run();
    PointScene::set_run(buffers, runner);
  }
  void update(const FrameTime& time, glm::ivec2 picture_size) override {
    if (has_workers_ && runner_) {
      sim::KMeansWorkers now = k_means(simulation()).workers();
      marks_.clear();
      for (const auto& each : now.lost) marks_.push_back(mark(each, " was lost", true));
      for (const auto& each : now.joined) marks_.push_back(mark(each, " joined", false));
      strips_.update(std::move(now), time.seconds, std::int64_t(points()));
    }
    PointScene::update(time, picture_size);
  }
  std::string plot_name() const override { return has_workers_ ? "Workers" : ""; }
  void draw_plot(Ui& ui) override { strips_.draw(ui); }
  std::vector<CurveMark> marks() const override { return marks_; }

 private:
  static CurveMark mark(const sim::KMeansWorkers::Event& event, const char* what, bool warns) {
    return {long(event.iteration), "Worker " + std::to_string(event.worker) + what, warns};
  }

  const bool has_workers_;
  WorkerStrips strips_;
  std::vector<CurveMark> marks_;
};

// The slider of the clusters ends at 64, because people cannot distinguish more. That of the tolerance ends at a
// hundredth, because a greater tolerance ends nearly any run at once. The command line accepts more of both.
ParameterHint hint_of(const sim::Simulation& run, const sim::Parameter& parameter, sim::ParameterSet& set) {
  if (parameter.name() == "device_memory" && parameter.text() == "0")
    return ParameterHint{.text = run.backend() == sim::Backend::cpu ? "all" : "half the free memory",
                         .with_unit = false};
  if (parameter.name() == "tolerance") return ParameterHint{0, 0.01, ""};
  if (parameter.name() != "clusters") return {};
  if (const std::string sweep = set.find("sweep")->text(); !sweep.empty() && sweep != "off")
    return ParameterHint{.text = "by the sweep",
                         .idle = "the sweep tries every K in " + sweep + "; to set K yourself, type off in Sweep"};
  return ParameterHint{1, std::clamp(double(run.progress().points), 2.0, 64.0), ""};
}

// A sweep makes some hundred iterations for each number of clusters; at this pace they take about two seconds.
double sweep_pace(sim::ParameterSet& parameters, double usual) {
  const auto& own = static_cast<const sim::KMeansParameters&>(parameters);
  return sim::k_means::parse_sweep(own.sweep.value()) ? 60 : usual;
}

Explanations figures() {
  return {{"Inertia", "The sum of the squared distances of all points from their centroids; smaller is tighter."},
          {"BIC, AIC",
           "How well the clusters fit, with a penalty for their number; lower is better. A sweep keeps the K with the "
           "lowest BIC."},
          {"Size", "The number of points of each cluster, in the legend; cluster 0 is the largest."}};
}

}  // namespace

SceneKind k_means_scene() {
  return {[](const SceneSetup& setup, int) -> std::unique_ptr<Scene> {
    auto scene = std::make_unique<KMeansScene>(
        setup, PublishedPoints{.positions = published::positions,
                               .positions_stay = true,
                               .columns = [](const sim::Simulation& run) { return k_means(run).columns(); },
                               .origins = [](const sim::Simulation& run) { return k_means(run).origins(); },
                               .classes = published::clusters,
                               .group_name = "cluster found",
                               .groups = [](const sim::Simulation& run,
                                            std::uint64_t publication) { return k_means(run).groups_of(publication); },
                               .faint_until_grouped = true,
                               .hint = hint_of,
                               .pace = sweep_pace,
                               .about = "Each dot joins its nearest centroid, which moves to the dots' mean. Drag "
                                        "Clusters to change K.",
                               .figures = figures()});
    scene->add_under(std::make_unique<RegionLayer>());
    scene->add_over(std::make_unique<PathLayer>());
    scene->add_over(std::make_unique<CentreLayer>(
        "centroid", "Centroids", "Show a numbered disc at each centroid; a larger cluster has a larger disc"));
    scene->add_over(std::make_unique<SweepLayer>());
    if (setup.workers) scene->add_over(std::make_unique<WorkerColours>());
    return scene;
  }};
}

}  // namespace kinescope::app
