#include "tests/command_line/workers.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <future>
#include <gtest/gtest.h>
#include <ios>
#include <map>
#include <set>
#include <thread>

namespace kinescope::tests {

using nlohmann::json;
using std::chrono::milliseconds;

const std::vector<std::string> long_run = {
    "run",       "k-means",
    "--backend", "cpu",
    "--data",    "synthetic:gaussians,n=" + std::to_string(rows) + ",k=4,clusters=12",
    "--set",     "clusters=64",
    "--set",     "stop=iterations",
    "--set",     "iterations=" + std::to_string(iterations),
    "--set",     "start=random"};

const std::vector<std::string> by_network = {"--listen", "127.0.0.1"};

bool has_network() {
  const Outcome outcome = run_program({"run", "k-means", "--group", "/nowhere", "--listen", "127.0.0.1"});
  return outcome.errors.find("without gloo") == std::string::npos;
}

Files run(const Folder& folder, std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.insert(arguments.end(), {"--out", "labels.csv", "--centroids", "centroids.csv", "--report", "report.json"});
  const Outcome outcome = run_program(arguments, {.folder = folder.path(), .limit_seconds = watchdog});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  if (outcome.status != 0) return {};
  std::printf("%s", outcome.errors.c_str());
  return {read_file(folder.file("labels.csv")), read_file(folder.file("centroids.csv")),
          json::parse(read_file(folder.file("report.json"))), outcome.errors};
}

const Files& alone(int count) {
  static std::map<int, Files> files;
  if (const auto known = files.find(count); known != files.end()) return known->second;
  const Folder folder;
  return files[count] = run(folder, long_run, {"--set", "iterations=" + std::to_string(count)});
}

void expect_same(const Files& files, const Files& expected) {
  EXPECT_FALSE(expected.labels.empty());
  EXPECT_TRUE(files.labels == expected.labels);
  EXPECT_TRUE(files.centroids == expected.centroids);
  for (const char* key : {"iterations", "inertia", "bic", "converged", "sizes"})
    EXPECT_EQ(files.report[key], expected.report[key]) << key;
}

std::vector<pid_t> workers_of(const Folder& folder) {
  std::vector<pid_t> workers;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string words;
    try {
      words = read_file(entry.path() / "cmdline");
    } catch (const std::ios_base::failure&) {  // it has ended meanwhile
      continue;
    }
    if (words.find(std::string("\0work\0", 6)) != std::string::npos &&
        words.find(folder.path().string()) != std::string::npos)
      workers.push_back(static_cast<pid_t>(std::stol(name)));
  }
  return workers;
}

Said said_by(const Folder& folder, const std::string& who) {
  const std::string bytes = read_file(folder.path() / "kinescope-group" / who);
  Said said;
  if (bytes.size() >= sizeof said) std::memcpy(&said, bytes.data(), sizeof said);
  return said;
}
pid_t coordinator_of(const Folder& folder) {
  return static_cast<pid_t>(said_by(folder, "coordinator").process);
}

void send(pid_t process, int signal) {
  ASSERT_GT(process, 0);
  kill(process, signal);
}

void await(const char* what, const std::function<bool()>& is_there) {
  for (int i = 0; i < 20000; ++i, std::this_thread::sleep_for(milliseconds(1)))
    if (is_there()) return;
  ADD_FAILURE() << what << " did not come";
}
bool await_iteration(const Folder& folder, std::int64_t iteration) {
  bool has_begun = false, is_over = false, is_there = false;
  await("the iteration", [&] {
    const bool has_group = std::filesystem::exists(folder.path() / "kinescope-group");
    is_over = has_begun && !has_group;
    has_begun = has_begun || has_group;
    is_there = said_by(folder, "coordinator").iteration >= iteration;
    return is_there || is_over;
  });
  return is_there;
}

Halt::Halt(const Folder& folder) : process_(coordinator_of(folder)) {
  if (process_ > 0) kill(process_, SIGSTOP);
}
Halt::~Halt() {
  if (process_ > 0) kill(process_, SIGCONT);
}

