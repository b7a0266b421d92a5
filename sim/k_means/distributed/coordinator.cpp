#include "sim/k_means/distributed/coordinator.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/store.hpp"

namespace kinescope::sim::k_means {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::chrono::seconds starting{10};  // a process that has given no sign of life by then gives none

double milliseconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

class Coordinator : public Crew {
 public:
  explicit Coordinator(CoordinatorSetup setup)
      : setup_(std::move(setup)), notes_(open_store(setup_.store)), signs_(open_store(setup_.store)) {
    own_.listens = !setup_.listen.empty();
    if (!signs_->claim("coordinator", own_)) throw Lost(setup_.store + ": somebody coordinates there");
    watcher_ = std::thread([this] { watch(); });
  }
  ~Coordinator() override {
    ending_ = true;
    watcher_.join();
    try {
      notes_->write("over", "over");
    } catch (const Lost&) {  // the store has gone: the workers see that too
    }
    if (connection_) connection_->abort();
  }

  std::string begin(const Dataset& data, const RunFacts& facts) override;
  bool wants_moment() const override { return setup_.keeps && Clock::now() > next_moment_; }
  void keep(const std::string& moment) override;
  bool sum(const Pass& pass, std::span<const float> centroids, std::span<std::int64_t> sums) override;
  std::int64_t rows_missing() const override { return rows_missing_; }
  KMeansWorkers workers() const override {
    const std::lock_guard lock(seen_mutex_);
    return seen_;
  }
  void report(Report& report) const override;

 private:
  enum class State { arriving, working, lost, refused };
  struct Member {
    int number = 0;
    Presence last;
    Clock::time_point heard;
    State state = State::arriving;
    std::int64_t passes = 0;  // that have been completed
    Times times{};            // of these
  };
  struct Loss {
    std::int64_t iteration = 0;
    int worker = 0;
    double noticed = 0, resumed = NAN;  // milliseconds
    Clock::time_point when;
  };
  struct Joining {
    std::int64_t iteration = 0;
    int worker = 0;
  };

  void watch();
  void look_for_members();
  void look_at(Member& member);
  void refuse(Member& member, const std::string& why);
  void show();
  void lose(Member& member);
  bool can_come(const Member& member) const {
    return member.state == State::arriving && member.last.ready != 0 && is_heard(member);
  }
  bool is_heard(const Member& member) const {
    return std::chrono::duration<double>(Clock::now() - member.heard).count() < setup_.timeout;
  }
  bool has_ended(const Member& member) const {
    return ended_.count(member.last.process) > 0 && std::strcmp(member.last.machine, own_.machine) == 0;
  }
  std::string kept_moment() const;
  void await_workers();
  void await_news();
  bool must_form();
  std::optional<bool> await_arrival(const std::vector<int>& workers, bool has_memory);
  std::shared_ptr<Connection> connect_to(const std::vector<int>& workers);
  std::vector<int> choose();
  int sharing(const Member& member) const;
  std::size_t most_bytes() const;
  std::size_t most_numbers() const;
  void form();
  std::int64_t rows_dealt() const;
  void note_times(std::span<const std::int64_t> times);
  void tell_news();

  const CoordinatorSetup setup_;
  Presence own_ = own_presence();
  const std::unique_ptr<Store> notes_, signs_;  // the watching thread's is the second
  std::int64_t generation_ = 0;
  int workers_ = 0;         // of the present generation; 0: the run computes by itself
  bool drops_ = false;      // rows of lost workers
  std::vector<int> dealt_;  // the worker of each part of the rows; 0: it is left out
  std::int64_t rows_missing_ = 0;
  RunFacts facts_;
  Outline outline_;
  std::vector<std::int64_t> received_;
  Clock::time_point next_moment_;
  std::atomic<std::int64_t> iteration_ = 0;
  std::int64_t first_iteration_ = 0;  // here
  std::atomic<bool> ending_ = false;

  mutable std::mutex mutex_;  // guards what follows; connection_ is replaced under it, and used without
  std::vector<Member> members_;
  std::set<std::int64_t> ended_;
  std::uint32_t checksum_ = 0;
  bool outlined_ = false;
  bool changed_ = true;  // another generation is needed
  bool broken_ = false;  // the present one cannot go on
  std::shared_ptr<Connection> connection_;
  std::vector<Loss> lost_;
  std::vector<Joining> joined_;
  std::size_t told_lost_ = 0, told_joined_ = 0;

