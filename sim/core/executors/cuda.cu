#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <nvtx3/nvToolsExt.h>
#include <oneapi/tbb/parallel_for.h>
#include <string>

#include "kinescope/error.hpp"
#include "kinescope/executors/cuda.cuh"

namespace kinescope::sim {

void check_cuda(cudaError_t status, const char* expression, const char* file, int line) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears the error, so that the next call does not report it again
  const std::string where = std::string(" (") + expression + ", " + file + ":" + std::to_string(line) + ")";
  if (status == cudaErrorMemoryAllocation)
    throw run_error("out of GPU memory: try a smaller problem or --backend cpu" + where);
  throw run_error(std::string("the CUDA device failed: ") + cudaGetErrorString(status) + where);
}

namespace {

// One thread's part of a large copy, through two pinned buffers: the thread fills one while the device reads the other,
// or empties one while the device fills the other.
class CopyLane {
 public:
  static constexpr std::size_t chunk = 512 << 10;

  CopyLane() {
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (cudaEvent_t& event : taken_) CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CUDA_CHECK(cudaMallocHost(&buffers_, 2 * chunk));
  }
  ~CopyLane() {
    cudaFreeHost(buffers_);
    for (cudaEvent_t event : taken_) cudaEventDestroy(event);
    cudaStreamDestroy(stream_);
  }
  CopyLane(const CopyLane&) = delete;
  CopyLane& operator=(const CopyLane&) = delete;

  void send(char* to, const char* from, std::size_t bytes) {
    CUDA_CHECK(cudaEventSynchronize(taken_[side_]));
    std::memcpy(buffer(side_), from, bytes);
    CUDA_CHECK(cudaMemcpyAsync(to, buffer(side_), bytes, cudaMemcpyHostToDevice, stream_));
    CUDA_CHECK(cudaEventRecord(taken_[side_], stream_));
    side_ = 1 - side_;
  }
  void fetch(char* to, const char* from, std::size_t bytes) {
    empty(side_);
    CUDA_CHECK(cudaMemcpyAsync(buffer(side_), from, bytes, cudaMemcpyDeviceToHost, stream_));
    CUDA_CHECK(cudaEventRecord(taken_[side_], stream_));
    arriving_[side_] = {to, bytes};
    side_ = 1 - side_;
  }
  void wait() {
    CUDA_CHECK(cudaStreamSynchronize(stream_));
    empty(0), empty(1);
  }

 private:
  struct Arriving {
    char* to = nullptr;
    std::size_t bytes = 0;
  };

  char* buffer(std::size_t side) const { return static_cast<char*>(buffers_) + side * chunk; }
  void empty(std::size_t side) {
    CUDA_CHECK(cudaEventSynchronize(taken_[side]));
    if (arriving_[side].bytes > 0) std::memcpy(arriving_[side].to, buffer(side), arriving_[side].bytes);
    arriving_[side] = {};
  }

  cudaStream_t stream_{};
  cudaEvent_t taken_[2] = {};
  void* buffers_ = nullptr;
  std::size_t side_ = 0;
  Arriving arriving_[2];
};

}  // namespace

// Copies between pageable memory and a device. The driver copies with one thread, at 8 GB/s to an H200; eight lanes
// reach 24.
// Pinned memory costs 0.4 ms per MiB to allocate, so a device's lanes are made with its first executor and shared by
// all executors that exist at the same time.
class CopyLanes {
 public:
  static constexpr std::size_t worthwhile = 4 << 20;

  static std::shared_ptr<CopyLanes> of(int device) {
    static std::mutex mutex;
    static std::map<int, std::weak_ptr<CopyLanes>> all;
    const std::lock_guard lock(mutex);
    std::shared_ptr<CopyLanes> lanes = all[device].lock();
    if (!lanes) all[device] = lanes = std::make_shared<CopyLanes>();
    return lanes;
  }

  void send(int device, char* to, const char* from, std::size_t bytes) {
    in_lanes(device, bytes,
             [&](CopyLane& lane, std::size_t at, std::size_t part) { lane.send(to + at, from + at, part); });
  }
  void fetch(int device, char* to, const char* from, std::size_t bytes) {
    in_lanes(device, bytes,
             [&](CopyLane& lane, std::size_t at, std::size_t part) { lane.fetch(to + at, from + at, part); });
  }

 private:
  template <class F>
  void in_lanes(int device, std::size_t bytes, F f) {
    const std::lock_guard lock(mutex_);
    std::atomic<std::size_t> next = 0;
    oneapi::tbb::parallel_for(
        std::size_t{0}, lanes_.size(),
        [&](std::size_t lane) {
          CUDA_CHECK(cudaSetDevice(device));
          for (std::size_t at; (at = next.fetch_add(CopyLane::chunk)) < bytes;)
            f(lanes_[lane], at, std::min(CopyLane::chunk, bytes - at));
          lanes_[lane].wait();
        },
        oneapi::tbb::simple_partitioner());
  }

