#include "app/ui/dialog.hpp"

#include <algorithm>
#include <cmath>

namespace kinescope::app {

bool begin_dialog(Ui& ui, const char* id, ImVec2 design_size, bool appeared) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(window);
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                     ImGuiWindowFlags_NoBackground;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin(id, nullptr, flags);
  ImGui::PopStyleVar();
  if (appeared) ImGui::SetWindowFocus();
  const float margin = ui.px(16);
  const ImVec2 size{std::min(window.x - 2 * margin, ui.px(design_size.x)),
                    std::min(window.y - 2 * margin, ui.px(design_size.y))};
  const ImVec2 low{std::round(0.5f * (window.x - size.x)), std::round(0.5f * (window.y - size.y))};
  const ImVec2 high{low.x + size.x, low.y + size.y};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({0, 0}, window, IM_COL32(0, 0, 0, 110));
  list->AddRectFilled(low, high, ui.theme->panel, ui.px(corner));
  list->AddRect(low, high, ui.theme->line, ui.px(corner), 0, std::max(1.f, std::floor(ui.scale)));
  ui.ids.widget(id, low, high);
  const bool beside = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0) && !ImGui::IsMouseHoveringRect(low, high);
  ImGui::SetCursorScreenPos({low.x + ui.px(24), low.y + margin});
  ImGui::BeginChild("content", {size.x - ui.px(48), size.y - 2 * margin}, false, ImGuiWindowFlags_NoScrollbar);
  return !beside && !ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
}

void end_dialog() {
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace kinescope::app
