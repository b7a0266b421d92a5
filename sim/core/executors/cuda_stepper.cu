#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "kinescope/executors/cuda_stepper.cuh"

namespace kinescope::sim {
namespace {

// A run makes graphs only after this many iterations, because making one costs as much as launching some tens of
// iterations.
constexpr std::int64_t plain_iterations = 64;

// Copies the iterations' history entries to pinned memory. The device may have stopped before the last entries.
struct TakeHistory {
  const RunState* state;
  const HistoryPoint* from;
  HistoryPoint* to;
  std::int64_t first;
  __device__ void operator()(std::int64_t i) const {
    if (first + i < state->iteration) to[first + i] = from[first + i];
  }
};

}  // namespace

Stepper<Cuda>::Stepper(Cuda& cuda, std::size_t history_capacity) : RunMirror(history_capacity), cuda_(cuda) {
  state_ = static_cast<RunState*>(cuda_.allocate(sizeof(RunState)));
  entries_ = static_cast<HistoryPoint*>(cuda_.allocate(history_capacity * sizeof(HistoryPoint)));
  CUDA_CHECK(cudaMallocHost(&entries_seen_, history_capacity * sizeof(HistoryPoint)));
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
  cudaFreeHost(entries_seen_);
  cuda_.release(entries_, static_cast<std::size_t>(capacity_) * sizeof(HistoryPoint));
  cuda_.release(state_, sizeof(RunState));
}

bool Stepper<Cuda>::advance(const Budget& budget, const Iterate& iterate) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  cuda_.make_current();
  const bool endless = budget.seconds == std::numeric_limits<double>::infinity();
  // With a limit on iterations, waits for each batch: one that reaches the end of its program does fewer iterations
  // than were enqueued.
  const bool limited = budget.iterations < std::numeric_limits<long>::max();
  if (limited) drain();
  const std::int64_t first = seen().iteration;
  double told_at = 0;
  while (!seen().converged) {
    const std::int64_t wanted =
        limited ? first + budget.iterations - seen().iteration : std::numeric_limits<std::int64_t>::max();
    if (wanted <= 0) break;
    if (const std::int64_t count = next_count(budget, wanted); count > 0)
      enqueue(count, iterate);
    else
      drain();  // the batches in flight end the program
    if (limited) drain();
    while (!harvest_done()) CUDA_CHECK(cudaEventSynchronize(batches_[next_].end));
    const double now = spent();
    if (now >= budget.seconds) break;
    if (now - told_at > 0.01) {  // people watch the progress
      seconds_ += now - std::exchange(told_at, now);
      news_();
    }
  }
  if (endless || seen().converged) drain();
  seconds_ += spent() - told_at;
  return !seen().converged;
}

// The size of the next batch: at most what the program may have left, and what fits in about half the budget.
std::int64_t Stepper<Cuda>::next_count(const Budget& budget, std::int64_t wanted) const {
  const RunState now = seen();
  std::int64_t count = now.left < 0 ? unknown_batch : std::min(known_batch, now.left - in_flight());
  if (seconds_per_iteration_ > 0 && count > 0)
    count = static_cast<std::int64_t>(std::clamp(0.5 * budget.seconds / seconds_per_iteration_, 1.0, double(count)));
  return std::min(count, (wanted - 1) / iterations_per_launch_ + 1);
}

std::int64_t Stepper<Cuda>::in_flight() const {
  std::int64_t iterations = 0;
  for (const Batch& batch : batches_) iterations += batch.in_flight ? batch.iterations : 0;
  return iterations;
}

void Stepper<Cuda>::enqueue(std::int64_t iterations, const Iterate& iterate) {
  Batch& batch = batches_[next_];
  next_ = (next_ + 1) % batches_.size();
  const cudaStream_t stream = cuda_.stream();
  CUDA_CHECK(cudaEventRecord(batch.begin, stream));
  repeat(seen().program, iterations, iterate);
  CUDA_CHECK(cudaMemcpyAsync(batch.state, state_, sizeof(RunState), cudaMemcpyDeviceToHost, stream));
  // Entries that the device has not written yet are copied with a later batch.
  const std::int64_t first = std::min(seen().iteration, capacity_);
  enqueued_ = std::min(enqueued_ + iterations * iterations_per_launch_, capacity_);
  cuda_.for_each("take history", enqueued_ - first, TakeHistory{state_, entries_, entries_seen_, first});
  CUDA_CHECK(cudaEventRecord(batch.end, stream));
  batch.iterations = iterations;
  batch.in_flight = true;
}

void Stepper<Cuda>::repeat(std::int32_t program, std::int64_t iterations, const Iterate& iterate) {
  const bool tracing = cuda_.trace().enabled();
  // A program's first iteration is launched without a graph: it may still allocate memory, which is not possible during
  // a capture.
  if (!launched_[program] && iterations > 0) {
    iterate(program);
    launched_[program] = true;
    --iterations;
  }
  cudaGraphExec_t& graph = graphs_[program];
  if (!graph && iterations >= graph_iterations && seen().iteration >= plain_iterations && !tracing && !needs_host_) {
    const cudaGraph_t recorded = cuda_.record([&] {
      for (std::int64_t i = 0; i < graph_iterations; ++i) iterate(program);
    });
    CUDA_CHECK(cudaGraphInstantiate(&graph, recorded, 0));
    CUDA_CHECK(cudaGraphDestroy(recorded));
  }
  if (graph && !tracing)
    for (; iterations >= graph_iterations; iterations -= graph_iterations)
      CUDA_CHECK(cudaGraphLaunch(graph, cuda_.stream()));
  for (; iterations > 0; --iterations) iterate(program);
}

void Stepper<Cuda>::harvest(Batch& batch) {
  float milliseconds = 0;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, batch.begin, batch.end));
  if (batch.iterations > 0) seconds_per_iteration_ = std::max(1e-7, 1e-3 * milliseconds / double(batch.iterations));
  batch.in_flight = false;
  level_seconds_[seen().level] += 1e-3 * milliseconds;
  mirror(*batch.state, entries_seen_);
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

void Stepper<Cuda>::drain() {
  cuda_.wait();
  harvest_done();
}

void Stepper<Cuda>::wait() {
  cuda_.make_current();
  drain();
}

void Stepper<Cuda>::reset(const RunState& start) {
  wait();
  drop_graphs();
  cuda_.copy_in(state_, &start, sizeof start);
  enqueued_ = start.iteration;
  seconds_per_iteration_ = 0;
  reset_mirror(start);
}

void Stepper<Cuda>::drop_graphs() {
  for (const auto& [program, graph] : graphs_)
    if (graph) cudaGraphExecDestroy(graph);
  graphs_.clear();
  launched_.clear();
}

}  // namespace kinescope::sim
