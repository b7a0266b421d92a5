// Tridiagonal systems of any kind by partition (H. H. Wang, ACM Transactions on Mathematical Software 7, 1981). Tiles
// of 256 rows are reduced independently of each other. The unknowns of the tiles' last rows form a smaller system, with
// one row per tile. It is solved in the same way. Given its solution, each tile is solved independently, too. O(n); the
// rows are read twice.
#pragma once

#include <cstdint>
#include <memory>

#include "kinescope/array.hpp"
#include "kinescope/executors/host_device.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

template <class T>
struct System {
  T *lower, *diagonal, *upper, *right;  // [rows] each; the first lower and the last upper are 0
};

inline constexpr std::int64_t partition_rows = 256;  // per tile

// The two equations that remain of each tile. X is the unknown of the tile's last row, X' that of the previous tile's
// last row. First row: x_first = value − left X' − after X. Last row: lower X' + diagonal X + upper x_first of the next
// tile = right.
template <class T>
struct Joints {
  T *value, *left, *after, *lower, *diagonal, *upper, *right;  // [tiles] each

  static constexpr int arrays = 7;
  // Places the arrays in `memory`, `apart` elements from one to the next.
  static Joints in(T* memory, std::int64_t apart) {
    return {memory,
            memory + apart,
            memory + 2 * apart,
            memory + 3 * apart,
            memory + 4 * apart,
            memory + 5 * apart,
            memory + 6 * apart};
  }
};

// Forms the rows of the smaller system: replaces x_first of the next tile in each tile's last row.
template <class T>
struct JoinTiles {
  Joints<T> joints;
  System<T> system;
  std::int64_t tiles;
  const std::int32_t* idle;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (idle && *idle) return;
    const bool last = i + 1 == tiles;
    const T upper = last ? T(0) : joints.upper[i];
    const std::int64_t next = last ? i : i + 1;
    system.lower[i] = i == 0 ? T(0) : joints.lower[i];
    system.diagonal[i] = joints.diagonal[i] - upper * joints.left[next];
    system.upper[i] = -upper * joints.after[next];
    system.right[i] = joints.right[i] - upper * joints.value[next];
  }
};

template <Executor E>
class AxonKernels;

// Solves systems of `rows` rows, with memory for the smaller systems.
template <class T, Executor E>
class Partition {
 public:
  Partition(E& executor, AxonKernels<E>& kernels, std::int64_t rows)
      : executor_(executor), kernels_(kernels), rows_(rows) {
    if (rows <= partition_rows) return;
    tiles_ = (rows - 1) / partition_rows + 1;
    apart_ = (tiles_ + 3) / 4 * 4;
    memory_ = Array<T, E>(executor, static_cast<std::size_t>((Joints<T>::arrays + 5) * apart_));
    smaller_ = std::make_unique<Partition>(executor, kernels, tiles_);
  }

  // If *idle is set, the work is skipped.
  void solve(const System<T>& system, T* solution, const std::int32_t* idle) {
    if (!smaller_) return kernels_.solve_one_tile(system, solution, rows_, idle);
    const Joints<T> joints = Joints<T>::in(memory_.data(), apart_);
    T* rest = memory_.data() + Joints<T>::arrays * apart_;
    const System<T> tiles{rest, rest + apart_, rest + 2 * apart_, rest + 3 * apart_};
    T* ends = rest + 4 * apart_;
    kernels_.reduce_tiles(system, rows_, joints, idle);
    executor_.for_each("join tiles", tiles_, JoinTiles<T>{joints, tiles, tiles_, idle});
    smaller_->solve(tiles, ends, idle);
    kernels_.substitute_tiles(system, rows_, ends, solution, idle);
  }

 private:
  E& executor_;
  AxonKernels<E>& kernels_;
  std::int64_t rows_, tiles_ = 0;
  std::int64_t apart_ = 0;  // tiles_, rounded up so that each array begins where four numbers are aligned
  Array<T, E> memory_;
  std::unique_ptr<Partition> smaller_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
