// Tiles of the partition method on the CPU: as many at a time as a vector has lanes.
#pragma once

#include <algorithm>
#include <cstring>

#include "sim/fitzhugh_nagumo/axon/loops_cpu.hpp"
#include "sim/fitzhugh_nagumo/axon/partition.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

template <class T>
class TileGroup {
 public:
  static constexpr int lanes = lane_count<T>;
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
    // Expresses each row's unknown by X' and X (partition.hpp), from the row before the last one upwards.
    Lanes value = right_[last - 1], left = lower_[last - 1], after = upper_[last - 1];
    for (int i = last - 2; i >= 0; --i) {
      value = right_[i] - upper_[i] * value;
      left = lower_[i] - upper_[i] * left;
      after = -upper_[i] * after;
    }
    const Lanes below = lower_[last], diagonal = diagonal_[last] - below * upper_[last - 1],
                lower = -below * lower_[last - 1], right = right_[last] - below * right_[last - 1];
    for (int k = 0; k < lanes && first_ + k < tiles_; ++k) {
      const std::int64_t tile = first_ + k;
      joints.value[tile] = value[k];
      joints.left[tile] = left[k];
      joints.after[tile] = after[k];
      joints.lower[tile] = lower[k];
      joints.diagonal[tile] = diagonal[k];
      joints.upper[tile] = upper_[last][k];
      joints.right[tile] = right[k];
    }
  }

  // `ends` are the unknowns of the tiles' last rows.
  void substitute(const T* ends, T* solution, std::int64_t rows) {
    Lanes before{}, x{};
    for (int k = 0; k < lanes; ++k) {
      const std::int64_t tile = std::min(first_ + k, tiles_ - 1);
      before[k] = tile == 0 ? T(0) : ends[tile - 1];
      x[k] = ends[tile];
    }
    right_[0] -= lower_[0] * before;
    eliminate<false>();
    right_[last] = x;
    for (int i = last - 1; i >= 0; --i) right_[i] = x = right_[i] - upper_[i] * x;
    T* to = solution + first_ * partition_rows;
    if (whole(rows)) {
      for (int i = 0; i < partition_rows; i += lanes) {
        Lanes block[lanes];
        std::copy_n(right_ + i, lanes, block);
        transpose(block);
        for (int k = 0; k < lanes; ++k) std::memcpy(to + k * partition_rows + i, &block[k], sizeof(Lanes));
      }
      return;
    }
    for (int k = 0; k < lanes; ++k)
      for (int i = 0, count = count_of(k, rows); i < count; ++i) to[k * partition_rows + i] = right_[i][k];
  }

 private:
  using Lanes = Vector<T>;
  static constexpr int last = static_cast<int>(partition_rows) - 1;

  // Whether all tiles of the group have all their rows.
  bool whole(std::int64_t rows) const { return (first_ + lanes) * partition_rows <= rows; }
  int count_of(int k, std::int64_t rows) const {
    return static_cast<int>(std::clamp<std::int64_t>(rows - (first_ + k) * partition_rows, 0, partition_rows));
  }

  void load(const T* from, std::int64_t rows, T outside, Lanes* to) const {
    from += first_ * partition_rows;
    if (whole(rows)) {
      for (int i = 0; i < partition_rows; i += lanes) {
        auto& block = *reinterpret_cast<Lanes(*)[lanes]>(to + i);
        for (int k = 0; k < lanes; ++k) std::memcpy(&block[k], from + k * partition_rows + i, sizeof(Lanes));
        transpose(block);
      }
      return;
    }
    for (int k = 0; k < lanes; ++k) {
      const int count = count_of(k, rows);
      for (int i = 0; i < count; ++i) to[i][k] = from[k * partition_rows + i];
      for (int i = count; i <= last; ++i) to[i][k] = outside;
    }
  }

  // Brings rows 0 … last − 1 into the form x_i = right_i − lower_i X' − upper_i x_{i+1}. Without by_left, `lower_`
  // keeps its old values; then `right_` has to contain the term with X' already.
  template <bool by_left>
  void eliminate() {
    const Lanes first = T(1) / diagonal_[0];
    Lanes upper = upper_[0] *= first, right = right_[0] *= first, left = lower_[0] * first;
    if (by_left) lower_[0] = left;
    for (int i = 1; i < last; ++i) {
      const Lanes below = lower_[i], inverse = T(1) / (diagonal_[i] - below * upper);
      upper_[i] = upper = upper_[i] * inverse;
      right_[i] = right = (right_[i] - below * right) * inverse;
      if (by_left) lower_[i] = left = -below * left * inverse;
    }
  }

  std::int64_t first_, tiles_;
  alignas(64) Lanes lower_[partition_rows], diagonal_[partition_rows], upper_[partition_rows], right_[partition_rows];
};

}  // namespace kinescope::sim::fitzhugh_nagumo
