// Who joins a group of k-means' workers, where they meet, who is refused, and what becomes of a run that is killed.
#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <iterator>
#include <netinet/in.h>
#include <set>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
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

// A NumPy array of rows of 16 columns in 12 clusters; `first` is its first number.
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
             other = 700'000 + read_by_sanitizer;  // libraries, the header
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

// A Redis server for this test alone, on a port that was free. Debian's redis-tools has the server too: its program
// redis-check-rdb is the server under another name.
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
    start();
  }
  ~Redis() { stop(); }
  void start() {
    process_ = fork();
    if (process_ > 0) return;
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1), dup2(nowhere, 2);
    execl(program_.c_str(), "redis-server", "--port", port_.c_str(), "--bind", "127.0.0.1", "--save", "", "--dir",
          folder_.path().c_str(), nullptr);
    _exit(127);
  }
  void stop() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  void signal(int number) const { kill(process_, number); }
  // The server's answer to a command without blanks in its words; "" if it does not answer.
  std::string ask(const std::string& command) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port_)));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer(4096, 0);
    const std::string line = command + "\r\n";
    const bool sent = connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                      write(socket, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    answer.resize(
        static_cast<std::size_t>(sent ? std::max<ssize_t>(read(socket, answer.data(), answer.size()), 0) : 0));
    close(socket);
    return answer;
  }
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;
  bool exists() const { return !program_.empty(); }
  std::string store(const std::string& name) const { return "redis://127.0.0.1:" + port_ + "/" + name; }

 private:
  const Folder folder_;
  std::string program_, port_;
  pid_t process_ = 0;
};

