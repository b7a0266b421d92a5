#include "app/runs/runner.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>

#include "app/runs/memory_advice.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

using Clock = std::chrono::steady_clock;

// After a slow slice a run makes up for no more than this much time: a slow machine must not compute in bursts.
constexpr double longest_arrears_seconds = 0.1;

// A run starts only after its first pictures are drawn: nobody misses its beginning, and compiling shaders or drawing
// by software does not compete with a run that lasts no longer than one picture.
constexpr int frames_before_start = 3;

std::chrono::steady_clock::duration seconds(double value) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(value));
}

}  // namespace

sim::Error too_late(long ended, long wanted) {
  return sim::input_error(fmt::format("--at {}: the run already ended after {}", wanted,
                                      sim::count_of(std::size_t(std::max(0L, ended)), "iteration")));
}

Runner::Runner(std::unique_ptr<sim::Simulation> simulation, render::SharedBuffers& buffers,
               const RunnerOptions& options, RunStory story)
    : simulation_(std::move(simulation)),
      buffers_(buffers),
      steps_(options.steps),
      running_(options.running),
      until_(options.until),
      pace_(options.pace),
      budget_seconds_(options.budget_seconds),
      turn_(options.turn),
      kind_(options.kind),
      story_(std::move(story)) {
  simulation_->attach(buffers_);
  published_ = written_ = simulation_->snapshot();
  sim_seconds_before_ = simulation_->progress().seconds;
  thread_ = std::thread([this] { work(); });
}

Runner::~Runner() {
  try {
    stop();
  } catch (const std::exception&) {  // the device and its buffers are gone: there is nobody to report it to
  }
}

// Runs `f` with the caller's lock released; an exception becomes the error that the window shows.
template <class F>
bool Runner::guarded(F&& f) {
  std::optional<sim::Error> error;
  try {
    advise_on_memory(kind_, f);
    return true;
  } catch (const sim::Error& caught) {
    error = caught;
  } catch (const std::exception&) {
    error = sim::run_error("the simulation stopped unexpectedly: try to restart it");
  }
  const std::lock_guard lock(mutex_);
  error_ = std::move(error);
  failed_ = true;
  running_ = false;
  single_steps_ = 0;
  return false;
}

void Runner::work() {
  std::unique_lock lock(mutex_);
  while (!stop_)
    if (!work_once(lock)) {
      if (steps_ == 0 && running_ && !done_)
        wake_.wait_for(lock, until_next());
      else
        wake_.wait(lock);
    }
  stopped_ = true;
}

// Runs the jobs, publishes, or computes one slice; false if there was nothing to do.
bool Runner::work_once(std::unique_lock<std::mutex>& lock) {
  if (steps_ > 0) return false;
  if (!jobs_.empty()) {
    take_over_jobs(lock);
    return true;
  }
  if (handover_ == Handover::wanted) {
    publish(lock);
    handover_ = Handover::written;
    return true;
  }
  const long iterations = allowance(Clock::now());
  if (iterations < 1) return false;
  advance(lock, {budget_seconds_, iterations});
  return true;
}

// How many iterations may be done now. Pausing and stepping discard what the clock would have allowed.
long Runner::allowance(Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - paced_).count();
  paced_ = now;
  if (done_ || frames_drawn_ < frames_before_start) return 0;
  if (!running_) {
    allowed_ = 0;
    return single_steps_;
  }
  if (simulation_->progress().seconds >= clock_) return 0;
  if (std::isinf(pace_)) return std::numeric_limits<long>::max();
  allowed_ = std::min(allowed_ + elapsed * pace_, std::max(1.0, pace_ * longest_arrears_seconds));
  return static_cast<long>(allowed_);
}

Clock::duration Runner::until_next() const {
  constexpr double shortest = 2e-4, longest = 0.25;
  if (simulation_->progress().seconds >= clock_) return seconds(longest);
  return seconds(std::clamp((1 - allowed_) / pace_, shortest, longest));
}

// Drains the jobs in order; they run without the lock, and nothing else touches the simulation meanwhile.
void Runner::take_over_jobs(std::unique_lock<std::mutex>& lock) {
  while (!jobs_.empty() && !stop_) {
    const Job job = std::move(jobs_.front().second);
    jobs_.front().first.clear();  // a later change of the same name must not replace a job that is running
    lock.unlock();
    guarded([&] { job(*simulation_); });
    lock.lock();
    jobs_.pop_front();
  }
}

