// Who joins a group of k-means' workers, where they meet, who is refused, and what becomes of a run that is killed.
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <thread>
#include <unistd.h>
#include <utility>

#include "tests/command_line/workers.hpp"

namespace kinescope::tests::command_line::groups_test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

// Starts a worker while the run stands still in the middle, after `before`, until the worker has read its data.
Outcome late_worker(const Folder& folder, const std::function<void()>& before) {
  std::future<Outcome> worker;
  {
    const Halt until_ready(folder);
    before();
    worker = std::async(std::launch::async, [&] {
      return run_program({"work", "--group", folder.path().string()}, {.limit_seconds = watchdog});
    });
    await("the worker", [&] { return said_by(folder, "worker-1").ready != 0; });
  }
  return worker.get();
}

TEST(CommandLineWorkers, OneIsStartedLaterByHand) {
  const Folder folder;
  auto files = std::async(std::launch::async, [&] {
    return run(folder, long_run, {"--group", folder.path().string()});
  });
  await_iteration(folder, 5);
  const Outcome worker = late_worker(folder, [&] {
    EXPECT_EQ(flaw_of_error(run_program({"run", "k-means", "--group", folder.path().string()}), 2), "");
  });
  EXPECT_EQ(worker.status, 0) << worker.errors;
  EXPECT_EQ(worker.errors, "");
  const Files found = files.get();
  expect_same(found, alone());
  EXPECT_EQ(found.report["joined"].size(), 1u);
}

TEST(CommandLineWorkers, OneWithOtherDataIsRefused) {
  const Folder folder;
  const std::string table = two_columns(20000);
  folder.write("data.csv", "a,b\n" + table);
  const std::vector<std::string> arguments = {"run",   "k-means",        "--data",      "data.csv", "--backend",
                                              "cpu",   "--set",          "clusters=20", "--set",    "stop=iterations",
                                              "--set", "iterations=1000"};
  const Files one = run(folder, arguments);
  auto files = std::async(std::launch::async, [&] {
    return run(folder, arguments, {"--group", folder.path().string()});
  });
  await_iteration(folder, 1);
  const Outcome worker = late_worker(folder, [&] { folder.write("data.csv", "a,b\n7,7\n" + table); });
  EXPECT_EQ(flaw_of_error(worker, 2), "");
  EXPECT_NE(worker.errors.find("its data differ from those of the run"), std::string::npos) << worker.errors;
  const Files found = files.get();
  expect_same(found, one);
  EXPECT_NE(found.errors.find("worker 1 is refused: its data differ from those of the run\n"), std::string::npos)
      << found.errors;
}

const std::vector<std::string> run_of_array = {
    "run",        "k-means", "--data",          "data.npy", "--backend",      "cpu",   "--set",
    "clusters=8", "--set",   "stop=iterations", "--set",    "iterations=400", "--set", "start=random"};

// How many bytes a process has read so far.
std::int64_t bytes_read_by(pid_t process) {
  std::istringstream text(read_file("/proc/" + std::to_string(process) + "/io"));
  std::string name;
  std::int64_t bytes = 0;
  text >> name >> bytes;
  EXPECT_EQ(name, "rchar:");
  return bytes;
}

#ifdef __SANITIZE_ADDRESS__
constexpr std::int64_t read_by_sanitizer = 200'000;
#else
constexpr std::int64_t read_by_sanitizer = 0;
#endif

TEST(CommandLineWorkers, EachReadsItsOwnRowsOfAnArray) {
  const Folder folder;
  const std::string array = array_of(60000, 0);
  folder.write("data.npy", array);
  auto files = std::async(std::launch::async, [&] {
    return run(folder, run_of_array, {"--workers", "4", "--group", folder.path().string()});
  });
  await_iteration(folder, 5);
  const auto size = static_cast<std::int64_t>(array.size()),
             other = 800'000 + read_by_sanitizer;  // libraries, the header
  {
    const Halt while_looking(folder);
    const std::vector<pid_t> workers = workers_of(folder);
    ASSERT_EQ(workers.size(), 4u);
    for (const pid_t worker : workers) EXPECT_LT(bytes_read_by(worker), size / 4 + other);
    kill(workers[1], SIGKILL);
  }
  const Files found = files.get();
  expect_lost(found, 1);
  expect_same(found, run(folder, run_of_array));
}

// Each worker reads the whole file if what its rows are depends on all of it (NaN, normalizing), or on more than their
// numbers (a choice of columns).
TEST(CommandLineWorkers, EachReadsAllOfAnArrayWhereItMust) {
  for (const auto& [first, more] : {std::pair{NAN, std::vector<std::string>{}},
                                    {0.0f, {"--set", "normalize=zscore"}},
                                    {0.0f, {"--columns", "c1,c3"}}}) {
    const Folder folder;
    folder.write("data.npy", array_of(2000, first));
    std::vector<std::string> arguments = run_of_array;
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_same(run(folder, arguments, {"--workers", "2"}), run(folder, arguments));
  }
}

// The worker finds out only once it has read its rows.
TEST(CommandLineWorkers, OneWithOtherRowsOfAnArrayIsRefused) {
  const Folder folder;
  folder.write("data.npy", array_of(20000, 0));
  const Files one = run(folder, run_of_array);
  auto files = std::async(std::launch::async, [&] {
    return run(folder, run_of_array, {"--group", folder.path().string()});
  });
  await_iteration(folder, 1);
  const Outcome worker = late_worker(folder, [&] { folder.write("data.npy", array_of(20000, 1)); });
  EXPECT_EQ(flaw_of_error(worker, 2), "");
  EXPECT_NE(worker.errors.find("its data differ from those of the run"), std::string::npos) << worker.errors;
  const Files found = files.get();
  expect_same(found, one);
  EXPECT_TRUE(found.report["joined"].empty());
  EXPECT_EQ(found.report["workers"][0]["state"], "refused");
  EXPECT_NE(found.errors.find("worker 1 is refused: its data differ from those of the run\n"), std::string::npos)
      << found.errors;
}

