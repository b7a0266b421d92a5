#include "app/view/figure/figure.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "app/view/overlay.hpp"
#include "app/view/recording/screenshot.hpp"
#include "kinescope/data/write.hpp"
#include "render/pictures/picture.hpp"

namespace kinescope::app {
namespace {

constexpr float title_band = 32;  // design pixels

render::Rgb rgb(ImU32 colour) {
  return {std::uint8_t(colour >> IM_COL32_R_SHIFT), std::uint8_t(colour >> IM_COL32_G_SHIFT),
          std::uint8_t(colour >> IM_COL32_B_SHIFT)};
}

// Where the title and the picture below it are.
struct Places {
  float scale = 1;
  int band = 0;

  explicit Places(const FigureOptions& options)
      : scale(options.scale()), band(options.title.empty() ? 0 : int(title_band * scale)) {}
  render::Canvas below(render::Canvas canvas) const {
    canvas.scale = scale;
    const glm::ivec2 whole = canvas.whole();
    return band == 0 ? canvas : canvas.part({0, band}, {whole.x, std::max(1, whole.y - band)});
  }
  void draw_over(const FigureOptions& options, const FigureSource& source, PictureArea area) const {
    if (band > 0)
      write_text(area.list, area.fonts.strong, {area.low.x + 16 * scale, area.low.y + 10 * scale}, area.theme->ink,
                 shortened(area.fonts.strong, options.title, area.high.x - area.low.x - 32 * scale));
    area.low.y += float(band);
    area.legend = options.legend;
    area.scale_bar = options.scale_bar;
    source.draw_over(area);
  }
};

// What was drawn over black and over white tells how opaque each pixel is.
render::Image with_alpha(const render::Image& on_black, const render::Image& on_white) {
  render::Image image = on_black;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    int alpha = 0;
    for (std::size_t c = i; c < i + 3; ++c) alpha = std::max(alpha, 255 - on_white.rgba[c] + on_black.rgba[c]);
    alpha = std::clamp(alpha, 0, 255);
    for (std::size_t c = i; c < i + 3 && alpha > 0; ++c)
      image.rgba[c] = std::uint8_t(std::min(255, (255 * on_black.rgba[c] + alpha / 2) / alpha));
    image.rgba[i + 3] = std::uint8_t(alpha);
  }
  return image;
}

render::Image drawn(bool transparent, glm::ivec2 size, const Theme& theme,
                    const std::function<void(const render::Canvas&)>& draw) {
  if (transparent)
    return with_alpha(render::render_picture(size, glm::vec3(0), draw),
                      render::render_picture(size, glm::vec3(1), draw));
  return render::render_picture(size, render::to_float(rgb(theme.background)), draw);
}

// Nothing was drawn: all pixels are alike.
bool is_blank(const render::Image& image) {
  for (std::size_t i = 4; i < image.rgba.size(); i += 4)
    if (!std::equal(&image.rgba[i], &image.rgba[i] + 4, image.rgba.data())) return false;
  return true;
}

}  // namespace

render::Image figure_picture(const FigureOptions& options, const FigureSource& source) {
  check(options);
  const Places places(options);
  Overlay overlay(places.scale);
  return drawn(options.transparent, options.pixels(), *source.theme, [&](const render::Canvas& canvas) {
    if (const render::Canvas below = places.below(canvas); below.size.x > 0) source.draw(below);
    overlay.draw(canvas, *source.theme, [&](const PictureArea& area) { places.draw_over(options, source, area); });
  });
}

VectorFigure figure_shapes(const FigureOptions& asked, const FigureSource& source) {
  check(asked);
  FigureOptions options = asked;
  constexpr int most = 8192;  // shapes need a picture without tiles
  const glm::ivec2 wanted = options.pixels();
  options.dpi *= std::min(1.0, double(most) / std::max(wanted.x, wanted.y));
  const Places places(options);
  VectorFigure figure{.millimetres = options.millimetres(), .title = options.title};
  figure.shapes = render::VectorPicture(options.pixels());
  if (!options.transparent) figure.background = rgb(source.theme->background);
  bool first = true;
  render::VectorPicture again(options.pixels());
  const auto draw = [&](render::Canvas canvas) {
    canvas.vectors = std::exchange(first, false) ? &figure.shapes : &again;
    source.draw(places.below(canvas));
  };
  render::Image image = drawn(options.transparent, options.pixels(), *source.theme, draw);
  if (!is_blank(image)) figure.image = std::move(image);
  Overlay(places.scale).add_shapes(figure.shapes, *source.theme, [&](const PictureArea& area) {
    places.draw_over(options, source, area);
  });
  return figure;
}

std::function<void()> figure_writer(const std::string& path, const FigureOptions& options, const FigureSource& source,
                                    const std::string& state) {
  if (path.ends_with(".png"))
    return [path, state, opaque = !options.transparent,
            image = std::make_shared<render::Image>(figure_picture(options, source))] {
      write_png(path, *image, state, opaque);
    };
  auto figure = std::make_shared<VectorFigure>(figure_shapes(options, source));
  figure->state = state;
  return [path, figure] { sim::write_bytes(path, path.ends_with(".pdf") ? pdf_of(*figure) : svg_of(*figure)); };
}

}  // namespace kinescope::app
