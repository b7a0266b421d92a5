// FitzHugh–Nagumo on a sheet: v as colours to paint on, or as a lit surface; tips of spirals; probes.
#pragma once

#include "app/scenes/picture_mouse.hpp"
#include "app/scenes/probes.hpp"
#include "app/scenes/wave_view.hpp"
#include "render/camera.hpp"
#include "render/field_picture.hpp"
#include "render/height_surface.hpp"

namespace kinescope::app {

class SheetView : public WaveView {
 public:
  explicit SheetView(const SceneSetup& setup)
      : painter_(setup.opengl), tips_(setup.opengl, render::PointPath::sprites), camera_(2), orbit_(3) {}

  void begin_run(const WaveRun& run) override;
  void update(const FrameTime& time, const WaveMoment& moment, glm::ivec2 picture_size) override;
  void draw(const render::Canvas& canvas, render::Ground ground) override;
  void draw_overlay(const PictureArea& area) override;
  bool interact(Ui& ui, const PictureArea& area) override;
  void view_options(Ui& ui) override;
  void frame_all(bool at_once) override;
  Texts view_state() const override;
  void set_view_state(const Texts& state) override;
  bool moving() const override { return camera().moving(); }

 private:
  // The sheet above, the probes' strip below it, if there is one.
  struct Layout {
    glm::ivec2 sheet{0, 0};
    Rectangle strip;
    bool has_strip = false;
  };
  Layout lay_out(glm::vec2 size, float scale) const;
  bool surface() const { return look_ == 1; }
  const render::Camera& camera() const { return surface() ? orbit_ : camera_; }
  render::Camera& camera() { return surface() ? orbit_ : camera_; }
  render::Bounds bounds() const;
  float height() const { return float(0.1 * moment_.length()); }  // of v = 1, on the surface
  void draw_tips(const render::Canvas& canvas, render::Ground ground);
  void draw_marks(const PictureArea& area);
  void move_camera(const PictureMouse& mouse);
  bool paint(Ui& ui, const PictureArea& area, glm::vec2 at);

  WaveRun run_;
  WaveMoment moment_;
  PlotPainter painter_;
  render::FieldPicture field_;
  render::HeightSurface surface_;
  render::PointCloud tips_;
  render::Camera camera_, orbit_;
  Probes probes_;
  WaveColours colours_;
  std::size_t look_ = 0;  // field, surface
  double radius_ = 8;     // of the brush, length
  bool show_tips_ = true, probing_ = false, fresh_ = true, given_camera_ = false, painting_ = false, wiping_ = false;
  glm::vec2 stroke_{0, 0};  // where the brush has come to, on the sheet
};

}  // namespace kinescope::app