  mutable std::mutex seen_mutex_;  // guards what the window sees, so that it never waits for a look
  KMeansWorkers seen_;

  std::thread watcher_;
};

void Coordinator::watch() {
  Presence presence = own_;
  for (Clock::time_point beaten; !ending_; std::this_thread::sleep_for(milliseconds(look_milliseconds))) {
    if (Clock::now() - beaten > milliseconds(beat_milliseconds)) {
      beaten = Clock::now();
      ++presence.beats;
      presence.iteration = iteration_;
      signs_->beat(presence);
    }
    const std::vector<std::int64_t> ended = setup_.ended();
    const std::lock_guard lock(mutex_);
    ended_.insert(ended.begin(), ended.end());
    look_for_members();
    for (Member& member : members_) look_at(member);
    if (broken_ && connection_) connection_->abort();
    show();
  }
}

void Coordinator::show() {
  KMeansWorkers seen;
  for (const Member& member : members_) {
    const auto seconds = [&](std::size_t part) { return 1e-9 * static_cast<double>(member.times[part]); };
    KMeansWorker worker{member.number, member.state == State::working, 0, 0, member.last.device,
                        seconds(0),    seconds(1),                     seconds(2)};
    if (const auto part = std::find(dealt_.begin(), dealt_.end(), member.number); part != dealt_.end()) {
      const Rows rows = rows_of(static_cast<int>(part - dealt_.begin()), static_cast<int>(dealt_.size()), outline_.points);
      worker.first = rows.first, worker.rows = rows.count;
    }
    seen.workers.push_back(std::move(worker));
  }
  for (const Loss& loss : lost_) seen.lost.push_back({loss.iteration, loss.worker});
  for (const Joining& each : joined_) seen.joined.push_back({each.iteration, each.worker});
  const std::lock_guard lock(seen_mutex_);
  seen_ = std::move(seen);
}

void Coordinator::look_for_members() {
  const int number = static_cast<int>(members_.size()) + 1;
  if (signs_->presence(worker_name(number))) members_.push_back({number, {}, Clock::now(), State::arriving});
}

void Coordinator::look_at(Member& member) {
  const Presence now = signs_->presence(worker_name(member.number)).value_or(member.last);
  const bool lives = now.beats != member.last.beats;
  if (lives) member.heard = Clock::now();
  member.last = now;
  switch (member.state) {
    case State::arriving:
      if (!outlined_ || !can_come(member)) return;
      if (now.checksum != checksum_) return refuse(member, "its data are not those of the run");
      if (std::strcmp(now.machine, own_.machine) != 0 && (now.listens == 0 || own_.listens == 0))
        return refuse(member, "it is on another machine: the run and the worker must both be given --listen ADDRESS");
      changed_ = true;
      return;
    case State::working:
      if (has_ended(member) || !is_heard(member)) lose(member);
      if (now.generation == -generation_ && generation_ > 0) changed_ = broken_ = true;  // it has left
      return;
    case State::lost:
      if (lives) member.state = State::arriving;
      return;
    case State::refused:
      return;
  }
}

void Coordinator::refuse(Member& member, const std::string& why) {
  member.state = State::refused;
  try {
    signs_->write("refused/" + std::to_string(member.number), why);
  } catch (const Lost&) {
  }
}

void Coordinator::lose(Member& member) {
  member.state = State::lost;
  lost_.push_back({iteration_, member.number, milliseconds_between(member.heard, Clock::now()), NAN, Clock::now()});
  changed_ = broken_ = true;
}

std::string Coordinator::begin(const Dataset& data, const RunFacts& facts) {
  const std::uint32_t checksum = checksum_of(data.values);
  facts_ = facts;
  outline_ = {static_cast<std::int64_t>(data.points), static_cast<std::int64_t>(data.dimensions), facts.clusters,
              facts.reach};
  {
    const std::lock_guard lock(mutex_);
    checksum_ = checksum;
    outlined_ = true;
  }
  std::string moment = setup_.resumes ? kept_moment() : "";
  await_workers();
  form();
  std::size_t came = 0;
  {
    const std::lock_guard lock(mutex_);
    came = joined_.size();
    joined_.clear();  // those of the beginning are workers
    told_joined_ = 0;
  }
  if (came < static_cast<std::size_t>(setup_.workers) && !setup_.stopped())
    setup_.tell(std::to_string(came) + " of " + std::to_string(setup_.workers) + " workers have come");
  return moment;
}

// Checksums of the data and of the moment stand before it.
void Coordinator::keep(const std::string& moment) {
  const Clock::time_point began = Clock::now();
  const std::uint32_t sums[2] = {checksum_, checksum_of(moment)};
  notes_->write("moment", std::string(reinterpret_cast<const char*>(sums), sizeof sums) + moment);
  // A run that is lost loses half a second, or more where that would slow it by more than a twentieth.
  next_moment_ = Clock::now() + std::max<Clock::duration>(milliseconds(500), 20 * (Clock::now() - began));
}

// Empty: none was kept yet.
std::string Coordinator::kept_moment() const {
  if (!notes_->has("moment")) return "";
  std::string text = notes_->read("moment");
  std::uint32_t sums[2] = {};
  if (text.size() >= sizeof sums) std::memcpy(sums, text.data(), sizeof sums);
  text.erase(0, sizeof sums);
  if (sums[1] != checksum_of(text)) throw input_error(setup_.store + ": its moment is damaged; without --resume the run begins at its start");
  if (sums[0] != checksum_) throw input_error(setup_.store + ": its moment belongs to other data");
  return text;
}

// Until each of those that were started here has read its data, has ended, or is silent.
void Coordinator::await_workers() {
  const Clock::time_point begin = Clock::now();
  for (; !setup_.stopped(); std::this_thread::sleep_for(milliseconds(look_milliseconds))) {
    const std::lock_guard lock(mutex_);
    const auto awaited = [&](const Member& member) {
      return !has_ended(member) && is_heard(member) && !can_come(member);
    };
    const bool all_started =
        members_.size() + ended_.size() >= static_cast<std::size_t>(setup_.workers) || Clock::now() - begin > starting;
    if (all_started && std::none_of(members_.begin(), members_.end(), awaited)) return;
  }
}

bool Coordinator::must_form() {
  const std::lock_guard lock(mutex_);
  return changed_;
}

bool Coordinator::sum(const Pass& pass, std::span<const float> centroids, std::span<std::int64_t> sums) {
  iteration_ = pass.iteration + 1;
  if (first_iteration_ == 0) first_iteration_ = iteration_;
  drops_ = pass.drops != 0;
  rows_missing_ = 0;
  if (pass.clusters > facts_.clusters) {  // more than there is memory for
    outline_.clusters = facts_.clusters = pass.clusters;
    const std::lock_guard lock(mutex_);
    changed_ = true;
  }
  for (;;) {
    if (must_form()) form();
    if (!connection_) return false;
    try {
      Pass own = pass;
      connection_->from_first(&own, sizeof own);
      connection_->from_first(const_cast<float*>(centroids.data()), centroids.size_bytes());
      received_.assign(sums.size() + static_cast<std::size_t>(workers_) * std::tuple_size_v<Times>, 0);
      connection_->sum_at_first(received_);
      note_times(std::span(received_).subspan(sums.size()));
      const auto counts = received_.begin() + outline_.dimensions * pass.clusters;
      const std::int64_t missing = outline_.points - rows_dealt();
      if (missing > 0 && std::count(counts, counts + pass.clusters, 0) > 0) return false;
      rows_missing_ = missing;
      std::copy_n(received_.begin(), sums.size(), sums.begin());
      return true;
    } catch (const Lost&) {
      await_news();
    }
  }
}

// A connection is broken; who is lost, the watching thread finds. If nobody is, the same workers are connected anew.
void Coordinator::await_news() {
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(setup_.timeout));
  while (!must_form() && Clock::now() < end) std::this_thread::sleep_for(milliseconds(look_milliseconds));
  const std::lock_guard lock(mutex_);
  changed_ = true;
}

