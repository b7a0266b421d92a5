// k-means with several processes: whatever becomes of the workers, the files have the bytes that one process writes.
#include <algorithm>
#include <arpa/inet.h>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "tests/app/program.hpp"

namespace kinescope::tests {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr double watchdog = 30;  // seconds

// Long enough to be disturbed in the middle: a second on two cores.
constexpr int iterations = 200;
const std::vector<std::string> long_run = {"run",       "k-means",
                                           "--backend", "cpu",
                                           "--data",    "synthetic:gaussians,n=100000,k=4,clusters=12",
                                           "--set",     "clusters=64",
                                           "--set",     "stop=iterations",
                                           "--set",     "iterations=200",
                                           "--set",     "start=random"};

struct Files {
  std::string labels, centroids;
  json report;
};

// Runs to the end, and returns what was written.
Files run(const Folder& folder, std::vector<std::string> arguments, const std::vector<std::string>& more = {}) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.insert(arguments.end(), {"--out", "labels.csv", "--centroids", "centroids.csv", "--report", "report.json"});
  const Outcome outcome = run_program(arguments, {.folder = folder.path(), .limit_seconds = watchdog});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  if (outcome.status != 0) return {};
  std::printf("%s", outcome.errors.c_str());
  return {read_file(folder.file("labels.csv")), read_file(folder.file("centroids.csv")),
          json::parse(read_file(folder.file("report.json")))};
}

const Files& alone() {
  static const Files files = [] {
    const Folder folder;
    return run(folder, long_run);
  }();
  return files;
}

void expect_same(const Files& files, const Files& expected) {
  EXPECT_FALSE(expected.labels.empty());
  EXPECT_TRUE(files.labels == expected.labels);
  EXPECT_TRUE(files.centroids == expected.centroids);
  for (const char* key : {"iterations", "inertia", "bic", "converged", "sizes"})
    EXPECT_EQ(files.report[key], expected.report[key]) << key;
}

// The workers of the group in `folder`.
std::vector<pid_t> workers_of(const Folder& folder) {
  std::vector<pid_t> workers;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string words = read_file(entry.path() / "cmdline");
    if (words.find(std::string("\0work\0", 6)) != std::string::npos &&
        words.find(folder.path().string()) != std::string::npos)
      workers.push_back(static_cast<pid_t>(std::stol(name)));
  }
  return workers;
}

// The first numbers of what a process says of itself in the group's folder; zeros before it says anything.
struct Said {
  std::int64_t beats = 0, process = 0, iteration = 0;
  std::int32_t checksum = 0, ready = 0;
};
Said said_by(const Folder& folder, const std::string& who) {
  const std::string bytes = read_file(folder.path() / "kinescope-group" / who);
  Said said;
  if (bytes.size() >= sizeof said) std::memcpy(&said, bytes.data(), sizeof said);
  return said;
}
pid_t coordinator_of(const Folder& folder) {
  return static_cast<pid_t>(said_by(folder, "coordinator").process);
}

void await(const char* what, const std::function<bool()>& is_there) {
  for (int i = 0; i < 20000; ++i, std::this_thread::sleep_for(milliseconds(1)))
    if (is_there()) return;
  ADD_FAILURE() << what << " did not come";
}
void await_iteration(const Folder& folder, std::int64_t iteration) {
  await("the iteration", [&] { return said_by(folder, "coordinator").iteration >= iteration; });
}

// Starts a worker while the run stands still in the middle, until the worker has read its data.
Outcome late_worker(const Folder& folder) {
  const pid_t coordinator = coordinator_of(folder);
  kill(coordinator, SIGSTOP);
  auto worker = std::async(std::launch::async, [&] {
    return run_program({"work", "--group", folder.path().string()}, {.limit_seconds = watchdog});
  });
  await("the worker", [&] { return said_by(folder, "worker-1").ready != 0; });
  kill(coordinator, SIGCONT);
  return worker.get();
}

