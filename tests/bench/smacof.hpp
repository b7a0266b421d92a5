// The reference that layouts are measured against: minima of the raw stress Σ_{i<j} (d − δ)² from many starts, in
// double precision.
//
// SMACOF (J. de Leeuw, "Applications of convex analysis to multidimensional scaling", 1977): with unit weights the
// Guttman transform
//   Γ(X)_i = (1/N) Σ_j (δ_ij / d_ij) (x_i − x_j)
// of a centred X never raises the stress, and its fixed points are the stationary points. It is accelerated by Anderson
// mixing over a few steps (D. Anderson 1965); a mixed step that raises the stress is replaced by the plain one, so that
// the stress still only falls.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::quality {

// All δ of a dataset, in an order of its own, scaled so that their root mean square is 1.
struct Distances {
  std::int64_t points = 0;
  std::vector<float> lower;               // δ_ij, j < i, at i(i − 1)/2 + j
  std::vector<std::int32_t> permutation;  // place in `lower` → the dataset's order
  double unit = 1;                        // one unit of `lower`, in the dataset's normalized units
  double square = 0;                      // Σ δ²
  const float* row(std::int64_t i) const { return lower.data() + i * (i - 1) / 2; }
};

// O(N² H), on all threads.
Distances distances(const Dataset& data, GlimmerParameters& parameters);

struct Minimum {
  double stress = 0;      // normalized: Σ (d − δ)² / Σ δ²
  std::vector<double> x;  // [L × points] by columns, in Distances' units and order
};

// Starts 1, 2, … are random; start 0 is classical scaling (W. Torgerson 1952). Each runs, on one thread, until ten
// steps lower the stress by less than `gain` of it, or for 2,000 steps. L is 2 or 3.
Minimum smacof(const Distances& distances, int L, int start, double gain);
Minimum smacof_from(const Distances& distances, int L, Minimum from, double gain);

// Converts a minimum to a layout for full_stress: [points × L] in the dataset's order and units.
std::vector<float> as_layout(const Distances& distances, int L, const Minimum& minimum);

// Converts a layout, in the same form, to a start for smacof_from.
Minimum as_start(const Distances& distances, int L, const std::vector<float>& layout);

}  // namespace kinescope::sim::quality
