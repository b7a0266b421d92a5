// Draws what the window shows as a figure: PNG, or SVG and PDF, in which points, lines, edges, legends, axes and texts
// are shapes; what is no shape (fields, landscapes, densities, more than 50,000 points) is one image below them.
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/theme.hpp"
#include "app/view/figure/figure_options.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/gl/image.hpp"
#include "render/vectors/vector_picture.hpp"

namespace kinescope::app {

// What is drawn: the scene, and the texts over it.
struct FigureSource {
  std::function<void(const render::Canvas&)> draw;
  std::function<void(const PictureArea&)> draw_over;
  std::function<void(const PictureArea*)> fit;  // Scene::fit_to
  const Theme* theme = nullptr;                 // outlives it
};

// Waits for the GPU; needs the OpenGL context. Throws sim::Error. With `transparent` the image has an alpha channel.
render::Image figure_picture(const FigureOptions& options, const FigureSource& source);

struct VectorFigure {
  glm::dvec2 millimetres{};
  render::VectorPicture shapes{{0, 0}};
  std::optional<render::Image> image;     // as large as `shapes`; none: there is nothing that is no shape
  std::optional<render::Rgb> background;  // none: transparent
  std::string title, state;
};
VectorFigure figure_shapes(const FigureOptions& options, const FigureSource& source);

// The whole files. SVG has texts as texts. PDF embeds the fonts that it uses.
std::string svg_of(const VectorFigure& figure);
std::string pdf_of(const VectorFigure& figure);  // throws sim::Error (run)

// Draws the figure for a file of this name; the result writes it, on any thread. `state`: what it carries.
std::function<void()> figure_writer(const std::string& path, const FigureOptions& options, const FigureSource& source,
                                    const std::string& state);

}  // namespace kinescope::app
