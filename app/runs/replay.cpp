#include "app/runs/replay.hpp"

#include <algorithm>
#include <cmath>

#include "kinescope/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr double slice_seconds = 0.05;  // of computing between two looks at `cancelled`

bool same_figure(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

sim::Error lost(long iteration) {
  return sim::run_error("the run could not be repeated up to iteration " +
                        sim::with_commas(std::size_t(std::max(0L, iteration))));
}

}  // namespace

std::shared_ptr<const sim::ParameterSet> RunStory::values() const {
  std::shared_ptr<const sim::ParameterSet> latest = begin;
  for (const RunEvent& event : events)
    if (event.values) latest = event.values;
  return latest;
}

std::unique_ptr<sim::ParameterSet> copy_of(const sim::SimulationKind& kind, const sim::ParameterSet& values) {
  std::unique_ptr<sim::ParameterSet> copy = kind.make_parameters();
  copy->copy_values(values);
  return copy;
}

void happen(const RunEvent& event, sim::Simulation& simulation) {
  if (event.values) simulation.apply(*event.values);
  if (event.stimulus) simulation.receive(*event.stimulus);
}

void catch_up(sim::Simulation& simulation, const Replay& replay, std::atomic<float>& fraction,
              const std::atomic<bool>& cancelled) {
  const auto advance_to = [&](long iteration) {
    for (long now; (now = simulation.progress().iteration) < iteration && !cancelled;) {
      const bool more = simulation.advance({slice_seconds, iteration - now});
      simulation.finish();
      fraction = float(simulation.progress().iteration) / float(std::max(1L, replay.iteration));
      if (!more && simulation.progress().iteration < iteration) throw lost(replay.iteration);
    }
  };
  for (const RunEvent& event : replay.story.events) {
    advance_to(event.iteration);
    if (cancelled) return;
    happen(event, simulation);
  }
  advance_to(replay.iteration);
  while (replay.converged && !cancelled && simulation.advance({slice_seconds})) continue;
  simulation.finish();
  const sim::Progress now = simulation.progress();
  const bool same = now.iteration == replay.iteration && (!replay.figure || same_figure(*replay.figure, now.figure));
  if (!cancelled && !same) throw lost(replay.iteration);
}

}  // namespace kinescope::app
