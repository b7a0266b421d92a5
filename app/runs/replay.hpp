// What a person did to a run while it computed. A run is a function of its data, parameters, seed, and of this: made
// again to an earlier iteration it is what it was there, and can go on from there.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/simulation.hpp"

namespace kinescope::app {

// A change of a live parameter, or a touch with the mouse.
struct RunEvent {
  static constexpr long before_the_run = -1;

  long iteration = 0;  // how many were done then
  std::string name, value;
  std::optional<sim::Stimulus> stimulus;
};

// An earlier moment as what leads there.
struct Replay {
  long iteration = 0;
  std::vector<RunEvent> events;
  // The figure of merit there, by which it is known again; none: not compared.
  std::optional<double> figure = std::nullopt;
  bool converged = false;  // it was the end of the run, which may come some steps after the last iteration
};

// How many of the events came during the run, and the events without the later of these.
std::size_t count_during(const std::vector<RunEvent>& events);
std::vector<RunEvent> first_during(std::vector<RunEvent> events, std::size_t count);

// A set of the kind's type with these values.
std::unique_ptr<sim::ParameterSet> copy_of(const sim::SimulationKind& kind, sim::ParameterSet& values);
// `made` with the values that its run began with: those of the events before the run.
std::unique_ptr<sim::ParameterSet> values_at_begin(const sim::SimulationKind& kind, sim::ParameterSet& made,
                                                   const std::vector<RunEvent>& events);

// The same events for a run that was made with the values at their end, `begin` being those at its beginning.
std::vector<RunEvent> events_from(sim::ParameterSet& begin, const std::vector<RunEvent>& events);

// Gives the named parameters the values of the events, the latest last.
void apply_events(sim::ParameterSet& parameters, const std::vector<RunEvent>& events);

// Takes a simulation that has just been made, with the values at the beginning, to that moment. Once `cancelled`, it
// ends soon. Throws Error (run) if the run does not come by there again: what happens between two iterations (k-means
// draws its start before the first) has no number.
void catch_up(sim::Simulation& simulation, const Replay& replay, std::atomic<float>& fraction,
              const std::atomic<bool>& cancelled);

}  // namespace kinescope::app
