// Runs iterations within a budget and mirrors what they did: one interface, a specialization for each executor
// (cpu_stepper.hpp, cuda_stepper.cuh).
//
//   Stepper(Executor&, std::size_t history_capacity)
//   RunState* state(); HistoryPoint* history(); std::int64_t capacity()   in the executor's memory, for the kernels
//   bool advance(const Budget&, iterate)    works until the budget is spent; false once the run has converged
//   void reset(const RunState& start)       before the first iteration, and to restart
//   void set_iterations_per_launch(n)       one call of `iterate` does up to n (1 at first); RunState::left then
//                                           counts launches
//   void need_host()                        iterations wait for the host, so none is recorded in a graph
//   void wait()                             waits until all enqueued work is done and mirrored
//   RunState seen(); double seconds();      what the mirror shows; from any thread
//   double level_seconds(level)             computing time at that level (on CUDA to within a batch); from any thread
//   void copy_history(History&)             appends the entries since the last call; from any thread
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

#include "sim/core/executors/run_state.hpp"

namespace kinescope::sim {

template <class Executor>
class Stepper;

// The host's knowledge of a run; the same class for every executor.
class RunMirror {
 public:
  std::int64_t capacity() const { return capacity_; }
  RunState seen() const;
  double seconds() const;
  double level_seconds(std::int32_t level) const;
  void copy_history(History& history) const;

 protected:
  explicit RunMirror(std::size_t history_capacity) : capacity_(static_cast<std::int64_t>(history_capacity)) {}
  void reset_mirror(const RunState& start);

  std::int64_t capacity_;
  const HistoryPoint* noted_ = nullptr;  // the host's history: entries below seen_.iteration never change until reset
  mutable std::mutex mutex_;             // guards what follows, and those entries
  RunState seen_;
  double seconds_ = 0;
  std::map<std::int32_t, double> level_seconds_;
  std::int64_t run_ = 0;  // counts the resets
};

// Enqueues one iteration of a program (RunState::program). The host may not know yet that the run has gone on to
// another program: launches whose program is not the current one do nothing.
using Iterate = std::function<void(std::int32_t program)>;

}  // namespace kinescope::sim
