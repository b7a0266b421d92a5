// Mean shift's launches that CUDA has of its own: tiles in shared memory, spreading by warps, CUB's sort.
#pragma once

#include <bit>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <utility>

#include "sim/core/array.hpp"
#include "sim/core/cuda.cuh"
#include "sim/mean_shift/point_kernels.hpp"

namespace kinescope::sim::mean_shift {

template <class Executor>
class MeanShiftKernels;

namespace cuda_kernels {

inline constexpr int tile_threads = 64;  // a thread block, as in the paper
inline constexpr int spread_threads = 128;
inline constexpr double fixed_point = 4294967296.0;  // of the spread sums: 2^32

// The largest of a thread block, for thread 0.
__device__ inline float block_largest(float value) {
  __shared__ float warps[32];
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < blockDim.x / 32; ++w) value = fmaxf(value, warps[w]);
  return value;
}

// After the last thread block of a launch has added its largest shift, its first thread ends the iteration. Squares are
// not negative, so that their bits order as integers do: the maximum does not depend on the order of the blocks.
__device__ inline void end_tiled(float largest, unsigned* largest_bits, unsigned* arrived, const EndIteration& end) {
  largest = block_largest(largest);
  if (threadIdx.x != 0) return;
  atomicMax(largest_bits, __float_as_uint(largest));
  __threadfence();
  if (atomicAdd(arrived, 1u) != gridDim.x - 1) return;
  __threadfence();
  const Largest total{__uint_as_float(atomicExch(largest_bits, 0u))};
  *arrived = 0;
  end(total);
}

// All pairs for the gaussian in one to three columns, where |x|² is at most 100: with 2^−|y−x|² = 2^(2y·x − |x|²) /
// 2^(|y|²) the last factor cancels in the mean. For K columns a pair costs 2K + 1 operations (K multiply-adds for the
// exponent, one addition and K multiply-adds for the sums) and one ex2.approx, so that for K = 2 the bound is ex2's 16
// a clock and multiprocessor (2 clocks a warp; 6 issues take 1.5). Relative error of a weight: 2^−22 of ex2 and |x|² ·
// 2^−23 of the exponent, at most 1.2e-5.
inline constexpr float expanded_limit = 100;

template <int K, int P>
__global__ void __launch_bounds__(tile_threads, K == 3 ? 10 : 15)
    tiled_expanded(Cloud cloud, Shifted shifted, int tile, unsigned* largest_bits, unsigned* arrived,
                   EndIteration end) {
  extern __shared__ float4 tile_points[];  // coordinates, and −|x|² last
  // Weights and moments of each thread's points: seldom touched, and in registers they would cost half the warps.
  __shared__ double totals[P * (K + 1)][tile_threads];
  if (shifted.idle()) return;
  for (int s = 0; s < P * (K + 1); ++s) totals[s][threadIdx.x] = 0;
  const std::int64_t first = std::int64_t(blockIdx.x) * tile_threads * P + threadIdx.x;
  float twice[P][K], weight[P] = {}, moment[P][K] = {}, middle_weight[P] = {}, middle[P][K] = {};  // twice: 2 y
  for (int p = 0; p < P; ++p) {
    const std::int64_t i = min(first + p * tile_threads, cloud.count - 1);
    for (int c = 0; c < K; ++c) twice[p][c] = 2 * shifted.y[c * shifted.stride + i];
  }
  // Sums of 64 points, of 64 such sums, and in double of all those.
  const auto flush = [&](bool to_double) {
    for (int p = 0; p < P; ++p) {
      middle_weight[p] += weight[p], weight[p] = 0;
      for (int c = 0; c < K; ++c) middle[p][c] += moment[p][c], moment[p][c] = 0;
      if (!to_double) continue;
      double(*total)[tile_threads] = totals + p * (K + 1);
      total[K][threadIdx.x] += middle_weight[p], middle_weight[p] = 0;
      for (int c = 0; c < K; ++c) total[c][threadIdx.x] += middle[p][c], middle[p][c] = 0;
    }
  };
  int flushes = 0;
  for (std::int64_t begin = 0; begin < cloud.count; begin += tile) {
    __syncthreads();
    for (int k = threadIdx.x; k < tile; k += tile_threads) {
      float x[4] = {0, 0, 0, -INFINITY};  // weighs nothing
      if (begin + k < cloud.count) {
        float square = 0;
        for (int c = 0; c < K; ++c) {
          x[c] = cloud.x[c * cloud.stride + begin + k];
          square = fmaf(x[c], x[c], square);
        }
        x[3] = -square;
      }
      tile_points[k] = make_float4(x[0], x[1], x[2], x[3]);
    }
    __syncthreads();
    for (int run = 0; run < tile; run += 64) {
      const int last = min(run + 64, tile);
#pragma unroll 8
      for (int k = run; k < last; ++k) {
        const float4 x = tile_points[k];
        const float place[3] = {x.x, x.y, x.z};
        for (int p = 0; p < P; ++p) {
          float exponent = x.w;
          for (int c = 0; c < K; ++c) exponent = fmaf(twice[p][c], place[c], exponent);
          const float w = exp2_negative(-exponent);
          weight[p] += w;
          for (int c = 0; c < K; ++c) moment[p][c] = fmaf(w, place[c], moment[p][c]);
        }
      }
      flush(++flushes % 64 == 0);
    }
  }
  flush(true);
  Largest largest;
  for (int p = 0; p < P; ++p) {
    const std::int64_t i = first + p * tile_threads;
    if (i >= cloud.count) break;
    const double(*total)[tile_threads] = totals + p * (K + 1);
    const double all = total[K][threadIdx.x];
    float y[K];
    double square = 0;
    for (int c = 0; c < K; ++c) y[c] = 0.5f * twice[p][c], square += double(y[c]) * y[c];
    const double factor = exp2(-square);
    Sums<K> sums;
    sums.weight = factor * all;
    for (int c = 0; c < K; ++c) sums.moment[c] = factor * (total[c][threadIdx.x] - all * y[c]);
    largest = largest + shifted.shift<K>(i, y, sums);
  }
  end_tiled(largest.square, largest_bits, arrived, end);
}

// All pairs for any kernel and any number of columns, from differences.
template <Kernel kernel, int K, int P>
__global__ void __launch_bounds__(tile_threads)
    tiled_differences(Cloud cloud, Shifted shifted, int tile, unsigned* largest_bits, unsigned* arrived,
                      EndIteration end) {
  extern __shared__ float4 tile_memory[];
  float* tile_columns = reinterpret_cast<float*>(tile_memory);  // [K × tile]
  if (shifted.idle()) return;
  const std::int64_t first = std::int64_t(blockIdx.x) * tile_threads * P + threadIdx.x;
  float y[P][K];
  Sums<K> sums[P];
  for (int p = 0; p < P; ++p) shifted.read<K>(min(first + p * tile_threads, cloud.count - 1), y[p]);
  for (std::int64_t begin = 0; begin < cloud.count; begin += tile) {
    const int present = static_cast<int>(min(std::int64_t(tile), cloud.count - begin));
    __syncthreads();
    for (int c = 0; c < K; ++c)
      for (int k = threadIdx.x; k < present; k += tile_threads)
        tile_columns[c * tile + k] = cloud.x[c * cloud.stride + begin + k];
    __syncthreads();
    const Cloud near{tile_columns, tile, present, cloud.weight ? cloud.weight + begin : nullptr};
    for (int p = 0; p < P; ++p) add_one_by_one<kernel, K>(near, 0, present, y[p], sums[p]);
  }
  Largest largest;
  for (int p = 0; p < P; ++p)
    if (const std::int64_t i = first + p * tile_threads; i < cloud.count)
      largest = largest + shifted.shift<K>(i, y[p], sums[p]);
  end_tiled(largest.square, largest_bits, arrived, end);
}

// A warp spreads 32 points. Those of one cell (neighbours, once sorted) are added up first, each lane adding at nodes
// of its own; the sums go to the grid as integers, so that their order does not matter.
template <int D, int P>
__global__ void __launch_bounds__(spread_threads) spread(FieldGrid grid, Cloud cloud, unsigned long long* sums) {
  constexpr int nodes = D == 1 ? P : D == 2 ? P * P : P * P * P;
  __shared__ float all_weights[spread_threads][D * P], own_weights[spread_threads];
  const int lane = threadIdx.x % 32, warp_first = threadIdx.x - lane;
  const std::int64_t j = std::int64_t(blockIdx.x) * spread_threads + threadIdx.x;
  const std::int64_t plane = std::int64_t(grid.nodes[0]) * grid.nodes[1];
  std::int64_t base = -1;
  if (j < cloud.count) {
    base = 0;
    std::int64_t step = 1;
    for (int c = 0; c < D; ++c) {
      float place;
      base += step * locate<P>(grid, c, cloud.x[c * cloud.stride + j], place);
      step *= grid.nodes[c];
      float weights[P];
      lagrange<P>(place, weights);
      for (int m = 0; m < P; ++m) all_weights[threadIdx.x][c * P + m] = weights[m];
    }
    own_weights[threadIdx.x] = cloud.weight ? cloud.weight[j] : 1.0f;
  }
  __syncwarp();
  const std::int64_t previous = __shfl_up_sync(0xffffffffu, base, 1);
  const unsigned begins = __ballot_sync(0xffffffffu, lane == 0 || base != previous);
  for (unsigned left = begins; left != 0;) {
    const int begin = __ffs(left) - 1;
    left &= left - 1;
    const int end = left != 0 ? __ffs(left) - 1 : 32;
    const std::int64_t here = __shfl_sync(0xffffffffu, base, begin);
    if (here < 0) break;  // past the last point
    for (int n = lane; n < nodes; n += 32) {
      const int m = n % P, a = n / P % P, b = n / (P * P);
      double sum = 0;
      for (int k = begin; k < end; ++k) {
        const float* w = all_weights[warp_first + k];
        float product = w[m];
        if (D > 1) product *= w[(D > 1 ? P : 0) + a];
        if (D > 2) product *= w[(D > 2 ? 2 * P : 0) + b];
        sum += double(product) * own_weights[warp_first + k];
      }
      atomicAdd(sums + here + m + a * std::int64_t(D > 1 ? grid.nodes[0] : 0) + b * (D > 2 ? plane : 0),
                static_cast<unsigned long long>(__double2ll_rn(sum * fixed_point)));
    }
  }
}

}  // namespace cuda_kernels

