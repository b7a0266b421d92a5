// The part of the coordinator that its watching thread executes: who lives, who has come or is lost. Also what is
// reported about the workers.
#include <algorithm>
#include <map>

#include "sim/k_means/distributed/coordinator_class.hpp"

namespace kinescope::sim::k_means {

using std::chrono::milliseconds;

namespace {

constexpr const char* other_data = "its data differ from those of the run";

}  // namespace

void Coordinator::watch() {
  Presence presence = own_;
  for (Clock::time_point beaten; !ending_; std::this_thread::sleep_for(milliseconds(look_milliseconds))) {
    if (Clock::now() - beaten > milliseconds(beat_milliseconds)) {
      beaten = Clock::now();
      ++presence.beats;
      presence.iteration = iteration_;
      presence.ready = has_rows_note_;
      {
        const std::lock_guard lock(mutex_);
        presence.generation = generation_;
      }
      signs_->beat(presence);
      if (!disowned_ && !signs_->owns()) {
        disowned_ = true;
        lose_store("its notes are gone");
      }
    }
    const std::vector<std::int64_t> ended = setup_.ended();
    std::size_t known = 0;
    {
      const std::lock_guard lock(mutex_);
      known = workers_.size();
    }
    // A server may take a second for each answer: the run does not wait for it.
    std::vector<std::optional<Presence>> seen(known + 1);
    for (std::size_t i = 0; i <= known; ++i) seen[i] = signs_->presence(worker_name(static_cast<int>(i) + 1));
    const std::lock_guard lock(mutex_);
    ended_.insert(ended.begin(), ended.end());
    if (seen[known]) workers_.push_back({static_cast<int>(known) + 1, {}, Clock::now(), State::arriving});
    for (std::size_t i = 0; i < workers_.size(); ++i) look_at(workers_[i], seen[i]);
    if (broken_ && connection_) connection_->abort();
    show();
  }
}

void Coordinator::show() {
  KMeansWorkers seen;
  const auto show = [&](const Worker& worker, int dealt_as) {
    const auto seconds = [&](std::size_t part) { return 1e-9 * static_cast<double>(worker.times[part]); };
    KMeansWorker shown{worker.number, worker.state == State::working, 0, 0, worker.last.device, seconds(0), seconds(1),
                       seconds(2)};
    if (const auto part = std::find(dealt_.begin(), dealt_.end(), dealt_as); part != dealt_.end()) {
      const Rows rows =
          rows_of(static_cast<int>(part - dealt_.begin()), static_cast<int>(dealt_.size()), outline_.points);
      shown.first = rows.first, shown.rows = rows.count;
    }
    seen.workers.push_back(std::move(shown));
  };
  if (setup_.computes) show(self_, itself);
  for (const Worker& worker : workers_) show(worker, worker.number);
  for (const Loss& loss : lost_) seen.lost.push_back({loss.iteration, loss.worker});
  for (const Joining& each : joined_) seen.joined.push_back({each.iteration, each.worker});
  const std::lock_guard lock(seen_mutex_);
  seen_ = std::move(seen);
}

void Coordinator::look_at(Worker& worker, const std::optional<Presence>& seen) {
  const Presence now = seen.value_or(worker.last);
  const bool lives = now.beats != worker.last.beats;
  if (lives) worker.heard = Clock::now();
  worker.last = now;
  switch (worker.state) {
    case State::arriving:
      if (!outlined_ || !can_come(worker) || disowned_ || Clock::now() < next_arrival_) return;
      if (now.checksum != checksum_) return refuse(worker, other_data);
      if (std::strcmp(now.machine, own_.machine) != 0 && (now.listens == 0 || own_.listens == 0))
        return refuse(worker, "it is on another machine: both the run and the worker need --listen ADDRESS");
      changed_ = true;
      return;
    case State::working:
      if (now.checksum != checksum_) {  // it noticed this only when it read the rows that it was dealt
        const auto untold = joined_.begin() + static_cast<std::ptrdiff_t>(told_joined_);
        joined_.erase(
            std::remove_if(untold, joined_.end(), [&](const Joining& each) { return each.worker == worker.number; }),
            joined_.end());
        changed_ = broken_ = true;
        return refuse(worker, other_data);
      }
      if (has_ended(worker) || !is_heard(worker)) lose(worker);
      if (now.generation == -generation_ && generation_ > 0) changed_ = broken_ = true;  // it has left the generation
      return;
    case State::lost:
      if (lives) worker.state = State::arriving;
      return;
    case State::refused:
      return;
  }
}

void Coordinator::refuse(Worker& worker, const std::string& why) {
  worker.state = State::refused;
  untold_.push_back("worker " + std::to_string(worker.number) + " is refused: " + why);
  try {
    signs_->write("refused/" + std::to_string(worker.number), why);
  } catch (const StoreLost&) {  // it leaves once it sees that too
  }
}

void Coordinator::lose(Worker& worker) {
  worker.state = State::lost;
  lost_.push_back({iteration_, worker.number,
                   std::chrono::duration<double, std::milli>(Clock::now() - worker.heard).count(), NAN, Clock::now()});
  changed_ = broken_ = true;
}

// How many of those that work, this one included, compute on the same GPU.
int Coordinator::sharing(const Worker& worker) const {
  const auto shares = [&](const Worker& other) {
    return other.state == State::working && std::strcmp(other.last.machine, worker.last.machine) == 0 &&
           std::strcmp(other.last.device, worker.last.device) == 0;
  };
  return static_cast<int>(std::count_if(workers_.begin(), workers_.end(), shares)) + shares(self_);
}

// Reports which workers share a GPU, because they are no faster than one of them.
void Coordinator::tell_shared_devices() {
  std::map<std::string, std::string> by_device;
  {
    const std::lock_guard lock(mutex_);
    const auto look = [&](const Worker& worker) {
      if (worker.state != State::working || worker.last.device[0] == 0 || sharing(worker) < 2) return;
      std::string& numbers = by_device[std::string(worker.last.device) + " on " + worker.last.machine];
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(worker.number);
    };
    look(self_);
    for (const Worker& worker : workers_) look(worker);
  }
  for (const auto& [device, numbers] : by_device) setup_.tell("workers " + numbers + " share " + device);
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
  if (!news.empty() && working_ == 0)
    news.emplace_back("no worker is left: this process computes by itself");
  else if (const std::int64_t missing = outline_.points - rows_dealt(); !news.empty() && missing > 0)
    news.push_back(std::to_string(missing) + " rows are left out until a worker joins");
  for (const std::string& each : news) setup_.tell(each);
}

// Says once that the store is lost. From any thread.
void Coordinator::lose_store(const std::string& why) {
  tell_once("the group's store is lost (" + why + "): the run goes on" +
            (setup_.keeps ? ", but cannot be resumed from here" : ""));
}
void Coordinator::tell_once(const std::string& loss) {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(told_store_, true)) untold_.push_back(loss);
}

