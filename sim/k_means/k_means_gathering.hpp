// How k-means gathers the candidates of a start with thousands of centroids (candidates.hpp). A part of
// k_means_simulation.hpp, which includes it.
#pragma once

#include "kinescope/executors/executor.hpp"
#include "sim/k_means/k_means_simulation.hpp"

namespace kinescope::sim::k_means {

// One step of the stage `gather`: compares all points with some known rows; once they know all of them, draws the next
// round's candidates, or ends the gathering. The host takes part, so the steps come one at a time (RunState::left).
// Computes in at most about a tenth of a second, unless a comparison with a few rows takes longer.
template <Executor E>
void KMeansSimulation<E>::enqueue_gathering(RunView run) {
  run.drawing = Stage::gather;
  const Control control = control_.download().front();
  const std::int64_t d = dimensions();
  std::int32_t known = control.known;
  if (known == 0) {
    known = control.placed;
    candidates_ = {};
    candidates_.known.resize(static_cast<std::size_t>(known * d));
    executor_.copy_out(candidates_.known.data(), run.centroids_in(control.current),
                       candidates_.known.size() * sizeof(float));
    candidates_.rows = Memory<float>(executor_, candidates_.known);
    candidates_.nearest = Memory<std::uint32_t>(executor_, points());
  }
  const std::int32_t some =
      static_cast<std::int32_t>(std::min<std::int64_t>(known - control.compared, kernels_.rows_at_once(count() * d)));
  if (some > 0) {
    const KnownRows rows{candidates_.rows.data() + control.compared * d, control.compared, some,
                         candidates_.nearest.data()};
    for_parts(run, [&](const RunView& part) {
      KnownRows own = rows;
      own.nearest += part.points.first;
      kernels_.compare(part, own);
    });
  }
  if (control.compared + some < known)
    return executor_.once("go on", GoOnGathering{run, known, control.compared + some});
  executor_.reduce("sum squares", run.groups(), 0.0, SumGroup{run}, KeepPotential{run});
  const Control found = control_.download().front();
  if (found.potential == 0 && found.quantum > std::numeric_limits<float>::denorm_min())
    return executor_.once("sum finer", SumFiner{run, known});
  const std::int64_t missing = run.clusters - control.placed;
  const auto wants = [&] {
    return control.rounds < least_rounds || different_candidates(control.placed) < least_candidates(missing);
  };
  if (found.potential > 0 && wants())
    draw_candidates(run, known, draws_of_round(missing));
  else
    end_gathering(run, control.placed);
}

// Draws a round's candidates. Their values come from the host's memory, which has those of all points.
template <Executor E>
void KMeansSimulation<E>::draw_candidates(const RunView& run, std::int32_t known, std::int64_t draws) {
  if (candidates_.drawn.size() == 0)
    candidates_.drawn = Memory<std::int64_t>(executor_, static_cast<std::size_t>(draws));
  executor_.for_each("draw", draws, DrawFromParts{run, draws, candidates_.drawn.data()});
  std::int64_t last = -1;
  for (const std::int64_t point : candidates_.drawn.download()) {  // ascending
    if (point == last) continue;
    parts_->host().append_row(static_cast<std::size_t>(point), candidates_.known);
    last = point;
  }
  candidates_.rows = Memory<float>(executor_, candidates_.known);
  executor_.once("end round",
                 EndRound{run, static_cast<std::int32_t>(candidates_.known.size() / setup_.data->dimensions), known});
}

// Counts the points whose nearest each known row is. Returns how many of the candidates have any: all, but for those
// that equal an earlier one.
template <Executor E>
std::int64_t KMeansSimulation<E>::different_candidates(int placed) {
  candidates_.counts = Memory<std::uint32_t>(executor_, candidates_.known.size() / setup_.data->dimensions);
  const auto known = static_cast<std::int64_t>(candidates_.counts.size());
  executor_.for_each("clear", known, Fill<std::uint32_t>{candidates_.counts.data(), 0});
  executor_.for_each("weigh", count(), CountNearest{candidates_.nearest.data(), candidates_.counts.data()});
  const std::vector<std::uint32_t> counts = candidates_.counts.download();
  return known - placed - std::count(counts.begin() + placed, counts.end(), 0u);
}

// Weighs the candidates and lays them out as points.
template <Executor E>
void KMeansSimulation<E>::end_gathering(const RunView& run, int placed) {
  const std::size_t d = setup_.data->dimensions;
  if (candidates_.known.size() == static_cast<std::size_t>(placed) * d) {  // all points lie on centroids
    parts_->host().append_row(0, candidates_.known);
    candidates_.rows = Memory<float>(executor_, candidates_.known);
  }
  different_candidates(placed);
  candidates_.count = static_cast<std::int64_t>(candidates_.counts.size()) - placed;
  const std::int64_t padded = (candidates_.count + panel - 1) / panel * panel,
                     groups = (padded / panel + group - 1) / group;
  const std::size_t places = static_cast<std::size_t>(padded);
  candidates_.panels = Memory<float>(executor_, places * d);
  candidates_.weights = Memory<double>(executor_, places);
  executor_.for_each("lay out", padded * dimensions(),
                     LayOutCandidates{candidates_.rows.data() + std::int64_t{placed} * dimensions(),
                                      candidates_.counts.data() + placed, candidates_.count, padded, dimensions(),
                                      candidates_.panels.data(), candidates_.weights.data()});
  candidates_.squares = Memory<float>(executor_, places);
  candidates_.panel_sums = Memory<double>(executor_, static_cast<std::size_t>(groups * group));
  candidates_.group_sums = Memory<double>(executor_, static_cast<std::size_t>(groups));
  executor_.for_each("clear", groups * group, Fill<double>{candidates_.panel_sums.data(), 0});
  candidates_.known = {};
  candidates_.rows = {};
  candidates_.nearest = {};
  candidates_.counts = {};
  executor_.once("go on", GoChoose{run});
}

}  // namespace kinescope::sim::k_means
