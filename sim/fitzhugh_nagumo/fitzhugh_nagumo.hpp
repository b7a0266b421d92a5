// FitzHugh–Nagumo waves along an axon (1-D) and on a sheet of tissue (2-D); formulas.hpp states what is computed.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/published.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::sim {

inline constexpr std::int64_t space_time_rows = 512, space_time_columns = 1024, tips_published = 64;

// What it publishes; along an axon on the uniform grid, for every scheme.
namespace fitzhugh_nagumo::published {
// [nodes], or [nodes × nodes] row by row: node (i, j) lies at (i, j) dx.
inline constexpr Published<float> v{"v"}, w{"w"};
// 1-D: [nodes], 1 where the adaptive scheme has a node (everywhere by the other schemes).
inline constexpr Published<std::uint32_t> used{"used"};
inline constexpr Published<float> v2{"v2"}, w2{"w2"};  // 1-D: [nodes], the second solution; only with compare
// 1-D: [space_time_rows × min(nodes, space_time_columns)], v at equally spaced times from 0 to end_time (rows) and
// nodes from 0 to nodes − 1 (columns); NaN where the run has not come yet.
inline constexpr Published<float> space_time{"space_time"};
// 2-D: [tips_published × 2], x and y of the spirals' tips in units of length, NaN where there are fewer.
inline constexpr Published<float> tips{"tips"};
}  // namespace fitzhugh_nagumo::published

// Where a run of FitzHugh–Nagumo stood when it was last published, or a frame before.
struct WaveFigures {
  double time = 0;
  double dt = 0;           // in use
  std::int64_t nodes = 0;  // per side
  double dx = 0;
  std::int64_t nodes_used = 0;     // by the adaptive scheme at the last step; else all
  std::vector<float> corrections;  // ‖δv‖ after each of Newton's iterations in the last step; empty but for implicit
  float largest_difference = 0;    // max |v − v2|; 0 without a second solution
  double a = 0, gamma = 0, epsilon = 0, end_time = 0;  // in use

  // v at the probes when last noted, at most `most_probes`, of the set with that number.
  std::vector<float> probes;
  double probe_time = 0;
  std::int64_t probe_set = 0;
};

inline constexpr std::size_t most_probes = 4;

// Where v is looked at, in units of length; y only on a sheet.
struct ProbePlace {
  double x = 0, y = 0;
};

// What a scene can ask a FitzHugh–Nagumo simulation beyond Simulation (by dynamic_cast).
class WaveSimulation : public Simulation {
 public:
  virtual WaveFigures figures() const = 0;  // from any thread; never waits
  // Replaces the probes, `most_probes` at most; readings bear the number `set`, by which they are told from earlier
  // ones. Called as advance() is.
  virtual void set_probes(std::int64_t set, const std::vector<ProbePlace>& places) = 0;
};

const SimulationKind& fitzhugh_nagumo_kind();
std::vector<BenchmarkExperiment> fitzhugh_nagumo_experiments();

}  // namespace kinescope::sim
