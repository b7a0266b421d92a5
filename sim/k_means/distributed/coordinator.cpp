// The run's side of the coordinator: forming generations, and passes.
#include <algorithm>
#include <iterator>

#include "sim/core/error.hpp"
#include "sim/core/executors/devices.hpp"
#include "sim/k_means/distributed/coordinator_class.hpp"
#include "sim/k_means/distributed/held_rows.hpp"

namespace kinescope::sim::k_means {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds starting{10};  // a process that has given no sign of life by then gives none

}  // namespace

std::string Coordinator::begin(std::shared_ptr<const Dataset> data, const RunFacts& facts) {
  const Checksums checksums = checksums_of(*data);
  try {
    notes_->write("rows", checksums.text());
  } catch (const Lost& lost) {
    throw run_error(lost.what());
  }
  data_ = std::move(data);
  facts_ = facts;
  outline_ = {static_cast<std::int64_t>(data_->points), static_cast<std::int64_t>(data_->dimensions), facts.clusters,
              facts.reach};
  if (setup_.computes) backend_ = started(setup_.processor);
  {
    const std::lock_guard lock(mutex_);
    self_.last = own_;
    write_text(self_.last.device, backend_.device);
    if (setup_.computes) self_.state = State::working;
    checksum_ = checksums.whole();
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
  tell_shared_devices();
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
  if (sums[1] != checksum_of(text))
    throw input_error(setup_.store + ": its moment is damaged; without --resume the run begins at its start");
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
  tell_refusals();
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
      auto time = [last = Clock::now()]() mutable {
        const Clock::time_point begin = std::exchange(last, Clock::now());
        return std::chrono::nanoseconds(last - begin).count();
      };
      Pass own = pass;
      connection_->from_first(&own, sizeof own);
      connection_->from_first(const_cast<float*>(centroids.data()), centroids.size_bytes());
      const std::int64_t sending = time();
      received_.assign(sums.size() + static_cast<std::size_t>(workers_) * std::tuple_size_v<Times>, 0);
      if (own_sums_) own_sums_->sum(pass, centroids, std::span(received_).first(sums.size()));
      const std::int64_t computing = time();
      connection_->sum_at_first(received_);
      note_times(std::span(received_).subspan(sums.size()), {computing, sending, time()});
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
void Coordinator::note_times(std::span<const std::int64_t> times, const Times& own) {
  const std::lock_guard lock(mutex_);
  if (own_sums_) {
    ++self_.passes;
    for (std::size_t part = 0; part < own.size(); ++part) self_.times[part] += own[part];
  }
  auto time = times.begin();
  for (const int worker : dealt_) {
    if (worker <= 0) continue;
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
    if (worker != itself && std::find(chosen.begin(), chosen.end(), worker) == chosen.end()) worker = 0;
  if (!drops_ || has_come || rows_dealt() == 0) {
    dealt_ = chosen;
    if (setup_.computes) dealt_.insert(dealt_.begin(), itself);
  }
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
    return has_memory &&
           std::all_of(workers.begin(), workers.end(), [&](int worker) { return last(worker).memory == generation_; });
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

void Coordinator::deal_itself() {
  own_sums_ = nullptr;
  own_rows_ = {};
  const auto part = std::find(dealt_.begin(), dealt_.end(), itself);
  if (part == dealt_.end()) return;
  own_rows_ = rows_of(static_cast<int>(part - dealt_.begin()), static_cast<int>(dealt_.size()), outline_.points);
  Setup processor = setup_.processor;
  processor.data = data_;
  const int devices = std::max(1, static_cast<int>(cuda_devices().size()));
  own_sums_ = make_row_sums({processor, facts_, own_rows_, setup_.megabytes, workers_ / devices + 1});
}

void Coordinator::form() {
  for (;;) {
    const std::vector<int> workers = choose();
    workers_ = static_cast<int>(workers.size());
    own_sums_ = nullptr;
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
      deal_itself();
      std::int64_t rows = own_rows_.count;
      connection->sum_at_first({&rows, 1});
      if (rows == rows_dealt()) break;
    } catch (const Lost&) {
    }
    await_news();
  }
  {
    const std::lock_guard lock(mutex_);
    for (Loss& loss : lost_)
      if (std::isnan(loss.resumed))
        loss.resumed = std::chrono::duration<double, std::milli>(Clock::now() - loss.when).count();
  }
  tell_news();
}

std::shared_ptr<Crew> make_coordinator(CoordinatorSetup setup) {
  return std::make_shared<Coordinator>(std::move(setup));
}

}  // namespace kinescope::sim::k_means
