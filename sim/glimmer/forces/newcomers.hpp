// Where the points that are not in the sample begin in the hybrid layout.
//
//   A. Morrison, G. Ross, M. Chalmers, "Fast multidimensional scaling through sampling, springs and interpolation",
//   2003 F. Jourdan, G. Melançon, "Multiscale hybrid MDS", 2004
//
// A sample of √N points is laid out by forces. A newcomer's parent is the nearest point of the sample among those that
// binary searches find: for each of a few pivots, the sample is sorted by its distances from the pivot, and the
// candidates are the two between which the newcomer's distance lies. So N points cost O(N log N) in place of O(N √N).
// The newcomer is placed on a circle (in 3-D a sphere) around its parent, whose radius is their distance in the input.
#pragma once

#include <vector>

#include "sim/glimmer/forces/force_kernels.hpp"

namespace kinescope::sim::glimmer {

inline constexpr int sample_pivots = 16;

// The sample, slots 0 … size − 1, sorted by the distances from each pivot. The pivots are its first slots: slots are in
// random order.
struct SortedSample {
  std::int32_t pivots = 0, size = 0;
  std::vector<float> distance;      // [pivots × size] ascending; pairs without a distance are last, as infinities
  std::vector<std::int32_t> point;  // [pivots × size] the slots at these distances
};
// O(size log size), and the time of pivots · size distances.
SortedSample sort_sample(const Rows& rows, std::int64_t size);

// Places the newcomers when their stage begins; at other times it does nothing.
template <int L>
struct PlaceNewcomers {
  const RunState* run;
  const ForceState* state;
  Rows rows;
  Layout<L> layouts[2];
  const float* distance;  // of SortedSample
  const std::int32_t* point;
  std::int32_t pivots, size;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (run->converged || state->stage_iteration > 0 || state->first_free == 0 || i < state->first_free) return;
    float delta[sample_pivots];
    for (std::int32_t p = 0; p < pivots; ++p) delta[p] = rows.distance(i, p);
    const Vector<L>* placed = layouts[run->iteration & 1].position;
    std::int32_t parent = nobody;
    float radius = 0;
    for (std::int32_t p = 0; p < pivots; ++p) {
      const std::int32_t above = first_not_below(p, delta[p]);
      for (std::int32_t place = above > 0 ? above - 1 : 0; place <= above && place < size; ++place) {
        const std::int32_t candidate = point[p * size + place];
        const float away = candidate == p ? delta[p] : rows.distance(i, candidate);
        if (parent == nobody ? away == away : away < radius) parent = candidate, radius = away;
      }
    }
    if (parent == nobody) return;  // no distance is known: it stays where it was scattered
    layouts[run->iteration & 1].position[i] = on_circle(placed[parent], radius, delta, placed);
  }

  // The first place in pivot p's list whose distance is not below `delta`.
  KINESCOPE_HD std::int32_t first_not_below(std::int32_t p, float delta) const {
    std::int32_t low = 0, high = size;
    while (low < high) {
      const std::int32_t middle = (low + high) / 2;
      if (distance[p * size + middle] < delta)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  // The point of the circle whose distances from the pivots fit best: the best of the axes' directions, then steps from
  // it that are halved.
  KINESCOPE_HD Vector<L> on_circle(Vector<L> centre, float radius, const float* delta, const Vector<L>* placed) const {
    Vector<L> best = centre;
    float least = -1;
    const auto look = [&](Vector<L> direction) {
      const float length = std::sqrt(dot<L>(direction, direction));
      if (!(length > 0)) return;
      const Vector<L> x = centre + (radius / length) * direction;
      const float error = misfit(x, delta, placed);
      if (least < 0 || error < least) best = x, least = error;
    };
    for (float step = 1; step > 0.01f; step *= 0.5f) {
      const Vector<L> from = least < 0 || !(radius > 0) ? Vector<L>(0.0f) : (best - centre) / radius;
      for (int l = 0; l < L; ++l)
        for (int sign = -1; sign <= 1; sign += 2) {
          Vector<L> direction = from;
          direction[l] += float(sign) * step;
          look(direction);
        }
    }
    return best;
  }

  KINESCOPE_HD float misfit(Vector<L> x, const float* delta, const Vector<L>* placed) const {
    float sum = 0;
    for (std::int32_t p = 0; p < pivots; ++p) {
      const Vector<L> between = x - placed[p];
      const float error = std::sqrt(dot<L>(between, between)) - delta[p];
      if (error == error) sum += error * error;
    }
    return sum;
  }
};

}  // namespace kinescope::sim::glimmer
