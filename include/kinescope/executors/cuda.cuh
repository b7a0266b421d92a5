// The CUDA executor: launches on one stream. They are only enqueued; wait() waits for them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "kinescope/executors/cuda_check.hpp"
#include "kinescope/executors/executor.hpp"
#include "kinescope/executors/extent.hpp"
#include "kinescope/simulation.hpp"
#include "kinescope/trace.hpp"

namespace kinescope::sim {
namespace cuda_kernels {

__device__ inline std::int64_t actual(const Extent& extent) {
  return extent.actual ? *extent.actual : extent.maximum;
}

template <class F>
__global__ void __launch_bounds__(reduction_block) for_each(Extent extent, F f) {
  const std::int64_t count = actual(extent), stride = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) f(i);
}

template <class F>
__global__ void once(F f) {
  f();
}

// Adds one value from each thread, in the tree of extent.hpp; thread 0 gets the sum. `shared` has reduction_block
// elements.
template <class T>
__device__ T sum_in_tree(T value, T* shared) {
  const int thread = threadIdx.x;
  shared[thread] = value;
  __syncthreads();
  for (int width = reduction_block / 2; width > 0; width /= 2) {
    if (thread < width) shared[thread] = shared[thread] + shared[thread + width];
    __syncthreads();
  }
  const T total = shared[0];
  __syncthreads();
  return total;
}

// The last block to arrive adds the blocks' totals and finishes; the sum does not depend on which block that is.
template <class T, class F, class Finish>
__global__ void __launch_bounds__(reduction_block)
    reduce(Extent extent, T identity, F f, Finish finish, T* totals, unsigned* arrived) {
  __shared__ alignas(T) unsigned char memory[reduction_block * sizeof(T)];
  __shared__ bool last;
  T* shared = reinterpret_cast<T*>(memory);
  const int thread = threadIdx.x;
  const std::int64_t count = actual(extent);
  const std::int64_t blocks = (count + reduction_block - 1) / reduction_block;
  for (std::int64_t block = blockIdx.x; block < blocks; block += gridDim.x) {
    const std::int64_t i = block * reduction_block + thread;
    const T total = sum_in_tree(i < count ? f(i) : identity, shared);
    if (thread == 0) totals[block] = total;
  }
  if (thread == 0) {
    __threadfence();
    last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  T sum = identity;
  for (std::int64_t block = thread; block < blocks; block += reduction_block) sum = sum + totals[block];
  sum = sum_in_tree(sum, shared);
  if (thread == 0) {
    *arrived = 0;
    finish(sum);
  }
}

}  // namespace cuda_kernels

class CopyLanes;

class Cuda {
 public:
  static constexpr Backend backend = Backend::cuda;

  explicit Cuda(int device) : Cuda(Setup{.device = device}) {}
  explicit Cuda(const Setup& setup);
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;
  ~Cuda();

  void* allocate(std::size_t bytes);
  void release(void* memory, std::size_t bytes) noexcept;
  std::size_t held() const { return held_; }
  int device() const { return device_; }
  void copy_in(void* to, const void* from, std::size_t bytes);
  void copy_out(void* to, const void* from, std::size_t bytes);
  // Like copy_in, but does not wait for the work enqueued before, which must not use the memory at `to`. Work enqueued
  // afterwards sees the new values. The host's memory at `from` may change once this returns.
  void send(void* to, const void* from, std::size_t bytes);
  void wait();
  // Selects the device for the calling thread; each thread that launches or allocates must call this once.
  void make_current();
  // Lets launches of the kernel use as much dynamic shared memory as the device allows, and returns that number of
  // bytes. CUDA keeps one limit for each kernel, so it must not depend on the size of a run: other runs launch the same
  // kernel.
  template <class... Parameters>
  std::size_t allow_shared(void (*kernel)(Parameters...)) {
    return allow_shared(reinterpret_cast<const void*>(kernel));
  }
  cudaStream_t stream() const { return stream_; }  // only for the thread that launches: record() changes it for a while
  Trace& trace() { return *trace_; }

