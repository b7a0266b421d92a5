// FitzHugh–Nagumo waves along an axon (1-D) and on a sheet of tissue (2-D); formulas.hpp states what is computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kinescope/published.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

inline constexpr std::int64_t space_time_rows = 512, space_time_columns = 1024, tips_published = 64;

// The published buffers. Those of an axon are on the uniform grid, whatever the scheme.
namespace fitzhugh_nagumo::published {
// [nodes], or [nodes × nodes] row by row: node (i, j) lies at (i, j) dx.
inline constexpr Published<float> v{"v"}, w{"w"};
// 1-D: [nodes], 1 at the nodes that the adaptive scheme computes; with other schemes 1 everywhere.
inline constexpr Published<std::uint32_t> used{"used"};
inline constexpr Published<float> v2{"v2"}, w2{"w2"};  // 1-D: [nodes], the second solution; only when comparing
// 1-D: [space_time_rows × min(nodes, space_time_columns)], v at equally spaced times from 0 to end_time (rows) and
// nodes from 0 to nodes − 1 (columns); NaN for times that the run has not reached.
inline constexpr Published<float> space_time{"space_time"};
// 2-D: [tips_published × 2], x and y of the spirals' tips in units of length. Entries without a tip are NaN.
inline constexpr Published<float> tips{"tips"};
}  // namespace fitzhugh_nagumo::published

// A fact in a run's snapshots: the state at the last publication, or one frame before.
struct WaveFigures {
  double time = 0;
  double dt = 0;           // the present value
  std::int64_t nodes = 0;  // per side
  double dx = 0;
  std::int64_t nodes_used = 0;         // by the adaptive scheme at the last step; else all
  double spacing = 0, rest_below = 0;  // of the adaptive scheme; else 0
  std::vector<float> corrections;  // ‖δv‖ after each of Newton's iterations in the last step; empty for other schemes
  float largest_difference = 0;                        // max |v − v2|; 0 without a second solution
  double a = 0, gamma = 0, epsilon = 0, end_time = 0;  // the present values

  // v at the probes when the figures were last noted. `probe_set` is the number of the ProbeSet that these values
  // belong to, `probe_time` the time. At most `most_probes` values.
  std::vector<float> probes;
  double probe_time = 0;
  std::int64_t probe_set = 0;
};

inline constexpr std::size_t most_probes = 4;

// A place where v is read, in units of length; y only on a sheet.
struct ProbePlace {
  double x = 0, y = 0;
};

// An input of a run (Simulation::receive), as is a Stimulus: replaces the probes, at most `most_probes`.
struct ProbeSet {
  std::int64_t number = 0;
  std::vector<ProbePlace> places;
};

// What a FitzHugh–Nagumo simulation offers beyond Simulation.
class WaveSimulation : public Simulation {
 public:
  // Copies v and w to host memory of `field_bytes()` bytes each, in the precision and on the grid of the scheme. Waits
  // for the computation.
  virtual std::size_t field_bytes() const = 0;
  virtual void copy_fields(void* v, void* w) = 0;
  // ‖δv‖ after each of Newton's iterations in the last step; empty for other schemes. Waits for the computation.
  virtual std::vector<float> newton_corrections() = 0;
};

const SimulationKind& fitzhugh_nagumo_kind();

}  // namespace kinescope::sim
