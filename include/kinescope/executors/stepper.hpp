// Runs iterations within a budget and mirrors what they did: one interface, a specialization for each executor
// (cpu_stepper.hpp, cuda_stepper.cuh).
//
//   Stepper(E&, std::size_t history_capacity)
//   RunState* state(); HistoryPoint* history(); std::int64_t capacity()   in the executor's memory, for the kernels
//   bool advance(const Budget&, iterate)    works until the budget is spent; false once the run has converged
//   void reset(const RunState& start)       before the first iteration, and to restart
//   void set_iterations_per_launch(n)       one call of `iterate` does up to n (1 at first); RunState::left then
//                                           counts launches
//   void need_host()                        iterations wait for the host, so none is recorded in a graph
//   void wait()                             waits until all enqueued work is done and mirrored
//   seen(), seconds(), seen_history()       what the mirror shows
//   double level_seconds(level)             computing time at that level (on CUDA to within a batch)
//   tell(f)                                 f() is called now and then within advance(), when the mirror has news
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "kinescope/executors/executor.hpp"
#include "kinescope/executors/run_state.hpp"

namespace kinescope::sim {

template <Executor E>
class Stepper;

// The host's knowledge of a run; the same class for every executor.
class RunMirror {
 public:
  std::int64_t capacity() const { return capacity_; }
  const RunState& seen() const { return seen_; }
  double seconds() const { return seconds_; }
  double level_seconds(std::int32_t level) const;
  History seen_history() const { return history_.seen(); }
  void tell(std::function<void()> news) { news_ = std::move(news); }

 protected:
  explicit RunMirror(std::size_t history_capacity) : capacity_(static_cast<std::int64_t>(history_capacity)) {}
  // Takes over the state, and from `entries`, which begin with that of the first iteration, those not yet known.
  void mirror(const RunState& now, const HistoryPoint* entries);
  void reset_mirror(const RunState& start);

  std::int64_t capacity_;
  double seconds_ = 0;
  std::map<std::int32_t, double> level_seconds_;
  std::function<void()> news_ = [] {};

 private:
  RunState seen_;
  Log<HistoryPoint> history_;
};

// Enqueues one iteration of a program (RunState::program). The host may not know yet that the run has gone on to
// another program: launches whose program is not the current one do nothing.
using Iterate = std::function<void(std::int32_t program)>;

}  // namespace kinescope::sim
