#include "app/scenes/k_means/sweep_plot.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/plot/plot_axis.hpp"

namespace kinescope::app {
namespace {

constexpr float width = 304, height = 200, axis = 32;  // design pixels; `axis` is the room for labels
constexpr int most_labels = 12;                        // on the x axis; each has two digits

// The vertical axis shows how far a criterion is above its own minimum, on a logarithmic scale. The first clusters
// lower a criterion far more than clusters beyond the best number raise it, and the two criteria differ from each
// other by less than either changes.
struct Frame {
  ImVec2 low, high;
  double least_bic = INFINITY, least_aic = INFINITY;
  AxisTicks across, up;

  Frame(const std::vector<sim::KMeansCriteria>& curve, ImVec2 from, ImVec2 to) : low(from), high(to) {
    for (const sim::KMeansCriteria& each : curve) {
      least_bic = std::min(least_bic, each.bic);
      least_aic = std::min(least_aic, each.aic);
    }
    double most = 1;
    for (const sim::KMeansCriteria& each : curve) most = std::max({most, each.bic - least_bic, each.aic - least_aic});
    up = ticks_within(0, most, 4, AxisScale::from_zero);
    across = ticks_within(curve.front().clusters, curve.back().clusters, most_labels);
    std::erase_if(across.major, [](double value) { return value != std::round(value); });
  }
  float x(double clusters) const { return low.x + (high.x - low.x) * float(across.place(clusters)); }
  float y(double above) const { return high.y - (high.y - low.y) * float(up.place(above)); }
};

void draw_axes(const PictureArea& area, const Frame& frame) {
  ImFont* font = area.fonts.caption;
  const float s = area.scale, half = 0.5f * font->FontSize;
  for (const double above : frame.up.major) {
    const std::string text = tick_label(frame.up, above, true);
    const float y = std::round(frame.y(above));
    area.list->AddLine({frame.low.x - 8 * s, y}, {frame.high.x + 8 * s, y}, area.theme->line, s);
    area.write({frame.low.x - 12 * s - width_of(font, text), y - half}, area.theme->ink_dim, text);
  }
  for (const double clusters : frame.across.major) {
    const std::string text = tick_label(frame.across, clusters);
    const float x = frame.x(clusters) - 0.5f * width_of(font, text);
    area.write({x, frame.high.y + 12 * s}, area.theme->ink_dim, text);
  }
}

void draw_dashes(const PictureArea& area, const std::vector<ImVec2>& line, ImU32 colour) {
  const float s = area.scale, dash = 5 * s, period = 9 * s;
  float begun = 0;  // length of the path before this segment
  for (std::size_t i = 1; i < line.size(); ++i) {
    const ImVec2 a = line[i - 1], way{line[i].x - a.x, line[i].y - a.y};
    const float length = std::hypot(way.x, way.y), end = begun + length;
    for (float from = std::floor(begun / period) * period; from < end && length > 0; from += period) {
      const float t = std::max(0.f, (from - begun) / length), u = std::min(1.f, (from + dash - begun) / length);
      if (u > t)
        area.list->AddLine({a.x + t * way.x, a.y + t * way.y}, {a.x + u * way.x, a.y + u * way.y}, colour, 1.5f * s);
    }
    begun = end;
  }
}

// Returns the end of the curve. AIC is dashed, so that the curves differ without colours too.
ImVec2 draw_curve(const PictureArea& area, const Frame& frame, const std::vector<sim::KMeansCriteria>& curve,
                  double sim::KMeansCriteria::*figure, bool solid) {
  const float s = area.scale;
  const ImU32 colour = solid ? area.theme->accent : area.theme->ink_dim;
  const double least = solid ? frame.least_bic : frame.least_aic;
  std::vector<ImVec2> line;
  for (const sim::KMeansCriteria& each : curve) line.push_back({frame.x(each.clusters), frame.y(each.*figure - least)});
  if (solid) {
    area.list->AddPolyline(line.data(), int(line.size()), colour, 0, 1.75f * s);
    for (const ImVec2& at : line) area.list->AddCircleFilled(at, 2.5f * s, colour, 12);
  } else {
    draw_dashes(area, line, colour);
  }
  return line.back();
}

void name_ends(const PictureArea& area, ImVec2 bic, ImVec2 aic) {
  const float s = area.scale, size = area.fonts.caption->FontSize, middle = 0.5f * (bic.y + aic.y);
  const float apart = std::max(std::abs(bic.y - aic.y), size + 2 * s), side = bic.y <= aic.y ? -0.5f : 0.5f;
  const float x = bic.x + 12 * s;
  area.write({x, middle + side * apart - 0.5f * size}, area.theme->accent, "BIC");
  area.write({x, middle - side * apart - 0.5f * size}, area.theme->ink_dim, "AIC");
}

void mark_chosen(const PictureArea& area, const Frame& frame, const std::vector<sim::KMeansCriteria>& curve,
                 int chosen) {
  const float s = area.scale;
  for (const sim::KMeansCriteria& each : curve) {
    if (each.clusters != chosen) continue;
    const ImVec2 at{frame.x(chosen), frame.y(each.bic - frame.least_bic)};
    area.list->AddCircleFilled(at, 5 * s, area.theme->accent, 20);
    area.list->AddCircle(at, 5 * s, area.theme->ink, 20, 1.5f * s);
  }
}

void draw_title(const PictureArea& area, ImVec2 low, int chosen, bool over) {
  const float s = area.scale;
  const std::string title = (over ? "Chosen: K = " : "Best so far: K = ") + std::to_string(chosen);
  write_text(area.list, area.fonts.strong, {low.x + 16 * s, low.y + 10 * s}, area.theme->ink, title);
  area.write({low.x + 16 * s, low.y + 30 * s}, area.theme->ink_dim, "BIC/AIC above minimum (lower is better)");
}

}  // namespace

void draw_sweep(const PictureArea& area, const sim::Snapshot& run) {
  const auto* sweep = run.find<sim::KMeansSweep>();
  if (!sweep) return;
  const std::vector<sim::KMeansCriteria>& curve = sweep->curve;
  const float s = area.scale;
  // At the left, since the legend is at the right.
  const ImVec2 low{area.low.x + 56 * s, area.high.y - (axis + 8 + height) * s};
  const ImVec2 high{low.x + width * s, low.y + height * s};
  if (curve.size() < 2 || high.x > area.high.x - 160 * s || low.y < area.low.y + 16 * s) return;
  area.list->AddRectFilled(low, high, with_alpha(area.theme->background, 226), corner * s);
  const Frame frame(curve, {low.x + 44 * s, low.y + 64 * s}, {high.x - 44 * s, high.y - 34 * s});
  draw_axes(area, frame);
  const ImVec2 aic = draw_curve(area, frame, curve, &sim::KMeansCriteria::aic, false),
               bic = draw_curve(area, frame, curve, &sim::KMeansCriteria::bic, true);
  name_ends(area, bic, aic);
  mark_chosen(area, frame, curve, sweep->chosen);
  draw_title(area, low, sweep->chosen, run.progress.converged);
}

}  // namespace kinescope::app
