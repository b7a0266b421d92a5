// Copies to the host what others need to compute a pass, and makes their sums available to the device. The sums are in
// the device's own memory if all others have opened that; else in the host memory that the processes share, if it is
// registered; else they pass through pinned memory.
#pragma once

#include <bit>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "kinescope/executors/cuda.cuh"
#include "kinescope/in_parallel.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/group.hpp"
#include "sim/k_means/launches.hpp"
#include "sim/k_means/points.hpp"
#include "sim/k_means/run_view.hpp"

namespace kinescope::sim::k_means {

// Host memory that the device reads and writes directly.
class Pinned {
 public:
  Pinned() = default;
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() { cudaFreeHost(memory_); }
  // Returns memory of at least so many bytes. Its content is lost if it grows.
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

// Registers shared memory with CUDA while this lives, so that the devices of this process read and write it.
class Registered {
 public:
  Registered(Cuda& cuda, std::shared_ptr<SharedMemory> memory) : cuda_(cuda), memory_(std::move(memory)) {
    if (!memory_) return;
    cuda_.make_current();
    void* const begin = memory_->all().data();
    void* device = nullptr;
    done_ = cudaHostRegister(begin, memory_->all().size(), cudaHostRegisterPortable | cudaHostRegisterMapped) ==
            cudaSuccess;
    // Launches get the host's addresses, so the device's must be the same.
    if (done_ && (cudaHostGetDevicePointer(&device, begin, 0) != cudaSuccess || device != begin)) unregister();
    if (!done_) cudaGetLastError();  // clears the error: memory that is not registered is copied instead
  }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;
  ~Registered() {
    if (done_) unregister();
  }
  bool done() const { return done_; }
  bool holds(const void* address) const {
    if (!done_) return false;
    const std::span<std::byte> all = memory_->all();
    return address >= all.data() && address < all.data() + all.size();
  }

 private:
  // Waits first, because the run's own launches may still read the memory.
  void unregister() {
    cuda_.make_current();
    cudaDeviceSynchronize();
    cudaHostUnregister(memory_->all().data());
    done_ = false;
  }

  Cuda& cuda_;
  const std::shared_ptr<SharedMemory> memory_;
  bool done_ = false;
};

// The twin of the answers' places (see SharedMemory). It is allocated here if this process gathers answers, else opened
// when it is first needed. If either fails there is no twin.
class Twin {
 public:
  Twin(Cuda& cuda, std::shared_ptr<SharedMemory> memory, bool gathers) : cuda_(cuda), memory_(std::move(memory)) {
    if (memory_ && gathers) offer();
    tried_ = !memory_ || gathers;
  }
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;
  ~Twin() {
    if (!open_) return;
    cuda_.make_current();
    cudaIpcCloseMemHandle(open_);
  }
  // The address in the twin that corresponds to `place`. Null if `place` is no answer's, or if the answer must go to
  // `place` itself.
  void* of(const void* place) {
    if (!memory_) return nullptr;
    const std::span<std::byte> answers = memory_->answers();
    if (place < answers.data() || place >= answers.data() + answers.size()) return nullptr;
    if (!tried_) open();
    if (!open_ || !memory_->uses_twin()) return nullptr;
    return static_cast<std::byte*>(open_) + (static_cast<const std::byte*>(place) - answers.data());
  }

 private:
  static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(SharedMemory::Handle));
  static constexpr std::size_t page = 2 << 20;  // a handle opens whole pages, with whatever else is in them

  void offer() {
    cuda_.make_current();
    std::int64_t* twin = nullptr;
    cudaIpcMemHandle_t handle;
    const std::size_t bytes = (memory_->answers().size() + page - 1) / page * page;
    if (cudaMalloc(&twin, bytes) == cudaSuccess && cudaIpcGetMemHandle(&handle, twin) == cudaSuccess)
      return memory_->offer_twin(twin, std::bit_cast<SharedMemory::Handle>(handle), [twin] { cudaFree(twin); });
    cudaFree(twin);
    cudaGetLastError();
  }
  void open() {
    tried_ = true;
    const SharedMemory::Handle* const handle = memory_->hold_twin();
    if (!handle) return;
    if (cudaIpcOpenMemHandle(&open_, std::bit_cast<cudaIpcMemHandle_t>(*handle), cudaIpcMemLazyEnablePeerAccess) ==
        cudaSuccess)
      return memory_->note_open();
    open_ = nullptr;
    cudaGetLastError();
  }

  Cuda& cuda_;
  const std::shared_ptr<SharedMemory> memory_;
  bool tried_ = false;
  void* open_ = nullptr;
};

// Copies state, control and the present centroids to the host, in words of 4 bytes. A kernel does it because only the
// device knows which of the two sets of centroids is the present one.
struct TakePass {
  static constexpr std::int64_t state = sizeof(RunState) / 4, control = sizeof(Control) / 4;