// Runs with four workers, which `disturb` is told while they compute.
Files disturbed_run(const Folder& folder, const std::function<void(const std::vector<pid_t>&)>& disturb,
                    const std::vector<std::string>& more = {}) {
  alone();
  std::vector<std::string> arguments = {"--workers", "4", "--group", folder.path().string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  auto files = std::async(std::launch::async, [&] { return run(folder, long_run, arguments); });
  await_iteration(folder, 5);
  const std::vector<pid_t> workers = workers_of(folder);
  EXPECT_EQ(workers.size(), 4u);
  if (workers.size() == 4) disturb(workers);
  Files found = files.get();
  EXPECT_TRUE(workers_of(folder).empty());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "kinescope-group"));
  return found;
}

void expect_lost(const Files& files, std::size_t count) {
  const json& lost = files.report["lost"];
  EXPECT_GE(lost.size(), count);
  for (const json& each : lost) {
    EXPECT_GT(each["iteration"], 1);
    EXPECT_LE(each["iteration"], iterations);
    EXPECT_GE(each["noticed_ms"], 0);
    EXPECT_GE(each.value("resumed_ms", -1.0), 0);
  }
}

// The addresses of a process's connections at its end, as /proc writes them.
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

class CommandLineWorkers : public testing::Test {};

// Through the network, as with workers on other machines; without gloo there is none.
const std::vector<std::string> by_network = {"--listen", "127.0.0.1"};
bool has_network() {
  const Outcome outcome = run_program({"run", "k-means", "--group", "/nowhere", "--listen", "127.0.0.1"});
  return outcome.errors.find("no gloo") == std::string::npos;
}

