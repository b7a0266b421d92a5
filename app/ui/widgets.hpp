// The controls that panels are made of. Each fills the width it is given, follows the theme, explains itself on hover,
// and gives its rectangle to the GUI tests under its id.
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

// Keyboard control: up and down move from one control to the next, left and right change its value, Enter presses it.
struct KeyFocus {
  std::string id;                  // the control that has the keys; "": none
  std::vector<std::string> order;  // the controls drawn in this pass so far
  int change = 0;                  // steps that keys ask for
  bool press = false;              // a press that keys ask for
  bool moved = false;              // the control must be scrolled into sight

  // Call before a pass; moves the focus by `steps` in the order of the pass before.
  void begin_pass(int steps);
};

// What every panel needs to draw.
struct Ui {
  const Theme* theme = nullptr;
  Fonts fonts;
  float scale = 1;  // pixels per pixel of the design
  TestIds ids;
  Typing typing;
  KeyFocus keys;

  float px(float design_pixels) const { return std::round(design_pixels * scale); }
};

enum class Icon { play, pause, step, back, loop, restart, close, camera, record, stop, frame_all };

enum class ButtonKind { plain, primary };

// True when pressed. Width 0 fits the text; a negative width takes the rest of the line.
bool button(Ui& ui, const char* id, const char* text, const char* help, ButtonKind kind = ButtonKind::plain,
            float width = 0, bool enabled = true);
bool icon_button(Ui& ui, const char* id, Icon icon, const char* help, ButtonKind kind = ButtonKind::plain);
bool toggle(Ui& ui, const char* id, const char* label, const char* help, bool& on);

// A choice of one of a few options, side by side; true when it changed.
bool segments(Ui& ui, const char* id, const char* label, const char* help, const std::vector<std::string>& options,
              std::size_t& index);
// A choice of one of many options, in a list that opens. Ids use `options`; people read `names` if given.
bool choice(Ui& ui, const char* id, const char* label, const char* help, const std::vector<std::string>& options,
            std::size_t& index, const std::vector<std::string>& names = {});

struct SliderRange {
  double low = 0, high = 1;
  bool logarithmic = false;
  bool whole = false;  // whole numbers only
  double initial = 0;  // what a double-click restores
};
struct SliderEvent {
  bool changed = false;   // the value has changed
  bool finished = false;  // the mouse was let go, a number typed, or the value reset
};
// A drag changes the value; Ctrl-click lets one type it; a double-click restores the initial one. `text`, if not empty,
// is shown instead of the value.
SliderEvent slider(Ui& ui, const char* id, const char* label, const char* unit, const char* help, double& value,
                   const SliderRange& range, const std::string& text = "");

// A field for a line of text; true when Enter was pressed.
bool text_field(Ui& ui, const char* id, const char* hint, const char* help, std::string& text);

void heading(Ui& ui, const char* text, const char* note = "");  // a section's heading; the note is small, at the right
void caption(Ui& ui, const char* text);                         // small and dim; wraps
// A name at the left, its value at the right; before the value a disc in the colour it has in the picture, if any.
void fact(Ui& ui, const char* name, const std::string& value, std::optional<ImU32> colour = {});
// Stands in for a control that has no effect now; the tooltip says why.
void inert(Ui& ui, const char* id, const char* label, const std::string& value, const std::string& why);
// A suggestion in one row with a button; true when it was pressed. `help` says more.
bool offer(Ui& ui, const char* id, const std::string& text, const std::string& action, const std::string& help);
void gap(Ui& ui, float design_pixels = 8);
// A row of a list: true when pressed.
bool list_row(Ui& ui, const char* id, const std::string& text, const char* help, bool selected);

// What keys ask of the last item, which gets its place in the order, and a ring if it has the focus.
struct KeyAsk {
  int change = 0;
  bool press = false;
};
KeyAsk keys_for_last_item(Ui& ui, const char* id);

// Lays a button without a look over this part of the window; it is ImGui's last item afterwards.
void button_over(Ui& ui, const char* id, ImVec2 low, ImVec2 high);

// The text field `label`, which comes next, takes the keyboard in this pass. ImGui::SetKeyboardFocusHere() needs two
// more, and what was typed by then is lost.
void type_into(const char* label);

// Shows a tooltip for the last item after a moment.
void help_for_last_item(Ui& ui, const char* help);
// Shows one at the mouse, at once.
void tell_at_mouse(Ui& ui, const std::string& text);
float width_of(ImFont* font, std::string_view text);  // width of one line in pixels

// Writes one line: write_text at the nearest whole pixels, put_text at those that are not beyond `at`.
void write_text(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text);
void put_text(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text);
// `text` on one line; its beginning, "…" and its end if it is too wide: names often differ in their ends.
std::string shortened(ImFont* font, const std::string& text, float width);

// An option of a choice as people read it; --set and files keep the short names.
std::string option_name(const std::string& option);

// A number with as many digits as mean something: 0.0271, 12.5, 43,500.
std::string number_text(double value, int digits = 3);

}  // namespace kinescope::app
