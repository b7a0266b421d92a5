// A scene draws one simulation: what it publishes, the camera, the legend, and the options of the view. A new
// simulation needs one file, app/scenes/NAME_scene.cpp, that defines NAME_scene. points.hpp has what scenes of points
// share, field_scene.hpp what scenes of fields on sheets share.
//
// Call order:  set_data, set_run (each again when another simulation takes over)
//              each frame: update -> draw -> draw_overlay, interact (in the window)
#pragma once

#include <glm/vec2.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/runs/runner.hpp"
#include "app/runs/timeline/timeline.hpp"
#include "app/runs/worker.hpp"
#include "app/scenes/legend.hpp"
#include "app/ui/widgets.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/gl/opengl.hpp"
#include "render/shared/drawn_buffers.hpp"
#include "sim/core/error.hpp"
#include "sim/core/simulation.hpp"
#include "sim/core/table.hpp"

namespace kinescope::app {

using Texts = std::map<std::string, std::string>;
using Explanations = std::vector<std::pair<std::string, std::string>>;  // name, meaning

struct SceneSetup {
  render::OpenGl& opengl;
  Worker& worker;           // for work that takes longer than a frame
  bool repeatable = false;  // a frame depends on its number alone: nothing is timed, and nothing runs asynchronously
  bool endless = false;     // the run goes on where the command `run` would end
  bool workers = false;     // other processes compute for the run
};

// Something that happened during the run, to be marked on the curve.
struct CurveMark {
  long iteration = 0;
  std::string text;  // "Worker 2 was lost"
  bool warns = false;
};

struct FrameTime {
  double seconds = 0;                          // since the last frame
  std::shared_ptr<const sim::Snapshot> now;    // the run's latest; never null
  std::shared_ptr<const sim::Snapshot> drawn;  // of what the buffers show; never null
  sim::ParameterSet* parameters = nullptr;     // the panel's values: live changes show here at once
  bool past = false;                           // the buffers show an earlier moment, of which both snapshots are
};

class Scene {
 public:
  virtual ~Scene() = default;

  // Called when the data or the parameters have changed. `data` is null if the simulation takes none.
  virtual void set_data(const std::shared_ptr<const sim::Dataset>& /*data*/, sim::ParameterSet& /*parameters*/) {}
  // Sets the run that is drawn from now on. The buffers contain something to draw and stay valid until the next call.
  // `runner` passes the user's actions in the picture on to the simulation.
  virtual void set_run(const render::DrawnBuffers& buffers, Runner& runner) {
    shared_ = &buffers;
    runner_ = &runner;
    time_.now = time_.drawn = runner.published();
  }
  // The published buffers that a timeline must keep to show an earlier moment; none: the scene has no timeline.
  virtual std::vector<KeptBuffer> kept_buffers() const { return {}; }
  // The kept buffer that holds the first columns of the result, so that earlier results can be saved; "": there is
  // none.
  virtual std::string result_buffer() const { return ""; }

  virtual void update(const FrameTime& time, glm::ivec2 /*picture_size*/) { time_ = time; }
  // Draws over the background, which the caller has painted, onto canvases of any size.
  virtual void draw(const render::Canvas& canvas, render::Background background) = 0;
  // Draws the legend and the scale bar.
  virtual void draw_overlay(const PictureArea&) {}
  // Handles the mouse over the picture, between ImGui's Begin and End of a window that covers it; draws the overlay
  // too.
  virtual void interact(Ui& ui, const PictureArea& area) = 0;
  // Moves the camera so that everything is in the picture. By default the movement is smooth. With `at_once`, for
  // pictures, the camera jumps, and stays where it is if the user has chosen a view.
  virtual void frame_all(bool /*at_once*/ = false) {}
  // True while the picture changes without new data from the simulation, so that it must be drawn again.
  virtual bool moving() const { return false; }

