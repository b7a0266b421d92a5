// Which points an iteration moves, in a run until convergence: not those that rest (Rest, point_kernels.hpp), and of
// the pixels that have met only the leaders (meetings.hpp).
#pragma once

#include <bit>
#include <cstdint>

#include "kinescope/array.hpp"
#include "kinescope/executors/functors.hpp"
#include "sim/mean_shift/meetings.hpp"

namespace kinescope::sim::mean_shift {

template <Executor E>
class Movers {
 public:
  explicit Movers(E& executor) : executor_(executor) {}

  // Before a run, and before it goes on: all of `points` points move. If not `rests`, they do so in every iteration,
  // and the other members do nothing. If `meets`, those that meet go on together.
  void begin(std::int64_t points, bool rests, bool meets) {
    points_ = points;
    begun_ = true;
    rests_ = rests, meets_ = rests && meets;
    if (!rests_) return;
    fit(moving_, points);
    executor_.for_each("shifts", points, Fill<float>{fit(latest_, points), 0});
    if (!meets_) return;
    const auto entries = static_cast<std::int64_t>(std::bit_ceil(2 * static_cast<std::uint64_t>(points)));
    fit(taken_, points);
    executor_.for_each("leaders", points, Enumerate{fit(leader_, points)});
    executor_.for_each("no meetings", entries, Fill<std::int32_t>{fit(table_, entries), nobody});
  }

  float* latest() { return latest_.data(); }

  // Limits an iteration to the points that move; or the measurement of weights, if `shifted` does not move, to one
  // point of those that go together.
  template <class Kernels>
  void limit(Kernels& kernels, Shifted& shifted) {
    if (!rests_ || !(shifted.move || meets_)) return;
    find(kernels, shifted);
    if (!shifted.move || !meets_) return;
    const Extent moving(points_, shifted.number);
    const Meetings meetings{shifted, static_cast<float>(1 / (meeting_side * gaussian_bandwidth)), table_.data(),
                            table_.size() - 1, leader_.data()};
    executor_.for_each("arrive", moving, Arrive{meetings});
    executor_.for_each("join", moving, Join{meetings, taken_.data()});
    executor_.for_each("depart", moving, Depart{meetings, taken_.data()});
    find(kernels, shifted);
  }

  // Puts the points that follow others where these are.
  void carry_followers(float* y, float* weight, std::int64_t stride) {
    if (meets_) executor_.for_each("follow", points_, Follow{y, weight, stride, leader_.data()});
  }

  // Point i, which rested, moves again, by itself.
  void let_move(std::int64_t i) {
    begun_ = true;
    const float unknown = 0;
    const auto own = static_cast<std::int32_t>(i);
    executor_.copy_in(latest_.data() + i, &unknown, sizeof unknown);
    if (meets_) executor_.copy_in(leader_.data() + i, &own, sizeof own);
  }

 private:
  template <class Kernels>
  void find(Kernels& kernels, Shifted& shifted) {
    kernels.find_moving(TakesPart{shifted.weight, shifted.move ? nullptr : leader_.data()}, points_,
                        begun_ || !shifted.move, moving_.data(), number_.data());
    begun_ = !shifted.move;
    shifted.moving = moving_.data();
    shifted.number = number_.data();
  }

  template <class T>
  T* fit(Array<T, E>& array, std::int64_t size) {
    if (array.size() != static_cast<std::size_t>(size)) array = Array<T, E>(executor_, static_cast<std::size_t>(size));
    return array.data();
  }

  E& executor_;
  std::int64_t points_ = 0;
  bool rests_ = false, meets_ = false;
  bool begun_ = true;              // points may move that did not when the last were found
  Array<float, E> latest_;         // see Rest
  Array<std::int32_t, E> moving_;  // see Shifted
  Array<std::int64_t, E> number_{executor_, 1};
  Array<std::int32_t, E> leader_, table_, taken_;  // see Meetings and Join
};

}  // namespace kinescope::sim::mean_shift
