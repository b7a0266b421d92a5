// What mean shift computes only for the screen: the density over the plane, and the number of places that its points
// occupy.
#pragma once

#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/executors/functors.hpp"
#include "sim/mean_shift/screen/density_map.hpp"
#include "sim/mean_shift/screen/places.hpp"

namespace kinescope::sim::mean_shift {

template <Executor E>
class MeanShiftScreen {
 public:
  explicit MeanShiftScreen(E& executor) : executor_(executor) {}

  // Computes the density of `cloud` for a plan's bandwidth; waits. O(N + nodes · taps).
  template <class Kernels>
  void build_map(Kernels& kernels, const Prepared& prepared, const Plan& plan, Kernel kernel, const Cloud& cloud) {
    const MapPlan made = plan_map(prepared, plan, kernel);
    const FieldGrid& grid = made.grid;
    Array<Node, E> nodes[2] = {{executor_, static_cast<std::size_t>(grid.count())},
                               {executor_, static_cast<std::size_t>(grid.count())}};
    const Array<float, E> taps(executor_, made.taps);
    Array<LargestSquare, E> maximum(executor_, 1);
    kernels.spread(grid, cloud, nodes[0].data());
    const Node* result = nodes[1].data();
    if (kernel == Kernel::gaussian)
      result = kernels.convolve(grid, nodes[0].data(), nodes[1].data(), taps.data());
    else
      executor_.for_each("convolve map", grid.count(),
                         ConvolveSquare{grid, nodes[0].data(), nodes[1].data(), taps.data()});
    if (values_.size() != static_cast<std::size_t>(grid.count()))
      values_ = Array<float, E>(executor_, static_cast<std::size_t>(grid.count()));
    const MapValues values{result, 1.0f / static_cast<float>(cloud.count), values_.data()};
    executor_.reduce("density map", grid.count(), LargestSquare{}, values, Store<LargestSquare>{maximum.data()});
    map_ = made.map;
    map_.maximum = maximum.download()[0].square;
  }
  void publish_map(float* to) {
    executor_.for_each("publish map", static_cast<std::int64_t>(values_.size()), Copy<float>{values_.data(), to});
  }
  const DensityMap& map() const { return map_; }

  // Allocates the memory for count_places(), which must not wait for an allocation.
  void reserve_places() {
    if (words_.size() == 0) words_ = Array<std::uint32_t, E>(executor_, static_cast<std::size_t>(place_words));
  }
  // Writes the number of places to the run's state; only enqueues launches. `side` is in internal units.
  void count_places(const float* y, std::int64_t stride, std::int64_t points, int columns, float side, RunState* run) {
    const std::int64_t step = (points + place_points - 1) / place_points;
    executor_.for_each("clear places", place_words, Fill<std::uint32_t>{words_.data(), 0});
    executor_.for_each("places", (points + step - 1) / step,
                       MarkPlaces{y, stride, step, columns, 1 / side, words_.data()});
    executor_.reduce("count places", place_words, std::int64_t{0}, CountBits{words_.data()}, KeepPlaces{run});
  }

 private:
  E& executor_;
  Array<float, E> values_;
  Array<std::uint32_t, E> words_;
  DensityMap map_;
};

}  // namespace kinescope::sim::mean_shift
