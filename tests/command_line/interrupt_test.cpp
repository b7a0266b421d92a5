// Ctrl-C while there is nothing to keep: while data are read, a run is prepared, rows are placed, or the figures of a
// report are computed.
#include <chrono>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::interrupt_test {
namespace {

TEST(CommandLineInterrupt, APipeWithoutAWriterIsWaitedForUntilCtrlC) {
  const Folder folder;
  ASSERT_EQ(std::system(("mkfifo " + folder.file("t.csv")).c_str()), 0);
  const Outcome outcome = run_program({"run", "glimmer", "--data", "t.csv", "--out", "x.csv"},
                                      {.folder = folder.path(), .interrupt_after_seconds = 0.5, .limit_seconds = 20});
  EXPECT_EQ(flaw_of_error(outcome, 130), "");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"t.csv"});
}

// Reading and preparing end soon after Ctrl-C, or it ends them: nothing is to be written then.
TEST(CommandLineInterrupt, CtrlCBeforeTheFirstStepReplacesNothing) {
  const Folder folder;
  for (const double after : {0.05, 0.1, 0.15, 0.2, 0.3}) {
    folder.write("old.csv", "old");
    const Outcome outcome =
        run_program({"run", "glimmer", "--data", "synthetic:grid,n=100000,h=8,noise=0", "--out", "old.csv"},
                    {.folder = folder.path(), .interrupt_after_seconds = after});
    EXPECT_EQ(outcome.errors.find("after 0 iterations"), std::string::npos) << outcome.errors;
    const std::string left = read_file(folder.file("old.csv"));
    EXPECT_TRUE(left == "old" || left.starts_with("x,y\n-0.")) << left.substr(0, 40);
  }
}

TEST(CommandLineInterrupt, CtrlCIsHeardWhileRowsArePlaced) {
  const Folder folder;
  const std::string old = "synthetic:grid,n=20000,h=8,noise=0";
  ASSERT_EQ(run_program({"run", "glimmer", "--data", old, "--out", "layout.csv"}, {.folder = folder.path()}).status, 0);
  const Outcome outcome =
      run_program({"run", "glimmer", "--data", old, "--onto", "layout.csv", "--onto-data", old, "--out", "x.csv"},
                  {.folder = folder.path(), .interrupt_after_seconds = 2});
  EXPECT_EQ(flaw_of_error(outcome, 130), "");
  EXPECT_EQ(outcome.errors, "kinescope: error: interrupted while placing\n");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"layout.csv"});
}

// A million columns take seconds, in which no reader asks whether it should go on.
TEST(CommandLineInterrupt, CtrlCIsHeardWhileDataAreRead) {
  const Folder folder;
  std::string line = "1";
  for (int column = 1; column < 1'000'000; ++column) line += ",2.5";
  folder.write("wide.csv", line + "\n" + line + "\n");
  constexpr double after = 0.4;
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = run_program({"run", "glimmer", "--data", "wide.csv", "--out", "x.csv"},
                                      {.folder = folder.path(), .interrupt_after_seconds = after});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(flaw_of_error(outcome, 130), "");
  EXPECT_TRUE(outcome.errors.starts_with("kinescope: error: interrupted while ")) << outcome.errors;
  EXPECT_LT(took.count(), after + 1.5);  // 0.2 s, and what other tests take meanwhile
  EXPECT_EQ(folder.names(), std::vector<std::string>{"wide.csv"});
}

TEST(CommandLineInterrupt, AnInterruptWhileAPictureIsOpenedIsOneLine) {
  const Outcome outcome =
      run_program({"view", "k-means", "--headless", "--backend", "cpu", "--data", "synthetic:gaussians,n=20000000"},
                  {.interrupt_after_seconds = 0.8});
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.errors, "kinescope: error: interrupted while opening\n");
}

// The rows' nearest rows take seconds; the run, and what is written before, a fraction of one.
const std::vector<std::string> slow_figures = {
    "glimmer", "--data", "synthetic:gaussians,n=100000,k=16", "--backend", "cpu", "--set", "neighbourhood=50"};
constexpr const char* without_report = "; the report is not written: its figures were not computed yet\n";

Outcome interrupted_at_figures(const Folder& folder, std::vector<std::string> arguments, const char* written_before) {
  arguments.insert(arguments.begin() + 1, slow_figures.begin(), slow_figures.end());
  return run_program(arguments, {.folder = folder.path(), .interrupt_after_file = folder.path() / written_before});
}

TEST(CommandLineInterrupt, CtrlCIsHeardWhileTheFiguresOfAReportAreComputed) {
  const Folder folder;
  folder.write("r.json", "old");
  const Outcome outcome = interrupted_at_figures(
      folder, {"run", "--at", "1", "--out", "x.csv", "--report", "r.json", "--trace", "t.json"}, "x.csv");
  EXPECT_EQ(flaw_of_error(outcome, 130), "");
  EXPECT_EQ(outcome.errors,
            std::string("kinescope: error: interrupted after the run had ended; its result is in x.csv and t.json") +
                without_report);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"r.json", "t.json", "x.csv"}));
  EXPECT_EQ(read_file(folder.file("r.json")), "old");
  EXPECT_EQ(lines_of(read_file(folder.file("x.csv"))).size(), 100001u);
  EXPECT_TRUE(nlohmann::json::accept(read_file(folder.file("t.json"))));
}

// Who ends a run keeps its report.
TEST(CommandLineInterrupt, TheReportOfAnInterruptedRunIsWritten) {
  const Folder folder;
  const Outcome outcome =
      run_program({"run", "glimmer", "--data", "synthetic:gaussians,n=50000,k=16", "--backend", "cpu", "--set",
                   "neighbourhood=50", "--set", "algorithm=chalmers", "--set", "epsilon=1e-9", "--report", "r.json"},
                  {.folder = folder.path(), .interrupt_after_seconds = 2});
  EXPECT_EQ(outcome.status, 130);
  EXPECT_TRUE(outcome.errors.ends_with("; the result so far is in r.json\n")) << outcome.errors;
  const auto report = nlohmann::json::parse(read_file(folder.file("r.json")));
  EXPECT_GT(report["stress"], 0);
}

TEST(CommandLineInterrupt, CtrlCIsHeardWhileTheFiguresOfAPictureAreComputed) {
  const Folder folder;
  const Outcome outcome = interrupted_at_figures(
      folder, {"view", "--headless", "--size", "64x64", "--frames", "1", "--screenshot", "s.png", "--report", "r.json"},
      "s.png");
  EXPECT_EQ(outcome.status, 130);
  EXPECT_TRUE(outcome.errors.ends_with(std::string("kinescope: error: interrupted after 1 frames") + without_report))
      << outcome.errors;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"s.png"});
}

}  // namespace
}  // namespace kinescope::tests::command_line::interrupt_test
