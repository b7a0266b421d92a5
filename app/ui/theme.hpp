// How the window looks: one theme in two variants, one accent, distances in steps of 8 pixels, the system's fonts.
#pragma once

#include <imgui.h>
#include <string>

#include "render/colour_map.hpp"

namespace kinescope::app {

// Text has a contrast of at least 4.5 : 1 to the surface behind it (`ink`, `ink_dim` and `warning` on background,
// panel and control, hovered or not; `on_accent` on accent; `accent` on background and panel).
struct Theme {
  render::Background variant;
  ImU32 background;                         // behind the picture
  ImU32 panel, control, control_hovered;    // surfaces, from the back to the front
  ImU32 line;                               // borders, ticks
  ImU32 ink, ink_dim;                       // text; captions and units
  ImU32 accent, accent_hovered, on_accent;  // controls that are on, primary buttons; the text on them
  ImU32 warning;                            // text of warnings and errors
};

const Theme& theme(render::Background variant);
render::Rgb accent_colour(render::Background variant);  // the theme's accent, for what is drawn in the picture

inline ImU32 pack(render::Rgb c) {
  return IM_COL32(c[0], c[1], c[2], 255);
}

// ImGui's font size is the line height, which in Inter is 1.21 times the usual font size. These give text of 14 px and
// captions of 13 px.
inline constexpr float line_of_size = 1.21f, text_height = 14 * line_of_size, caption_height = 13 * line_of_size;

struct Fonts {
  ImFont* text = nullptr;
  ImFont* strong = nullptr;  // semi-bold text
  ImFont* caption = nullptr;
  bool found = false;  // false: ImGui's built-in bitmap font is used
};

// Loads the fonts into `atlas` (which is emptied first) at `scale` pixels per design pixel; all digits get the same
// width.
Fonts load_fonts(ImFontAtlas& atlas, float scale);

// The path of the system's font, regular or semi-bold; "" if none is installed.
std::string font_path(bool strong);

// Sets ImGui's style to the theme, for the parts that ImGui draws itself: text fields, pop-ups, scroll bars.
void apply_theme(const Theme& theme, float scale);

// The corner radius of every control, in design pixels.
inline constexpr float corner = 4;

}  // namespace kinescope::app
