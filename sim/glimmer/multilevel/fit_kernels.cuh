// Our own Glimmer on CUDA when distances are known from the landmarks only: pages of distances, and the kernels that
// place and move the newcomers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "kinescope/array.hpp"
#include "sim/glimmer/multilevel/multilevel_kernels.cuh"
#include "sim/glimmer/multilevel/tile_kernels.cuh"

namespace kinescope::sim::glimmer {

// The distances from all landmarks to some newcomers.
struct DistancePage {
  const float* delta = nullptr;       // [landmarks × width], in the layout's unit
  std::int64_t width = 0;             // a multiple of 64
  std::int64_t first = 0, count = 0;  // of the page's newcomers; first is a multiple of 64
};

namespace cuda_kernels {

inline constexpr int fit_warps = tile_threads / 32;

template <int L>
__global__ void __launch_bounds__(tile_threads) place_page(MultilevelMemory<L> m, DistancePage page) {
  __shared__ float anchors[place_effort.anchors * L];
  __shared__ std::int64_t blocks[place_effort.anchors / 64];
  if (!m.course.begins(program_fit)) return;
  const std::int64_t block = page.first / 64 + blockIdx.x;
  const int thread = threadIdx.x;
  if (thread < place_effort.anchors / 64) blocks[thread] = static_cast<std::int64_t>(m.anchor_block(block, thread));
  __syncthreads();
  for (int k = thread; k < place_effort.anchors; k += tile_threads)
    for (int c = 0; c < L; ++c) anchors[k * L + c] = m.x[c * m.stride + blocks[k / 64] + k % 64];
  __syncthreads();
  const std::int64_t local = 64 * std::int64_t(blockIdx.x) + thread / Quartet::stride;
  if (local >= page.count) return;
  const auto delta_square = [&](int k) {
    const float delta = page.delta[(blocks[k / 64] + k % 64) * page.width + local];
    return delta * delta;
  };
  float x[L];
  const bool writes = place_in_quartet(anchors, delta_square, x);
  const std::int64_t i = m.state().first + page.first + local;
  if (writes)
    for (int c = 0; c < L; ++c) m.x[c * m.stride + i] = x[c] + m.jitter(i, c);
}

// Takes the last steps of 32 newcomers, then measures them against all landmarks and finds their next steps. Each warp
// takes a part of the landmarks. `sums` is [newcomers].
template <int L>
__global__ void __launch_bounds__(tile_threads) fit_page(MultilevelMemory<L> m, DistancePage page, float2* sums) {
  constexpr int packed = PointSums<L, float>::packed, values = L + packed + 2;
  __shared__ float parts[fit_warps][values][32];
  if (!m.course.current(program_fit) || m.state().t == 0) return;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::int64_t landmarks = m.state().first, local = 32 * std::int64_t(blockIdx.x) + lane,
                     i = landmarks + page.first + local;
  const bool there = local < page.count;
  float x[L] = {};
  PointSums<L, float> own;
  if (there) {
    for (int c = 0; c < L; ++c) {
      x[c] = m.x[c * m.stride + i];
      if (m.state().t > 1) x[c] = std::fma(-m.gamma(), m.direction[c * m.stride + i], x[c]);
    }
    for (std::int64_t a = warp; a < landmarks; a += fit_warps) {
      float p[L];
      for (int c = 0; c < L; ++c) p[c] = m.x[c * m.stride + a];
      const float delta = page.delta[a * page.width + local];
      add_terms(own, pair_terms<L>(delta * delta, x, p));
    }
  }
  for (int c = 0; c < L; ++c) parts[warp][c][lane] = own.gradient[c];
  for (int e = 0; e < packed; ++e) parts[warp][L + e][lane] = own.hessian[e];
  parts[warp][L + packed][lane] = own.error;
  parts[warp][L + packed + 1][lane] = own.size;
  __syncthreads();
  if (warp > 0 || !there) return;
  const auto total = [&](int value) {
    float sum = 0;
    for (const auto& part : parts) sum += part[value][lane];
    return sum;
  };
  for (int c = 0; c < L; ++c) own.gradient[c] = total(c);
  for (int e = 0; e < packed; ++e) own.hessian[e] = total(L + e);
  float step[L];
  find_direction<L>(m, own, landmarks, i, true, step);
  for (int c = 0; c < L; ++c) {
    m.x[c * m.stride + i] = x[c];
    m.direction[c * m.stride + i] = step[c];
  }
  sums[page.first + local] = {total(L + packed), total(L + packed + 1)};
}

}  // namespace cuda_kernels

template <int L>
struct TakeFit {
  MultilevelMemory<L> m;
  const float2* sums;
  KINESCOPE_HD FitSums operator()(std::int64_t k) const {
    if (!m.course.current(program_fit) || m.state().t == 0) return {};
    return fit_sums<L>(m, k, sums[k].x, sums[k].y);
  }
};

struct EndFit {
  Course course;
  KINESCOPE_HD void operator()(const FitSums& sums) const {
    if (course.current(program_fit)) course.end_fit(sums);
  }
};

// The landmarks' rows of distances, in the host's pinned memory. The columns of the newcomers are copied to the device
// once if they fit. Otherwise they are sent page by page in each iteration; the next page is sent while the last one is
// used (S. Ingram 2007, chapter 5: paging). The width of the pages changes no bit of the layout.
class DistancePages {
 public:
  // `rows` is [(landmarks + held) × width] by slot; the last rows are those of the held-out newcomers. Uses at most
  // `limit` bytes of device memory, but at least two pages of 64 columns.
  DistancePages(Cuda& cuda, std::shared_ptr<float> rows, std::int64_t landmarks, std::int64_t held, std::int64_t width,
                std::int64_t newcomers, std::int64_t limit)
      : cuda_(cuda),
        rows_(std::move(rows)),
        landmarks_(landmarks),
        width_(width),
        newcomers_(newcomers),
        held_(cuda, static_cast<std::size_t>(held * newcomers)) {
    copy(held_.data(), newcomers, landmarks, held, landmarks, newcomers, cuda.stream());
    const std::int64_t column = landmarks * static_cast<std::int64_t>(sizeof(float)), all = (newcomers + 63) / 64 * 64;
    paged_ = all * column > limit;
    page_width_ = paged_ ? std::clamp(limit / 2 / column / 64 * 64, std::int64_t{64}, all) : all;
    for (Slot& slot : slots_) {
      if (&slot != slots_ && !paged_) break;
      slot.delta = Array<float, Cuda>(cuda, static_cast<std::size_t>(landmarks * page_width_));
      CUDA_CHECK(cudaEventCreateWithFlags(&slot.sent, cudaEventDisableTiming));
      CUDA_CHECK(cudaEventCreateWithFlags(&slot.used, cudaEventDisableTiming));
    }
    CUDA_CHECK(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking));
    if (!paged_) send(0, cuda_.stream());
  }
  DistancePages(const DistancePages&) = delete;
  DistancePages& operator=(const DistancePages&) = delete;
  ~DistancePages() {
    cuda_.wait();
    cudaStreamDestroy(copies_);
    for (const Slot& slot : slots_) {
      if (slot.sent) cudaEventDestroy(slot.sent);
      if (slot.used) cudaEventDestroy(slot.used);
    }
  }

