// What a person did to a run while it computed. A run is a function of its data, parameters and seed, and of these
// events. Repeated up to an earlier iteration, it has the state that it had there, and can go on from there.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "kinescope/simulation.hpp"

namespace kinescope::app {

// Other values of the live parameters, or a touch with the mouse.
struct RunEvent {
  long iteration = 0;                               // how many iterations were done when it happened
  std::shared_ptr<const sim::ParameterSet> values;  // of all parameters; null: it was a touch
  std::optional<sim::Stimulus> stimulus;
};

struct RunStory {
  std::shared_ptr<const sim::ParameterSet> begin;  // the values with which the run began; null: not known
  std::vector<RunEvent> events;

  // The values of the parameters after all events.
  std::shared_ptr<const sim::ParameterSet> values() const;
};

// A run's course from its beginning, or from a restart, to the next restart or to where it is now.
struct Chapter {
  RunStory story;
  sim::Progress end;
};

// What it takes to reach an earlier moment of a run again.
struct Replay {
  long iteration = 0;
  RunStory story;
  // The figure of merit at that moment, which the repeated run must have too; none: it is not compared.
  std::optional<double> figure = std::nullopt;
  bool converged = false;  // it is the end of the run, perhaps some calls of advance() after the last iteration
};

// A parameter set of the kind's type with these values.
std::unique_ptr<sim::ParameterSet> copy_of(const sim::SimulationKind& kind, const sim::ParameterSet& values);

// Does once more what a person did to the run.
void happen(const RunEvent& event, sim::Simulation& simulation);

// Advances a simulation, just made with the values at the beginning, to the moment of `replay`. Returns soon once
// `cancelled` is set. Throws Error (run) if the run does not reach that moment again. This can happen because a change
// between two iterations has no number of its own: k-means, for example, draws its start before the first iteration.
void catch_up(sim::Simulation& simulation, const Replay& replay, std::atomic<float>& fraction,
              const std::atomic<bool>& cancelled);

}  // namespace kinescope::app
