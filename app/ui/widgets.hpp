// The controls that panels are made of. Each uses the available width, follows the theme, shows a tooltip on hover, and
// reports its rectangle to the GUI tests under its id.
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

// The slider whose value is being typed, if any.
struct Typing {
  ImGuiID id = 0;
  char text[64] = "";
  bool fresh = false;
};

// Keyboard control: up and down move the focus from one control to the next, left and right change the value of the
// focused control, Enter presses it.
struct KeyFocus {
  std::string id;                  // the control that has the focus; "": none
  std::vector<std::string> order;  // the controls drawn so far in this pass over the panels
  int change = 0;                  // steps by which the left and right keys change the value
  bool press = false;              // Enter was pressed
  bool moved = false;              // the focused control must be scrolled into view
  std::string sought;              // the control that give() named, until it is drawn

  // Call before a pass over the panels. Moves the focus by `steps` in the order in which the previous pass drew the
  // controls; if no control has it, to the first parameter.
  void begin_pass(int steps);
  // Gives the focus to a control that may be drawn only in a later pass, and scrolls it into view then.
  void give(const std::string& control) { id = sought = control; }
};

// What every panel needs to draw.
struct Ui {
  const Theme* theme = nullptr;
  Fonts fonts;
  float scale = 1;  // pixels per design pixel
  TestIds ids;
  Typing typing;
  KeyFocus keys;
  std::string search;  // what is typed above the list that is open

  float px(float design_pixels) const { return std::round(design_pixels * scale); }
};

enum class Icon { play, pause, step, back, loop, restart, close, camera, record, stop, frame_all };

enum class ButtonKind { plain, primary };

struct ButtonColours {
  ImU32 surface, ink;
};
ButtonColours button_colours(const Theme& theme, ButtonKind kind, bool enabled, bool bright);

// ImGui::InvisibleButton, at least a pixel large: in a very small window there may be no room for a control, and Dear
// ImGui ends the program if a size is 0.
bool pressable(const char* id, ImVec2 size, ImGuiButtonFlags flags = 0);

// True when pressed. Width 0 fits the text; a negative width takes the rest of the line.
bool button(Ui& ui, const char* id, const char* text, const char* help, ButtonKind kind = ButtonKind::plain,
            float width = 0, bool enabled = true);
bool icon_button(Ui& ui, const char* id, Icon icon, const char* help, ButtonKind kind = ButtonKind::plain);
bool toggle(Ui& ui, const char* id, const char* label, const char* help, bool& on);

// Options side by side, one of which is chosen; true when the choice changed.
bool segments(Ui& ui, const char* id, const char* label, const char* help, const std::vector<std::string>& options,
              std::size_t& index);
// The same for many options, in a list that opens, and can be searched if it is long. Ids use `options`; the list shows
// `names` if given.
bool choice(Ui& ui, const char* id, const char* label, const char* help, const std::vector<std::string>& options,
            std::size_t& index, const std::vector<std::string>& names = {});

struct SliderRange {
  double low = 0, high = 1;
  double least = 0, most = 0;  // of a typed value, which may lie beyond the track; equal: the track's ends
  bool logarithmic = false;
  bool whole = false;  // whole numbers only
  double initial = 0;  // what a double-click restores
};
struct SliderEvent {
  bool changed = false;      // the value has changed
  bool finished = false;     // the mouse was released, a number was entered, or the value was reset or changed by a key
  std::string refused = {};  // what was entered although it is no number; the value stays
};
// A drag changes the value; Ctrl-click lets one type it; a double-click restores the initial one. `text`, if not empty,
// is shown instead of the value.
SliderEvent slider(Ui& ui, const char* id, const char* label, const char* unit, const char* help, double& value,
                   const SliderRange& range, const std::string& text = "");

// A field for a line of text; true when Enter was pressed.
bool text_field(Ui& ui, const char* id, const char* hint, const char* help, std::string& text);

void heading(Ui& ui, const char* text, const char* note = "");  // a section's heading; the note is small, at the right
void caption(Ui& ui, const char* text);                         // small and dim; wraps
// A name on the left and its value on the right. If `colour` is given, a disc of that colour, which the value has in
// the picture, is before the value.
void fact(Ui& ui, const char* name, const std::string& value, std::optional<ImU32> colour = {});
// Shown in place of a control that has no effect now; the tooltip says why.
void inert(Ui& ui, const char* id, const char* label, const std::string& value, const std::string& why);
// A suggestion in one row with a button; true when it was pressed. `help` says more.
bool offer(Ui& ui, const char* id, const std::string& text, const std::string& action, const std::string& help);
void gap(Ui& ui, float design_pixels = 8);
// A row of a list: true when pressed.
bool list_row(Ui& ui, const char* id, const std::string& text, const char* help, bool selected);

// Makes ImGui's last item reachable with the keys (adds it to KeyFocus::order) and returns what the keys ask of it.
// Draws a ring around it if it has the focus.
struct KeyAsk {
  int change = 0;
  bool press = false;
};
KeyAsk keys_for_last_item(Ui& ui, const char* id);

// Lays an invisible button over this part of the window. It is ImGui's last item afterwards.
void button_over(Ui& ui, const char* id, ImVec2 low, ImVec2 high);

// Gives the keyboard to the text field `label`, which must come next, in this pass. ImGui::SetKeyboardFocusHere() needs
// two more passes, and what is typed in the meantime is lost.
void type_into(const char* label);

// Shows a tooltip for ImGui's last item once the mouse has rested on it for a moment.
void help_for_last_item(Ui& ui, const char* help);
// Shows a tooltip at the mouse, at once.
void tell_at_mouse(Ui& ui, const std::string& text);
float width_of(ImFont* font, std::string_view text);  // width of one line in pixels

// Both write one line of text at whole pixels: write_text rounds `at` to the nearest, put_text leaves it to ImGui,
// which rounds down.
void write_text(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text);
void put_text(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text);
// `text` as one line. If it is too wide, its middle is replaced by "…": the ends stay, because names often differ
// there.
std::string shortened(ImFont* font, const std::string& text, float width);

std::string small_letters(std::string text);  // letters from A to Z as small ones

// A number with `digits` significant digits (all those before the decimal point): 0.0271, 12.5, 43,500.
std::string number_text(double value, int digits = 3);

}  // namespace kinescope::app
