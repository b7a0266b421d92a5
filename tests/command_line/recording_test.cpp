// --record: every frame, into a video by ffmpeg (here a script in its place, so that its input can be looked at) or
// into numbered pictures.
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::recording_test {
namespace {

class CommandLineRecording : public testing::Test {
 protected:
  CommandLineRecording() : path_(std::getenv("PATH")) {}
  ~CommandLineRecording() override { setenv("PATH", path_.c_str(), 1); }

  // Puts a script in ffmpeg's place: the output of `body` is the video.
  void stand_in(const std::string& body) {
    const std::string script =
        tools_.write("ffmpeg", "#!/bin/sh\necho \"$*\" > '" + tools_.file("arguments") + "'\n" + body);
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    setenv("PATH", (tools_.path().string() + ":" + path_).c_str(), 1);
  }
  void without_ffmpeg() { setenv("PATH", tools_.path().c_str(), 1); }

  Outcome record(const std::string& to, const std::vector<std::string>& more = {"--frames", "5"}, double after = 0) {
    std::vector<std::string> arguments = {"view",      "glimmer", "--data",    "synthetic:gaussians,n=100,k=6",
                                          "--backend", "cpu",     "--size",    "64x48",
                                          "--record",  to,        "--headless"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, {.folder = folder_.path(), .interrupt_after_seconds = after});
  }

  const Folder folder_, tools_;
  const std::string path_;
};

constexpr std::size_t frame_bytes = 64 * 48 * 4;

// The beginning of a fragment, by which a video is known.
const std::string fragment = "printf '\\000\\000\\000\\010moof'\n";
constexpr std::size_t fragment_bytes = 8;

TEST_F(CommandLineRecording, GivesFfmpegEveryFrame) {
  stand_in(fragment + "cat\n");
  const Outcome outcome = record("film.mp4");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const std::string frames = read_file(folder_.path() / "film.mp4").substr(fragment_bytes);
  ASSERT_EQ(frames.size(), 5 * frame_bytes);
  EXPECT_NE(frames.substr(0, frame_bytes), frames.substr(4 * frame_bytes)) << "the layout moves";
  EXPECT_NE(read_file(tools_.path() / "arguments").find("-pix_fmt rgba -s 64x48 -r 60"), std::string::npos);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"film.mp4"});
}

// Some services start programs so that the operating system keeps no exit status of their children.
TEST_F(CommandLineRecording, WaitsForFfmpegWhoeverStartsTheProgram) {
  stand_in(fragment + "cat\n");
  const std::string program = "timeout 30 env --ignore-signal=CHLD " + program_path();
  const std::string film = folder_.file("film.mp4");
  EXPECT_EQ(std::system((program + " view glimmer --data synthetic:gaussians,n=100,k=6 --backend cpu --size 64x48 " +
                         "--headless --frames 5 --record " + film)
                            .c_str()),
            0);
  EXPECT_EQ(read_file(film).size(), fragment_bytes + 5 * frame_bytes);
}

TEST_F(CommandLineRecording, LeavesNothingOfAVideoThatFails) {
  stand_in("head -c 100 > /dev/null\nexit 3\n");
  const Outcome outcome = record("film.mp4", {"--frames", "40"});
  EXPECT_EQ(flaw_of_error(outcome, 1), "");
  EXPECT_NE(outcome.errors.find("film.mp4: the video cannot be written: ffmpeg failed with exit status 3"),
            std::string::npos)
      << outcome.errors;
  EXPECT_TRUE(folder_.names().empty());
}

// If ffmpeg is stopped from outside (by a debugger, a batch system), that was not meant for the video: it is continued.
TEST_F(CommandLineRecording, WakesAStoppedFfmpeg) {
  stand_in(fragment + "head -c 5000\nkill -STOP $$\ncat\n");
  for (const char* frames : {"3", "40"}) {  // ffmpeg stops before the pipe is full, and after
    const Outcome outcome = record("film.mp4", {"--frames", frames});
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_GT(read_file(folder_.path() / "film.mp4").size(), (std::stoul(frames) - 2) * frame_bytes);
  }
}

// What a killed ffmpeg has written stays: fragments are videos of their own.
TEST_F(CommandLineRecording, KeepsTheFirstPartOfAVideoWhoseFfmpegIsKilled) {
  const std::string begin = "printf '\\000\\000\\000\\014ftypmp42'\n";
  stand_in(begin + "printf '\\000\\000\\000\\010moof'\nhead -c 30000\nkill -KILL $$\n");
  const Outcome outcome = record("film.mp4", {"--frames", "1000000"});
  EXPECT_EQ(flaw_of_error(outcome, 1), "");
  EXPECT_NE(outcome.errors.find("film.mp4: ffmpeg was ended by a signal (Killed) before the recording ended"),
            std::string::npos)
      << outcome.errors;
  EXPECT_EQ(read_file(folder_.path() / "film.mp4").size(), 30020u);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"film.mp4"});
  // Before its first fragment the file is no video.
  std::filesystem::remove(folder_.path() / "film.mp4");
  stand_in(begin + "head -c 30000 > /dev/null\nkill -KILL $$\n");
  const Outcome killed = record("film.mp4", {"--frames", "1000000"});
  EXPECT_EQ(flaw_of_error(killed, 1), "");
  EXPECT_NE(killed.errors.find("ffmpeg was ended by a signal (Killed)"), std::string::npos) << killed.errors;
  EXPECT_TRUE(folder_.names().empty());
}

