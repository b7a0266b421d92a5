// The experiment `k-means-transports`, after figures 3 and 4 of *Distributed k-Means Clustering*: how fast blocks get
// from one process of a group to another on this machine, over the size of a block and over the bytes sent in all. The
// paper sends blocks by RDMA; here they go by the memory that processes share, and by gloo over TCP. Each block is
// written by one, read by the other and acknowledged by 8 bytes, as messages and answers take turns in a run. The
// processes are two threads here, each with its own end of the connection. Beside them: a note that is written into a
// group's folder and read there.
#include <algorithm>
#include <chrono>
#include <fmt/core.h>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/commands/commands.hpp"
#include "app/io/timings.hpp"
#include "kinescope/error.hpp"
#include "sim/data/readers/packing/temporary_file.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/protocol.hpp"
#include "sim/k_means/distributed/secret.hpp"
#include "sim/k_means/distributed/store.hpp"

namespace kinescope::app {
namespace {

namespace km = sim::k_means;
using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::byte>;

constexpr std::size_t largest_block = 64 << 20, small_block = 8 << 10, quick_block = 4 << 10;

// A group's folder, for as long as this lives.
class GroupFolder {
 public:
  GroupFolder() : path_(sim::make_temporary_folder("kinescope-transports-")) {}
  ~GroupFolder() {
    try {
      km::open_store(path_)->remove();
    } catch (const km::StoreLost&) {  // somebody has removed it, or opened it to others: then it stays
    }
  }
  GroupFolder(const GroupFolder&) = delete;
  GroupFolder& operator=(const GroupFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

// Makes one end of a connection between two.
using Connect = std::function<std::shared_ptr<km::Connection>(int rank)>;

// Both ends, the other one in a thread of its own that takes blocks until the connection ends.
class Pair {
 public:
  explicit Pair(const Connect& connect)
      : other_(std::async(std::launch::async, [connect] { take(*connect(1)); })), own_(connect(0)) {}
  ~Pair() {
    do own_->abort();
    while (other_.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  // The seconds until all blocks are acknowledged, or until `stop`; throws Lost.
  double send(const Bytes& block, std::size_t count, const bench::Stop& stop) {
    constexpr std::size_t unasked = 256;  // blocks between two looks at `stop`
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < count && (i % unasked != 0 || !stop()); ++i) {
      std::copy(block.begin(), block.end(), own_->message(block.size()));
      own_->send();
      if (own_->answers(1)[0].front() != std::to_integer<std::int64_t>(block.back()))
        throw km::Lost("what arrived is not what was sent");
    }
    return seconds_since(begin);
  }

 private:
  static void take(km::Connection& connection) try {
    for (Bytes own;;) {
      connection.await_message();
      const std::span<const std::byte> block = connection.receive();
      own.assign(block.begin(), block.end());
      *connection.place(1) = std::to_integer<std::int64_t>(own.back());
      connection.answer();
    }
  } catch (const km::Lost&) {  // the connection has ended
  }

  std::future<void> other_;
  std::shared_ptr<km::Connection> own_;
};

Connect by_memory() {
  std::shared_ptr<km::SharedMemory> memory = km::SharedMemory::make(2, largest_block, 1);
  if (!memory) throw km::Lost("there is not enough shared memory");
  std::shared_ptr<km::SharedMemory> opened = km::SharedMemory::open(memory->address());
  if (!opened) throw km::Lost("the shared memory cannot be opened");
  return [memory, opened](int rank) { return km::connect(rank == 0 ? memory : opened, rank, 2); };
}

Connect by_network(const std::string& group) {
  if (!km::has_network()) throw km::Lost("this program was built without gloo");
  const std::unique_ptr<km::Store> notes = km::open_store(group);
  notes->write("secret", km::Secret::drawn());
  notes->write("generation/1", "1");  // where processes meet is a note of a group only beside it
  return [group](int rank) {
    const std::unique_ptr<km::Store> store = km::open_store(group);
    return km::connect({*store, 1, rank, 2, km::loopback}, [] { return false; });
  };
}

class Transports {
 public:
  Transports(const bench::BenchmarkSetup& benchmark, const bench::EmitRow& emit, const bench::Stop& stop)
      : benchmark_(benchmark), emit_(emit), stop_(stop) {}
  void run() {
    over_connection("shared memory", [&] { return by_memory(); });
    over_connection("gloo", [&] { return by_network(group_.path()); });
    over_notes();
  }

 private:
  // Calls f for each size of a block.
  template <class F>
  void for_each_block(F f) {
    for (std::size_t bytes = 1; bytes <= (benchmark_.quick ? quick_block : largest_block) && !stop_(); bytes *= 4)
      f(Bytes(bytes, std::byte{7}));
  }
  // So many that a round takes some milliseconds.
  std::size_t count_of(std::size_t bytes) const {
    return std::clamp<std::size_t>(largest_block / bytes, 1, benchmark_.quick ? 10 : 1000);
  }
  bench::BenchmarkRow row(const std::string& method, const char* name, std::size_t value) const {
    bench::BenchmarkRow made = bench::row_of("k-means-transports", method, fmt::format("{}={}", name, value), {});
    made.threads = 2;
    made.figure = "MB a second";
    return made;
  }
  // `once` returns the seconds of one block, or of all of them.
  void time(bench::BenchmarkRow row, std::size_t bytes, const std::function<double()>& once) {
    bench::set_times(row, bench::time_runs([&] { return stop_() ? 0 : once(); }, benchmark_.quick));
    row.value = 1e-6 * static_cast<double>(bytes) / row.median_seconds;
    if (!stop_()) emit_(row);
  }
  void over_connection(const std::string& method, const std::function<Connect()>& connect);
  void over_payloads(const std::string& method, Pair& pair);
  void over_notes();

  const bench::BenchmarkSetup& benchmark_;
  const bench::EmitRow& emit_;
  const bench::Stop& stop_;
  const GroupFolder group_;
};

void Transports::over_connection(const std::string& method, const std::function<Connect()>& connect) try {
  Pair pair(connect());
  for_each_block([&](const Bytes& block) {
    const std::size_t count = count_of(block.size());
    time(row(method, "block", block.size()), block.size(),
         [&] { return pair.send(block, count, stop_) / static_cast<double>(count); });
  });
  over_payloads(method, pair);
} catch (const km::Lost& lost) {
  bench::BenchmarkRow missing = row(method, "block", 1);
  missing.repetitions = 0;
  missing.note = lost.what();
  emit_(missing);
}

// Once a row took long, the next one, with four times as many bytes, is left out.
void Transports::over_payloads(const std::string& method, Pair& pair) {
  constexpr double longest_seconds = 2.5;
  const std::size_t least = benchmark_.quick ? small_block : 16 << 20, most = benchmark_.quick ? small_block : 1 << 30;
  for (const std::size_t bytes : {small_block, largest_block}) {
    const Bytes block(bytes, std::byte{7});
    const std::string way = method + " by " + (bytes == small_block ? "8 KiB" : "64 MiB");
    double seconds = 0;
    for (std::size_t payload = std::max(least, bytes); payload <= most && seconds < longest_seconds && !stop_();
         payload *= 4)
      time(row(way, "payload", payload), payload, [&] { return seconds = pair.send(block, payload / bytes, stop_); });
  }
}

void Transports::over_notes() {
  const std::unique_ptr<km::Store> here = km::open_store(group_.path()), there = km::open_store(group_.path());
  for_each_block([&](const Bytes& block) {
    const std::string text(block.size(), 'n');
    const std::size_t count = std::min<std::size_t>(count_of(block.size()), 100);
    time(row("notes in a folder", "block", block.size()), block.size(), [&] {
      const auto begin = Clock::now();
      for (std::size_t i = 0; i < count; ++i) {
        here->write("moment", text);
        if (there->read("moment") != text) throw sim::run_error(group_.path() + ": a note that is read is another");
      }
      return seconds_since(begin) / static_cast<double>(count);
    });
  });
}

}  // namespace

bench::BenchmarkExperiment transports_experiment() {
  return {"k-means-transports",
          "k-means with several processes: seconds of a block from one member to another, and MB a second",
          [](const auto&... a) { Transports(a...).run(); }, bench::BenchmarkPlot::figure_over_parameter};
}

}  // namespace kinescope::app
