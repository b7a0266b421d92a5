#include "app/plot/svg_plot.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <iterator>

#include "app/io/output.hpp"
#include "render/colour_map.hpp"

namespace kinescope::app {
namespace {

// All lengths are in pixels.
constexpr double width = 880, border = 16, gap = 24, small_text = 12, large_text = 16, line_height = 18;
constexpr double left_of_axis = 46, above_axis = 46, below_axis = 24, label_space = 18, marker_radius = 4.5;
constexpr const char *ink = "#1b1e24", *quiet_ink = "#5a606b", *major_line = "#d9dce1", *minor_line = "#eff0f2";

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
};

// An SVG under construction. Coordinates are rounded to a tenth of a pixel: more digits would only make the file
// larger.
class Drawing {
 public:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }
  void line(double x1, double y1, double x2, double y2, const char* colour) {
    add(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}"/>)", x1, y1, x2, y2, colour);
  }
  // `anchor`: start, middle or end; `more`: further attributes.
  void text(double x, double y, const char* anchor, const std::string& words, const char* colour,
            double size = small_text, const std::string& more = "") {
    add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" font-size="{}" fill="{}"{}>{}</text>)", x, y, anchor, size,
        colour, more, xml_text(words));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

constexpr int colour_count = 8;

std::string style_colour(int style) {
  // Blue, vermilion, green and purple come first: the four that differ most on white.
  static constexpr std::size_t order[colour_count] = {4, 5, 2, 6, 0, 1, 7, 3};
  static const std::vector<render::Rgb> colours = render::class_colours(std::size(order), render::Background::light);
  const render::Rgb colour = colours[order[style % colour_count]];
  return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
}

void draw_marker(Drawing& drawing, double x, double y, const PlotSeries& series, const std::string& hint) {
  const std::string colour = style_colour(series.style);
  const double r = marker_radius;
  const std::string paint = series.hollow ? fmt::format(R"(fill="#ffffff" stroke="{}" stroke-width="1.8")", colour)
                                          : fmt::format(R"(fill="{}" stroke="#ffffff" stroke-width="1")", colour);
  const std::string title = hint.empty() ? "" : "<title>" + xml_text(hint) + "</title>";
  switch ((series.style + series.style / colour_count) % 4) {  // a repeated colour gets another marker
    case 0:
      return drawing.add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{}" {}>{}</circle>)", x, y, r, paint, title);
    case 1:
      return drawing.add(R"(<rect x="{:.1f}" y="{:.1f}" width="{}" height="{}" {}>{}</rect>)", x - r + 0.5, y - r + 0.5,
                         2 * r - 1, 2 * r - 1, paint, title);
    case 2:
      return drawing.add(R"(<path d="M{:.1f} {:.1f}l{} {}h{}z" {}>{}</path>)", x, y - r - 0.8, r + 0.7, 2 * r,
                         -2 * r - 1.4, paint, title);
    default:
      return drawing.add(R"(<path d="M{:.1f} {:.1f}l{} {}l{} {}l{} {}z" {}>{}</path>)", x, y - r - 1, r + 1, r + 1,
                         -r - 1, r + 1, -r - 1, -r - 1, paint, title);
  }
}

std::vector<double> coordinates(const std::vector<PlotSeries>& series, double PlotPoint::*part) {
  std::vector<double> values;
  for (const PlotSeries& each : series)
    for (const PlotPoint& point : each.points)
      if (std::isfinite(point.x) && std::isfinite(point.y)) values.push_back(point.*part);
  return values;
}

struct Axes {
  AxisTicks x, y;
  Box box;
  double across(double value) const { return box.left + x.place(value) * (box.right - box.left); }
  double up(double value) const { return box.bottom - y.place(value) * (box.bottom - box.top); }
};

void draw_axes(Drawing& drawing, const Axes& axes) {
  const Box& box = axes.box;
  for (const auto& [ticks, colour] : {std::pair{&AxisTicks::minor, minor_line}, {&AxisTicks::major, major_line}}) {
    for (const double value : axes.x.*ticks)
      drawing.line(axes.across(value), box.top, axes.across(value), box.bottom, colour);
    for (const double value : axes.y.*ticks) drawing.line(box.left, axes.up(value), box.right, axes.up(value), colour);
  }
  drawing.line(box.left, box.bottom, box.right, box.bottom, quiet_ink);
  drawing.line(box.left, box.top, box.left, box.bottom, quiet_ink);
  for (const double value : axes.x.major)
    drawing.text(axes.across(value), box.bottom + small_text + 4, "middle", tick_label(axes.x, value), ink);
  for (const double value : axes.y.major)
    drawing.text(box.left - 6, axes.up(value) + 4, "end", tick_label(axes.y, value), ink);
}

void draw_series(Drawing& drawing, const Axes& axes, const Panel& panel, const PlotSeries& series) {
  std::vector<PlotPoint> points;
  for (const PlotPoint& point : series.points)
    if (std::isfinite(point.x) && std::isfinite(point.y)) points.push_back(point);
  if (points.size() > 1) {
    std::string path;
    for (const PlotPoint& point : points) path += fmt::format("{:.1f},{:.1f} ", axes.across(point.x), axes.up(point.y));
    path.pop_back();
    drawing.add(R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="1.5"{}/>)", path,
                style_colour(series.style), series.hollow ? R"( stroke-dasharray="4 3")" : "");
  }
  for (const PlotPoint& point : points)
    draw_marker(drawing, axes.across(point.x), axes.up(point.y), series,
                fmt::format("{}: {} {:.3g}, {} {:.4g}", series.name, panel.x.label, point.x, panel.y.label, point.y));
}

