// What k-means gives back: buffers to draw, tables, the report, what the window asks for. The rest of
// k_means_simulation.hpp, which includes it.
#pragma once

#include <numeric>

#include "sim/k_means/k_means_simulation.hpp"

namespace kinescope::sim::k_means {

template <class Executor>
void KMeansSimulation<Executor>::publish() {
  RunView run = view_for(clusters_of(stepper_.seen().program));
  run.asked = true;
  kernels_.publish_labels(run, static_cast<std::uint32_t*>(source_->address(clusters_buffer_)));
  executor_.for_each("publish centroids", static_cast<std::int64_t>(published_centroids_ * setup_.data->dimensions),
                     PublishCentroids{run, static_cast<float*>(source_->address(centroids_buffer_))});
}

template <class Executor>
Progress KMeansSimulation<Executor>::progress() const {
  const RunState seen = stepper_.seen();
  Progress progress;
  progress.phase = k_means_kind().phases[static_cast<std::size_t>(seen.phase)];
  progress.level = seen.level;
  progress.levels = view_.swept ? view_.last_clusters - view_.first_clusters + 1 : 0;
  progress.points = static_cast<std::size_t>(seen.points);
  progress.iteration = static_cast<long>(seen.iteration);
  progress.figure = seen.figure;
  progress.fraction = seen.converged ? 1 : seen.fraction;
  progress.seconds = prepare_seconds_ + earlier_seconds_ + stepper_.seconds();
  progress.converged = seen.converged;
  return progress;
}

// What curve(), paths() and sizes() tell: on CUDA only what lies on the host already, so that nothing waits.
template <class Executor>
void KMeansSimulation<Executor>::look() {
  const RunState seen = stepper_.seen();
  if (looked_at_ == seen.iteration && !seen.converged) return;
  Look found;
  if (!kernels_.look(view_, seen.converged, found)) return;
  CentroidPaths paths;
  paths.clusters = clusters_of(found.state.program);
  paths.columns = dimensions();
  const std::size_t row = static_cast<std::size_t>(paths.clusters) * static_cast<std::size_t>(paths.columns);
  const std::size_t known = found.control.iterations > 0 ? static_cast<std::size_t>(found.control.iterations) + 1 : 0;
  for (std::size_t t = 0; t < known && (t + 1) * row <= path_numbers; ++t)
    paths.rows.emplace_back(found.paths.begin() + static_cast<std::ptrdiff_t>(t * row),
                            found.paths.begin() + static_cast<std::ptrdiff_t>((t + 1) * row));
  const std::lock_guard lock(mutex_);
  looked_at_ = found.state.iteration;
  seen_paths_ = std::move(paths);
  seen_curve_.assign(found.curve.begin(), found.curve.begin() + found.control.finished);
  seen_chosen_ = found.control.chosen;
  seen_sizes_.assign(found.sizes.begin(), found.sizes.begin() + found.control.chosen);
}

template <class Executor>
void KMeansSimulation<Executor>::change(const std::string& name, const std::string& value) {
  const std::string before = parameters_.find(name)->text();
  parameters_.set(name, value);
  try {
    if (view_.swept) return name == "clusters" ? void() : restart();
    if (name == "clusters") return change_clusters();
  } catch (...) {  // an impossible number of clusters leaves everything as it was
    parameters_.set(name, before);
    throw;
  }
  stepper_.wait();
  const RunState seen = stepper_.seen();
  Control control = control_.download().front();
  control.finished = control.chosen = control.empty = control.moved = 0;
  earlier_seconds_ += stepper_.seconds();
  begin(control, clusters_of(seen.program), stage_of(seen.program) == Stage::start ? Stage::start : Stage::lloyd, seen);
}

// More clusters: further centroids are drawn beside those there are. Fewer: the largest stay.
template <class Executor>
void KMeansSimulation<Executor>::change_clusters() {
  const int clusters = cluster_range(*setup_.data, parameters_).first;
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
  next.inertia_limit = inertia_limit(prepared_, points(), centroids);
  earlier_seconds_ += stepper_.seconds();
  begin(next, clusters, next.placed < clusters ? Stage::start : Stage::lloyd, stepper_.seen());
}

template <class Executor>
void KMeansSimulation<Executor>::keep_largest(std::vector<float>& centroids, int clusters) {
  RunView run = view_for(view_.last_clusters);
  run.asked = true;
  kernels_.label(run, Stage::measure);
  std::vector<std::int64_t> sizes(centroids.size() / setup_.data->dimensions, 0);
  for (const std::uint32_t label : labels_.download())
    if (label < sizes.size()) ++sizes[label];
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  order.resize(static_cast<std::size_t>(clusters));
  std::sort(order.begin(), order.end());
  std::vector<float> kept;
  for (const std::size_t k : order)
    for (std::size_t c = 0; c < setup_.data->dimensions; ++c)
      kept.push_back(centroids[k * setup_.data->dimensions + c]);
  centroids = std::move(kept);
}

// The chosen clustering of a finished run, or the centroids as they are; made anew only if they have moved since.
template <class Executor>
const typename KMeansSimulation<Executor>::Clustering& KMeansSimulation<Executor>::clustering() {
  stepper_.wait();
  const RunState seen = stepper_.seen();
  const std::int64_t stamp = 2 * seen.iteration + (seen.converged ? 1 : 0);
  if (clustering_of_ == stamp && seen.iteration > 0) return clustering_;
  const Control control = control_.download().front();
  const int K = seen.converged ? control.chosen : control.placed;
  const std::size_t d = setup_.data->dimensions, rows = static_cast<std::size_t>(K);
  clustering_ = {};
  if (K == 0) {
    clustering_.cluster.assign(points(), no_centroid);
    clustering_.squares.assign(points(), NAN);
    return clustering_;
  }
  Control asked;
  asked.placed = K;
  // A float's worth of room: a bound that is too wide would cost digits.
  double known = control.inertia_limit;
  if (seen.converged) known = curve_.download()[static_cast<std::size_t>(K - view_.first_clusters)].inertia;
  asked.inertia_limit = known > 0 ? (1 + 1e-6) * known : inertia_limit(prepared_, points(), {});
  asked.current = seen.converged ? 0 : control.current;
  const Memory<Control> asked_control(executor_, std::span<const Control>(&asked, 1));
  const Memory<std::uint32_t> labels(executor_, points());
  const Memory<float> squares(executor_, points());
  Memory<Worth> worth(executor_, 1);
  RunView run = view_for(K);
  run.asked = true;
  run.control = const_cast<Control*>(asked_control.data());
  run.labels = const_cast<std::uint32_t*>(labels.data());
  run.squares = const_cast<float*>(squares.data());
  if (seen.converged) run.centroids = best_.data();
  kernels_.label(run, Stage::measure);
  kernels_.spread(run);
  executor_.reduce("criteria", static_cast<std::int64_t>(rows * d), Worth{}, WeighElement{run},
                   StoreWorth{worth.data()});

  std::vector<float> centroids(rows * d);
  executor_.copy_out(centroids.data(), run.centroids + static_cast<std::size_t>(asked.current) * centroid_count(),
                     centroids.size() * sizeof(float));
  std::vector<std::int64_t> sizes(rows);
  executor_.copy_out(sizes.data(), view_.spreads + rows * d, rows * sizeof(std::int64_t));
  const Worth total = worth.download().front();
  clustering_.inertia = total.inertia;
  clustering_.bic = bic(total.log_likelihood, K, dimensions(), count());
  clustering_.aic = aic(total.log_likelihood, K, dimensions());
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  std::vector<std::uint32_t> place(rows);
  for (std::size_t k = 0; k < rows; ++k) {
    place[order[k]] = static_cast<std::uint32_t>(k);
    clustering_.sizes.push_back(sizes[order[k]]);
    for (std::size_t c = 0; c < d; ++c) clustering_.centroids.push_back(centroids[order[k] * d + c]);
  }
  clustering_.cluster = labels.download();
  for (std::uint32_t& label : clustering_.cluster) label = place[label];
  clustering_.squares = squares.download();
  clustering_of_ = stamp;
  return clustering_;
}

template <class Executor>
Table KMeansSimulation<Executor>::result() {
  const Clustering& found = clustering();
  Table table;
  table.source = setup_.data->name;
  table.rows = points();
  Column cluster{"cluster"}, distance{"distance"};
  for (std::size_t i = 0; i < points(); ++i) {
    cluster.numbers.push_back(found.cluster[i] == no_centroid ? NAN : static_cast<float>(found.cluster[i]));
    distance.numbers.push_back(std::sqrt(found.squares[i]));
  }
  table.columns = {std::move(cluster), std::move(distance)};
  return table;
}

template <class Executor>
Table KMeansSimulation<Executor>::centroid_table() {
  const Clustering& found = clustering();
  const Dataset& data = *setup_.data;
  Table table;
  table.source = data.name;
  table.rows = found.sizes.size();
  Column cluster{"cluster"}, size{"size"};
  for (std::size_t k = 0; k < table.rows; ++k) {
    cluster.numbers.push_back(static_cast<float>(k));
    size.numbers.push_back(static_cast<float>(found.sizes[k]));
  }
  table.columns = {std::move(cluster), std::move(size)};
  for (std::size_t c = 0; c < data.dimensions; ++c) {
    Column column{c < data.value_names.size() ? data.value_names[c] : "c" + std::to_string(c)};
    for (std::size_t k = 0; k < table.rows; ++k) column.numbers.push_back(found.centroids[k * data.dimensions + c]);
    table.columns.push_back(std::move(column));
  }
  return table;
}

template <class Executor>
Report KMeansSimulation<Executor>::report() {
  const Clustering& found = clustering();
  Report report;
  report.add("clusters", static_cast<std::int64_t>(found.sizes.size()));
  report.add("inertia", found.inertia);
  report.add("bic", found.bic);
  report.add("aic", found.aic);
  report.add("sizes", found.sizes);
  if (!view_.swept) return report;
  std::vector<KMeansCriteria> curve = curve_.download();
  curve.resize(static_cast<std::size_t>(control_.download().front().finished));
  std::vector<Report> entries;
  for (const KMeansCriteria& each : curve) {
    Report entry;
    entry.add("clusters", static_cast<std::int64_t>(each.clusters));
    entry.add("iterations", static_cast<std::int64_t>(each.iterations));
    entry.add("inertia", each.inertia);
    entry.add("bic", each.bic);
    entry.add("aic", each.aic);
    entries.push_back(std::move(entry));
  }
  report.add("sweep", std::move(entries));
  return report;
}

}  // namespace kinescope::sim::k_means