// Throws StoreLost also if the notes there are no longer this run's.
void Coordinator::write(const std::string& name, const std::string& text) {
  if (disowned_) throw StoreLost(setup_.store + ": its notes are gone");
  notes_->write(name, text);
}

void Coordinator::tell_untold() {
  std::vector<std::string> news;
  {
    const std::lock_guard lock(mutex_);
    news.swap(untold_);
  }
  for (const std::string& each : news) setup_.tell(each);
}

void Coordinator::report(Report& report) const {
  const std::lock_guard lock(mutex_);
  std::vector<Report> workers, lost, joined;
  const auto add = [&](const Worker& worker) {
    Report entry;
    entry.add("worker", std::int64_t{worker.number});
    entry.add("machine", std::string(worker.last.machine));
    entry.add("process", worker.last.process);
    if (worker.last.device[0] != 0) {
      entry.add("device", std::string(worker.last.device));
      entry.add("sharing", std::int64_t{sharing(worker)});
    }
    entry.add("state", std::string(worker.state == State::working   ? "working"
                                   : worker.state == State::lost    ? "lost"
                                   : worker.state == State::refused ? "refused"
                                                                    : "arriving"));
    entry.add("iterations", worker.passes);
    entry.add("computing_seconds", 1e-9 * static_cast<double>(worker.times[0]));
    entry.add("combining_seconds", 1e-9 * static_cast<double>(worker.times[1]));
    entry.add("waiting_seconds", 1e-9 * static_cast<double>(worker.times[2]));
    workers.push_back(std::move(entry));
  };
  if (setup_.computes) add(self_);
  for (const Worker& worker : workers_) add(worker);
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

}  // namespace kinescope::sim::k_means
