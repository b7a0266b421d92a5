#include "app/scenes/legend.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "app/plot/plot_axis.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr float margin = 16, row_height = 24, padding = 12, swatch = 10, map_height = 128, map_width = 12;

// A plate behind the legend keeps it legible over many points.
void draw_plate(const PictureArea& area, ImVec2 low, ImVec2 high) {
  area.list->AddRectFilled(low, high, with_alpha(area.theme->background, 216), corner * area.scale);
}

float mark_width(const LegendNote& note) {
  return note.mark == LegendMark::map ? 4 * swatch : swatch;
}

struct LegendPlaces {
  std::size_t rows = 0;  // number of entries
  bool more = false;     // a last row says how many others there are
  float width = 0, height = 0;
  ImVec2 low;
};

LegendPlaces lay_out(const PictureArea& area, const Legend& legend) {
  const float s = area.scale;
  LegendPlaces layout;
  const float title = legend.title.empty() ? 0 : row_height, notes = row_height * float(legend.notes.size());
  const float room = (area.high.y - area.low.y) / s - 2 * margin - 2 * padding - title - notes;
  const auto fitting = static_cast<std::size_t>(std::max(0.f, room / row_height));
  const std::size_t entries = legend.entries.size();
  layout.more = entries > fitting;
  layout.rows = !layout.more ? entries : fitting > 0 ? fitting - 1 : 0;
  float width = width_of(area.fonts.strong, legend.title) + 1;  // a text that fits exactly must not be shortened
  for (const LegendNote& note : legend.notes)
    width = std::max(width, width_of(area.fonts.caption, note.text) + (mark_width(note) + 8) * s);
  for (const LegendEntry& entry : legend.entries)
    width = std::max(width, width_of(area.fonts.text, entry.name) + (swatch + 8 + 24) * s +
                                width_of(area.fonts.caption, sim::with_commas(entry.count)));
  if (legend.map)
    for (const LegendTick& tick : legend.ticks)
      width = std::max(width, width_of(area.fonts.caption, tick.text) + (map_width + 8) * s);
  // The legend leaves most of a narrow picture free.
  const float most =
      area.legend == LegendPlace::beside ? 220 * s : std::clamp(0.4f * (area.high.x - area.low.x), 96 * s, 220 * s);
  layout.width = std::min(width, most) + 2 * padding * s;
  const float body = legend.map ? map_height + 8 : row_height * float(layout.rows + (layout.more ? 1 : 0));
  layout.height = (title + body + notes + 2 * padding - 4) * s;
  const bool left = area.legend == LegendPlace::upper_left || area.legend == LegendPlace::lower_left;
  const bool low = area.legend == LegendPlace::lower_left || area.legend == LegendPlace::lower_right;
  // A scale bar is below a legend in the lower left corner.
  const float bar = area.legend == LegendPlace::lower_left && area.scale_bar ? 40 * s : 0;
  const float right = area.legend == LegendPlace::beside ? area.high.x : area.high.x - margin * s - layout.width;
  layout.low = {std::round(left ? area.low.x + margin * s : right),
                std::round(low ? area.high.y - margin * s - bar - layout.height : area.low.y + margin * s)};
  return layout;
}

bool is_empty(const PictureArea& area, const Legend& legend) {
  return area.legend == LegendPlace::none || (legend.entries.empty() && !legend.map && legend.notes.empty());
}

// "40 classes, 24 colours", if some have the same; else "".
std::string shared_colours(const Legend& legend) {
  std::set<render::Rgb> colours;
  for (const LegendEntry& entry : legend.entries) colours.insert(entry.colour);
  if (colours.size() == legend.entries.size()) return "";
  return sim::with_commas(legend.entries.size()) + " classes, " + sim::count_of(colours.size(), "colour");
}

// With a note if classes share colours: nobody is to take them for one.
Legend with_shared_colours(Legend legend) {
  if (std::string text = shared_colours(legend); !text.empty())
    legend.notes.push_back({std::move(text), LegendMark::none, {}});
  return legend;
}