// The error comes at once, not after the last frame, which may be hours away.
TEST_F(CommandLineRecording, TellsAtOnceThatFfmpegIsNoMore) {
  stand_in("exit 3\n");
  const Outcome outcome = record("film.mp4", {"--frames", "1000000"});
  EXPECT_EQ(flaw_of_error(outcome, 1), "");
  EXPECT_NE(outcome.errors.find("ffmpeg failed with exit status 3"), std::string::npos) << outcome.errors;
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(CommandLineRecording, AnInterruptEndsAnFfmpegThatTakesNothing) {
  stand_in("exec sleep 1000 < /dev/null\n");
  const Outcome outcome = record("film.mp4", {"--frames", "1000000"}, 4);
  EXPECT_EQ(flaw_of_error(outcome, 130), "");
  EXPECT_NE(outcome.errors.find("film.mp4: the video cannot be written: ffmpeg took no more frames"), std::string::npos)
      << outcome.errors;
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(CommandLineRecording, AnFfmpegThatWritesNothingReplacesNothing) {
  stand_in("cat > /dev/null\n");
  folder_.write("film.mp4", "precious");
  const Outcome outcome = record("film.mp4");
  EXPECT_EQ(flaw_of_error(outcome, 1), "");
  EXPECT_EQ(read_file(folder_.path() / "film.mp4"), "precious");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"film.mp4"});
}

TEST_F(CommandLineRecording, CostsNoOtherOutputIfItFails) {
  const std::vector<std::string> others = {"r.json", "s.png", "t.csv", "tr.json"};
  const std::vector<std::string> more = {"--frames", "40",        "--report", others[0], "--screenshot",
                                         others[1],  "--timings", others[2],  "--trace", others[3]};
  stand_in("exit 3\n");
  const Outcome video = record("film.mp4", more);
  EXPECT_EQ(video.status, 1);
  EXPECT_NE(video.errors.find("film.mp4: the video cannot be written"), std::string::npos) << video.errors;
  EXPECT_EQ(folder_.names(), others);
  EXPECT_EQ(lines_of(read_file(folder_.path() / others[2])).size(), 41u);
}

// What would be a protocol or an option to ffmpeg.
TEST_F(CommandLineRecording, OddNamesAreNames) {
  stand_in(fragment + "cat\n");
  std::filesystem::create_directory(folder_.path() / "a:b");
  for (const char* name : {"a:b/film.mp4", "c:film.mp4", "-y.mp4"}) {
    const Outcome outcome = record(name);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / name));
  }
}

TEST_F(CommandLineRecording, EndsTheVideoWhenInterrupted) {
  stand_in(fragment + "cat\n");
  const Outcome outcome = record("film.mp4", {"--frames", "100000000"}, 4);
  EXPECT_EQ(flaw_of_error(outcome, 130), "");
  const std::size_t bytes = read_file(folder_.path() / "film.mp4").size() - fragment_bytes;
  EXPECT_GT(bytes, 0u);
  EXPECT_EQ(bytes % frame_bytes, 0u);
}

TEST_F(CommandLineRecording, WritesNumberedPictures) {
  EXPECT_EQ(record("pictures/").status, 0);
  without_ffmpeg();
  const Outcome instead = record("film.mp4");
  EXPECT_EQ(instead.status, 0);
  EXPECT_EQ(instead.errors, "kinescope: ffmpeg is not installed: the frames are saved as numbered pictures in film/\n");
  for (const std::string folder : {"pictures", "film"})
    for (int i = 0; i < 5; ++i)
      EXPECT_TRUE(std::filesystem::exists(folder_.path() / folder / ("00000" + std::to_string(i) + ".png")));
  for (const char* name : {"000000.png", "000004.png"})
    EXPECT_EQ(read_file(folder_.path() / "pictures" / name), read_file(folder_.path() / "film" / name));
}

TEST_F(CommandLineRecording, OneClearLineForWhatCannotBe) {
  folder_.write("kept", "");
  std::filesystem::create_directory(folder_.path() / "full");
  folder_.write("full/kept", "");
  for (const char* bad : {"film.avi", "full/", "full", "kept/", "nowhere/film.mp4"})
    EXPECT_EQ(flaw_of_error(record(bad), 2), "") << bad;
}

}  // namespace
}  // namespace kinescope::tests::command_line::recording_test
