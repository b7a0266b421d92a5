// What the window promises about its looks: contrast, places of panels, texts of numbers.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "app/ui/layout.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets.hpp"
#include "render/colour_map.hpp"

namespace kinescope::app::look_test {
namespace {

render::Rgb rgb(ImU32 colour) {
  return {std::uint8_t(colour), std::uint8_t(colour >> 8), std::uint8_t(colour >> 16)};
}

TEST(Theme, TextKeepsItsContrast) {
  for (const render::Background variant : {render::Background::dark, render::Background::light}) {
    const Theme& t = theme(variant);
    for (const ImU32 back : {t.background, t.panel, t.control, t.control_hovered})
      for (const ImU32 text : {t.ink, t.ink_dim, t.warning}) EXPECT_GE(render::contrast(rgb(text), rgb(back)), 4.5);
    for (const ImU32 back : {t.background, t.panel})
      for (const ImU32 link : {t.accent, t.accent_hovered}) EXPECT_GE(render::contrast(rgb(link), rgb(back)), 4.5);
    for (const ButtonKind kind : {ButtonKind::plain, ButtonKind::primary})
      for (const bool enabled : {false, true})
        for (const bool bright : {false, true}) {
          const ButtonColours button = button_colours(t, kind, enabled, bright);
          EXPECT_GE(render::contrast(rgb(button.ink), rgb(button.surface)), 4.5)
              << (kind == ButtonKind::primary ? "primary" : "plain") << (enabled ? "" : ", disabled");
        }
    EXPECT_EQ(rgb(t.background), render::background_colour(variant));
    EXPECT_EQ(rgb(t.ink), render::ink_colour(variant));
  }
}

// Font sizes as people state them: the height of a line, from the top of a capital letter to the bottom of letters such
// as g.
TEST(Theme, CaptionsAreThirteenPixelsAtLeast) {
  EXPECT_GE(caption_height / line_of_size, 13);
  EXPECT_GT(text_height, caption_height);
  if (font_path(false).empty()) GTEST_SKIP() << "no font of the system's is installed";
  ImFontAtlas atlas;
  const Fonts fonts = load_fonts(atlas, 2);
  // Inter's capitals are 0.727, Roboto's 0.711 of the size.
  const ImFontGlyph* capital = fonts.caption->FindGlyph('H');
  EXPECT_GE((capital->Y1 - capital->Y0) / 2, 0.7f * 13);
}

TEST(Theme, DigitsHaveOneWidth) {
  if (font_path(false).empty()) GTEST_SKIP() << "no font of the system's is installed";
  ImFontAtlas atlas;
  const Fonts fonts = load_fonts(atlas, 1);
  for (ImFont* font : {fonts.text, fonts.strong, fonts.caption})
    for (ImWchar digit = '1'; digit <= '9'; ++digit) EXPECT_EQ(font->GetCharAdvance(digit), font->GetCharAdvance('0'));
}

TEST(Theme, FontsHoldWhatTablesAreFullOf) {
  if (font_path(false).empty()) GTEST_SKIP() << "no font of the system's is installed";
  ImFontAtlas atlas;
  const Fonts fonts = load_fonts(atlas, 1);
  for (const ImWchar sign : {0x00A3, 0x00DF, 0x0159, 0x03BC, 0x2014, 0x20AC, 0x2122})  // £ ß ř μ — € ™
    EXPECT_NE(fonts.text->FindGlyphNoFallback(sign), nullptr) << sign;
}

TEST(Layout, PanelsAndPictureShareTheWindowWithoutOverlap) {
  Settings settings;
  for (const float scale : {1.f, 2.f})
    for (const ImVec2 size :
         {ImVec2(1280, 720), ImVec2(640, 480), ImVec2(300, 200), ImVec2(3840, 2160), ImVec2(17, 9)}) {
      const PanelPlaces l = lay_out(size, scale, settings, Panels::all);
      EXPECT_GT(l.picture.width, 0);
      EXPECT_GT(l.picture.height, 0);
      EXPECT_FLOAT_EQ(l.left.width, l.picture.x);
      EXPECT_FLOAT_EQ(l.picture.x + l.picture.width, l.right.x);
      EXPECT_FLOAT_EQ(l.right.x + l.right.width, size.x);
      EXPECT_FLOAT_EQ(l.picture.height, l.bottom.y);
      EXPECT_FLOAT_EQ(l.bottom.y + l.bottom.height, size.y);
      EXPECT_GE(l.picture.width, std::floor(size.x / 3) - 1);
    }
  const PanelPlaces bare = lay_out({800, 600}, 1, settings, Panels::none);
  EXPECT_EQ(bare.picture.width, 800);
  EXPECT_EQ(bare.picture.height, 600);
}

TEST(NumberText, HasAsManyDigitsAsMeanSomething) {
  EXPECT_EQ(number_text(0.02713), "0.0271");
  EXPECT_EQ(number_text(12.5), "12.5");
  EXPECT_EQ(number_text(43500), "43,500");
  EXPECT_EQ(number_text(-43500), "-43,500");
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(100), "100");
  EXPECT_EQ(number_text(7.99e-14), "7.99·10⁻¹⁴");
  EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "∞");
}

TEST(Shortened, KeepsBothEnds) {
  ImFontAtlas atlas;
  const Fonts fonts = load_fonts(atlas, 1);
  const std::string one = shortened(fonts.text, "a name that is long and ends with 1", 100),
                    two = shortened(fonts.text, "a name that is long and ends with 2", 100);
  EXPECT_NE(one, two);
  EXPECT_TRUE(one.starts_with("a n")) << one;
  EXPECT_EQ(shortened(fonts.text, "a name that is long", 3), "…");
  EXPECT_EQ(shortened(fonts.text, "", -1), "");  // an unnamed axis in a picture narrower than its labels
}

TEST(Shortened, FitsAndKeepsCharactersWhole) {
  ImFontAtlas atlas;
  const Fonts fonts = load_fonts(atlas, 1);
  const std::string text = "äöüäöüäöüäöü";
  for (float width = 20; width < 120; width += 3) {
    const std::string cut = shortened(fonts.text, text, width);
    if (cut == text) continue;
    EXPECT_LE(fonts.text->CalcTextSizeA(fonts.text->FontSize, 1e9f, 0, cut.c_str()).x, width);
    EXPECT_NE(cut.find("…"), std::string::npos);
    EXPECT_EQ((cut.size() - std::string("…").size()) % 2, 0u);  // each letter has two bytes
  }
}

}  // namespace
}  // namespace kinescope::app::look_test
