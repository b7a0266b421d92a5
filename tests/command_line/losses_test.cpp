// Workers of k-means are killed or stopped, and come back: the files have the same bytes as those that one process
// writes.
#include <csignal>
#include <gtest/gtest.h>

#include "tests/command_line/workers.hpp"

namespace kinescope::tests::command_line::losses_test {
namespace {

const std::vector<std::string> by_memory = {};

void lose_one(const std::vector<std::string>& way) {
  const Folder folder;
  const Files files = disturbed_run(
      folder, [](const std::vector<pid_t>& workers) { kill(workers[1], SIGKILL); }, way);
  expect_same(files, alone(files.report["iterations"]));
  expect_lost(files, 1);
}

TEST(CommandLineWorkers, OneIsKilled) {
  lose_one(by_memory);
}

TEST(CommandLineWorkers, OneOfANetworkIsKilled) {
  if (!has_network()) GTEST_SKIP() << "this build has no gloo";
  lose_one(by_network);
}

TEST(CommandLineWorkers, TwoAreKilledAtOnce) {
  const Folder folder;
  const Files files = disturbed_run(folder, [](const std::vector<pid_t>& workers) {
    kill(workers[0], SIGKILL);
    kill(workers[3], SIGKILL);
  });
  expect_same(files, alone(files.report["iterations"]));
  expect_lost(files, 2);
}

TEST(CommandLineWorkers, AllAreKilledAndTheRunGoesOnByItself) {
  const Folder folder;
  const Files files = disturbed_run(folder, [](const std::vector<pid_t>& workers) {
    for (const pid_t worker : workers) kill(worker, SIGKILL);
  });
  expect_same(files, alone(files.report["iterations"]));
  expect_lost(files, 4);
}

TEST(CommandLineWorkers, OneIsStopped) {
  const Folder folder;
  const Files files = disturbed_run(folder, [](const std::vector<pid_t>& workers) { kill(workers[2], SIGSTOP); });
  expect_same(files, alone(files.report["iterations"]));
  expect_lost(files, 1);
}

void return_of_one(const std::vector<std::string>& way) {
  const Files files = run_with_a_return(way);
  expect_same(files, alone(files.report["iterations"]));
}

TEST(CommandLineWorkers, OneThatWasStoppedComesBack) {
  return_of_one(by_memory);
}

TEST(CommandLineWorkers, OneOfANetworkIsStoppedAndComesBack) {
  if (!has_network()) GTEST_SKIP() << "this build has no gloo";
  return_of_one(by_network);
}

}  // namespace
}  // namespace kinescope::tests::command_line::losses_test
