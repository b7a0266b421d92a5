// The legend and the scale bar of a picture. They are drawn with ImGui's draw lists, into the window and into pictures
// of any size.
#pragma once

#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/ui/widgets.hpp"

namespace kinescope::app {

// `beside`: to the right of the picture, where its caller leaves room.
enum class LegendPlace { upper_right, upper_left, lower_right, lower_left, beside, none };

// The picture, or the part of the window that shows it.
struct PictureArea {
  ImDrawList* list = nullptr;
  ImVec2 low, high;
  float scale = 1;  // pixels per design pixel
  const Theme* theme = nullptr;
  Fonts fonts;
  int number = 1;  // of this picture among several side by side
  LegendPlace legend = LegendPlace::upper_right;
  bool scale_bar = true;
  float* legend_width = nullptr;  // draw_legend() tells here how wide the legend is, in pixels; null: nobody asks

  glm::vec2 size() const { return {high.x - low.x, high.y - low.y}; }
  // Where in the window a pixel of the picture is.
  ImVec2 in_window(glm::vec2 pixel) const { return {low.x + pixel.x, low.y + pixel.y}; }
  ImVec2 in_window(ImVec2 pixel) const { return {low.x + pixel.x, low.y + pixel.y}; }
  // Writes a line of small text at whole pixels.
  void write(ImVec2 at, ImU32 colour, const std::string& text) const {
    write_text(list, fonts.caption, at, colour, text);
  }
};

// `colour` with another opacity: 0 to 255.
inline ImU32 with_alpha(ImU32 colour, int alpha) {
  return (colour & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, alpha);
}

// Height of the title that each of several pictures side by side has, in design pixels.
inline constexpr float tile_title_height = 56;

struct LegendEntry {
  std::string name;
  render::Rgb colour{};
  std::size_t count = 0;
  bool shown = true;
};

enum class LegendMark { none, ring, disc, line, map };

// A line at the end of the legend, which explains something else in the picture.
struct LegendNote {
  std::string text;
  LegendMark mark = LegendMark::ring;
  render::Rgb colour{};
  const render::Rgb* map = nullptr;  // 256 colours, for a map
};

struct LegendTick {
  double place = 0;  // 0 at the map's low end, 1 at its high end
  std::string text;
};

struct Legend {
  std::string title;
  std::vector<LegendEntry> entries;  // classes
  const render::Rgb* map = nullptr;  // 256 colours, for numbers
  std::vector<LegendTick> ticks;     // beside the map
  std::vector<LegendNote> notes;
};

struct Rectangle {
  ImVec2 low, high;
};

// Draws in the corner that `area` names; if entries do not fit, a last line says how many more there are, and if
// classes share colours, how many colours there are.
void draw_legend(const PictureArea& area, const Legend& legend, int hovered = -1);
// Pixels from the picture's right edge that draw_legend() covers; 0 for an empty legend, or one in another corner.
float legend_reach(const PictureArea& area, const Legend& legend);
// Where draw_legend() puts each entry that it shows.
std::vector<Rectangle> legend_rows(const PictureArea& area, const Legend& legend);

// The length of the scale bar: 1, 2 or 5 times a power of ten units; 0 if there is none.
double scale_bar_length(const PictureArea& area, double units_per_pixel);
// Draws in the lower left corner a line of that length; `unit` follows the number, "": none.
void draw_scale_bar(const PictureArea& area, double units_per_pixel, const std::string& unit = "");

}  // namespace kinescope::app
