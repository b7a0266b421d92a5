// What a scene of points can draw besides its points: layers under or over them, each with its own part of the legend
// and of the view's options. A layer receives what the scene shows (PointView) and knows no other layer.
#pragma once

#include <glm/mat4x4.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/runs/timeline/packed_buffer.hpp"
#include "app/scenes/contributions.hpp"
#include "app/scenes/kept_state.hpp"
#include "app/scenes/legend.hpp"
#include "app/scenes/points/colouring.hpp"
#include "app/ui/widgets.hpp"
#include "kinescope/dataset.hpp"
#include "kinescope/groups.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/published.hpp"
#include "kinescope/snapshot.hpp"
#include "render/camera.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/points/point_cloud.hpp"
#include "render/shared/drawn_buffers.hpp"

namespace kinescope::app {

// What the scene shows in this frame.
struct PointView {
  const render::DrawnBuffers& shared;
  const sim::Snapshot& snapshot;                     // of what is drawn
  const render::PointBuffers& points;                // the scene's points, in the columns shown, with their classes
  const render::PointStyle& style;                   // style of the scene's points
  std::shared_ptr<const sim::Groups> groups;         // those found so far; null: none
  bool by_groups;                                    // the groups' colours are those of the points
  const std::vector<std::size_t>& groups_by_size;    // indices of the groups; a group's number is its place here
  const render::Camera& camera;                      // has the size of the picture being drawn
  std::optional<std::uint32_t> kept = std::nullopt;  // the row that the user has clicked
  std::span<const std::uint32_t> selected = {};      // the selected rows, ascending
  std::string_view colour_choice = {};               // what colours the points
  double now = 0;                                    // seconds since the scene began
  bool repeatable = false;                           // like SceneSetup's
  bool past = false;                                 // an earlier moment of the run is shown
  long iteration() const { return snapshot.progress.iteration; }
  glm::mat4 placed{1};  // lays the points over those of the leading picture
};

class PointLayer {
 public:
  virtual ~PointLayer() = default;

  // Adds to what the scene adds to the window. Called once.
  virtual void contribute(Contributions& /*scene*/) {}
  // Another run is drawn from now on, which was made with these parameters.
  virtual void begin_run(const std::shared_ptr<const sim::Dataset>& /*data*/, sim::ParameterSet& /*made*/) {}
  // The scene is one of several side by side: `first`, which may be this layer itself, is the same layer of the one
  // that leads. Null: the scene is alone again.
  virtual void stand_beside(PointLayer* /*first*/) {}
  // Adds the buffers that a timeline must keep for this layer. `columns` is the number of columns of the scene's
  // points.
  virtual void keep(std::vector<KeptBuffer>& /*kept*/, std::size_t /*columns*/) const {}
  virtual void update(const PointView&) {}  // once a frame
  virtual void draw(const PointView&, const render::Canvas&) {}
  virtual void draw_overlay(const PointView&, const PictureArea&) {}
  virtual void add_to_legend(const PointView&, Legend&) const {}
  virtual void view_options(Ui&, const PointView&) {}
  // Draws what the layer knows of a kept row, below the row's own facts.
  virtual void row_details(Ui&, std::size_t /*row*/) {}
  virtual bool moving() const { return false; }  // it will change without new data from the simulation
  // The name of a colouring that the layer offers, "" for none; and the latest such colouring, null if it is not known
  // yet.
  virtual std::string colouring() const { return ""; }
  virtual std::shared_ptr<const Colouring> colours() const { return nullptr; }
  // How far from the points the layer draws something that belongs in the picture; in their units.
  virtual float reach(const PointView&) const { return 0; }
  // The user's choices, under names that no other layer of the scene uses.
  virtual void keep_state(KeptState&) {}
};

// The colours of the groups; the accent colour for all while something else colours the points.
std::vector<render::Rgb> colours_of(const PointView& view);
// Where a row with the columns of the scene's points is in the picture.
glm::vec2 pixel_of(const PointView& view, const float* row);
// Whether the user has hidden the group in the legend.
bool hides(const PointView& view, std::size_t group);

}  // namespace kinescope::app