namespace {

std::set<std::filesystem::path> entries_of(const Folder& folder) {
  std::set<std::filesystem::path> entries;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) entries.insert(entry.path());
  return entries;
}

}  // namespace

Files disturbed_run(const Folder& folder, const std::function<void(const std::vector<pid_t>&)>& disturb,
                    const std::vector<std::string>& more, const std::function<void(const std::vector<pid_t>&)>& then,
                    bool group_goes) {
  const std::set<std::filesystem::path> before = entries_of(folder);
  for (int count = iterations;; count *= 4) {
    std::vector<std::string> arguments = {
        "--workers", "4", "--group", folder.path().string(), "--set", "iterations=" + std::to_string(count)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    auto files = std::async(std::launch::async, [&] { return run(folder, long_run, arguments); });
    std::vector<pid_t> workers;
    if (await_iteration(folder, 5)) {
      const Halt meanwhile(folder);
      workers = workers_of(folder);
      if (workers.size() == 4) disturb(workers);
    }
    if (workers.size() == 4 && then) then(workers);
    const auto disturbed = std::chrono::steady_clock::now();
    Files found = files.get();
    const std::chrono::duration<double> went_on = std::chrono::steady_clock::now() - disturbed;
    if (found.report.empty()) return found;
    EXPECT_TRUE(workers_of(folder).empty());
    EXPECT_TRUE(!group_goes || !std::filesystem::exists(folder.path() / "kinescope-group"));
    EXPECT_EQ(found.report["iterations"], count);
    // A run was too quick only if the workers had done all iterations, or more than half of them, before the loss; or
    // if the rest was too short for a worker to come back.
    const json &lost = found.report["lost"], &all = found.report["workers"];
    const bool was_late = lost.empty() ? std::all_of(all.begin(), all.end(),
                                                     [&](const json& each) { return each["iterations"] == count; })
                                       : lost[0]["iteration"] > count / 2;
    const bool was_short = then && found.report["joined"].empty() && went_on.count() < 1;
    if ((was_late || was_short) && count < 64 * iterations) {
      for (const auto& entry : entries_of(folder))  // what the disturbance left would disturb the next run too
        if (!before.contains(entry)) std::filesystem::remove_all(entry);
      continue;
    }
    EXPECT_EQ(workers.size(), 4u);
    return found;
  }
}

void expect_lost(const Files& files, std::size_t count) {
  const json& lost = files.report["lost"];
  EXPECT_GE(lost.size(), count);
  for (const json& each : lost) {
    EXPECT_GT(each["iteration"], 1);
    EXPECT_LE(each["iteration"], files.report["iterations"]);
    EXPECT_GE(each["noticed_ms"], 0);
    EXPECT_GE(each.value("resumed_ms", -1.0), 0);
  }
}

Files run_with_a_return(const std::vector<std::string>& more) {
  const Folder folder;
  Files found = disturbed_run(
      folder, [&](const std::vector<pid_t>& workers) { kill(workers[2], SIGSTOP); }, more,
      [&](const std::vector<pid_t>& workers) {
        // The coordinator writes its iteration now and then, and many pass in between. Until its timeout it waits for
        // the stopped worker, and what it has written by then is the present one.
        std::this_thread::sleep_for(milliseconds(300));
        await_iteration(folder, said_by(folder, "coordinator").iteration + 5);
        kill(workers[2], SIGCONT);
      });
  expect_lost(found, 1);
  EXPECT_GE(found.report["joined"].size(), 1u);
  return found;
}

std::string two_columns(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i % 127) + "," + std::to_string(i % 1009) + "\n";
  return text;
}

std::string array_of(int count, float first) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(count) + ", 16), }";
  header.resize(117, ' ');
  std::vector<float> values(static_cast<std::size_t>(16 * count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i / 16 % 12 * (1 + i % 16)) + static_cast<float>(i * 7919 % 1009) / 300;
  values[0] = first;
  return std::string("\x93NUMPY\x01\0\x76\0", 10) + header + "\n" +
         std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

}  // namespace kinescope::tests
