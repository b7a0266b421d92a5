// CUDA's stepper: enqueues iterations in small batches, as graphs. Two batches are in flight, so that the device always
// has work and the host soon sees when the run has moved on to another program. advance() works until its budget is
// spent, as on the CPU, and may leave the last batches in flight; a window calls it on a thread of its own.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "kinescope/executors/cuda.cuh"
#include "kinescope/executors/stepper.hpp"

namespace kinescope::sim {

template <>
class Stepper<Cuda> : public RunMirror {
 public:
  Stepper(Cuda& cuda, std::size_t history_capacity);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  ~Stepper();

  RunState* state() { return state_; }
  HistoryPoint* history() { return entries_; }

  bool advance(const Budget& budget, const Iterate& iterate);
  void reset(const RunState& start);
  // One call of `iterate` may do this many iterations. Budgets still count iterations, and the caller's kernels must
  // respect a limit within a launch.
  void set_iterations_per_launch(std::int64_t iterations) { iterations_per_launch_ = iterations; }
  void need_host() { needs_host_ = true; }
  void wait();

 private:
  struct Batch {
    cudaEvent_t begin{}, end{};
    RunState* state = nullptr;  // pinned; the state after the batch
    std::int64_t iterations = 0;
    bool in_flight = false;
  };

  std::int64_t next_count(const Budget& budget, std::int64_t wanted) const;
  void enqueue(std::int64_t iterations, const Iterate& iterate);
  void repeat(std::int32_t program, std::int64_t iterations, const Iterate& iterate);
  void harvest(Batch& batch);      // takes the results of a batch that has ended
  bool harvest_done();             // harvests all ended batches in order; true if a slot for a batch is free
  std::int64_t in_flight() const;  // iterations
  void drop_graphs();
  void drain();  // waits for all batches in flight, and harvests them

  static constexpr std::int64_t graph_iterations = 8, known_batch = 32, unknown_batch = 8;

  Cuda& cuda_;
  RunState* state_ = nullptr;             // device
  HistoryPoint* entries_ = nullptr;       // device
  HistoryPoint* entries_seen_ = nullptr;  // pinned
  std::array<Batch, 2> batches_;          // used in turn
  std::size_t next_ = 0;
  std::int64_t iterations_per_launch_ = 1;
  bool needs_host_ = false;
  std::int64_t enqueued_ = 0;                       // iterations done at most when everything in flight has ended
  double seconds_per_iteration_ = 0;                // 0: not known yet
  std::map<std::int32_t, cudaGraphExec_t> graphs_;  // by program
  std::map<std::int32_t, bool> launched_;           // programs that have run one iteration without a graph
};

}  // namespace kinescope::sim
