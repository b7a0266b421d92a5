// The mouse over a scene's picture.
#pragma once

#include <glm/vec2.hpp>

#include "app/scenes/legend.hpp"
#include "app/ui/widgets.hpp"
#include "render/camera.hpp"

namespace kinescope::app {

struct PictureMouse {
  bool hovered = false;              // over the picture, with nothing in between
  bool held = false;                 // a button was pressed there and is still held
  glm::vec2 at{0, 0}, before{0, 0};  // now and a frame ago, pixels from the picture's upper left corner
  bool moved() const { return at != before; }
  void zoom(render::Camera& camera) const;  // zooms with the wheel, towards the mouse
};

// Lays an invisible button over the picture. It is ImGui's last item afterwards.
PictureMouse mouse_over(Ui& ui, const PictureArea& area);

}  // namespace kinescope::app
