// Mean shift's own launches on CUDA: tiles in shared memory (tiled_cuda.cuh), spreading points on a grid by warps, and
// CUB's sort.
#pragma once

#include <cstdint>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <utility>

#include "kinescope/array.hpp"
#include "kinescope/executors/cuda.cuh"
#include "kinescope/executors/functors.hpp"
#include "kinescope/executors/sort_cuda.cuh"
#include "sim/mean_shift/point_kernels.hpp"
#include "sim/mean_shift/tiled_cuda.cuh"

namespace kinescope::sim::mean_shift {

template <Executor E>
class MeanShiftKernels;

namespace cuda_kernels {

inline constexpr int spread_threads = 128;
inline constexpr double fixed_point = 4294967296.0;  // factor of the spread sums: 2^32

// A warp spreads 32 points on the grid. Points of one cell are neighbours after sorting; the warp adds these up first,
// with different nodes for each lane. The sums are added to the grid as integers, so that their order does not matter.
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

struct SumsToNodes {
  const unsigned long long* sums;
  Node* field;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    field[i] = {{static_cast<float>(static_cast<double>(static_cast<long long>(sums[i])) / cuda_kernels::fixed_point),
                 0, 0, 0}};
  }
};

KINESCOPE_HD inline Node4 add(Node4 a, const Node4& b, float sign) {
  for (int l = 0; l < 4; ++l) a.value[l] += sign * b.value[l];
  return a;
}

// Convolves all four sums with K along one axis. Also convolves the density with u·K(u); the result becomes that axis's
// moment. `taps` has half_width + 1 values of K, followed by as many of u·K(u).
struct Convolve {
  FieldGrid grid;
  int axis;
  const Node* from;
  Node* to;
  const float* taps;

  KINESCOPE_HD void operator()(std::int64_t node) const {
    std::int64_t stride = 1;
    for (int c = 0; c < axis; ++c) stride *= grid.nodes[c];
    const std::int32_t place = static_cast<std::int32_t>(node / stride % grid.nodes[axis]);
    const std::int32_t before = place < grid.half_width ? place : grid.half_width;
    const std::int32_t room = grid.nodes[axis] - 1 - place, after = room < grid.half_width ? room : grid.half_width;
    const std::int32_t both = before < after ? before : after;
    const float* moments = taps + grid.half_width + 1;
    const Node* centre = from + node;
    Node4 even = fma(taps[0], load(centre), zero_node()), odd = zero_node();
    for (std::int32_t m = 1; m <= both; ++m) {
      const Node4 ahead = load(centre + m * stride), behind = load(centre - m * stride);
      even = fma(taps[m], add(ahead, behind, 1), even);
      odd = fma(moments[m], add(ahead, behind, -1), odd);
    }
    for (std::int32_t m = both + 1; m <= after; ++m) {
      const Node4 ahead = load(centre + m * stride);
      even = fma(taps[m], ahead, even);
      odd = fma(moments[m], ahead, odd);
    }
    for (std::int32_t m = both + 1; m <= before; ++m) {
      const Node4 behind = load(centre - m * stride);
      even = fma(taps[m], behind, even);
      odd = fma(-moments[m], behind, odd);
    }
    Node result = as_node(even);
    result.value[axis + 1] = as_node(odd).value[0];
    to[node] = result;
  }
};

template <>
class MeanShiftKernels<Cuda> {
 public:
  explicit MeanShiftKernels(Cuda& cuda) : cuda_(cuda), counters_(cuda, 2) {
    cuda_.for_each("clear counters", 2, Fill<std::uint32_t>{counters_.data(), 0});
  }

  template <Kernel kernel, int K>
  void tiled(const Cloud& cloud, const Shifted& shifted, std::int64_t tile, std::int64_t block, float farthest_square,
             const EndIteration& end) {
    constexpr int P = cuda_kernels::tiled_points<K>;
    if constexpr (kernel == Kernel::gaussian && K <= 3)
      if (farthest_square <= cuda_kernels::expanded_limit && !cloud.weight) {
        const std::int64_t step = cuda_kernels::tile_step, whole = (tile + step - 1) / step * step;
        const auto threads = static_cast<unsigned>((block + 31) / 32 * 32);
        return launch_tiled<K, P>(threads == cuda_kernels::tile_threads ? cuda_kernels::tiled_expanded<K, P, true>
                                                                        : cuda_kernels::tiled_expanded<K, P, false>,
                                  threads, cloud, shifted, whole, whole * sizeof(float4), end);
      }
    // A wide tile of many columns is shortened: a kernel gets 48 KiB of shared memory unless it requests more, and
    // needs a little of that for other purposes.
    const std::int64_t fitting = std::min<std::int64_t>(tile, 40 * 1024 / (K * sizeof(float)));
    launch_tiled<K, P>(cuda_kernels::tiled_differences<kernel, K, P>, cuda_kernels::tile_threads, cloud, shifted,
                       fitting, fitting * K * sizeof(float), end);
  }

