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

render::Rgb rgb(ImU32 colour) {
  return {std::uint8_t(colour >> IM_COL32_R_SHIFT), std::uint8_t(colour >> IM_COL32_G_SHIFT),
          std::uint8_t(colour >> IM_COL32_B_SHIFT)};
}

// Where the title is, the picture below it, and the legend beside that. While it lives, the scene is drawn for that
// place.
class Places {
 public:
  Places(const FigureOptions& options, const FigureSource& source, Overlay& overlay)
      : options_(options), source_(source), scale_(options.scale()) {
    band_ = options.title.empty() ? 0 : int(title_band * scale_);
    const glm::ivec2 pixels = options.pixels();
    const ImVec2 size{float(pixels.x), float(pixels.y)};
    overlay.measure(size, *source.theme, [&](PictureArea area) {
      float width = 0;
      if (options.legend == LegendPlace::beside) {
        area.legend_width = &width;
        source.draw_over(area);
      }
      room_ = width > 0 ? std::min(int(width + margin * scale_), pixels.x / 2) : 0;
      const PictureArea place = place_in(area);
      source.fit(&place);
    });
  }
  ~Places() { source_.fit(nullptr); }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  void draw(render::Canvas canvas) const {
    canvas.scale = scale_;
    const glm::ivec2 whole = canvas.whole();
    if (band_ > 0 || room_ > 0)
      canvas = canvas.part({0, band_}, {std::max(1, whole.x - room_), std::max(1, whole.y - band_)});
    if (canvas.size.x > 0) source_.draw(canvas);
  }
  void draw_over(const PictureArea& area) const {
    if (band_ > 0)
      write_text(area.list, area.fonts.strong, {area.low.x + margin * scale_, area.low.y + 10 * scale_},
                 area.theme->ink,
                 shortened(area.fonts.strong, options_.title, area.high.x - area.low.x - 2 * margin * scale_));
    source_.draw_over(place_in(area));
  }

 private:
  static constexpr float title_band = 32, margin = 16;  // design pixels
  PictureArea place_in(PictureArea area) const {
    area.low.y += float(band_);
    area.high.x -= float(room_);
    area.legend = options_.legend;
    area.legend_width = nullptr;
    area.scale_bar = options_.scale_bar;
    return area;
  }

  const FigureOptions& options_;
  const FigureSource& source_;
  float scale_;
  int band_ = 0, room_ = 0;  // pixels
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
  Overlay overlay(options.scale());
  const Places places(options, source, overlay);
  return drawn(options.transparent, options.pixels(), *source.theme, [&](const render::Canvas& canvas) {
    places.draw(canvas);
    overlay.draw(canvas, *source.theme, [&](const PictureArea& area) { places.draw_over(area); });
  });
}

VectorFigure figure_shapes(const FigureOptions& asked, const FigureSource& source) {
  check(asked);
  FigureOptions options = asked;
  constexpr int most = 8192;  // shapes need a picture without tiles
  const glm::ivec2 wanted = options.pixels();
  options.dpi *= std::min(1.0, double(most) / std::max(wanted.x, wanted.y));
  Overlay overlay(options.scale());
  const Places places(options, source, overlay);
  VectorFigure figure{.millimetres = options.millimetres(), .title = options.title};
  figure.shapes = render::VectorPicture(options.pixels());
  if (!options.transparent) figure.background = rgb(source.theme->background);
  bool first = true;
  render::VectorPicture again(options.pixels());
  const auto draw = [&](render::Canvas canvas) {
    canvas.vectors = std::exchange(first, false) ? &figure.shapes : &again;
    places.draw(canvas);
  };
  render::Image image = drawn(options.transparent, options.pixels(), *source.theme, draw);
  if (!is_blank(image)) figure.image = std::move(image);
  overlay.add_shapes(figure.shapes, *source.theme, [&](const PictureArea& area) { places.draw_over(area); });
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
