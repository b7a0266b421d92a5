#include "app/features/bandwidth/bandwidth_plot.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <imgui.h>

#include "app/scenes/plot.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {

using sim::mean_shift::BandwidthCurve, sim::mean_shift::Plateau;

namespace {

double middle(const Plateau& plateau) {
  return std::sqrt(plateau.low * plateau.high);
}

}  // namespace

// Both axes are logarithmic: bandwidths are compared by their ratio, and differences between few clusters matter more
// than between many.
struct BandwidthPlot::Frame {
  ImVec2 low, high;
  float first = 0, top = 0, foot = 0;  // the curve's left end (x); its largest number, and 1 (y)
  AxisTicks across, up;

  float x(double bandwidth) const {
    return std::clamp(first + (high.x - first) * float(across.place(bandwidth)), low.x, high.x);
  }
  float y(double clusters) const { return foot - (foot - top) * float(up.place(clusters)); }
  double bandwidth_at(float x) const {
    const float part = std::clamp((x - first) / (high.x - first), 0.f, 1.f);
    return across.minimum * std::pow(across.maximum / across.minimum, double(part));
  }
};

// The rectangles of the texts in the plot. A text whose place is taken is left out.
struct BandwidthPlot::Marks {
  std::vector<Rectangle> taken;

  bool take(ImVec2 low, ImVec2 size) {
    const ImVec2 high{low.x + size.x, low.y + size.y};
    for (const Rectangle& each : taken)
      if (low.x < each.high.x && each.low.x < high.x && low.y < each.high.y && each.low.y < high.y) return false;
    taken.push_back({low, high});
    return true;
  }
};

void BandwidthPlot::set_data(std::shared_ptr<const sim::Dataset> data, const sim::MeanShiftParameters& made) {
  if (data == data_ && made.normalize.value() == normalization_ && made.kernel.value() == kernel_) return;
  data_ = std::move(data);
  normalization_ = made.normalize.value();
  kernel_ = made.kernel.value();
  stop_.request_stop();
  asked_ = false;
  curve_ = nullptr;
  plateaus_.clear();
}

void BandwidthPlot::compute() {
  asked_ = true;
  stop_ = {};
  part_ = std::make_shared<std::atomic<double>>(0);
  jobs_.post([this, data = data_, normalization = normalization_, kernel = kernel_, stop = stop_.get_token(),
              part = part_]() -> JobQueue::Then {
    auto curve = std::make_shared<BandwidthCurve>();
    try {
      *curve = sim::mean_shift::bandwidth_curve(data, normalization, kernel, stop, [&](double done) { *part = done; });
    } catch (const std::exception&) {  // no memory for normalized data: there is no curve
    }
    return [this, curve, stop] {
      if (stop.stop_requested()) return;
      curve_ = curve;
      plateaus_ = curve->plateaus();
    };
  });
}