// In the order of the workers' ranks.
void Coordinator::note_times(std::span<const std::int64_t> times) {
  const std::lock_guard lock(mutex_);
  auto time = times.begin();
  for (const int worker : dealt_) {
    if (worker == 0) continue;
    Member& member = members_[static_cast<std::size_t>(worker - 1)];
    ++member.passes;
    for (std::int64_t& sum : member.times) sum += *time++;
  }
}

std::int64_t Coordinator::rows_dealt() const {
  std::int64_t rows = 0;
  const int parts = static_cast<int>(dealt_.size());
  for (int part = 0; part < parts; ++part)
    if (dealt_[static_cast<std::size_t>(part)] != 0) rows += rows_of(part, parts, outline_.points).count;
  return rows;
}

// The workers of the next generation, to whom the rows are dealt.
std::vector<int> Coordinator::choose() {
  const std::lock_guard lock(mutex_);
  changed_ = broken_ = false;
  connection_ = nullptr;
  std::vector<int> chosen;
  bool has_come = false;
  for (Member& member : members_) {
    if (member.state == State::arriving && can_come(member) && !has_ended(member) &&
        member.last.checksum == checksum_) {
      member.state = State::working;
      joined_.push_back({iteration_, member.number});
      has_come = true;
    }
    if (member.state == State::working) chosen.push_back(member.number);
  }
  for (int& worker : dealt_)
    if (std::find(chosen.begin(), chosen.end(), worker) == chosen.end()) worker = 0;
  if (!drops_ || has_come || rows_dealt() == 0) dealt_ = chosen;
  return chosen;
}

