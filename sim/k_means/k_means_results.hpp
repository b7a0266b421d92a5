// The results of k-means: buffers to draw, tables, the report, and what the window shows. A part of
// k_means_simulation.hpp, which includes it.
#pragma once

#include "kinescope/executors/executor.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/data/text.hpp"
#include "sim/k_means/k_means_simulation.hpp"

namespace kinescope::sim::k_means {

template <Executor E>
void KMeansSimulation<E>::create_buffers(BufferSource& source) {
  if (!screen_) {
    screen_.emplace(executor_, *setup_.data, prepared_);
    path_values_.clear();  // they are added again, in the columns that are shown
  }
  screen_->create(source);
  clusters_out_.create(source, published::clusters, points());
  if (image_) segmented_out_.create(source, published::segmented, points());
  centroids_out_.create(source, published::centroids, published_centroids_ * setup_.data->dimensions);
}

template <Executor E>
void KMeansSimulation<E>::write_buffers() {
  RunView run = view_for(clusters_of(stepper_.seen().program));
  run.asked = true;
  publish_labels(run);
  if (image_) publish_colours(run);
  screen_->publish(run);
  executor_.for_each("publish centroids", static_cast<std::int64_t>(published_centroids_ * setup_.data->dimensions),
                     PublishCentroids{run, centroids_out_.address()});
  kernels_.note(run);
}

template <Executor E>
void KMeansSimulation<E>::publish_labels(RunView run) {
  std::uint32_t* const to = clusters_out_.address();
  if (run.keeps_sums && !run.served)
    return executor_.for_each("publish labels", count(), Copy<std::uint32_t>{run.labels, to});
  run.labels = to;
  for_parts(run, [&](const RunView& part) { kernels_.publish_labels(part); });
}

template <Executor E>
void KMeansSimulation<E>::publish_colours(const RunView& run) {
  executor_.for_each("publish colours", count(),
                     PublishColours{run, clusters_out_.address(), used_.colour_units(), segmented_out_.address()});
}

template <Executor E>
void KMeansSimulation<E>::describe(const RunState& seen, Snapshot& snapshot) const {
  Progress& progress = snapshot.progress;
  // In a sweep the level is a number of clusters.
  const int first = sweep_first_, count = levels_;
  if (count > 1) {
    progress.level_name = "K =";
    progress.first_level = first;
  }
  if (count > 1 && seen.phase == 2)
    progress.phase = "trying K = " + std::to_string(first + seen.level - 1) + " of " + std::to_string(first) + "–" +
                     std::to_string(first + count - 1);
  if (view_.restarts > 1 && count == 0 && !seen.converged)
    progress.phase += ", start " + std::to_string(attempts_made_ + 1) + " of " + std::to_string(view_.restarts);
  if (screen_) snapshot.add(screen_->columns());
  if (screen_ && screen_->regions().rows > 0) snapshot.add(screen_->regions());
  if (group_) snapshot.add(group_->workers());
  snapshot.add(sweep_);
  if (path_values_.size() > 0) snapshot.add(paths_);
  snapshot.add(groups_);
}

// Updates the facts for the window. On CUDA it uses only what is already on the host, so that nothing waits.
template <Executor E>
void KMeansSimulation<E>::look() {
  Look found;
  if (screen_ && stepper_.seen().converged) count_sizes();
  if (!kernels_.look(view_, stepper_.seen().converged, found)) return;
  attempts_made_ = view_.swept ? 0 : found.control.attempt;
  if (view_.swept)
    sweep_ = std::make_shared<const KMeansSweep>(
        KMeansSweep{{found.curve.begin(), found.curve.begin() + found.control.finished}, found.control.chosen});
  look_at_paths(found);
  if (found.control.placed == 0) return;
  auto groups = std::make_shared<Groups>();
  const std::size_t placed = static_cast<std::size_t>(found.control.placed);
  groups->columns = columns();
  groups->centres = in_columns(found.centroids.data(), placed);
  groups->sizes.assign(placed, 0);
  for (std::size_t k = 0; image_ && k < placed; ++k)
    groups->colours.push_back(in_bytes(used_.colour(found.centroids.data() + k * setup_.data->dimensions)));
  if (found.sizes.size() == placed) groups->sizes.assign(found.sizes.begin(), found.sizes.end());
  groups_ = std::move(groups);
}

// Adds the rows of the paths that are new. Another attempt has other paths, and so may the one that is kept at the end.
template <Executor E>
void KMeansSimulation<E>::look_at_paths(const Look& found) {
  const auto clusters = static_cast<std::size_t>(clusters_of(found.state.program));
  const std::size_t row = clusters * setup_.data->dimensions, shown = clusters * columns();
  const std::size_t rows = found.paths.size() / row;
  const bool others =
      paths_.clusters != clusters || path_attempt_ != found.control.attempt || (found.state.converged && view_.tries());
  if (others || path_values_.size() > rows * shown) path_values_.clear();
  for (std::size_t t = path_values_.size() / shown; t < rows; ++t)
    path_values_.add(in_columns(found.paths.data() + t * row, clusters));
  path_attempt_ = found.control.attempt;
  paths_ = {clusters, columns(), path_values_.seen()};
}

// Rows of the data's columns in the columns that are shown.
template <Executor E>
std::vector<float> KMeansSimulation<E>::in_columns(const float* values, std::size_t rows) const {
  if (screen_) return screen_->shown().project(values, rows);
  return {values, values + rows * setup_.data->dimensions};
}

// Counts the clusters' sizes once the run is over, so that the window shows what the files will have: the sizes of the
// last iteration are from before its centroids moved.
template <Executor E>
void KMeansSimulation<E>::count_sizes() {
  RunView run = view_for(clusters_of(stepper_.seen().program));
  run.asked = true;
  enqueue_spreads(run);
  executor_.for_each("sizes", run.clusters, TakeSize{run});
}

// The clustering by the present centroids; recomputed only if they have moved since the last call.
template <Executor E>
const typename KMeansSimulation<E>::Clustering& KMeansSimulation<E>::clustering() {
  stepper_.wait();
  if (clustering_known_) return clustering_;
  const Control control = control_.download().front();
  clustering_ = {};
  asked_.reset();
  if (control.placed == 0) return clustering_;
  const RunView& run = asked_.emplace(*this, control).run;
  const std::int64_t elements = static_cast<std::int64_t>(run.clusters) * dimensions();
  Memory<double> inertia(executor_, 1);
  enqueue_spreads(run);
  executor_.reduce("inertia", elements, 0.0, SpreadOfElement{run}, sim::Store<double>{inertia.data()});
  clustering_.inertia = inertia.download().front();
  const std::size_t d = setup_.data->dimensions, rows = static_cast<std::size_t>(run.clusters);
  std::vector<std::int64_t> sizes(rows);
  executor_.copy_out(sizes.data(), run.spreads + elements, rows * sizeof(std::int64_t));
  std::vector<float> centroids(rows * d);
  executor_.copy_out(centroids.data(), run.centroids_in(control.current), centroids.size() * sizeof(float));
  const std::vector<std::size_t> order = by_size(sizes);
  clustering_.place.resize(rows);
  for (std::size_t k = 0; k < rows; ++k) {
    clustering_.place[order[k]] = static_cast<std::uint32_t>(k);
    clustering_.sizes.push_back(sizes[order[k]]);
    for (std::size_t c = 0; c < d; ++c)
      clustering_.centroids.push_back(static_cast<double>(centroids[order[k] * d + c]));
  }
  if (!setup_.data->rest().empty()) measure_exactly();
  clustering_known_ = true;
  return clustering_;
}

// Replaces the centroids by the clusters' means, and the inertia by theirs, both with what float32 lost of the data, in
// double. The sums of fixed blocks of points are added in their order.
template <Executor E>
void KMeansSimulation<E>::measure_exactly() {
  const Dataset& data = *setup_.data;
  const std::size_t d = data.dimensions, block = 4096;
  std::vector<std::uint32_t> labels(points());
  executor_.copy_out(labels.data(), asked_->run.labels, labels.size() * sizeof(std::uint32_t));
  for (std::uint32_t& label : labels) label = clustering_.place[label];
  const std::vector<std::int64_t>& sizes = clustering_.sizes;
  in_parallel(d, 1, [&](std::size_t c) {
    std::vector<double> column(sizes.size());
    for (std::size_t i = 0; i < points(); ++i) column[labels[i]] += data.value(i, c);
    for (std::size_t k = 0; k < sizes.size(); ++k)
      if (sizes[k] > 0) clustering_.centroids[k * d + c] = column[k] / static_cast<double>(sizes[k]);
  });
  std::vector<double> sums((points() + block - 1) / block);
  in_parallel(sums.size(), 1, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min((b + 1) * block, points()); ++i) sums[b] += exact_square(i, labels[i]);
  });
  clustering_.inertia = std::accumulate(sums.begin(), sums.end(), 0.0);
}

