#include "render/colour_map.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace kinescope::render::colour_map_test {
namespace {

constexpr std::array backgrounds{Background::dark, Background::light};
constexpr std::array sights{Sight::normal, Sight::protanopia, Sight::deuteranopia};

TEST(Contrast, IsThatOfWcag) {
  EXPECT_NEAR(contrast({0, 0, 0}, {255, 255, 255}), 21, 1e-9);
  EXPECT_NEAR(contrast({255, 255, 255}, {0x77, 0x77, 0x77}), 4.48, 0.01);
  for (const Background background : backgrounds)
    EXPECT_GE(contrast(ink_colour(background), background_colour(background)), 4.5);
}

TEST(ColourMaps, LuminanceRisesAlongSequentialMaps) {
  for (const ColourMap map : {ColourMap::cividis, ColourMap::viridis}) {
    const auto rises = [](std::span<const Rgb, 256> table) {
      for (int i = 8; i < 256; ++i) EXPECT_GT(relative_luminance(table[i]), relative_luminance(table[i - 8])) << i;
    };
    rises(colour_table(map));
    for (const Background background : backgrounds) rises(colour_table(map, background));
  }
}

TEST(ColourMaps, TheDivergingOneIsSymmetricAboutItsMiddle) {
  for (const Background background : backgrounds) {
    const auto table = colour_table(ColourMap::diverging, background);
    for (int i = 0; i < 128; ++i) {
      EXPECT_NEAR(oklab(table[i]).x, oklab(table[255 - i]).x, 0.02) << i;
      if (i >= 8) {
        EXPECT_LT(std::abs(oklab(table[i]).x - oklab(table[127]).x),
                  std::abs(oklab(table[i - 8]).x - oklab(table[127]).x));
      }
    }
    for (const Sight sight : sights)
      EXPECT_GT(colour_distance(as_seen(table[0], sight), as_seen(table[255], sight)), 0.1);
  }
}

TEST(ColourMaps, StandOutFromTheBackground) {
  for (const ColourMap map : colour_maps)
    for (const Background background : backgrounds)
      for (const Rgb colour : colour_table(map, background))
        EXPECT_GE(contrast(colour, background_colour(background)), 2.98);
}

TEST(ColourMaps, DensityRunsAwayFromTheBackground) {
  for (const ColourMap map : {ColourMap::cividis, ColourMap::viridis})
    for (const Background background : backgrounds) {
      const auto table = density_table(map, background);
      EXPECT_GT(contrast(table[255], background_colour(background)),
                4 * contrast(table[0], background_colour(background)));
    }
}

TEST(ColourMaps, LookupClamps) {
  const auto table = colour_table(ColourMap::viridis);
  EXPECT_EQ(table[0], (Rgb{0x44, 0x01, 0x54}));
  for (const Background background : backgrounds) {
    EXPECT_EQ(colour_at(table, -3, background), table[0]);
    EXPECT_EQ(colour_at(table, 7, background), table[255]);
    EXPECT_EQ(colour_at(table, 0.5f, background), table[128]);
    EXPECT_EQ(colour_at(table, std::numeric_limits<float>::infinity(), background), table[255]);
    EXPECT_EQ(colour_at(table, std::numeric_limits<float>::quiet_NaN(), background), missing_colour(background));
  }
}

double smallest_distance(const std::vector<Rgb>& colours) {
  double smallest = std::numeric_limits<double>::max();
  for (const Sight sight : sights)
    for (std::size_t i = 0; i < colours.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        smallest = std::min(smallest, colour_distance(as_seen(colours[i], sight), as_seen(colours[k], sight)));
  return smallest;
}

TEST(ClassColours, StandOutAndCanBeToldApart) {
  for (const Background background : backgrounds) {
    for (const Rgb colour : class_colours(24, background))
      EXPECT_GE(contrast(colour, background_colour(background)), 3.0);
    EXPECT_GT(smallest_distance(class_colours(8, background)), 0.059);
    EXPECT_GT(smallest_distance(class_colours(12, background)), 0.05);
    EXPECT_GT(smallest_distance(class_colours(24, background)), 0.035);
  }
}

TEST(ClassColours, BeginWithOkabeIto) {
  const std::vector<Rgb> colours = class_colours(8, Background::dark);
  EXPECT_EQ(colours[0], (Rgb{0xe6, 0x9f, 0x00}));
  EXPECT_EQ(colours[1], (Rgb{0x56, 0xb4, 0xe9}));
  // A class keeps its colour whatever the number of classes.
  const std::vector<Rgb> more = class_colours(50, Background::dark);
  EXPECT_TRUE(std::equal(colours.begin(), colours.end(), more.begin()));
  EXPECT_EQ(more[24], more[0]);
}

TEST(Sight, GreysAreSeenAsTheyAre) {
  for (const Sight sight : sights)
    for (int grey = 0; grey < 256; grey += 51) {
      const Rgb colour{std::uint8_t(grey), std::uint8_t(grey), std::uint8_t(grey)};
      EXPECT_LT(colour_distance(as_seen(colour, sight), colour), 0.01);
    }
  // Red and green of one lightness: a deuteranope sees far less of their difference.
  const Rgb red{200, 80, 60}, green{90, 140, 60};
  EXPECT_LT(colour_distance(as_seen(red, Sight::deuteranopia), as_seen(green, Sight::deuteranopia)),
            0.6 * colour_distance(red, green));
}

}  // namespace
}  // namespace kinescope::render::colour_map_test
