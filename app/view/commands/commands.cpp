#include "app/view/commands/commands.hpp"

#include "render/gl/opengl.hpp"

// GLFW comes after glad, which render/gl/opengl.hpp includes.
#include <GLFW/glfw3.h>

namespace kinescope::app {
namespace {

// ImGui 1.86 is given keys by their GLFW numbers.
bool pressed(const Key& key) {
  const ImGuiIO& io = ImGui::GetIO();
  return ImGui::IsKeyPressed(key.code, key.repeats) && key.ctrl.value_or(io.KeyCtrl) == io.KeyCtrl &&
         key.shift.value_or(io.KeyShift) == io.KeyShift;
}

// 1 or −1 if one of both keys was pressed.
int direction(int forward, int back) {
  return int(pressed({forward, true})) - int(pressed({back, true}));
}

}  // namespace

std::string key_text(const Key& key) {
  std::string text = std::string(key.ctrl.value_or(false) ? "Ctrl " : "") + (key.shift.value_or(false) ? "Shift " : "");
  if (key.code >= GLFW_KEY_F1 && key.code <= GLFW_KEY_F25)
    return text + "F" + std::to_string(key.code - GLFW_KEY_F1 + 1);
  switch (key.code) {
    case GLFW_KEY_SPACE:
      return text + "Space";
    case GLFW_KEY_TAB:
      return text + "Tab";
    case GLFW_KEY_ESCAPE:
      return text + "Esc";
    case GLFW_KEY_ENTER:
      return text + "Enter";
    default:
      return text + char(key.code);  // GLFW numbers keys with a character by it
  }
}

void Commands::run_pressed(Ui& ui, bool listens) const {
  ui.keys.begin_pass(listens ? direction(GLFW_KEY_DOWN, GLFW_KEY_UP) : 0);
  if (!listens) return;
  ui.keys.change = direction(GLFW_KEY_RIGHT, GLFW_KEY_LEFT);
  ui.keys.press = pressed({GLFW_KEY_ENTER});
  if (ImGui::IsMouseClicked(0)) ui.keys.id.clear();
  for (const HelpLine& line : lines_)
    for (const Command& command : line.commands)
      if (pressed(command.key)) command.run();
}

}  // namespace kinescope::app