TEST_F(CommandLineWorkers, WriteTheSameBytesAsOneProcess) {
  const Folder folder;
  const std::vector<std::string> begin = {"run", "k-means", "--backend", "cpu"};
  const std::vector<std::vector<std::string>> cases = {
      {"--data", "synthetic:gaussians,n=3001,k=3,clusters=5"},  // from k-means++
      {"--data", "synthetic:gaussians,n=2000,k=2", "--set", "clusters=3", "--set", "restarts=3", "--set",
       "start=random", "--set", "normalize=zscore"},                                  // several runs
      {"--data", "synthetic:gaussians,n=1000,k=2,clusters=4", "--set", "sweep=2:5"},  // several K
      {"--data", "synthetic:gaussians,n=3000,k=2", "--set", "clusters=3", "--set", "on_loss=drop"},
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

TEST_F(CommandLineWorkers, OneIsKilled) {
  const Folder folder;
  const Files files = disturbed_run(folder, [](const std::vector<pid_t>& workers) { kill(workers[1], SIGKILL); });
  expect_same(files, alone());
  expect_lost(files, 1);
}

TEST_F(CommandLineWorkers, OneOfANetworkIsKilled) {
  if (!has_network()) GTEST_SKIP() << "this build has no gloo";
  const Folder folder;
  const Files files = disturbed_run(
      folder, [](const std::vector<pid_t>& workers) { kill(workers[1], SIGKILL); }, by_network);
  expect_same(files, alone());
  expect_lost(files, 1);
}

TEST_F(CommandLineWorkers, OneOfANetworkIsStoppedAndComesBack) {
  if (!has_network()) GTEST_SKIP() << "this build has no gloo";
  const Folder folder;
  const Files files = disturbed_run(
      folder,
      [&](const std::vector<pid_t>& workers) {
        kill(workers[2], SIGSTOP);
        await_iteration(folder, said_by(folder, "coordinator").iteration + 5);  // the others go on without it
        kill(workers[2], SIGCONT);
      },
      by_network);
  expect_same(files, alone());
  expect_lost(files, 1);
  EXPECT_GE(files.report["joined"].size(), 1u);
}

TEST_F(CommandLineWorkers, TwoAreKilledAtOnce) {
  const Folder folder;
  const Files files = disturbed_run(folder, [](const std::vector<pid_t>& workers) {
    kill(workers[0], SIGKILL);
    kill(workers[3], SIGKILL);
  });
  expect_same(files, alone());
  expect_lost(files, 2);
}

TEST_F(CommandLineWorkers, AllAreKilledAndTheRunGoesOnByItself) {
  const Folder folder;
  const Files files = disturbed_run(folder, [](const std::vector<pid_t>& workers) {
    for (const pid_t worker : workers) kill(worker, SIGKILL);
  });
  expect_same(files, alone());
  expect_lost(files, 4);
}

TEST_F(CommandLineWorkers, OneIsStopped) {
  const Folder folder;
  const Files files = disturbed_run(folder, [](const std::vector<pid_t>& workers) { kill(workers[2], SIGSTOP); });
  expect_same(files, alone());
  expect_lost(files, 1);
}

TEST_F(CommandLineWorkers, OneThatWasStoppedComesBack) {
  const Folder folder;
  const Files files = disturbed_run(folder, [&](const std::vector<pid_t>& workers) {
    kill(workers[2], SIGSTOP);
    const std::int64_t iteration = said_by(folder, "coordinator").iteration;
    await_iteration(folder, iteration + 5);  // the others go on without it
    kill(workers[2], SIGCONT);
  });
  expect_same(files, alone());
  expect_lost(files, 1);
  EXPECT_GE(files.report["joined"].size(), 1u);
}

// Three quarters of the rows are a good sample of these: their centroids serve all of them.
TEST_F(CommandLineWorkers, RowsOfOneThatIsKilledAreDropped) {
  for (const std::vector<std::string>& few :
       {std::vector<std::string>{}, {"--set", "clusters=3", "--set", "iterations=1000"}}) {
    const Folder folder;
    const Files one = run(folder, long_run, few);
    std::vector<std::string> more = {"--set", "on_loss=drop", "--timeout", "10"};
    more.insert(more.end(), few.begin(), few.end());
    const Files files = disturbed_run(
        folder, [](const std::vector<pid_t>& workers) { kill(workers[1], SIGKILL); }, more);
    ASSERT_EQ(files.report["lost"].size(), 1u);
    EXPECT_NEAR(files.report["rows_missing"].get<double>(), 25000, 128);
    EXPECT_EQ(files.report["iterations"], one.report["iterations"]);
    EXPECT_FALSE(files.centroids == one.centroids);
    EXPECT_NEAR(files.report["inertia"].get<double>() / one.report["inertia"].get<double>(), 1, 0.02);
    const std::vector<std::string> labels = lines_of(files.labels);
    EXPECT_EQ(labels.size(), 100001u);
    EXPECT_EQ(
        std::count_if(labels.begin() + 1, labels.end(), [](const std::string& line) { return !std::isdigit(line[0]); }),
        0);
    const auto sizes = files.report["sizes"].get<std::vector<std::int64_t>>();
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}), 100000);
  }
}

TEST_F(CommandLineWorkers, DroppedRowsTakePartAgainOnceTheWorkerIsBack) {
  const Folder folder;
  const Files files = disturbed_run(
      folder,
      [&](const std::vector<pid_t>& workers) {
        kill(workers[2], SIGSTOP);
        await_iteration(folder, said_by(folder, "coordinator").iteration + 5);  // the others go on without it
        kill(workers[2], SIGCONT);
      },
      {"--set", "on_loss=drop"});
  expect_lost(files, 1);
  ASSERT_GE(files.report["joined"].size(), 1u);
  EXPECT_EQ(files.report["rows_missing"], 0);
  EXPECT_NEAR(files.report["inertia"].get<double>() / alone().report["inertia"].get<double>(), 1, 0.02);
}

