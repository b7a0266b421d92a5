#include "app/scenes/points/scale_caption.hpp"

#include <algorithm>

namespace kinescope::app {
namespace {

constexpr const char* link_text = "use raw values";
constexpr float plate_padding = 6, line_height = 18;

}  // namespace

std::string distance_unit(sim::Normalization normalization, double number) {
  if (normalization == sim::Normalization::minmax) return "of the range";
  if (normalization != sim::Normalization::zscore) return "";
  return number == 1 ? "standard deviation" : "standard deviations";
}

ScaleCaption::ScaleCaption(const PictureArea& area, sim::Normalization normalization, ImVec2 at, float room)
    : at_(at), high_(at), room_end_(at.x + room) {
  if (normalization == sim::Normalization::none) return;
  said_ = normalization == sim::Normalization::zscore ? "columns standardized;" : "columns scaled to 0–1;";
  const float s = area.scale, said = width_of(area.fonts.caption, said_ + " "),
              link = width_of(area.fonts.caption, link_text);
  const bool two_lines = said + link + plate_padding * s > room;
  link_.low = two_lines ? ImVec2{at.x, at.y + line_height * s} : ImVec2{at.x + said, at.y};
  link_.high = {link_.low.x + link, link_.low.y + line_height * s};
  high_ = {(two_lines ? at.x + std::max(said, link) : link_.high.x) + plate_padding * s, link_.high.y};
}

void ScaleCaption::draw(const PictureArea& area, bool hovered) const {
  if (said_.empty()) return;
  const float s = area.scale;
  area.list->AddRectFilled({at_.x - plate_padding * s, at_.y - 2 * s}, high_, with_alpha(area.theme->background, 216),
                           corner * s);
  area.write(at_, area.theme->ink_dim, said_);
  const ImU32 colour = hovered ? area.theme->accent_hovered : area.theme->accent;
  area.write(link_.low, colour, link_text);
  if (hovered)
    area.list->AddRectFilled({link_.low.x, link_.high.y - 3 * s}, {link_.high.x, link_.high.y - 2 * s}, colour);
}

}  // namespace kinescope::app
