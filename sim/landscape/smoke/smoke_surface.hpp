// Surfaces of metaballs, and of any field on a cubic grid, over an executor. It can be used without a simulation:
//
//   SmokeSurface<Cpu> surface(executor, make_grid(corner, side, 128));
//   surface.sum(balls, count, largest_radius, iso);      // touches only bricks near balls
//   surface.extract(iso, memory);                        // of the field just summed
//   surface.extract_dense(values, iso, memory);          // of another field, [nodes³]
//
// All calls only enqueue work. Equal input gives equal bits on both executors and for any number of threads.
#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/executors/functors.hpp"
#include "kinescope/landscape/mesh.hpp"
#include "sim/landscape/smoke/surface_kernels.hpp"

namespace kinescope::sim::landscape {

// Memory in an executor for a surface that is not published.
template <Executor E>
struct OwnSurface {
  Array<float, E> positions, normals;
  Array<std::uint32_t, E> indices, draw;

  OwnSurface(E& executor, std::size_t vertices)
      : positions(executor, 3 * vertices),
        normals(executor, 3 * vertices),
        indices(executor, 6 * vertices),
        draw(executor, 8) {}
  SurfaceMemory view() {
    return {positions.data(),
            normals.data(),
            indices.data(),
            draw.data(),
            static_cast<std::uint32_t>(positions.size() / 3),
            static_cast<std::uint32_t>(indices.size())};
  }
  std::size_t triangles() const { return draw.download()[0] / 3; }
  SurfaceData download() {
    const std::vector<std::uint32_t> counts = draw.download();
    SurfaceData data{positions.download(), normals.download(), indices.download(), counts[7] != 0};
    data.positions.resize(3 * std::size_t{counts[5]});
    data.normals.resize(3 * std::size_t{counts[5]});
    data.indices.resize(counts[0]);
    return data;
  }
};

template <Executor E>
class SmokeSurface {
 public:
  SmokeSurface(E& executor, const GridPlace& grid) : executor_(executor), grid_(grid), scan_(executor) {
    static constexpr MarchingTables tables = make_marching_tables();
    tables_ = Array<MarchingTables, E>(executor_, std::span(&tables, 1));
    const auto bricks = static_cast<std::size_t>(grid_.brick_count());
    const std::vector<Pair> zero_pairs(bricks + 1);  // a scan also reads the last one, which nobody writes
    for (auto* pairs : {&ball_counts_, &ball_starts_, &counts_, &starts_})
      *pairs = Array<Pair, E>(executor_, std::span(zero_pairs));
    for (auto* list : {&touched_, &passed_}) *list = Array<std::uint32_t, E>(executor_, bricks);
    for (auto* bytes : {&sides_, &before_}) *bytes = Array<std::uint8_t, E>(executor_, bricks);
    inside_ = Array<std::uint64_t, E>(executor_, bricks * brick_side);
    edges_ = Array<EdgeWord, E>(executor_, bricks * edge_words);
    // The words of bricks that no surface crosses are read, too, but have no effect.
    executor_.for_each("no edges", static_cast<std::int64_t>(edges_.size()), Fill<EdgeWord>{edges_.data(), {}});
    list_counts_ = Array<std::int64_t, E>(executor_, 4);
    const std::int64_t zeros[4] = {};
    list_counts_.upload(zeros);
  }

  const float* values() const { return values_.data(); }  // of the field that was summed last

  // Sums the field of the balls, none of which may have a larger radius than `largest_radius`.
  void sum(const Ball* balls, const Extent& count, float largest_radius, float iso) {
    make_room(static_cast<std::size_t>(count.maximum));
    const std::int64_t bricks = grid_.brick_count();
    touched_now_ = 1 - touched_now_;
    executor_.for_each("mark bricks", count, MarkBalls{grid_, balls, ball_counts_.data(), home_.data(), rank_.data()});
    scan_(ball_counts_.data(), ball_starts_.data(), bricks);
    executor_.for_each("sort balls", count,
                       SortBalls{grid_, balls, ball_starts_.data(), home_.data(), rank_.data(), sorted_.data()});
    executor_.for_each("touched bricks", bricks, ListTouched{brick_memory(), touched_now_, touched_.data()});
    const int reach = static_cast<int>(largest_radius / grid_.spacing / brick_side) + 1;
    launch_groups(executor_, "sum balls", Extent(bricks, list_counts_.data() + touched_now_),
                  SumBalls{grid_, sorted_.data(), ball_starts_.data(), touched_.data(), reach, iso, values_.data(),
                           brick_memory()});
  }

  void extract(float iso, const SurfaceMemory& to) { extract_bricks(values_.data(), iso, to); }

  void extract_dense(const float* values, float iso, const SurfaceMemory& to) {
    launch_warps(executor_, "sides", FindSides{grid_, values, iso, sides_.data(), inside_.data()});
    extract_bricks(values, iso, to);
    touched_all_ = true;
  }

 private:
  BrickMemory brick_memory() {
    return {sides_.data(), inside_.data(), before_.data(), ball_counts_.data(), list_counts_.data()};
  }

  void make_room(std::size_t balls) {
    if (sorted_.size() < balls) {
      sorted_ = Array<Ball, E>(executor_, balls);
      home_ = Array<std::uint32_t, E>(executor_, balls);
      rank_ = Array<std::uint32_t, E>(executor_, balls);
    }
    const auto nodes = static_cast<std::size_t>(grid_.nodes);
    if (values_.size() > 0 && !touched_all_) return;
    if (values_.size() == 0) values_ = Array<float, E>(executor_, nodes * nodes * nodes);
    executor_.for_each("empty", static_cast<std::int64_t>(values_.size()),
                       EmptyField{brick_memory(), grid_.brick_count(), values_.data()});
    touched_all_ = false;
  }

  void extract_bricks(const float* values, float iso, const SurfaceMemory& to) {
    const std::int64_t bricks = grid_.brick_count();
    passed_now_ = 1 - passed_now_;
    std::int64_t* const passed_counts = list_counts_.data() + 2;
    const SurfacePlan plan{grid_,
                           values,
                           iso,
                           tables_.data(),
                           sides_.data(),
                           inside_.data(),
                           passed_.data(),
                           passed_counts,
                           passed_now_,
                           counts_.data(),
                           starts_.data(),
                           edges_.data(),
                           to};
    executor_.for_each("count", bricks, CountBricks{plan});
    scan_(counts_.data(), starts_.data(), bricks);
    const Extent passed(bricks, passed_counts + passed_now_);
    launch_groups(executor_, "vertices", passed, MakeVertices{plan});
    launch_groups(executor_, "triangles", passed, MakeTriangles{plan});
  }

  E& executor_;
  GridPlace grid_;
  PairScan<E> scan_;
  Array<MarchingTables, E> tables_;
  Array<float, E> values_;
  Array<Ball, E> sorted_;
  Array<std::uint32_t, E> home_, rank_;
  Array<Pair, E> ball_counts_, ball_starts_, counts_, starts_;
  Array<std::uint32_t, E> touched_, passed_;
  Array<std::uint8_t, E> sides_, before_;
  Array<std::uint64_t, E> inside_;
  Array<EdgeWord, E> edges_;
  Array<std::int64_t, E> list_counts_;  // lengths of touched_ and of passed_, each pair used in turn
  int touched_now_ = 0, passed_now_ = 0;
  bool touched_all_ = false;  // a dense field has written sides_
};

}  // namespace kinescope::sim::landscape