  const float* held() const { return held_.data(); }  // [held × newcomers]
  // Bytes that iterations have sent so far; 0 if everything fits. May be called from any thread.
  std::int64_t bytes_sent() const { return bytes_sent_; }

  // Sends the landmarks' distances among themselves, to [landmarks × stride].
  void send_landmarks(float* to, std::int64_t stride) {
    copy(to, stride, 0, landmarks_, 0, landmarks_, cuda_.stream());
  }

  // Calls f(page) for each page, until all newcomers have been in one. f enqueues launches on the executor's stream.
  template <class F>
  void for_each(F f) {
    const cudaStream_t stream = cuda_.stream();
    for (std::int64_t page = 0; page * page_width_ < newcomers_; ++page) {
      Slot& slot = slots_[page % 2];
      if (paged_) {
        CUDA_CHECK(cudaStreamWaitEvent(copies_, slot.used));
        send(page, copies_);
        CUDA_CHECK(cudaEventRecord(slot.sent, copies_));
        bytes_sent_ += landmarks_ * columns(page) * static_cast<std::int64_t>(sizeof(float));
        CUDA_CHECK(cudaStreamWaitEvent(stream, slot.sent));
      }
      f(DistancePage{slot.delta.data(), page_width_, page * page_width_, columns(page)});
      if (paged_) CUDA_CHECK(cudaEventRecord(slot.used, stream));
    }
  }

 private:
  struct Slot {
    Array<float, Cuda> delta;  // [landmarks × page_width]
    cudaEvent_t sent{}, used{};
  };

  std::int64_t columns(std::int64_t page) const { return std::min(page_width_, newcomers_ - page * page_width_); }
  void send(std::int64_t page, cudaStream_t stream) {
    copy(slots_[page % 2].delta.data(), page_width_, 0, landmarks_, landmarks_ + page * page_width_, columns(page),
         stream);
  }
  // Copies a rectangle of the host's rows to memory with the pitch `stride`.
  void copy(float* to, std::int64_t stride, std::int64_t row, std::int64_t rows, std::int64_t column,
            std::int64_t columns, cudaStream_t stream) {
    const auto bytes = [](std::int64_t values) { return static_cast<std::size_t>(values) * sizeof(float); };
    CUDA_CHECK(cudaMemcpy2DAsync(to, bytes(stride), rows_.get() + row * width_ + column, bytes(width_), bytes(columns),
                                 static_cast<std::size_t>(rows), cudaMemcpyHostToDevice, stream));
  }

  Cuda& cuda_;
  std::shared_ptr<float> rows_;
  std::int64_t landmarks_, width_, newcomers_, page_width_ = 0;
  Array<float, Cuda> held_;
  bool paged_ = false;
  Slot slots_[2];
  cudaStream_t copies_{};
  std::atomic<std::int64_t> bytes_sent_ = 0;
};

}  // namespace kinescope::sim::glimmer
