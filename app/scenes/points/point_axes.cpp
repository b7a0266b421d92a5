#include "app/scenes/points/point_axes.hpp"

#include <algorithm>
#include <cmath>

#include "app/scenes/plot.hpp"
#include "app/scenes/points/alignment.hpp"

namespace kinescope::app {
namespace {

constexpr float tick_length = 5, apart = 6;
constexpr int most_box_ticks = 5;

struct Plane {
  glm::vec3 low, high;  // at the picture's lower left and upper right corners
  AxisTicks across, up;
};

Plane plane_of(const PictureArea& area, const render::Camera& camera, const PointAxes& axes) {
  const glm::vec2 size = area.size();
  Plane plane{camera.point_at({0, size.y}), camera.point_at({size.x, 0}), {}, {}};
  const auto [x, y, z] = axes.origins;
  plane.across = ticks_within(x + plane.low.x, x + plane.high.x, labels_for(size.x, 96 * area.scale));
  plane.up = ticks_within(y + plane.low.y, y + plane.high.y, labels_for(size.y, 64 * area.scale));
  return plane;
}

// A plate in the background's colour keeps text over points legible.
void write_on_plate(const PictureArea& area, float x, float y, ImU32 colour, const std::string& text) {
  const float s = area.scale;
  area.list->AddRectFilled({x - 3 * s, y - s},
                           {x + width_of(area.fonts.caption, text) + 3 * s, y + area.fonts.caption->FontSize + s},
                           with_alpha(area.theme->background, 200), corner * s);
  area.write({x, y}, colour, text);
}

}  // namespace

float plane_axes_left(const PictureArea& area, const render::Camera& camera, const PointAxes& axes) {
  return std::round(widest_label(area.fonts.caption, plane_of(area, camera, axes).up) +
                    (tick_length + 2 * apart) * area.scale);
}

float plane_axes_bottom(const PictureArea& area) {
  return std::round(area.fonts.caption->FontSize + (tick_length + 1.5f * apart) * area.scale);
}

void draw_plane_axes(const PictureArea& area, const render::Camera& camera, const PointAxes& axes) {
  const Theme& t = *area.theme;
  const float s = area.scale, thick = std::max(1.f, std::floor(s)), size = area.fonts.caption->FontSize;
  const Plane plane = plane_of(area, camera, axes);
  const float x0 = area.low.x + plane_axes_left(area, camera, axes), y0 = area.high.y - plane_axes_bottom(area);
  const ImU32 plate = with_alpha(t.background, 216);
  area.list->AddRectFilled(area.low, {x0, area.high.y}, plate);
  area.list->AddRectFilled({x0, y0}, area.high, plate);
  area.list->AddRectFilled({x0 - thick, area.low.y}, {x0, y0}, t.ink_dim);
  area.list->AddRectFilled({x0 - thick, y0}, {area.high.x, y0 + thick}, t.ink_dim);
  // The names are at the ends of their axes, where no tick is labelled.
  const std::string across = shortened(area.fonts.caption, axes.names[0], 0.4f * (area.high.x - x0)),
                    up = shortened(area.fonts.caption, axes.names[1], 0.4f * (area.high.x - x0));
  const float name_left = area.high.x - width_of(area.fonts.caption, across) - 8 * s;
  area.write({name_left, y0 + (tick_length + apart / 2) * s}, t.ink, across);
  write_on_plate(area, x0 + 8 * s, area.low.y + 8 * s, t.ink, up);
  for (const double value : plane.across.major) {
    const float x = std::round(area.low.x + camera.pixel_of({float(value - axes.origins[0]), plane.low.y, 0}).x);
    if (x < x0) continue;
    const std::string text = tick_label(plane.across, value);
    const float width = width_of(area.fonts.caption, text);
    area.list->AddRectFilled({x, y0}, {x + thick, y0 + tick_length * s}, t.ink_dim);
    if (x - 0.5f * width > x0 && x + 0.5f * width < name_left - apart * s)
      area.write({x - 0.5f * width, y0 + (tick_length + apart / 2) * s}, t.ink_dim, text);
  }
  for (const double value : plane.up.major) {
    const float y = std::round(area.low.y + camera.pixel_of({plane.low.x, float(value - axes.origins[1]), 0}).y);
    if (y > y0) continue;
    const std::string text = tick_label(plane.up, value);
    area.list->AddRectFilled({x0 - tick_length * s, y}, {x0, y + thick}, t.ink_dim);
    if (y > area.low.y + size && y < y0 - 0.5f * size)
      area.write({x0 - (tick_length + apart) * s - width_of(area.fonts.caption, text), y - 0.55f * size}, t.ink_dim,
                 text);
  }
}

void draw_box_axes(const PictureArea& area, const render::Camera& camera, const render::Bounds& box,
                   const PointAxes& axes) {
  if (box.empty()) return;
  const Theme& t = *area.theme;
  const float s = area.scale;
  const auto pixel = [&](glm::vec3 p) { return area.in_window(camera.pixel_of(p)); };
  const ImVec2 centre = pixel(box.centre());
  const ImU32 faint = with_alpha(t.ink_dim, 90);
  area.list->PushClipRect(area.low, area.high, true);
  for (int axis = 0; axis < 3; ++axis) {
    // Of the four edges along an axis, the outermost is labelled: the lowest for x and y, the leftmost for z.
    int best = 0;
    float farthest = -1e30f;
    for (int bits = 0; bits < 8; ++bits) {
      if (bits >> axis & 1) continue;
      const ImVec2 a = pixel(corner_of(box, bits)), b = pixel(corner_of(box, bits | 1 << axis));
      area.list->AddLine(a, b, faint, s);
      const float out = axis == 2 ? -(a.x + b.x) : a.y + b.y;
      if (out > farthest) farthest = out, best = bits;
    }
    const glm::vec3 from = corner_of(box, best), to = corner_of(box, best | 1 << axis);
    const ImVec2 a = pixel(from), b = pixel(to);
    area.list->AddLine(a, b, t.ink_dim, 1.25f * s);
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    if (length < 40 * s || !(to[axis] > from[axis])) continue;  // the axis points towards the eye
    // Labels are placed outwards: perpendicular to the edge, away from the box's centre.
    ImVec2 out{-(b.y - a.y) / length, (b.x - a.x) / length};
    const ImVec2 middle{0.5f * (a.x + b.x), 0.5f * (a.y + b.y)};
    if (out.x * (middle.x - centre.x) + out.y * (middle.y - centre.y) < 0) out = {-out.x, -out.y};
    const double origin = axes.origins[std::size_t(axis)];
    const AxisTicks ticks =
        ticks_within(origin + from[axis], origin + to[axis], std::clamp(int(length / (64 * s)), 2, most_box_ticks));
    const float size = area.fonts.caption->FontSize;
    const auto label = [&](ImVec2 at, float away, ImU32 colour, const std::string& text) {
      const float width = width_of(area.fonts.caption, text);
      const ImVec2 c{at.x + out.x * (away + 0.5f * width * std::abs(out.x) / std::max(0.5f, std::abs(out.x))),
                     at.y + out.y * (away + 0.5f * size)};
      write_on_plate(area, c.x - 0.5f * width, c.y - 0.5f * size, colour, text);
    };
    float widest = 0;
    for (const double value : ticks.major) {
      glm::vec3 p = from;
      p[axis] = float(value - origin);
      const ImVec2 at = pixel(p);
      area.list->AddLine(at, {at.x + out.x * tick_length * s, at.y + out.y * tick_length * s}, t.ink_dim, 1.25f * s);
      const std::string text = tick_label(ticks, value);
      label(at, (tick_length + apart) * s, t.ink_dim, text);
      widest = std::max(widest, width_of(area.fonts.caption, text));
    }
    const float beyond = (tick_length + 2 * apart) * s + std::abs(out.x) * widest + std::abs(out.y) * 1.2f * size;
    label(middle, beyond, t.ink, axes.names[std::size_t(axis)]);
  }
  area.list->PopClipRect();
}

}  // namespace kinescope::app
