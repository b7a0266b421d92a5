#include "app/runs/replay.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "sim/core/error.hpp"
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

std::size_t count_during(const std::vector<RunEvent>& events) {
  return std::size_t(std::ranges::count_if(events, [](const RunEvent& event) { return event.iteration >= 0; }));
}

// In `events` those before the run come first.
std::vector<RunEvent> first_during(std::vector<RunEvent> events, std::size_t count) {
  const std::size_t before = events.size() - count_during(events);
  events.resize(std::min(events.size(), before + count));
  return events;
}

void apply_events(sim::ParameterSet& parameters, const std::vector<RunEvent>& events) {
  for (const RunEvent& event : events)
    if (!event.stimulus) parameters.set(event.name, event.value);
}

std::unique_ptr<sim::ParameterSet> copy_of(const sim::SimulationKind& kind, sim::ParameterSet& values) {
  std::unique_ptr<sim::ParameterSet> copy = kind.make_parameters();
  copy->copy_values(values);
  return copy;
}

std::unique_ptr<sim::ParameterSet> values_at_begin(const sim::SimulationKind& kind, sim::ParameterSet& made,
                                                   const std::vector<RunEvent>& events) {
  std::unique_ptr<sim::ParameterSet> values = copy_of(kind, made);
  apply_events(*values, first_during(events, 0));
  return values;
}

std::vector<RunEvent> events_from(sim::ParameterSet& begin, const std::vector<RunEvent>& events) {
  std::vector<RunEvent> all;
  std::set<std::string> names;
  for (const RunEvent& event : events)
    if (!event.stimulus && names.insert(event.name).second)
      all.push_back({RunEvent::before_the_run, event.name, begin.find(event.name)->text(), std::nullopt});
  std::ranges::copy_if(events, std::back_inserter(all), [](const RunEvent& event) { return event.iteration >= 0; });
  return all;
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
  for (const RunEvent& event : replay.events) {
    if (event.iteration < 0) continue;
    advance_to(event.iteration);
    if (cancelled) return;
    event.stimulus ? simulation.stimulate(*event.stimulus) : simulation.change(event.name, event.value);
  }
  advance_to(replay.iteration);
  while (replay.converged && !cancelled && simulation.advance({slice_seconds})) continue;
  simulation.finish();
  const sim::Progress now = simulation.progress();
  const bool same = now.iteration == replay.iteration && (!replay.figure || same_figure(*replay.figure, now.figure));
  if (!cancelled && !same) throw lost(replay.iteration);
}

}  // namespace kinescope::app
