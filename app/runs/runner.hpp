// Paces a simulation for the window, whose thread never waits for it.
//
// A thread of the runner's own advances the simulation in small slices, and publishes between two slices when the
// window has handed it the buffers:  frame(): begin() -> [thread: publish()] -> a later frame(): end().  With a fixed
// number of iterations a frame (`steps`), frame() does that work, jobs included, and waits for it: frame n shows step
// n.
//
//   Runner runner(std::move(simulation), buffers, options);   // attaches
//   each frame:  runner.frame();  runner.progress(), runner.take_error(), ... ; runner.frame_drawn();
//   runner.request_stop(); ... while (!runner.stopped()) ...; destroy (on the thread that owns the buffers)
#pragma once

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

#include "render/shared/shared_buffers.hpp"
#include "sim/core/error.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::app {

inline constexpr double unlimited_pace = std::numeric_limits<double>::infinity();

struct RunnerOptions {
  long steps = 0;                // iterations a frame, exactly; 0: by the pace of time
  double pace = 20;              // iterations a second
  double budget_seconds = 8e-3;  // of computing at a stretch, until the thread looks up
  bool running = true;
};

class Runner {
 public:
  using Job = std::function<void(sim::Simulation&)>;

  // `buffers` must outlive the runner. On the thread of the OpenGL context, as are all calls below.
  Runner(std::unique_ptr<sim::Simulation> simulation, render::SharedBuffers& buffers, const RunnerOptions& options);
  ~Runner();  // stops, and waits for the slice or job under way
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Once a frame, before drawing.
  void frame();
  // Once a frame, when it has been drawn. The first such calls let the run begin.
  void frame_drawn();

  void set_running(bool running);
  bool running() const;
  void step();     // one iteration, then pause
  void restart();  // from the beginning, with the parameters as they are
  void set_pace(double iterations_per_second);
  double pace() const;
  void set_budget(double seconds);
  // A parameter that changes live, with a value its set has accepted. Of several values the last one counts.
  void change(const std::string& name, const std::string& value);
  void stimulate(const sim::Stimulus& stimulus);
  // Runs a job between two slices (a result, a report): it may take long and wait for the device.
  void post(Job job);
  bool busy() const;  // a job is waiting or under way

  bool done() const;  // nothing left to do, and what is done is published
  sim::Progress progress() const { return simulation_->progress(); }
  void history(sim::History& history) const { simulation_->history(history); }
  sim::Backend backend() const { return simulation_->backend(); }
  // For what its class offers to any thread at any time, beside progress and history.
  const sim::Simulation& simulation() const { return *simulation_; }

  // What has gone wrong; the runner is paused then. Once.
  std::optional<sim::Error> take_error();
  // Milliseconds spent in advance() and publish() since the last call; on CUDA as the simulation accounts for them.
  double take_sim_ms();

  void request_stop();  // does not wait
  bool stopped() const;
  // Waits for the thread; from then on the simulation is the caller's alone.
  sim::Simulation& stop();

 private:
  enum class Handover { none, wanted, written };  // of the buffers, between begin() and end()
  enum class Place { thread, frame };             // where the simulation advances

  void work();
  bool work_once(std::unique_lock<std::mutex>& lock);
  bool has_work(std::chrono::steady_clock::time_point now);
  long allowance(std::chrono::steady_clock::time_point now);
  std::chrono::steady_clock::duration until_next() const;
  void take_over_jobs(std::unique_lock<std::mutex>& lock);
  void advance(std::unique_lock<std::mutex>& lock, sim::Budget budget);
  void publish(std::unique_lock<std::mutex>& lock);
  void frame_on_thread();
  void frame_here(std::unique_lock<std::mutex>& lock);
  void account(std::chrono::steady_clock::time_point begin);
  template <class F>
  bool guarded(F&& f);

  const std::unique_ptr<sim::Simulation> simulation_;
  render::SharedBuffers& buffers_;
  const long steps_;
  const Place place_;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable wake_;
  bool stop_ = false, stopped_ = false, running_, done_ = false, dirty_ = true;
  long single_steps_ = 0;
  int frames_drawn_ = 0;  // up to frames_before_start
  double pace_, budget_seconds_, allowed_ = 0;
  std::chrono::steady_clock::time_point paced_ = std::chrono::steady_clock::now();
  Handover handover_ = Handover::none;
  std::deque<std::pair<std::string, Job>> jobs_;  // named: a later job of the same name replaces it
  std::optional<sim::Error> error_;
  double sim_ms_ = 0, sim_seconds_before_ = 0;
  std::thread thread_;
};

}  // namespace kinescope::app
