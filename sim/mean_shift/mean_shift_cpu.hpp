// Mean shift's own launches on the CPU: tiles by SIMD lanes, spreading points on separate grids, sorting.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <oneapi/tbb/parallel_sort.h>
#include <utility>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/executors/cpu.hpp"
#include "sim/mean_shift/grids/convolve_cpu.hpp"
#include "sim/mean_shift/point_kernels.hpp"

namespace kinescope::sim::mean_shift {

template <Executor E>
class MeanShiftKernels;

// Shifts four points at a time. A tile of the data stays in the first-level cache.
template <Kernel kernel, int K>
struct TiledShift {
  static constexpr int group = 4;
  Cloud cloud;
  Shifted shifted;
  std::int64_t tile;

  LargestSquare operator()(std::int64_t number) const {
    if (shifted.idle()) return {};
    float y[group][K];
    Sums<K> sums[group];
    const std::int64_t first = number * group;
    const int present = static_cast<int>(std::min<std::int64_t>(group, shifted.present(cloud.count) - first));
    for (int p = 0; p < present; ++p) shifted.read<K>(shifted.point(first + p), y[p]);
    for (std::int64_t j = 0; j < cloud.count; j += tile)
      for (int p = 0; p < present; ++p) {
        LaneSums<kernel, K> part;
        part.add(cloud, j, std::min(j + tile, cloud.count), y[p]);
        part.add_to(sums[p]);
      }
    LargestSquare largest;
    for (int p = 0; p < present; ++p) largest = largest + shifted.shift<K>(shifted.point(first + p), y[p], sums[p]);
    return largest;
  }
};

template <>
class MeanShiftKernels<Cpu> {
 public:
  explicit MeanShiftKernels(Cpu& cpu) : cpu_(cpu) {}

  template <Kernel kernel, int K, class Finish>
  void tiled(const Cloud& cloud, const Shifted& shifted, std::int64_t tile, std::int64_t, float, Finish finish) {
    constexpr int group = TiledShift<kernel, K>::group;
    cpu_.reduce("tiled", (shifted.present(cloud.count) + group - 1) / group, LargestSquare{},
                TiledShift<kernel, K>{cloud, shifted, tile}, finish);
  }

  // Writes the points that take part to `moving`, in order, and their number; see Shifted. Unless `anew`, those are
  // among the ones of the last call.
  void find_moving(TakesPart takes_part, std::int64_t points, bool anew, std::int32_t* moving, std::int64_t* number) {
    cpu_.once("moving", [&] {
      if (anew) std::iota(moving, moving + points, 0);
      *number = std::remove_if(moving, moving + (anew ? points : *number), std::not_fn(takes_part)) - moving;
    });
  }

  // Whether sorting the points by the field's cells is worthwhile: if the field is larger than the caches.
  static bool sorts_field(const FieldGrid& grid, std::int64_t points) {
    return grid.dimensions == 3 && points >= 1 << 17;
  }

  // Sorts the keys, all below `limit`, and `order` along with them; points with equal keys keep their order.
  void sort(Array<std::int64_t, Cpu>& keys, Array<std::int32_t, Cpu>& order, std::int64_t) {
    std::vector<std::pair<std::int64_t, std::int32_t>> pairs(keys.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {keys.data()[i], order.data()[i]};
    cpu_.tasks("sort", 1, [&](std::int64_t) { oneapi::tbb::parallel_sort(pairs.begin(), pairs.end()); });
    for (std::size_t i = 0; i < pairs.size(); ++i) keys.data()[i] = pairs[i].first, order.data()[i] = pairs[i].second;
  }

  // field[g].value[0] = Σ_j of the interpolation weights of x_j at node g; the other values become 0.
  void spread(const FieldGrid& grid, const Cloud& cloud, Node* field) {
    const auto go = [&](auto dimensions, auto order) { spread_in<dimensions.value, order.value>(grid, cloud, field); };
    const auto by_order = [&](auto dimensions) {
      grid.order == 6 ? go(dimensions, std::integral_constant<int, 6>())
                      : go(dimensions, std::integral_constant<int, 8>());
    };
    if (grid.dimensions == 1) by_order(std::integral_constant<int, 1>());
    if (grid.dimensions == 2) by_order(std::integral_constant<int, 2>());
    if (grid.dimensions == 3) by_order(std::integral_constant<int, 3>());
  }

  // Computes all sums from the densities in `field`; may use the other array as well. Returns where the sums are.
  const Node* convolve(const FieldGrid& grid, Node* field, Node*, const float* taps) {
    FieldConvolution(cpu_, grid, taps).run(field, field);
    return field;
  }

 private:
  // Spreads a fixed number of partitions, each on a grid of its own, so that the sums do not depend on the number of
  // threads.
  template <int D, int P>
  void spread_in(const FieldGrid& grid, const Cloud& cloud, Node* field) {
    const std::int64_t nodes = grid.count();
    const std::int64_t partitions = std::clamp<std::int64_t>((std::int64_t{1} << 24) / nodes, 2, 16);
    const std::int64_t size = (cloud.count + partitions - 1) / partitions;
    Array<double, Cpu> sums(cpu_, static_cast<std::size_t>(partitions * nodes));
    cpu_.tasks("spread", partitions, [&](std::int64_t partition) {
      double* own = sums.data() + partition * nodes;
      std::fill(own, own + nodes, 0.0);
      const std::int64_t end = std::min(cloud.count, (partition + 1) * size);
      for (std::int64_t j = partition * size; j < end; ++j) spread_point<D, P>(grid, cloud, j, own);
    });
    cpu_.for_each("add grids", nodes, [&](std::int64_t node) {
      double sum = 0;
      for (std::int64_t partition = 0; partition < partitions; ++partition)
        sum += sums.data()[partition * nodes + node];
      field[node] = {{static_cast<float>(sum), 0, 0, 0}};
    });
  }

  template <int D, int P>
  static void spread_point(const FieldGrid& grid, const Cloud& cloud, std::int64_t j, double* sums) {
    double weights[D][P];
    std::int64_t first[3] = {0, 0, 0};
    for (int c = 0; c < D; ++c) {
      float place;
      first[c] = locate<P>(grid, c, cloud.x[c * cloud.stride + j], place);
      lagrange<P, double>(place, weights[c]);
    }
    const double own = cloud.weight ? cloud.weight[j] : 1.0;
    for (int b = 0; b < (D > 2 ? P : 1); ++b)
      for (int a = 0; a < (D > 1 ? P : 1); ++a) {
        double weight = own;
        if constexpr (D > 1) weight *= weights[1][a];
        if constexpr (D > 2) weight *= weights[2][b];
        double* row = sums + ((first[2] + b) * grid.nodes[1] + first[1] + a) * grid.nodes[0] + first[0];
        for (int m = 0; m < P; ++m) row[m] += weights[0][m] * weight;
      }
  }

  Cpu& cpu_;
};

}  // namespace kinescope::sim::mean_shift
