// The curve of the figure of merit against iterations, on a logarithmic scale.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "app/panels/run_panel.hpp"

namespace kinescope::app {
namespace {

struct Extent {
  double low = 1e300, high = -1e300;  // decimal logarithms
  long first = 0, last = 1;           // iterations
};

Extent extent_of(const std::vector<sim::HistoryPoint>& points) {
  Extent extent;
  for (const sim::HistoryPoint& point : points) {
    if (!(point.figure > 0) || !std::isfinite(point.figure)) continue;
    const double value = std::log10(point.figure);
    extent.low = std::min(extent.low, value);
    extent.high = std::max(extent.high, value);
  }
  if (extent.low > extent.high) extent = {-3, 0};
  if (extent.high - extent.low < 0.5) {
    const double middle = 0.5 * (extent.high + extent.low);
    extent.low = middle - 0.25;
    extent.high = middle + 0.25;
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

std::string power_text(int power) {
  if (power >= -3 && power <= 3) return number_text(std::pow(10.0, power));
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = power < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(power))) text += digits[digit - '0'];
  return text;
}

void draw_grid(Ui& ui, ImDrawList* list, const Frame& frame) {
  ImFont* font = ui.fonts.caption;
  const auto label = [&](double value, const std::string& text) {
    const float y = std::round(frame.y(value));
    list->AddLine({frame.low.x, y}, {frame.high.x, y}, ui.theme->line, std::max(1.f, std::floor(ui.scale)));
    const float width = font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.c_str()).x;
    list->AddText(font, font->FontSize,
                  {std::round(frame.low.x - width - ui.px(8)), y - std::round(0.5f * font->FontSize)},
                  ui.theme->ink_dim, text.c_str());
  };
  const int first = int(std::ceil(frame.extent.low)), last = int(std::floor(frame.extent.high));
  if (last > first) {
    const int every = 1 + int(float(last - first) * ui.px(20) / std::max(1.f, frame.high.y - frame.low.y));
    for (int power = first; power <= last; power += every) label(power, power_text(power));
    return;
  }
  // Less than two powers of ten are to be seen: three values between.
  for (const double part : {0.1, 0.5, 0.9}) {
    const double value = frame.extent.low + part * (frame.extent.high - frame.extent.low);
    label(value, number_text(std::pow(10.0, value), 2));
  }
}

void draw_levels(Ui& ui, ImDrawList* list, const Frame& frame, const std::vector<sim::HistoryPoint>& points) {
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
    const std::string text = fmt::format("Level {}", level);
    const float width = font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.c_str()).x;
    const bool fits = x > written && x + width < frame.high.x;
    if (fits) {
      list->AddText(font, font->FontSize, {x, frame.low.y - font->FontSize - ui.px(4)}, ui.theme->ink_dim,
                    text.c_str());
      written = x + ui.px(8) + width;
    }
  }
}

// The smallest and the largest value of each pixel's column, so that no spike is lost and a long run costs no more.
void draw_line(Ui& ui, ImDrawList* list, const Frame& frame, const std::vector<sim::HistoryPoint>& points) {
  std::vector<ImVec2> line;
  float column = -1, low = 0, high = 0;
  const auto flush = [&] {
    if (column < 0) return;
    line.push_back({column, high});
    if (low - high > 1) line.push_back({column, low});
  };
  for (const sim::HistoryPoint& point : points) {
    if (!(point.figure > 0) || !std::isfinite(point.figure)) continue;
    const float x = std::floor(frame.x(point.iteration)), y = frame.y(std::log10(double(point.figure)));
    if (x != column) {
      flush();
      column = x;
      low = high = y;
    }
    low = std::max(low, y);
    high = std::min(high, y);
  }
  flush();
  list->AddPolyline(line.data(), int(line.size()), ui.theme->accent, 0, 1.5f * ui.scale);
  if (!line.empty()) list->AddCircleFilled(line.back(), 3 * ui.scale, ui.theme->accent, 16);
}

// What the curve says under the mouse.
void draw_reading(Ui& ui, ImDrawList* list, const Frame& frame, const RunView& view) {
  const auto& points = view.history.points;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (points.empty() || !ImGui::IsItemHovered() || mouse.x < frame.low.x || mouse.x > frame.high.x) return;
  const double part = (mouse.x - frame.low.x) / std::max(1.f, frame.high.x - frame.low.x);
  const long wanted = std::lround(part * double(frame.extent.last));
  const auto at = std::lower_bound(points.begin(), points.end(), wanted,
                                   [](const sim::HistoryPoint& p, long iteration) { return p.iteration < iteration; });
  const sim::HistoryPoint& point = at == points.end() ? points.back() : *at;
  list->AddLine({mouse.x, frame.low.y}, {mouse.x, frame.high.y}, ui.theme->ink_dim, 1);
  const std::string text = fmt::format("{} {}\nIteration {}", number_text(point.figure), view.kind.figure_name,
                                       count_text(std::size_t(std::max(0L, point.iteration))));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(8)});
  ImGui::SetTooltip("%s", text.c_str());
  ImGui::PopStyleVar();
}

}  // namespace

void draw_curve(Ui& ui, const RunView& view) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const Theme& t = *ui.theme;
  const auto width = [](ImFont* font, const std::string& s) {
    return font->CalcTextSizeA(font->FontSize, 1e9f, 0, s.c_str()).x;
  };

  const double figure = view.progress.figure;
  std::string name = view.kind.figure_name;
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = char(name[0] - 'a' + 'A');
  const std::string value = name + (std::isnan(figure) ? "" : "  " + number_text(figure));
  const float value_width = width(ui.fonts.text, value);
  const std::string status = view.notice.empty() ? progress_text(view.progress) : view.notice;
  list->AddText(ui.fonts.text, ui.fonts.text->FontSize, {origin.x, origin.y + ui.px(2)}, t.ink,
                shortened(ui.fonts.text, status, room.x - value_width - ui.px(16)).c_str());
  list->AddText(ui.fonts.text, ui.fonts.text->FontSize,
                {std::round(origin.x + room.x - value_width), origin.y + ui.px(2)}, t.ink, value.c_str());

  Frame frame;
  frame.low = {origin.x + ui.px(40), origin.y + ui.px(44)};
  frame.high = {origin.x + room.x, origin.y + room.y - ui.px(20)};
  if (frame.high.y - frame.low.y < ui.px(24)) return;
  frame.extent = extent_of(view.history.points);
  ImGui::SetCursorScreenPos(frame.low);
  ImGui::InvisibleButton("curve", {std::max(1.f, frame.high.x - frame.low.x), frame.high.y - frame.low.y});
  ui.ids.last_item("curve");
  draw_grid(ui, list, frame);
  draw_levels(ui, list, frame, view.history.points);
  draw_line(ui, list, frame, view.history.points);
  draw_reading(ui, list, frame, view);
  const std::string last = count_text(std::size_t(frame.extent.last)) + " iterations";
  ImFont* font = ui.fonts.caption;
  list->AddText(font, font->FontSize, {frame.low.x, frame.high.y + ui.px(4)}, t.ink_dim, "0");
  if (!view.history.points.empty())
    list->AddText(font, font->FontSize, {std::round(frame.high.x - width(font, last)), frame.high.y + ui.px(4)},
                  t.ink_dim, last.c_str());
}

}  // namespace kinescope::app
