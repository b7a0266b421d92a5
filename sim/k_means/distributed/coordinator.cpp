// The part of the coordinator that the run's thread executes: forming generations, and passes.
#include <algorithm>
#include <iterator>

#include "kinescope/error.hpp"
#include "kinescope/executors/devices.hpp"
#include "sim/k_means/distributed/coordinator_class.hpp"
#include "sim/k_means/distributed/held_rows.hpp"

namespace kinescope::sim::k_means {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds starting{10};       // a process without a sign of life by then is waited for no longer
constexpr std::chrono::seconds without_store{10};  // that long the run is alone once the store took no notes
constexpr int most_failed_forms = 3, most_failed_meetings = 5;  // a meeting also fails if a worker is suspended

}  // namespace

std::string Coordinator::begin(std::shared_ptr<const Dataset> data, const RunFacts& facts) {
  const Checksums checksums = checksums_of(*data);
  bool has_store = true;
  try {
    write("rows", checksums.text());
  } catch (const StoreLost& lost) {
    lose_store(lost.what());
    has_store = false;
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
  if (!has_store) {  // workers may wait for the rows' note as long as they hear this process
    leave_workers();
    return moment;
  }
  has_rows_note_ = true;
  await_workers();
  form();
  std::size_t came = 0;
  bool lost_store = false;  // which says that no worker takes part
  {
    const std::lock_guard lock(mutex_);
    lost_store = told_store_;
    came = joined_.size();
    joined_.clear();  // workers that are here from the start are not reported as joined
    told_joined_ = 0;
  }
  if (came < static_cast<std::size_t>(setup_.workers) && !lost_store && !setup_.stopped())
    setup_.tell(std::to_string(came) + " of " + std::to_string(setup_.workers) + " workers have joined");
  tell_shared_devices();
  return moment;
}

// Writes the note `moment`: the checksum of the data, the checksum of the moment, and the moment.
void Coordinator::keep(const std::string& moment) {
  const Clock::time_point began = Clock::now();
  const std::uint32_t sums[2] = {checksum_, checksum_of(moment)};
  try {
    write("moment", std::string(reinterpret_cast<const char*>(sums), sizeof sums) + moment);
  } catch (const StoreLost& lost) {
    lose_store(lost.what());
  }
  // Moments are at least half a second apart, and at least 20 times as long as writing one takes, so that they slow the
  // run by at most a twentieth.
  next_moment_ = Clock::now() + std::max<Clock::duration>(milliseconds(500), 20 * (Clock::now() - began));
}

// Returns the moment in the store; empty if none has been kept yet.
std::string Coordinator::kept_moment() const {
  if (!notes_->has("moment")) return "";
  std::string text;
  try {
    text = notes_->read("moment");
  } catch (const StoreLost& lost) {
    throw input_error("--resume: " + std::string(lost.what()));
  }
  std::uint32_t sums[2] = {};
  const bool whole = text.size() > sizeof sums;
  if (whole) std::memcpy(sums, text.data(), sizeof sums);
  text.erase(0, sizeof sums);
  if (!whole || sums[1] != checksum_of(text))
    throw input_error(
        setup_.store +
        ": the saved state is damaged; once this group is removed, a run without --resume starts at iteration 0");
  if (sums[0] != checksum_) throw input_error(setup_.store + ": the saved state is from other data, or damaged");
  return text;
}

// Waits until each worker that was started here has read its data, has ended, is refused, or is silent.
void Coordinator::await_workers() {
  const Clock::time_point begin = Clock::now();
  for (; !setup_.stopped(); pause()) {
    const std::lock_guard lock(mutex_);
    const auto awaited = [&](const Worker& worker) {
      return worker.state == State::arriving && !has_ended(worker) && is_heard(worker) && !can_come(worker);
    };
    const bool all_started =
        workers_.size() + ended_.size() >= static_cast<std::size_t>(setup_.workers) || Clock::now() - begin > starting;
    if (all_started && std::none_of(workers_.begin(), workers_.end(), awaited)) return;
  }
}

// Between two looks while the run's thread waits.
void Coordinator::pause() const {
  news_();
  std::this_thread::sleep_for(milliseconds(look_milliseconds));
}

bool Coordinator::must_form() {
  const std::lock_guard lock(mutex_);
  return changed_;
}

// Where the GPU writes the centroids of the next message. That message may be sent in a later generation, over another
// connection; combined() then copies them.
float* Coordinator::place(std::size_t numbers) {
  if (!connection_ || !own_sums_ || !own_sums_->registered()) return nullptr;
  const std::size_t bytes = sizeof(Pass) + numbers * sizeof(float);
  if (bytes > most_bytes()) return nullptr;
  return reinterpret_cast<float*>(connection_->message(bytes) + sizeof(Pass));
}

std::optional<PartialSums> Coordinator::sum(const Pass& pass, std::span<const float> centroids) {
  iteration_ = pass.iteration + 1;
  tell_untold();
  if (first_iteration_ == 0) first_iteration_ = iteration_;
  drops_ = pass.drops != 0;
  rows_missing_ = 0;
  if (pass.clusters > facts_.clusters) {  // needs larger messages and answers: a new generation
    outline_.clusters = facts_.clusters = pass.clusters;
    const std::lock_guard lock(mutex_);
    changed_ = true;
  }
  const std::shared_ptr<Connection> written = connection_;  // keeps alive the message in which the centroids may be
  for (;;) {
    if (must_form()) form();
    if (!connection_) return std::nullopt;
    try {
      return combined(pass, centroids);
    } catch (const Lost&) {
      await_news();
    }
  }
}

std::optional<PartialSums> Coordinator::combined(const Pass& pass, std::span<const float> centroids) {
  auto time = [last = Clock::now()]() mutable {
    const Clock::time_point begin = std::exchange(last, Clock::now());
    return std::chrono::nanoseconds(last - begin).count();
  };
  std::byte* const message = connection_->message(sizeof pass + centroids.size_bytes());
  auto* const place = reinterpret_cast<float*>(message + sizeof pass);
  std::memcpy(message, &pass, sizeof pass);
  if (place != centroids.data()) std::copy(centroids.begin(), centroids.end(), place);
  connection_->send();
  const std::int64_t sending = time();
  PartialSums sums;
  if (own_sums_) {
    own_sums_->compute(pass, {place, centroids.size()});
    sums.own = own_sums_->sums();
    sums.registered = own_sums_->registered();
  }
  const std::int64_t computing = time();
  const std::size_t numbers = static_cast<std::size_t>((outline_.dimensions + 1) * pass.clusters + 1);
  sums.others = connection_->answers(numbers + std::tuple_size_v<Times>);
  note_times(sums.others, {computing, sending, time()});
  sums.others.count = numbers;
  const std::int64_t missing = outline_.points - rows_dealt();
  if (missing > 0 && has_empty_cluster(pass, sums)) return std::nullopt;
  rows_missing_ = missing;
  return sums;
}

bool Coordinator::has_empty_cluster(const Pass& pass, const PartialSums& sums) {
  const std::size_t clusters = static_cast<std::size_t>(pass.clusters),
                    first = static_cast<std::size_t>(outline_.dimensions) * clusters;
  std::vector<std::int64_t> counts(clusters);
  if (own_sums_) own_sums_->take(first, counts);
  for (int worker = 0; worker < sums.others.workers; ++worker)
    for (std::size_t k = 0; k < clusters; ++k) counts[k] += sums.others[worker][first + k];
  return std::find(counts.begin(), counts.end(), 0) != counts.end();
}

// Called after a connection broke. Waits until the watching thread has found which worker is lost. If it finds none
// within the timeout, the same workers are connected again.
void Coordinator::await_news() {
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(setup_.timeout));
  while (!must_form() && Clock::now() < end) pause();
  const std::lock_guard lock(mutex_);
  changed_ = true;
}

