// Where the presets of plants are, and how a user's own presets are saved and read.
#include "sim/landscape/plants/plant_files.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "kinescope/data/json_file.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "kinescope/random.hpp"

namespace kinescope::sim::plant_files_test {
namespace {

using namespace landscape;

// Sets XDG_DATA_HOME to a folder of the test's own.
class LandscapePlantFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* data = std::getenv("XDG_DATA_HOME")) before_ = data;
    std::filesystem::create_directories(folder);
    setenv("XDG_DATA_HOME", folder.c_str(), 1);
  }
  void TearDown() override {
    before_.empty() ? unsetenv("XDG_DATA_HOME") : setenv("XDG_DATA_HOME", before_.c_str(), 1);
    std::filesystem::remove_all(folder);
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("plants_test_" + std::to_string(getpid()));

 private:
  std::string before_;
};

TEST_F(LandscapePlantFiles, WhatIsSavedIsReadAgainAndTheProgramsOwnStays) {
  std::uint64_t number = 0;
  const Random random(3, 1);
  for (const auto& [name, built_in] : built_in_plants()) {
    const PlantFile program = program_plant(name);
    std::string text = program.text;
    for (int i = 0; i < 5; ++i)  // other white space, other ends of lines: the text is kept byte by byte
      text.insert(text.find('{') + 1 + random.words(number++)[0] % 2, i % 2 ? "\r\n\t" : "  ");
    const std::string path = save_own_plant(name, text);
    EXPECT_TRUE(path.starts_with(folder.string())) << path;
    bool found = false;
    for (const PlantFile& file : plant_files()) {
      if (file.name != name) continue;
      found = true;
      EXPECT_TRUE(file.own);
      EXPECT_EQ(file.path, path);
      EXPECT_EQ(file.text, text);
    }
    EXPECT_TRUE(found) << name;
    EXPECT_EQ(program_plant(name).text, program.text);
    EXPECT_FALSE(program_plant(name).own);
    EXPECT_THROW(save_own_plant(name, text + "}"), Error);
    EXPECT_EQ(read_text(path), text) << "what cannot be read is not written";
  }
  EXPECT_EQ(load_plants().size(), built_in_plants().size());
  for (const auto& each : std::filesystem::recursive_directory_iterator(folder / "kinescope/plants"))
    EXPECT_TRUE(each.path().string().ends_with(".json")) << "nothing is left beside: " << each.path();
  EXPECT_THROW(save_own_plant("../escape.json", program_plant("palm.json").text), Error);
  EXPECT_THROW(save_own_plant("palm.json", program_plant("palm.json").text + std::string(16 << 20, ' ')), Error);
}

// A user's folder that is really the program's own, under another name, is refused.
TEST_F(LandscapePlantFiles, TheProgramsFolderIsNotWritten) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  if (!std::filesystem::exists(program / "assets/plants")) GTEST_SKIP() << "no plants beside the program";
  std::filesystem::create_directories(folder / "kinescope");
  std::filesystem::create_directory_symlink(program / "assets/plants", folder / "kinescope/plants");
  const std::string palm = (program / "assets/plants/palm.json").string(), before = read_text(palm);
  EXPECT_THROW(save_own_plant("palm.json", before + " "), Error);
  EXPECT_EQ(read_text(palm), before);
  if (read_text(palm) != before) write_bytes(palm, before);
}

}  // namespace
}  // namespace kinescope::sim::plant_files_test
