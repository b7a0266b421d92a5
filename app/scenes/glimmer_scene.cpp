// Glimmer's layout: points arrive level by level, and new ones are highlighted. app/scenes/glimmer measures in the
// background how faithful the layout is, and where it is wrong.
#include <algorithm>
#include <utility>

#include "app/scenes/glimmer/quality_layer.hpp"
#include "app/scenes/glimmer/shepard_plot.hpp"
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
                       "good, above 0.2 hides a lot."},
                      {point_stress_name,
                       "The stress over the pairs of one point. If it is high, do not trust the place of that point."},
                      {"Shepard",
                       "A plot of all pairs of rows: their distance in the data to the right, in the layout upwards. "
                       "Below the line a pair is shown too near, above it too far."}}};
}

class GlimmerScene : public PointScene {
 public:
  explicit GlimmerScene(const SceneSetup& setup)
      : PointScene(setup, published_points()), measures_(std::make_shared<LayoutMeasures>(setup.repeatable)) {
    auto layer = std::make_unique<QualityLayer>(measures_);
    quality_ = layer.get();
    add_over(std::move(layer));
    adds_.plots.push_back({.title = "Shepard", .draw = [this](Ui& ui) {
                             plot_seen_ = true;
                             plot_.draw(ui, measures_->shepard());
                           }});
    adds_.measure = [this](std::vector<sim::HistoryPoint>& curve, sim::Progress& progress) {
      return measure(curve, progress);
    };
  }

  void set_data(const std::shared_ptr<const sim::Dataset>& data, sim::ParameterSet& parameters) override {
    // The stress over all pairs is measured without the user asking for it, and to measure it the data are copied. Very
    // large data are therefore left out.
    constexpr std::size_t most_values = std::size_t{1} << 27;
    small_ = data && data->points * data->dimensions <= most_values;
    measures_->set_data(data, parameters);
    PointScene::set_data(data, parameters);
  }

  void update(const FrameTime& time, glm::ivec2 picture_size) override {
    // Layouts by forces report the stress of only the pairs that they fit, which is too low. Pictures side by side must
    // be compared by the same figure. In both cases the stress over all pairs is measured.
    quality_->want(std::exchange(plot_seen_, false),
                   small_ && (compared_ || time.now->progress.figure_name == "sparse stress"));
    PointScene::update(time, picture_size);
  }

  void stand_beside(Scene* first) override {
    PointScene::stand_beside(first);
    compared_ = first != nullptr;
    if (const auto* other = dynamic_cast<GlimmerScene*>(first); other && other != this)
      measures_->share(*other->measures_);
  }

 private:
  std::string measure(std::vector<sim::HistoryPoint>& curve, sim::Progress& progress) {
    const auto& stresses = measures_->stresses();
    if (!progress.second_figure_name.empty()) {  // the run has a second curve of its own, but not beside other runs
      if (!compared_) return "";
      for (sim::HistoryPoint& point : curve) point.second_figure = std::numeric_limits<float>::quiet_NaN();
      progress.second_figure = std::numeric_limits<double>::quiet_NaN();
    }
    if (stresses.empty()) return "";
    for (const auto& [iteration, value] : stresses) {
      const auto at = std::ranges::lower_bound(curve, iteration, {}, &sim::HistoryPoint::iteration);
      if (at != curve.end()) at->second_figure = float(value);
    }
    progress.second_figure = stresses.back().second;
    return measures_->stress_is_exact() ? "stress, all pairs" : "stress, sampled";
  }

  std::shared_ptr<LayoutMeasures> measures_;
  QualityLayer* quality_ = nullptr;
  ShepardPlot plot_;
  bool plot_seen_ = false, small_ = true, compared_ = false;
};

}  // namespace

SceneKind glimmer_scene() {
  return {[](const SceneSetup& setup, int) -> std::unique_ptr<Scene> { return std::make_unique<GlimmerScene>(setup); }};
}

}  // namespace kinescope::app
