// What the window may look at, on its way to the host: copies into pinned memory, enqueued behind the launches there
// are, and taken once an event has passed. Nothing waits.
#pragma once

#include <cstring>
#include <vector>

#include "sim/core/cuda.cuh"
#include "sim/k_means/run_view.hpp"

namespace kinescope::sim::k_means {

class Notes {
 public:
  explicit Notes(Cuda& cuda) : cuda_(cuda) { CUDA_CHECK(cudaEventCreateWithFlags(&written_, cudaEventDisableTiming)); }
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;
  ~Notes() {
    cudaStreamSynchronize(cuda_.stream());
    cudaEventDestroy(written_);
    cudaFreeHost(memory_);
  }

  // Enqueues a note, unless the last one is still under way.
  void write(const RunView& run) {
    if (under_way_ && cudaEventQuery(written_) == cudaErrorNotReady) return;
    const std::size_t d = static_cast<std::size_t>(run.dimensions()),
                      last = static_cast<std::size_t>(run.last_clusters);
    parts_.clear();
    bytes_ = 0;
    add(run.state, 1);
    add(run.control, 1);
    add(run.curve, run.swept ? static_cast<std::size_t>(run.last_clusters - run.first_clusters + 1) : 0);
    add(run.paths, static_cast<std::size_t>(path_numbers));
    add(run.centroids, 2 * last * d);
    add(run.sizes, last);
    reserve();
    for (const Part& part : parts_)
      if (part.bytes > 0)
        CUDA_CHECK(cudaMemcpyAsync(memory_ + part.at, part.from, part.bytes, cudaMemcpyDeviceToHost, cuda_.stream()));
    CUDA_CHECK(cudaEventRecord(written_, cuda_.stream()));
    set_ = last * d;
    dimensions_ = run.dimensions();
    under_way_ = true;
  }

  // The last note, once; false if there is none.
  bool take(Look& found) {
    if (!under_way_ || cudaEventQuery(written_) != cudaSuccess) return false;
    under_way_ = false;
    read(0, &found.state, 1);
    read(1, &found.control, 1);
    const Control& control = found.control;
    read_into(2, found.curve, static_cast<std::size_t>(control.finished), 0);
    read_into(3, found.paths, static_cast<std::size_t>(path_size(found.state, control, dimensions_)), 0);
    read_into(4, found.centroids, static_cast<std::size_t>(control.placed) * static_cast<std::size_t>(dimensions_),
              static_cast<std::size_t>(control.current) * set_);
    read_into(5, found.sizes, static_cast<std::size_t>(control.sized), 0);
    return true;
  }

  // Nothing that was written before is of interest any more; what is under way has passed.
  void forget() { under_way_ = false; }

 private:
  struct Part {
    const void* from;
    std::size_t at, bytes;
  };

  template <class T>
  void add(const T* from, std::size_t count) {
    parts_.push_back({from, bytes_, count * sizeof(T)});
    bytes_ += (count * sizeof(T) + 15) / 16 * 16;
  }
  void reserve() {
    if (capacity_ >= bytes_) return;
    cudaFreeHost(memory_);
    memory_ = nullptr;
    capacity_ = 0;
    CUDA_CHECK(cudaMallocHost(&memory_, bytes_));
    capacity_ = bytes_;
  }
  template <class T>
  void read(std::size_t part, T* to, std::size_t count, std::size_t from = 0) const {
    if (count > 0) std::memcpy(to, memory_ + parts_[part].at + from * sizeof(T), count * sizeof(T));
  }
  template <class T>
  void read_into(std::size_t part, std::vector<T>& to, std::size_t count, std::size_t from) const {
    to.resize(count);
    read(part, to.data(), count, from);
  }

  Cuda& cuda_;
  cudaEvent_t written_{};
  std::vector<Part> parts_;
  unsigned char* memory_ = nullptr;  // pinned
  std::size_t bytes_ = 0, capacity_ = 0, set_ = 0;
  int dimensions_ = 0;
  bool under_way_ = false;
};

}  // namespace kinescope::sim::k_means
