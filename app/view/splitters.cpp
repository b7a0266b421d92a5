#include "app/view/splitters.hpp"

#include <algorithm>
#include <cmath>

namespace kinescope::app {
namespace {

// A panel's size in design pixels, and how it follows the mouse.
struct Dragged {
  float& size;
  float sign;  // −1: it grows when the mouse moves left or up
  float low, high;
};

void draw_edge(Ui& ui, const char* id, const Box& box, bool vertical, const Dragged& panel) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  begin_fixed(id, box, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar(2);
  pressable(id, {box.width, box.height});
  const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  if (active || hovered) ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (active)
    panel.size = std::clamp(panel.size + panel.sign * (vertical ? moved.x : moved.y) / ui.scale, panel.low, panel.high);
  const ImU32 colour = active || hovered ? ui.theme->accent : ui.theme->line;
  const float thick = std::max(1.f, std::floor(ui.scale));
  const ImVec2 middle{std::floor(box.x + 0.5f * box.width), std::floor(box.y + 0.5f * box.height)}, end = box.high();
  const ImVec2 from = vertical ? ImVec2{middle.x, box.y} : ImVec2{box.x, middle.y};
  const ImVec2 to = vertical ? ImVec2{middle.x + thick, end.y} : ImVec2{end.x, middle.y + thick};
  ImGui::GetWindowDrawList()->AddRectFilled(from, to, colour);
  ui.ids.last_item(id);
  ImGui::End();
}

}  // namespace

void draw_splitters(Ui& ui, const PanelPlaces& layout, Settings& settings) {
  const float grip = ui.px(8), bottom = layout.bottom.y;
  if (layout.left.width > 0) {
    draw_edge(ui, "split-left", {layout.left.width - grip / 2, 0, grip, bottom}, true,
              {settings.left_width, 1, least_left_width, most_side_width});
    draw_edge(ui, "split-right", {layout.right.x - grip / 2, 0, grip, bottom}, true,
              {settings.right_width, -1, least_right_width, most_side_width});
  }
  draw_edge(ui, "split-bottom", {0, bottom - grip / 2, layout.bottom.width, grip}, false,
            {settings.bottom_height, -1, least_bottom_height, most_bottom_height});
}

}  // namespace kinescope::app
