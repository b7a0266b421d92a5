#include <algorithm>
#include <atomic>
#include <cstring>
#include <nvtx3/nvToolsExt.h>
#include <oneapi/tbb/parallel_for.h>
#include <string>

#include "sim/core/cuda.cuh"
#include "sim/core/error.hpp"

namespace kinescope::sim {

void check_cuda(cudaError_t status, const char* expression, const char* file, int line) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears it, so that the next call does not report this one again
  const std::string where = std::string(" (") + expression + ", " + file + ":" + std::to_string(line) + ")";
  if (status == cudaErrorMemoryAllocation)
    throw run_error("out of GPU memory: try fewer points or --backend cpu" + where);
  throw run_error(std::string("the CUDA device failed: ") + cudaGetErrorString(status) + where);
}

Cuda::Cuda(const Setup& setup) : device_(setup.device), trace_(setup.trace ? setup.trace : std::make_shared<Trace>()) {
  CUDA_CHECK(cudaSetDevice(device_));
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, device_));
  resident_blocks_ = properties.multiProcessorCount * (properties.maxThreadsPerMultiProcessor / reduction_block);
  CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  CUDA_CHECK(cudaMalloc(&arrived_, sizeof(unsigned)));
  CUDA_CHECK(cudaMemsetAsync(arrived_, 0, sizeof(unsigned), stream_));
}

Cuda::~Cuda() {
  cudaStreamSynchronize(stream_);
  cudaFree(scratch_);
  cudaFree(arrived_);
  cudaStreamDestroy(stream_);
}

void* Cuda::allocate(std::size_t bytes) {
  void* memory = nullptr;
  make_current();
  CUDA_CHECK(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)));
  return memory;
}

void Cuda::release(void* memory) noexcept {
  cudaFree(memory);
}

namespace {

// A thread's part in a large copy: it fills one pinned buffer while the device takes the other.
class CopyLane {
 public:
  CopyLane(int device, std::size_t chunk) : chunk_(chunk) {
    CUDA_CHECK(cudaSetDevice(device));
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (cudaEvent_t& event : taken_) CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CUDA_CHECK(cudaMallocHost(&buffers_, 2 * chunk));
  }
  CopyLane(const CopyLane&) = delete;
  CopyLane& operator=(const CopyLane&) = delete;
  ~CopyLane() {
    cudaStreamSynchronize(stream_);
    cudaFreeHost(buffers_);
    for (cudaEvent_t event : taken_) cudaEventDestroy(event);
    cudaStreamDestroy(stream_);
  }

  void copy(char* to, const char* from, std::size_t bytes) {
    char* buffer = static_cast<char*>(buffers_) + side_ * chunk_;
    CUDA_CHECK(cudaEventSynchronize(taken_[side_]));
    std::memcpy(buffer, from, bytes);
    CUDA_CHECK(cudaMemcpyAsync(to, buffer, bytes, cudaMemcpyHostToDevice, stream_));
    CUDA_CHECK(cudaEventRecord(taken_[side_], stream_));
    side_ = 1 - side_;
  }
  void wait() { CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_{};
  cudaEvent_t taken_[2] = {};
  void* buffers_ = nullptr;
  std::size_t chunk_, side_ = 0;
};

}  // namespace

// The driver copies from pageable memory with one thread: 8 GB/s beside an H200, where eight lanes with chunks of 1 MiB
// reach 40. A pinned MiB costs 0.5 ms to get, so that small copies are the driver's, and chunks the smaller the less
// there is to copy.
void Cuda::copy_in(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t large = 64 << 20;
  constexpr int lanes = 8;
  const std::size_t chunk = std::clamp<std::size_t>(bytes >> 9, 256 << 10, 1 << 20);
  if (bytes >= large) {
    wait();  // what was enqueued may still use the memory
    std::atomic<std::size_t> next = 0;
    oneapi::tbb::parallel_for(0, lanes, [&](int) {
      std::size_t at = next.fetch_add(chunk);
      if (at >= bytes) return;
      CopyLane lane(device_, chunk);
      for (; at < bytes; at = next.fetch_add(chunk))
        lane.copy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at,
                  std::min(chunk, bytes - at));
      lane.wait();
    });
  } else if (bytes) {
    CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_));
  }
  wait();
}

void Cuda::copy_out(void* to, const void* from, std::size_t bytes) {
  if (bytes) CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
  wait();
}

void Cuda::make_current() {
  CUDA_CHECK(cudaSetDevice(device_));
}

void Cuda::wait() {
  CUDA_CHECK(cudaStreamSynchronize(stream_));
}

void* Cuda::scratch(std::size_t bytes) {
  if (bytes > scratch_bytes_) {
    wait();
    CUDA_CHECK(cudaFree(scratch_));
    scratch_ = nullptr;
    scratch_bytes_ = 0;
    CUDA_CHECK(cudaMalloc(&scratch_, bytes));
    scratch_bytes_ = bytes;
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

// Tracing waits for each launch: the spans are those of launches one by one, without overlap.
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
