// Paces a simulation for the window, whose thread never waits for it.
//
// The runner has a thread of its own. It advances the simulation in small slices, and publishes between two slices once
// the window has handed it the buffers:  frame(): begin() -> [thread: publish()] -> a later frame(): end().  With a
// fixed number of iterations a frame (`steps`), frame() does that work itself, jobs included, and waits for it: frame n
// shows step n.
//
//   Runner runner(std::move(simulation), buffers, options);   // attaches
//   each frame:  runner.frame();  runner.snapshot(), runner.take_error(), ... ; runner.frame_drawn();
//   runner.request_stop(); ... while (!runner.stopped()) ...; destroy (on the thread that owns the buffers)
#pragma once

#include <any>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/runs/replay.hpp"
#include "kinescope/error.hpp"
#include "kinescope/simulation.hpp"
#include "render/shared/shared_buffers.hpp"

namespace kinescope::app {

inline constexpr double unlimited_pace = std::numeric_limits<double>::infinity();

struct RunnerOptions {
  long steps = 0;                // exact number of iterations a frame; 0: `pace` decides
  double pace = 20;              // iterations a second
  double budget_seconds = 8e-3;  // seconds of computing before the thread looks for jobs and requests
  bool running = true;
  long until = -1;                             // pauses at exactly this iteration; negative: never
  std::shared_ptr<std::mutex> turn = nullptr;  // as for share_turn()
  const sim::SimulationKind* kind = nullptr;   // for advice in errors; null: none is given
};

// The error of a run that ended before the iteration that was asked for (`--at`).
sim::Error too_late(long ended, long wanted);

class Runner {
 public:
  using Job = std::function<void(sim::Simulation&)>;

  // `buffers` must outlive the runner. `story` has led the simulation to where it is. Call this and everything below on
  // the thread of the OpenGL context.
  Runner(std::unique_ptr<sim::Simulation> simulation, render::SharedBuffers& buffers, const RunnerOptions& options,
         RunStory story = {});
  ~Runner();  // stops, and waits for the slice or job under way

  // Call once a frame, before drawing.
  void frame() {
    if (steps_ > 0)
      frame_here();
    else
      frame_on_thread();
  }
  // Call once a frame, after drawing. The run begins after the first few calls.
  void frame_drawn();

  void set_running(bool running);
  bool running() const { return locked(running_); }
  // An error stopped the run, and nobody has resumed or stepped it since.
  bool failed() const { return locked(failed_); }
  void step();     // one iteration, then pause
  void restart();  // from the beginning, with the present parameters
  void set_pace(double iterations_per_second);
  void set_budget(double seconds);
  // The run waits once it has computed for so many seconds; infinity: never. No effect with a fixed number of
  // iterations a frame.
  void set_clock(double seconds);
  // Runs that share `turn` compute one at a time, so that none slows another down while it is timed. Null: the run
  // shares no turn.
  void share_turn(std::shared_ptr<std::mutex> turn);
  // Gives the live parameters these values, a set of the kind's type. If they are changed again before that has
  // happened, only the last values count.
  void apply(std::shared_ptr<const sim::ParameterSet> values);
  void stimulate(const sim::Stimulus& stimulus);
  // Passes on an input that leaves the run's course as it is.
  void send(std::any input);
  // Runs a job between two slices (to write a result or a report); it may take long and may wait for the device. A job
  // with a name replaces one of that name that still waits.
  void post(Job job, const std::string& name = "");
  bool busy() const;  // a job is waiting or under way

  bool done() const;     // nothing is left to do, and the final state is published
  bool arrived() const;  // it has paused at RunnerOptions::until, and that state is published
  std::shared_ptr<const sim::Snapshot> snapshot() const { return simulation_->snapshot(); }
  sim::Progress progress() const { return snapshot()->progress; }
  // The snapshot of what the buffers show. On CUDA the host learns of iterations only afterwards, so it may lag by a
  // few, unless frame() does the work.
  const std::shared_ptr<const sim::Snapshot>& published() const { return published_; }
  // How many of the events came before what the buffers show.
  std::size_t published_events() const { return published_events_; }
  // The values with which the run began, and what a person has done to it so far.
  RunStory story() const { return locked(story_); }
  // The chapters that restarts have ended, and the present one.
  std::vector<Chapter> chapters() const;
  // How many chapters restarts have ended, and how many events the present one has.
  std::pair<std::size_t, std::size_t> place() const;
  sim::Backend backend() const { return simulation_->backend(); }

  // The latest error, returned once; an error pauses the runner.
  std::optional<sim::Error> take_error();
  // Milliseconds spent in advance() and publish() since the last call; on CUDA as the simulation itself measures them.
  double take_sim_ms();

  void request_stop();  // does not wait; see stopped()
  bool stopped() const { return locked(stopped_); }
  // Waits for the thread; after that the simulation belongs to the caller alone.
  sim::Simulation& stop();

 private:
  enum class Handover { none, wanted, written };  // the state of the buffers between begin() and end()

  template <class T>
  T locked(const T& value) const {
    const std::lock_guard lock(mutex_);
    return value;
  }
  void work();
  bool work_once(std::unique_lock<std::mutex>& lock);
  long allowance(std::chrono::steady_clock::time_point now);
  std::chrono::steady_clock::duration until_next() const;
  void take_over_jobs(std::unique_lock<std::mutex>& lock);
  void advance(std::unique_lock<std::mutex>& lock, sim::Budget budget);
  void publish(std::unique_lock<std::mutex>& lock);
  bool arrive(long iteration);
  void frame_on_thread();
  void frame_here();
  void account(std::chrono::steady_clock::time_point begin);
  void note_restart(RunStory before, const sim::Progress& end);
  template <class F>
  bool guarded(F&& f);

  const std::unique_ptr<sim::Simulation> simulation_;
  render::SharedBuffers& buffers_;
  const long steps_;  // 0: the simulation advances on the thread; else in frame(), by this many iterations
  std::shared_ptr<const sim::Snapshot> published_;  // only the window's thread uses these two
  std::size_t published_events_ = 0;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable wake_;
  bool stop_ = false, stopped_ = false, running_, failed_ = false, done_ = false, dirty_ = true, arrived_ = false;
  long until_;  // -1 once it has arrived
  long single_steps_ = 0;
  int frames_drawn_ = 0;  // counts up to frames_before_start
  double pace_, budget_seconds_, allowed_ = 0, clock_ = std::numeric_limits<double>::infinity();
  std::chrono::steady_clock::time_point paced_ = std::chrono::steady_clock::now();
  std::shared_ptr<std::mutex> turn_;
  const sim::SimulationKind* const kind_;
  Handover handover_ = Handover::none;
  std::shared_ptr<const sim::Snapshot> written_;  // of the latest publish()
  std::size_t written_events_ = 0;
  RunStory story_;
  std::vector<Chapter> ended_;
  std::deque<std::pair<std::string, Job>> jobs_;  // with their names
  std::optional<sim::Error> error_;
  double sim_ms_ = 0, sim_seconds_before_ = 0;
  std::thread thread_;
};

}  // namespace kinescope::app