// The squared distance of a point from the centroid of a cluster of clustering_.
template <Executor E>
double KMeansSimulation<E>::exact_square(std::size_t point, std::size_t cluster) const {
  const std::size_t d = setup_.data->dimensions;
  double square = 0;
  for (std::size_t c = 0; c < d; ++c) {
    const double difference = setup_.data->value(point, c) - clustering_.centroids[cluster * d + c];
    square += difference * difference;
  }
  return square;
}

template <Executor E>
void KMeansSimulation<E>::labels(std::span<std::uint32_t> to) {
  if (to.size() != std::size_t(points()))
    throw input_error("room for " + std::to_string(to.size()) + " labels of " + std::to_string(points()) + " points");
  const Clustering& found = clustering();
  if (!asked_) return std::fill(to.begin(), to.end(), no_centroid);
  const Memory<std::uint32_t> place(executor_, found.place);
  Memory<std::uint32_t> renumbered(executor_, points());
  executor_.for_each("renumber", count(), Renumber{asked_->run.labels, place.data(), renumbered.data()});
  executor_.copy_out(to.data(), renumbered.data(), to.size_bytes());
}

// The criteria of the clustering: taken from the sweep if there was one, else computed now.
template <Executor E>
KMeansCriteria KMeansSimulation<E>::criteria() {
  const Control control = control_.download().front();
  KMeansCriteria criteria;
  criteria.clusters = control.placed;
  if (view_.swept && control.last)
    return curve_.download()[static_cast<std::size_t>(control.placed - view_.first_clusters)];
  if (control.placed == 0) return criteria;
  load_sample();
  clustering();
  const Asked& asked = *asked_;
  RunView run = asked.run;
  run.sample = view_.sample;
  run.least_variance = view_.least_variance;
  enqueue_spreads(run, false);
  executor_.for_each("clusters' Gaussians", run.clusters, BeginGaussian{run});
  Control weighed;
  do {
    kernels_.share(run);
    executor_.once("weigh", Weigh{run});
    executor_.for_each("refit", run.clusters, RefitGaussian{run});
    weighed = asked.control.download().front();
  } while (weighed.weighing != Weighing::over);
  criteria.bic = bic(weighed.likelihood, run.clusters, dimensions(), run.sample.count);
  criteria.aic = aic(weighed.likelihood, run.clusters, dimensions());
  return criteria;
}

