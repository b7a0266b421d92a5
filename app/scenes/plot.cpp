#include "app/scenes/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kinescope::app {
namespace {

constexpr float title_height = 28, left_margin = 48, bottom_margin = 40, tick = 4;

}  // namespace

int labels_for(float pixels, float each) {
  return std::clamp(int(pixels / each), 2, 12);
}

float widest_label(ImFont* font, const AxisTicks& ticks) {
  float widest = 0;
  for (const double value : ticks.major) widest = std::max(widest, width_of(font, tick_label(ticks, value)));
  return widest;
}

void Plot::place(const Rectangle& whole, float pixels_per_design_pixel) {
  scale = pixels_per_design_pixel;
  frame = {{std::round(whole.low.x + left_margin * scale), std::round(whole.low.y + title_height * scale)},
           {std::round(whole.high.x - right_margin * scale), std::round(whole.high.y - bottom_margin * scale)}};
}

AxisTicks Plot::x_ticks() const {
  AxisTicks ticks = ticks_within(low_x, high_x, labels_for(frame.high.x - frame.low.x, 72 * scale));
  if (whole_x) std::erase_if(ticks.major, [](double value) { return std::abs(value - std::round(value)) > 1e-9; });
  return ticks;
}

// A logarithmic axis has ticks at whole powers of ten.
AxisTicks Plot::y_ticks() const {
  const int labels = labels_for(frame.high.y - frame.low.y, 36 * scale);
  if (!logarithmic_y) return ticks_within(low_y, high_y, labels);
  const std::array ends{std::pow(10, low_y), std::pow(10, high_y)};
  AxisTicks ticks = choose_ticks(AxisScale::logarithmic, ends, labels);
  std::erase_if(ticks.major, [&](double value) { return value > ends[1] * 1.01; });
  return ticks;
}

glm::mat4 Plot::clip_from_data() const {
  glm::mat4 clip(1);
  clip[0][0] = float(2 / (high_x - low_x));
  clip[1][1] = float(2 / (high_y - low_y));
  clip[3][0] = float(-(high_x + low_x) / (high_x - low_x));
  clip[3][1] = float(-(high_y + low_y) / (high_y - low_y));
  return clip;
}

glm::vec2 Plot::pixel_of(double x, double y) const {
  return {frame.low.x + float((x - low_x) / (high_x - low_x)) * (frame.high.x - frame.low.x),
          frame.high.y - float((y - low_y) / (high_y - low_y)) * (frame.high.y - frame.low.y)};
}

glm::dvec2 Plot::at(glm::vec2 pixel) const {
  return {low_x + double((pixel.x - frame.low.x) / (frame.high.x - frame.low.x)) * (high_x - low_x),
          low_y + double((frame.high.y - pixel.y) / (frame.high.y - frame.low.y)) * (high_y - low_y)};
}

bool Plot::holds(glm::vec2 p) const {
  return shown() && p.x >= frame.low.x && p.x <= frame.high.x && p.y >= frame.low.y && p.y <= frame.high.y;
}

render::Canvas Plot::canvas(const render::Canvas& picture) const {
  if (!shown()) return {};
  return picture.part({int(frame.low.x), int(frame.low.y)},
                      {int(frame.high.x - frame.low.x), int(frame.high.y - frame.low.y)});
}

