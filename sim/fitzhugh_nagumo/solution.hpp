// A solution that advances with the run: an axon by one scheme, or a sheet.
#pragma once

#include <cstddef>
#include <vector>

#include "kinescope/executors/executor.hpp"
#include "sim/fitzhugh_nagumo/axon/adaptive.hpp"
#include "sim/fitzhugh_nagumo/axon/newton.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// What all solutions of a run share. The pointers are to the executor's memory.
struct Surroundings {
  March* march = nullptr;
  const RunState* run = nullptr;
  Rows rows;
  std::int64_t nodes = 0;  // per side
};

template <class T>
std::vector<double> widened(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

template <Executor E>
class Solution {
 public:
  virtual ~Solution() = default;

  virtual void begin(const Plan& plan) = 0;          // sets the initial values
  virtual void continue_with(const Plan& plan) = 0;  // uses the constants of this plan from now on
  // Enqueues March::steps steps from the current buffers into the others.
  virtual void enqueue() = 0;
  // Whether one launch can do many steps in place, and their bookkeeping.
  virtual bool resident() const { return false; }
  virtual void enqueue_whole_run(HistoryPoint*, std::int64_t) {}

  // State in the executor's memory; null unless the scheme is implicit.
  virtual NewtonState* newton() { return nullptr; }
  // Counts the nodes in use; the result is in the executor's memory. Null unless the scheme is adaptive.
  virtual const NodesUsed* used() { return nullptr; }

  virtual void publish(float* v, float* w) = 0;
  virtual void publish_used(std::uint32_t*) {}
  virtual void publish_tips(float*) {}
  virtual void paint(const Stimulus& stimulus) = 0;

  // These wait for the device. `current` is the index of the buffer that holds the solution.
  virtual std::vector<double> read_v(std::int32_t current) = 0;
  virtual std::vector<double> read_w(std::int32_t current) = 0;
  virtual std::size_t field_bytes() const = 0;
  virtual void copy_fields(std::int32_t current, void* v, void* w) = 0;
  virtual std::vector<float> newton_corrections() { return {}; }
  virtual NodesUsed nodes_used() const { return {}; }
};

}  // namespace kinescope::sim::fitzhugh_nagumo
