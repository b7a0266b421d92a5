// A scene draws one simulation: what it publishes, the camera, the legend, and the options of the view. A new
// simulation needs one file, app/scenes/NAME_scene.cpp, that defines NAME_scene; points.hpp and
// field_scene.hpp have what scenes of points, and of fields on sheets, share.
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

#include "app/runs/worker.hpp"
#include "app/scenes/legend.hpp"
#include "app/ui/widgets.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/gl/opengl.hpp"
#include "render/shared/shared_buffers.hpp"
#include "sim/core/error.hpp"
#include "sim/core/simulation.hpp"
#include "sim/core/table.hpp"

namespace kinescope::app {

class Runner;

using Texts = std::map<std::string, std::string>;
using Explanations = std::vector<std::pair<std::string, std::string>>;  // name, meaning

struct SceneSetup {
  render::OpenGl& opengl;
  Worker& worker;           // for what takes longer than a frame
  bool repeatable = false;  // frames depend on their number alone: nothing measured, nothing asynchronous
  bool endless = false;     // what only `run` ends goes on
};

struct FrameTime {
  double seconds = 0;  // since the last frame
  sim::Progress progress;
  sim::ParameterSet* parameters = nullptr;  // as the panel shows them: what changes live is here at once
};

// What a parameter's control is better made with than with its whole range and its bare value, if anything is.
struct ParameterHint {
  double low = 0, high = 0;  // equal: the parameter's own range
  std::string text;          // in place of the value; "": the value
  bool with_unit = true;     // after the text
  std::string idle = {};     // why it has no effect for now, in a sentence without a full stop; "": it has one
};

class Scene {
 public:
  virtual ~Scene() = default;

  // Other data, or the same with other parameters. `data` is null for a simulation that takes none.
  virtual void set_data(std::shared_ptr<const sim::Dataset> data, sim::ParameterSet& parameters) = 0;
  // What to draw from now on; they have something to draw, and stay until the next call.
  // `runner` is for what a person does in the picture, and for what its simulation offers to any thread.
  virtual void set_run(render::SharedBuffers& buffers, Runner& runner) = 0;

  virtual void update(const FrameTime& time, glm::ivec2 picture_size) = 0;
  // Over the background, which the caller has painted; onto canvases of any size.
  virtual void draw(const render::Canvas& canvas, render::Background background) = 0;
  // Legend, scale bar.
  virtual void draw_overlay(const PictureArea& area) = 0;
  // Mouse over the picture, between ImGui's Begin and End of a window that covers it; draws the overlay too.
  virtual void interact(Ui& ui, const PictureArea& area) = 0;
  // The whole of what there is: softly; or, for a picture, at once, unless a person has chosen what is to be seen.
  virtual void frame_all(bool at_once = false) = 0;
  // True while the picture still changes by itself.
  virtual bool moving() const = 0;

  // Its part of the data panel (what colours) and of the right panel (size, opacity; what was clicked).
  virtual void colour_options(Ui& ui) = 0;
  virtual void view_options(Ui& ui) = 0;
  // Above the parameters: what sets several of them.
  virtual void presets(Ui&) {}
  // What a person has chosen in the picture, if anything; `chosen` grows with each choice, and is 0 while there is
  // none.
  virtual void details(Ui&) {}
  virtual long chosen() const { return 0; }
  virtual void choose_nothing() {}
  // In one sentence: what is seen, and what one can do with it.
  virtual std::string about() const { return ""; }
  // What the figures of this scene mean, by their names.
  virtual Explanations figures() const { return {}; }
  // Parameters that the data panel shows, rather than the panel of parameters.
  virtual std::vector<std::string> data_parameters() const { return {"normalize"}; }
  // Parameters that have controls elsewhere, or no effect on these data.
  virtual std::vector<std::string> own_parameters() const { return {}; }
  // Those that few people change: behind "More".
  virtual std::vector<std::string> further_parameters() const { return {}; }
  // `set`: the one that the parameter is of.
  virtual ParameterHint hint(const sim::Parameter&, sim::ParameterSet& /*set*/) const { return {}; }
  // Iterations a second with which one can watch a run of these parameters; `usual`: those of its kind.
  virtual double pace(sim::ParameterSet&, double usual) const { return usual; }
  virtual std::size_t points() const = 0;
  // Values of parameters that the scene's own controls, or what a person did in the picture, ask for since the last
  // call.
  virtual std::vector<sim::Remedy> take_wishes() { return {}; }
  // What a session keeps of the view, and gives back once its data are there; what a scene does not know it leaves.
  virtual Texts view_state() const { return {}; }
  virtual void set_view_state(const Texts&) {}
  // A table that a person asked to have written, since the last call.
  virtual std::optional<sim::Table> take_table() { return std::nullopt; }
  // What the parts of its picture took in the latest frame that is measured: names and milliseconds of OpenGL's time.
  virtual std::vector<std::pair<std::string, double>> pass_ms() { return {}; }
  // Milliseconds that update() and interact() gave to OpenGL's commands since the last call (where software draws,
  // those run on the calling thread).
  virtual double take_command_ms() { return 0; }
};

// What a scene's file defines: `SceneKind NAME_scene()`, for the simulation of that name.
struct SceneKind {
  // A scene that shows one look, of those that `look` tells.
  std::unique_ptr<Scene> (*make)(const SceneSetup& setup, int look);
  // Which of several scenes shows these data (null: there are none) with these parameters; null: there is one, look 0.
  int (*look)(const sim::Dataset* data, const sim::ParameterSet& parameters) = nullptr;
  // The simulation's parameters and those of looking at it, as one set that is also of the simulation's type; null: the
  // simulation's alone.
  std::unique_ptr<sim::ParameterSet> (*make_parameters)() = nullptr;
};

}  // namespace kinescope::app