struct ClearSums {
  unsigned long long* sums;
  KINESCOPE_HD void operator()(std::int64_t i) const { sums[i] = 0; }
};

struct SumsToNodes {
  const unsigned long long* sums;
  Node* field;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    field[i] = {{static_cast<float>(static_cast<double>(static_cast<long long>(sums[i])) / cuda_kernels::fixed_point),
                 0, 0, 0}};
  }
};

template <>
class MeanShiftKernels<Cuda> {
 public:
  explicit MeanShiftKernels(Cuda& cuda) : cuda_(cuda), counters_(cuda, 2) {
    cuda_.for_each("clear counters", 2, Fill{counters_.data(), 0});
  }

  template <Kernel kernel, int K>
  void tiled(const Cloud& cloud, const Shifted& shifted, std::int64_t tile, float farthest_square,
             const EndIteration& end) {
    constexpr int P = K <= 3 ? 4 : K == 4 ? 2 : 1;
    const auto blocks =
        static_cast<unsigned>((cloud.count + cuda_kernels::tile_threads * P - 1) / (cuda_kernels::tile_threads * P));
    unsigned *largest = counters_.data(), *arrived = largest + 1;
    if constexpr (kernel == Kernel::gaussian && K <= 3)
      if (farthest_square <= cuda_kernels::expanded_limit && !cloud.weight) {
        const std::size_t bytes = static_cast<std::size_t>(tile) * sizeof(float4);
        cuda_kernels::tiled_expanded<K, P><<<blocks, cuda_kernels::tile_threads, bytes, cuda_.stream()>>>(
            cloud, shifted, static_cast<int>(tile), largest, arrived, end);
        CUDA_CHECK(cudaGetLastError());
        return;
      }
    // 48 KiB of shared memory are there without asking: a wide tile of many columns is cut.
    const std::int64_t fitting =
        std::min<std::int64_t>(tile, 48 * 1024 / (K * static_cast<std::int64_t>(sizeof(float))));
    const std::size_t bytes = static_cast<std::size_t>(fitting * K) * sizeof(float);
    cuda_kernels::tiled_differences<kernel, K, P><<<blocks, cuda_kernels::tile_threads, bytes, cuda_.stream()>>>(
        cloud, shifted, static_cast<int>(fitting), largest, arrived, end);
    CUDA_CHECK(cudaGetLastError());
  }