  template <class F>
  void for_each(const char* label, Extent extent, F f) {
    if (extent.maximum == 0) return;
    launch(label, {grid(extent), reduction_block}, cuda_kernels::for_each<F>, extent, f);
  }

  template <class T, class F, class Finish>
  void reduce(const char* label, Extent extent, T identity, F f, Finish finish) {
    static_assert(sizeof(T) < 152, "nvcc 13.0 drops terms of a sum of 152 bytes: make it two");
    static_assert(std::is_trivially_copyable_v<T>);
    make_current();
    const std::size_t blocks = static_cast<std::size_t>((extent.maximum + reduction_block - 1) / reduction_block);
    T* totals = static_cast<T*>(scratch((blocks + 1) * sizeof(T)));
    launch(label, {grid(extent), reduction_block}, cuda_kernels::reduce<T, F, Finish>, extent, identity, f, finish,
           totals, arrived_);
  }

  template <class F>
  void once(const char* label, F f) {
    launch(label, {1, 1}, cuda_kernels::once<F>, f);
  }

  struct Shape {
    dim3 blocks, threads;
    std::size_t shared_bytes = 0;
  };

  // Launches a kernel. All kernels are launched here: the label is the name in the trace, in the timings and for
  // profilers (NVTX).
  template <class... Parameters>
  void launch(const char* label, const Shape& shape, void (*kernel)(Parameters...),
              const std::type_identity_t<Parameters>&... arguments) {
    library(label, [&] { kernel<<<shape.blocks, shape.threads, shape.shared_bytes, stream_>>>(arguments...); });
  }

  // The graph of the launches that f() makes. They are recorded on a separate stream. Another thread may use the usual
  // stream meanwhile (the window maps its buffers on it), and a stream that is recording refuses such calls.
  template <class F>
  cudaGraph_t record(F f) {
    cudaGraph_t graph = nullptr;
    std::swap(stream_, recording_);
    try {
      CUDA_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
      f();
      CUDA_CHECK(cudaStreamEndCapture(stream_, &graph));
    } catch (...) {
      std::swap(stream_, recording_);
      throw;
    }
    std::swap(stream_, recording_);
    return graph;
  }

  // For launches that a library makes on stream(): call() enqueues them.
  template <class F>
  void library(const char* label, F call) {
    make_current();
    const DeviceSpan span(*this, label);
    call();
    CUDA_CHECK(cudaGetLastError());
  }

 private:
  // An NVTX range around a launch, and a pair of events while the trace is on.
  class DeviceSpan {
   public:
    DeviceSpan(Cuda& cuda, const char* label);
    DeviceSpan(const DeviceSpan&) = delete;
    DeviceSpan& operator=(const DeviceSpan&) = delete;
    ~DeviceSpan();

   private:
    Cuda* cuda_;
    const char* label_;
    cudaEvent_t begin_{};
  };

  // Enough blocks to fill the device; kernels loop over the rest.
  unsigned grid(const Extent& extent) const {
    const std::int64_t blocks = (extent.maximum + reduction_block - 1) / reduction_block;
    return static_cast<unsigned>(blocks < 1 ? 1 : blocks < resident_blocks_ ? blocks : resident_blocks_);
  }
  std::size_t allow_shared(const void* kernel);
  // Memory for the totals of one reduction: launches on one stream run one after another, so they can share it.
  void* scratch(std::size_t bytes);

  int device_;
  int resident_blocks_ = 0;
  cudaStream_t stream_{}, recording_{};
  unsigned* arrived_ = nullptr;
  void* scratch_ = nullptr;
  std::size_t scratch_bytes_ = 0;
  std::atomic<std::size_t> held_ = 0;
  std::shared_ptr<Trace> trace_;
  std::shared_ptr<CopyLanes> lanes_;
};
static_assert(Executor<Cuda>);

}  // namespace kinescope::sim
