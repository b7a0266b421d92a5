// The mouse over a scene's picture.
#pragma once

#include <glm/vec2.hpp>

#include "app/scenes/legend.hpp"
#include "app/ui/widgets.hpp"
#include "render/camera.hpp"

namespace kinescope::app {

struct PictureMouse {
  bool hovered = false;              // over the picture, and nothing lies between
  bool held = false;                 // a button went down there and still is
  glm::vec2 at{0, 0}, before{0, 0};  // now and a frame ago, pixels from the picture's upper left corner
  bool moved() const { return at != before; }
  void zoom(render::Camera& camera) const;  // by the wheel, to where the mouse is
};

// Lays a button over the picture, which then is ImGui's last item.
PictureMouse mouse_over(Ui& ui, const PictureArea& area);

}  // namespace kinescope::app
