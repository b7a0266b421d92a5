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
  drop_graphs();
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
  if (endless) return advance_exactly(budget.iterations, iterate);
  if (!harvest_done()) return true;  // the device is behind: more would only add to the delay
  if (seen().converged) return false;
  const double fitting = seconds_per_iteration_ > 0 ? std::min(budget.seconds / seconds_per_iteration_, 1e6) : 1.0;
  const std::int64_t count = std::clamp<std::int64_t>(static_cast<std::int64_t>(fitting), 1, std::max<std::int64_t>(2 * last_count_, 1));
  last_count_ = std::min<std::int64_t>(count, budget.iterations);
  enqueue(last_count_, iterate);
  return true;
}

// Without a limit two batches are kept in flight; with one, each is waited for, since a batch that met the end of its
// program did fewer iterations than it was sent for.
bool Stepper<Cuda>::advance_exactly(std::int64_t iterations, const Iterate& iterate) {
  const std::int64_t start = (wait(), seen().iteration);
  const bool limited = iterations < std::numeric_limits<long>::max();
  while (!seen().converged) {
    const std::int64_t left = limited ? start + iterations - seen().iteration : unlimited_batch;
    if (left <= 0) break;
    enqueue(std::min(left, unlimited_batch), iterate);
    if (limited) wait();
    while (!harvest_done()) CUDA_CHECK(cudaEventSynchronize(batches_[next_].end));
  }
  wait();
  return !seen().converged;
}

void Stepper<Cuda>::enqueue(std::int64_t iterations, const Iterate& iterate) {
  Batch& batch = batches_[next_];
  next_ = (next_ + 1) % batches_.size();
  const cudaStream_t stream = cuda_.stream();
  CUDA_CHECK(cudaEventRecord(batch.begin, stream));
  repeat(seen().program, iterations, iterate);
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

void Stepper<Cuda>::repeat(std::int32_t program, std::int64_t iterations, const Iterate& iterate) {
  const bool tracing = cuda_.trace().enabled();
  // A program's first iteration is launched plainly: it may still allocate, which a capture cannot.
  if (!launched_[program] && iterations > 0) {
    iterate(program);
    launched_[program] = true;
    --iterations;
  }
  cudaGraphExec_t& graph = graphs_[program];
  if (!graph && iterations >= graph_iterations && !tracing) {
    cudaGraph_t captured = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(cuda_.stream(), cudaStreamCaptureModeThreadLocal));
    for (std::int64_t i = 0; i < graph_iterations; ++i) iterate(program);
    CUDA_CHECK(cudaStreamEndCapture(cuda_.stream(), &captured));
    CUDA_CHECK(cudaGraphInstantiate(&graph, captured, 0));
    CUDA_CHECK(cudaGraphDestroy(captured));
  }
  if (graph && !tracing)
    for (; iterations >= graph_iterations; iterations -= graph_iterations) CUDA_CHECK(cudaGraphLaunch(graph, cuda_.stream()));
  for (; iterations > 0; --iterations) iterate(program);
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
  drop_graphs();
  cuda_.copy_in(state_, &start, sizeof start);
  enqueued_ = start.iteration;
  last_count_ = 0;
  seconds_per_iteration_ = 0;
  const std::lock_guard lock(mutex_);
  seen_ = start;
  seconds_ = 0;
  ++run_;
}

void Stepper<Cuda>::drop_graphs() {
  for (const auto& [program, graph] : graphs_)
    if (graph) cudaGraphExecDestroy(graph);
  graphs_.clear();
  launched_.clear();
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
