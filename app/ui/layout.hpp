// Where the panels and the picture are: panels dock around the picture, never over it.
#pragma once

#include <algorithm>
#include <glm/vec2.hpp>
#include <imgui.h>

#include "app/io/settings.hpp"

namespace kinescope::app {

struct Box {
  float x = 0, y = 0, width = 0, height = 0;
  ImVec2 low() const { return {x, y}; }
  ImVec2 high() const { return {x + width, y + height}; }
  glm::ivec2 pixels() const { return {std::max(1, int(width)), std::max(1, int(height))}; }  // at least one
};

struct PanelPlaces {
  Box left, right, bottom;  // empty while the panel is hidden
  Box run, curve, timings;  // parts of the bottom panel; the timings are narrow when the sides are folded
  Box picture;
  Box timeline;  // below the picture; empty where there is none
};

inline constexpr float narrow_width = 1000;  // design pixels below which the side panels fold by themselves

// Begins a window at a fixed place of the layout, like ImGui::Begin.
bool begin_fixed(const char* name, const Box& box, ImGuiWindowFlags more = 0);

enum class Panels { all, bottom, none };

// Computes the layout of a window of `size` pixels. The settings and `timeline_height` are in design pixels; `scale` is
// pixels per design pixel. In a small window the panels get narrower, so that the picture keeps at least a third of the
// width.
PanelPlaces lay_out(ImVec2 size, float scale, const Settings& settings, Panels panels, float timeline_height = 0);

}  // namespace kinescope::app
