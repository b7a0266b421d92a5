#include "app/view/figure/figure_options.hpp"

#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <utility>

#include "kinescope/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr double mm_per_inch = 25.4, points_per_inch = 72;

}  // namespace

glm::ivec2 FigureOptions::pixels() const {
  const glm::dvec2 size = millimetres() / mm_per_inch * dpi;
  return {int(std::lround(size.x)), int(std::lround(size.y))};
}

float FigureOptions::scale() const {
  constexpr double design_size = 14;  // of the window's text
  return float(font_size / points_per_inch * dpi / design_size);
}

std::optional<double> length_of(std::string_view text, double dpi) {
  const std::pair<std::string_view, double> units[] = {
      {"mm", 1}, {"cm", 10}, {"in", mm_per_inch}, {"pt", mm_per_inch / points_per_inch}, {"px", mm_per_inch / dpi}};
  double factor = mm_per_inch / dpi;
  for (const auto& [unit, millimetres] : units)
    if (text.ends_with(unit)) {
      text.remove_suffix(unit.size());
      factor = millimetres;
      break;
    }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number > 0)) return std::nullopt;
  return number * factor;
}

void check(const FigureOptions& options) {
  const glm::dvec2 size = options.millimetres() / mm_per_inch * options.dpi;
  if (!(size.x >= 16 && size.y >= 16 && size.x <= most_figure_pixels && size.y <= most_figure_pixels))
    throw sim::input_error(fmt::format("a figure of {:.0f} x {:.0f} pixels: each side must be 16 to {}", size.x, size.y,
                                       sim::with_commas(most_figure_pixels)));
  if (options.scale() > most_figure_scale)
    throw sim::input_error(
        fmt::format("letters of {:.3g} points at {:.0f} dots per inch are too large: at most {:.0f} "
                    "dots per inch",
                    options.font_size, options.dpi, std::floor(options.dpi * most_figure_scale / options.scale())));
}

}  // namespace kinescope::app
