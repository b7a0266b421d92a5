// What a person can do with the keyboard. One table says it to the keys, to their help, and to whatever else lists
// commands.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/widgets.hpp"

namespace kinescope::app {

// A key, and whether others must be held with it; none: either way will do.
struct Key {
  int code = 0;          // GLFW's number
  bool repeats = false;  // again and again while it is held
  std::optional<bool> ctrl = {}, shift = {};
};

std::string key_text(const Key& key);  // "Ctrl Shift Z"

struct Command {
  std::string title;  // "Restart"
  Key key;
  std::function<void()> run;
  std::string detail = {};  // what the palette says beside the title
};

// A line of the help, and the commands that it describes: none if it is about the mouse, or about keys that something
// else listens to.
struct HelpLine {
  const char* keys;
  const char* meaning;
  std::vector<Command> commands = {};
};

class Commands {
 public:
  explicit Commands(std::vector<HelpLine> lines) : lines_(std::move(lines)) {}

  // Call in each pass over the panels, before they are drawn: runs the commands whose keys were pressed, and moves the
  // focus among the controls. `listens`: the keys are meant for the window, and not for a text that is being typed.
  void run_pressed(Ui& ui, bool listens) const;
  const std::vector<HelpLine>& help() const { return lines_; }

 private:
  std::vector<HelpLine> lines_;
};

}  // namespace kinescope::app
