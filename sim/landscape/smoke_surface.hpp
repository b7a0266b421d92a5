// Surfaces of metaballs, and of any field on a cubic grid, over an executor. Usable by itself:
//
//   SmokeSurface<Cpu> surface(executor, make_grid(corner, side, 128));
//   surface.sum(balls, count, largest_radius, iso);      // touches only bricks near balls
//   surface.extract(iso, memory);                        // of the field just summed
//   surface.extract_dense(values, iso, memory);          // of a field of one's own, [nodes³]
//
// Everything is enqueued, nothing waits. Equal input gives equal bits on both executors and for any number of threads.
#pragma once

#include <cmath>
#include <span>
#include <utility>

#include "sim/core/array.hpp"
#include "sim/landscape/surface_kernels.hpp"

namespace kinescope::sim::landscape {

template <class Executor>
class SmokeSurface {
 public:
  SmokeSurface(Executor& executor, const GridPlace& grid) : executor_(executor), grid_(grid), scan_(executor) {
    static constexpr MarchingTables tables = make_marching_tables();
    tables_ = Array<MarchingTables, Executor>(executor_, std::span(&tables, 1));
    const auto bricks = static_cast<std::size_t>(grid_.brick_count());
    for (auto* pairs : {&ball_counts_, &ball_starts_, &flags_, &slots_, &counts_, &starts_})
      *pairs = Array<Pair, Executor>(executor_, bricks + 1);
    for (auto* list : {&touched_[0], &touched_[1], &passed_}) *list = Array<std::uint32_t, Executor>(executor_, bricks);
    sides_ = Array<std::uint8_t, Executor>(executor_, bricks);
    node_starts_ = Array<std::uint16_t, Executor>(executor_, bricks * brick_nodes);
    list_counts_ = Array<std::int64_t, Executor>(executor_, 3);
    const std::int64_t zeros[3] = {};
    list_counts_.upload(zeros);
  }

  const GridPlace& grid() const { return grid_; }
  const float* values() const { return values_.data(); }  // of the field summed last

  // The grid elsewhere in space.
  void move(const float* corner) {
    for (int c = 0; c < 3; ++c) grid_.corner[c] = corner[c];
  }

  // The field of the balls, of which none has a larger radius than `largest_radius`.
  void sum(const Ball* balls, const Extent& count, float largest_radius, float iso) {
    make_room(static_cast<std::size_t>(count.maximum));
    const std::int64_t bricks = grid_.brick_count();
    std::swap(touched_[0], touched_[1]);
    now_ = 1 - now_;
    executor_.for_each("reset bricks", bricks, ResetBricks{ball_counts_.data()});
    executor_.for_each("mark bricks", count, MarkBalls{grid_, balls, ball_counts_.data(), home_.data(), rank_.data()});
    scan_(ball_counts_.data(), ball_starts_.data(), bricks);
    executor_.for_each("sort balls", count,
                       SortBalls{grid_, balls, ball_starts_.data(), home_.data(), rank_.data(), sorted_.data()});
    executor_.for_each("touched bricks", bricks,
                       ListTouched{ball_counts_.data(), ball_starts_.data(), bricks, touched_[0].data(), touched()});
    launch_groups(executor_, "clear bricks", Extent(bricks, list_counts_.data() + 1 - now_),
                  ClearBricks{grid_, ball_counts_.data(), touched_[1].data(), values_.data(), sides_.data()});
    const int reach = static_cast<int>(largest_radius / grid_.spacing / brick_side) + 1;
    launch_groups(executor_, "sum balls", Extent(bricks, touched()),
                  SumBalls{grid_, sorted_.data(), ball_starts_.data(), touched_[0].data(), reach, iso, values_.data(),
                           sides_.data()});
  }

  void extract(float iso, const SurfaceMemory& to) { extract_bricks(values_.data(), iso, to); }

  void extract_dense(const float* values, float iso, const SurfaceMemory& to) {
    launch_groups(executor_, "sides", FindSides::rows(grid_), FindSides{grid_, values, iso, sides_.data()});
    extract_bricks(values, iso, to);
    touched_all_ = true;
  }

 private:
  struct Empty {
    float* values;
    std::uint8_t* sides;
    std::int64_t bricks;
    KINESCOPE_HD void operator()(std::int64_t i) const {
      values[i] = 0;
      if (i < bricks) sides[i] = has_outside;
    }
  };

  std::int64_t* touched() { return list_counts_.data() + now_; }

  void make_room(std::size_t balls) {
    if (sorted_.size() < balls) {
      sorted_ = Array<Ball, Executor>(executor_, balls);
      home_ = Array<std::uint32_t, Executor>(executor_, balls);
      rank_ = Array<std::uint32_t, Executor>(executor_, balls);
    }
    const auto nodes = static_cast<std::size_t>(grid_.nodes);
    if (values_.size() > 0 && !touched_all_) return;
    if (values_.size() == 0) values_ = Array<float, Executor>(executor_, nodes * nodes * nodes);
    executor_.for_each("empty", static_cast<std::int64_t>(values_.size()),
                       Empty{values_.data(), sides_.data(), grid_.brick_count()});
    touched_all_ = false;
  }

  void extract_bricks(const float* values, float iso, const SurfaceMemory& to) {
    const std::int64_t bricks = grid_.brick_count();
    std::int64_t* const passed_count = list_counts_.data() + 2;
    const SurfacePlan plan{grid_,
                           values,
                           iso,
                           tables_.data(),
                           slots_.data(),
                           passed_.data(),
                           passed_count,
                           counts_.data(),
                           starts_.data(),
                           node_starts_.data(),
                           to};
    executor_.for_each("find bricks", bricks, FindPassed{grid_, sides_.data(), flags_.data()});
    scan_(flags_.data(), slots_.data(), bricks);
    executor_.for_each("list bricks", bricks,
                       ListPassed{flags_.data(), slots_.data(), bricks, passed_.data(), passed_count, to.draw});
    launch_groups(executor_, "count", Extent(bricks, passed_count), CountBrick{plan});
    scan_(counts_.data(), starts_.data(), bricks);
    launch_groups(executor_, "vertices", Extent(bricks, passed_count), MakeVertices{plan});
    launch_groups(executor_, "triangles", Extent(bricks, passed_count), MakeTriangles{plan});
  }

  Executor& executor_;
  GridPlace grid_;
  PairScan<Executor> scan_;
  Array<MarchingTables, Executor> tables_;
  Array<float, Executor> values_;
  Array<Ball, Executor> sorted_;
  Array<std::uint32_t, Executor> home_, rank_;
  Array<Pair, Executor> ball_counts_, ball_starts_, flags_, slots_, counts_, starts_;
  Array<std::uint32_t, Executor> touched_[2], passed_;  // touched_[0]: now, [1]: by the sum before
  Array<std::uint8_t, Executor> sides_;
  Array<std::uint16_t, Executor> node_starts_;
  Array<std::int64_t, Executor> list_counts_;  // of touched_, in turn, and of passed_
  int now_ = 0;
  bool touched_all_ = false;  // a dense field has written sides_
};

}  // namespace kinescope::sim::landscape
