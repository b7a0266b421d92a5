// A scene draws one simulation: what it publishes, the camera, the legend, and the options of the view. A new
// simulation needs one file, app/scenes/NAME_scene.cpp, that defines NAME_scene. points.hpp has what scenes of points
// share, field_scene.hpp what scenes of fields on sheets share.
//
// Call order:  set_data, set_run (each again when another simulation takes over)
//              each frame: update -> draw -> draw_overlay, interact (in the window)
#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/runs/job_queue.hpp"
#include "app/runs/runner.hpp"
#include "app/runs/timeline/timeline.hpp"
#include "app/scenes/contributions.hpp"
#include "app/scenes/kept_state.hpp"
#include "app/scenes/legend.hpp"
#include "app/scenes/row_choice.hpp"
#include "app/ui/widgets.hpp"
#include "kinescope/simulation.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/gl/opengl.hpp"
#include "render/shared/drawn_buffers.hpp"

namespace kinescope::app {

class PointLayer;
struct SceneSetup;
using MakeLayer = std::unique_ptr<PointLayer> (*)(const SceneSetup& setup);

struct SceneSetup {
  render::OpenGl& opengl;
  JobQueue& jobs;           // for work that takes longer than a frame
  bool repeatable = false;  // a frame depends on its number alone: nothing is timed, and nothing runs asynchronously
  bool endless = false;     // the run goes on where the command `run` would end
  bool workers = false;     // other processes compute for the run
  const sim::SimulationKind* kind = nullptr;  // whose scene is made; null: unknown
  std::vector<MakeLayer> layers = {};         // of features, for scenes of points
};

struct FrameTime {
  double seconds = 0;                          // since the last frame
  std::shared_ptr<const sim::Snapshot> now;    // the run's latest; never null
  std::shared_ptr<const sim::Snapshot> drawn;  // of what the buffers show; never null
  sim::ParameterSet* parameters = nullptr;     // the panel's values: live changes show here at once
  bool past = false;                           // the buffers show an earlier moment, of which both snapshots are
  std::optional<ChosenRows> rows = {};         // for features: Scene::chosen_rows()
};

class Scene {
 public:
  virtual ~Scene() = default;

  // What the scene adds to the window besides its picture. Set once, when it is made.
  const Contributions& adds() const { return adds_; }
  // The published buffers that a timeline must keep to show an earlier moment of the run; none: there is no timeline.
  const std::vector<KeptBuffer>& kept_buffers() const { return kept_buffers_; }
  // The kept buffer that holds the first columns of the result, so that earlier results can be saved; "": there is
  // none.
  const std::string& result_buffer() const { return result_buffer_; }
  // What the scene's controls, and the user's actions in the picture, have asked for since the last call.
  Requests take_requests() { return std::exchange(requests_, {}); }
  // Milliseconds that update() and interact() spent in OpenGL calls since the last call (software draws on the calling
  // thread).
  double take_command_ms() { return std::exchange(command_ms_, 0.0); }

  // Called when the data or the parameters have changed. `data` is null if the simulation takes none.
  virtual void set_data(const std::shared_ptr<const sim::Dataset>& /*data*/, sim::ParameterSet& /*parameters*/) {}
  // Sets the run that is drawn from now on. The buffers contain something to draw and stay valid until the next call.
  // `runner` passes the user's actions in the picture on to the simulation.
  virtual void set_run(const render::DrawnBuffers& buffers, Runner& runner) {
    shared_ = &buffers;
    runner_ = &runner;
    time_.now = time_.drawn = runner.published();
  }
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
  // Until it is called with null, the picture is drawn for this area instead of the window's: the camera shows at least
  // what it shows there, and leaves room for the area's legend and axes.
  virtual void fit_to(const PictureArea* /*area*/) {}
  // True while the picture changes without new data from the simulation, so that it must be drawn again.
  virtual bool moving() const { return false; }
  // What a session keeps of the view, and restores once its data are there.
  virtual void keep_state(KeptState&) {}

  // None: the scene shows no rows of a table.
  virtual std::optional<ChosenRows> chosen_rows() const { return std::nullopt; }
  virtual void choose_rows(const RowRequest&) {}

  // From now on this scene is one of several side by side, and `first`, which may be this scene itself, leads. The
  // others share its camera and colours and have no legend and no scale bar. Their points are turned, mirrored and
  // moved to come as near as possible to those of `first`. Null: the scene is alone again. Call it after set_run.
  virtual void stand_beside(Scene* /*first*/) {}
  // Takes over what the user has chosen in another of the scenes side by side: the view, rows, colours.
  virtual void follow(const Scene& /*leader*/) {}
  // True while the mouse is over this scene's picture, or drags something in it; the scenes beside it then follow.
  virtual bool led() const { return false; }

 protected:
  Contributions adds_;
  Requests requests_;
  std::vector<KeptBuffer> kept_buffers_;  // set it with each run
  std::string result_buffer_;
  double command_ms_ = 0;
  // Of the latest frame; before the first run its snapshots are null.
  FrameTime time_;
  // The run's buffers, and the run; null before the first run.
  const render::DrawnBuffers* shared_ = nullptr;
  Runner* runner_ = nullptr;
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
