#include "sim/k_means/distributed/coordinator.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/data/writers/write.hpp"
#include "sim/k_means/distributed/group.hpp"

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
      : setup_(std::move(setup)), notes_(setup_.folder), file_(PresenceFile::make(coordinator_file(setup_.folder))) {
    watcher_ = std::thread([this] { watch(); });
  }
  ~Coordinator() override {
    ending_ = true;
    watcher_.join();
    try {
      notes_.write("over", "over");
    } catch (const Lost&) {  // the folder has gone: the workers see that too
    }
    if (connection_) connection_->abort();
  }

  std::string begin(const Dataset& data, const std::vector<float>& scale) override;
  bool wants_moment() const override { return setup_.keeps && Clock::now() > next_moment_; }
  void keep(const std::string& moment) override;
  bool add(const Pass& pass, std::span<const float> centroids, std::span<std::int64_t> sums) override;
  std::int64_t rows_missing() const override { return rows_missing_; }
  void report(Report& report) const override;

 private:
  enum class State { arriving, working, lost, refused };
  struct Member {
    int number = 0;
    PresenceFile file;
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
  bool await_arrival(const std::vector<int>& workers);
  std::vector<int> choose();
  void form();
  std::int64_t rows_dealt() const;
  void note_times(std::span<const std::int64_t> times);
  void tell_news();

  const CoordinatorSetup setup_;
  const Presence own_ = own_presence();
  Notes notes_;
  PresenceFile file_;
  std::int64_t generation_ = 0;
  int workers_ = 0;         // of the present generation; 0: the run computes by itself
  bool drops_ = false;      // rows of lost workers
  std::vector<int> dealt_;  // the worker of each part of the rows; 0: it is left out
  std::int64_t rows_missing_ = 0;
  std::vector<float> scale_;
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

  std::thread watcher_;
};

void Coordinator::watch() {
  Presence presence = own_;
  for (Clock::time_point beaten; !ending_; std::this_thread::sleep_for(milliseconds(look_milliseconds))) {
    if (Clock::now() - beaten > milliseconds(beat_milliseconds)) {
      beaten = Clock::now();
      ++presence.beats;
      presence.iteration = iteration_;
      file_.write(presence);
    }
    const std::vector<std::int64_t> ended = setup_.ended();
    const std::lock_guard lock(mutex_);
    ended_.insert(ended.begin(), ended.end());
    look_for_members();
    for (Member& member : members_) look_at(member);
    if (broken_ && connection_) connection_->abort();
  }
}

void Coordinator::look_for_members() {
  const int number = static_cast<int>(members_.size()) + 1;
  PresenceFile file = PresenceFile::open(worker_file(setup_.folder, number));
  if (!file.exists()) return;
  members_.push_back({number, std::move(file), {}, Clock::now(), State::arriving});
}

void Coordinator::look_at(Member& member) {
  const Presence now = member.file.read();
  const bool lives = now.beats != member.last.beats;
  if (lives) member.heard = Clock::now();
  member.last = now;
  switch (member.state) {
    case State::arriving:
      if (!outlined_ || !can_come(member)) return;
      if (now.checksum == checksum_) return void(changed_ = true);
      member.state = State::refused;
      try {
        notes_.write("refused/" + std::to_string(member.number), "its data are not those of the run");
      } catch (const Lost&) {
      }
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

void Coordinator::lose(Member& member) {
  member.state = State::lost;
  lost_.push_back({iteration_, member.number, milliseconds_between(member.heard, Clock::now()), NAN, Clock::now()});
  changed_ = broken_ = true;
}

std::string Coordinator::begin(const Dataset& data, const std::vector<float>& scale) {
  const std::uint32_t checksum = checksum_of(data.values);
  scale_ = scale;
  outline_ = {static_cast<std::int64_t>(data.points), static_cast<std::int64_t>(data.dimensions)};
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
  write_bytes(moment_file(setup_.folder), std::string(reinterpret_cast<const char*>(sums), sizeof sums) + moment);
  // A run that is lost loses half a second, or more where that would slow it by more than a twentieth.
  next_moment_ = Clock::now() + std::max<Clock::duration>(milliseconds(500), 20 * (Clock::now() - began));
}

// Empty: none was kept yet.
std::string Coordinator::kept_moment() const {
  const std::string path = moment_file(setup_.folder);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return "";
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::uint32_t sums[2] = {};
  if (text.size() >= sizeof sums) std::memcpy(sums, text.data(), sizeof sums);
  text.erase(0, sizeof sums);
  if (sums[1] != checksum_of(text)) throw file_error(path, "is damaged; without --resume the run begins at its start");
  if (sums[0] != checksum_) throw file_error(path, "belongs to other data");
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

bool Coordinator::add(const Pass& pass, std::span<const float> centroids, std::span<std::int64_t> sums) {
  iteration_ = pass.iteration + 1;
  if (first_iteration_ == 0) first_iteration_ = iteration_;
  drops_ = pass.drops != 0;
  rows_missing_ = 0;
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
      for (std::size_t e = 0; e < sums.size(); ++e) sums[e] += received_[e];
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

// Until these are free, which takes as long as what they compute; false if one is lost meanwhile, or another has come.
bool Coordinator::await_arrival(const std::vector<int>& workers) {
  for (;; std::this_thread::sleep_for(milliseconds(look_milliseconds))) {
    const std::lock_guard lock(mutex_);
    if (changed_) return false;
    const auto has_arrived = [this](int worker) {
      return members_[static_cast<std::size_t>(worker - 1)].last.generation == generation_;
    };
    if (std::all_of(workers.begin(), workers.end(), has_arrived)) break;
  }
  const std::lock_guard lock(mutex_);
  notes_.write("meet/" + std::to_string(generation_), "meet");
  return true;
}

void Coordinator::form() {
  for (;;) {
    const std::vector<int> workers = choose();
    workers_ = static_cast<int>(workers.size());
    if (workers_ == 0) break;
    std::string text;
    for (const int worker : dealt_) text += std::to_string(worker) + " ";
    try {
      {
        const std::lock_guard lock(mutex_);
        notes_.write("generation/" + std::to_string(++generation_), text);
      }
      if (!await_arrival(workers)) continue;
      auto connection =
          std::make_shared<Connection>(setup_.folder, generation_, 0, workers_ + 1, [this] { return must_form(); });
      {
        const std::lock_guard lock(mutex_);
        connection_ = connection;
      }
      if (must_form()) continue;
      connection->from_first(&outline_, sizeof outline_);
      connection->from_first(scale_.data(), scale_.size() * sizeof(float));
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
  require_gloo();
  return std::make_shared<Coordinator>(std::move(setup));
}

}  // namespace kinescope::sim::k_means
