// The CPU's stepper: runs iterations at once, until the budget is spent.
#pragma once

#include <chrono>
#include <vector>

#include "kinescope/executors/cpu.hpp"
#include "kinescope/executors/stepper.hpp"

namespace kinescope::sim {

template <>
class Stepper<Cpu> : public RunMirror {
 public:
  Stepper(Cpu&, std::size_t history_capacity) : RunMirror(history_capacity), entries_(history_capacity) {}

  RunState* state() { return &state_; }
  HistoryPoint* history() { return entries_.data(); }

  bool advance(const Budget& budget, const Iterate& iterate);
  void reset(const RunState& start);
  void set_iterations_per_launch(std::int64_t) {}
  void need_host() {}
  void wait() {}

 private:
  RunState state_;
  std::vector<HistoryPoint> entries_;
};

}  // namespace kinescope::sim
