// Plots that stand in a picture: axes and labels by ImGui's draw lists, what they show by OpenGL, so that curves come
// straight from the buffers that a simulation publishes.
//
// Each frame:  the scene lays its plots out (Plot::place), the same in both of
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

// A name at the end of a plot's first line, with what it looks like.
struct PlotNote {
  std::string text;
  std::optional<LegendMark> mark;
  render::Rgb colour{};
  std::optional<render::Rgb> below;  // of a second line, for a pair of curves
};

struct Plot {
  Rectangle cell;                                       // all of it, with its axes; pixels of the picture, y down
  Rectangle frame;                                      // where the data are
  float scale = 1;                                      // pixels per pixel of the design
  double low_x = 0, high_x = 1, low_y = 0, high_y = 1;  // high_y below low_y: downwards
  bool whole_x = false;                                 // ticks at whole numbers alone
  bool logarithmic_y = false;                           // then the y are decimal logarithms
  std::string title, x_title, y_title, right_title;
  std::optional<render::Rgb> y_colour, right_colour;  // of the titles
  float right_margin = 16;                            // pixels of the design; what a scale on the right needs: 48
  double right_factor = 0;                            // > 0: a scale on the right, whose numbers are y times this
  std::vector<PlotNote> notes;                        // what does not fit is left out, from the last on

  void place(const Rectangle& whole, float pixels_per_design_pixel);
  bool shown() const { return frame.high.x - frame.low.x > 40 * scale && frame.high.y - frame.low.y > 24 * scale; }
  AxisTicks x_ticks() const;
  AxisTicks y_ticks() const;
  AxisTicks right_ticks() const;
  glm::mat4 clip_from_data() const;
  ImVec2 pixel_of(double x, double y) const;  // of the picture
  glm::dvec2 at(ImVec2 pixel) const;
  bool holds(ImVec2 pixel) const;
  render::Canvas canvas(const render::Canvas& picture) const;  // the frame's
};

void draw_axes(const Plot& plot, const PictureArea& area);
// A name beside a place of the plot, on its right or, `before`, on its left.
void draw_label(const PictureArea& area, const Plot& plot, double x, double y, const std::string& text, bool before);
// What colours stand for, in the margin on the right (48 pixels of the design).
void draw_colour_scale(const PictureArea& area, const Plot& plot, std::span<const render::Rgb, 256> map, double low,
                       double high);

class PlotPainter {
 public:
  explicit PlotPainter(render::OpenGl& opengl) : cloud_(opengl, render::PointPath::sprites) {}

  void grid(const Plot& plot, const render::Canvas& picture, render::Background background);
  // Values of a scale `factor` times the plot's own are drawn to the plot's.
  void curve(const Plot& plot, const render::Canvas& picture, const render::Series& series,
             const render::LineStyle& style, double factor = 1);
  // A disc at each number; `emphasis` as PointBuffers'.
  void dots(const Plot& plot, const render::Canvas& picture, const render::Series& series, render::BufferView emphasis,
            render::Rgb colour, float diameter);
  void path(const Plot& plot, const render::Canvas& picture, std::span<const glm::vec2> places,
            const render::LineStyle& style);
  void marks(const Plot& plot, const render::Canvas& picture, std::span<const glm::vec2> places, render::Rgb colour,
             float diameter);

 private:
  void discs(const Plot& plot, const render::Canvas& canvas, const render::PointBuffers& points, render::Rgb colour,
             float diameter);

  render::Lines lines_;
  render::PointCloud cloud_;
  render::SeriesVertices vertices_;
  render::Buffer places_;
};

}  // namespace kinescope::app
