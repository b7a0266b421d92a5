#include "sim/core/cuda_stepper.cuh"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kinescope::sim {

Stepper<Cuda>::Stepper(Cuda& cuda, std::size_t history_capacity)
    : cuda_(cuda), capacity_(static_cast<std::int64_t>(history_capacity)) {
  state_ = static_cast<RunState*>(cuda_.allocate(sizeof(RunState)));
  history_ = static_cast<HistoryPoint*>(cuda_.allocate(history_capacity * sizeof(HistoryPoint)));
  CUDA_CHECK(cudaMallocHost(&history_seen_, history_capacity * sizeof(HistoryPoint)));
  for (Batch& batch : batches_) {
    CUDA_CHECK(cudaEventCreate(&batch.begin));
    CUDA_CHECK(cudaEventCreate(&batch.end));
    CUDA_CHECK(cudaMallocHost(&batch.state, sizeof(RunState)));
  }
}

Stepper<Cuda>::~Stepper() {
  cudaStreamSynchronize(cuda_.stream());
  drop_graph();
  for (Batch& batch : batches_) {
    cudaEventDestroy(batch.begin);
    cudaEventDestroy(batch.end);
    cudaFreeHost(batch.state);
  }
  cudaFreeHost(history_seen_);
  cuda_.release(history_);
  cuda_.release(state_);
}

bool Stepper<Cuda>::advance(const Budget& budget, const Iterate& iterate) {
  const bool endless = budget.seconds == std::numeric_limits<double>::infinity();
  std::int64_t left = budget.iterations;
  for (;;) {
    if (!harvest_done()) {
      if (!endless) return true;  // the device is behind: more would only add to the delay
      CUDA_CHECK(cudaEventSynchronize(batches_[next_].end));
      continue;
    }
    if (seen().converged || left <= 0) break;
    std::int64_t count = 4 * graph_iterations;
    if (!endless) {
      const double fitting = seconds_per_iteration_ > 0 ? budget.seconds / seconds_per_iteration_ : 1.0;
      count = static_cast<std::int64_t>(std::min(fitting, 1e6));
      count = std::clamp<std::int64_t>(count, 1, std::max<std::int64_t>(2 * last_count_, 1));
    }
    count = std::min(count, left);
    enqueue(batches_[next_], count, iterate);
    next_ = (next_ + 1) % batches_.size();
    last_count_ = count;
    left -= count;
    if (!endless) break;
  }
  if (endless) wait();
  return !seen().converged;
}

void Stepper<Cuda>::enqueue(Batch& batch, std::int64_t iterations, const Iterate& iterate) {
  const cudaStream_t stream = cuda_.stream();
  CUDA_CHECK(cudaEventRecord(batch.begin, stream));
  repeat(iterations, iterate);
  CUDA_CHECK(cudaMemcpyAsync(batch.state, state_, sizeof(RunState), cudaMemcpyDeviceToHost, stream));
  // The device may have stopped anywhere before `enqueued_`; what it has not written is copied again with a later batch.
  const std::int64_t first = std::min(seen().iteration, capacity_);
  enqueued_ = std::min(enqueued_ + iterations, capacity_);
  if (enqueued_ > first)
    CUDA_CHECK(cudaMemcpyAsync(history_seen_ + first, history_ + first, (enqueued_ - first) * sizeof(HistoryPoint),
                               cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaEventRecord(batch.end, stream));
  batch.iterations = iterations;
  batch.in_flight = true;
}

void Stepper<Cuda>::repeat(std::int64_t iterations, const Iterate& iterate) {
  // The first iteration is launched plainly: it may still allocate, which a capture cannot.
  if (!graph_ && enqueued_ > 0 && iterations >= graph_iterations && !cuda_.trace().enabled()) {
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(cuda_.stream(), cudaStreamCaptureModeThreadLocal));
    for (std::int64_t i = 0; i < graph_iterations; ++i) iterate();
    CUDA_CHECK(cudaStreamEndCapture(cuda_.stream(), &graph));
    CUDA_CHECK(cudaGraphInstantiate(&graph_, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
  }
  if (graph_ && !cuda_.trace().enabled())
    for (; iterations >= graph_iterations; iterations -= graph_iterations) CUDA_CHECK(cudaGraphLaunch(graph_, cuda_.stream()));
  for (; iterations > 0; --iterations) iterate();
}

void Stepper<Cuda>::harvest(Batch& batch) {
  float milliseconds = 0;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, batch.begin, batch.end));
  if (batch.iterations > 0) seconds_per_iteration_ = std::max(1e-7, 1e-3 * milliseconds / double(batch.iterations));
  batch.in_flight = false;
  const std::lock_guard lock(mutex_);
  seen_ = *batch.state;
  seconds_ += 1e-3 * milliseconds;
}

bool Stepper<Cuda>::harvest_done() {
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    Batch& batch = batches_[(next_ + i) % batches_.size()];
    if (!batch.in_flight) continue;
    const cudaError_t status = cudaEventQuery(batch.end);
    if (status == cudaErrorNotReady) break;
    CUDA_CHECK(status);
    harvest(batch);
  }
  return !batches_[next_].in_flight;
}

void Stepper<Cuda>::wait() {
  cuda_.wait();
  harvest_done();
}

void Stepper<Cuda>::reset(const RunState& start) {
  wait();
  drop_graph();
  cuda_.copy_in(state_, &start, sizeof start);
  enqueued_ = start.iteration;
  last_count_ = 0;
  seconds_per_iteration_ = 0;
  const std::lock_guard lock(mutex_);
  seen_ = start;
  seconds_ = 0;
  ++run_;
}

void Stepper<Cuda>::drop_graph() {
  if (graph_) cudaGraphExecDestroy(graph_);
  graph_ = nullptr;
}

RunState Stepper<Cuda>::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

double Stepper<Cuda>::seconds() const {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

void Stepper<Cuda>::copy_history(History& history) const {
  const std::lock_guard lock(mutex_);
  if (history.run != run_) history = {{}, run_};
  const std::int64_t had = static_cast<std::int64_t>(history.points.size());
  const std::int64_t known = std::clamp<std::int64_t>(seen_.iteration, had, std::max(had, capacity_));
  history.points.insert(history.points.end(), history_seen_ + had, history_seen_ + known);
}

}  // namespace kinescope::sim
