#include "render/colour_map.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <limits>

#include "render/colour_tables.hpp"

namespace kinescope::render {

namespace {

using Table = std::array<Rgb, 256>;
constexpr double least_contrast = 3.0;
constexpr std::size_t palette_size = 24;

Rgb from_hex(std::uint32_t hex) {
  return {std::uint8_t(hex >> 16), std::uint8_t(hex >> 8), std::uint8_t(hex)};
}

double linear(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}
double encoded(double linear) {
  linear = std::clamp(linear, 0.0, 1.0);
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

glm::dvec3 linear_rgb(Rgb colour) {
  return {linear(colour[0] / 255.0), linear(colour[1] / 255.0), linear(colour[2] / 255.0)};
}
Rgb from_linear(glm::dvec3 rgb) {
  Rgb colour;
  for (int c = 0; c < 3; ++c) colour[c] = std::uint8_t(std::lround(255 * encoded(rgb[c])));
  return colour;
}

Rgb from_oklab(glm::vec3 lab) {
  const double l = std::pow(lab.x + 0.3963377774 * lab.y + 0.2158037573 * lab.z, 3);
  const double m = std::pow(lab.x - 0.1055613458 * lab.y - 0.0638541728 * lab.z, 3);
  const double s = std::pow(lab.x - 0.0894841775 * lab.y - 1.2914855480 * lab.z, 3);
  return from_linear({4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                      -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s});
}

Table table_of(const std::array<std::uint32_t, 256>& hex) {
  Table table;
  std::transform(hex.begin(), hex.end(), table.begin(), from_hex);
  return table;
}

// Two arms from a neutral grey of Oklab lightness `middle` to blue and orange of lightness `ends`.
Table diverging_table(float middle, float ends, float chroma) {
  constexpr float blue = 4.45f, orange = 1.05f;  // hue angles in Oklab; far apart for every kind of sight
  Table table;
  for (int i = 0; i < 256; ++i) {
    const float t = (float(i) - 127.5f) / 127.5f, arm = std::abs(t), hue = t < 0 ? blue : orange;
    table[i] = from_oklab({middle + (ends - middle) * arm, chroma * arm * std::cos(hue), chroma * arm * std::sin(hue)});
  }
  return table;
}

// Removes the ends of the map that have too little contrast with the background, and stretches the rest to the whole
// table. Only the ends can lack contrast, because the maps rise in luminance.
Table standing_out(const Table& whole, Background background) {
  const auto stands_out = [&](Rgb colour) { return contrast(colour, background_colour(background)) >= least_contrast; };
  int first = 0, last = 255;
  while (first < 255 && !stands_out(whole[first])) ++first;
  while (last > first && !stands_out(whole[last])) --last;
  Table table;
  for (int i = 0; i < 256; ++i) {
    const float at = float(first) + float(last - first) * float(i) / 255;
    const int low = std::min(int(at), 254);
    for (int c = 0; c < 3; ++c)
      table[i][c] = std::uint8_t(
          std::lround(whole[low][c] + (at - float(low)) * (float(whole[low + 1][c]) - float(whole[low][c]))));
  }
  return table;
}

// The eight colours of Okabe and Ito 2008. On the dark background the ink colour replaces their black. On the white
// background their orange, sky blue and yellow are too faint. They are replaced by the nearest colours of the same hue
// that have enough contrast and keep all eight colours at least 0.06 apart for every kind of sight.
std::vector<Rgb> first_eight(Background background) {
  const bool dark = background == Background::dark;
  return {from_hex(dark ? 0xe69f00 : 0x955900),
          from_hex(dark ? 0x56b4e9 : 0x309fcc),
          from_hex(0x009e73),
          from_hex(dark ? 0xf0e442 : 0x564f00),
          from_hex(0x0072b2),
          from_hex(0xd55e00),
          from_hex(0xcc79a7),
          dark ? ink_colour(background) : Rgb{0, 0, 0}};
}

std::array<glm::vec3, 3> seen_by_all(Rgb colour) {
  return {oklab(colour), oklab(as_seen(colour, Sight::protanopia)), oklab(as_seen(colour, Sight::deuteranopia))};
}

double smallest_distance(const std::array<glm::vec3, 3>& a, const std::array<glm::vec3, 3>& b) {
  double smallest = std::numeric_limits<double>::max();
  for (std::size_t sight = 0; sight < a.size(); ++sight)
    smallest = std::min(smallest, double(glm::length(a[sight] - b[sight])));
  return smallest;
}

// The method of Glasbey, van der Heijden, Toh, Gray 2007: each next colour is the farthest from all before it.
std::vector<Rgb> build_palette(Background background) {
  std::vector<Rgb> palette = first_eight(background);
  struct Candidate {
    Rgb colour;
    std::array<glm::vec3, 3> seen;
    double distance;
  };
  std::vector<Candidate> candidates;
  for (int r = 0; r <= 255; r += 15)
    for (int g = 0; g <= 255; g += 15)
      for (int b = 0; b <= 255; b += 15) {
        const Rgb colour{std::uint8_t(r), std::uint8_t(g), std::uint8_t(b)};
        if (contrast(colour, background_colour(background)) < least_contrast) continue;
        candidates.push_back({colour, seen_by_all(colour), std::numeric_limits<double>::max()});
      }
  const auto keep_away_from = [&](Rgb colour) {
    const auto seen = seen_by_all(colour);
    for (Candidate& candidate : candidates)
      candidate.distance = std::min(candidate.distance, smallest_distance(candidate.seen, seen));
  };
  keep_away_from(background_colour(background));
  for (Rgb colour : palette) keep_away_from(colour);
  while (palette.size() < palette_size) {
    const auto farthest =
        std::max_element(candidates.begin(), candidates.end(),
                         [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
    palette.push_back(farthest->colour);
    keep_away_from(palette.back());
  }
  return palette;
}

}  // namespace

Rgb background_colour(Background background) {
  return from_hex(background == Background::dark ? 0x111318 : 0xffffff);
}
Rgb ink_colour(Background background) {
  return from_hex(background == Background::dark ? 0xe6e8ec : 0x1b1e24);
}
Rgb missing_colour(Background background) {
  return from_hex(background == Background::dark ? 0x6c7078 : 0x8e9299);
}

glm::vec3 to_float(Rgb colour) {
  return glm::vec3(colour[0], colour[1], colour[2]) / 255.0f;
}
std::uint32_t pack(Rgb colour, std::uint8_t alpha) {
  return std::uint32_t(colour[0]) | std::uint32_t(colour[1]) << 8 | std::uint32_t(colour[2]) << 16 |
         std::uint32_t(alpha) << 24;
}

std::vector<std::uint32_t> packed(std::span<const Rgb> colours, const std::vector<bool>& hidden) {
  std::vector<std::uint32_t> result;
  for (std::size_t k = 0; k < colours.size(); ++k)
    result.push_back(pack(colours[k], k < hidden.size() && hidden[k] ? 0 : 255));
  return result;
}

std::string_view name(ColourMap map) {
  switch (map) {
    case ColourMap::cividis:
      return "cividis";
    case ColourMap::viridis:
      return "viridis";
    case ColourMap::diverging:
      return "diverging";
  }
  return "";
}

std::span<const Rgb, 256> colour_table(ColourMap map) {
  static const Table cividis = table_of(cividis_table), viridis = table_of(viridis_table);
  static const Table diverging = diverging_table(0.96f, 0.45f, 0.13f);
  return map == ColourMap::cividis ? cividis : map == ColourMap::viridis ? viridis : diverging;
}

std::span<const Rgb, 256> colour_table(ColourMap map, Background background) {
  static const auto build = [](Background on) {
    std::array<Table, 3> tables;
    for (const ColourMap each : {ColourMap::cividis, ColourMap::viridis}) {
      Table whole;
      std::ranges::copy(colour_table(each), whole.begin());
      tables[std::size_t(each)] = standing_out(whole, on);
    }
    tables[std::size_t(ColourMap::diverging)] =
        on == Background::dark ? diverging_table(0.56f, 0.82f, 0.13f) : diverging_table(0.66f, 0.40f, 0.10f);
    return tables;
  };
  static const std::array<Table, 3> dark = build(Background::dark), light = build(Background::light);
  return (background == Background::dark ? dark : light)[std::size_t(map)];
}

std::span<const Rgb, 256> field_table(ColourMap map, Background background) {
  static const Table on_dark = diverging_table(0.29f, 0.82f, 0.13f);
  return map == ColourMap::diverging && background == Background::dark ? std::span<const Rgb, 256>(on_dark)
                                                                       : colour_table(map);
}

std::span<const Rgb, 256> density_table(ColourMap map, Background background) {
  static const auto reversed = [](ColourMap each) {
    Table table;
    std::ranges::reverse_copy(colour_table(each), table.begin());
    return table;
  };
  static const Table cividis = reversed(ColourMap::cividis), viridis = reversed(ColourMap::viridis);
  if (map == ColourMap::diverging) map = ColourMap::cividis;  // counts have no sign
  if (background == Background::dark) return colour_table(map);
  return map == ColourMap::cividis ? cividis : viridis;
}

Rgb colour_at(std::span<const Rgb, 256> table, float t, Background background) {
  if (std::isnan(t)) return missing_colour(background);
  return table[std::size_t(std::lround(255 * std::clamp(t, 0.0f, 1.0f)))];
}

std::vector<Rgb> class_colours(std::size_t classes, Background background) {
  static const std::vector<Rgb> dark = build_palette(Background::dark), light = build_palette(Background::light);
  const std::vector<Rgb>& palette = background == Background::dark ? dark : light;
  std::vector<Rgb> colours(classes);
  for (std::size_t k = 0; k < classes; ++k) colours[k] = palette[k % palette.size()];
  return colours;
}

double relative_luminance(Rgb colour) {
  return glm::dot(linear_rgb(colour), glm::dvec3(0.2126, 0.7152, 0.0722));
}

double contrast(Rgb a, Rgb b) {
  const double la = relative_luminance(a), lb = relative_luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Rgb as_seen(Rgb colour, Sight sight) {
  if (sight == Sight::normal) return colour;
  // in columns, as GLM stores matrices
  static const glm::dmat3 protanopia(0.152286, 0.114503, -0.003882, 1.052583, 0.786281, -0.048116, -0.204868, 0.099216,
                                     1.051998);
  static const glm::dmat3 deuteranopia(0.367322, 0.280085, -0.011820, 0.860646, 0.672501, 0.042940, -0.227968, 0.047413,
                                       0.968881);
  return from_linear((sight == Sight::protanopia ? protanopia : deuteranopia) * linear_rgb(colour));
}

glm::vec3 oklab(Rgb colour) {
  const glm::dvec3 rgb = linear_rgb(colour);
  const double l = std::cbrt(0.4122214708 * rgb.r + 0.5363325363 * rgb.g + 0.0514459929 * rgb.b);
  const double m = std::cbrt(0.2119034982 * rgb.r + 0.6806995451 * rgb.g + 0.1073969566 * rgb.b);
  const double s = std::cbrt(0.0883024619 * rgb.r + 0.2817188376 * rgb.g + 0.6299787005 * rgb.b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

double colour_distance(Rgb a, Rgb b) {
  return glm::length(oklab(a) - oklab(b));
}

}  // namespace kinescope::render