namespace {

void draw_first_line(const Plot& plot, const PictureArea& area, ImVec2 low, ImVec2 high) {
  const Theme& t = *area.theme;
  const float s = plot.scale, top = low.y - 24 * s;
  ImFont *strong = area.fonts.strong, *small = area.fonts.caption;
  const auto title_colour = [&](const auto& own) { return own ? pack(*own) : t.ink_dim; };
  area.write({low.x - 8 * s - width_of(small, plot.y_title), top + 2 * s}, title_colour(plot.y_colour), plot.y_title);
  area.write({high.x + 8 * s, top + 2 * s}, title_colour(plot.right_colour), plot.right_title);
  write_text(area.list, strong, {low.x, top}, t.ink, shortened(strong, plot.title, high.x - low.x));
  // The notes are at the right end in their order; the last ones are left out if they do not fit.
  const float room = high.x - low.x - width_of(strong, plot.title) - 24 * s;
  float needed = 0;
  std::size_t fitting = 0;
  const auto note_width = [&](const PlotNote& note) {
    return width_of(small, note.text) + (note.mark ? 22 * s : 0) + (fitting > 0 ? 16 * s : 0);
  };
  while (fitting < plot.notes.size() && needed + note_width(plot.notes[fitting]) <= room)
    needed += note_width(plot.notes[fitting]), ++fitting;
  float x = high.x - needed - (plot.right_title.empty() ? 0 : 8 * s);
  for (std::size_t i = 0; i < fitting; ++i) {
    const PlotNote& note = plot.notes[i];
    if (i > 0) x += 16 * s;
    const float middle = top + 2 * s + 0.5f * small->FontSize + s;
    if (note.mark == LegendMark::line)
      area.list->AddLine({x, middle - (note.below ? 2.5f * s : 0)}, {x + 16 * s, middle - (note.below ? 2.5f * s : 0)},
                         pack(note.colour), 2 * s);
    else if (note.mark == LegendMark::disc)
      area.list->AddCircleFilled({x + 11 * s, middle}, 3 * s, pack(note.colour), 16);
    if (note.below)
      area.list->AddLine({x, middle + 2.5f * s}, {x + 16 * s, middle + 2.5f * s}, pack(*note.below), 2 * s);
    if (note.mark) x += 22 * s;
    area.write({x, top + 2 * s}, t.ink_dim, note.text);
    x += width_of(small, note.text);
  }
}

}  // namespace

void draw_axes(const Plot& plot, const PictureArea& area) {
  if (!plot.shown()) return;
  const Theme& t = *area.theme;
  const float s = plot.scale, thick = std::max(1.f, std::floor(s));
  ImFont* small = area.fonts.caption;
  const ImVec2 low = area.in_window(plot.frame.low), high = area.in_window(plot.frame.high);
  draw_first_line(plot, area, low, high);
  area.list->AddRectFilled({low.x - thick, low.y}, {low.x, high.y + thick}, t.ink_dim);
  area.list->AddRectFilled({low.x - thick, high.y}, {high.x, high.y + thick}, t.ink_dim);
  const AxisTicks across = plot.x_ticks();
  for (const double value : across.major) {
    const float x = std::round(area.in_window(plot.pixel_of(value, 0)).x);
    const std::string text = tick_label(across, value);
    area.list->AddRectFilled({x, high.y}, {x + thick, high.y + tick * s}, t.ink_dim);
    area.write({x - 0.5f * width_of(small, text), high.y + 6 * s}, t.ink_dim, text);
  }
  area.write({0.5f * (low.x + high.x - width_of(small, plot.x_title)), high.y + 21 * s}, t.ink_dim, plot.x_title);
  const AxisTicks up = plot.y_ticks();
  for (const double value : up.major) {
    const double place = plot.logarithmic_y ? std::log10(value) : value;
    const float y = std::round(area.in_window(plot.pixel_of(plot.low_x, place)).y);
    const std::string text = tick_label(up, value);
    area.list->AddRectFilled({low.x - tick * s, y}, {low.x, y + thick}, t.ink_dim);
    area.write({low.x - 8 * s - width_of(small, text), y - 0.55f * small->FontSize}, t.ink_dim, text);
  }
  if (plot.right_factor <= 0) return;
  area.list->AddRectFilled({high.x, low.y}, {high.x + thick, high.y + thick}, t.ink_dim);
  const AxisTicks right = ticks_within(plot.low_y * plot.right_factor, plot.high_y * plot.right_factor,
                                       labels_for(plot.frame.high.y - plot.frame.low.y, 36 * s));
  for (const double value : right.major) {
    const float y = std::round(area.in_window(plot.pixel_of(plot.low_x, value / plot.right_factor)).y);
    area.list->AddRectFilled({high.x, y}, {high.x + tick * s, y + thick}, t.ink_dim);
    area.write({high.x + 8 * s, y - 0.55f * small->FontSize}, t.ink_dim, tick_label(right, value));
  }
}

void draw_label(const PictureArea& area, const Plot& plot, double x, double y, const std::string& text, bool before) {
  const ImVec2 at = area.in_window(plot.pixel_of(x, y));
  ImFont* small = area.fonts.caption;
  const float gap = 6 * plot.scale, shift = before ? -gap - width_of(small, text) : gap;
  area.write({at.x + shift, at.y - 0.55f * small->FontSize}, area.theme->ink_dim, text);
}

