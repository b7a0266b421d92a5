// What a figure for a paper or a slide is to be: its size, resolution, letters, and what is in it.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scenes/legend.hpp"

namespace kinescope::app {

struct FigureOptions {
  double width = 170, height = 0;  // millimetres; height 0: three quarters of the width
  double dpi = 300;                // dots an inch, of pictures and of what is no shape in a vector file
  double font_size = 8;            // points
  std::string title;
  LegendPlace legend = LegendPlace::beside;
  bool scale_bar = true;
  bool transparent = false;

  glm::dvec2 millimetres() const { return {width, height > 0 ? height : 0.75 * width}; }
  glm::ivec2 pixels() const;
  float scale() const;  // pixels per design pixel
  bool operator==(const FigureOptions&) const = default;
};

inline constexpr int most_figure_pixels = 16'384;  // a side
inline constexpr float most_figure_scale = 12;     // larger letters would not fit into a texture
inline constexpr double least_dpi = 30, most_dpi = 2400, least_font_size = 2, most_font_size = 72;

inline const std::vector<std::string> figure_endings{".svg", ".pdf", ".png"};

// Millimetres of "85mm", "8.5cm", "3.3in", "240pt", "1200px" or "1200" (pixels); none if it is no such length.
std::optional<double> length_of(std::string_view text, double dpi);
// Throws sim::Error (input) if the figure would be empty, or of more pixels a side than there may be.
void check(const FigureOptions& options);

}  // namespace kinescope::app
