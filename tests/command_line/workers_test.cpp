// k-means with several processes: whatever they compute, the files have the same bytes as those that one process
// writes.
#include "tests/command_line/workers.hpp"

#include <chrono>
#include <csignal>
#include <future>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>
#include <thread>

namespace kinescope::tests::command_line::workers_test {
namespace {

using nlohmann::json;

TEST(CommandLineWorkers, WriteTheSameBytesAsOneProcess) {
  const Folder folder;
  const std::vector<std::string> begin = {"run", "k-means", "--backend", "cpu"};
  const std::vector<std::vector<std::string>> cases = {
      {"--data", "synthetic:gaussians,n=3001,k=3,clusters=5"},  // from k-means++
      {"--data", "synthetic:gaussians,n=2000,k=2", "--set", "clusters=3", "--set", "restarts=3", "--set",
       "start=random", "--set", "normalize=zscore"},                                  // several runs
      {"--data", "synthetic:gaussians,n=1000,k=2,clusters=4", "--set", "sweep=2:5"},  // several K
      {"--data", "synthetic:gaussians,n=3000,k=2", "--set", "clusters=3", "--set", "on_loss=drop"},
      {"--data", "synthetic:gaussians,n=6000,k=2", "--set", "clusters=4300", "--set", "iterations=3"},  // from k-means‖
      {"--data", "synthetic:gaussians,n=200,k=2", "--set", "clusters=150", "--seed", "3"}  // fewer panels than workers
  };
  for (std::vector<std::string> arguments : cases) {
    arguments.insert(arguments.begin(), begin.begin(), begin.end());
    const Files one = run(folder, arguments), four = run(folder, arguments, {"--workers", "4"});
    expect_same(four, one);
    EXPECT_EQ(four.report["workers"].size(), 4u);
    EXPECT_TRUE(four.report["lost"].empty());
  }
}

TEST(CommandLineWorkers, AReportSaysWhatTheirTimeWentInto) {
  const Folder folder;
  const Files files = run(folder, long_run, {"--workers", "2"});
  expect_same(files, alone());
  ASSERT_EQ(files.report["workers"].size(), 2u);
  const double seconds = files.report["seconds"];
  for (const json& worker : files.report["workers"]) {
    EXPECT_EQ(worker["iterations"], iterations);
    double sum = 0;
    for (const char* part : {"computing_seconds", "combining_seconds", "waiting_seconds"}) {
      EXPECT_GT(worker[part], 0) << part;
      sum += worker[part].get<double>();
    }
    EXPECT_GT(sum, 0.5 * seconds);
    EXPECT_LT(sum, seconds + 1);
  }
}

TEST(CommandLineWorkers, AreMeasuredByBench) {
  const Folder folder;
  const Outcome outcome = run_program({"bench", "k-means-distributed", "--quick", "--backend", "cpu", "--threads", "2",
                                       "--csv", "rows.csv", "--plot", "plot.svg"},
                                      {.folder = folder.path(), .limit_seconds = watchdog});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  std::map<std::string, double> shares;  // by method: the sum over its parts, "METHOD: part"
  std::set<std::string> methods;
  const std::vector<std::string> lines = lines_of(read_file(folder.path() / "rows.csv"));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t begin = lines[i].find(',') + 1;
    const std::string method = lines[i].substr(begin, lines[i].find(',', begin) - begin);
    const std::size_t colon = method.find(": ");
    methods.insert(method);
    if (colon != std::string::npos)
      shares[method.substr(0, colon)] += std::stod(lines[i].substr(lines[i].rfind(',') + 1));
  }
  for (const char* method : {"1 thread", "all threads", "1 worker", "8 workers", "4 workers: computing",
                             "redeal: the loss", "drop: the loss", "drop: the return"})
    EXPECT_TRUE(methods.contains(method)) << method;
  EXPECT_EQ(shares.size(), 6u);  // 1, 2, 4, 8 workers, redeal, drop
  for (const auto& [method, share] : shares) EXPECT_NEAR(share, 1, 1e-6) << method;
  const std::string plot = read_file(folder.path() / "plot.svg");
  EXPECT_NE(plot.find("8 workers, CPU"), std::string::npos);
  EXPECT_NE(plot.find(">points<"), std::string::npos);
  EXPECT_EQ(plot.find("computing"), std::string::npos);
}

// Where members cannot connect by network, the table says so, and there are no such rows.
TEST(CommandLineWorkers, TheirTransportsAreMeasuredByBench) {
  const Folder folder, temporary;
  setenv("TMPDIR", temporary.path().c_str(), 1);
  const Outcome outcome =
      run_program({"bench", "k-means-transports", "--quick", "--csv", "rows.csv", "--plot", "p.svg"},
                  {.folder = folder.path(), .limit_seconds = watchdog});
  unsetenv("TMPDIR");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
  std::map<std::string, std::set<std::string>> measured;
  const std::vector<std::string> lines = lines_of(read_file(folder.path() / "rows.csv"));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::istringstream text(lines[i]);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 15u) << lines[i];
    measured[cells[1]].insert(cells[2]);
    const double bytes = std::stod(cells[2].substr(cells[2].find('=') + 1));
    EXPECT_NEAR(std::stod(cells[14]), 1e-6 * bytes / std::stod(cells[9]), 1e-6 * std::stod(cells[14])) << lines[i];
  }
  const std::set<std::string> blocks = {"block=1",   "block=4",    "block=16",  "block=64",
                                        "block=256", "block=1024", "block=4096"};
  EXPECT_EQ(measured["shared memory"], blocks);
  EXPECT_EQ(measured["notes in a folder"], blocks);
  EXPECT_EQ(measured["shared memory by 8 KiB"], std::set<std::string>{"payload=8192"});
  if (measured.contains("gloo"))
    EXPECT_EQ(measured["gloo"], blocks);
  else
    EXPECT_NE(outcome.out.find("not run: "), std::string::npos);
  const std::string plot = read_file(folder.path() / "p.svg");
  for (const char* word : {">block<", ">payload<", "shared memory, CPU"})
    EXPECT_NE(plot.find(word), std::string::npos) << word;
}

