// Owns Dear ImGui: its context, its OpenGL backend, the fonts at the scale of the display, and our theme.
#pragma once

#include <imgui.h>

#include "app/ui/theme.hpp"

namespace kinescope::app {

class Gui {
 public:
  // The OpenGL context must be current, here and when this is destroyed.
  Gui(float scale, render::Background variant);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  const Fonts& fonts() const { return fonts_; }
  float scale() const { return scale_; }
  void set_scale(float scale);  // between frames
  void set_variant(render::Background variant);

  void begin_frame();
  void end_frame() { ImGui::Render(); }
  void draw();  // onto the bound framebuffer

 private:
  float scale_;
  render::Background variant_;
  Fonts fonts_;
};

}  // namespace kinescope::app
