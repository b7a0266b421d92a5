// Copies to the host what the window may show. A launch enqueued after the others writes it to pinned memory, and the
// host reads it once an event has passed. Nothing waits.
#pragma once

#include <array>
#include <cstring>
#include <vector>

#include "kinescope/executors/cuda.cuh"
#include "sim/k_means/run_view.hpp"

namespace kinescope::sim::k_means {

// Copies the parts of a Look to pinned memory, in words of 4 bytes. Each part begins at a place of its own, and only
// the entries that exist are copied.
struct TakeNote {
  static constexpr int parts = 6;

  RunView run;
  std::uint32_t* to;
  std::int64_t begins[parts];  // words

  __device__ void operator()(std::int64_t i) const {
    int part = parts - 1;
    while (i < begins[part]) --part;
    const std::int64_t word = i - begins[part];
    const auto copy = [&](const auto* from, std::int64_t count) {
      if (word < count * static_cast<std::int64_t>(sizeof *from / 4))
        to[i] = reinterpret_cast<const std::uint32_t*>(from)[word];
    };
    const Control& control = *run.control;
    if (part == 0) copy(run.state, 1);
    if (part == 1) copy(run.control, 1);
    if (part == 2) copy(run.curve, control.finished);
    if (part == 3) copy(run.present_paths(), path_size(*run.state, control, run.dimensions()));
    if (part == 4) copy(run.current_centroids(), std::int64_t{control.placed} * run.dimensions());
    if (part == 5) copy(run.sizes, control.sized);
  }
};

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

  // Enqueues a note, unless the previous one is still under way.
  void write(const RunView& run) {
    if (under_way_ && cudaEventQuery(written_) == cudaErrorNotReady) return;
    const std::int64_t d = run.dimensions(), last = run.last_clusters;
    bytes_ = 0;
    add(0, run.state, 1);
    add(1, run.control, 1);
    add(2, run.curve, run.swept ? last - run.first_clusters + 1 : 0);
    add(3, run.paths, path_numbers);
    add(4, run.centroids, last * d);
    add(5, run.sizes, last);
    reserve();
    TakeNote note{run, reinterpret_cast<std::uint32_t*>(memory_), {}};
    for (int part = 0; part < TakeNote::parts; ++part)
      note.begins[part] = static_cast<std::int64_t>(begins_[static_cast<std::size_t>(part)] / 4);
    cuda_.for_each("note", static_cast<std::int64_t>(bytes_ / 4), note);
    CUDA_CHECK(cudaEventRecord(written_, cuda_.stream()));
    dimensions_ = run.dimensions();
    under_way_ = true;
  }

  // Reads the last note, only once; returns false if there is none.
  bool take(Look& found) {
    if (!under_way_ || cudaEventQuery(written_) != cudaSuccess) return false;
    under_way_ = false;
    read(0, &found.state, 1);
    read(1, &found.control, 1);
    const Control& control = found.control;
    read_into(2, found.curve, control.finished);
    read_into(3, found.paths, path_size(found.state, control, dimensions_));
    read_into(4, found.centroids, std::int64_t{control.placed} * dimensions_);
    read_into(5, found.sizes, control.sized);
    return true;
  }

  // Discards a note that is under way or has not been read.
  void forget() { under_way_ = false; }

 private:
  template <class T>
  void add(std::size_t part, const T*, std::int64_t count) {
    begins_[part] = bytes_;
    bytes_ += (static_cast<std::size_t>(count) * sizeof(T) + 15) / 16 * 16;
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
  void read(std::size_t part, T* to, std::size_t count) const {
    if (count > 0) std::memcpy(to, memory_ + begins_[part], count * sizeof(T));
  }
  template <class T>
  void read_into(std::size_t part, std::vector<T>& to, std::int64_t count) const {
    to.resize(static_cast<std::size_t>(count));
    read(part, to.data(), to.size());
  }

  Cuda& cuda_;
  cudaEvent_t written_{};
  std::array<std::size_t, TakeNote::parts> begins_{};  // offsets of the parts in bytes
  unsigned char* memory_ = nullptr;                    // pinned
  std::size_t bytes_ = 0, capacity_ = 0;
  int dimensions_ = 0;
  bool under_way_ = false;
};

}  // namespace kinescope::sim::k_means
