// Which column colours the points if no one says.
#include "sim/data/choose_label.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

#include "tests/sim/data/opening.hpp"

namespace kinescope::sim::opening_cases::choose_label_test {
namespace {

// Birds as in many teaching tables: three species of different measures; sex and islands tell less.
std::string birds() {
  std::string text = "species,island,bill_mm,flipper_mm,mass_g,sex\n";
  for (int i = 0; i < 60; ++i) {
    const int species = i % 3, sex = i / 3 % 2, wave = i * 7 % 11;
    text += std::string(species == 0   ? "Adelie"
                        : species == 1 ? "Chinstrap"
                                       : "Gentoo") +
            "," + (species == 2 || i % 2 ? "Biscoe" : "Dream") + "," + std::to_string(38 + 5 * species + 0.2 * wave) +
            "," + std::to_string(190 + 12 * species + sex + wave) + "," +
            std::to_string(3700 + 600 * species + 250 * sex + 10 * wave) + "," + (sex ? "male" : "female") + "\n";
  }
  return text;
}

std::string renamed(std::string text, const std::string& before, const std::string& after) {
  return text.replace(text.find(before), before.size(), after);
}

std::string label_of(const std::string& text, const DataRequest& request = {}) {
  return open(text, request)->label_name;
}

bool says(const std::string& text, const std::string& words) {
  for (const std::string& sentence : open(text)->findings->sentences())
    if (sentence == words) return true;
  return false;
}

TEST(ChooseLabel, TheUsualNamesComeFirstAndInTheirOrder) {
  EXPECT_EQ(label_of(birds()), "species");
  EXPECT_EQ(label_of(renamed(birds(), "sex", "TYPE")), "species");
  EXPECT_EQ(label_of(renamed(birds(), "sex", "Target")), "Target");
  EXPECT_EQ(label_of(renamed(renamed(birds(), "species", "kind"), "sex", "Group")), "Group");
  EXPECT_EQ(label_of(renamed(renamed(birds(), "sex", "Cluster"), "species", "category")), "Cluster");
  EXPECT_EQ(label_of(renamed(renamed(birds(), "species", "label"), "sex", "class")), "class");
  EXPECT_EQ(label_of(renamed(birds(), "species", "specie")), "specie") << "by what it explains";
}

TEST(ChooseLabel, ElseTheMostTellingCategoriesColour) {
  const std::string text = renamed(birds(), "species", "bird");
  EXPECT_EQ(label_of(text), "bird");
  EXPECT_TRUE(says(text, "'bird' colours the points: it explains more of the numbers than other categories do"));
  EXPECT_EQ(label_of(text, {.columns = {"bill_mm", "bird"}}), "island") << "one that takes part does not colour";
  // Of two that explain the same, the first.
  EXPECT_EQ(label_of("a,b,x\np,s,1\np,s,2\nq,t,7\nq,t,9\n"), "a");
  EXPECT_EQ(label_of("b,a,x\ns,p,1\ns,p,2\nt,q,7\nt,q,9\n"), "b");
}

TEST(ChooseLabel, WhatIsExplainedDoesNotDependOnUnitsNorOnOffsets) {
  const auto table = [](double scale, double offset) {
    std::string text = "x,y,one,two\n";
    for (int i = 0; i < 80; ++i)  // `two` tells y, which is small; `one` tells a part of x
      text += std::to_string(offset + scale * (i % 2 + 0.5 * (i * 7 % 13))) + "," + std::to_string(i / 2 % 2) + "," +
              "ab"[i % 2] + "," + "cd"[i / 2 % 2] + "\n";
    return text;
  };
  EXPECT_EQ(label_of(table(1, 0)), "two");
  EXPECT_EQ(label_of(table(1000, 0)), "two");
  EXPECT_EQ(label_of(table(1000, 1e5)), "two");
}

TEST(ChooseLabel, NumbersOfAUsualNameColourAndStayInTheDistances) {
  const auto table = [](const std::string& name, int values, const std::string& tail = "") {
    std::string text = "x,y," + name + "\n";
    for (int i = 0; i < 63; ++i)
      text +=
          std::to_string(i * i % 17) + "," + std::to_string(i * 5 % 7) + "," + std::to_string(i % values) + tail + "\n";
    return text;
  };
  for (const char* name : {"target", "Type", "GROUP", "cluster", "category", "species"}) {
    const auto data = open(table(name, 3));
    EXPECT_EQ(data->label_name, name);
    EXPECT_EQ(data->label_names, (Names{"0", "1", "2"}));
    EXPECT_EQ(data->dimensions, 3u) << name;
    EXPECT_EQ(data->findings->columns[2].use, ColumnUse::distances);
  }
  EXPECT_TRUE(says(table("target", 3), "'target' colours the points, and is used for distances too"));
  EXPECT_EQ(of_kind(*open(table("target", 3))->findings, Kind::use_as_label).option, "--label target");
  EXPECT_EQ(open(table("target", 3), {.label = "target"})->dimensions, 2u) << "a requested label leaves the distances";
  EXPECT_EQ(open(table("class", 3))->dimensions, 2u);
  EXPECT_EQ(open(table("class", 30))->dimensions, 2u);
  EXPECT_EQ(label_of(table("target", 20)), "target");
  EXPECT_EQ(label_of(table("target", 21)), "");
  EXPECT_EQ(label_of(table("target", 1)), "");
  EXPECT_EQ(label_of(table("target", 3, ".5")), "");
  // Choosing columns does not change what colours.
  EXPECT_EQ(open(table("type", 3), {.columns = {"x", "type"}})->label_name, "type");
  EXPECT_EQ(open(table("type", 3), {.columns = {"x", "type"}})->dimensions, 2u);
  EXPECT_EQ(open(table("type", 3), {.columns = {"x", "y"}})->dimensions, 2u);
}

TEST(ChooseLabel, TextsOfAUsualNameMustRepeat) {
  EXPECT_EQ(label_of("x,species\n1,a\n4,b\n2,c\n"), "");
  EXPECT_EQ(label_of("x,species\n1,a\n4,a\n2,a\n"), "");
  EXPECT_EQ(label_of("x,y,species,sex\n1,2,a,m\n4,1,a,f\n2,7,a,f\n"), "species") << "all of one species";
  std::string many = "x,species,kind\n";
  for (int i = 0; i < 120; ++i)
    many += std::to_string(i * i % 17) + ",s" + std::to_string(i % 60) + "," + "ab"[i % 2] + "\n";
  EXPECT_EQ(label_of(many), "species");
  EXPECT_EQ(label_of("species\na\nb\na\n"), "") << "nothing else could make distances";
}

TEST(ChooseLabel, ManyRowsAreComparedEvenly) {
  std::string text = "x,early,late\n";  // `early` tells the first tenth apart, `late` the rest
  for (int i = 0; i < 60'000; ++i) {
    const bool first = i < 6000;
    text += std::to_string(i % 2 * 10) + "," + (first ? "ab"[i % 2] : "ab"[i / 2 % 2]) + "," +
            (first ? "cd"[i / 2 % 2] : "cd"[i % 2]) + "\n";
  }
  EXPECT_EQ(label_of(text), "late");
}

}  // namespace
}  // namespace kinescope::sim::opening_cases::choose_label_test