// Until these are free, which takes as long as what they compute; then whether all of them have the memory. Nothing if
// one is lost meanwhile, or another has come.
std::optional<bool> Coordinator::await_arrival(const std::vector<int>& workers, bool has_memory) {
  for (;; std::this_thread::sleep_for(milliseconds(look_milliseconds))) {
    const std::lock_guard lock(mutex_);
    if (changed_) return std::nullopt;
    const auto last = [this](int worker) -> const Presence& {
      return members_[static_cast<std::size_t>(worker - 1)].last;
    };
    const auto has_arrived = [&](int worker) { return last(worker).generation == generation_; };
    if (!std::all_of(workers.begin(), workers.end(), has_arrived)) continue;
    return has_memory && std::all_of(workers.begin(), workers.end(),
                                     [&](int worker) { return last(worker).memory == generation_; });
  }
}

std::size_t Coordinator::most_bytes() const {
  const std::size_t d = facts_.scale.size();
  return sizeof(float) * d * static_cast<std::size_t>(std::max(2, facts_.clusters)) + sizeof(Outline) + sizeof(Pass);
}
std::size_t Coordinator::most_numbers() const {
  return (facts_.scale.size() + 1) * static_cast<std::size_t>(facts_.clusters) + 1 +
         static_cast<std::size_t>(workers_) * std::tuple_size_v<Times>;
}

// The connection of a new generation of these workers; null if they are others by now.
std::shared_ptr<Connection> Coordinator::connect_to(const std::vector<int>& workers) {
  std::string text;
  for (const int worker : dealt_) text += std::to_string(worker) + " ";
  std::shared_ptr<SharedMemory> memory;
  if (setup_.listen.empty()) memory = SharedMemory::make(workers_ + 1, most_bytes(), most_numbers());
  if (memory) text += "\n" + memory->address();
  {
    const std::lock_guard lock(mutex_);
    ++generation_;
  }
  const std::string name = std::to_string(generation_);
  notes_->write("generation/" + name, text);
  const std::optional<bool> all_have_memory = await_arrival(workers, memory != nullptr);
  if (!all_have_memory) return nullptr;
  notes_->write("meet/" + name, *all_have_memory ? "memory" : "network");
  if (*all_have_memory) return connect(std::move(memory), 0, workers_ + 1);
  const std::string here = setup_.listen.empty() ? loopback : setup_.listen;
  return connect({*notes_, generation_, 0, workers_ + 1, here}, [this] { return must_form(); });
}