TEST(CommandLineWorkers, EndWithARunThatIsInterrupted) {
  const Folder folder;
  std::vector<std::string> arguments = long_run;
  arguments.insert(arguments.end(), {"--set", "iterations=100000", "--workers", "2", "--group", folder.path().string(),
                                     "--out", "labels.csv"});
  auto ended = std::async(std::launch::async,
                          [&] { return run_program(arguments, {.folder = folder.path(), .limit_seconds = watchdog}); });
  ASSERT_TRUE(await_iteration(folder, 5));
  send(coordinator_of(folder), SIGINT);
  const Outcome outcome = ended.get();
  EXPECT_EQ(outcome.status, 130) << outcome.errors;
  EXPECT_TRUE(workers_of(folder).empty());
  EXPECT_EQ(folder.names(), std::vector<std::string>{"labels.csv"});
}

// Its iterations take many seconds.
const std::vector<std::string> slow_run = {
    "--backend",    "cpu",       "--data", "synthetic:gaussians,n=300000,k=20", "--set", "clusters=20000", "--set",
    "start=random", "--workers", "2"};

std::vector<std::string> slowly(std::vector<std::string> command) {
  command.insert(command.end(), slow_run.begin(), slow_run.end());
  return command;
}

TEST(CommandLineWorkers, EndAtOnceWhereNothingIsToBeKept) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "k-means"},
        {"view", "k-means", "--headless", "--until-done", "--size", "64x64"}}) {
    const Folder folder;
    setenv("TMPDIR", folder.path().c_str(), 1);
    const Outcome outcome = run_program(slowly(command), {.folder = folder.path(), .interrupt_after_seconds = 4});
    EXPECT_EQ(outcome.status, 130) << outcome.errors;
    EXPECT_TRUE(workers_of(folder).empty());
    EXPECT_EQ(folder.names(), std::vector<std::string>());
    unsetenv("TMPDIR");
  }
}

// Workers that were about to join told of the folder that was gone.
TEST(CommandLineWorkers, SayNothingWhenTheRunIsInterrupted) {
  const Folder folder;
  setenv("TMPDIR", folder.path().c_str(), 1);
  for (const double after : {0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6}) {
    const Outcome outcome = run_program(slowly({"run", "k-means", "--set", "iterations=3"}),
                                        {.folder = folder.path(), .interrupt_after_seconds = after});
    EXPECT_EQ(flaw_of_error(outcome, 130), "");
    EXPECT_EQ(folder.names(), std::vector<std::string>());
  }
  unsetenv("TMPDIR");
}

TEST(CommandLineWorkers, EndWithARunThatIsInterruptedTwice) {
  const Folder folder;
  auto ended = std::async(std::launch::async, [&] {
    return run_program(slowly({"run", "k-means", "--group", folder.path().string()}), {.folder = folder.path()});
  });
  await("two workers", [&] { return workers_of(folder).size() == 2; });
  const std::vector<pid_t> workers = workers_of(folder);
  const pid_t run = coordinator_of(folder);
  send(run, SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  send(run, SIGINT);
  EXPECT_NE(ended.get().status, 0);
  for (const pid_t worker : workers) await("its end", [&] { return kill(worker, 0) != 0; });
}

TEST(CommandLineWorkers, AreRefusedInOneLineWhereThereCanBeNone) {
  const std::vector<std::vector<std::string>> refused = {
      {"run", "glimmer", "--workers", "2"},
      {"run", "k-means", "--workers", "0"},
      {"run", "k-means", "--workers", "2", "--group", "/nowhere"},
      {"run", "k-means", "--timeout", "2"},
      {"run", "k-means", "--workers", "2", "--timeout", "soon"},
      {"run", "k-means", "--workers", "2", "--resume"},
      {"run", "k-means", "--group", "/tmp", "--resume"},
      {"view", "glimmer", "--workers", "2"},
      {"run", "k-means", "--listen", "127.0.0.1"},
      {"run", "k-means", "--workers", "2", "--group", "redis://127.0.0.1:1/name"},
      {"run", "k-means", "--workers", "2", "--group", "redis://127.0.0.1:6379"},
      {"work", "--group", "redis://nowhere/two words"},
      {"work"},
      {"work", "--group", "/tmp", "--backend", "cuda"},
      {"work", "--group", "/nowhere"},
  };
  for (const std::vector<std::string>& arguments : refused)
    EXPECT_EQ(flaw_of_error(run_program(arguments), 2), "") << arguments[0] << " " << arguments.back();
  const std::string long_name(300, 'g');
  const Outcome outcome = run_program({"run", "k-means", "--data", "t.csv", "--group", long_name, "--out", "w.csv"});
  EXPECT_EQ(flaw_of_error(outcome, 2), "");
  EXPECT_EQ(outcome.errors, "kinescope: error: --group: " + long_name + ": File name too long\n");
}

}  // namespace
}  // namespace kinescope::tests::command_line::workers_test
