// What the host decides before a run: sizes, time steps, kernels.
#pragma once

#include <cstdint>
#include <string>

#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo_parameters.hpp"
#include "kinescope/simulation.hpp"
#include "sim/fitzhugh_nagumo/formulas.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

inline constexpr std::int64_t most_halo = 64;  // rows on one side of a tile

struct Plan {
  Constants constants;  // with the dt that is used
  Scheme scheme = Scheme::explicit_euler;
  Compare compare = Compare::none;
  Solver solver = Solver::halo;  // never automatic
  Case start = Case::divergent;  // never automatic
  int dimensions = 1;
  std::int64_t nodes = 401;  // per side
  bool periodic = false;
  std::int64_t halo = 32;      // rows on both sides of a tile that make its inner rows exact (Solver::halo)
  std::int64_t intervals = 0;  // number of the adaptive grid's intervals, one less than its nodes
  double rest = 0;             // the adaptive scheme lets cells sleep where |v| stays below this
  std::int64_t steps = 0;      // remaining until the end
  double end_time = 0;

  std::int64_t points() const { return dimensions == 2 ? nodes * nodes : nodes; }
  // The solution that chooses its nodes, the first of two; the first if neither does.
  std::size_t on_chosen_nodes() const {
    return !chooses_nodes(scheme) && (has(Scheme::adaptive) || has(Scheme::adaptive_paper)) ? 1 : 0;
  }
  // Whether Euler's steps limit Δt.
  bool steps_by_euler() const { return has(Scheme::explicit_euler) || has(Scheme::adaptive_paper); }
  bool has(Scheme which) const {
    return scheme == which || (compare != Compare::none && static_cast<int>(compare) - 1 == static_cast<int>(which));
  }
};

// The largest Δt for which the explicit scheme is stable: Δx²/(2d) from diffusion in d dimensions. On coarse grids the
// reaction lowers it, and so does a fast recovery.
double largest_stable(const Constants& constants, int dimensions);
// A step with which it is stable wherever v stays high, too.
double stable_everywhere(const Constants& constants, int dimensions);

// The distance of the adaptive scheme's nodes.
double adaptive_spacing(const Plan& plan);

// The factor by which an error shrinks from row to row in the Newton matrix; 1 if the matrix is not diagonally
// dominant.
double decay_per_row(const Constants& constants);

// The number of rows after which an error from a tile's edge is below rounding in every Newton iteration of a step; -1
// if that takes more than `most_halo` rows.
std::int64_t halo_rows(const Constants& constants, Precision precision);

// Plans a run from `time` on. If `before` is given the run continues, and keeps the adaptive nodes of that plan. Throws
// Error (input).
Plan make_plan(const FitzHughNagumoParameters& parameters, Backend backend, double time, const Plan* before = nullptr);

// The error of a run whose solution blew up: why and when it stopped, and how to avoid that.
Error blown_up_error(const Plan& plan, double time);

}  // namespace kinescope::sim::fitzhugh_nagumo
