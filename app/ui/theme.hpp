// How the window looks: one theme in two variants, one accent, distances in steps of 8 pixels, the system's fonts.
#pragma once

#include <imgui.h>
#include <string>

#include "render/colour_map.hpp"

namespace kinescope::app {

// Text keeps a contrast of at least 4.5 : 1 to what it stands on (`ink` and `ink_dim` on background, panel and control;
// `on_accent` on accent; `warning` on panel).
struct Theme {
  render::Background variant;
  ImU32 background;                         // behind the picture
  ImU32 panel, control, control_hovered;    // from the farthest to the nearest
  ImU32 line;                               // borders, ticks
  ImU32 ink, ink_dim;                       // text; captions and units
  ImU32 accent, accent_hovered, on_accent;  // controls that are on or to be pressed
  ImU32 warning;                            // the text of errors
};

const Theme& theme(render::Background variant);

inline ImU32 pack(render::Rgb c) {
  return IM_COL32(c[0], c[1], c[2], 255);
}

// What ImGui takes for a font's size is the height of a line, 1.21 times the size that people speak of (in Inter):
// text of 14 px, captions of 13 px.
inline constexpr float line_of_size = 1.21f, text_height = 14 * line_of_size, caption_height = 13 * line_of_size;

struct Fonts {
  ImFont* text = nullptr;
  ImFont* strong = nullptr;  // semi-bold text
  ImFont* caption = nullptr;
  bool found = false;  // false: ImGui's built-in bitmap font
};

// Loads the fonts into `atlas` (which is emptied first) at `scale` pixels per pixel; all digits get the same width.
Fonts load_fonts(ImFontAtlas& atlas, float scale);

// The path of the system's font, regular or semi-bold; "" if none is installed.
std::string font_path(bool strong);

// Makes the theme ImGui's style, for what our widgets leave to it: text fields, pop-ups, scroll bars.
void apply_theme(const Theme& theme, float scale);

// The corner radius of every control, in unscaled pixels.
inline constexpr float corner = 4;

}  // namespace kinescope::app
