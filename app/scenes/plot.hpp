// Plots inside a picture. ImGui's draw lists draw the axes and labels. OpenGL draws the curves, straight from the
// buffers that a simulation publishes.
//
// Each frame:  the scene lays its plots out (Plot::place), in the same way in both functions:
//   draw:          painter.grid(plot, canvas); painter.curve(plot, canvas, series, look); ...
//   draw_overlay:  draw_axes(plot, area)
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/plot/plot_axis.hpp"
#include "app/scenes/legend.hpp"
#include "render/lines/lines.hpp"
#include "render/lines/series.hpp"
#include "render/points/point_cloud.hpp"

namespace kinescope::app {

// An entry of the legend at the right end of a plot's first line: a name, and the mark that it explains.
struct PlotNote {
  std::string text;
  std::optional<LegendMark> mark;
  render::Rgb colour{};
  std::optional<render::Rgb> below;  // colour of a second line, for a pair of curves
};

struct Plot {
  Rectangle frame;                                      // where the data are drawn; pixels of the picture, y down
  float scale = 1;                                      // pixels per design pixel
  double low_x = 0, high_x = 1, low_y = 0, high_y = 1;  // high_y < low_y: y grows downwards
  bool whole_x = false;                                 // ticks at whole numbers only
  bool logarithmic_y = false;                           // y values are decimal logarithms
  std::string title, x_title, y_title, right_title;
  std::optional<render::Rgb> y_colour, right_colour;  // colours of the titles
  float right_margin = 16;                            // design pixels; a scale on the right needs 48
  double right_factor = 0;      // above 0: there is a scale on the right, whose numbers are y times this
  std::vector<PlotNote> notes;  // the last ones are left out if they do not fit

  // `whole`: the plot with its axes, in pixels of the picture.
  void place(const Rectangle& whole, float pixels_per_design_pixel);
  bool shown() const { return frame.high.x - frame.low.x > 40 * scale && frame.high.y - frame.low.y > 24 * scale; }
  AxisTicks x_ticks() const;
  AxisTicks y_ticks() const;
  glm::mat4 clip_from_data() const;
  glm::vec2 pixel_of(double x, double y) const;  // a pixel of the picture
  glm::dvec2 at(glm::vec2 pixel) const;
  bool holds(glm::vec2 pixel) const;
  // The part of the picture inside the frame; its size is (0, 0) if nothing is to be drawn.
  render::Canvas canvas(const render::Canvas& picture) const;
};

// How many labels of `each` pixels suit an axis of this length.
int labels_for(float pixels, float each);
float widest_label(ImFont* font, const AxisTicks& ticks);  // pixels
void draw_axes(const Plot& plot, const PictureArea& area);
// Writes a name beside the point (x, y) of the plot: to its right, or with `before` to its left.
void draw_label(const PictureArea& area, const Plot& plot, double x, double y, const std::string& text, bool before);
// Draws the colour map and its values in the right margin, which must be 48 design pixels wide.
void draw_colour_scale(const PictureArea& area, const Plot& plot, std::span<const render::Rgb, 256> map, double low,
                       double high);

// The style of a line in one colour, `width` design pixels wide.
inline render::LineStyle line_style(render::Rgb colour, float width, float opacity = 1) {
  return {.uniform = colour, .width = width, .opacity = opacity};
}

class PlotPainter {
 public:
  explicit PlotPainter(render::OpenGl& opengl) : cloud_(opengl, render::PointPath::sprites) {}

  void grid(const Plot& plot, const render::Canvas& picture, render::Background background);
  // Draws the series as a curve; a value y is drawn at y / `factor` on the plot's y axis.
  void curve(const Plot& plot, const render::Canvas& picture, const render::Series& series, render::LineStyle style,
             double factor = 1);
  // Draws a disc at each value of the series. `emphasis` has PointBuffers' meaning; with it, a series that is too long
  // to have a vertex for each value is not drawn.
  void dots(const Plot& plot, const render::Canvas& picture, const render::Series& series, render::BufferView emphasis,
            render::Rgb colour, float diameter);
  void path(const Plot& plot, const render::Canvas& picture, std::span<const glm::vec2> places,
            const render::LineStyle& style) {
    lines(plot, picture, places, 1, style);
  }
  void marks(const Plot& plot, const render::Canvas& picture, std::span<const glm::vec2> places, render::Rgb colour,
             float diameter);

 private:
  // Draws `count` lines; each has the same number of places.
  void lines(const Plot& plot, const render::Canvas& picture, std::span<const glm::vec2> places, std::size_t count,
             render::LineStyle style);
  void discs(const Plot& plot, const render::Canvas& canvas, const render::PointBuffers& points, render::Rgb colour,
             float diameter);

  render::Lines lines_;
  render::PointCloud cloud_;
  render::SeriesVertices vertices_;
  render::Buffer places_;
};

}  // namespace kinescope::app
