#include "app/scenes/picture_mouse.hpp"

namespace kinescope::app {

void PictureMouse::zoom(render::Camera& camera) const {
  const float wheel = ImGui::GetIO().MouseWheel;
  if (hovered && wheel != 0) camera.zoom(wheel, at);
}

PictureMouse mouse_over(Ui& ui, const PictureArea& area) {
  const std::string id = area.number > 1 ? "picture." + std::to_string(area.number) : "picture";
  ImGui::SetCursorScreenPos(area.low);
  pressable(id.c_str(), {area.size().x, area.size().y},
            ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  ui.ids.last_item(id.c_str());
  const ImGuiIO& io = ImGui::GetIO();
  const glm::vec2 at{io.MousePos.x - area.low.x, io.MousePos.y - area.low.y};
  return {ImGui::IsItemHovered(), ImGui::IsItemActive(), at, at - glm::vec2(io.MouseDelta.x, io.MouseDelta.y)};
}

}  // namespace kinescope::app
