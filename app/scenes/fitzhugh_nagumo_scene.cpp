// FitzHugh–Nagumo: plots of an axon, or a sheet of tissue to paint on.
#include "app/scenes/wave_view.hpp"

namespace kinescope::app {
namespace {

constexpr double longer = 300;  // time by which a stimulus lengthens a run that has ended

class FitzHughNagumoScene : public Scene {
 public:
  explicit FitzHughNagumoScene(const SceneSetup& setup) : setup_(setup) {}

  void set_data(std::shared_ptr<const sim::Dataset>, sim::ParameterSet& parameters) override {
    const int dimensions = parameters.find("dimensions")->text() == "2" ? 2 : 1;
    run_.scheme = parameters.find("scheme")->text();
    run_.compare = dimensions == 1 ? parameters.find("compare")->text() : "none";
    if (view_ && dimensions == dimensions_) return;
    dimensions_ = dimensions;
    view_ = dimensions == 2 ? make_sheet_view(setup_) : make_axon_view(setup_);
  }

  void set_run(render::SharedBuffers& buffers, Runner& runner) override {
    run_.shared = &buffers;
    run_.runner = &runner;
    run_.waves = dynamic_cast<const sim::WaveSimulation*>(&runner.simulation());
    view_->begin_run(run_);
  }

  void update(const FrameTime& time, glm::ivec2 picture_size) override {
    if (!run_.waves) return;
    moment_ = {run_.waves->figures(), time.progress};
    view_->update(time, moment_, picture_size);
  }
  void draw(const render::Canvas& canvas, render::Ground ground) override {
    if (run_.waves) view_->draw(canvas, ground);
  }
  void draw_overlay(const PictureArea& area) override {
    if (run_.waves) view_->draw_overlay(area);
  }
  void interact(Ui& ui, const PictureArea& area) override {
    if (!run_.waves) return;
    if (view_->interact(ui, area) && moment_.progress.converged && wishes_.empty())
      wishes_.push_back({"end_time", std::to_string(moment_.figures.end_time + longer)});
    // What GUI tests wait for.
    ui.ids.state("excited", moment_.progress.figure > 0.5 ? "yes" : "no");
  }
  void frame_all(bool at_once) override {
    if (view_) view_->frame_all(at_once);
  }
  bool moving() const override { return view_ && view_->moving(); }
  void colour_options(Ui&) override {}
  void view_options(Ui& ui) override { view_->view_options(ui); }
  std::string about() const override {
    return dimensions_ == 2
               ? "A sheet of tissue: waves of the voltage v. Drag to stimulate, right-drag to bring it back "
                 "to rest."
               : "A nerve fibre: voltage v and recovery w along it. Click on the axon to start an impulse.";
  }
  Explanations figures() const override {
    return {{"Largest |v|", "The largest voltage anywhere, without its sign: about 1 in an impulse, 0 at rest."},
            {"v, w", "Voltage and recovery, both without unit, as are lengths and times."},
            {"Newton's corrections", "How much each iteration of an implicit step still changes v."}};
  }
  std::vector<std::string> further_parameters() const override {
    return {"precision", "solver", "nodes", "dx", "boundary"};
  }
  // What is of use of the wide ranges; 0 as a time step is told as what it stands for.
  ParameterHint hint(const sim::Parameter& parameter, sim::ParameterSet&) const override {
    if (!run_.waves) return {};
    const sim::WaveFigures& now = moment_.figures;
    const bool by_itself = parameter.text() == parameter.default_text();
    if (parameter.name() == "dt")
      return ParameterHint{0, 4 * now.dx * now.dx, by_itself ? "chosen: " + number_text(now.dt, 4) : ""};
    if (parameter.name() == "end_time") return ParameterHint{10, 10'000, ""};
    if (parameter.name() == "nodes")
      return ParameterHint{.text = by_itself ? "chosen: " + count_text(std::size_t(now.nodes)) : ""};
    return {};
  }
  std::size_t points() const override { return moment_.progress.points; }
  Texts view_state() const override { return view_ ? view_->view_state() : Texts(); }
  void set_view_state(const Texts& state) override {
    if (view_) view_->set_view_state(state);
  }
  std::vector<sim::Remedy> take_wishes() override { return std::exchange(wishes_, {}); }

 private:
  SceneSetup setup_;
  WaveRun run_;
  WaveMoment moment_;
  int dimensions_ = 0;
  std::unique_ptr<WaveView> view_;
  std::vector<sim::Remedy> wishes_;
};

}  // namespace

std::span<const render::Rgb, 256> WaveColours::table(render::Ground ground) const {
  return render::field_table(map == 0 ? render::ColourMap::diverging : render::ColourMap::cividis, ground);
}

void WaveColours::options(Ui& ui) {
  segments(ui, "wave-map", "Colours of v", "Blue and orange about 0, or dark to bright from a wave's back to its top",
           {"Signed", "Cividis"}, map);
}

void WaveColours::read(const Texts& state) {
  if (const auto found = state.find("map"); found != state.end()) map = found->second == "cividis" ? 1 : 0;
}

std::unique_ptr<Scene> make_fitzhugh_nagumo_scene(const SceneSetup& setup) {
  return std::make_unique<FitzHughNagumoScene>(setup);
}

}  // namespace kinescope::app
