// Bad usage: one clear line on stderr, exit status 2, nothing on stdout, nothing written.
#include <gtest/gtest.h>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::usage_test {
namespace {

struct Misuse {
  std::vector<std::string> arguments;
  std::string says;  // part of the line
};

// The test's name in ctest.
void PrintTo(const Misuse& misuse, std::ostream* out) {
  for (const std::string& argument : misuse.arguments) *out << argument << ' ';
}

class BadUsage : public testing::TestWithParam<Misuse> {};

TEST_P(BadUsage, IsOneLineAndStatus2) {
  const Folder folder;
  const Outcome outcome = run_program(GetParam().arguments, {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(outcome, 2), "");
  EXPECT_NE(outcome.errors.find(GetParam().says), std::string::npos) << outcome.errors;
  EXPECT_EQ(folder.names(), std::vector<std::string>());
}

const Misuse misuses[] = {
    {{"--bogus"}, "unknown option '--bogus'"},
    {{"-x"}, "unknown option '-x'"},
    {{"--sed=3"}, "unknown option '--sed'; did you mean"},
    {{"run", "k-means", "--clusters", "3"}, "'--clusters'; it is a parameter of k-means: --set clusters=3"},
    {{"run", "--clusters=4", "k-means"}, "'--clusters'; it is a parameter of k-means: --set clusters=4"},
    {{"run", "glimmer", "--maximum-iterations"}, "--set maximum_iterations=VALUE"},
    {{"--metric", "cosine"}, "it is a parameter of glimmer: --set metric=cosine"},
    {{"run", "glimmer", "--clusters", "3"}, "unknown option '--clusters'\n"},
    {{"bench", "--metric", "cosine"}, "unknown option '--metric'\n"},
    {{"--record", "film.avi"}, "--record: expected FILE.mp4 or DIR/, found 'film.avi'"},
    {{"run", "glimmer", "--trace", "no/t.json"}, "no does not exist"},
    {{"run", "glimmer", "--seed"}, "--seed needs a value"},
    {{"run", "glimmer", "--data", "--label", "x"}, "--data needs a value"},
    {{"run", "glimmer", "--data="}, "--data needs a value"},
    {{"run", "glimmer", "--data", ""}, "--data needs a value"},
    {{"--headless=3"}, "--headless takes no value"},
    {{"run", "glimmer", "--headless"}, "--headless is an option of view, not of run"},
    {{"view", "--out", "x.csv"}, "--out is an option of run, not of view"},
    {{"list", "--data", "x.csv"}, "--data is an option of view, run and work, not of list"},
    {{"run"}, "run needs a simulation"},
    {{"run", "glimmr"}, "there is no simulation 'glimmr'; did you mean 'glimmer'?"},
    {{"run", "mean-shft"}, "there is no simulation 'mean-shft'; did you mean 'mean-shift'?"},
    {{"list", "k-meens"}, "there is no simulation 'k-meens'; did you mean 'k-means'?"},
    {{"bench", "glimer"}, "there is no experiment 'glimer'; did you mean 'glimmer'?"},
    {{"bench", "--quick", "--csv", "no/such/folder/rows.csv"}, "no/such/folder does not exist"},
    {{"bench", "--quick", "--plot", "plot.png"}, "plot.png: --plot writes a file that ends in .svg"},
    {{"bench", "--quick", "--csv", "same.svg", "--plot", "./same.svg"}, "name the same file"},
    {{"bench", "--quick", "--data-directory", "nowhere"}, "nowhere: is not a folder"},
    {{"bench", "--seed", "3"}, "--seed is an option of view and run, not of bench"},
    {{"run", "glimmer", "--csv", "rows.csv"}, "--csv is an option of bench and timings, not of run"},
    {{"runn", "glimmer"}, "there is no command 'runn'; did you mean 'run'?"},
    {{"run", "glimmer", "more"}, "unexpected argument 'more'"},
    {{"glimmer", "."}, "unexpected argument '.' after 'glimmer'; to use the file as data: --data ."},
    {{"view", ".", "--data", "some.csv"}, "two files to open: '.', and 'some.csv' of --data"},
    {{"devices", "0"}, "unexpected argument '0'"},
    {{"data"}, "data needs a file"},
    {{""}, "an argument is empty"},
    {{"run", "glimmer", "two\nlines"}, "unexpected argument 'two lines'"},
    {{"run", "glimmer", "--set", "neer=3"}, "there is no parameter 'neer' of glimmer; did you mean 'near'?"},
    {{"run", "k-means", "--set", "k=3"}, "there is no parameter 'k' of k-means (kinescope list k-means names them)"},
    {{"run", "glimmer", "--set", "near=many"}, "near: expected a whole number"},
    {{"run", "glimmer", "--set", "near=-1"}, "near: expected a whole number"},
    {{"run", "glimmer", "--set", "epsilon=nan"}, "epsilon: expected a number"},
    {{"run", "glimmer", "--set", "metric=chebyshev"}, "metric: expected one of"},
    {{"run", "glimmer", "--set", "near"}, "--set: expected NAME=VALUE"},
    {{"run", "glimmer", "--set", "=3"}, "--set: expected NAME=VALUE"},
    {{"run", "glimmer", "--seed", "-1"}, "--seed: expected a whole number"},
    {{"run", "glimmer", "--seed", "1.5"}, "--seed: expected a whole number"},
    {{"run", "glimmer", "--seed", "18446744073709551616"}, "--seed: expected a whole number"},
    {{"run", "glimmer", "--seed", "1", "--seed", "2"}, "--seed is given more than once"},
    {{"run", "glimmer", "--threads", "0"}, "--threads: expected a whole number from 1"},
    {{"run", "glimmer", "--backend", "opencl"}, "--backend: expected one of auto|cpu|cuda"},
    {{"run", "glimmer", "--missing", "median"}, "--missing: expected one of leave-out|mean"},
    {{"view", "--headless", "--compare", "smacoff"},
     "--compare: there is no algorithm 'smacoff'; did you mean 'smacof'?"},
    {{"view", "--headless", "--compare", "smacof,classic,landmark,chalmers"},
     "--compare: at most 3 runs can be compared with the first, 4 were given"},
    {{"view", "--headless", "--compare", "smacof,classic,smacof"}, "--compare: 'smacof' is given twice"},
    {{"view", "--headless", "--compare", "glimmer"}, "--compare: 'glimmer' is what the first picture has already"},
    {{"view", "landscape", "--headless", "--compare", "smacof"},
     "--compare: there are no algorithms to choose from; NAME=VALUE compares a parameter"},
    {{"run", "landscape", "--label", "a"}, "landscape takes no data"},
    {{"run", "landscape", "--categories", "a"}, "landscape takes no data"},
    {{"run", "fitzhugh-nagumo", "--missing", "mean"}, "fitzhugh-nagumo takes no data"},
    {{"run", "fitzhugh-nagumo", "--missing", "leave-out"}, "fitzhugh-nagumo takes no data"},
    {{"run", "glimmer", "--columns", "a,,b"}, "--columns: expected A,B"},
    {{"run", "glimmer", "--separator", "ab"}, "--separator: expected one character, tab or blank, found 'ab'"},
    {{"run", "glimmer", "--separator", "\""}, "--separator: expected one character, tab or blank"},
    {{"run", "glimmer", "--separator", "\xa7"}, "--separator: expected one character, tab or blank"},
    {{"data", "t.csv", "--quote", "single"}, "--quote: expected one of auto|none"},
    {{"data", "t.csv", "--skip-lines", "2,x"}, "--skip-lines: expected a whole number from 0"},
    {{"data", "t.csv", "--drop", "a,"}, "--drop: expected A,B"},
    {{"run", "glimmer", "--data", "synthetic:torus"}, "torus"},
    {{"run", "glimmer", "--data", "synthetic:grid,n=-4"}, "n"},
    {{"--size", "640"}, "--size: expected WxH"},
    {{"--size", "0x480"}, "--size: expected WxH"},
    {{"--size", "640x480x3"}, "--size: expected WxH"},
    {{"--frames", "0"}, "--frames: expected a whole number from 1"},
    {{"--at", "-1"}, "--at: expected a whole number from 0"},
    {{"--at", "5", "--frames", "9"}, "--at and --frames both set the end of the run"},
    {{"list", "--at", "5"}, "--at is an option of view and run, not of list"},
    {{"--steps", "fast"}, "--steps: expected a whole number"},
    {{"--headless", "--screenshot", "picture.jpg"}, "picture.jpg: --screenshot writes a file that ends in .png"},
};

INSTANTIATE_TEST_SUITE_P(CommandLine, BadUsage, testing::ValuesIn(misuses));

TEST(CommandLine, NamesTheFileThatSomeoneExpectsToBeOpened) {
  const Folder folder;
  folder.write("points.csv", "a,b\n1,2\n");
  for (const char* command : {"run", "list"}) {
    const Outcome outcome = run_program({command, "points.csv"}, {.folder = folder.path()});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_NE(outcome.errors.find("kinescope run glimmer --data points.csv"), std::string::npos) << outcome.errors;
  }
}

TEST(CommandLine, OpensAFileInsteadOfASimulation) {
  const Folder folder;
  folder.write("points.csv", "a,b\n1,2\n3,4\n5,5\n");
  folder.write("stray.csv", "a,b\n1,2\n2\n");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"points.csv"}, {"view", "points.csv"}}) {
    std::vector<std::string> arguments = words;
    for (const char* more : {"--headless", "--frames", "1", "--size", "64x48", "--report", "r.json"})
      arguments.emplace_back(more);
    const Outcome outcome = run_program(arguments, {.folder = folder.path()});
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_NE(read_file(folder.path() / "r.json").find("\"points\": 3"), std::string::npos);
  }
  // The file is read, and its mistakes are reported.
  EXPECT_NE(run_program({"stray.csv", "--headless"}, {.folder = folder.path()}).errors.find("stray.csv:3: "),
            std::string::npos);
  EXPECT_NE(run_program({"nowhere.csv"}, {.folder = folder.path()}).errors.find("nowhere.csv: no such file"),
            std::string::npos);
  EXPECT_EQ(flaw_of_error(run_program({"points.csv", "--data", "stray.csv"}, {.folder = folder.path()}), 2), "");
}