template <Executor E>
Table KMeansSimulation<E>::result() {
  std::vector<std::uint32_t> labels(points());
  this->labels(labels);
  Table table;
  table.source = setup_.data->name;
  table.rows = points();
  std::vector<float> cluster(points()), distance(points(), NAN);
  std::transform(labels.begin(), labels.end(), cluster.begin(),
                 [](std::uint32_t label) { return label == no_centroid ? NAN : static_cast<float>(label); });
  if (asked_ && setup_.data->rest().empty())
    executor_.copy_out(distance.data(), asked_->run.squares, points() * sizeof(float));
  else if (asked_)
    for (std::size_t i = 0; i < points(); ++i) distance[i] = static_cast<float>(exact_square(i, labels[i]));
  for (float& each : distance) each = std::sqrt(each);
  table.columns = {{"cluster", false, std::move(cluster)}, {"distance", false, std::move(distance)}};
  return table;
}

template <Executor E>
std::vector<GroupColour> KMeansSimulation<E>::cluster_colours() {
  const Clustering& found = clustering();
  std::vector<GroupColour> colours;
  for (std::size_t k = 0; k < found.sizes.size(); ++k)
    colours.push_back(used_.colour(found.centroids.data() + k * setup_.data->dimensions));
  return colours;
}

template <Executor E>
Table KMeansSimulation<E>::table(const std::string& output) {
  if (output == "centroids") return used_.centroid_table(clustering().sizes, clustering().centroids);
  if (output == "palette")
    return palette_table(setup_.data->name, setup_.data->picture, clustering().sizes, cluster_colours());
  return Base::table(output);
}

template <Executor E>
bool KMeansSimulation<E>::write(const std::string& output, const std::string& path) {
  if (output != "out" || !path.ends_with(".png")) return false;
  std::vector<std::uint32_t> labels(points());
  this->labels(labels);
  if (clustering().sizes.empty()) throw input_error(path + ": there is no palette before the first centroid");
  write_segmented(path, setup_.data->picture, cluster_colours(), [&](std::size_t row) { return labels[row]; });
  return true;
}

// One report entry for each finished run from a different start.
template <Executor E>
std::vector<Report> KMeansSimulation<E>::runs() {
  std::vector<Report> entries;
  for (const Tried& each : tried_.download(0, static_cast<std::size_t>(control_.download().front().attempt))) {
    Report entry;
    entry.add("iterations", static_cast<std::int64_t>(each.iterations));
    entry.add("inertia", each.inertia);
    entry.add("converged", each.converged != 0);
    entries.push_back(std::move(entry));
  }
  return entries;
}

template <Executor E>
Report KMeansSimulation<E>::figures(bool with_criteria) {
  const Clustering& found = clustering();
  Report report;
  report.add("normalize_used", normalization_name(used_.normalization));
  report.add("clusters", static_cast<std::int64_t>(found.sizes.size()));
  report.add("inertia", found.inertia);
  if (with_criteria) {
    const auto began = Base::Clock::now();
    const KMeansCriteria worth = criteria();
    report.add("bic", worth.bic);
    report.add("aic", worth.aic);
    report.add("criteria_seconds", Base::since(began));
  }
  report.add("sizes", found.sizes);
  // Clusters can stay empty: in float32 the distance of different points may be 0.
  if (const auto empty = std::count(found.sizes.begin(), found.sizes.end(), 0); empty > 0)
    report.add("empty_clusters", static_cast<std::int64_t>(empty));
  if (group_) group_->report(report);
  if (!view_.swept) {
    if (view_.restarts > 1) report.add("restarts", runs());
    return report;
  }
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
