#include "app/view/commands/keys_help.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "app/ui/layout.hpp"

namespace kinescope::app {
namespace {

const char* in_plain_words(render::SharedPath path) {
  switch (path) {
    case render::SharedPath::mapped_ring:
      return "in the computer's memory";
    case render::SharedPath::cuda_shared:
      return "on the GPU, nothing is copied";
    case render::SharedPath::cuda_staged:
      return "copied through the computer's memory";
  }
  return "";
}

void draw_keys(Ui& ui, const Commands& commands) {
  heading(ui, "Keys and mouse");
  for (const HelpLine& line : commands.help()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({1, ui.px(20)});
    ImDrawList* list = ImGui::GetWindowDrawList();
    put_text(list, ui.fonts.caption, at, ui.theme->ink, line.keys);
    put_text(list, ui.fonts.caption, {at.x + ui.px(152), at.y}, ui.theme->ink_dim, line.meaning);
  }
}

void draw_figures(Ui& ui, const Explanations& figures) {
  heading(ui, "Figures");
  ImGui::PushFont(ui.fonts.caption);
  for (const auto& [name, meaning] : figures) {
    ImGui::TextUnformatted(name.c_str());
    ImGui::PushStyleColor(ImGuiCol_Text, ui.theme->ink_dim);
    ImGui::TextUnformatted(meaning.c_str());
    ImGui::PopStyleColor();
    gap(ui, 8);
  }
  gap(ui, 8);
  ImGui::PopFont();
}

void draw_about(Ui& ui, bool software, const render::SharedBuffers* buffers) {
  ImGui::PushFont(ui.fonts.caption);
  ImGui::TextUnformatted("About");
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme->ink_dim);
  const auto about =
      fmt::format("Kinescope {}, {}", KINESCOPE_VERSION, software ? "software OpenGL" : "OpenGL on a GPU");
  ImGui::TextUnformatted(about.c_str());
  if (buffers)
    ImGui::TextUnformatted(
        fmt::format("Buffers shared with the simulation: {}", in_plain_words(buffers->path())).c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

}  // namespace

// Keys on the left, the meanings of the scene's figures on the right; in a narrow window one is below the other.
void KeysHelp::draw(Ui& ui, const Commands& commands, const Explanations& figures, bool software,
                    const render::SharedBuffers* buffers) const {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float margin = ui.px(16), room = window.x - 2 * margin;
  const bool beside = room >= ui.px(760);
  const float width = std::min(room, ui.px(beside ? 800 : 420)), column = beside ? 0.5f * width : width;
  // All keys are in sight; below them, the figures take about as much as in their own column.
  const float keys = 64 + 20 * float(commands.help().size()), wanted = ui.px(beside ? keys : keys + 272);
  const float height = std::min(window.y - 2 * margin, wanted);
  const Box box{std::round(0.5f * (window.x - width)), std::round(0.5f * (window.y - height)), width, height};
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.f, std::floor(ui.scale)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(24), ui.px(16)});
  begin_fixed("keys", box);
  ImGui::PopStyleVar(2);
  ImGui::SetWindowFocus();
  const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
  draw_keys(ui, commands);
  if (beside) ImGui::SetCursorPos({left + column, top});
  ImGui::BeginGroup();
  if (!beside) gap(ui, 16);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + column - ui.px(48));
  draw_figures(ui, figures);
  draw_about(ui, software, buffers);
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
  ui.ids.last_item("figures");
  ImGui::PopStyleVar();
  ui.ids.widget("keys", box.low(), box.high());
  ImGui::End();
}

}  // namespace kinescope::app
