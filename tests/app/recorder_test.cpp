// The recorder with an ffmpeg that hangs: a script in its place. command_line/recording_test.cpp tests other ffmpegs,
// through the program.
#include "app/view/recording/recorder.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

#include "tests/sim/data/helpers.hpp"

namespace kinescope::app::recorder_test {
namespace {

class HangingFfmpeg : public testing::Test {
 protected:
  HangingFfmpeg() : path_(std::getenv("PATH")) {
    std::filesystem::permissions(
        tools_.write("ffmpeg", "#!/bin/sh\nsleep 1000 &\necho $! > " + tools_.path("child") + "\nwait\n"),
        std::filesystem::perms::owner_all);
    setenv("PATH", (tools_.path("") + ":" + path_).c_str(), 1);
  }
  ~HangingFfmpeg() override { setenv("PATH", path_.c_str(), 1); }

  // The error of a recording of so many frames; "": there is none.
  std::string error_of(int frames) {
    Recorder recorder(recording_place(folder_.path("film.mp4")), {64, 48}, std::chrono::milliseconds(200));
    const render::Image frame{64, 48, std::vector<std::uint8_t>(64 * 48 * 4)};
    try {
      for (int n = 0; n < frames; ++n) recorder.add(frame, 1, true);
      recorder.finish();
      return "";
    } catch (const sim::Error& error) {
      return error.what();
    }
  }

  // Whether what the script started still runs after a second: a process that was killed takes a moment to end.
  bool child_runs() const {
    std::string number;
    std::ifstream(tools_.path("child")) >> number;
    for (int n = 0; n < 100; ++n) {
      std::string id, name, state;
      std::ifstream("/proc/" + number + "/stat") >> id >> name >> state;
      if (state.empty() || state == "Z") return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  const TemporaryFolder folder_, tools_;
  const std::string path_;
};

TEST_F(HangingFfmpeg, IsGivenUpOnceItTakesNoMore) {
  EXPECT_NE(error_of(100'000).find("film.mp4: the video cannot be written: ffmpeg took no more frames"),
            std::string::npos);
  EXPECT_TRUE(folder_.names().empty());
  EXPECT_FALSE(child_runs());
}

TEST(Recorder, AFolderNamedFfmpegIsNoProgram) {
  const TemporaryFolder folder, tools;
  const std::string path = std::getenv("PATH");
  std::filesystem::create_directory(tools.path("ffmpeg"));
  setenv("PATH", tools.path("").c_str(), 1);
  EXPECT_FALSE(recording_place(folder.path("film.mp4")).video);
  setenv("PATH", path.c_str(), 1);
}

// All frames fit into the pipe, so only the end of the recording hangs.
TEST_F(HangingFfmpeg, IsGivenUpAtTheEnd) {
  EXPECT_NE(error_of(2).find("film.mp4: the video cannot be written: ffmpeg took no more frames"), std::string::npos);
  EXPECT_TRUE(folder_.names().empty());
}

// The picture that cannot be written is one without pixels.
TEST(Recorder, LeavesNoEmptyFolderOfItsOwnBehind) {
  const TemporaryFolder folder;
  const render::Image none{0, 0, {}};  // no PNG file can hold it
  for (const std::string name : {"new/", "mine/"}) {
    if (name == "mine/") std::filesystem::create_directory(folder.path("mine"));
    Recorder recorder(recording_place(folder.path(name)), {0, 0});
    EXPECT_THROW(
        {
          recorder.add(none, 1, true);
          recorder.finish();
        },
        sim::Error);
    EXPECT_EQ(std::filesystem::exists(folder.path(name)), name == "mine/") << name;
  }
}

render::Image picture(std::uint8_t grey) {
  return {4, 4, std::vector<std::uint8_t>(4 * 4 * 4, grey)};
}

// A folder that was renamed keeps being written to, not what stands in its place.
TEST(Recorder, WritesIntoTheFolderThatItHasOpened) {
  const TemporaryFolder folder, others;
  const std::string mine = others.write("000001.png", "mine");
  Recorder recorder(recording_place(folder.path("film/")), {4, 4});
  recorder.add(picture(1), 1, true);
  std::filesystem::rename(folder.path("film"), folder.path("moved"));
  std::filesystem::create_directory_symlink(others.path(""), folder.path("film"));
  recorder.add(picture(2), 1, true);
  recorder.finish();
  EXPECT_TRUE(std::filesystem::exists(folder.path("moved/000001.png")));
  EXPECT_EQ(std::filesystem::file_size(mine), 4u);
  EXPECT_EQ(others.names().size(), 1u);
}

TEST(Recorder, ReplacesNothing) {
  const TemporaryFolder folder;
  Recorder recorder(recording_place(folder.path("film/")), {4, 4});
  const std::string mine = folder.write("film/000000.png", "mine");
  EXPECT_THROW(
      {
        recorder.add(picture(1), 1, true);
        recorder.finish();
      },
      sim::Error);
  EXPECT_EQ(std::filesystem::file_size(mine), 4u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("film")), {}), 1);
}

}  // namespace
}  // namespace kinescope::app::recorder_test