void BandwidthPlot::draw(Ui& ui, double present, std::vector<sim::Remedy>& wishes) {
  if (data_ && !asked_) compute();
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Theme& t = *ui.theme;
  ImFont* font = ui.fonts.caption;
  const float size = font->FontSize, tick = ui.px(4), thick = std::max(1.f, std::floor(ui.scale));
  const bool known = curve_ && !curve_->points.empty();
  int most = 2;
  if (known)
    for (const BandwidthCurve::Point& point : curve_->points) most = std::max(most, point.clusters);
  Frame frame;
  frame.up = ticks_within(1, most, 4, AxisScale::logarithmic);
  frame.low = {std::round(origin.x + widest_label(font, frame.up) + tick + ui.px(4)), std::round(origin.y)};
  frame.high = {origin.x + room.x, std::round(origin.y + room.y - size - tick)};
  // The first line is for the names. If a plateau is high, its number needs another line above the curve.
  const bool high_plateau =
      std::ranges::any_of(plateaus_, [&](const Plateau& each) { return 1.5 * each.clusters > most; });
  frame.first = frame.low.x + ui.px(8);
  frame.top = frame.low.y + size + ui.px(4) + (high_plateau ? size : 0);
  frame.foot = frame.high.y - ui.px(8);
  if (frame.high.x - frame.low.x < ui.px(80) || frame.foot - frame.top < ui.px(16)) return;
  button_over(ui, "plot.bandwidths", frame.low, frame.high);
  list->AddRectFilled({frame.low.x - thick, frame.low.y}, {frame.low.x, frame.high.y}, t.ink_dim);
  list->AddRectFilled({frame.low.x - thick, frame.high.y}, {frame.high.x, frame.high.y + thick}, t.ink_dim);
  std::string told;
  for (const Plateau& each : plateaus_) told += (told.empty() ? "" : " ") + std::to_string(each.clusters);
  ui.ids.state("plateaus", curve_ ? told : "none");
  if (!known) {
    const std::string text =
        curve_ ? "All rows are equal" : fmt::format("Counting clusters … {:.0f} %", part_ ? 100 * part_->load() : 0.0);
    write_text(list, font,
               {0.5f * (frame.low.x + frame.high.x - width_of(font, text)), 0.5f * (frame.low.y + frame.high.y - size)},
               t.ink_dim, text);
    return;
  }
  const double low = curve_->points.front().bandwidth, high = curve_->points.back().bandwidth;
  frame.across = ticks_within(low, std::max(high, 1.1 * low), 5, AxisScale::logarithmic);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Plateau* hovered = nullptr;
  if (ImGui::IsItemHovered())
    for (const Plateau& each : plateaus_)
      if (mouse.x >= frame.x(each.low) && mouse.x <= frame.x(each.high)) hovered = &each;
  choose(ui, frame, present, hovered, wishes);

  Marks marks;
  const std::string upwards = "clusters", across = "bandwidth";
  marks.take({frame.low.x + ui.px(4), frame.low.y}, {width_of(font, upwards), size});
  write_text(list, font, {frame.low.x + ui.px(4), frame.low.y}, t.ink, upwards);
  draw_bandwidths(ui, frame, present, marks);
  draw_curve(ui, frame, hovered);
  number_plateaus(ui, frame, marks);
  for (const double value : frame.up.major) {
    const float y = std::round(frame.y(value));
    list->AddRectFilled({frame.low.x - tick, y}, {frame.low.x, y + thick}, t.ink_dim);
    const std::string text = tick_label(frame.up, value);
    write_text(list, font, {frame.low.x - tick - ui.px(4) - width_of(font, text), y - 0.5f * size}, t.ink_dim, text);
  }
  // The name of the axis is at its end, where no tick is labelled.
  const float name = frame.high.x - width_of(font, across);
  write_text(list, font, {name, frame.high.y + tick}, t.ink, across);
  for (const double value : frame.across.major) {
    const float x = std::round(frame.x(value));
    list->AddRectFilled({x, frame.high.y}, {x + thick, frame.high.y + tick}, t.ink_dim);
    const std::string text = tick_label(frame.across, value);
    const float left = std::max(frame.low.x, x - 0.5f * width_of(font, text));
    if (left + width_of(font, text) < name - ui.px(8))
      write_text(list, font, {left, frame.high.y + tick}, t.ink_dim, text);
  }
}

// Draws the curve as steps, and on it the plateaus as thick lines.
void BandwidthPlot::draw_curve(const Ui& ui, const Frame& frame, const Plateau* hovered) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::vector<ImVec2> line;
  for (const BandwidthCurve::Point& point : curve_->points) {
    const float x = frame.x(point.bandwidth), y = frame.y(point.clusters);
    if (!line.empty() && line.back().y != y) line.push_back({x, line.back().y});
    line.push_back({x, y});
  }
  list->AddPolyline(line.data(), int(line.size()), ui.theme->ink_dim, 0, 1.5f * ui.scale);
  for (const Plateau& each : plateaus_) {
    const float y = frame.y(each.clusters), half = ui.px(&each == hovered ? 3 : 2);
    list->AddRectFilled({frame.x(each.low), y - half}, {frame.x(each.high), y + half},
                        &each == hovered ? ui.theme->accent_hovered : ui.theme->accent, half);
  }
}

