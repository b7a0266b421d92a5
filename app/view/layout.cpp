#include "app/view/layout.hpp"

#include <algorithm>
#include <cmath>

namespace kinescope::app {

Layout lay_out(ImVec2 size, float scale, const Settings& settings, bool panels) {
  Layout layout;
  layout.picture = {0, 0, size.x, size.y};
  if (!panels) return layout;
  float left = std::round(settings.left_width * scale), right = std::round(settings.right_width * scale);
  const float most = std::floor(size.x * 2 / 3);
  if (left + right > most) {
    const float part = most / (left + right);
    left = std::floor(left * part);
    right = std::floor(right * part);
  }
  const float bottom = std::min(std::round(settings.bottom_height * scale), std::floor(size.y / 2));
  const float height = size.y - bottom;
  layout.left = {0, 0, left, height};
  layout.right = {size.x - right, 0, right, height};
  layout.bottom = {0, height, size.x, bottom};
  layout.picture = {left, 0, size.x - left - right, height};
  return layout;
}

}  // namespace kinescope::app
