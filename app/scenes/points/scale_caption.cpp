#include "app/scenes/points/scale_caption.hpp"

#include <algorithm>

namespace kinescope::app {
namespace {

constexpr const char* link_text = "use raw values";
constexpr float plate_padding = 6, line_height = 18;

std::string said_of(sim::Normalization normalization) {
  return normalization == sim::Normalization::zscore ? "columns standardized;" : "columns scaled to 0–1;";
}

// Widths of the sentence up to the link, and of the link.
struct Widths {
  float said = 0, link = 0;
  bool two_lines = false;
};

Widths widths_of(const PictureArea& area, float room, sim::Normalization normalization) {
  Widths widths;
  widths.said = width_of(area.fonts.caption, said_of(normalization) + " ");
  widths.link = width_of(area.fonts.caption, link_text);
  widths.two_lines = widths.said + widths.link + 2 * plate_padding * area.scale > room;
  return widths;
}

}  // namespace

std::string distance_unit(sim::Normalization normalization, double number) {
  if (normalization == sim::Normalization::minmax) return "of the range";
  if (normalization != sim::Normalization::zscore) return "";
  return number == 1 ? "standard deviation" : "standard deviations";
}

Rectangle raw_values_link(const PictureArea& area, ImVec2 at, float room, sim::Normalization normalization) {
  if (normalization == sim::Normalization::none) return {};
  const Widths widths = widths_of(area, room, normalization);
  const ImVec2 low =
      widths.two_lines ? ImVec2{at.x, at.y + line_height * area.scale} : ImVec2{at.x + widths.said, at.y};
  return {low, {low.x + widths.link, low.y + line_height * area.scale}};
}

Rectangle draw_scale_caption(const PictureArea& area, ImVec2 at, float room, sim::Normalization normalization,
                             bool hovered) {
  const Rectangle link = raw_values_link(area, at, room, normalization);
  if (normalization == sim::Normalization::none) return link;
  const Widths widths = widths_of(area, room, normalization);
  const float s = area.scale, padding = plate_padding * s;
  const float right = widths.two_lines ? at.x + std::max(widths.said, widths.link) : link.high.x;
  area.list->AddRectFilled({at.x - padding, at.y - 2 * s}, {right + padding, link.high.y},
                           with_alpha(area.theme->background, 216), corner * s);
  area.write(at, area.theme->ink_dim, said_of(normalization));
  const ImU32 colour = hovered ? area.theme->accent_hovered : area.theme->accent;
  area.write(link.low, colour, link_text);
  if (hovered) area.list->AddRectFilled({link.low.x, link.high.y - 3 * s}, {link.high.x, link.high.y - 2 * s}, colour);
  return link;
}

}  // namespace kinescope::app
