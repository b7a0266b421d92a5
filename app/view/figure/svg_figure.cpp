// A vector figure as SVG 1.1.
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "app/io/output.hpp"
#include "app/plot/svg_plot.hpp"
#include "app/view/figure/figure.hpp"

namespace kinescope::app {
namespace {

std::string base64(std::string_view bytes) {
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? std::uint8_t(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? letters[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string hex(render::Rgb colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
}

std::string number(float value) {
  std::string text = fmt::format("{:.2f}", std::abs(value) < 0.005f ? 0 : value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

class SvgWriter {
 public:
  std::string write(const VectorFigure& figure) {
    const glm::ivec2 size = figure.shapes.size();
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{:.3f}mm" )"
        R"(height="{:.3f}mm" viewBox="0 0 {} {}" font-family="Inter, Helvetica, Arial, sans-serif">)",
        figure.millimetres.x, figure.millimetres.y, size.x, size.y);
    if (!figure.title.empty()) add("<title>{}</title>", xml_text(figure.title));
    if (!figure.state.empty()) add(R"(<metadata id="kinescope">{}</metadata>)", xml_text(figure.state));
    if (figure.background) add(R"(<rect width="{}" height="{}" fill="{}"/>)", size.x, size.y, hex(*figure.background));
    if (figure.image) {
      const std::vector<std::uint8_t> png = render::encode_png(*figure.image, figure.background.has_value());
      add(R"(<image width="{}" height="{}" xlink:href="data:image/png;base64,{}"/>)", size.x, size.y,
          base64({reinterpret_cast<const char*>(png.data()), png.size()}));
    }
    int clips = 0;
    for (const render::ShapeGroup& group : figure.shapes.groups()) {
      const glm::vec2 extent = group.high - group.low;
      const bool whole = group.low == glm::vec2(0) && extent == glm::vec2(size);
      if (!whole)
        add(R"(<clipPath id="part{}"><rect x="{}" y="{}" width="{}" height="{}"/></clipPath>)", ++clips,
            number(group.low.x), number(group.low.y), number(extent.x), number(extent.y));
      add("<g{}>", whole ? "" : fmt::format(R"~( clip-path="url(#part{})")~", clips));
      for (const render::Shape& shape : group.shapes) std::visit([&](const auto& each) { draw(each); }, shape);
      end_run();
      add("</g>");
    }
    add("</svg>");
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }
  // Shapes in a row that are painted alike share a group: a file of 50,000 points is half as long.
  void begin_run(const std::string& paint) {
    if (run_ == paint) return;
    end_run();
    add("<g {}>", paint);
    run_ = paint;
  }
  void end_run() {
    if (!run_.empty()) add("</g>");
    run_.clear();
  }
  static std::string opacity(const char* name, float value) {
    return value < 0.9995f ? fmt::format(R"( {}="{:.3f}")", name, value) : "";
  }
  static std::string fill(const render::Paint& paint) {
    return fmt::format(R"(fill="{}"{})", hex(paint.colour), opacity("fill-opacity", paint.opacity));
  }
  static std::string stroke(const render::Paint& paint, float width) {
    return fmt::format(R"(fill="none" stroke="{}" stroke-width="{}" stroke-linejoin="round"{})", hex(paint.colour),
                       number(width), opacity("stroke-opacity", paint.opacity));
  }
  void draw(const render::Disc& disc) {
    begin_run(disc.width > 0 ? stroke(disc.paint, disc.width) : fill(disc.paint));
    add(R"(<circle cx="{}" cy="{}" r="{}"/>)", number(disc.centre.x), number(disc.centre.y), number(disc.radius));
  }
  void draw(const render::Path& path) {
    begin_run(path.width > 0 ? stroke(path.paint, path.width) : fill(path.paint));
    std::string corners;
    for (const glm::vec2 at : path.corners) corners += number(at.x) + "," + number(at.y) + " ";
    if (!corners.empty()) corners.pop_back();
    add(R"(<{} points="{}"/>)", path.width > 0 ? "polyline" : "polygon", corners);
  }
  void draw(const render::Words& words) {
    begin_run(fill(words.paint));
    // The text keeps its width where the font is not installed.
    add(R"(<text x="{}" y="{}" font-size="{}" textLength="{}"{} xml:space="preserve">{}</text>)", number(words.begin.x),
        number(words.begin.y), number(words.size), number(words.width), words.strong ? R"( font-weight="600")" : "",
        xml_text(words.text));
  }

  std::string text_, run_;
};

}  // namespace

std::string svg_of(const VectorFigure& figure) {
  return SvgWriter().write(figure);
}

}  // namespace kinescope::app
