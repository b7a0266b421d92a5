// The controls that panels are made of. Each fills the width it is given, looks as the theme says, tells on hover what
// it does, and gives its rectangle to the GUI tests under its id.
#pragma once

#include <cmath>
#include <imgui.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/output.hpp"
#include "app/ui/test_ids.hpp"
#include "app/ui/theme.hpp"

namespace kinescope::app {

// A slider whose value is being typed.
struct Typing {
  ImGuiID id = 0;
  char text[64] = "";
  bool fresh = false;
};

// Controls by keyboard: arrows up and down go from one to the next, left and right change it, Enter presses it.
struct KeyFocus {
  std::string id;                  // of the control that keys go to; "": none
  std::vector<std::string> order;  // of the controls that are drawn, in this pass so far
  int change = 0;                  // what keys ask of it: steps,
  bool press = false;              // a press,
  bool moved = false;              // to be brought into sight

  // Before a pass: `steps` controls on from where it is, among those of the pass before.
  void begin_pass(int steps);
};

// What every panel draws with.
struct Ui {
  const Theme* theme = nullptr;
  Fonts fonts;
  float scale = 1;  // pixels per pixel of the design
  TestIds ids;
  Typing typing;
  KeyFocus keys;

  float px(float design_pixels) const { return std::round(design_pixels * scale); }
};

enum class Icon { play, pause, step, restart, close, camera, record, stop, frame_all };

enum class ButtonKind { plain, primary };

// True when pressed. Width 0: as wide as its text needs; negative: the rest of the line.
bool button(Ui& ui, const char* id, const char* text, const char* help, ButtonKind kind = ButtonKind::plain,
            float width = 0, bool enabled = true);
bool icon_button(Ui& ui, const char* id, Icon icon, const char* help, ButtonKind kind = ButtonKind::plain);
bool toggle(Ui& ui, const char* id, const char* label, const char* help, bool& on);

// One of a few options, side by side; true when another one was chosen.
bool segments(Ui& ui, const char* id, const char* label, const char* help, const std::vector<std::string>& options,
              std::size_t& index);
// One of many, in a list that opens; ids have the options, people read `names`, if there are any.
bool choice(Ui& ui, const char* id, const char* label, const char* help, const std::vector<std::string>& options,
            std::size_t& index, const std::vector<std::string>& names = {});

struct SliderRange {
  double low = 0, high = 1;
  bool logarithmic = false;
  bool whole = false;  // whole numbers only
  double initial = 0;  // what a double-click restores
};
struct SliderEvent {
  bool changed = false;   // the value is another one than before
  bool finished = false;  // the mouse was let go, a number typed, or the value reset
};
// Drag; Ctrl-click types a value; double-click restores the initial one. `text` replaces the value's own text if not
// empty.
SliderEvent slider(Ui& ui, const char* id, const char* label, const char* unit, const char* help, double& value,
                   const SliderRange& range, const std::string& text = "");

// A field for a line of text; true when Enter was pressed.
bool text_field(Ui& ui, const char* id, const char* hint, const char* help, std::string& text);

void heading(Ui& ui, const char* text, const char* note = "");  // of a section; the note small at the right
void caption(Ui& ui, const char* text);                         // small and dim, wraps
// Name left, value right; before the value a disc of the colour that it has in the picture, if it has one.
void fact(Ui& ui, const char* name, const std::string& value, std::optional<ImU32> colour = {});
// In place of a control that has no effect now; `why` on hover.
void inert(Ui& ui, const char* id, const char* label, const std::string& value, const std::string& why);
// What might be better, in one row: in brief, and a button; true when that was pressed. `help` tells the whole.
bool offer(Ui& ui, const char* id, const std::string& text, const std::string& action, const std::string& help);
void gap(Ui& ui, float design_pixels = 8);
// A row of a list: true when pressed.
bool list_row(Ui& ui, const char* id, const std::string& text, const char* help, bool selected);

// What keys ask of the last item; it gets its place in the order, and a ring if it is its turn.
struct KeyAsk {
  int change = 0;
  bool press = false;
};
KeyAsk keys_for_last_item(Ui& ui, const char* id);

// The tooltip of the last item, after a moment.
void help_for_last_item(Ui& ui, const char* help);
float width_of(ImFont* font, std::string_view text);  // pixels, of one line
// `text`, or its beginning, "…" and its end where it would be wider: names often differ in their ends.
std::string shortened(ImFont* font, const std::string& text, float width);

// A number with as many digits as mean something: 0.0271, 12.5, 43,500.
std::string number_text(double value, int digits = 3);

}  // namespace kinescope::app
