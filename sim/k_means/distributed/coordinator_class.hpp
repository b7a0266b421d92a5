// The coordinator itself; coordinator.hpp says what it does.
#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/coordinator.hpp"
#include "sim/k_means/distributed/row_sums.hpp"
#include "sim/k_means/distributed/store.hpp"

namespace kinescope::sim::k_means {

class Coordinator : public Group {
  using Clock = std::chrono::steady_clock;

 public:
  explicit Coordinator(CoordinatorSetup setup) : setup_(std::move(setup)), notes_(opened()), signs_(opened()) {
    own_.listens = !setup_.listen.empty();
    if (!signs_->claim("coordinator", own_)) throw taken();
    watcher_ = std::thread([this] {
      try {
        watch();
      } catch (...) {  // which has given back what it held; there is no memory
        std::terminate();
      }
    });
  }
  ~Coordinator() override {
    ending_ = true;
    watcher_.join();
    try {
      if (signs_->owns()) notes_->write("over", "over");
    } catch (const StoreLost&) {  // the workers see that too
    }
    if (connection_) connection_->abort();
  }

  std::string begin(std::shared_ptr<const Dataset> data, const RunFacts& facts) override;
  bool wants_moment() const override { return setup_.keeps && Clock::now() > next_moment_; }
  void keep(const std::string& moment) override;
  float* place(std::size_t numbers) override;
  std::optional<PartialSums> sum(const Pass& pass, std::span<const float> centroids) override;
  std::int64_t rows_missing() const override { return rows_missing_; }
  KMeansWorkers workers() const override {
    const std::lock_guard lock(seen_mutex_);
    return seen_;
  }
  void tell(std::function<void()> news) override { news_ = std::move(news); }
  void report(Report& report) const override;

 private:
  enum class State { arriving, working, lost, refused };
  struct Worker {
    int number = 0;
    Presence last;
    Clock::time_point heard;
    State state = State::arriving;
    std::int64_t passes = 0;  // completed ones
    Times times{};            // of these passes
  };
  struct Loss {
    std::int64_t iteration = 0;
    int worker = 0;
    double noticed = 0, resumed = NAN;  // milliseconds until it was noticed, and from then until the run went on
    Clock::time_point when;
  };
  struct Joining {
    std::int64_t iteration = 0;
    int worker = 0;
  };

  StoreLost taken() const { return StoreLost(setup_.store + ": another run uses this group"); }
  std::unique_ptr<Store> opened() const {
    std::unique_ptr<Store> store = setup_.open(setup_.store);
    if (!setup_.secret.empty() && store->read("secret") != setup_.secret) throw taken();
    return store;
  }
  void watch();
  void look_at(Worker& worker, const std::optional<Presence>& seen);
  void refuse(Worker& worker, const std::string& why);
  void show();
  void lose(Worker& worker);
  bool can_come(const Worker& worker) const {
    return worker.state == State::arriving && worker.last.ready != 0 && is_heard(worker);
  }
  bool is_heard(const Worker& worker) const {
    return std::chrono::duration<double>(Clock::now() - worker.heard).count() < setup_.timeout;
  }
  bool has_ended(const Worker& worker) const {
    return ended_.count(worker.last.process) > 0 && std::strcmp(worker.last.machine, own_.machine) == 0;
  }
  std::string kept_moment() const;
  void await_workers();
  void await_news();
  void pause() const;
  bool must_form();
  std::optional<bool> await_arrival(const std::vector<int>& workers, bool has_memory);
  std::shared_ptr<Connection> connect_to(const std::vector<int>& workers);
  std::vector<int> choose();
  int sharing(const Worker& worker) const;
  std::size_t most_bytes() const;
  std::size_t most_numbers() const;
  void form();
  void send_outline();
  std::optional<PartialSums> combined(const Pass& pass, std::span<const float> centroids);
  bool has_empty_cluster(const Pass& pass, const PartialSums& sums);
  std::int64_t rows_dealt() const;
  void note_times(const Answers& answers, const Times& own);
  void deal_itself();
  void leave_workers();
  void tell_news();
  void tell_untold();
  void write(const std::string& name, const std::string& text);
  void lose_store(const std::string& why);
  void tell_once(const std::string& loss);
  void tell_shared_devices();

  const CoordinatorSetup setup_;
  Presence own_ = own_presence();
  const std::unique_ptr<Store> notes_, signs_;  // signs_ is the watching thread's
  std::int64_t generation_ = 0;
  static constexpr int itself = -1;  // stands for the coordinator in dealt_
  int working_ = 0;                  // how many the present generation has; 0: the run computes by itself
  bool drops_ = false;               // leaves out the rows of lost workers
  std::vector<int> dealt_;           // the worker of each part of the rows; 0: the part is left out
  std::int64_t rows_missing_ = 0;
  RunFacts facts_;
  Outline outline_;
  Started backend_;  // if the coordinator computes
  std::shared_ptr<const Dataset> data_;
  Rows own_rows_;
  std::unique_ptr<RowSums> own_sums_;  // of the present generation; null: the coordinator has no rows
  Clock::time_point next_moment_;
  std::atomic<std::int64_t> iteration_ = 0;
  std::int64_t first_iteration_ = 0;  // the first that this coordinator computed; later ones if the run was resumed
  std::atomic<bool> has_rows_note_ = false;
  std::atomic<bool> ending_ = false;
  std::atomic<bool> disowned_ = false;  // the notes of this run are gone: whoever uses the store now has another run
  int failed_forms_ = 0;                // generations in a row that the store did not take
  std::vector<int> unmet_;              // the workers of the last generation that was not connected
  int failed_meetings_ = 0;             // of these workers in a row

  mutable std::mutex mutex_;  // guards what follows; connection_ is replaced under it, but used without it
  std::vector<Worker> workers_;
  Worker self_;  // the coordinator as one that computes
  std::set<std::int64_t> ended_;
  std::uint32_t checksum_ = 0;
  bool outlined_ = false;
  Clock::time_point next_arrival_;  // before it no worker is let in
  bool changed_ = true;             // a new generation is needed
  bool broken_ = false;             // the present generation cannot go on
  std::shared_ptr<Connection> connection_;
  std::vector<Loss> lost_;
  std::vector<Joining> joined_;
  std::size_t told_lost_ = 0, told_joined_ = 0;
  std::vector<std::string> untold_;  // sentences that have not been reported yet
  bool told_store_ = false;          // it was reported that the store is lost, or the way to the workers

  mutable std::mutex
      seen_mutex_;  // guards what the window sees, so that the window never waits for the watching thread
  KMeansWorkers seen_;
  std::function<void()> news_ = [] {};  // called on the run's thread

  std::thread watcher_;
};

}  // namespace kinescope::sim::k_means
