// --trace: what ran at which time, as Chrome trace events.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::trace_test {
namespace {

// Maps each track's name to the labels on it; checks that no span has a negative duration.
std::map<std::string, std::set<std::string>> tracks_of(const std::string& path) {
  const auto json = nlohmann::json::parse(read_file(path));
  std::map<int, std::string> names;
  std::map<std::string, std::set<std::string>> tracks;
  for (const auto& event : json.at("traceEvents")) {
    if (event.at("ph") == "M") {
      names[event.at("tid")] = event.at("args").at("name");
      continue;
    }
    EXPECT_EQ(event.at("ph"), "X");
    EXPECT_GE(event.at("dur").get<double>(), 0);
    tracks[names.at(event.at("tid"))].insert(event.at("name"));
  }
  return tracks;
}

const std::vector<std::string> small_grid = {"glimmer", "--data", "synthetic:grid,n=400,h=4", "--backend", "cpu",
                                             "--trace", "t.json"};

TEST(CommandLineTrace, NamesTheStagesOfARunAndItsLaunches) {
  const Folder folder;
  std::vector<std::string> arguments = {"run"};
  arguments.insert(arguments.end(), small_grid.begin(), small_grid.end());
  const Outcome outcome = run_program(arguments, {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  auto tracks = tracks_of(folder.file("t.json"));
  EXPECT_EQ(tracks["program"], (std::set<std::string>{"read the data", "prepare", "compute", "write"}));
  EXPECT_TRUE(tracks["CPU launches"].contains("distances")) << nlohmann::json(tracks["CPU launches"]);
  EXPECT_FALSE(tracks.contains("CUDA"));
}

TEST(CommandLineTrace, NamesThePartsOfFrames) {
  const Folder folder;
  std::vector<std::string> arguments = {"view", "--headless", "--size", "64x48", "--frames", "5"};
  arguments.insert(arguments.end(), small_grid.begin(), small_grid.end());
  const Outcome outcome = run_program(arguments, {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  auto tracks = tracks_of(folder.file("t.json"));
  EXPECT_EQ(tracks["program"], (std::set<std::string>{"frame", "scene", "panels"}));
  EXPECT_EQ(tracks["OpenGL"], std::set<std::string>{"draw"});
  EXPECT_FALSE(tracks["CPU launches"].empty());
}

// While data are read Ctrl-C ends the program at once: nothing is begun that would be left.
TEST(CommandLineTrace, LeavesNothingIfInterruptedWhileDataAreRead) {
  const Folder folder;
  ASSERT_EQ(mkfifo(folder.file("t.csv").c_str(), 0600), 0);
  const int writer =
      open(folder.file("t.csv").c_str(), O_RDWR);  // it writes nothing, but a pipe without one is an error
  const Outcome outcome = run_program(
      {"view", "glimmer", "--headless", "--data", "t.csv", "--timings", "times.csv", "--trace", "trace.json"},
      {.folder = folder.path(), .interrupt_after_seconds = 2});
  close(writer);
  EXPECT_EQ(outcome.status, 130) << outcome.errors;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"t.csv"});
}

// Each point is moved by all others: a step takes minutes, and ends long after Ctrl-C.
TEST(CommandLineTrace, LeavesNothingIfInterruptedInTheFirstStep) {
  const Folder folder;
  const Outcome outcome = run_program({"run", "mean-shift", "--data", "synthetic:gaussians,n=1000000", "--backend",
                                       "cpu", "--set", "method=naive", "--out", "x.csv", "--trace", "trace.json"},
                                      {.folder = folder.path(), .interrupt_after_seconds = 2, .limit_seconds = 60});
  EXPECT_EQ(flaw_of_error(outcome, 130), "");
  EXPECT_TRUE(outcome.errors.starts_with("kinescope: error: interrupted during the first step")) << outcome.errors;
  EXPECT_TRUE(folder.names().empty());
}

TEST(CommandLineTrace, OneClearLineWhereItCannotBeWritten) {
  const Folder folder;
  const Outcome outcome = run_program({"run", "glimmer", "--trace", "nowhere/t.json"}, {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(outcome, 2), "");
}

}  // namespace
}  // namespace kinescope::tests::command_line::trace_test
