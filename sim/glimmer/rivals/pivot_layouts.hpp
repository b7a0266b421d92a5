// Layouts from the distances of a few pivots to all points, in time linear in the number of points.
#pragma once

#include "sim/glimmer/rivals/pivots.hpp"
#include "sim/glimmer/rivals/rival.hpp"

namespace kinescope::sim::glimmer {

// Pivot MDS. C [N × k] is the doubly centred −½ δ² of the points to k pivots, and V are the first L eigenvectors of
// CᵀC; the layout is C V. Brandes and Pich leave its scale open. Here Y = C V becomes Y A^½, with the A for which Y A
// Yᵀ is C at the pivots, so that points of an L-dimensional space are found exactly. If that A is not positive
// definite, each axis gets the length that follows from s √(N/k), with s its singular value of C, as an estimate of the
// N × N matrix's eigenvalue. O(N k²).
std::vector<double> pivot_layout(const Pivots& pivots, std::size_t points, std::size_t L);

// Landmark MDS: classical scaling of the pivots, −½ J δ² J = V Λ Vᵀ. A point whose squared distances from the pivots
// are a is placed at −½ Λ^−½ Vᵀ (a − mean of the pivots' a). O(N k L + k³).
std::vector<double> landmark_layout(const Pivots& pivots, std::size_t points, std::size_t L);

using PivotLayout = std::vector<double>(const Pivots& pivots, std::size_t points, std::size_t L);

// Makes either layout, with one more pivot in each iteration. Layouts are multiplied by the factor that minimizes their
// stress.
class PivotRival : public Rival {
 public:
  PivotRival(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed, PivotLayout* lay_out);
  void step() override;

 private:
  InputDistances distances_;
  StressFigure figure_;
  Pivots pivots_;
  std::size_t wanted_, L_;
  PivotLayout* lay_out_;
};

}  // namespace kinescope::sim::glimmer