bool like_the_background(const render::Rgb& colour, const Theme& theme) {
  constexpr int least = 48;  // of 255
  const ImU32 background = theme.background;
  const int shifts[3] = {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT};
  for (std::size_t c = 0; c < 3; ++c)
    if (std::abs(int(colour[c]) - int(background >> shifts[c] & 255)) >= least) return false;
  return true;
}

void draw_entry(const PictureArea& area, const LegendEntry& entry, ImVec2 low, ImVec2 high, bool hovered) {
  const float s = area.scale, middle = 0.5f * (low.y + high.y);
  const Theme& t = *area.theme;
  if (hovered) area.list->AddRectFilled({low.x - 6 * s, low.y}, {high.x + 6 * s, high.y}, t.control, corner * s);
  const ImVec2 c{low.x + 0.5f * swatch * s, middle};
  if (entry.shown) {
    area.list->AddCircleFilled(c, 0.5f * swatch * s, pack(entry.colour), 24);
    if (like_the_background(entry.colour, t)) area.list->AddCircle(c, 0.5f * swatch * s, t.ink_dim, 24, s);
  } else {
    area.list->AddCircle(c, 0.5f * swatch * s - 0.5f * s, t.ink_dim, 24, 1.25f * s);
  }
  const std::string count = sim::with_commas(entry.count);
  const float count_width = width_of(area.fonts.caption, count);
  const std::string name = shortened(area.fonts.text, entry.name, high.x - low.x - (swatch + 8 + 16) * s - count_width);
  write_text(area.list, area.fonts.text, {low.x + (swatch + 8) * s, middle - 0.5f * area.fonts.text->FontSize},
             entry.shown ? t.ink : t.ink_dim, name);
  area.write({high.x - count_width, middle - 0.5f * area.fonts.caption->FontSize}, t.ink_dim, count);
}

void draw_map(const PictureArea& area, const Legend& legend, ImVec2 low) {
  const float s = area.scale, height = map_height * s;
  constexpr int bands = 64;
  for (int i = 0; i < bands; ++i) {
    const float top = low.y + height * float(i) / bands, bottom = low.y + height * float(i + 1) / bands;
    const ImU32 upper = pack(legend.map[255 - 255 * i / bands]), lower = pack(legend.map[255 - 255 * (i + 1) / bands]);
    area.list->AddRectFilledMultiColor({low.x, top}, {low.x + map_width * s, bottom}, upper, upper, lower, lower);
  }
  const float half = 0.5f * area.fonts.caption->FontSize, x = low.x + (map_width + 8) * s;
  for (const LegendTick& tick : legend.ticks) {
    const float y = low.y + height * (1 - float(tick.place));
    const float top = std::clamp(y - half, low.y - 2 * s, low.y + height - 2 * half + 2 * s);
    area.write({x, top}, area.theme->ink, tick.text);
  }
}

void draw_note(const PictureArea& area, const LegendNote& note, ImVec2 low) {
  const float s = area.scale, r = 0.5f * swatch * s;
  const ImVec2 c{low.x + r, low.y + 0.5f * row_height * s};
  const ImU32 colour = pack(note.colour);
  if (note.mark == LegendMark::ring) area.list->AddCircle(c, r, colour, 24, 1.5f * s);
  if (note.mark == LegendMark::disc) area.list->AddCircleFilled(c, 0.7f * r, colour, 24);
  if (note.mark == LegendMark::line) area.list->AddLine({c.x - r, c.y}, {c.x + r, c.y}, colour, 1.5f * s);
  if (note.mark == LegendMark::map) {
    constexpr int bands = 32;
    const float width = mark_width(note) * s / bands;
    for (int i = 0; i < bands; ++i) {
      const ImU32 from = pack(note.map[255 * i / bands]), to = pack(note.map[255 * (i + 1) / bands]);
      const float x = low.x + width * float(i);
      area.list->AddRectFilledMultiColor({x, c.y - 0.8f * r}, {x + width, c.y + 0.8f * r}, from, to, to, from);
    }
  }
  area.write({low.x + (mark_width(note) + 8) * s, low.y + 5 * s}, area.theme->ink_dim, note.text);
}

}  // namespace