TEST(CommandLineWorkers, AKilledRunIsResumed) {
  const Folder folder;
  const std::vector<std::string> grouped = {"--workers", "2", "--group", folder.path().string(), "--timeout", "10"};
  auto lost = std::async(std::launch::async, [&] {
    std::vector<std::string> arguments = long_run;
    arguments.insert(arguments.end(), grouped.begin(), grouped.end());
    return run_program(arguments, {.limit_seconds = watchdog});
  });
  await_iteration(folder, 5);
  // The run keeps a moment every half a second. This iteration is made to last longer, so that the next one keeps a
  // moment.
  std::error_code error;
  const std::filesystem::path moment = folder.path() / "kinescope-group" / "moment";
  const auto first = std::filesystem::last_write_time(moment, error);
  const std::vector<pid_t> workers = workers_of(folder);
  ASSERT_EQ(workers.size(), 2u);
  kill(workers[0], SIGSTOP);
  std::this_thread::sleep_for(milliseconds(600));
  kill(workers[0], SIGCONT);
  await("the moment", [&] { return std::filesystem::last_write_time(moment, error) != first; });
  send(coordinator_of(folder), SIGKILL);
  EXPECT_EQ(lost.get().status, 128 + SIGKILL);

  std::vector<std::string> other = long_run;
  other.insert(other.end(), {"--group", folder.path().string()});
  EXPECT_EQ(flaw_of_error(run_program(other), 2), "");
  other.insert(other.end(), {"--resume", "--seed", "7"});
  EXPECT_EQ(flaw_of_error(run_program(other), 2), "");
  other.back() = "1";
  std::replace(other.begin(), other.end(), long_run[5], std::string("synthetic:gaussians,n=9999,k=4,clusters=12"));
  const Outcome other_data = run_program(other);
  EXPECT_EQ(flaw_of_error(other_data, 2), "");
  EXPECT_NE(other_data.errors.find("the saved state is from other data"), std::string::npos) << other_data.errors;

  std::vector<std::string> again = grouped;
  again.push_back("--resume");
  const Files files = run(folder, long_run, again);
  expect_same(files, alone());
  EXPECT_GT(files.report["resumed_at"], 1);
  EXPECT_LT(files.report["resumed_at"], iterations);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "kinescope-group"));
}

// The local addresses of a process's connections, as /proc writes them.
std::set<std::string> own_addresses(pid_t process) {
  const std::filesystem::path place = "/proc/" + std::to_string(process);
  std::set<std::string> own, addresses;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(place / "fd", error))
    own.insert(std::filesystem::read_symlink(entry.path(), error).string());
  for (const char* protocol : {"tcp", "tcp6"})
    for (const std::string& line : lines_of(read_file(place / "net" / protocol))) {
      std::istringstream text(line);
      const std::vector<std::string> cells{std::istream_iterator<std::string>(text), {}};
      if (cells.size() > 9 && own.contains("socket:[" + cells[9] + "]"))
        addresses.insert(cells[1].substr(0, cells[1].find(':')));
    }
  return addresses;
}

TEST(CommandLineWorkers, TheirGroupIsClosedToOthers) {
  namespace fs = std::filesystem;
  const Folder folder;
  const fs::path group = folder.path() / "kinescope-group";
  const auto connected = [&](const std::vector<pid_t>& workers) {
    std::set<std::string> addresses;
    std::vector<pid_t> all = workers;
    all.push_back(coordinator_of(folder));
    for (const pid_t process : all) addresses.merge(own_addresses(process));
    return addresses;
  };
  if (has_network())
    disturbed_run(
        folder,
        [&](const std::vector<pid_t>& workers) {
          EXPECT_EQ(connected(workers), std::set<std::string>{"0100007F"});  // 127.0.0.1
          kill(workers[0], SIGKILL);
        },
        by_network);
  const auto files = disturbed_run(folder, [&](const std::vector<pid_t>& workers) {
    EXPECT_EQ(fs::status(group).permissions(), fs::perms::owner_all);
    EXPECT_TRUE(connected(workers).empty());
    fs::permissions(group, fs::perms::owner_all | fs::perms::group_read);
    const Outcome worker = run_program({"work", "--group", folder.path().string()});
    EXPECT_EQ(flaw_of_error(worker, 2), "");
    EXPECT_NE(worker.errors.find("nobody else may be able to open"), std::string::npos) << worker.errors;
    kill(workers[0], SIGKILL);
  });
  expect_same(files, alone(files.report["iterations"]));

  fs::create_directory(group);
  fs::permissions(group, fs::perms::owner_all | fs::perms::others_write);
  folder.write("kinescope-group/run.kinescope.json", "{}");
  const Outcome resumed = run_program({"run", "k-means", "--group", folder.path().string(), "--resume"});
  EXPECT_EQ(flaw_of_error(resumed, 2), "");
  EXPECT_NE(resumed.errors.find("nobody else may be able to open"), std::string::npos) << resumed.errors;
}

}  // namespace
}  // namespace kinescope::tests::command_line::groups_test
