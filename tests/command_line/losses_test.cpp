// Workers of k-means are killed or stopped, and come back: the files have the same bytes as those that one process
// writes.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

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

// The store is lost in the middle of the run: the result is that of one process, one line says what was lost, and
// nothing of anybody else is touched.
void lose_store(const std::function<void(const std::filesystem::path& group)>& happens, const std::string& says,
                const std::vector<std::string>& left) {
  namespace fs = std::filesystem;
  const Folder folder;
  fs::create_directories(folder.path() / "others/deep");
  for (const char* name : {"others/secret", "others/over", "others/deep/file"}) folder.write(name, "mine");
  const fs::path group = folder.path() / "kinescope-group";
  const Files files = disturbed_run(
      folder,
      [&](const std::vector<pid_t>& workers) {
        happens(group);
        kill(workers[0], SIGKILL);  // so that a generation must form without the store
      },
      {}, {}, false);
  expect_same(files, alone(files.report["iterations"]));
  EXPECT_NE(files.errors.find(says), std::string::npos) << files.errors;
  for (const char* name : {"others/secret", "others/over", "others/deep/file"})
    EXPECT_EQ(read_file(folder.path() / name), "mine") << name;
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
    if (const std::string name = entry.path().lexically_relative(folder.path()).string(); !name.starts_with("others/"))
      if (!name.ends_with(".csv") && !name.ends_with(".json")) names.push_back(name);
  std::ranges::sort(names);
  EXPECT_EQ(names, left);
}

TEST(CommandLineWorkers, TheFolderIsRemoved) {
  lose_store([](const auto& group) { std::filesystem::remove_all(group); }, "store is lost", {"others"});
}

TEST(CommandLineWorkers, TheFolderIsReplacedByALink) {
  lose_store(
      [](const auto& group) {
        std::filesystem::rename(group, group.parent_path() / "moved");
        std::filesystem::create_directory_symlink(group.parent_path() / "others", group);
      },
      "", {"kinescope-group", "moved", "others"});
}

TEST(CommandLineWorkers, TheFolderIsReplacedByAnother) {
  lose_store(
      [](const auto& group) {
        std::filesystem::rename(group, group.parent_path() / "moved");
        std::filesystem::create_directory(group);
        std::ofstream(group / "thesis.txt") << "mine";
      },
      "", {"kinescope-group", "kinescope-group/thesis.txt", "moved", "others"});
}

TEST(CommandLineWorkers, TheNotesAreRemoved) {
  lose_store(
      [](const auto& group) {
        for (const auto& entry : std::filesystem::directory_iterator(group)) std::filesystem::remove(entry.path());
      },
      "store is lost", {"others"});
}

TEST(CommandLineWorkers, NotesBecomePipes) {
  lose_store(
      [](const auto& group) {
        std::filesystem::remove(group / "secret");
        ASSERT_EQ(mkfifo((group / "secret").c_str(), 0600), 0);
        ASSERT_EQ(mkfifo((group / "worker-5").c_str(), 0600), 0);
        ASSERT_EQ(mkfifo((group / "generation-2").c_str(), 0600), 0);
      },
      "", {"others"});
}

}  // namespace
}  // namespace kinescope::tests::command_line::losses_test