void Runner::advance(std::unique_lock<std::mutex>& lock, sim::Budget budget) {
  const long before = simulation_->progress().iteration;
  if (arrive(before)) return;
  const bool exact = until_ >= 0;  // then the host must know what the device has done
  if (exact) budget.iterations = std::min(budget.iterations, until_ - before);
  const std::shared_ptr<std::mutex> turn = turn_;
  lock.unlock();
  std::unique_lock<std::mutex> alone;
  if (turn) alone = std::unique_lock(*turn);
  const auto begin = Clock::now();
  bool more = false;
  const bool good = guarded([&] {
    more = simulation_->advance(budget);
    if (exact || turn) simulation_->finish();
  });
  if (turn) alone.unlock();
  const long now = simulation_->progress().iteration, done = now - before;
  lock.lock();
  account(begin);
  if (!good) return;
  dirty_ = true;
  done_ = !more;
  if (!arrive(now) && until_ >= 0 && done_) {
    error_ = too_late(now, std::exchange(until_, -1));
    running_ = false;
  }
  if (running_ && std::isfinite(pace_)) allowed_ = std::max(0.0, allowed_ - double(done));
  single_steps_ = std::max(0L, single_steps_ - std::max(0L, done));
}

// If the run has reached the iteration to pause at (RunnerOptions::until), pauses it and returns true.
bool Runner::arrive(long iteration) {
  if (until_ < 0 || iteration < until_) return false;
  until_ = -1;
  arrived_ = true;
  running_ = false;
  single_steps_ = 0;
  return true;
}

void Runner::publish(std::unique_lock<std::mutex>& lock) {
  dirty_ = false;
  lock.unlock();
  const auto begin = Clock::now();
  guarded([&] { simulation_->publish(); });
  lock.lock();
  written_ = simulation_->snapshot();
  written_events_ = story_.events.size();
  account(begin);
}