void Coordinator::form() {
  for (;;) {
    const std::vector<int> workers = choose();
    workers_ = static_cast<int>(workers.size());
    if (workers_ == 0) break;
    try {
      const std::shared_ptr<Connection> connection = connect_to(workers);
      if (!connection) continue;
      {
        const std::lock_guard lock(mutex_);
        connection_ = connection;
      }
      if (must_form()) continue;
      connection->from_first(&outline_, sizeof outline_);
      std::vector<float> columns = facts_.scale;
      columns.insert(columns.end(), facts_.centre.begin(), facts_.centre.end());
      connection->from_first(columns.data(), columns.size() * sizeof(float));
      std::int64_t rows = 0;
      connection->sum_at_first({&rows, 1});
      if (rows == rows_dealt()) break;
    } catch (const Lost&) {
    }
    await_news();
  }
  {
    const std::lock_guard lock(mutex_);
    for (Loss& loss : lost_)
      if (std::isnan(loss.resumed)) loss.resumed = milliseconds_between(loss.when, Clock::now());
  }
  tell_news();
}

// How many of those that work compute on the same GPU as this one.
int Coordinator::sharing(const Member& member) const {
  return static_cast<int>(std::count_if(members_.begin(), members_.end(), [&](const Member& other) {
    return other.state == State::working && std::strcmp(other.last.machine, member.last.machine) == 0 &&
           std::strcmp(other.last.device, member.last.device) == 0;
  }));
}

void Coordinator::tell_news() {
  std::vector<std::string> news;
  {
    const std::lock_guard lock(mutex_);
    const auto whole = [](double value) { return std::to_string(std::lround(value)); };
    for (; told_lost_ < lost_.size(); ++told_lost_) {
      const Loss& loss = lost_[told_lost_];
      news.push_back("worker " + std::to_string(loss.worker) + " was lost in iteration " +
                     std::to_string(loss.iteration) + ": noticed after " + whole(loss.noticed) +
                     " ms, the run went on after " + whole(loss.resumed) + " ms more");
    }
    for (; told_joined_ < joined_.size(); ++told_joined_)
      if (iteration_ > 0)
        news.push_back("worker " + std::to_string(joined_[told_joined_].worker) + " joins in iteration " +
                       std::to_string(joined_[told_joined_].iteration));
  }
  if (!news.empty() && workers_ == 0)
    news.emplace_back("no worker is left: this process computes by itself");
  else if (const std::int64_t missing = outline_.points - rows_dealt(); !news.empty() && missing > 0)
    news.push_back(std::to_string(missing) + " rows are left out until a worker comes");
  for (const std::string& each : news) setup_.tell(each);
}

void Coordinator::report(Report& report) const {
  const std::lock_guard lock(mutex_);
  std::vector<Report> workers, lost, joined;
  for (const Member& member : members_) {
    Report entry;
    entry.add("worker", std::int64_t{member.number});
    entry.add("machine", std::string(member.last.machine));
    entry.add("process", member.last.process);
    if (member.last.device[0] != 0) {
      entry.add("device", std::string(member.last.device));
      entry.add("sharing", std::int64_t{sharing(member)});
    }
    entry.add("state", std::string(member.state == State::working   ? "working"
                                   : member.state == State::lost    ? "lost"
                                   : member.state == State::refused ? "refused"
                                                                    : "arriving"));
    entry.add("iterations", member.passes);
    entry.add("computing_seconds", 1e-9 * static_cast<double>(member.times[0]));
    entry.add("combining_seconds", 1e-9 * static_cast<double>(member.times[1]));
    entry.add("waiting_seconds", 1e-9 * static_cast<double>(member.times[2]));
    workers.push_back(std::move(entry));
  }
  for (const Loss& loss : lost_) {
    Report entry;
    entry.add("iteration", loss.iteration);
    entry.add("worker", std::int64_t{loss.worker});
    entry.add("noticed_ms", loss.noticed);
    if (!std::isnan(loss.resumed)) entry.add("resumed_ms", loss.resumed);
    lost.push_back(std::move(entry));
  }
  for (const Joining& each : joined_) {
    Report entry;
    entry.add("iteration", each.iteration);
    entry.add("worker", std::int64_t{each.worker});
    joined.push_back(std::move(entry));
  }
  if (setup_.resumes) report.add("resumed_at", first_iteration_);
  report.add("workers", std::move(workers));
  report.add("lost", std::move(lost));
  report.add("joined", std::move(joined));
  if (drops_) report.add("rows_missing", rows_missing_);
}

}  // namespace

std::shared_ptr<Crew> make_coordinator(CoordinatorSetup setup) {
  return std::make_shared<Coordinator>(std::move(setup));
}

}  // namespace kinescope::sim::k_means
