// Groups of threads on CUDA: a block, whose rows are warps (groups.hpp), and a single warp (warps.hpp).
#pragma once

#include <cub/device/device_scan.cuh>

#include "kinescope/array.hpp"
#include "kinescope/executors/cuda.cuh"
#include "kinescope/executors/warp.cuh"
#include "sim/landscape/groups.hpp"
#include "sim/landscape/warps.hpp"

namespace kinescope::sim::landscape {

template <int lane_count>
class BlockGroup {
 public:
  static constexpr int lanes() { return lane_count; }
  static constexpr int columns() { return 32; }
  static constexpr int rows() { return lane_count / 32; }
  __device__ explicit BlockGroup(std::uint32_t* scratch) : scratch_(scratch) {}
  __host__ __device__ int lane() const {
#ifdef __CUDA_ARCH__
    return static_cast<int>(threadIdx.x);
#else
    return 0;
#endif
  }
  __host__ __device__ int column() const {
    return lane() & 31;
  }
  __host__ __device__ int row() const {
    return lane() >> 5;
  }
  __host__ __device__ void sync() const {
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
  }

  __host__ __device__ std::uint32_t sum(std::uint32_t value) {
    std::uint32_t total = 0;
#ifdef __CUDA_ARCH__
    const std::uint32_t warp = warp_sum(value);
    __syncthreads();
    if (column() == 0) scratch_[row()] = warp;
    __syncthreads();
    for (int w = 0; w < rows(); ++w) total += scratch_[w];
#endif
    return total;
  }

  __host__ __device__ std::uint32_t scan(std::uint32_t* values, int count) {
    std::uint32_t total = 0;
#ifdef __CUDA_ARCH__
    const int each = (count + lanes() - 1) / lanes(), begin = lane() * each,
              end = begin + each < count ? begin + each : count;
    std::uint32_t own = 0;
    for (int i = begin; i < end; ++i) own += values[i];
    std::uint32_t upto = own;
    for (int distance = 1; distance < 32; distance *= 2) {
      const std::uint32_t before = __shfl_up_sync(~0u, upto, distance);
      if (column() >= distance) upto += before;
    }
    __syncthreads();
    if (column() == 31) scratch_[row()] = upto;
    __syncthreads();
    std::uint32_t before = upto - own;
    for (int w = 0; w < rows(); ++w) {
      if (w < row()) before += scratch_[w];
      total += scratch_[w];
    }
    for (int i = begin; i < end; ++i) {
      const std::uint32_t value = values[i];
      values[i] = before;
      before += value;
    }
    __syncthreads();
#endif
    return total;
  }

  template <class F>
  __host__ __device__ void each_bit(std::uint32_t word, F f) const {
#ifdef __CUDA_ARCH__
    const std::uint32_t own = 1u << column();
    if (word & own) f(column(), static_cast<std::uint32_t>(__popc(word & (own - 1))));
#endif
  }
  __host__ __device__ void keep_bit(std::uint64_t& bits, int place, bool set) const {
#ifdef __CUDA_ARCH__
    const std::uint32_t word = __ballot_sync(~0u, set);
    if (column() == 0) reinterpret_cast<std::uint32_t*>(&bits)[place / 32] = word;
#endif
  }

 private:
  std::uint32_t* scratch_;
};

class CudaWarp {
 public:
  static constexpr int width = 32;

  template <class T>
  class PerLane {
   public:
    __host__ __device__ T& operator[](int) { return value_; }
    __host__ __device__ const T& operator[](int) const { return value_; }

   private:
    T value_;
  };

