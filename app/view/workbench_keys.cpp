// The keyboard, and the help that lists what it does.
#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "app/runs/registry.hpp"
#include "app/view/workbench.hpp"

// GLFW comes after glad, which the workbench includes.
#include <GLFW/glfw3.h>

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

}  // namespace

// False if no scene and no feature has anything that Escape closes.
bool Workbench::close_something() const {
  bool closed = false;
  each_contribution([&](const Contributions& adds) { closed = closed || (adds.close && adds.close()); });
  return closed;
}

void Workbench::keyboard() {
  const ImGuiIO& io = ImGui::GetIO();
  const bool listens = interactive_ && !io.WantTextInput && !file_dialog_.shown();
  // ImGui 1.86 is given keys by their GLFW numbers.
  const auto pressed = [](int key, bool repeat = false) { return ImGui::IsKeyPressed(key, repeat); };
  ui_.keys.begin_pass(listens ? int(pressed(GLFW_KEY_DOWN, true)) - int(pressed(GLFW_KEY_UP, true)) : 0);
  if (!listens) return;
  ui_.keys.change = int(pressed(GLFW_KEY_RIGHT, true)) - int(pressed(GLFW_KEY_LEFT, true));
  ui_.keys.press = pressed(GLFW_KEY_ENTER);
  if (ImGui::IsMouseClicked(0)) ui_.keys.id.clear();
  if (pressed(GLFW_KEY_SPACE)) actions_.toggle_running = true;
  if (pressed(GLFW_KEY_PERIOD, true)) actions_.step = true;
  if (pressed('R') && !io.KeyCtrl) actions_.restart = true;
  if (pressed('F')) actions_.frame_all = true;
  if (pressed(GLFW_KEY_LEFT_BRACKET, true)) actions_.moment_back = true;
  if (pressed(GLFW_KEY_RIGHT_BRACKET, true)) actions_.moment_forward = true;
  if (pressed('P')) actions_.play_timeline = true;
  if (pressed('L')) actions_.go_live = true;
  if (pressed(GLFW_KEY_TAB)) toggle_panels();
  if (pressed(GLFW_KEY_F1)) keys_shown_ = !keys_shown_;
  const auto& kinds = simulation_kinds();
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (pressed('1' + k)) session_.show(*kinds[k]);
  if (io.KeyCtrl && pressed('S')) actions_.save_session = true;
  if (io.KeyCtrl && pressed('O')) ask_for_file();
  if (pressed(GLFW_KEY_F5)) reload();
  if (pressed(GLFW_KEY_F9)) actions_.record = true;
  if (pressed(GLFW_KEY_F12)) save_picture(io.KeyShift ? 4 : 1);
  if (pressed(GLFW_KEY_ESCAPE)) {
    // Escape closes one thing at a time, the topmost first.
    if (keys_shown_)
      keys_shown_ = false;
    else if (!ui_.keys.id.empty())
      ui_.keys.id.clear();
    else if (!banner_.empty())
      dismiss();
    else if (session_.loading())
      session_.cancel();
    else if (!close_something() && !panels_shown_)
      panels_shown_ = true;
  }
}

// Keys on the left, the meanings of the scene's figures on the right; in a narrow window one is below the other.
void Workbench::draw_keys() {
  static constexpr const char* keys[][2] = {{"Space", "Run, pause"},
                                            {".", "One iteration"},
                                            {"R", "Restart"},
                                            {"[ ], P, L", "Timeline: back, forward; play; live"},
                                            {"F", "Show everything"},
                                            {"1 … 5", "Switch scene"},
                                            {"Tab", "Hide or show the panels"},
                                            {"↑ ↓, ← →", "Choose a control, change it"},
                                            {"Ctrl O", "Open a file"},
                                            {"F5", "Read the file again"},
                                            {"Ctrl S", "Save the session"},
                                            {"F9", "Record a video; stop"},
                                            {"F12", "Save the picture (Shift: 4×)"},
                                            {"Drag", "Move; in 3-D, turn"},
                                            {"Shift drag, right drag", "Move"},
                                            {"Ctrl drag", "Select (Shift: add)"},
                                            {"Wheel", "Zoom"},
                                            {"Click", "Keep a row; hide a class"},
                                            {"Alt click", "Place a probe on a sheet"},
                                            {"W A S D, Q E", "Move in a landscape"},
                                            {"Double-click", "Reset a parameter"},
                                            {"Ctrl-click", "Type a value"},
                                            {"Esc", "Close, or clear the selection"},
                                            {"F1", "This help"}};
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float margin = ui_.px(16), row = ui_.px(20), room = window.x - 2 * margin;
  const bool beside = room >= ui_.px(760);
  const float width = std::min(room, ui_.px(beside ? 800 : 420)), column = beside ? 0.5f * width : width;
  const float wanted = ui_.px(beside ? 548 : 820);
  const float height = std::min(window.y - 2 * margin, wanted);
  const Box box{std::round(0.5f * (window.x - width)), std::round(0.5f * (window.y - height)), width, height};
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.f, std::floor(ui_.scale)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui_.px(24), ui_.px(16)});
  begin_fixed("keys", box);
  ImGui::PopStyleVar(2);
  ImGui::SetWindowFocus();
  const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui_.px(8), 0});
  heading(ui_, "Keys and mouse");
  for (const auto& [key, meaning] : keys) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({1, row});
    ImDrawList* list = ImGui::GetWindowDrawList();
    put_text(list, ui_.fonts.caption, at, ui_.theme->ink, key);
    put_text(list, ui_.fonts.caption, {at.x + ui_.px(152), at.y}, ui_.theme->ink_dim, meaning);
  }
  if (beside) ImGui::SetCursorPos({left + column, top});
  ImGui::BeginGroup();
  if (!beside) gap(ui_, 16);
  heading(ui_, "Figures");
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + column - ui_.px(48));
  ImGui::PushFont(ui_.fonts.caption);
  each_contribution([&](const Contributions& adds) {
    for (const auto& [name, meaning] : adds.figures) {
      ImGui::TextUnformatted(name.c_str());
      ImGui::PushStyleColor(ImGuiCol_Text, ui_.theme->ink_dim);
      ImGui::TextUnformatted(meaning.c_str());
      ImGui::PopStyleColor();
      gap(ui_, 8);
    }
  });
  gap(ui_, 8);
  ImGui::TextUnformatted("About");
  ImGui::PushStyleColor(ImGuiCol_Text, ui_.theme->ink_dim);
  const bool software = gpu_timer_.kind() == render::TimerKind::finish;
  const auto about =
      fmt::format("Kinescope {}, {}", KINESCOPE_VERSION, software ? "software OpenGL" : "OpenGL on a GPU");
  ImGui::TextUnformatted(about.c_str());
  if (session_.buffers())
    ImGui::TextUnformatted(
        fmt::format("Buffers shared with the simulation: {}", in_plain_words(session_.buffers()->path())).c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
  ui_.ids.last_item("figures");
  ImGui::PopStyleVar();
  ui_.ids.widget("keys", box.low(), box.high());
  ImGui::End();
}

}  // namespace kinescope::app
