// What the host decides before a run: sizes, time steps, which kernels.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/simulation.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo_parameters.hpp"
#include "sim/fitzhugh_nagumo/formulas.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

struct Plan {
  Constants constants;  // dt is that which is used
  Scheme scheme = Scheme::explicit_euler;
  Compare compare = Compare::none;
  Solver solver = Solver::halo;  // never automatic
  Case start = Case::divergent;  // never automatic
  int dimensions = 1;
  std::int64_t nodes = 401;  // per side
  bool periodic = false;
  std::int64_t halo = 32;  // rows beside a tile that make its inner rows exact (halo)
  std::int64_t steps = 0;  // left to the end
  double end_time = 0;

  std::int64_t points() const { return dimensions == 2 ? nodes * nodes : nodes; }
  bool has(Scheme which) const {
    return scheme == which || (compare != Compare::none && static_cast<int>(compare) - 1 == static_cast<int>(which));
  }
};

// The largest Δt for which the explicit scheme is stable: Δx²/2 d by diffusion, on coarse grids less by the reaction.
double largest_stable(double dx, double a, int dimensions);

// How much an error of one row fades from row to row in the Newton matrix; 1 where the matrix is not diagonally
// dominant.
double decay_per_row(const Constants& constants);

// Rows after which an error that enters at a tile's edge is below rounding, in every Newton iteration of a step; -1
// where that takes more than `most`.
std::int64_t halo_rows(const Constants& constants, Precision precision, std::int64_t most);

// For a run that stands at `time`. Throws Error (input).
Plan make_plan(const FitzHughNagumoParameters& parameters, Backend backend, double time);

// Why and when a run stopped, and what would mend it.
Error blown_up_error(const Plan& plan, double time);

}  // namespace kinescope::sim::fitzhugh_nagumo
