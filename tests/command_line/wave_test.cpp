// What `run fitzhugh-nagumo` writes and refuses.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::wave_test {
namespace {

struct Npy {
  std::string shape;  // as in the file: "(2, 64, 64)"
  std::vector<float> values;
};

Npy read_npy(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  if (bytes.size() < 10 || bytes.substr(1, 5) != "NUMPY") return {};
  const std::size_t length = std::uint8_t(bytes[8]) + 256u * std::uint8_t(bytes[9]), begin = 10 + length;
  const std::string head = bytes.substr(10, length);
  const std::size_t open = head.find('('), close = head.find(')');
  Npy npy{head.substr(open, close - open + 1), std::vector<float>((bytes.size() - begin) / sizeof(float))};
  std::memcpy(npy.values.data(), bytes.data() + begin, npy.values.size() * sizeof(float));
  return npy;
}

Outcome run_wave(const Folder& folder, std::vector<std::string> more) {
  more.insert(more.begin(), {"run", "fitzhugh-nagumo", "--backend", "cpu"});
  return run_program(more, {.folder = folder.path()});
}

nlohmann::json report_of(const Folder& folder) {
  return nlohmann::json::parse(read_file(folder.path() / "r.json"));
}

TEST(CommandLineWave, WorkOfDaysIsRefusedBeforeItIsDone) {
  const Folder folder;
  const std::vector<std::string> fine = {"--set", "dx=0.0001", "--out", "x.csv"};
  const Outcome outcome = run_wave(folder, fine);
  EXPECT_EQ(flaw_of_error(outcome, 2), "");
  EXPECT_NE(outcome.errors.find(" iterations would take "), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("; --long computes them"), std::string::npos);
  EXPECT_TRUE(folder.names().empty());
  std::vector<std::string> arguments = {"run", "fitzhugh-nagumo", "--backend", "cpu", "--long"};
  arguments.insert(arguments.end(), fine.begin(), fine.end());
  const Outcome longer = run_program(arguments, {.folder = folder.path(), .interrupt_after_seconds = 3});
  EXPECT_EQ(longer.status, 130) << longer.errors;  // it has begun
  EXPECT_EQ(folder.names(), std::vector<std::string>{"x.csv"});
  arguments = {"--set", "dx=0.0001", "--at", "100", "--out", "x.csv"};
  EXPECT_EQ(run_wave(folder, arguments).status, 0);
}

TEST(CommandLineWave, AnAxonIsWrittenAsColumnsAndAsHistory) {
  const Folder folder;
  const Outcome outcome = run_wave(folder, {"--out", "x.csv", "--history", "h.npy", "--report", "r.json"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const std::vector<std::string> lines = lines_of(read_file(folder.path() / "x.csv"));
  ASSERT_EQ(lines.size(), 402u);
  EXPECT_EQ(lines[0], "x,v,w");
  EXPECT_TRUE(lines[401].starts_with("200,")) << lines[401];
  const Npy history = read_npy(folder.path() / "h.npy");
  EXPECT_EQ(history.shape, "(890, 401)");  // every third of 2,667 steps, and the initial values
  ASSERT_EQ(history.values.size(), 890u * 401);
  EXPECT_EQ(history.values[200], 1.0f);  // the impulse in the middle, at the start
  for (const float v : history.values) ASSERT_LT(std::fabs(v), 1.5f);
  for (std::size_t i = 889 * 401; i < history.values.size(); ++i) ASSERT_LT(std::fabs(history.values[i]), 0.05f);
  const nlohmann::json report = report_of(folder);
  EXPECT_NEAR(double(report["time"]), 300, 1e-6);
  EXPECT_EQ(report["steps"], report["iterations"]);
  EXPECT_EQ(report["history"]["rows"], 890);
  EXPECT_NEAR(double(report["history"]["time_step"]) * 889, 300, 1e-9);
  EXPECT_EQ(report["nodes_used"], 401);
  EXPECT_FALSE(report.contains("newton_iterations"));
}

TEST(CommandLineWave, ReportsTellWhatASchemeDid) {
  const Folder folder;
  ASSERT_EQ(run_wave(folder, {"--set", "scheme=adaptive", "--report", "r.json"}).status, 0);
  EXPECT_LT(int(report_of(folder)["nodes_used"]), 201);
  ASSERT_EQ(run_wave(folder, {"--set", "scheme=implicit", "--set", "end_time=30", "--report", "r.json"}).status, 0);
  const nlohmann::json report = report_of(folder);
  EXPECT_GE(int(report["newton_iterations"]), int(report["steps"]));
}

TEST(CommandLineWave, ASheetIsWrittenAsAnArrayAndAsAPicture) {
  const Folder folder;
  const std::vector<std::string> sheet{"--set", "dimensions=2", "--set", "nodes=64", "--set", "end_time=5"};
  auto with = [&](const char* option, const char* file) {
    std::vector<std::string> options = sheet;
    options.insert(options.end(), {option, file});
    return run_wave(folder, options);
  };
  ASSERT_EQ(with("--out", "s.npy").status, 0);
  const Npy array = read_npy(folder.path() / "s.npy");
  EXPECT_EQ(array.shape, "(2, 64, 64)");
  EXPECT_EQ(array.values.size(), 2u * 64 * 64);
  ASSERT_EQ(with("--out", "s.png").status, 0);
  EXPECT_TRUE(read_file(folder.path() / "s.png").starts_with("\x89PNG"));
  EXPECT_EQ(flaw_of_error(with("--out", "s.csv"), 2), "");
  ASSERT_EQ(with("--history", "h.npy").status, 0);
  const Npy history = read_npy(folder.path() / "h.npy");
  EXPECT_TRUE(history.shape.ends_with(", 64, 64)")) << history.shape;
  EXPECT_TRUE(std::equal(history.values.end() - 64 * 64, history.values.end(), array.values.begin()));
}

TEST(CommandLineWave, WhatCannotBeIsOneLine) {
  const Folder folder;
  folder.write("t.csv", "a,b\n1,2\n3,4\n");
  EXPECT_EQ(flaw_of_error(run_wave(folder, {"--data", "t.csv"}), 2), "");
  EXPECT_EQ(flaw_of_error(run_wave(folder, {"--set", "case=spiral"}), 2), "");
  const Outcome blown = run_wave(folder, {"--set", "dt=0.5", "--out", "x.csv"});
  EXPECT_EQ(flaw_of_error(blown, 1), "");
  EXPECT_NE(blown.errors.find("largest stable dt is 0.11"), std::string::npos) << blown.errors;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"t.csv"});
}

}  // namespace
}  // namespace kinescope::tests::command_line::wave_test