// A run from the centroids `start` of rows of which worker 4 of four, which is killed, has those with a = 1000; and the
// same by one process.
std::pair<Files, Files> run_without_the_last(const Folder& folder, int clusters, const std::string& start) {
  std::string rows;
  for (int i = 0; i < 60000; ++i) rows += (i < 45000 ? "0," : "1000,") + std::to_string(i % 7) + "\n";
  folder.write("data.csv", "a,b\n" + rows);
  folder.write("start.csv", "a,b\n" + start);
  const std::vector<std::string> arguments = {"run",       "k-means",
                                              "--backend", "cpu",
                                              "--data",    "data.csv",
                                              "--set",     "start=start.csv",
                                              "--set",     "stop=iterations",
                                              "--set",     "iterations=1000",
                                              "--set",     "clusters=" + std::to_string(clusters)};
  const Files one = run(folder, arguments);
  auto files = std::async(std::launch::async, [&] {
    return run(folder, arguments,
               {"--set", "on_loss=drop", "--timeout", "10", "--workers", "4", "--group", folder.path().string()});
  });
  await_iteration(folder, 5);
  const pid_t last = static_cast<pid_t>(said_by(folder, "worker-4").process);
  EXPECT_GT(last, 0);
  if (last > 0) kill(last, SIGKILL);
  Files found = files.get();
  EXPECT_EQ(found.report["lost"].size(), 1u);
  return {found, one};
}

// A cluster that has no points among the rows that are left may have some among the others: its repair needs all of
// them.
TEST_F(CommandLineWorkers, AClusterThatIsEmptyWithoutDroppedRowsIsRepairedWithThem) {
  const Folder folder;
  const auto [found, one] = run_without_the_last(folder, 4, "0,1\n0,5\n1000,1\n1000,5\n");
  EXPECT_EQ(found.report["rows_missing"], 0);
  expect_same(found, one);
}

// Here the rows that are left out have nearly all of it.
TEST_F(CommandLineWorkers, TheInertiaCountsDroppedRows) {
  const Folder folder;
  const auto [found, one] = run_without_the_last(folder, 1, "0,3\n");
  EXPECT_NEAR(found.report["rows_missing"].get<double>(), 15000, 128);
  double inertia = 0;
  const std::vector<std::string> lines = lines_of(found.labels);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const double distance = std::stod(lines[i].substr(lines[i].find(',') + 1));
    inertia += distance * distance;
  }
  EXPECT_GT(inertia, 1e10);
  EXPECT_NEAR(found.report["inertia"].get<double>() / inertia, 1, 1e-5);
}

TEST_F(CommandLineWorkers, AReportSaysWhatTheirTimeWentInto) {
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

TEST_F(CommandLineWorkers, TheirGroupIsClosedToOthers) {
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
        },
        by_network);
  const auto files = disturbed_run(folder, [&](const std::vector<pid_t>& workers) {
    EXPECT_EQ(fs::status(group).permissions(), fs::perms::owner_all);
    EXPECT_TRUE(connected(workers).empty());
    fs::permissions(group, fs::perms::owner_all | fs::perms::group_read);
    const Outcome worker = run_program({"work", "--group", folder.path().string()});
    EXPECT_EQ(flaw_of_error(worker, 2), "");
    EXPECT_NE(worker.errors.find("nobody else can open"), std::string::npos) << worker.errors;
  });
  expect_same(files, alone());

  fs::create_directory(group);
  fs::permissions(group, fs::perms::owner_all | fs::perms::others_write);
  folder.write("kinescope-group/run.kinescope.json", "{}");
  const Outcome resumed = run_program({"run", "k-means", "--group", folder.path().string(), "--resume"});
  EXPECT_EQ(flaw_of_error(resumed, 2), "");
  EXPECT_NE(resumed.errors.find("nobody else can open"), std::string::npos) << resumed.errors;
}

