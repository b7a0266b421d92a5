// The curve of the figure of merit against iterations, on a logarithmic scale, or on a linear one if a value is below
// 0. A simulation's second figure has a curve with its own scale on the right; a second figure that the scene measures
// shares the scale of the first.
#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <span>
#include <vector>

#include "app/panels/run_panel.hpp"
#include "app/plot/plot_axis.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

// One of the two curves.
struct Series {
  std::string name;
  float sim::HistoryPoint::*figure;
  double now;  // NaN before there is one
  ImU32 colour;
};

std::vector<Series> series_of(const Ui& ui, const RunPanelState& view) {
  std::vector<Series> series{
      {upper_first(view.run.progress.figure_name.empty() ? view.kind.figure_name : view.run.progress.figure_name),
       &sim::HistoryPoint::figure, view.run.progress.figure, ui.theme->accent}};
  const std::string& of_run = view.run.progress.second_figure_name.empty() ? view.kind.second_figure_name
                                                                           : view.run.progress.second_figure_name;
  const std::string& second = view.run.measured.empty() ? of_run : view.run.measured;
  if (!second.empty()) {
    series.push_back({upper_first(second), &sim::HistoryPoint::second_figure, view.run.progress.second_figure,
                      pack(render::class_colours(1, ui.theme->variant).front())});
  }
  return series;
}

struct Extent {
  AxisScale scale = AxisScale::logarithmic;
  double low = 1e300, high = -1e300;  // places
  long first = 0, last = 1;           // iterations

  bool shows(double value) const { return scale == AxisScale::linear ? std::isfinite(value) : has_logarithm(value); }
  // Where a value lies on the scale, and the value that lies there.
  double place(double value) const { return scale == AxisScale::linear ? value : std::log10(value); }
  double value(double place) const { return scale == AxisScale::linear ? place : std::pow(10.0, place); }
};

// The extent of one curve, or of several that share a scale.
Extent extent_of(const std::vector<sim::HistoryPoint>& points, std::span<const Series> all) {
  Extent extent;
  const auto for_each_value = [&](auto f) {
    for (const Series& series : all) {
      for (const sim::HistoryPoint& point : points) f(double(point.*series.figure));
      f(series.now);
    }
  };
  for_each_value([&](double figure) {
    if (figure < 0 && std::isfinite(figure)) extent.scale = AxisScale::linear;
  });
  for_each_value([&](double figure) {
    if (!extent.shows(figure)) return;
    extent.low = std::min(extent.low, extent.place(figure));
    extent.high = std::max(extent.high, extent.place(figure));
  });
  if (extent.low > extent.high) extent.low = -3, extent.high = 0;
  const double middle = 0.5 * (extent.high + extent.low);
  const double least = extent.scale == AxisScale::linear ? 1e-3 * std::max(std::abs(middle), 1e-30) : 0.5;
  if (extent.high - extent.low < least) {
    extent.low = middle - 0.5 * least;
    extent.high = middle + 0.5 * least;
  }
  const double margin = 0.06 * (extent.high - extent.low);
  extent.low -= margin;
  extent.high += margin;
  if (!points.empty()) extent.last = std::max(1L, points.back().iteration);
  return extent;
}

struct Frame {
  ImVec2 low, high;
  Extent extent;
  float x(long iteration) const {
    return low.x + (high.x - low.x) * float(double(iteration - extent.first) / double(extent.last - extent.first));
  }
  float y(double value) const {
    return high.y - (high.y - low.y) * float((value - extent.low) / (extent.high - extent.low));
  }
};

// Draws the scale of a curve: with `left` on the left, with lines across the plot (first curve); else on the right
// (second curve).
void draw_scale(Ui& ui, ImDrawList* list, const Frame& frame, bool left) {
  ImFont* font = ui.fonts.caption;
  const int labels = int((frame.high.y - frame.low.y) / ui.px(20));
  const AxisTicks ticks = ticks_within(frame.extent.value(frame.extent.low), frame.extent.value(frame.extent.high),
                                       labels, frame.extent.scale);
  for (const double value : ticks.major) {
    const std::string text = tick_label(ticks, value, true);
    const float y = std::round(frame.y(frame.extent.place(value)));
    const float thick = std::max(1.f, std::floor(ui.scale));
    if (left) list->AddLine({frame.low.x, y}, {frame.high.x, y}, ui.theme->line, thick);
    if (!left) list->AddLine({frame.high.x, y}, {frame.high.x + ui.px(4), y}, ui.theme->ink_dim, thick);
    const float width = width_of(font, text);
    const float x = left ? std::round(frame.low.x - width - ui.px(8)) : frame.high.x + ui.px(8);
    put_text(list, font, {x, y - std::round(0.5f * font->FontSize)}, ui.theme->ink_dim, text);
  }
}