void draw_panel(Drawing& drawing, const Panel& panel, const Box& box, const std::vector<double>& x_values, bool label_x,
                bool label_y) {
  Axes axes;
  axes.box = {box.left + left_of_axis, box.top + above_axis, box.right - 8, box.bottom - below_axis};
  axes.x = choose_ticks(panel.x.scale, x_values, static_cast<int>((axes.box.right - axes.box.left) / 44) + 1);
  axes.y = choose_ticks(panel.y.scale, coordinates(panel.series, &PlotPoint::y),
                        static_cast<int>((axes.box.bottom - axes.box.top) / 32) + 1);
  drawing.text(axes.box.left, box.top + 14, "start", panel.title, ink, 13, R"( font-weight="600")");
  drawing.text(axes.box.left, box.top + 30, "start", panel.subtitle, quiet_ink);
  draw_axes(drawing, axes);
  for (const PlotSeries& series : panel.series) draw_series(drawing, axes, panel, series);
  const double middle = (axes.box.left + axes.box.right) / 2, centre = (axes.box.top + axes.box.bottom) / 2;
  if (label_x) drawing.text(middle, box.bottom + 12, "middle", panel.x.label, quiet_ink);
  if (label_y)
    drawing.text(0, 0, "middle", panel.y.label, quiet_ink, small_text,
                 fmt::format(R"~( transform="translate({:.1f} {:.1f}) rotate(-90)")~", box.left - 6, centre));
}

// Draws one entry for each name, in order of first appearance; returns the height of the legend.
double draw_legend(Drawing& drawing, const Figure& figure, double top) {
  std::vector<std::string> seen;
  double x = border, y = top + 12;
  for (const Panel& panel : figure.panels)
    for (const PlotSeries& series : panel.series) {
      if (series.name.empty() || std::find(seen.begin(), seen.end(), series.name) != seen.end()) continue;
      seen.push_back(series.name);
      const double length = 36 + 7.0 * static_cast<double>(characters(series.name));
      if (x > border && x + length > width - border) {
        x = border;
        y += line_height + 2;
      }
      draw_marker(drawing, x + 6, y - 4, series, "");
      drawing.text(x + 17, y, "start", series.name, ink, 13);
      x += length;
    }
  return seen.empty() ? 0 : y - top + 12;
}

double draw_head(Drawing& drawing, const Figure& figure) {
  double y = border;
  if (!figure.title.empty()) {
    drawing.text(border, y + large_text, "start", figure.title, ink, large_text, R"( font-weight="600")");
    y += large_text + 8;
  }
  for (const std::string& caption : figure.captions) {
    drawing.text(border, y + small_text, "start", caption, quiet_ink);
    y += line_height;
  }
  y += 8;
  return y + draw_legend(drawing, figure, y);
}

}  // namespace

std::string xml_text(const std::string& text) {
  std::string result;
  for (const char c : printable(text, std::string::npos)) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string svg_text(const Figure& figure) {
  Drawing drawing;
  const double head = draw_head(drawing, figure);
  const std::size_t count = figure.panels.size(), columns = std::clamp<std::size_t>(count, 1, 3);
  const double panel_width =
      (width - 2 * border - label_space - static_cast<double>(columns - 1) * gap) / static_cast<double>(columns);
  const double panel_height = columns == 1 ? 420 : columns == 2 ? 320 : 236;
  std::vector<double> all_x;
  for (const Panel& panel : figure.panels)
    for (const double x : coordinates(panel.series, &PlotPoint::x)) all_x.push_back(x);
  for (std::size_t i = 0; i < count; ++i) {
    const Panel& panel = figure.panels[i];
    const auto column = static_cast<double>(i % columns), row = static_cast<double>(i / columns);
    const double left = border + label_space + column * (panel_width + gap), top = head + row * (panel_height + gap);
    const Box box{left, top, left + panel_width, top + panel_height};
    // Neighbouring panels that share a label show it once.
    const bool last_below = i + columns >= count || figure.panels[i + columns].x.label != panel.x.label;
    const bool first_beside = i % columns == 0 || figure.panels[i - 1].y.label != panel.y.label;
    draw_panel(drawing, panel, box, figure.shared_x ? all_x : coordinates(panel.series, &PlotPoint::x), last_below,
               first_beside);
  }
  const auto rows = static_cast<double>((count + columns - 1) / columns);
  const double height = head + rows * (panel_height + gap) + border;
  return fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1:.0f}" viewBox="0 0 {0} {1:.0f}")"
                     R"( font-family="Inter, Roboto, Helvetica, Arial, sans-serif">
<rect width="{0}" height="{1:.0f}" fill="#ffffff"/>
{2}</svg>
)",
                     width, height, drawing.text());
}

}  // namespace kinescope::app
