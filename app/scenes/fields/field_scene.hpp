// The scene of every simulation on a sheet: a field as colours to paint on, or as a lit surface. A simulation that
// shows more than its field derives its own scene from this one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/scenes/fields/field_colours.hpp"
#include "app/scenes/picture_mouse.hpp"
#include "app/scenes/scene.hpp"
#include "render/camera.hpp"
#include "render/fields/field_picture.hpp"
#include "render/fields/height_surface.hpp"

namespace kinescope::app {

// The state of the sheet in one frame. Node (i, j) is at (i, j) · spacing.
struct Sheet {
  std::int64_t nodes = 0;  // along one side; below 2 there is nothing to see
  double spacing = 1;
  double time = 0;
  double length() const { return double(nodes - 1) * spacing; }
};

// What the simulation publishes, and how its scene shows and explains it.
struct PublishedField {
  sim::Published<float> values;  // [nodes × nodes], row by row
  std::string symbol;            // "v"
  FieldColours colours;
  std::function<Sheet(const sim::Snapshot&)> sheet;
  float height = 0.1f;  // height of the value 1 on the surface, in lengths of the sheet's side
  std::string paint = "stimulus", wipe = "back to rest";      // what a left and a right drag do, for the help
  std::string unit = "length";                                // unit of places
  double brush = 8, smallest_brush = 1, largest_brush = 100;  // initial radius in that unit, and limits
  // As in Contributions.
  std::string about;
  Explanations figures;
  // Called after each stroke of the brush: returns a parameter's value to request (Scene::take_wishes), or nothing.
  std::function<std::optional<sim::Remedy>(const sim::Snapshot&)> touched;
};

class FieldScene : public Scene {
 public:
  explicit FieldScene(PublishedField published);

  void update(const FrameTime& time, glm::ivec2 picture_size) override;
  void draw(const render::Canvas& canvas, render::Background background) override;
  void draw_overlay(const PictureArea& area) override;
  void interact(Ui& ui, const PictureArea& area) override;
  void frame_all(bool at_once) override;
  bool moving() const override { return camera().moving(); }
  void keep_state(KeptState& state) override;

 protected:
  // For scenes that show more than the field. The strip is a part of the picture below the sheet.
  virtual bool has_strip() const { return false; }
  virtual void draw_upon(const render::Canvas& /*sheet*/, render::Background) {}
  virtual void draw_strip(const Rectangle&, const render::Canvas& /*picture*/, render::Background) {}
  virtual void mark(const PictureArea& /*sheet*/) {}
  virtual void mark_strip(const Rectangle&, const PictureArea&) {}
  virtual void add_to_legend(Legend&, render::Background) const {}
  // True while a click does not paint; click() is then called.
  virtual bool clicks_elsewhere() const { return false; }
  virtual void click(Ui&, glm::dvec2 /*place*/) {}
  virtual std::string more_help() const { return ""; }
  virtual void more_options(Ui&) {}

  bool surface() const { return look_ == 1; }
  const render::Camera& camera() const { return surface() ? orbit_ : camera_; }
  render::Camera& camera() { return surface() ? orbit_ : camera_; }

  PublishedField published_;
  Sheet sheet_;

 private:
  void view_options(Ui& ui);
  struct SheetPlaces {
    glm::ivec2 sheet{0, 0};
    std::optional<Rectangle> strip;
  };
  SheetPlaces lay_out(glm::vec2 size, float scale) const;
  render::Bounds bounds() const;
  float height() const { return published_.height * float(sheet_.length()); }
  void draw_marks(const PictureArea& area);
  void move_camera(const PictureMouse& mouse);
  bool paint(Ui& ui, const PictureArea& area, glm::vec2 at);

  render::FieldPicture field_;
  render::HeightSurface surface_;
  render::Camera camera_{2}, orbit_{3};
  std::size_t look_ = 0;  // field, surface
  double radius_;         // radius of the brush
  bool fresh_ = true, given_camera_ = false, painting_ = false, wiping_ = false;
  glm::vec2 stroke_{0, 0};  // where the brush was last, on the sheet
};

}  // namespace kinescope::app