void draw_colour_scale(const PictureArea& area, const Plot& plot, std::span<const render::Rgb, 256> map, double low,
                       double high) {
  const float s = plot.scale, x = std::round(area.low.x + plot.frame.high.x + 8 * s), width = 8 * s;
  const float bottom = area.low.y + plot.frame.high.y, height = std::min(plot.frame.high.y - plot.frame.low.y, 128 * s);
  constexpr int bands = 64;
  for (int i = 0; i < bands; ++i) {
    const float y = bottom - height * float(i) / bands, upper = bottom - height * float(i + 1) / bands;
    const ImU32 from = pack(map[255 * i / bands]), to = pack(map[255 * (i + 1) / bands]);
    area.list->AddRectFilledMultiColor({x, upper}, {x + width, y}, to, to, from, from);
  }
  const AxisTicks ticks = ticks_within(low, high, labels_for(height, 36 * s));
  for (const double value : ticks.major) {
    const float y = std::round(bottom - height * float((value - low) / (high - low)));
    area.list->AddRectFilled({x + width, y}, {x + width + 2 * s, y + std::max(1.f, std::floor(s))},
                             area.theme->ink_dim);
    area.write({x + width + 6 * s, y - 0.55f * area.fonts.caption->FontSize}, area.theme->ink_dim,
               tick_label(ticks, value));
  }
}

void PlotPainter::lines(const Plot& plot, const render::Canvas& picture, std::span<const glm::vec2> places,
                        std::size_t count, render::LineStyle style) {
  const render::Canvas canvas = plot.canvas(picture);
  if (canvas.size.x == 0 || places.empty()) return;
  places_ = render::Buffer(places.size_bytes(), places.data());
  style.pixel_scale = plot.scale;
  const std::size_t each = places.size() / count;
  lines_.draw(
      {.positions = places_.view(), .lines = count, .vertices = each, .line_stride = 2 * each, .vertex_stride = 2},
      plot.clip_from_data(), style, canvas);
}

void PlotPainter::grid(const Plot& plot, const render::Canvas& picture, render::Background background) {
  std::vector<glm::vec2> faint, zero;  // both ends of each line
  for (const double x : plot.x_ticks().major) {
    auto& ends = std::abs(x) < 1e-12 ? zero : faint;
    ends.insert(ends.end(), {{x, plot.low_y}, {x, plot.high_y}});
  }
  for (const double value : plot.y_ticks().major) {
    const double y = plot.logarithmic_y ? std::log10(value) : value;
    auto& ends = !plot.logarithmic_y && std::abs(y) < 1e-12 ? zero : faint;
    ends.insert(ends.end(), {{plot.low_x, y}, {plot.high_x, y}});
  }
  const render::Rgb ink = render::ink_colour(background);
  lines(plot, picture, faint, faint.size() / 2, line_style(ink, 1, 0.09f));
  lines(plot, picture, zero, zero.size() / 2, line_style(ink, 1, 0.3f));
}

void PlotPainter::curve(const Plot& plot, const render::Canvas& picture, const render::Series& series,
                        render::LineStyle style, double factor) {
  const render::Canvas canvas = plot.canvas(picture);
  if (canvas.size.x == 0) return;
  vertices_.take(series);
  Plot own = plot;
  own.low_y *= factor;
  own.high_y *= factor;
  style.pixel_scale = plot.scale;
  lines_.draw(vertices_.line(), own.clip_from_data(), style, canvas);
}

void PlotPainter::dots(const Plot& plot, const render::Canvas& picture, const render::Series& series,
                       render::BufferView emphasis, render::Rgb colour, float diameter) {
  const render::Canvas canvas = plot.canvas(picture);
  if (canvas.size.x == 0) return;
  vertices_.take(series);
  if (emphasis && !vertices_.whole()) return;
  render::PointBuffers points = vertices_.points();
  points.emphasis = emphasis;
  discs(plot, canvas, points, colour, diameter);
}

void PlotPainter::marks(const Plot& plot, const render::Canvas& picture, std::span<const glm::vec2> places,
                        render::Rgb colour, float diameter) {
  const render::Canvas canvas = plot.canvas(picture);
  if (canvas.size.x == 0 || places.empty()) return;
  places_ = render::Buffer(places.size_bytes(), places.data());
  discs(plot, canvas, {.positions = places_.view(), .count = places.size()}, colour, diameter);
}

void PlotPainter::discs(const Plot& plot, const render::Canvas& canvas, const render::PointBuffers& points,
                        render::Rgb colour, float diameter) {
  cloud_.draw(points, plot.clip_from_data(), {.uniform = colour, .diameter = diameter, .pixel_scale = plot.scale},
              canvas);
}

}  // namespace kinescope::app
