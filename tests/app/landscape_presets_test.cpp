// The landscape's presets, and the parameter `eye`, which places the camera.
#include "app/scenes/landscape/landscape_presets.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>

#include "app/io/preset.hpp"
#include "app/runs/registry.hpp"
#include "app/scenes/landscape/landscape_view.hpp"
#include "tests/places.hpp"

namespace kinescope::app::landscape_presets_test {
namespace {

const std::filesystem::path folder = tests::project_file("assets/presets");

TEST(LandscapePresets, OfTheProgramAreTheFiles) {
  std::set<std::string> files, own;
  for (const auto& file : std::filesystem::directory_iterator(folder)) files.insert(file.path().stem());
  for (const LandscapePreset& preset : landscape_presets()) {
    own.insert(preset.name);
    std::ifstream file(folder / (preset.name + ".json"));
    EXPECT_EQ(preset.text, std::string(std::istreambuf_iterator<char>(file), {})) << preset.name;
  }
  EXPECT_EQ(own, files);
}

// A preset shows its own picture whichever was chosen before it, because all presets set the same parameters.
TEST(LandscapePresets, LeaveNothingOfOneAnother) {
  std::set<std::string> first;
  for (const LandscapePreset& preset : landscape_presets()) {
    LandscapeViewParameters parameters;
    std::set<std::string> names;
    for (const sim::Remedy& each : preset_values(preset.name, preset.text, *find_simulation("landscape")).parameters) {
      EXPECT_NO_THROW(parameters.set(each.parameter, each.value)) << preset.name;
      names.insert(each.parameter);
    }
    if (first.empty()) first = names;
    EXPECT_EQ(names, first) << preset.name;
    EXPECT_GE(names.size(), 8u);
  }
}

TEST(LandscapeEye, IsFiveNumbersOrNothing) {
  const auto eye = eye_of("10,-20.5,3,270,-45");
  ASSERT_TRUE(eye);
  EXPECT_EQ(eye->y, -20.5f);
  EXPECT_EQ(eye->azimuth, 270);
  EXPECT_EQ(eye->elevation, -45);
  for (const char* wrong : {"", "1", "1,2,3,4", "1,2,3,4,5,6", "1,2,3,4,x", "1,2,3,4,5 ", "1 ,2,3,4,5", "nan,2,3,4,5",
                            "1,2,inf,4,5", "1e9,2,3,4,5", ",,,,"})
    EXPECT_FALSE(eye_of(wrong)) << wrong;
  LandscapeViewParameters parameters;
  parameters.set("eye", "");
  EXPECT_THROW(parameters.set("eye", "here"), sim::Error);
}

}  // namespace
}  // namespace kinescope::app::landscape_presets_test
