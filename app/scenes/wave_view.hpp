// What FitzHugh–Nagumo's scene shows of a run: an axon (axon_view.hpp) or a sheet (sheet_view.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/runner.hpp"
#include "app/scenes/scene.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo_parameters.hpp"

namespace kinescope::app {

// The simulation that is shown.
struct WaveRun {
  render::SharedBuffers* shared = nullptr;
  Runner* runner = nullptr;
  const sim::WaveSimulation* waves = nullptr;
  // As the parameters have them; Compare::none: one solution.
  sim::fitzhugh_nagumo::Scheme scheme{};
  sim::fitzhugh_nagumo::Compare compare{};
  std::string scheme_name, compare_name;

  bool two() const { return compare != sim::fitzhugh_nagumo::Compare::none; }
  // Compare names the schemes in their order, after none.
  bool has(sim::fitzhugh_nagumo::Scheme asked) const { return scheme == asked || int(compare) == int(asked) + 1; }
};

// As a frame finds it.
struct WaveMoment {
  sim::WaveFigures figures;
  sim::Progress progress;
  double length() const { return double(figures.nodes - 1) * figures.dx; }
};

class WaveView {
 public:
  virtual ~WaveView() = default;
  // Another simulation from now on.
  virtual void begin_run(const WaveRun& run) = 0;
  virtual void update(const FrameTime& time, const WaveMoment& moment, glm::ivec2 picture_size) = 0;
  virtual void draw(const render::Canvas& canvas, render::Ground ground) = 0;
  virtual void draw_overlay(const PictureArea& area) = 0;
  // Between ImGui's Begin and End; the overlay is drawn too. True when the state was touched.
  virtual bool interact(Ui& ui, const PictureArea& area) = 0;
  virtual void view_options(Ui& ui) = 0;
  virtual void frame_all(bool) {}
  virtual Texts view_state() const = 0;
  virtual void set_view_state(const Texts& state) = 0;
  virtual bool moving() const { return false; }
};

// Blue and orange about 0, or cividis from a wave's back to its top.
struct WaveColours {
  std::size_t map = 0;
  std::span<const render::Rgb, 256> table(render::Ground ground) const;
  float low() const { return map == 0 ? -1.f : -0.4f; }
  float high() const { return 1; }
  void options(Ui& ui);
  const char* text() const { return map == 0 ? "signed" : "cividis"; }  // for sessions
  void read(const Texts& state);
};

std::unique_ptr<WaveView> make_axon_view(const SceneSetup& setup);
std::unique_ptr<WaveView> make_sheet_view(const SceneSetup& setup);

}  // namespace kinescope::app