TEST_F(CommandLineWorkers, AreMeasuredByBench) {
  const Folder folder;
  const Outcome outcome = run_program({"bench", "k-means-distributed", "--quick", "--backend", "cpu", "--threads", "2",
                                       "--csv", "rows.csv", "--plot", "plot.svg"},
                                      {.folder = folder.path(), .limit_seconds = watchdog});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  std::map<std::string, double> shares;  // by the method: its name, and its sum over what follows ": "
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

// A Redis server of the test's own, on a port that was free. Debian has the server in redis-tools, as the program that
// checks its files and that is the server by another name.
class Redis {
 public:
  Redis() {
    for (const char* path : {"/usr/bin/redis-server", "/usr/bin/redis-check-rdb"})
      if (program_.empty() && std::filesystem::exists(path)) program_ = path;
    if (program_.empty()) return;
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(socket, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size), 0);
    close(socket);
    port_ = std::to_string(ntohs(address.sin_port));
    process_ = fork();
    if (process_ > 0) return;
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1), dup2(nowhere, 2);
    execl(program_.c_str(), "redis-server", "--port", port_.c_str(), "--bind", "127.0.0.1", "--save", "", nullptr);
    _exit(127);
  }
  ~Redis() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;
  bool exists() const { return !program_.empty(); }
  std::string store(const std::string& name) const { return "redis://127.0.0.1:" + port_ + "/" + name; }

 private:
  std::string program_, port_;
  pid_t process_ = 0;
};

// As on two machines: nothing in common but the server, addresses of their own, and on the second its own file.
TEST_F(CommandLineWorkers, MeetOnARedisServer) {
  const Redis redis;
  if (!redis.exists()) GTEST_SKIP() << "there is no redis-server";
  if (!has_network()) GTEST_SKIP() << "this build has no gloo";
  const Folder folder, other;
  std::string rows;
  for (int i = 0; i < 20000; ++i) rows += std::to_string(i % 127) + "," + std::to_string(i % 1009) + "\n";
  folder.write("data.csv", "a,b\n" + rows);
  other.write("copy.csv", "a,b\n" + rows);
  const std::vector<std::string> arguments = {"run",   "k-means",        "--data",      "data.csv", "--backend",
                                              "cpu",   "--set",          "clusters=50", "--set",    "stop=iterations",
                                              "--set", "iterations=1500"};
  const Files one = run(folder, arguments);
  await("the server", [&] {
    return run_program({"work", "--group", redis.store("none")}).errors.find("no run computes") != std::string::npos;
  });
  const std::string store = redis.store("group");
  auto worker = std::async(std::launch::async, [&] {
    Outcome outcome;
    for (int i = 0; i < 100; ++i, std::this_thread::sleep_for(milliseconds(20))) {
      outcome =
          run_program({"work", "--group", store, "--listen", "127.0.0.2", "--data", "copy.csv", "--backend", "cpu"},
                      {.folder = other.path(), .limit_seconds = watchdog});
      if (outcome.errors.find("no run computes") == std::string::npos) break;  // it has begun
    }
    return outcome;
  });
  auto files = std::async(std::launch::async, [&] {
    return run(folder, arguments, {"--workers", "1", "--group", store, "--listen", "127.0.0.1"});
  });
  const Files found = files.get();
  const Outcome outcome = worker.get();
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  expect_same(found, one);
  ASSERT_EQ(found.report["workers"].size(), 2u);
  for (const json& each : found.report["workers"]) EXPECT_GT(each["iterations"], 0);
  const Outcome again = run_program({"work", "--group", store});  // nothing of the run is left
  EXPECT_NE(again.errors.find("no run computes"), std::string::npos) << again.errors;
}

TEST_F(CommandLineWorkers, OneIsStartedLaterByHand) {
  const Folder folder;
  alone();
  auto files = std::async(std::launch::async, [&] {
    return run(folder, long_run, {"--group", folder.path().string()});
  });
  await_iteration(folder, 5);
  const Outcome again = run_program({"run", "k-means", "--group", folder.path().string()});
  EXPECT_EQ(flaw_of_error(again, 2), "");
  const Outcome worker = late_worker(folder);
  EXPECT_EQ(worker.status, 0) << worker.errors;
  EXPECT_EQ(worker.errors, "");
  const Files found = files.get();
  expect_same(found, alone());
  EXPECT_EQ(found.report["joined"].size(), 1u);
}

