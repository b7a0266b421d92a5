// FitzHugh–Nagumo: plots of an axon (axon_scene.hpp), or a sheet of tissue to paint on, with the tips of its spirals
// and probes.

#include "app/scenes/fields/axon_scene.hpp"
#include "app/scenes/fields/field_scene.hpp"
#include "app/scenes/fields/probes.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo_parameters.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {

namespace published = sim::fitzhugh_nagumo::published;

const sim::WaveFigures& figures_of(const sim::Snapshot& run) {
  static const sim::WaveFigures none;
  const auto* figures = run.find<sim::WaveFigures>();
  return figures ? *figures : none;
}

FieldColours wave_colours() {
  return {"Colours of v",
          "Blue below 0 and orange above 0, or from dark at a wave's back to bright at its top",
          {{"Signed", render::ColourMap::diverging, -1, 1}, {"Cividis", render::ColourMap::cividis, -0.4f, 1}}};
}

Explanations wave_explanations() {
  return {{"Largest |v|", "The largest voltage anywhere, without its sign: about 1 in an impulse, 0 at rest."},
          {"v, w", "Voltage and recovery, both without unit, as are lengths and times."},
          {"Newton's corrections", "How much each iteration of Newton's method in an implicit step changes v."}};
}

std::optional<sim::Remedy> longer_run(const sim::Snapshot& now) {
  constexpr double longer = 300;  // time
  if (!now.progress.converged) return std::nullopt;
  return sim::Remedy{"end_time", std::to_string(figures_of(now).end_time + longer)};
}

void tell_excitement(Ui& ui, const sim::Progress& progress) {
  ui.ids.state("excited", progress.figure > 0.5 ? "yes" : "no");
}

namespace {

class SheetScene : public FieldScene {
 public:
  explicit SheetScene(const SceneSetup& setup)
      : FieldScene({.values = published::v,
                    .symbol = "v",
                    .colours = wave_colours(),
                    .sheet =
                        [](const sim::Snapshot& run) {
                          const sim::WaveFigures& now = figures_of(run);
                          return Sheet{now.nodes, now.dx, now.time};
                        },
                    .about = "A sheet of tissue: waves of the voltage v. Drag to stimulate, right-drag to bring it "
                             "back to rest.",
                    .figures = wave_explanations(),
                    .touched = longer_run}),
        painter_(setup.opengl),
        tips_(setup.opengl, render::PointPath::sprites) {
    kept_buffers_.emplace_back(published::tips, 2);
  }

  void set_run(const render::DrawnBuffers& buffers, Runner& runner) override {
    FieldScene::set_run(buffers, runner);
    probes_.begin_run(runner);
  }
  void update(const FrameTime& time, glm::ivec2 picture_size) override {
    FieldScene::update(time, picture_size);
    if (runner_) probes_.update(figures_of(*time_.now));
  }
  void interact(Ui& ui, const PictureArea& area) override {
    FieldScene::interact(ui, area);
    tell_excitement(ui, time_.now->progress);
  }
  void keep_state(KeptState& state) override {
    FieldScene::keep_state(state);
    state.on_off("tips", show_tips_);
    std::string places = probes_.text();
    if (state.text("probes", places)) probes_.read(places);
  }

 private:
  bool has_strip() const override { return !probes_.empty(); }
  void draw_strip(const Rectangle& strip, const render::Canvas& canvas, render::Background background) override {
    probes_.draw(painter_, probes_.plot(strip, canvas.scale, background), canvas, background);
  }
  void mark_strip(const Rectangle& strip, const PictureArea& area) override {
    draw_axes(probes_.plot(strip, area.scale, area.theme->variant), area);
  }

  // Discs of ink with a rim in the background's colour stand out on every colour.
  void draw_upon(const render::Canvas& canvas, render::Background background) override {
    if (!show_tips_) return;
    const render::PointBuffers points{.positions = shared_->view(published::tips), .count = sim::tips_published};
    if (!points.positions) return;
    for (const auto& [diameter, colour] :
         {std::pair{11.f, render::background_colour(background)}, {7.f, render::ink_colour(background)}})
      tips_.draw(points, camera().clip_from_world(),
                 {.uniform = colour, .diameter = diameter, .pixel_scale = canvas.scale}, canvas);
  }
  void add_to_legend(Legend& legend, render::Background background) const override {
    if (show_tips_) legend.notes.push_back({"tip of a spiral", LegendMark::disc, render::ink_colour(background)});
  }

  void mark(const PictureArea& sheet) override {
    const float s = sheet.scale;
    for (std::size_t i = 0; i < probes_.places().size(); ++i) {
      const sim::ProbePlace& place = probes_.places()[i];
      const ImVec2 c = sheet.in_window(camera().pixel_of({place.x, place.y, 0}));
      sheet.list->AddCircleFilled(c, 10 * s, sheet.theme->background, 32);
      sheet.list->AddCircle(c, 9 * s, pack(Probes::colour(i, sheet.theme->variant)), 32, 2 * s);
      const std::string number = std::to_string(i + 1);
      ImFont* font = sheet.fonts.caption;
      sheet.write({c.x - 0.5f * width_of(font, number), c.y - 0.5f * font->FontSize}, sheet.theme->ink, number);
    }
  }
  bool clicks_elsewhere() const override { return probing_ || ImGui::GetIO().KeyAlt; }
  void click(Ui& ui, glm::dvec2 place) override {
    probes_.place({place.x, place.y});
    ui.ids.state("probes", std::to_string(probes_.places().size()));
  }

  std::string more_help() const override { return " Alt-click: place a probe."; }
  void more_options(Ui& ui) override {
    toggle(ui, "tips", "Tips",
           "Marks the tips of spirals: places where v = 1/2 and w is the value of the cubic nullcline at v = 1/2",
           show_tips_);
    toggle(ui, "probing", "Place probes", "On: a click places a probe, at most four. Alt-click always places one",
           probing_);
    if (!probes_.empty() && button(ui, "clear-probes", "Clear probes", "Remove all probes", ButtonKind::plain, -1))
      probes_.clear();
  }

  PlotPainter painter_;
  render::PointCloud tips_;
  Probes probes_;
  bool show_tips_ = true, probing_ = false;
};

}  // namespace

SceneKind fitzhugh_nagumo_scene() {
  return {.make = [](const SceneSetup& setup, int look) -> std::unique_ptr<Scene> {
            if (look == 0) return std::make_unique<AxonScene>(setup);
            return std::make_unique<SheetScene>(setup);
          },
          .look =
              [](const sim::Dataset*, const sim::ParameterSet& parameters) {
                return int(static_cast<const sim::FitzHughNagumoParameters&>(parameters).dimensions.value()) - 1;
              }};
}

}  // namespace kinescope::app
