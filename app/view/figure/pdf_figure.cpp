// A vector figure as PDF 1.4, by Cairo.
#include <array>
#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cstring>
#include <ft2build.h>
#include <memory>
#include <numbers>
#include FT_FREETYPE_H

#include "app/io/picture_state.hpp"
#include "app/ui/theme.hpp"
#include "app/view/figure/figure.hpp"
#include "kinescope/error.hpp"

namespace kinescope::app {
namespace {

constexpr double points_per_mm = 72 / 25.4;

template <auto destroy>
struct Destroys {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroys<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Destroys<cairo_destroy>>;
using Face = std::unique_ptr<cairo_font_face_t, Destroys<cairo_font_face_destroy>>;

// The window's two fonts. A face of FreeType must live as long as Cairo's cache holds its own of it.
class PdfFonts {
 public:
  PdfFonts() {
    if (FT_Init_FreeType(&library_) != 0) library_ = nullptr;
    for (const bool strong : {false, true}) {
      const std::string path = font_path(strong);
      FT_Face& face = faces_[strong];
      if (!library_ || path.empty() || FT_New_Face(library_, path.c_str(), 0, &face) != 0) continue;
      fonts_[strong].reset(cairo_ft_font_face_create_for_ft_face(face, 0));
    }
  }
  void choose(cairo_t* cairo, bool strong) const {
    if (fonts_[strong])
      cairo_set_font_face(cairo, fonts_[strong].get());
    else
      cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                             strong ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  }

 private:
  FT_Library library_ = nullptr;
  std::array<FT_Face, 2> faces_{};
  std::array<Face, 2> fonts_;
};

const PdfFonts& pdf_fonts() {
  static const PdfFonts fonts;  // for as long as the program runs
  return fonts;
}

class PdfWriter {
 public:
  explicit PdfWriter(cairo_t* cairo) : cairo_(cairo) {}
  void draw(const render::Disc& disc) {
    cairo_arc(cairo_, disc.centre.x, disc.centre.y, disc.radius, 0, 2 * std::numbers::pi);
    paint(disc.paint, disc.width);
  }
  void draw(const render::Path& path) {
    cairo_new_path(cairo_);
    for (const glm::vec2 at : path.corners) cairo_line_to(cairo_, at.x, at.y);
    if (path.width == 0) cairo_close_path(cairo_);
    paint(path.paint, path.width);
  }
  void draw(const render::Words& words) {
    pdf_fonts().choose(cairo_, words.strong);
    cairo_set_font_size(cairo_, words.size);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, words.text.c_str(), &extents);
    cairo_save(cairo_);
    cairo_translate(cairo_, words.begin.x, words.begin.y);
    if (extents.x_advance > 0 && words.width > 0) cairo_scale(cairo_, words.width / extents.x_advance, 1);
    cairo_move_to(cairo_, 0, 0);
    set_colour(words.paint);
    cairo_show_text(cairo_, words.text.c_str());
    cairo_restore(cairo_);
    cairo_new_path(cairo_);
  }

 private:
  void set_colour(const render::Paint& paint) {
    const glm::vec3 colour = render::to_float(paint.colour);
    cairo_set_source_rgba(cairo_, colour.r, colour.g, colour.b, paint.opacity);
  }
  void paint(const render::Paint& paint, float width) {
    set_colour(paint);
    if (width > 0) {
      cairo_set_line_width(cairo_, width);
      cairo_stroke(cairo_);
    } else {
      cairo_fill(cairo_);
    }
  }

  cairo_t* cairo_;
};

void draw_image(cairo_t* cairo, const render::Image& image) {
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, image.width, image.height));
  unsigned char* const data = cairo_image_surface_get_data(surface.get());
  if (!data) throw sim::run_error("out of memory for the figure");
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* const from = image.pixel(x, y);
      const auto times_alpha = [&](int c) { return std::uint32_t(from[c] * from[3] + 127) / 255; };
      const std::uint32_t pixel =
          std::uint32_t(from[3]) << 24 | times_alpha(0) << 16 | times_alpha(1) << 8 | times_alpha(2);
      std::memcpy(
          data + std::size_t(y) * std::size_t(cairo_image_surface_get_stride(surface.get())) + 4 * std::size_t(x),
          &pixel, sizeof pixel);
    }
  cairo_surface_mark_dirty(surface.get());
  cairo_set_source_surface(cairo, surface.get(), 0, 0);
  cairo_paint(cairo);
}

}  // namespace

std::string pdf_of(const VectorFigure& figure) {
  std::string bytes;
  const auto take = [](void* to, const unsigned char* data, unsigned length) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  };
  const glm::dvec2 points = points_per_mm * figure.millimetres;
  const Surface surface(cairo_pdf_surface_create_for_stream(take, &bytes, points.x, points.y));
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
  // One date for all: the same figure gives the same bytes.
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  if (!figure.title.empty())
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, figure.title.c_str());
  if (!figure.state.empty())
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_KEYWORDS, state_keywords(figure.state).c_str());
  const Context cairo(cairo_create(surface.get()));
  const glm::dvec2 scale = points / glm::dvec2(figure.shapes.size());
  cairo_scale(cairo.get(), scale.x, scale.y);
  cairo_set_line_join(cairo.get(), CAIRO_LINE_JOIN_ROUND);
  if (figure.background) {
    const glm::vec3 colour = render::to_float(*figure.background);
    cairo_set_source_rgb(cairo.get(), colour.r, colour.g, colour.b);
    cairo_paint(cairo.get());
  }
  if (figure.image) draw_image(cairo.get(), *figure.image);
  PdfWriter writer(cairo.get());
  for (const render::ShapeGroup& group : figure.shapes.groups()) {
    cairo_save(cairo.get());
    cairo_rectangle(cairo.get(), group.low.x, group.low.y, group.high.x - group.low.x, group.high.y - group.low.y);
    cairo_clip(cairo.get());
    for (const render::Shape& shape : group.shapes) std::visit([&](const auto& each) { writer.draw(each); }, shape);
    cairo_restore(cairo.get());
  }
  cairo_show_page(cairo.get());
  cairo_surface_finish(surface.get());
  const cairo_status_t status = cairo_surface_status(surface.get());
  const cairo_status_t drawing = cairo_status(cairo.get());
  if (status != CAIRO_STATUS_SUCCESS || drawing != CAIRO_STATUS_SUCCESS)
    throw sim::run_error(std::string("the PDF cannot be made: ") +
                         cairo_status_to_string(status != CAIRO_STATUS_SUCCESS ? status : drawing));
  return bytes;
}

}  // namespace kinescope::app