// Draws the estimated bandwidth and the one in use, at the edge of the plot if they are beyond the curve.
void BandwidthPlot::draw_bandwidths(const Ui& ui, const Frame& frame, double present, Marks& marks) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImFont* font = ui.fonts.caption;
  const float thick = std::max(1.f, std::floor(ui.scale)), gap = ui.px(4);
  const auto line = [&](double bandwidth, ImU32 colour, float width) {
    const float x = std::min(std::round(frame.x(bandwidth)), frame.high.x - width);
    list->AddRectFilled({x, frame.low.y}, {x + width, frame.high.y}, colour);
    return x;
  };
  const float x = line(curve_->estimate, ui.theme->ink_dim, thick);
  const float width = width_of(font, "estimate");
  for (const float left : {x + gap, x - gap - width})
    if (left + width <= frame.high.x && marks.take({left, frame.low.y}, {width, font->FontSize})) {
      write_text(list, font, {left, frame.low.y}, ui.theme->ink_dim, "estimate");
      break;
    }
  line(present, ui.theme->ink, 2 * thick);
}

// Writes the plateaus' numbers, the longest plateau first: where there is no room for two numbers, the shorter plateau
// has none.
void BandwidthPlot::number_plateaus(Ui& ui, const Frame& frame, Marks& marks) const {
  ImFont* font = ui.fonts.caption;
  std::vector<Plateau> longest = plateaus_;
  std::stable_sort(longest.begin(), longest.end(),
                   [](const Plateau& a, const Plateau& b) { return a.high * b.low > b.high * a.low; });
  for (const Plateau& each : longest) {
    const std::string text = std::to_string(each.clusters);
    const float from = frame.x(each.low), to = frame.x(each.high), y = frame.y(each.clusters);
    ui.ids.widget(("plot.plateau." + text).c_str(), {from, frame.low.y}, {to, frame.high.y});
    const float width = width_of(font, text), left = std::max(from, 0.5f * (from + to - width));
    const ImVec2 at{std::min(left, frame.high.x - width), y - font->FontSize - ui.px(2)};
    if (marks.take(at, {width, font->FontSize})) write_text(ImGui::GetWindowDrawList(), font, at, ui.theme->ink, text);
  }
}

// A click sets the middle of the plateau, or the bandwidth that was clicked; arrow keys go to the next plateau.
void BandwidthPlot::choose(Ui& ui, const Frame& frame, double present, const Plateau* hovered,
                           std::vector<sim::Remedy>& wishes) {
  const auto wish = [&](double bandwidth) {
    wishes.push_back({sim::MeanShiftParameters().bandwidth.name(), fmt::format("{:.3g}", bandwidth)});
  };
  const int change = keys_for_last_item(ui, "plot.bandwidths").change;
  if (change > 0) {
    const auto next = std::ranges::find_if(plateaus_, [&](const Plateau& p) { return p.low > present; });
    if (next != plateaus_.end()) wish(middle(*next));
  } else if (change < 0) {
    const auto next =
        std::find_if(plateaus_.rbegin(), plateaus_.rend(), [&](const Plateau& p) { return p.high < present; });
    if (next != plateaus_.rend()) wish(middle(*next));
  }
  if (!ImGui::IsItemHovered()) return;
  const double bandwidth = hovered ? middle(*hovered) : frame.bandwidth_at(ImGui::GetIO().MousePos.x);
  if (ImGui::IsMouseClicked(0)) wish(bandwidth);
  const auto after = std::upper_bound(curve_->points.begin(), curve_->points.end(), bandwidth,
                                      [](double at, const BandwidthCurve::Point& p) { return at < p.bandwidth; });
  const auto& at = after == curve_->points.begin() ? *after : *(after - 1);
  const std::string clusters = sim::count_of(std::size_t(at.clusters), "cluster");
  const std::string text =
      hovered ? clusters + " from " + number_text(hovered->low) + " to " + number_text(hovered->high) : clusters;
  // The tooltip is above the plot, which it would otherwise hide.
  ImGui::SetNextWindowPos({frame.high.x, frame.low.y - ui.px(4)}, ImGuiCond_Always, {1, 1});
  tell_at_mouse(ui, text + "\nClick for the bandwidth " + number_text(bandwidth));
}

}  // namespace kinescope::app
