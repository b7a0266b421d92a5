// How well a layout keeps neighbourhoods: trustworthiness and continuity (J. Venna, S. Kaski, "Neighborhood
// preservation in nonlinear projection methods: an experimental study", 2001).
//
//   T(k) = 1 − 1/G Σ_i Σ_{j ∈ U_i} (r(i, j) − k)     points that the layout brings near although they are not
//   C(k) = 1 − 1/G Σ_i Σ_{j ∈ V_i} (r̂(i, j) − k)     points that the layout tears away although they are near
//   G = N k (2N − 3k − 1) / 2, or N (N − k)(N − k − 1) / 2 where k ≥ N/2
//
// U_i: the k nearest of i in the layout that are not among its k nearest in the data. V_i: the k nearest in the data
// that are not among the k nearest in the layout. r(i, j): the rank of j by its distance from i in the data; r̂: that
// in the layout; the nearest point has rank 1. G is the largest possible sum; T = C = 1 is perfect. Equal distances are
// ranked by the points' numbers.
#pragma once

#include <span>
#include <stop_token>

#include "kinescope/glimmer/input_distances.hpp"

namespace kinescope::sim::glimmer {

struct Neighbourhood {
  double trustworthiness = 0, continuity = 0;  // NaN where all other points are neighbours
  std::size_t rows = 0;                        // number of points i in the sums
  bool exact = true;                           // whether these are all points that have a place
};

// `layout` [points × L] is in the dataset's order. Points with a NaN are left out, as if the data did not contain them.
// k ≥ 1. Exact up to 5,000 placed points. Beyond, i runs over 1,000 of them, drawn without replacement, and j over all.
// O(rows · points · dimensions) on all threads; the result is the same for any number of them. Once `stop` is
// requested, returns soon with a meaningless result.
Neighbourhood neighbourhood_kept(const InputDistances& input, std::span<const float> layout, std::size_t k,
                                 const std::stop_token& stop = {});

}  // namespace kinescope::sim::glimmer