void draw_levels(Ui& ui, ImDrawList* list, const Frame& frame, const RunPanelState& view) {
  const std::vector<sim::HistoryPoint>& points = view.run.curve;
  if (points.empty() || points.front().level == points.back().level) return;  // one level needs no marks
  int level = 0;
  float written = frame.low.x - 1;
  ImFont* font = ui.fonts.caption;
  for (const sim::HistoryPoint& point : points) {
    if (point.level == level) continue;
    level = point.level;
    const float x = std::round(frame.x(point.iteration));
    if (point.level != points.front().level)
      list->AddLine({x, frame.low.y}, {x, frame.high.y}, ui.theme->ink_dim, std::max(1.f, std::floor(ui.scale)));
    const std::string text =
        fmt::format("{} {}", view.run.progress.level_name, view.run.progress.first_level + level - 1);
    const float width = width_of(font, text);
    const bool fits = x > written && x + width < frame.high.x;
    if (fits) {
      put_text(list, font, {x, frame.low.y - font->FontSize - ui.px(4)}, ui.theme->ink_dim, text);
      written = x + ui.px(8) + width;
    }
  }
}

// Draws the smallest and the largest value in each column of pixels, in order of time: no spike is lost, and a long run
// costs no more than a short one.
void draw_line(Ui& ui, ImDrawList* list, const Frame& frame, const std::vector<sim::HistoryPoint>& points,
               const Series& series) {
  std::vector<ImVec2> line;
  ImVec2 earlier{-1, 0}, later{-1, 0}, last{-1, 0};  // this pixel column's extremes in order of time; latest point
  const auto flush = [&] {
    if (earlier.x < 0) return;
    line.push_back(earlier);
    if (std::abs(later.y - earlier.y) > 1) line.push_back(later);
  };
  const auto add = [&](long iteration, double figure) {
    if (!frame.extent.shows(figure)) return;
    last = {std::floor(frame.x(iteration)), frame.y(frame.extent.place(figure))};
    if (last.x != earlier.x) {
      flush();
      earlier = later = last;
      return;
    }
    const float top = std::min(earlier.y, later.y), bottom = std::max(earlier.y, later.y);
    if (last.y >= top && last.y <= bottom) return;
    // The extreme on the opposite side stays and comes first; the new value follows it.
    earlier.y = last.y < top ? bottom : top;
    later.y = last.y;
  };
  for (const sim::HistoryPoint& point : points) add(point.iteration, point.*series.figure);
  // The newest measurement may be later than the last finished iteration.
  if (!points.empty() && series.figure == &sim::HistoryPoint::second_figure) add(points.back().iteration, series.now);
  flush();
  list->AddPolyline(line.data(), int(line.size()), series.colour, 0, 1.5f * ui.scale);
  if (!line.empty()) list->AddCircleFilled(last, 3 * ui.scale, series.colour, 16);
}

// Draws a vertical line at each mark's iteration, with a triangle at its top that points down for warnings and up for
// other marks.
void draw_marks(Ui& ui, ImDrawList* list, const Frame& frame, const std::vector<CurveMark>& marks) {
  const float s = ui.scale, side = 4 * s;
  std::string told;
  for (const CurveMark& mark : marks) {
    if (mark.iteration < frame.extent.first || mark.iteration > frame.extent.last) continue;
    const float x = std::round(frame.x(mark.iteration)) + 0.5f, y = frame.low.y;
    const ImU32 colour = mark.warns ? ui.theme->warning : ui.theme->ink_dim;
    list->AddLine({x, y}, {x, frame.high.y}, (colour & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 120), s);
    if (mark.warns)
      list->AddTriangleFilled({x - side, y - side}, {x + side, y - side}, {x, y + side}, colour);
    else
      list->AddTriangleFilled({x - side, y + side}, {x, y - side}, {x + side, y + side}, colour);
    told += (told.empty() ? "" : "|") + std::to_string(mark.iteration) + " " + mark.text;
  }
  if (!told.empty()) ui.ids.state("curve.marks", told);
}

// Shows the curves' values at the mouse in a tooltip.
void draw_reading(Ui& ui, ImDrawList* list, const Frame& frame, const RunPanelState& view) {
  const auto& points = view.run.curve;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (points.empty() || !ImGui::IsItemHovered() || mouse.x < frame.low.x || mouse.x > frame.high.x) return;
  const double part = (mouse.x - frame.low.x) / std::max(1.f, frame.high.x - frame.low.x);
  const long wanted = std::lround(part * double(frame.extent.last));
  const auto at = std::ranges::lower_bound(points, wanted, {}, &sim::HistoryPoint::iteration);
  const sim::HistoryPoint& point = at == points.end() ? points.back() : *at;
  list->AddLine({mouse.x, frame.low.y}, {mouse.x, frame.high.y}, ui.theme->ink_dim, 1);
  std::string text;
  for (const Series& one : series_of(ui, view)) {
    // A figure that is measured only now and then shows its latest value.
    const sim::HistoryPoint* known = &point;
    while (known != points.data() && std::isnan((*known).*one.figure)) --known;
    if (const float value = (*known).*one.figure; !std::isnan(value))
      text += fmt::format("{}  {}\n", one.name, number_text(value));
  }
  text += "Iteration " + sim::with_commas(std::size_t(std::max(0L, point.iteration)));
  for (const CurveMark& mark : view.marks)
    if (std::abs(frame.x(mark.iteration) - mouse.x) < ui.px(6)) text += "\n" + mark.text;
  tell_at_mouse(ui, text);
}