  // From now on this scene is one of several side by side, and `first`, which may be this scene itself, leads. The
  // others share its camera and colours and have no legend and no scale bar. Their points are turned, mirrored and
  // moved to come as near as possible to those of `first`. Null: the scene is alone again. Call it after set_run.
  virtual void stand_beside(Scene* /*first*/) {}
  // Takes over what the user has chosen in another of the scenes side by side: the view, rows, colours.
  virtual void follow(const Scene& /*leader*/) {}
  // True while the mouse is over this scene's picture, or drags something in it; the scenes beside it then follow.
  virtual bool led() const { return false; }

  // Draw the scene's controls in the data panel (what colours the points) and in the right panel (size, opacity, …).
  virtual void colour_options(Ui&) {}
  virtual void view_options(Ui& ui) = 0;
  // Draws, above the parameters, a choice that sets several of them at once.
  virtual void presets(Ui&) {}
  // Draws what is known of the rows that the user has chosen in the picture. `chosen` grows with each choice and is 0
  // if nothing is chosen.
  virtual void details(Ui&) {}
  virtual long chosen() const { return 0; }
  virtual void choose_nothing() {}
  // The scene's own tab in the right panel: its name, "" for none. draw_tab fills the rest of ImGui's window while the
  // tab is visible. The panel is then at least tab_width design pixels wide, if there is room.
  virtual std::string tab_name() const { return ""; }
  virtual void draw_tab(Ui&) {}
  virtual float tab_width() const { return 0; }
  // A sentence or two: what the picture shows, and what one can do with it.
  virtual std::string about() const { return ""; }
  // The meanings of this scene's figures, by name.
  virtual Explanations figures() const { return {}; }
  virtual std::size_t points() const { return 0; }
  // Parameter values that the scene's own controls, or the user's actions in the picture, have requested since the last
  // call.
  std::vector<sim::Remedy> take_wishes() { return std::exchange(wishes_, {}); }
  // What a session keeps of the view, and restores once its data are there; a scene ignores what it does not know.
  virtual Texts view_state() const { return {}; }
  virtual void set_view_state(const Texts&) {}
  // A plot beside the curve: its name, "" for none. draw_plot fills the rest of ImGui's window while the plot is
  // visible.
  virtual std::string plot_name() const { return ""; }
  virtual void draw_plot(Ui&) {}
  virtual std::vector<CurveMark> marks() const { return {}; }  // events to be marked on the curve
  // A second figure that the scene measures itself, on the scale of the first: writes it into the curve and into the
  // progress, and returns its name; "": there is none.
  virtual std::string measure(std::vector<sim::HistoryPoint>& /*curve*/, sim::Progress&) { return ""; }
  // A table that the user has asked to save since the last call.
  virtual std::optional<sim::Table> take_table() { return std::nullopt; }
  // How long the parts of the picture took in the latest measured frame: names and milliseconds of OpenGL's time.
  virtual std::vector<std::pair<std::string, double>> pass_ms() { return {}; }
  // Milliseconds that update() and interact() spent in OpenGL calls since the last call (software draws on the calling
  // thread).
  virtual double take_command_ms() { return 0; }

 protected:
  // Of the latest frame; before the first run its snapshots are null.
  FrameTime time_;
  // The run's buffers, and the run; null before the first run.
  const render::DrawnBuffers* shared_ = nullptr;
  Runner* runner_ = nullptr;
  std::vector<sim::Remedy> wishes_;
};

// A scene's file defines `SceneKind NAME_scene()` for the simulation of that name.
struct SceneKind {
  // Makes the scene for one of the looks that `look` returns.
  std::unique_ptr<Scene> (*make)(const SceneSetup& setup, int look);
  // Returns the look that suits these data (null: there are none) and these parameters. A null function: there is only
  // look 0.
  int (*look)(const sim::Dataset* data, const sim::ParameterSet& parameters) = nullptr;
  // The simulation's parameters together with those of the view, as one set whose type derives from the simulation's
  // set. A null function: the simulation's parameters alone.
  std::unique_ptr<sim::ParameterSet> (*make_parameters)() = nullptr;
};

}  // namespace kinescope::app