float legend_reach(const PictureArea& area, const Legend& legend) {
  if (area.legend != LegendPlace::upper_right || is_empty(area, legend)) return 0;
  return area.high.x - lay_out(area, with_shared_colours(legend)).low.x;
}

std::vector<Rectangle> legend_rows(const PictureArea& area, const Legend& legend) {
  const float s = area.scale;
  if (is_empty(area, legend)) return {};
  const LegendPlaces layout = lay_out(area, with_shared_colours(legend));
  const float left = layout.low.x + padding * s, right = layout.low.x + layout.width - padding * s;
  float y = layout.low.y + (padding - 2 + (legend.title.empty() ? 0 : row_height)) * s;
  std::vector<Rectangle> rows;
  for (std::size_t i = 0; i < layout.rows; ++i, y += row_height * s)
    rows.push_back({{left, y}, {right, y + row_height * s}});
  return rows;
}

void draw_legend(const PictureArea& area, const Legend& asked, int hovered) {
  if (is_empty(area, asked)) return;
  const Legend legend = with_shared_colours(asked);
  const float s = area.scale;
  const LegendPlaces layout = lay_out(area, legend);
  if (area.legend_width) *area.legend_width = layout.width;
  draw_plate(area, layout.low, {layout.low.x + layout.width, layout.low.y + layout.height});
  const float left = layout.low.x + padding * s, right = layout.low.x + layout.width - padding * s;
  float y = layout.low.y + (padding - 2) * s;
  if (!legend.title.empty()) {
    write_text(area.list, area.fonts.strong, {left, y + 2 * s}, area.theme->ink,
               shortened(area.fonts.strong, legend.title, right - left));
    y += row_height * s;
  }
  const std::vector<Rectangle> rows = legend_rows(area, asked);
  for (std::size_t i = 0; i < rows.size(); ++i, y += row_height * s)
    draw_entry(area, legend.entries[i], rows[i].low, rows[i].high, int(i) == hovered);
  if (layout.more) {
    area.write({left + (swatch + 8) * s, y + 5 * s}, area.theme->ink_dim,
               "and " + sim::with_commas(legend.entries.size() - layout.rows) + " more");
    y += row_height * s;
  }
  if (legend.map) {
    draw_map(area, legend, {left, y + 4 * s});
    y += (map_height + 8) * s;
  }
  for (const LegendNote& note : legend.notes) {
    draw_note(area, note, {left, y});
    y += row_height * s;
  }
}

double scale_bar_length(const PictureArea& area, double units_per_pixel) {
  if (!(units_per_pixel > 0) || !std::isfinite(units_per_pixel)) return 0;
  return round_down(120.0 * area.scale * units_per_pixel);
}

void draw_scale_bar(const PictureArea& area, double units_per_pixel, const std::string& unit) {
  const double length = scale_bar_length(area, units_per_pixel);
  if (length == 0 || !area.scale_bar) return;
  const float s = area.scale;
  const float pixels = std::round(float(length / units_per_pixel));
  const ImVec2 low{area.low.x + margin * s, area.high.y - margin * s};
  const std::string text = "distance " + number_text(length) + (unit.empty() ? "" : " " + unit);
  const ImU32 ink = area.theme->ink;
  const float thick = std::max(1.f, std::round(1.25f * s)), tick = 5 * s;
  const float height = area.fonts.caption->FontSize, width = width_of(area.fonts.caption, text);
  draw_plate(area, {low.x - 8 * s, low.y - height - 14 * s}, {low.x + std::max(pixels, width) + 8 * s, low.y + 6 * s});
  area.list->AddRectFilled({low.x, low.y - thick}, {low.x + pixels, low.y}, ink);
  area.list->AddRectFilled({low.x, low.y - tick}, {low.x + thick, low.y}, ink);
  area.list->AddRectFilled({low.x + pixels - thick, low.y - tick}, {low.x + pixels, low.y}, ink);
  area.write({low.x + std::max(0.f, 0.5f * (pixels - width)), low.y - height - 7 * s}, ink, text);
}

}  // namespace kinescope::app
