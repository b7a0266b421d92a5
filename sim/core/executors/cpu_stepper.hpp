// The CPU's stepper: runs iterations at once, until the budget is spent.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <vector>

#include "sim/core/executors/cpu.hpp"
#include "sim/core/executors/stepper.hpp"

namespace kinescope::sim {

template <>
class Stepper<Cpu> {
 public:
  Stepper(Cpu&, std::size_t history_capacity) : history_(history_capacity) {}

  RunState* state() { return &state_; }
  HistoryPoint* history() { return history_.data(); }
  std::int64_t capacity() const { return static_cast<std::int64_t>(history_.size()); }

  bool advance(const Budget& budget, const Iterate& iterate);
  void reset(const RunState& start);
  void set_iterations_per_launch(std::int64_t) {}
  void wait() {}
  RunState seen() const;
  double seconds() const;
  double level_seconds(std::int32_t level) const;
  void copy_history(History& history) const;

 private:
  void mirror(double seconds);

  RunState state_;
  std::vector<HistoryPoint> history_;  // entries below seen_.iteration never change until reset
  mutable std::mutex mutex_;           // guards what follows
  RunState seen_;
  double seconds_ = 0;
  std::map<std::int32_t, double> level_seconds_;
  std::int64_t run_ = 0;  // counts the resets
};

}  // namespace kinescope::sim
