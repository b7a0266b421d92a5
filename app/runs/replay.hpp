// What a person did to a run while it computed. A run is a function of its data, parameters and seed, and of these
// events. Repeated up to an earlier iteration, it has the state that it had there, and can go on from there.
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

  long iteration = 0;  // how many iterations were done when it happened
  std::string name, value;
  std::optional<sim::Stimulus> stimulus;
};

// What it takes to reach an earlier moment of a run again.
struct Replay {
  long iteration = 0;
  std::vector<RunEvent> events;
  // The figure of merit at that moment, which the repeated run must have too; none: it is not compared.
  std::optional<double> figure = std::nullopt;
  bool converged = false;  // it is the end of the run, perhaps some calls of advance() after the last iteration
};

// count_during: how many of the events came during the run, not before it. first_during: the events before the run, and
// the first `count` during it.
std::size_t count_during(const std::vector<RunEvent>& events);
std::vector<RunEvent> first_during(std::vector<RunEvent> events, std::size_t count);

// A parameter set of the kind's type with these values.
std::unique_ptr<sim::ParameterSet> copy_of(const sim::SimulationKind& kind, sim::ParameterSet& values);
// The values with which the run began: those in `made`, changed by the events before the run.
std::unique_ptr<sim::ParameterSet> values_at_begin(const sim::SimulationKind& kind, sim::ParameterSet& made,
                                                   const std::vector<RunEvent>& events);

// The events of a repeated run, whose set of parameters already holds the values after all `events`. Each changed
// parameter gets an event before the run with its value in `begin`, the values at the beginning; the events during the
// run follow.
std::vector<RunEvent> events_from(sim::ParameterSet& begin, const std::vector<RunEvent>& events);

// Sets the parameters that the events change, in the order of the events.
void apply_events(sim::ParameterSet& parameters, const std::vector<RunEvent>& events);

// Advances a simulation, just made with the values at the beginning, to the moment of `replay`. Returns soon once
// `cancelled` is set. Throws Error (run) if the run does not reach that moment again. This can happen because a change
// between two iterations has no number of its own: k-means, for example, draws its start before the first iteration.
void catch_up(sim::Simulation& simulation, const Replay& replay, std::atomic<float>& fraction,
              const std::atomic<bool>& cancelled);

}  // namespace kinescope::app
