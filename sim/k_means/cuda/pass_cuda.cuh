// Brings to the host what others need to make a pass, and their sums to the device, through pinned memory.
#pragma once

#include <algorithm>
#include <cstring>

#include "sim/core/executors/cuda.cuh"
#include "sim/k_means/points.hpp"
#include "sim/k_means/run_view.hpp"

namespace kinescope::sim::k_means {

// Memory of the host that the device reads and writes without a copy in between.
class Pinned {
 public:
  Pinned() = default;
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() { cudaFreeHost(memory_); }
  // Forgets what is in it if it grows.
  unsigned char* reserve(std::size_t bytes) {
    if (bytes <= capacity_) return memory_;
    cudaFreeHost(memory_);
    memory_ = nullptr;
    capacity_ = 0;
    CUDA_CHECK(cudaMallocHost(&memory_, bytes));
    capacity_ = bytes;
    return memory_;
  }
  unsigned char* data() const { return memory_; }

 private:
  unsigned char* memory_ = nullptr;
  std::size_t capacity_ = 0;
};

// State, control and the present centroids, in words of 4 bytes: which centroids these are, only the device knows.
struct TakePass {
  static constexpr std::int64_t state = sizeof(RunState) / 4, control = sizeof(Control) / 4;

  RunView run;
  std::uint32_t* to;

  __device__ void operator()(std::int64_t i) const {
    const auto word = [](const auto* from, std::int64_t at) {
      return reinterpret_cast<const std::uint32_t*>(from)[at];
    };
    to[i] = i < state             ? word(run.state, i)
            : i < state + control ? word(run.control, i - state)
                                  : word(run.current_centroids(), i - state - control);
  }
};

class Passes {
 public:
  explicit Passes(Cuda& cuda) : cuda_(cuda) {}

  PassOnHost on_host(const RunView& run) {
    const std::int64_t words = TakePass::state + TakePass::control + std::int64_t{run.clusters} * run.dimensions();
    sums_at_ = (static_cast<std::size_t>(words) * 4 + 63) / 64 * 64;
    unsigned char* const memory = memory_.reserve(sums_at_ + 8 * static_cast<std::size_t>(run.sum_size()));
    cuda_.for_each("take pass", words, TakePass{run, reinterpret_cast<std::uint32_t*>(memory)});
    cuda_.wait();
    return {reinterpret_cast<const RunState*>(memory), control(),
            reinterpret_cast<const float*>(memory + sizeof(RunState) + sizeof(Control)),
            reinterpret_cast<std::int64_t*>(memory + sums_at_)};
  }
  void put_sums(const RunView& run) {
    CUDA_CHECK(cudaMemcpyAsync(run.sums_in(control()->current), memory_.data() + sums_at_,
                               8 * static_cast<std::size_t>(run.sum_size()), cudaMemcpyHostToDevice, cuda_.stream()));
  }

 private:
  const Control* control() const { return reinterpret_cast<const Control*>(memory_.data() + sizeof(RunState)); }

  Cuda& cuda_;
  Pinned memory_;
  std::size_t sums_at_ = 0;
};

// What a worker receives and sends goes this way. `put` is over once `take` is.
template <>
class Staging<Cuda> {
 public:
  void reserve(Cuda&, std::size_t bytes) { memory_.reserve(bytes); }
  void put(Cuda& cuda, void* to, const void* from, std::size_t bytes, std::size_t at) {
    std::memcpy(memory_.data() + at, from, bytes);
    CUDA_CHECK(cudaMemcpyAsync(to, memory_.data() + at, bytes, cudaMemcpyHostToDevice, cuda.stream()));
  }
  void take(Cuda& cuda, void* to, const void* from, std::size_t bytes) {
    CUDA_CHECK(cudaMemcpyAsync(memory_.data(), from, bytes, cudaMemcpyDeviceToHost, cuda.stream()));
    cuda.wait();
    std::memcpy(to, memory_.data(), bytes);
  }

 private:
  Pinned memory_;
};

}  // namespace kinescope::sim::k_means