  std::array<CopyLane, 8> lanes_;
  std::mutex mutex_;
};

Cuda::Cuda(const Setup& setup) : device_(setup.device), trace_(setup.trace ? setup.trace : std::make_shared<Trace>()) {
  CUDA_CHECK(cudaSetDevice(device_));
  int processors = 0, threads = 0;  // querying these two is faster than cudaGetDeviceProperties
  CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device_));
  CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device_));
  resident_blocks_ = processors * (threads / reduction_block);
  CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  CUDA_CHECK(cudaStreamCreateWithFlags(&recording_, cudaStreamNonBlocking));
  CUDA_CHECK(cudaMalloc(&arrived_, sizeof(unsigned)));
  CUDA_CHECK(cudaMemsetAsync(arrived_, 0, sizeof(unsigned), stream_));
  lanes_ = CopyLanes::of(device_);
}

Cuda::~Cuda() {
  cudaStreamSynchronize(stream_);
  cudaFree(scratch_);
  cudaFree(arrived_);
  cudaStreamDestroy(recording_);
  cudaStreamDestroy(stream_);
}

void* Cuda::allocate(std::size_t bytes) {
  void* memory = nullptr;
  make_current();
  CUDA_CHECK(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)));
  held_ += bytes;
  return memory;
}

void Cuda::release(void* memory, std::size_t bytes) noexcept {
  cudaFree(memory);
  held_ -= bytes;
}

void Cuda::copy_in(void* to, const void* from, std::size_t bytes) {
  if (bytes >= CopyLanes::worthwhile) wait();  // enqueued work may still use the memory
  send(to, from, bytes);
  wait();
}

void Cuda::send(void* to, const void* from, std::size_t bytes) {
  if (bytes >= CopyLanes::worthwhile)
    lanes_->send(device_, static_cast<char*>(to), static_cast<const char*>(from), bytes);
  else if (bytes)
    CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_));
}

void Cuda::copy_out(void* to, const void* from, std::size_t bytes) {
  wait();
  if (bytes >= CopyLanes::worthwhile) {
    lanes_->fetch(device_, static_cast<char*>(to), static_cast<const char*>(from), bytes);
  } else if (bytes) {
    CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
    wait();
  }
}

void Cuda::make_current() {
  CUDA_CHECK(cudaSetDevice(device_));
}

std::size_t Cuda::allow_shared(const void* kernel) {
  make_current();
  int limit = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
  cudaFuncAttributes own;
  CUDA_CHECK(cudaFuncGetAttributes(&own, kernel));
  const std::size_t bytes = static_cast<std::size_t>(limit) - own.sharedSizeBytes;
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  return bytes;
}

void Cuda::wait() {
  CUDA_CHECK(cudaStreamSynchronize(stream_));
}

void* Cuda::scratch(std::size_t bytes) {
  if (bytes > scratch_bytes_) {
    wait();
    CUDA_CHECK(cudaFree(scratch_));
    scratch_ = nullptr;
    held_ -= std::exchange(scratch_bytes_, 0);
    CUDA_CHECK(cudaMalloc(&scratch_, bytes));
    held_ += scratch_bytes_ = bytes;
  }
  return scratch_;
}

Cuda::DeviceSpan::DeviceSpan(Cuda& cuda, const char* label)
    : cuda_(cuda.trace_->enabled() ? &cuda : nullptr), label_(label) {
  nvtxRangePushA(label);
  if (!cuda_) return;
  CUDA_CHECK(cudaEventCreate(&begin_));
  CUDA_CHECK(cudaEventRecord(begin_, cuda_->stream_));
}

// Tracing waits for each launch, so the spans show launches one by one, without overlap.
Cuda::DeviceSpan::~DeviceSpan() {
  nvtxRangePop();
  if (!cuda_) return;
  cudaEvent_t end{};
  float milliseconds = 0;
  if (cudaEventCreate(&end) == cudaSuccess && cudaEventRecord(end, cuda_->stream_) == cudaSuccess &&
      cudaEventSynchronize(end) == cudaSuccess && cudaEventElapsedTime(&milliseconds, begin_, end) == cudaSuccess) {
    const std::int64_t end_ns = cuda_->trace_->now_ns();
    cuda_->trace_->add({label_, end_ns - static_cast<std::int64_t>(milliseconds * 1e6), end_ns, Trace::Track::cuda});
  }
  cudaEventDestroy(end);
  cudaEventDestroy(begin_);
}

}  // namespace kinescope::sim
