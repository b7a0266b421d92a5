// Pixels that meet go on together. Pixels of one segment soon come so near to each other that they take the same way
// from there; then one of them, the leader, is moved, and the others follow it: they get its place in the end.
//
// Space is divided into cells `meeting_side` bandwidths wide, and before each iteration the moving pixels in one cell
// follow the one with the lowest index. So a pixel is put at most a cell's diagonal, and mostly half a side, beside its
// place. On the way to a mode that shrinks; only a pixel that near to a watershed may reach the other mode.
//
// Cells are found in a hash table of one index for each entry, the lowest that comes. If the pixel found there is in
// another cell, a pixel just goes on by itself, so that the result depends on no order.
#pragma once

#include <cmath>
#include <cstdint>
#ifndef __CUDACC__
#include <atomic>
#endif

#include "kinescope/executors/run_state.hpp"
#include "sim/mean_shift/point_kernels.hpp"
#include "sim/mean_shift/screen/places.hpp"

namespace kinescope::sim::mean_shift {

inline constexpr double meeting_side = 0.1;
inline constexpr int picture_columns = 5;
inline constexpr std::int32_t nobody = INT32_MAX;  // an entry of the table that no pixel has taken

struct Meetings {
  Shifted shifted;
  float inverse_side;
  std::int32_t* table;  // [mask + 1] all `nobody` between iterations
  std::uint64_t mask;
  std::int32_t* leader;  // [points] the point that each one follows; itself: none

  KINESCOPE_HD std::int64_t cell(int c, std::int64_t i) const {
    return static_cast<std::int64_t>(std::floor(shifted.y[c * shifted.stride + i] * inverse_side));
  }
  KINESCOPE_HD std::int32_t* entry(std::int64_t i) const {
    std::uint64_t hash = static_cast<std::uint64_t>(shifted.run->iteration);
    for (int c = 0; c < picture_columns; ++c) hash = mix_place(hash, cell(c, i));
    return table + (hash & mask);
  }
  KINESCOPE_HD bool together(std::int64_t i, std::int64_t j) const {
    for (int c = 0; c < picture_columns; ++c)
      if (cell(c, i) != cell(c, j)) return false;
    return true;
  }
  KINESCOPE_HD bool absent(std::int64_t i) const { return shifted.idle() || shifted.weight[i] < 0; }
};

struct Arrive {
  Meetings meetings;
  KINESCOPE_HD void operator()(std::int64_t place) const {
    const std::int64_t i = meetings.shifted.point(place);
    if (meetings.absent(i)) return;
    std::int32_t* entry = meetings.entry(i);
    const auto own = static_cast<std::int32_t>(i);
#ifdef __CUDACC__
#ifdef __CUDA_ARCH__
    atomicMin(entry, own);
#endif
#else
    const std::atomic_ref<std::int32_t> shared(*entry);
    std::int32_t seen = shared.load(std::memory_order_relaxed);
    while (own < seen && !shared.compare_exchange_weak(seen, own, std::memory_order_relaxed)) {
    }
#endif
  }
};

// Each pixel that is not the first of its cell follows that one.
struct Join {
  Meetings meetings;
  std::int32_t* taken;  // [points] by place: the entry's index, for Depart
  KINESCOPE_HD void operator()(std::int64_t place) const {
    const std::int64_t i = meetings.shifted.point(place);
    taken[place] = -1;
    if (meetings.absent(i)) return;
    const std::int32_t* entry = meetings.entry(i);
    taken[place] = static_cast<std::int32_t>(entry - meetings.table);
    if (*entry != i && meetings.together(i, *entry)) meetings.leader[i] = *entry;
  }
};

// Empties the table, and lets the followers rest.
struct Depart {
  Meetings meetings;
  const std::int32_t* taken;
  KINESCOPE_HD void operator()(std::int64_t place) const {
    const std::int64_t i = meetings.shifted.point(place);
    if (taken[place] < 0) return;
    if (meetings.leader[i] != i) meetings.shifted.weight[i] = -1;  // until it gets its leader's
#ifdef __CUDACC__
    meetings.table[taken[place]] = nobody;
#else
    std::atomic_ref(meetings.table[taken[place]]).store(nobody, std::memory_order_relaxed);
#endif
  }
};

// Puts the followers where their leaders are.
struct Follow {
  float *y, *weight;
  std::int64_t stride;
  const std::int32_t* leader;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (leader[i] == i) return;
    std::int64_t first = leader[i];
    while (leader[first] != first) first = leader[first];
    for (int c = 0; c < picture_columns; ++c) y[c * stride + i] = y[c * stride + first];
    weight[i] = -std::fabs(weight[first]);
  }
};

}  // namespace kinescope::sim::mean_shift
