// Tiles of the partition method on the CPU: eight at a time, one in each lane of a vector.
#pragma once

#include <algorithm>

#include "sim/fitzhugh_nagumo/axon/partition.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

template <class T>
class TileGroup {
 public:
  static constexpr int lanes = 8;
  static std::int64_t groups(std::int64_t rows) { return (rows - 1) / (lanes * partition_rows) + 1; }

  TileGroup(const System<T>& system, std::int64_t rows, std::int64_t group)
      : first_(group * lanes), tiles_((rows - 1) / partition_rows + 1) {
    load(system.lower, rows, T(0), lower_);
    load(system.diagonal, rows, T(1), diagonal_);
    load(system.upper, rows, T(0), upper_);
    load(system.right, rows, T(0), right_);
  }

  void reduce(const Joints<T>& joints) {
    eliminate<true>();
    Lanes value, left, after;  // of the row at hand by X' and X, from the row before the last one down
    for (int k = 0; k < lanes; ++k) {
      value[k] = right_[last - 1][k];
      left[k] = lower_[last - 1][k];
      after[k] = upper_[last - 1][k];
    }
    for (int i = last - 2; i >= 0; --i)
      for (int k = 0; k < lanes; ++k) {
        value[k] = right_[i][k] - upper_[i][k] * value[k];
        left[k] = lower_[i][k] - upper_[i][k] * left[k];
        after[k] = -upper_[i][k] * after[k];
      }
    for (int k = 0; k < lanes && first_ + k < tiles_; ++k) {
      const std::int64_t tile = first_ + k;
      const T below = lower_[last][k];
      joints.value[tile] = value[k];
      joints.left[tile] = left[k];
      joints.after[tile] = after[k];
      joints.lower[tile] = -below * lower_[last - 1][k];
      joints.diagonal[tile] = diagonal_[last][k] - below * upper_[last - 1][k];
      joints.upper[tile] = upper_[last][k];
      joints.right[tile] = right_[last][k] - below * right_[last - 1][k];
    }
  }

  // `ends` are the solutions of the tiles' last rows.
  void substitute(const T* ends, T* solution, std::int64_t rows) {
    Lanes x;
    for (int k = 0; k < lanes; ++k) {
      const std::int64_t tile = std::min(first_ + k, tiles_ - 1);
      right_[0][k] -= tile == 0 ? T(0) : lower_[0][k] * ends[tile - 1];
      x[k] = ends[tile];
    }
    eliminate<false>();
    for (int k = 0; k < lanes; ++k) right_[last][k] = x[k];
    for (int i = last - 1; i >= 0; --i)
      for (int k = 0; k < lanes; ++k) right_[i][k] = x[k] = right_[i][k] - upper_[i][k] * x[k];
    for (int k = 0; k < lanes; ++k) {
      const std::int64_t begin = (first_ + k) * partition_rows;
      const auto count = static_cast<int>(std::clamp<std::int64_t>(rows - begin, 0, partition_rows));
      for (int i = 0; i < count; ++i) solution[begin + i] = right_[i][k];
    }
  }

 private:
  using Lanes = T[lanes];
  static constexpr int last = static_cast<int>(partition_rows) - 1;

  void load(const T* from, std::int64_t rows, T outside, Lanes* to) const {
    for (int k = 0; k < lanes; ++k) {
      const std::int64_t begin = (first_ + k) * partition_rows;
      const auto count = static_cast<int>(std::clamp<std::int64_t>(rows - begin, 0, partition_rows));
      for (int i = 0; i < count; ++i) to[i][k] = from[begin + i];
      for (int i = count; i <= last; ++i) to[i][k] = outside;
    }
  }

  // Leaves of rows 0 … last − 1: x_i = right_i − lower_i X' − upper_i x_{i+1}.
  template <bool by_left>
  void eliminate() {
    for (int i = 0; i < last; ++i)
      for (int k = 0; k < lanes; ++k) {
        const T below = i == 0 ? T(0) : lower_[i][k];
        const T inverse = T(1) / (diagonal_[i][k] - below * (i == 0 ? T(0) : upper_[i - 1][k]));
        upper_[i][k] *= inverse;
        right_[i][k] = (right_[i][k] - below * (i == 0 ? T(0) : right_[i - 1][k])) * inverse;
        if (by_left) lower_[i][k] = (i == 0 ? lower_[0][k] : -below * lower_[i - 1][k]) * inverse;
      }
  }

  std::int64_t first_, tiles_;
  alignas(64) Lanes lower_[partition_rows], diagonal_[partition_rows], upper_[partition_rows], right_[partition_rows];
};

}  // namespace kinescope::sim::fitzhugh_nagumo