TEST_F(CommandLineWorkers, OneWithOtherDataIsRefused) {
  const Folder folder;
  std::string rows;
  for (int i = 0; i < 20000; ++i) rows += std::to_string(i % 127) + "," + std::to_string(i % 1009) + "\n";
  folder.write("data.csv", "a,b\n" + rows);
  const std::vector<std::string> arguments = {"run",   "k-means",        "--data",      "data.csv", "--backend",
                                              "cpu",   "--set",          "clusters=50", "--set",    "stop=iterations",
                                              "--set", "iterations=4000"};
  const Files one = run(folder, arguments);
  auto files = std::async(std::launch::async, [&] {
    return run(folder, arguments, {"--group", folder.path().string()});
  });
  await_iteration(folder, 1);
  folder.write("data.csv", "a,b\n7,7\n" + rows);
  const Outcome worker = late_worker(folder);
  EXPECT_EQ(flaw_of_error(worker, 2), "");
  EXPECT_NE(worker.errors.find("its data are not those of the run"), std::string::npos) << worker.errors;
  expect_same(files.get(), one);
}

TEST_F(CommandLineWorkers, AKilledRunIsResumed) {
  const Folder folder;
  alone();
  const std::vector<std::string> grouped = {"--workers", "2", "--group", folder.path().string(), "--timeout", "10"};
  auto lost = std::async(std::launch::async, [&] {
    std::vector<std::string> arguments = long_run;
    arguments.insert(arguments.end(), grouped.begin(), grouped.end());
    return run_program(arguments, {.limit_seconds = watchdog});
  });
  await_iteration(folder, 5);
  // A moment is kept every half a second: this iteration is made to last longer, so that the next one keeps one.
  std::error_code error;
  const std::filesystem::path moment = folder.path() / "kinescope-group" / "moment";
  const auto first = std::filesystem::last_write_time(moment, error);
  const std::vector<pid_t> workers = workers_of(folder);
  ASSERT_EQ(workers.size(), 2u);
  kill(workers[0], SIGSTOP);
  std::this_thread::sleep_for(milliseconds(600));
  kill(workers[0], SIGCONT);
  await("the moment", [&] { return std::filesystem::last_write_time(moment, error) != first; });
  kill(coordinator_of(folder), SIGKILL);
  EXPECT_EQ(lost.get().status, 128 + SIGKILL);

  std::vector<std::string> other = long_run;
  other.insert(other.end(), {"--group", folder.path().string()});
  EXPECT_EQ(flaw_of_error(run_program(other), 2), "");
  other.insert(other.end(), {"--resume", "--seed", "7"});
  EXPECT_EQ(flaw_of_error(run_program(other), 2), "");

  std::vector<std::string> again = grouped;
  again.push_back("--resume");
  const Files files = run(folder, long_run, again);
  expect_same(files, alone());
  EXPECT_GT(files.report["resumed_at"], 1);
  EXPECT_LT(files.report["resumed_at"], iterations);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "kinescope-group"));
}

TEST_F(CommandLineWorkers, EndWithARunThatIsInterrupted) {
  const Folder folder;
  std::vector<std::string> arguments = long_run;
  arguments.insert(arguments.end(), {"--set", "iterations=100000", "--workers", "2", "--group", folder.path().string(),
                                     "--out", "labels.csv"});
  const Outcome outcome =
      run_program(arguments, {.folder = folder.path(), .interrupt_after_seconds = 0.7, .limit_seconds = watchdog});
  EXPECT_EQ(outcome.status, 130) << outcome.errors;
  EXPECT_TRUE(workers_of(folder).empty());
  EXPECT_EQ(folder.names(), std::vector<std::string>{"labels.csv"});
}

TEST_F(CommandLineWorkers, AreRefusedInOneLineWhereThereCanBeNone) {
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
}

}  // namespace
}  // namespace kinescope::tests
