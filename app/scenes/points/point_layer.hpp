// What a scene of points can draw beside its points: a layer under or over them, with its own part of the legend and of
// the view's options. Layers are told what the scene shows, and know nothing of each other.
#pragma once

#include <glm/mat4x4.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/runs/timeline/packed_buffer.hpp"
#include "app/scenes/legend.hpp"
#include "app/scenes/points/colouring.hpp"
#include "app/ui/widgets.hpp"
#include "render/camera.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/points/point_cloud.hpp"
#include "render/shared/drawn_buffers.hpp"
#include "sim/core/groups.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::app {

// What the scene shows in this frame.
struct PointView {
  const render::DrawnBuffers& shared;
  const sim::Simulation& simulation;
  const render::PointBuffers& points;              // the scene's points, in the columns shown, with their classes
  const render::PointStyle& style;                 // style of the scene's points
  std::shared_ptr<const sim::Groups> groups;       // the groups that colour the points; null: none
  const std::vector<std::size_t>& groups_by_size;  // indices of the groups; a group's number is its place here
  const render::Camera& camera;                    // has the size of the picture being drawn
  long iteration = 0;
  bool converged = false;
  std::optional<std::uint32_t> kept = std::nullopt;  // the row that a person has clicked
  std::string_view colour_choice = {};               // what colours the points
  double now = 0;                                    // seconds since the scene began
  bool repeatable = false;                           // like SceneSetup's
  bool past = false;                                 // the run is further than what is shown
  glm::mat4 placed{1};                               // lays the points over those of a picture beside
};

class PointLayer {
 public:
  virtual ~PointLayer() = default;

  virtual void begin_run() {}  // another simulation has taken over
  // Adds what a timeline must keep of it; the scene's points have so many columns.
  virtual void keep(std::vector<KeptBuffer>& /*kept*/, std::size_t /*columns*/) const {}
  virtual void update(const PointView&) {}  // once a frame
  virtual void draw(const PointView&, const render::Canvas&) {}
  virtual void draw_overlay(const PointView&, const PictureArea&) {}
  virtual void add_to_legend(const PointView&, Legend&) const {}
  virtual void view_options(Ui&, const PointView&) {}
  // What the layer knows of a kept row, below the row's own facts.
  virtual void row_details(Ui&, std::size_t /*row*/) {}
  virtual bool moving() const { return false; }  // it will show something else by itself
  // A choice of colours that the layer offers, "" for none, and the latest of them; null: not known yet.
  virtual std::string colouring() const { return ""; }
  virtual std::shared_ptr<const Colouring> colours() const { return nullptr; }
  // How far from the points the layer draws something that belongs in the picture; in their units.
  virtual float reach(const PointView&) const { return 0; }
  // Adds a person's choices for sessions, under names that no other layer of the scene uses.
  virtual void add_state(std::map<std::string, std::string>&) const {}
  virtual void take_state(const std::map<std::string, std::string>&) {}
};

// The colours of the scene's points, for use elsewhere.
std::vector<render::Rgb> colours_of(const PointView& view);

}  // namespace kinescope::app
