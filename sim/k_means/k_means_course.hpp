// What k-means enqueues: the start, the iterations (whose passes over the points a group may compute), and the
// measuring of results. Also how changed parameters affect a run under way. A part of k_means_simulation.hpp, which
// includes it.
#pragma once

#include "kinescope/executors/executor.hpp"
#include "sim/k_means/k_means_simulation.hpp"

namespace kinescope::sim::k_means {

template <Executor E>
void KMeansSimulation<E>::iterate(std::int32_t program) {
  const RunView run = view_for(clusters_of(program));
  const Stage stage = stage_of(program);
  switch (stage) {
    case Stage::start:
      return enqueue_start(run);
    case Stage::gather:
      return enqueue_gathering(run);
    case Stage::choose:
      return draw_centroid(candidates_.view(run));
    case Stage::repair:
      for_parts(run, [&](const RunView& part) {
        kernels_.label_for_repair(part);
        executor_.reduce("farthest", part.points.count, Farthest{}, FindFarthest{part}, KeepFarthest{part});
      });
      executor_.once("choose", ChooseMover{run});
      executor_.for_each("move", dimensions(), MoveColumn{run});
      return enqueue_iteration(run, stage);
    case Stage::lloyd:
      candidates_ = {};
      if (!leave_to_group(run)) for_parts(run, [&](const RunView& part) { kernels_.assign(part); });
      enqueue_iteration(run, stage);
      return keep_limit(run);
    case Stage::measure:
      return enqueue_measure(run);
    case Stage::weigh:
      return enqueue_weighing(run);
  }
}

// Lets the group compute this iteration's pass. Returns false if there is no group, or if it returned no sums; then the
// caller computes the pass. A group's pass needs the host, which waits for the device.
template <Executor E>
bool KMeansSimulation<E>::leave_to_group(const RunView& run) {
  if (!group_) return false;
  const std::size_t numbers = static_cast<std::size_t>(run.clusters) * setup_.data->dimensions;
  const PassOnHost pass = kernels_.pass_on_host(run, group_->place(numbers));
  if (pass.state->converged || pass.state->program != program_of(run.clusters, Stage::lloyd)) return true;
  if (!run.tries() && group_->wants_moment()) group_->keep(moment(pass));
  const std::optional<PartialSums> sums =
      group_->sum({run.clusters, run.drops, run.leaves_last, pass.state->iteration, pass.control->inertia_limit},
                  {pass.centroids, numbers});
  if (sums)
    kernels_.add_sums(run, *sums);
  else if (served_)
    begin_sums(run);
  served_ = sums.has_value();
  return served_;
}

// Clears the sums and labels kept from pass to pass: they are not from the group's last pass, so the next pass must add
// all points.
template <Executor E>
void KMeansSimulation<E>::begin_sums(const RunView& run) {
  if (!run.keeps_sums) return;
  executor_.for_each("clear", run.sum_size(), Fill<std::int64_t>{run.sums, 0});
  executor_.for_each("clear", count(), Fill<std::uint32_t>{run.labels, no_centroid});
}

// After a pass that left rows out, resets the limit of the inertia: the inertia of some rows does not bound that of
// all.
template <Executor E>
void KMeansSimulation<E>::keep_limit(const RunView& run) {
  if (group_ && group_->rows_missing() > 0) executor_.once("keep limit", KeepLimit{run});
}

// The state of the run before an iteration, as bytes: control, run state, centroids.
template <Executor E>
std::string KMeansSimulation<E>::moment(const PassOnHost& pass) const {
  std::string moment(sizeof(Control) + sizeof(RunState) + centroid_count() * sizeof(float), 0);
  std::memcpy(moment.data(), pass.control, sizeof(Control));
  std::memcpy(moment.data() + sizeof(Control), pass.state, sizeof(RunState));
  std::memcpy(moment.data() + sizeof(Control) + sizeof(RunState), pass.centroids, centroid_count() * sizeof(float));
  return moment;
}

// Takes from the moment what the next iterations depend on; the rest is as at the start.
template <Executor E>
void KMeansSimulation<E>::go_on_from(const std::string& moment) {
  bool fits = moment.size() == sizeof(Control) + sizeof(RunState) + centroid_count() * sizeof(float);
  Control kept, control;
  RunState kept_state, state;
  std::vector<float> centroids(centroid_count());
  if (fits) {
    std::memcpy(static_cast<void*>(&kept), moment.data(), sizeof(Control));
    std::memcpy(static_cast<void*>(&kept_state), moment.data() + sizeof(Control), sizeof(RunState));
    std::memcpy(centroids.data(), moment.data() + sizeof(Control) + sizeof(RunState), centroids.size() * sizeof(float));
    const double most = 2 * view_.inertia_limit;  // room for rounding
    fits = !view_for(view_.last_clusters).tries() &&
           kept_state.program == program_of(view_.last_clusters, Stage::lloyd) && kept.iterations >= 0 &&
           kept.iterations < view_.iteration_limit && kept_state.iteration == kept.iterations && kept.movement >= 0 &&
           kept.inertia_limit >= least_inertia_limit && kept.inertia_limit <= most;
    for (std::size_t i = 0; i < centroids.size(); ++i) {
      const double offset = centroids[i] - prepared_.lowest[i % setup_.data->dimensions];
      fits = fits && offset * offset * static_cast<double>(points()) <= most;
    }
  }
  if (!fits)
    throw input_error("--resume: the saved state does not fit this run: it is damaged, or from another version");
  control.placed = view_.last_clusters;
  control.iterations = kept.iterations;
  control.movement = kept.movement;
  control.inertia_limit = kept.inertia_limit;
  state.iteration = kept_state.iteration;
  state.figure = kept_state.figure;
  executor_.copy_in(centroids_.data(), centroids.data(), centroids.size() * sizeof(float));
  stepper_.reset(begin_run(control, view_.last_clusters, Stage::lloyd, state));
}

template <Executor E>
void KMeansSimulation<E>::enqueue_start(const RunView& run) {
  if (run.random_start) {
    for_parts(run, [&](const RunView& part) {
      executor_.for_each("place", std::int64_t{run.clusters} * dimensions(), PlaceAtRandom{part});
    });
    return executor_.once("go on", EndPlacing{run});
  }
  draw_centroid(run);
}

// Draws one more centroid, from the points or from the candidates.
template <Executor E>
void KMeansSimulation<E>::draw_centroid(const RunView& run) {
  if (run.drawing == Stage::choose)
    kernels_.update_squares(run);
  else
    for_parts(run, [&](const RunView& part) { kernels_.update_squares(part); });
  executor_.reduce("sum squares", run.groups(), 0.0, SumGroup{run}, KeepPotential{run});
  executor_.for_each("draw", run.candidates, DrawCandidate{run});
  take_rows(run);
  if (run.candidates > 1) for_parts(run, [&](const RunView& part) { kernels_.add_potentials(part); });
  executor_.once("place", PlaceCandidate{run});
}

// Copies the values of the candidates to RunView::rows: from the host if the points come in parts, so that they need
// not be sent once more.
template <Executor E>
void KMeansSimulation<E>::take_rows(const RunView& run) {
  const std::int64_t numbers = std::int64_t{run.candidates} * dimensions();
  if (!run.paged || run.drawing == Stage::choose) return executor_.for_each("take rows", numbers, TakeRow{run});
  const Control control = control_.download().front();
  std::vector<float> rows;
  for (int j = 0; j < control.candidates; ++j) {
    const auto row = setup_.data->values().begin() + control.candidate[j] * dimensions();
    rows.insert(rows.end(), row, row + dimensions());
  }
  executor_.copy_in(rows_.data(), rows.data(), rows.size() * sizeof(float));
}

// Computes the spreads of the clusters and, if `labels` is set, first the labels and squared distances of all points.
template <Executor E>
void KMeansSimulation<E>::enqueue_spreads(const RunView& run, bool labels) {
  executor_.for_each("clear spreads", run.sum_size() - 1, ClearSpreads{run});
  for_parts(run, [&](const RunView& part) {
    if (labels) kernels_.label(part, Stage::measure);
    kernels_.spread(part);
  });
}

template <Executor E>
void KMeansSimulation<E>::enqueue_iteration(const RunView& run, Stage stage) {
  const MoveCentroids moves{run, stage};
  executor_.reduce("move centroids", static_cast<std::int64_t>(run.clusters) * dimensions(), Moved{}, moves,
                   EndIteration{moves});
}

template <Executor E>
void KMeansSimulation<E>::enqueue_measure(const RunView& run) {
  const std::int64_t elements = static_cast<std::int64_t>(run.clusters) * dimensions();
  enqueue_spreads(run);
  executor_.reduce("inertia", elements, 0.0, SpreadOfElement{run}, NoteAttempt{run});
  if (run.swept) executor_.for_each("clusters' Gaussians", run.clusters, BeginGaussian{run});
  executor_.for_each("keep", elements, KeepAttempt{run});
  executor_.for_each("forget", count(), ForgetSums{run});
  executor_.once("go on", EndAttempt{run});
}

// One step of EM, or the likelihood of its final result.
template <Executor E>
void KMeansSimulation<E>::enqueue_weighing(const RunView& run) {
  const std::int64_t elements = static_cast<std::int64_t>(run.clusters) * dimensions();
  kernels_.share(run);
  executor_.once("weigh", Weigh{run});
  executor_.for_each("refit", run.clusters, RefitGaussian{run});
  executor_.reduce("unite", run.clusters, Union{}, FindUnion{run}, Unite{run});
  executor_.for_each("keep", elements, KeepChosen{run});
  executor_.once("go on", EndStep{run});
}

template <Executor E>
void KMeansSimulation<E>::change(const KMeansParameters& before) {
  const bool other_end = parameters_.iterations != before.iterations || parameters_.tolerance != before.tolerance ||
                         parameters_.stop != before.stop;
  if (view_.swept) return other_end ? Base::begin_again() : void();
  if (parameters_.clusters != before.clusters) return change_clusters();
  stepper_.wait();
  const RunState seen = stepper_.seen();
  Control control = control_.download().front();
  control.empty = control.moved = 0;
  const Stage now = stage_of(seen.program), stage = places(now) ? now : Stage::lloyd;
  Base::go_on(begin_run(control, clusters_of(seen.program), stage, seen));
}

// Changes K while the run goes on. If K grows, further centroids are drawn; if it shrinks, the largest clusters stay.
template <Executor E>
void KMeansSimulation<E>::change_clusters() {
  const int clusters = cluster_range(parts_->host(), parameters_).first;
  stepper_.wait();
  Control control = control_.download().front();
  std::vector<float> centroids(centroid_count());
  executor_.copy_out(centroids.data(), view_.centroids + static_cast<std::size_t>(control.current) * centroid_count(),
                     centroids.size() * sizeof(float));
  centroids.resize(static_cast<std::size_t>(control.placed) * setup_.data->dimensions);
  if (clusters < control.placed) keep_largest(centroids, clusters);
  allocate(clusters, clusters);
  executor_.copy_in(centroids_.data(), centroids.data(), centroids.size() * sizeof(float));
  Control next;
  next.placed = std::min(control.placed, clusters);
  next.draws = control.draws;
  next.inertia_limit = view_.inertia_limit = inertia_limit(*setup_.data, prepared_, centroids);
  const Stage stage = next.placed < clusters ? view_for(clusters).placing(next.placed) : Stage::lloyd;
  Base::go_on(begin_run(next, clusters, stage, stepper_.seen()));
}

template <Executor E>
void KMeansSimulation<E>::keep_largest(std::vector<float>& centroids, int clusters) {
  RunView run = view_for(view_.last_clusters);
  run.asked = true;
  for_parts(run, [&](const RunView& part) { kernels_.label(part, Stage::measure); });
  std::vector<std::int64_t> sizes(centroids.size() / setup_.data->dimensions, 0);
  for (const std::uint32_t label : labels_.download())
    if (label < sizes.size()) ++sizes[label];
  std::vector<std::size_t> order = by_size(sizes);
  order.resize(static_cast<std::size_t>(clusters));
  std::sort(order.begin(), order.end());
  std::vector<float> kept;
  for (const std::size_t k : order)
    for (std::size_t c = 0; c < setup_.data->dimensions; ++c)
      kept.push_back(centroids[k * setup_.data->dimensions + c]);
  centroids = std::move(kept);
}

}  // namespace kinescope::sim::k_means
