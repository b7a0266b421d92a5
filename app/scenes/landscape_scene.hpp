// The landscape: terrain, water, plants, cabin, smoke and butterflies under a sky, and a camera (the eye) that explores
// it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/scenes/landscape/landscape_view.hpp"
#include "app/scenes/scene.hpp"
#include "kinescope/landscape/landscape.hpp"
#include "render/landscape/explorer.hpp"
#include "render/landscape/renderer.hpp"

namespace kinescope::app {

class LandscapeScene : public Scene {
 public:
  explicit LandscapeScene(const SceneSetup& setup);

  void set_data(const std::shared_ptr<const sim::Dataset>& data, sim::ParameterSet& parameters) override;
  void set_run(const render::DrawnBuffers& buffers, Runner& runner) override;
  void update(const FrameTime& time, glm::ivec2 picture_size) override;
  void draw(const render::Canvas& canvas, render::Background background) override;
  void interact(Ui& ui, const PictureArea& area) override;
  // A picture without a window is taken from where the camera is.
  void frame_all(bool at_once) override {
    if (!at_once) explorer_.go_home();
  }
  bool moving() const override { return true; }  // wind and water always move
  // Keeps where the eye is, unless it is on the tour.
  void keep_state(KeptState& state) override;

 private:
  void view_options(Ui& ui);
  void presets(Ui& ui);
  std::vector<std::pair<std::string, double>> pass_ms() const;
  void read_parameters(const LandscapeViewParameters& parameters);
  void stand_at_eye();
  void set_quality(DrawnQuality choice);
  void take_over_landscape();
  void take_over_plants();
  enum class Shape { row, list };  // of a choice: options side by side, or in a list that opens
  void ask(Ui& ui, Shape shape, const char* name, const char* label, const char* help);
  void wish(const char* parameter, const std::string& value) { requests_.wishes.push_back({parameter, value}); }

  SceneSetup setup_;
  std::unique_ptr<render::landscape::Renderer> renderer_;  // recreated when the quality changes
  render::landscape::Explorer explorer_;
  render::landscape::Weather weather_;
  std::shared_ptr<const sim::landscape::PlantMeshes> shown_plants_;
  std::vector<glm::vec2> trees_;                   // trunks around the cabin
  LandscapeViewParameters* parameters_ = nullptr;  // this frame's
  std::uint64_t shown_version_ = 0;
  bool arrived_ = false;   // the renderer has the meshes of the current landscape
  bool explored_ = false;  // the eye has arrived in it

  double seconds_ = 0, day_hours_ = 0;  // since the scene's start; hours that the time lapse has added
  double time_lapse_ = 0;
  long frame_ = 0;
  int butterfly_count_ = 0;
  // The values of the view's parameters.
  render::landscape::Travel travel_ = render::landscape::Travel::tour;
  render::landscape::SmokeLook smoke_look_ = render::landscape::SmokeLook::volume;
  render::landscape::DebugView debug_view_ = render::landscape::DebugView::none;
  DrawnQuality quality_ = DrawnQuality::automatic;
  std::string eye_;
  render::landscape::Explorer::Input input_;
};

}  // namespace kinescope::app