// Adds the times to the totals. The workers' times are the last numbers of each answer.
void Coordinator::note_times(const Answers& answers, const Times& own) {
  const std::lock_guard lock(mutex_);
  if (own_sums_) {
    ++self_.passes;
    for (std::size_t part = 0; part < own.size(); ++part) self_.times[part] += own[part];
  }
  int rank = 0;
  for (const int number : dealt_) {
    if (number <= 0) continue;
    Worker& worker = workers_[static_cast<std::size_t>(number - 1)];
    const std::span<const std::int64_t> times = answers[rank++].last(own.size());
    ++worker.passes;
    for (std::size_t part = 0; part < own.size(); ++part) worker.times[part] += times[part];
  }
}

std::int64_t Coordinator::rows_dealt() const {
  std::int64_t rows = 0;
  const int parts = static_cast<int>(dealt_.size());
  for (int part = 0; part < parts; ++part)
    if (dealt_[static_cast<std::size_t>(part)] != 0) rows += rows_of(part, parts, outline_.points).count;
  return rows;
}

// Chooses the workers of the next generation, and deals the rows to them.
std::vector<int> Coordinator::choose() {
  const std::lock_guard lock(mutex_);
  changed_ = broken_ = false;
  connection_ = nullptr;
  std::vector<int> chosen;
  bool has_come = false;
  for (Worker& worker : workers_) {
    if (worker.state == State::arriving && can_come(worker) && !has_ended(worker) &&
        worker.last.checksum == checksum_) {
      worker.state = State::working;
      joined_.push_back({iteration_, worker.number});
      has_come = true;
    }
    if (worker.state == State::working) chosen.push_back(worker.number);
  }
  for (int& worker : dealt_)
    if (worker != itself && std::find(chosen.begin(), chosen.end(), worker) == chosen.end()) worker = 0;
  if (!drops_ || has_come || rows_dealt() == 0) {
    dealt_ = chosen;
    if (setup_.computes) dealt_.insert(dealt_.begin(), itself);
  }
  return chosen;
}

