// Colours that colour-blind people can read: maps for numbers, palettes for classes, and the measures by which tests
// check them. All colours are sRGB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace kinescope::render {

using Rgb = std::array<std::uint8_t, 3>;

enum class Background { dark, light };  // #111318 and #ffffff
Rgb background_colour(Background background);
Rgb ink_colour(Background background);  // text and outlines: #e6e8ec and #1b1e24

glm::vec3 to_float(Rgb colour);                            // 0 … 1
std::uint32_t pack(Rgb colour, std::uint8_t alpha = 255);  // r in the lowest byte
// Packs each colour. Alpha is 0 where `hidden` is true; `hidden` may be shorter than `colours`.
std::vector<std::uint32_t> packed(std::span<const Rgb> colours, const std::vector<bool>& hidden = {});

enum class ColourMap {
  cividis,    // Nuñez, Anderton, Renslow 2018
  viridis,    // Smith, van der Walt 2015
  diverging,  // blue, neutral, orange; 0.5 is neutral: use a range centred on zero
};
inline constexpr std::array colour_maps{ColourMap::cividis, ColourMap::viridis, ColourMap::diverging};
std::string_view name(ColourMap map);

// The whole map as 256 colours (fields, images).
std::span<const Rgb, 256> colour_table(ColourMap map);
// The part of the map, stretched to 256, that keeps a contrast of 3 : 1 to the background (points, lines). The
// diverging map has a neutral middle of its own for each background.
std::span<const Rgb, 256> colour_table(ColourMap map, Background background);
// For fields: the whole map. The middle of the diverging map recedes into the background.
std::span<const Rgb, 256> field_table(ColourMap map, Background background);
// For density: the whole map, from the end nearest to the background to the farthest.
std::span<const Rgb, 256> density_table(ColourMap map, Background background);
Rgb missing_colour(Background background);
// The colour of t, which is clamped to 0 … 1; a NaN has the background's `missing_colour`.
Rgb colour_at(std::span<const Rgb, 256> table, float t, Background background);

// Colours for classes, with a contrast of at least 3 : 1. Up to eight they are Okabe–Ito's: black, or its counterpart
// on the dark background, comes last, and on the white background stronger colours of the same hue replace the three
// faintest. The 16 colours after the eighth are found by Glasbey's method: each next colour is the farthest from all
// before it, by the smallest distance in Oklab over normal, protanopic and deuteranopic sight. A class has the same
// colour whatever the number of classes. After the 24th colour they repeat.
std::vector<Rgb> class_colours(std::size_t classes, Background background);

// Contrast by WCAG 2: 1 … 21.
double contrast(Rgb a, Rgb b);
double relative_luminance(Rgb colour);  // 0 … 1

enum class Sight { normal, protanopia, deuteranopia };
Rgb as_seen(Rgb colour, Sight sight);  // Machado, Oliveira, Fernandes 2009, severity 1
glm::vec3 oklab(Rgb colour);           // Ottosson 2020; L 0 … 1
double colour_distance(Rgb a, Rgb b);  // Euclidean in Oklab; 0.02 is just noticeable

}  // namespace kinescope::render
