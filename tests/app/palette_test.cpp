// What the command palette finds, and in which order.
#include <gtest/gtest.h>

#include "app/view/palette/palette_match.hpp"

namespace kinescope::app::palette_test {
namespace {

std::vector<std::string> found(const std::vector<PaletteEntry>& entries, const std::string& typed) {
  std::vector<std::string> titles;
  for (const PaletteEntry& entry : palette_matches(entries, typed)) titles.push_back(entry.title);
  return titles;
}

using Titles = std::vector<std::string>;

TEST(Palette, AllWordsMustOccur) {
  const std::vector<PaletteEntry> entries{
      {"Save the session", "", "Ctrl S"}, {"Save the picture"}, {"iris.csv", "Data"}};
  EXPECT_EQ(found(entries, ""), (Titles{"Save the session", "Save the picture", "iris.csv"}));
  EXPECT_EQ(found(entries, "SESS save"), Titles{"Save the session"});
  EXPECT_EQ(found(entries, " data "), Titles{"iris.csv"});
  EXPECT_EQ(found(entries, "save iris"), Titles{});
}

TEST(Palette, BeginningsOfWordsComeBeforeInsides) {
  const std::vector<PaletteEntry> entries{
      {"Bilayer"}, {"Nothing", "A layer"}, {"Show a layer"}, {"Layer size"}, {"Grid", "Multilayer"}};
  EXPECT_EQ(found(entries, "layer"), (Titles{"Layer size", "Show a layer", "Bilayer", "Nothing", "Grid"}));
}

TEST(Palette, LettersBeyondAsciiBelongToWords) {
  const std::vector<PaletteEntry> entries{{"Möbius"}, {"A bius"}};
  EXPECT_EQ(found(entries, "bius"), (Titles{"A bius", "Möbius"}));
  EXPECT_EQ(found(entries, "MöB"), Titles{"Möbius"});
}

TEST(Palette, ANameWithAValueSetsIt) {
  std::string given;
  const auto take = [&](const std::string& value) { given = value; };
  const std::vector<PaletteEntry> entries{
      {"Clusters", "8", "", [] {}, take}, {"End time", "", "", [] {}, take}, {"Show 5 clusters", "", "", [] {}}};
  for (const char* typed : {"clusters 5", "clus 5 ", "clusters = 5", "clusters=5"}) {
    const auto matches = palette_matches(entries, typed);
    ASSERT_FALSE(matches.empty()) << typed;
    EXPECT_EQ(matches.front().title, "Clusters = 5") << typed;
    given.clear();
    matches.front().run();
    EXPECT_EQ(given, "5") << typed;
  }
  EXPECT_EQ(found(entries, "end_time 2.5"), Titles{"End time = 2.5"});
  EXPECT_EQ(found(entries, "lusters 5"), Titles{"Show 5 clusters"}) << "a value belongs to the beginning of a name";
  EXPECT_EQ(found(entries, "clusters"), (Titles{"Clusters", "Show 5 clusters"})) << "without a value nothing is set";
}

}  // namespace
}  // namespace kinescope::app::palette_test