TEST(CommandLine, HelpNamesEveryCommandAndOptionThatIsBuiltAndNoOther) {
  const Outcome outcome = run_program({"--help"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  for (const char* word : {"view",    "run",         "list",         "data",          "devices",   "--data",
                           "--label", "--columns",   "--set",        "--preset",      "--backend", "--threads",
                           "--seed",  "--out",       "--report",     "--headless",    "--frames",  "--until-done",
                           "--steps", "--size",      "--screenshot", "--with-panels", "--timings", "--missing",
                           "--help",  "--version",   "bench",        "--csv",         "--plot",    "--data-directory",
                           "--quick", "--centroids", "--history",    "--record",      "--trace"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word;
  EXPECT_EQ(outcome.out.find("--test-ids"), std::string::npos);
  // An output that several simulations write is explained for each of them.
  EXPECT_NE(outcome.out.find("mean-shift: a row for each cluster"), std::string::npos);
  EXPECT_NE(outcome.out.find("k-means: a row for each cluster"), std::string::npos);
}

TEST(CommandLine, HelpOfACommandListsItsOwnOptionsOnly) {
  const Outcome run = run_program({"run", "--help"}), view = run_program({"view", "-h"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(view.status, 0);
  EXPECT_NE(run.out.find("--out"), std::string::npos);
  EXPECT_EQ(run.out.find("--headless"), std::string::npos);
  EXPECT_NE(view.out.find("--headless"), std::string::npos);
  EXPECT_EQ(view.out.find("--out"), std::string::npos);
}

TEST(CommandLine, VersionIsOneLine) {
  const Outcome outcome = run_program({"--version"});
  EXPECT_EQ(outcome.status, 0);
  ASSERT_EQ(lines_of(outcome.out).size(), 1u);
  EXPECT_TRUE(outcome.out.starts_with("kinescope "));
}

TEST(CommandLine, CudaWithoutADeviceIsAnErrorThatSaysWhy) {
  const Outcome devices = run_program({"devices", "--backend", "cpu"});
  ASSERT_EQ(devices.status, 0) << devices.errors;
  if (devices.out.find("CUDA 0") != std::string::npos) GTEST_SKIP() << "there is a CUDA device here";
  const Outcome outcome = run_program({"run", "glimmer", "--backend", "cuda"});
  EXPECT_EQ(flaw_of_error(outcome, 2), "");
  EXPECT_NE(outcome.errors.find("--backend cuda: "), std::string::npos) << outcome.errors;
}

const std::string unwritable[] = {"/dev/full", closed, without_reader};

// What was asked for is on standard output, and cannot be written.
TEST(CommandLine, StandardOutputThatCannotBeWrittenIsAnError) {
  const std::vector<std::string> few = {"run", "glimmer", "--data", "synthetic:grid,n=100"};
  std::vector<std::string> report = few;
  report.insert(report.end(), {"--report", "-"});
  for (const auto& arguments : {std::vector<std::string>{"list"}, {"--help"}, few, report})
    for (const std::string& out : unwritable) {
      const Outcome outcome = run_program(arguments, {.out = out});
      // Whoever reads `| head` has what they wanted: nothing is said.
      const std::size_t begin = outcome.errors.find("kinescope: error: standard output");
      EXPECT_EQ(begin != std::string::npos, out != without_reader) << out << outcome.errors;
      if (begin != std::string::npos) EXPECT_EQ(lines_of(outcome.errors.substr(begin)).size(), 1u) << outcome.errors;
      for (const std::string& errors : unwritable)
        EXPECT_EQ(run_program(arguments, {.out = out, .errors = errors}).status, 1) << out << errors;
      EXPECT_EQ(outcome.status, 1) << out;
    }
}

// Nothing was asked for there: what is told on the way is lost, and the run is as any other.
TEST(CommandLine, StreamsThatCannotBeWrittenDoNotChangeARun) {
  const Folder folder;
  folder.write("t.csv", "a,b\n1,2\n3,4\n5,?\n4,4\n");
  const auto run = [&](const Start& start) {
    const Outcome outcome = run_program({"run", "k-means", "--data", "t.csv", "--set", "clusters=2", "--set",
                                         "tolerance=1", "--out", "o.csv", "--trace", "t.json"},
                                        start);
    EXPECT_EQ(outcome.status, 0) << start.out << start.errors << start.input << outcome.errors;
    const std::string result = read_file(folder.path() / "o.csv");
    std::filesystem::remove(folder.path() / "o.csv");
    return result;
  };
  const std::string result = run({.folder = folder.path()});
  EXPECT_EQ(lines_of(result).size(), 4u) << result;
  for (const std::string& out : unwritable)
    for (const std::string& errors : unwritable)
      EXPECT_EQ(run({.folder = folder.path(), .out = out, .input = closed, .errors = errors}), result) << out << errors;
}

TEST(CommandLine, ClosedErrorsKeepTheStatusOfAMistake) {
  for (const std::string& errors : unwritable) {
    EXPECT_EQ(run_program({"run", "glimmr"}, {.errors = errors}).status, 2);
    const Outcome input =
        run_program({"run", "glimmer", "--data", "-"}, {.out = closed, .input = closed, .errors = errors});
    EXPECT_EQ(input.status, 2);
  }
  EXPECT_NE(run_program({"run", "glimmer", "--data", "-"}, {.input = closed}).errors.find("standard input: is closed"),
            std::string::npos);
}

}  // namespace
}  // namespace kinescope::tests::command_line::usage_test