// Writes the curves' names and latest values, right-aligned at `right`; returns where they begin. If `list` is null, it
// only measures.
float draw_values(Ui& ui, ImDrawList* list, ImFont* font, const std::vector<Series>& series, float right, float top) {
  for (std::size_t i = series.size(); i-- > 0;) {
    const Series& one = series[i];
    const std::string text = one.name + (std::isnan(one.now) ? "" : "  " + number_text(one.now));
    right -= width_of(font, text);
    if (list) put_text(list, font, {std::round(right), top}, ui.theme->ink, text);
    if (series.size() > 1) {
      right -= ui.px(16);
      if (list) list->AddCircleFilled({right + ui.px(4), top + 0.5f * font->FontSize}, ui.px(4), one.colour, 16);
    }
    right -= ui.px(i > 0 ? 24 : 0);
  }
  return right;
}

}  // namespace

void draw_curve(Ui& ui, const RunPanelState& view) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const Theme& t = *ui.theme;
  ImFont* font = ui.fonts.text;
  const std::vector<Series> series = series_of(ui, view);
  std::string told;
  for (const Series& one : series) told += (told.empty() ? "" : " | ") + one.name + " " + number_text(one.now);
  ui.ids.state("figures", told);
  const bool paused = view.runner && !view.runner->running();
  std::string status;
  // The status is shortened until it fits beside the values, else until it fits on a line above them.
  const float beside = draw_values(ui, nullptr, font, series, room.x - ui.px(16), 0);
  const auto fitting = [&](float width) {
    status = view.notice;
    for (int cut = 0; cut < 3 && view.notice.empty() && (cut == 0 || width_of(font, status) > width); ++cut)
      status = progress_text(view.run.progress, paused, cut);
    return width_of(font, status) <= width;
  };
  const bool above = !fitting(beside) && view.notice.empty();
  const float status_width = above ? room.x : beside, below = ui.px(above ? 20 : 0);
  if (above) fitting(room.x);
  draw_values(ui, list, above ? ui.fonts.caption : font, series, origin.x + room.x, origin.y + ui.px(2) + below);
  ui.ids.state("heading", status);
  put_text(list, font, {origin.x, origin.y + ui.px(2)}, t.ink, shortened(font, status, status_width));
  if (!view.phase_meaning.empty() && view.notice.empty() && !view.run.progress.converged) {
    const float width = std::min(status_width, width_of(font, status));
    button_over(ui, "status", origin, {origin.x + width, origin.y + ui.px(24)});
    help_for_last_item(ui, view.phase_meaning.c_str());
    ImGui::SetCursorScreenPos(origin);
  }

  const bool own_scales = series.size() > 1 && view.run.measured.empty();
  Frame frame;
  frame.low = {origin.x + ui.px(66), origin.y + ui.px(44) + below};
  frame.high = {origin.x + room.x - (own_scales ? ui.px(48) : 0), origin.y + room.y - ui.px(20)};
  if (frame.high.y - frame.low.y < ui.px(24)) return;
  button_over(ui, "curve", frame.low, frame.high);
  // The first figure is drawn last, so that its curve is on top.
  for (std::size_t i = series.size(); i-- > 0;) {
    frame.extent = extent_of(view.run.curve, own_scales ? std::span(series).subspan(i, 1) : std::span(series));
    if (i == 0 || (own_scales && frame.extent.shows(series[i].now))) draw_scale(ui, list, frame, i == 0);
    if (i == 0) draw_levels(ui, list, frame, view);
    draw_line(ui, list, frame, view.run.curve, series[i]);
  }
  draw_marks(ui, list, frame, view.marks);
  if (view.shown && !view.run.curve.empty()) {
    const float x = std::round(frame.x(std::min(*view.shown, frame.extent.last)));
    list->AddLine({x, frame.low.y}, {x, frame.high.y}, ui.theme->accent, std::max(1.f, std::floor(ui.scale)));
  }
  draw_reading(ui, list, frame, view);
  const std::string last = sim::count_of(std::size_t(frame.extent.last), "iteration");
  ImFont* small = ui.fonts.caption;
  const float width = width_of(small, last);
  put_text(list, small, {frame.low.x, frame.high.y + ui.px(4)}, t.ink_dim, "0");
  if (!view.run.curve.empty())
    put_text(list, small, {std::round(frame.high.x - width), frame.high.y + ui.px(4)}, t.ink_dim, last);
}

}  // namespace kinescope::app