  // Whether points sorted by the field's cells are worth the sorting: neighbours then read the same nodes, and are
  // spread together.
  static bool sorts_field(const FieldGrid&, std::int64_t points) { return points >= 1 << 14; }

  // Sorts the keys, all below `limit`, and takes the order along; points of one key stay in their order.
  void sort(Array<std::int64_t, Cuda>& keys, Array<std::int32_t, Cuda>& order, std::int64_t limit) {
    if (sorted_keys_.size() != keys.size()) {
      sorted_keys_ = Array<std::int64_t, Cuda>(cuda_, keys.size());
      sorted_order_ = Array<std::int32_t, Cuda>(cuda_, keys.size());
    }
    const int bits = std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(limit))));
    std::size_t bytes = 0;
    const auto sort_in = [&](void* memory) {
      CUDA_CHECK(cub::DeviceRadixSort::SortPairs(memory, bytes, keys.data(), sorted_keys_.data(), order.data(),
                                                 sorted_order_.data(), static_cast<std::int64_t>(keys.size()), 0, bits,
                                                 cuda_.stream()));
    };
    sort_in(nullptr);
    if (sort_memory_.size() < bytes) sort_memory_ = Array<unsigned char, Cuda>(cuda_, bytes);
    sort_in(sort_memory_.data());
    keys.swap(sorted_keys_);
    order.swap(sorted_order_);
  }

  // field[g].value[0] = Σ_j of the interpolation weights of x_j at node g; the rest 0.
  void spread(const FieldGrid& grid, const Cloud& cloud, Node* field) {
    if (sums_.size() != static_cast<std::size_t>(grid.count()))
      sums_ = Array<unsigned long long, Cuda>(cuda_, static_cast<std::size_t>(grid.count()));
    cuda_.for_each("clear sums", grid.count(), ClearSums{sums_.data()});
    grid.order == 6 ? spread_in<6>(grid, cloud) : spread_in<8>(grid, cloud);
    CUDA_CHECK(cudaGetLastError());
    cuda_.for_each("nodes", grid.count(), SumsToNodes{sums_.data(), field});
  }

  // From the densities in `field` to all its sums; the other array may serve meanwhile. Returns where they are.
  const Node* convolve(const FieldGrid& grid, Node* field, Node* other, const float* taps) {
    for (int axis = 0; axis < grid.dimensions; ++axis) {
      cuda_.for_each("convolve", grid.count(), Convolve{grid, axis, field, other, taps});
      std::swap(field, other);
    }
    return field;
  }

 private:
  template <int P>
  void spread_in(const FieldGrid& grid, const Cloud& cloud) {
    const auto blocks =
        static_cast<unsigned>((cloud.count + cuda_kernels::spread_threads - 1) / cuda_kernels::spread_threads);
    const auto launch = [&](auto kernel) {
      kernel<<<blocks, cuda_kernels::spread_threads, 0, cuda_.stream()>>>(grid, cloud, sums_.data());
    };
    if (grid.dimensions == 1) launch(cuda_kernels::spread<1, P>);
    if (grid.dimensions == 2) launch(cuda_kernels::spread<2, P>);
    if (grid.dimensions == 3) launch(cuda_kernels::spread<3, P>);
  }

  Cuda& cuda_;
  Array<std::uint32_t, Cuda> counters_;  // bits of the largest square, thread blocks that have arrived
  Array<std::int64_t, Cuda> sorted_keys_;
  Array<std::int32_t, Cuda> sorted_order_;
  Array<unsigned char, Cuda> sort_memory_;
  Array<unsigned long long, Cuda> sums_;
};

}  // namespace kinescope::sim::mean_shift