  // Writes the points that take part to `moving`, in order, and their number; see Shifted.
  void find_moving(TakesPart takes_part, std::int64_t points, bool, std::int32_t* moving, std::int64_t* number) {
    std::size_t bytes = 0;
    const auto select_in = [&](void* memory) {
      CUDA_CHECK(cub::DeviceSelect::If(memory, bytes, thrust::counting_iterator<std::int32_t>(0), moving, number,
                                       static_cast<int>(points), takes_part, cuda_.stream()));
    };
    select_in(nullptr);
    if (selecting_.size() < bytes) selecting_ = Array<unsigned char, Cuda>(cuda_, bytes);
    cuda_.library("moving", [&] { select_in(selecting_.data()); });
  }

  // Whether sorting the points by the field's cells is worthwhile: neighbours then read the same nodes and are spread
  // together.
  static bool sorts_field(const FieldGrid&, std::int64_t points) { return points >= 1 << 14; }

  // Sorts the keys, all below `limit`, and `order` along with them; points with equal keys keep their order.
  void sort(Array<std::int64_t, Cuda>& keys, Array<std::int32_t, Cuda>& order, std::int64_t limit) {
    sort_(keys, order, static_cast<std::uint64_t>(limit));
  }

  // field[g].value[0] = Σ_j of the interpolation weights of x_j at node g; the other values become 0.
  void spread(const FieldGrid& grid, const Cloud& cloud, Node* field) {
    if (sums_.size() != static_cast<std::size_t>(grid.count()))
      sums_ = Array<unsigned long long, Cuda>(cuda_, static_cast<std::size_t>(grid.count()));
    cuda_.for_each("clear sums", grid.count(), Fill<unsigned long long>{sums_.data(), 0});
    grid.order == 6 ? spread_in<6>(grid, cloud) : spread_in<8>(grid, cloud);
    CUDA_CHECK(cudaGetLastError());
    cuda_.for_each("nodes", grid.count(), SumsToNodes{sums_.data(), field});
  }

  // Computes all sums from the densities in `field`; may use the other array as well. Returns where the sums are.
  const Node* convolve(const FieldGrid& grid, Node* field, Node* other, const float* taps) {
    for (int axis = 0; axis < grid.dimensions; ++axis) {
      cuda_.for_each("convolve", grid.count(), Convolve{grid, axis, field, other, taps});
      std::swap(field, other);
    }
    return field;
  }

 private:
  template <int K, int P, class Launched>
  void launch_tiled(Launched kernel, unsigned threads, const Cloud& cloud, const Shifted& shifted, std::int64_t tile,
                    std::size_t bytes, const EndIteration& end) {
    const std::int64_t points = std::int64_t(threads) * P, groups = (cloud.count + points - 1) / points;
    const std::int64_t length = cuda_kernels::Parts::length_for(cloud.count, groups, tile);
    const std::int64_t parts = (cloud.count + length - 1) / length;
    const auto sums = static_cast<std::size_t>(parts > 1 ? parts * groups * points * (K + 1) : 0);
    if (part_sums_.size() < sums) part_sums_ = Array<double, Cuda>(cuda_, sums);
    if (parts_arrived_.size() < static_cast<std::size_t>(groups)) {
      parts_arrived_ = Array<std::uint32_t, Cuda>(cuda_, static_cast<std::size_t>(groups));
      cuda_.for_each("clear counters", groups, Fill<std::uint32_t>{parts_arrived_.data(), 0});
    }
    cuda_.launch("tiled", {dim3(static_cast<unsigned>(groups), static_cast<unsigned>(parts)), threads, bytes}, kernel,
                 cloud, shifted, static_cast<int>(tile), {part_sums_.data(), parts_arrived_.data(), length},
                 {counters_.data(), counters_.data() + 1, end});
  }

  template <int P>
  void spread_in(const FieldGrid& grid, const Cloud& cloud) {
    const auto blocks =
        static_cast<unsigned>((cloud.count + cuda_kernels::spread_threads - 1) / cuda_kernels::spread_threads);
    const auto kernel = grid.dimensions == 1   ? cuda_kernels::spread<1, P>
                        : grid.dimensions == 2 ? cuda_kernels::spread<2, P>
                                               : cuda_kernels::spread<3, P>;
    cuda_.launch("spread", {blocks, cuda_kernels::spread_threads}, kernel, grid, cloud, sums_.data());
  }

  Cuda& cuda_;
  Array<std::uint32_t, Cuda> counters_;  // bits of the largest square; number of groups that have arrived
  Array<double, Cuda> part_sums_;
  Array<std::uint32_t, Cuda> parts_arrived_;
  PairSort<std::int64_t, std::int32_t> sort_{cuda_};
  Array<unsigned long long, Cuda> sums_;
  Array<unsigned char, Cuda> selecting_;  // find_moving's memory
};

}  // namespace kinescope::sim::mean_shift