void Runner::account(Clock::time_point begin) {
  if (simulation_->backend() == sim::Backend::cpu)
    sim_ms_ += std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void Runner::frame_drawn() {
  const std::lock_guard lock(mutex_);
  if (frames_drawn_ >= frames_before_start || ++frames_drawn_ < frames_before_start) return;
  paced_ = Clock::now();
  wake_.notify_one();
}

void Runner::frame_on_thread() {
  std::unique_lock lock(mutex_);
  if (handover_ == Handover::written) {
    lock.unlock();
    buffers_.end();
    lock.lock();
    published_ = written_;
    published_events_ = written_events_;
    handover_ = Handover::none;
  }
  if (handover_ != Handover::none || !dirty_ || stop_) return;
  lock.unlock();
  const bool writable = buffers_.begin(simulation_->stream());
  lock.lock();
  if (!writable) return;
  handover_ = Handover::wanted;
  wake_.notify_one();
}

void Runner::frame_here() {
  std::unique_lock lock(mutex_);
  take_over_jobs(lock);
  if (stop_) return;
  const long iterations = !running_ ? single_steps_ : steps_;
  if (!done_ && iterations > 0) {
    advance(lock, {std::numeric_limits<double>::infinity(), iterations});
    single_steps_ = 0;
  }
  if (!dirty_ || error_) return;
  lock.unlock();
  while (!buffers_.begin(simulation_->stream())) {  // waits: OpenGL still draws from all slots, but not for long
  }
  lock.lock();
  publish(lock);
  lock.unlock();
  // What is shown beside the picture (groups, notes) must be of this step too.
  guarded([&] {
    buffers_.end();
    simulation_->finish();
  });
  published_ = simulation_->snapshot();
  lock.lock();
  published_events_ = story_.events.size();
}

void Runner::set_running(bool running) {
  const std::lock_guard lock(mutex_);
  running_ = running;
  failed_ = false;
  paced_ = Clock::now();
  allowed_ = running ? 1 : 0;
  wake_.notify_one();
}

void Runner::step() {
  const std::lock_guard lock(mutex_);
  running_ = failed_ = false;
  ++single_steps_;
  wake_.notify_one();
}

void Runner::restart() {
  post([this](sim::Simulation& simulation) {
    simulation.finish();
    const sim::Progress end = simulation.progress();
    simulation.restart();
    const std::lock_guard lock(mutex_);
    note_restart(story_, end);
    done_ = false;
    dirty_ = true;
    sim_seconds_before_ = 0;
  });
}

void Runner::set_pace(double iterations_per_second) {
  const std::lock_guard lock(mutex_);
  pace_ = iterations_per_second;
  wake_.notify_one();
}

void Runner::set_budget(double budget_seconds) {
  const std::lock_guard lock(mutex_);
  budget_seconds_ = budget_seconds;
}

void Runner::set_clock(double seconds) {
  const std::lock_guard lock(mutex_);
  if (seconds > std::exchange(clock_, seconds)) wake_.notify_one();
}

void Runner::share_turn(std::shared_ptr<std::mutex> turn) {
  const std::lock_guard lock(mutex_);
  turn_ = std::move(turn);
}

void Runner::apply(std::shared_ptr<const sim::ParameterSet> values) {
  const auto job = [this, values = std::move(values)](sim::Simulation& simulation) {
    simulation.finish();  // now the host knows after which iteration the values change
    const sim::Progress before = simulation.progress();
    simulation.apply(*values);
    const std::lock_guard lock(mutex_);
    RunStory story = story_;
    story_.events.push_back({before.iteration, values, std::nullopt});
    if (simulation.progress().iteration < before.iteration) note_restart(std::move(story), before);
    done_ = false;
    dirty_ = true;
  };
  post(job, "apply");
}

void Runner::stimulate(const sim::Stimulus& stimulus) {
  post([this, stimulus](sim::Simulation& simulation) {
    simulation.finish();
    const long iteration = simulation.progress().iteration;
    simulation.receive(stimulus);
    const std::lock_guard lock(mutex_);
    story_.events.push_back({iteration, nullptr, stimulus});
    done_ = false;
    dirty_ = true;
  });
}

void Runner::send(std::any input) {
  post([input = std::move(input)](sim::Simulation& simulation) { simulation.receive(input); });
}

// A restarted run begins with the present values of its parameters; strokes are forgotten.
void Runner::note_restart(RunStory before, const sim::Progress& end) {
  ended_.push_back({std::move(before), end});
  story_ = {story_.values(), {}};
}

std::vector<Chapter> Runner::chapters() const {
  const std::lock_guard lock(mutex_);
  std::vector<Chapter> all = ended_;
  all.push_back({story_, simulation_->progress()});
  return all;
}

std::pair<std::size_t, std::size_t> Runner::place() const {
  const std::lock_guard lock(mutex_);
  return {ended_.size(), story_.events.size()};
}

void Runner::post(Job job, const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto same = name.empty() ? jobs_.end() : std::ranges::find(jobs_, name, &std::pair<std::string, Job>::first);
  if (same != jobs_.end())
    same->second = std::move(job);
  else
    jobs_.emplace_back(name, std::move(job));
  wake_.notify_one();
}

bool Runner::busy() const {
  const std::lock_guard lock(mutex_);
  return !jobs_.empty();
}

bool Runner::done() const {
  const std::lock_guard lock(mutex_);
  return done_ && !dirty_ && handover_ == Handover::none && jobs_.empty();
}

bool Runner::arrived() const {
  const std::lock_guard lock(mutex_);
  return arrived_ && !dirty_ && handover_ == Handover::none;
}

std::optional<sim::Error> Runner::take_error() {
  const std::lock_guard lock(mutex_);
  return std::exchange(error_, std::nullopt);
}

double Runner::take_sim_ms() {
  const double total_seconds = simulation_->progress().seconds;
  const std::lock_guard lock(mutex_);
  if (simulation_->backend() == sim::Backend::cuda)
    sim_ms_ = std::max(0.0, 1e3 * (total_seconds - std::exchange(sim_seconds_before_, total_seconds)));
  return std::exchange(sim_ms_, 0.0);
}

void Runner::request_stop() {
  const std::lock_guard lock(mutex_);
  stop_ = true;
  wake_.notify_one();
}

sim::Simulation& Runner::stop() {
  request_stop();
  if (thread_.joinable()) thread_.join();
  if (std::exchange(handover_, Handover::none) != Handover::none) buffers_.end();
  return *simulation_;
}

}  // namespace kinescope::app