  RunView run;
  std::uint32_t* to;
  float* centroids;

  __device__ void operator()(std::int64_t i) const {
    const auto word = [](const auto* from, std::int64_t at) {
      return reinterpret_cast<const std::uint32_t*>(from)[at];
    };
    if (i < state)
      to[i] = word(run.state, i);
    else if (i < state + control)
      to[i] = word(run.control, i - state);
    else
      centroids[i - state - control] = run.current_centroids()[i - state - control];
  }
};

class Passes {
 public:
  explicit Passes(Cuda& cuda) : cuda_(cuda) {}

  // Waits for the device, then returns state, control and centroids on the host. The centroids are written to `place`,
  // or to memory of its own if that is null.
  PassOnHost on_host(const RunView& run, float* place) {
    constexpr std::size_t head = sizeof(RunState) + sizeof(Control);
    const std::int64_t numbers = std::int64_t{run.clusters} * run.dimensions();
    unsigned char* const memory = memory_.reserve(head + sizeof(float) * static_cast<std::size_t>(numbers));
    if (!place) place = reinterpret_cast<float*>(memory + head);
    cuda_.for_each("take pass", TakePass::state + TakePass::control + numbers,
                   TakePass{run, reinterpret_cast<std::uint32_t*>(memory), place});
    cuda_.wait();
    return {reinterpret_cast<const RunState*>(memory), control(), place};
  }

  void add_sums(const RunView& run, const PartialSums& parts) {
    const std::size_t bytes = 8 * static_cast<std::size_t>(run.sum_size());
    std::int64_t* const to = run.sums_in(control()->current);
    const Answers& others = parts.others;
    AddSums add{parts.own, others.twin ? others.twin : others.first, others.stride, others.workers, to};
    if (parts.own && !is_here(parts.own)) {
      CUDA_CHECK(cudaMemcpyAsync(to, parts.own, bytes, cudaMemcpyDefault, cuda_.stream()));
      add.own = to;
      if (others.twin) {
        const std::size_t all = 8 * static_cast<std::size_t>(others.workers * others.stride);
        add.others = reinterpret_cast<std::int64_t*>(added_.reserve(all));
        CUDA_CHECK(cudaMemcpyAsync(added_.data(), others.twin, all, cudaMemcpyDefault, cuda_.stream()));
      }
    }
    if (!parts.registered && !others.twin) {
      const AddSums on_host{nullptr, add.others, add.stride, add.workers,
                            reinterpret_cast<std::int64_t*>(added_.reserve(bytes))};
      in_parallel(static_cast<std::size_t>(run.sum_size()), 1 << 14,
                  [&](std::size_t e) { on_host(static_cast<std::int64_t>(e)); });
      add.others = on_host.to;
      add.workers = 1;
    }
    cuda_.for_each("add sums", run.sum_size(), add);
  }

 private:
  // Whether `memory` is on the run's device, and not on another one.
  bool is_here(const void* memory) {
    cuda_.make_current();
    int device = 0;
    cudaPointerAttributes where{};
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaPointerGetAttributes(&where, memory));
    return where.device == device;
  }
  const Control* control() const { return reinterpret_cast<const Control*>(memory_.data() + sizeof(RunState)); }

  Cuda& cuda_;
  Pinned memory_, added_;
};

template <>
class HostMemory<Cuda> {
 public:
  HostMemory(Cuda& cuda, const std::shared_ptr<SharedMemory>& memory, bool gathers)
      : cuda_(cuda), shared_(cuda, memory), twin_(cuda, memory, gathers) {}
  bool registered() const { return shared_.done(); }
  const float* readable(std::span<const float> values) {
    if (shared_.holds(values.data())) return values.data();
    void* const staged = values_.reserve(values.size_bytes());
    std::memcpy(staged, values.data(), values.size_bytes());
    return static_cast<const float*>(staged);
  }
  void take(std::span<std::int64_t> to, const std::int64_t* from) {
    void* const twin = twin_.of(to.data());
    const bool straight = twin || shared_.holds(to.data());
    void* const there = twin ? twin : straight ? to.data() : static_cast<void*>(sums_.reserve(to.size_bytes()));
    CUDA_CHECK(cudaMemcpyAsync(there, from, to.size_bytes(), cudaMemcpyDefault, cuda_.stream()));
    cuda_.wait();
    if (!straight) std::memcpy(to.data(), there, to.size_bytes());
  }

 private:
  Cuda& cuda_;
  Registered shared_;
  Twin twin_;
  Pinned values_, sums_;
};

}  // namespace kinescope::sim::k_means
