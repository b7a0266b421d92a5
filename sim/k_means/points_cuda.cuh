// The points on a CUDA device. Rows are sent in the order of the host's memory, a chunk at a time into one of two
// buffers, while the device lays out, or computes with, the previous chunk. Rows that lie on the device already are not
// sent. If all points fit, they are sent once. Otherwise each chunk is a part, and all parts are sent again whenever
// they are needed. How the points are cut changes no bit of the result.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "kinescope/array.hpp"
#include "kinescope/executors/cuda.cuh"
#include "sim/k_means/points.hpp"

namespace kinescope::sim::k_means {

namespace kernels {

// Converts rows to the layout of Points, one panel per block. The columns pass through shared memory in pieces, so that
// both reading and writing are coalesced.
__global__ void __launch_bounds__(panel) lay_out(const float* rows, float* panels, std::int64_t count, int d) {
  constexpr int piece = 32;
  __shared__ float shared[piece][panel + 1];
  const std::int64_t first = std::int64_t(blockIdx.x) * panel;
  const int present = static_cast<int>(min(std::int64_t(panel), count - first));
  for (int from = 0; from < d; from += piece) {
    const int columns = min(piece, d - from);
    for (int e = threadIdx.x; e < panel * columns; e += panel) {
      const int r = e / columns, c = e % columns;
      shared[c][r] = r < present ? rows[(first + r) * d + from + c] : 0;
    }
    __syncthreads();
    for (int c = 0; c < columns; ++c) panels[first * d + (from + c) * panel + threadIdx.x] = shared[c][threadIdx.x];
    __syncthreads();
  }
}

}  // namespace kernels

template <>
class PointParts<Cuda> {
 public:
  // The points may take up to `megabytes` on the device, with `bytes_a_point` counted in addition to each point's
  // values. 0: half of what is free, divided equally among the workers that share the device.
  PointParts(Cuda& cuda, std::shared_ptr<const Dataset> data, std::int64_t megabytes, std::int64_t bytes_a_point,
             Rows rows, int sharing = 1, Dataset* = nullptr)
      : cuda_(cuda), data_(std::move(data)), rows_(rows) {
    const std::int64_t N = rows.count, row = row_bytes();
    all_ = {nullptr, N, static_cast<int>(data_->dimensions), 0, N};
    on_device_ = data_->values().on_device(cuda_.device());
    std::size_t free = 0, total = 0;
    cuda_.make_current();
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    const std::int64_t limit = megabytes > 0 ? megabytes << 20 : static_cast<std::int64_t>(free / 2) / sharing;
    const std::int64_t all_panels = all_.panels() * panel;
    paged_ = all_panels * (row + bytes_a_point) > limit;
    // There are two buffers. Each has room for a chunk's rows, and for its panels if the points come in parts.
    const std::int64_t room = paged_ ? limit / (4 * row + bytes_a_point) : usual_chunk / row;
    chunk_ = std::max<std::int64_t>(panel, std::min(std::min(room, usual_chunk / row) / panel * panel, all_panels));
    for (Buffer& buffer : buffers_) {
      const auto numbers = static_cast<std::size_t>(chunk_ * data_->dimensions);
      if (!on_device_) buffer.rows = Array<float, Cuda>(cuda_, numbers);
      if (paged_) buffer.panels = Array<float, Cuda>(cuda_, numbers);
      CUDA_CHECK(cudaEventCreateWithFlags(&buffer.used, cudaEventDisableTiming));
    }
    if (paged_) return;
    panels_ = Array<float, Cuda>(cuda_, static_cast<std::size_t>(all_panels * data_->dimensions));
    all_.x = panels_.data();
    for (std::int64_t n = 0; n * chunk_ < N; ++n) send(n, panels_.data() + n * chunk_ * all_.dimensions);
    cuda_.wait();
    for (Buffer& buffer : buffers_) buffer.rows = {};
  }
  PointParts(const PointParts&) = delete;
  PointParts& operator=(const PointParts&) = delete;
  ~PointParts() {
    cudaStreamSynchronize(cuda_.stream());
    for (const Buffer& buffer : buffers_) cudaEventDestroy(buffer.used);
  }

  const Points& all() const { return all_; }
  HostPoints host() const { return {data_.get()}; }
  std::int64_t most() const { return paged_ ? chunk_ : all_.count; }

  template <class F>
  void for_each(F f) {
    if (!paged_) return f(std::as_const(all_));
    for (std::int64_t n = 0; n * chunk_ < all_.count; ++n) {
      float* panels = buffers_[static_cast<std::size_t>(n % 2)].panels.data();
      send(n, panels);
      f(Points{panels, count_of(n), all_.dimensions, n * chunk_, all_.count});
      CUDA_CHECK(cudaEventRecord(buffers_[static_cast<std::size_t>(n % 2)].used, cuda_.stream()));
    }
  }

 private:
  static constexpr std::int64_t usual_chunk =
      32 << 20;  // bytes; sending them takes 1.3 ms, as long as some tens of launches

  struct Buffer {
    Array<float, Cuda> rows, panels;
    cudaEvent_t used{};  // passes once nothing needs the buffer's content any more
  };

  std::int64_t row_bytes() const { return static_cast<std::int64_t>(data_->dimensions * sizeof(float)); }
  std::int64_t count_of(std::int64_t n) const { return std::min(chunk_, all_.count - n * chunk_); }
  void send(std::int64_t n, float* panels) {
    Buffer& buffer = buffers_[static_cast<std::size_t>(n % 2)];
    const std::int64_t count = count_of(n);
    CUDA_CHECK(cudaEventSynchronize(buffer.used));
    const std::int64_t first = (rows_.first + n * chunk_) * all_.dimensions;
    if (!on_device_)
      cuda_.send(buffer.rows.data(), data_->values().data() + first, static_cast<std::size_t>(count * row_bytes()));
    cuda_.launch("lay out", {static_cast<unsigned>((count + panel - 1) / panel), panel}, kernels::lay_out,
                 on_device_ ? on_device_ + first : buffer.rows.data(), panels, count, all_.dimensions);
    CUDA_CHECK(cudaEventRecord(buffer.used, cuda_.stream()));
  }

  Cuda& cuda_;
  std::shared_ptr<const Dataset> data_;
  Rows rows_;
  Points all_;
  bool paged_ = false;
  const float* on_device_ = nullptr;  // the rows, if they lie there already
  std::int64_t chunk_ = 0;            // points per chunk
  std::array<Buffer, 2> buffers_;
  Array<float, Cuda> panels_;  // all points, if they fit
};

}  // namespace kinescope::sim::k_means
