#include "app/ui/layout.hpp"

#include <algorithm>
#include <cmath>

namespace kinescope::app {

bool begin_fixed(const char* name, const Box& box, ImGuiWindowFlags more) {
  constexpr ImGuiWindowFlags fixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoNav;
  ImGui::SetNextWindowPos(box.low());
  ImGui::SetNextWindowSize({box.width, box.height});
  return ImGui::Begin(name, nullptr, fixed | more);
}

PanelPlaces lay_out(ImVec2 size, float scale, const Settings& settings, Panels panels, float timeline_height) {
  PanelPlaces layout;
  layout.picture = {0, 0, size.x, size.y};
  if (panels == Panels::none) return layout;
  float left = std::round(settings.left_width * scale), right = std::round(settings.right_width * scale);
  const bool folded = panels == Panels::bottom;
  const float most = std::floor(size.x * 2 / 3);
  if (left + right > most) {
    const float part = most / (left + right);
    left = std::floor(left * part);
    right = std::floor(right * part);
  }
  const float bottom = std::min(std::round(settings.bottom_height * scale), std::floor(size.y / 2));
  const float height = size.y - bottom;
  layout.bottom = {0, height, size.x, bottom};
  const float run = folded ? std::min(std::round(least_left_width * scale), size.x / 2) : left;
  const float rest = folded ? std::min(std::round(112 * scale), size.x / 4) : right;
  layout.run = {0, height, run, bottom};
  layout.curve = {run, height, size.x - run - rest, bottom};
  layout.timings = {size.x - rest, height, rest, bottom};
  if (folded) left = right = 0;
  layout.left = {0, 0, left, height};
  layout.right = {size.x - right, 0, right, height};
  const float strip = std::round(timeline_height * scale);
  layout.picture = {left, 0, size.x - left - right, height - strip};
  layout.timeline = {left, height - strip, layout.picture.width, strip};
  return layout;
}

}  // namespace kinescope::app
