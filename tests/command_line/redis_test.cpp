// Workers of k-means who meet on a Redis server, and what becomes of a run whose server fails.
#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "tests/command_line/workers.hpp"

namespace kinescope::tests::command_line::redis_test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

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
  for (const auto& [name, happens] : cases) {
    SCOPED_TRACE(name);
    // A run that ends while the server is paused cannot take its notes away: that one lasts longer.
    const int count = (std::string_view(name) == "paused" ? 80 : 8) * iterations;
    const Files& expected = alone(count);
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
}  // namespace kinescope::tests::command_line::redis_test