  template <class F>
  __host__ __device__ void each(F f) const {
#ifdef __CUDA_ARCH__
    f(static_cast<int>(threadIdx.x & 31));
#endif
  }
  template <class T>
  __host__ __device__ T from_left(const PerLane<T>& values, int lane) const {
#ifdef __CUDA_ARCH__
    return __shfl_up_sync(~0u, values[lane], 1);
#else
    return values[lane];
#endif
  }
  template <class T>
  __host__ __device__ T from_right(const PerLane<T>& values, int lane) const {
#ifdef __CUDA_ARCH__
    return __shfl_down_sync(~0u, values[lane], 1);
#else
    return values[lane];
#endif
  }
  __host__ __device__ std::uint32_t vote(const PerLane<bool>& values) const {
#ifdef __CUDA_ARCH__
    return __ballot_sync(~0u, values[0]);
#else
    return values[0];
#endif
  }
};

namespace cuda_kernels {

inline constexpr int block_warps = 8;

// Launch bounds keep the registers of groups so few that this many threads fit on a multiprocessor.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int resident_threads = 1024;
#else
inline constexpr int resident_threads = 1536;
#endif

template <class F>
__global__ void __launch_bounds__(32 * block_warps) warps(std::int64_t count, F f) {
  const std::int64_t item = std::int64_t{blockIdx.x} * block_warps + threadIdx.x / 32;
  if (item >= count) return;
  CudaWarp warp;
  f(warp, item);
}

template <class F>
__global__ void __launch_bounds__(F::lanes, resident_threads / F::lanes) groups(Extent extent, F f) {
  __shared__ typename F::Memory memory;
  __shared__ std::uint32_t scratch[F::lanes / 32];
  BlockGroup<F::lanes> group(scratch);
  const std::int64_t count = extent.actual ? *extent.actual : extent.maximum;
  for (std::int64_t item = blockIdx.x; item < count; item += gridDim.x) {
    f(group, memory, item);
    __syncthreads();
  }
}

}  // namespace cuda_kernels

template <class F>
void launch_groups(Cuda& cuda, const char* label, const Extent& extent, const F& f) {
  if (extent.maximum == 0) return;
  cuda.make_current();
  static const int resident = [] {
    int device = 0, processors = 0, blocks = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, cuda_kernels::groups<F>, F::lanes, 0));
    return processors * std::max(blocks, 1);
  }();
  // If the number of items is known, each gets a block, so that the device balances them. Otherwise blocks loop over
  // the items.
  const std::int64_t blocks = extent.actual ? std::min<std::int64_t>(extent.maximum, resident) : extent.maximum;
  cuda.launch(label, {static_cast<unsigned>(blocks), F::lanes}, cuda_kernels::groups<F>, extent, f);
}

template <class F>
void launch_warps(Cuda& cuda, const char* label, const F& f) {
  const std::int64_t count = f.items(CudaWarp::width);
  const auto blocks = static_cast<unsigned>((count + cuda_kernels::block_warps - 1) / cuda_kernels::block_warps);
  cuda.launch(label, {blocks, 32 * cuda_kernels::block_warps}, cuda_kernels::warps<F>, count, f);
}

struct AddPairs {
  __host__ __device__ Pair operator()(Pair a, Pair b) const { return a + b; }
};

template <>
class PairScan<Cuda> {
 public:
  explicit PairScan(Cuda& cuda) : cuda_(cuda) {}

  void operator()(const Pair* from, Pair* to, std::int64_t count) {
    cuda_.make_current();
    std::size_t bytes = 0;
    CUDA_CHECK(cub::DeviceScan::ExclusiveScan(nullptr, bytes, from, to, AddPairs{}, Pair{}, count + 1, cuda_.stream()));
    if (bytes > scratch_.size()) scratch_ = Array<std::uint8_t, Cuda>(cuda_, bytes);
    cuda_.library("scan", [&] {
      CUDA_CHECK(cub::DeviceScan::ExclusiveScan(scratch_.data(), bytes, from, to, AddPairs{}, Pair{}, count + 1,
                                                cuda_.stream()));
    });
  }

 private:
  Cuda& cuda_;
  Array<std::uint8_t, Cuda> scratch_;
};

}  // namespace kinescope::sim::landscape