// As on two machines: they share only the server. Each has its own address, and the second has its own copy of the
// file.
TEST(CommandLineWorkers, MeetOnARedisServer) {
  const Redis redis;
  if (!redis.exists()) GTEST_SKIP() << "there is no redis-server";
  if (!has_network()) GTEST_SKIP() << "this build has no gloo";
  const Folder folder, other;
  folder.write("data.npy", array_of(5000, 0));
  other.write("copy.npy", array_of(5000, 0));
  const std::vector<std::string> arguments = {"run",   "k-means",        "--data",      "data.npy", "--backend",
                                              "cpu",   "--set",          "clusters=20", "--set",    "stop=iterations",
                                              "--set", "iterations=1000"};
  const Files one = run(folder, arguments);
  await("the server", [&] {
    return run_program({"work", "--group", redis.store("none")}).errors.find("no run uses") != std::string::npos;
  });
  const std::string store = redis.store("group");
  auto worker = std::async(std::launch::async, [&] {
    Outcome outcome;
    for (int i = 0; i < 100; ++i, std::this_thread::sleep_for(milliseconds(20))) {
      outcome =
          run_program({"work", "--group", store, "--listen", "127.0.0.2", "--data", "copy.npy", "--backend", "cpu"},
                      {.folder = other.path(), .limit_seconds = watchdog});
      if (outcome.errors.find("no run uses") == std::string::npos) break;  // the run has begun
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
  EXPECT_NE(again.errors.find("no run uses"), std::string::npos) << again.errors;
}

// What happens to the server in the middle of a run. The run ends with the result of one process, whether the server
// comes back or not, and says at most one line about it.
TEST(CommandLineWorkers, OutliveARedisServer) {
  Redis redis;
  if (!redis.exists()) GTEST_SKIP() << "there is no redis-server";
  const std::pair<const char*, std::function<void()>> cases[] = {
      {"killed", [&] { redis.stop(); }},
      {"restarted", [&] { redis.stop(), redis.start(); }},
      {"paused",
       [&] {
         redis.signal(SIGSTOP);
         std::this_thread::sleep_for(std::chrono::seconds(3));
         redis.signal(SIGCONT);
       }},
      {"flushed", [&] { redis.ask("FLUSHALL"); }},
      {"full", [&] { redis.ask("CONFIG SET maxmemory 1"); }},
      {"restarted with its data",
       [&] { redis.ask("SAVE"), redis.stop(), redis.start(); }},  // the last: it finds them again
  };
  constexpr int count = 8 * iterations;
  const Files& expected = alone(count);
  for (const auto& [name, happens] : cases) {
    SCOPED_TRACE(name);
    await("the server", [&] { return redis.ask("PING") == "+PONG\r\n"; });
    const Folder folder;
    const std::string store = redis.store("run");
    auto files = std::async(std::launch::async, [&] {
      return run(folder, long_run,
                 {"--set", "iterations=" + std::to_string(count), "--workers", "2", "--group", store});
    });
    await("a moment", [&] { return redis.ask("EXISTS kinescope:run:moment") == ":1\r\n"; });
    happens();
    const Files found = files.get();
    EXPECT_EQ(found.report["iterations"], count);
    expect_same(found, expected);
    std::size_t told = 0;
    for (const std::string& line : lines_of(found.errors)) told += line.find("store is lost") != std::string::npos;
    EXPECT_LE(told, 1u) << found.errors;
    EXPECT_EQ(redis.ask("KEYS *").find("kinescope:run"), std::string::npos);
    redis.stop();
    redis.start();
  }
}

// While a server takes no notes, --resume is refused, and what the lost run has left stays there.
TEST(CommandLineWorkers, AreNotResumedOnAFullServerButLater) {
  Redis redis;
  if (!redis.exists()) GTEST_SKIP() << "there is no redis-server";
  await("the server", [&] { return redis.ask("PING") == "+PONG\r\n"; });
  constexpr int count = 8 * iterations;
  std::vector<std::string> arguments = {"--workers",        "2",     "--group",
                                        redis.store("run"), "--set", "iterations=" + std::to_string(count)};
  const Folder folder;
  auto lost = std::async(std::launch::async, [&] {
    std::vector<std::string> all = long_run;
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_program(all, {.limit_seconds = watchdog});
  });
  await("a moment", [&] { return redis.ask("EXISTS kinescope:run:moment") == ":1\r\n"; });
  const std::string said = redis.ask("GET kinescope:run:coordinator");
  Said coordinator;
  const std::size_t begin = said.find('\n') + 1;
  ASSERT_GE(said.size(), begin + sizeof coordinator);
  std::memcpy(&coordinator, said.data() + begin, sizeof coordinator);
  kill(static_cast<pid_t>(coordinator.process), SIGKILL);
  EXPECT_EQ(lost.get().status, 128 + SIGKILL);

  arguments.push_back("--resume");
  std::vector<std::string> again = long_run;
  again.insert(again.end(), arguments.begin(), arguments.end());
  redis.ask("CONFIG SET maxmemory 1");
  EXPECT_EQ(flaw_of_error(run_program(again, {.folder = folder.path()}), 2), "");
  redis.ask("CONFIG SET maxmemory 0");
  const Files files = run(folder, long_run, arguments);
  expect_same(files, alone(count));
  EXPECT_TRUE(files.report.contains("resumed_at"));
}

TEST(CommandLineWorkers, RemoveOnlyTheirOwnNotesFromARedisServer) {
  Redis redis;
  if (!redis.exists()) GTEST_SKIP() << "there is no redis-server";
  await("the server", [&] { return redis.ask("PING") == "+PONG\r\n"; });
  const std::vector<std::string> others = {"2024-11", "7-3", "7/3", "rows.1", "thesis"};
  for (const std::string& name : others) redis.ask("SET kinescope:run:" + name + " mine");
  const Folder folder;
  run(folder, long_run, {"--workers", "1", "--group", redis.store("run")});
  for (const std::string& name : others) EXPECT_EQ(redis.ask("GET kinescope:run:" + name), "$4\r\nmine\r\n") << name;
  EXPECT_TRUE(redis.ask("KEYS kinescope:run:*").starts_with("*5\r\n"));
}

// Another run may have taken the name once the server has forgotten the first: its notes stay.
TEST(CommandLineWorkers, LeaveTheNotesOfAnotherRun) {
  Redis redis;
  if (!redis.exists()) GTEST_SKIP() << "there is no redis-server";
  await("the server", [&] { return redis.ask("PING") == "+PONG\r\n"; });
  const Folder folder;
  auto files = std::async(std::launch::async, [&] {
    return run(
        folder, long_run,
        {"--set", "iterations=" + std::to_string(8 * iterations), "--workers", "2", "--group", redis.store("run")});
  });
  await("a moment", [&] { return redis.ask("EXISTS kinescope:run:moment") == ":1\r\n"; });
  redis.ask("FLUSHALL");
  for (const char* name : {"secret", "run.kinescope.json", "worker-1", "coordinator"})
    redis.ask("SET kinescope:run:" + std::string(name) + " another");
  expect_same(files.get(), alone(8 * iterations));
  for (const char* name : {"secret", "run.kinescope.json", "worker-1", "coordinator"})
    EXPECT_EQ(redis.ask("GET kinescope:run:" + std::string(name)), "$7\r\nanother\r\n") << name;
  EXPECT_EQ(redis.ask("EXISTS kinescope:run:over"), ":0\r\n");
}

}  // namespace
}  // namespace kinescope::tests::command_line::groups_test