// Waits until the workers are free, which takes as long as their present computation. Returns whether all of them have
// reached the shared memory; nothing if one is lost meanwhile or another has come.
std::optional<bool> Coordinator::await_arrival(const std::vector<int>& workers, bool has_memory) {
  for (;; pause()) {
    const std::lock_guard lock(mutex_);
    if (changed_) return std::nullopt;
    const auto last = [this](int worker) -> const Presence& {
      return workers_[static_cast<std::size_t>(worker - 1)].last;
    };
    const auto has_arrived = [&](int worker) { return last(worker).generation == generation_; };
    if (!std::all_of(workers.begin(), workers.end(), has_arrived)) continue;
    return has_memory &&
           std::all_of(workers.begin(), workers.end(), [&](int worker) { return last(worker).memory == generation_; });
  }
}

std::size_t Coordinator::most_bytes() const {
  const std::size_t row = sizeof(float) * facts_.scale.size();
  return std::max(sizeof(Outline) + 2 * row, sizeof(Pass) + static_cast<std::size_t>(facts_.clusters) * row);
}
std::size_t Coordinator::most_numbers() const {
  return (facts_.scale.size() + 1) * static_cast<std::size_t>(facts_.clusters) + 1 + std::tuple_size_v<Times>;
}

// Starts a new generation of these workers, and connects them. Null if the group has changed meanwhile.
std::shared_ptr<Connection> Coordinator::connect_to(const std::vector<int>& workers) {
  std::string text;
  for (const int worker : dealt_) text += std::to_string(worker) + " ";
  std::shared_ptr<SharedMemory> memory;
  if (setup_.listen.empty()) memory = SharedMemory::make(working_ + 1, most_bytes(), most_numbers());
  if (memory) text += "\n" + memory->address();
  {
    const std::lock_guard lock(mutex_);
    ++generation_;
  }
  const std::string name = std::to_string(generation_);
  write("generation/" + name, text);
  const std::optional<bool> all_have_memory = await_arrival(workers, memory != nullptr);
  if (!all_have_memory) return nullptr;
  write("meet/" + name, *all_have_memory ? "memory" : "network");
  if (*all_have_memory) return connect(std::move(memory), 0, working_ + 1);
  const std::string here = setup_.listen.empty() ? loopback : setup_.listen;
  return connect({*notes_, generation_, 0, working_ + 1, here}, [this] { return must_form(); });
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
  // With drops_ there is no twin: while rows are left out, the host must read the answers to find empty clusters.
  own_sums_ = make_row_sums(
      {processor, facts_, own_rows_, setup_.megabytes, working_ / devices + 1, connection_->memory(), !drops_});
}

void Coordinator::send_outline() {
  const std::size_t row = sizeof(float) * facts_.scale.size();
  std::byte* const message = connection_->message(sizeof outline_ + 2 * row);
  std::memcpy(message, &outline_, sizeof outline_);
  std::memcpy(message + sizeof outline_, facts_.scale.data(), row);
  std::memcpy(message + sizeof outline_ + row, facts_.centre.data(), row);
  connection_->send();
}

// Goes on alone: without notes no generation begins. The workers that live are asked again later.
void Coordinator::leave_workers() {
  const std::lock_guard lock(mutex_);
  working_ = 0;
  connection_ = nullptr;
  changed_ = false;
  next_arrival_ = Clock::now() + without_store;
  for (Worker& worker : workers_)
    if (worker.state == State::working) worker.state = State::arriving;
}

void Coordinator::form() {
  for (;;) {
    const std::vector<int> workers = choose();
    working_ = static_cast<int>(workers.size());
    own_sums_ = nullptr;
    if (working_ == 0) break;
    try {
      const std::shared_ptr<Connection> connection = connect_to(workers);
      if (!connection) continue;
      {
        const std::lock_guard lock(mutex_);
        connection_ = connection;
      }
      if (must_form()) continue;
      send_outline();
      deal_itself();
      std::int64_t rows = own_rows_.count;
      const Answers dealt = connection->answers(1);
      for (int worker = 0; worker < dealt.workers; ++worker) rows += dealt[worker][0];
      if (rows == rows_dealt()) {
        failed_forms_ = failed_meetings_ = 0;
        break;
      }
    } catch (const StoreLost& lost) {
      if (disowned_ || ++failed_forms_ >= most_failed_forms) {
        lose_store(lost.what());
        leave_workers();
        break;
      }
    } catch (const Lost& lost) {  // also if workers live, but their notes or messages do not get here
      failed_meetings_ = workers == unmet_ ? failed_meetings_ + 1 : 1;
      unmet_ = workers;
      if (failed_meetings_ >= most_failed_meetings) {
        failed_meetings_ = 0;
        tell_once("the workers cannot be connected (" + std::string(lost.what()) +
                  "): this process computes by itself");
        leave_workers();
        break;
      }
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

std::shared_ptr<Group> make_coordinator(CoordinatorSetup setup) {
  return std::make_shared<Coordinator>(std::move(setup));
}

}  // namespace kinescope::sim::k_means
