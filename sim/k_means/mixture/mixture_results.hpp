// What a mixture publishes and returns. A part of mixture_simulation.hpp, which includes it.
#pragma once

#include "kinescope/executors/executor.hpp"
#include "sim/k_means/mixture/mixture_simulation.hpp"

namespace kinescope::sim::k_means {

template <Executor E>
typename MixtureSimulation<E>::Found MixtureSimulation<E>::found() {
  stepper_.wait();
  Found found;
  if (clustering_ || stepper_.seen().iteration == 0) return found;
  executor_.for_each("label", count(), LabelByShare{view_, labels_.data()});
  found.labels = labels_.download();
  found.sizes = sizes_.download();
  found.means = means_.download();
  for (std::size_t e = 0; e < found.means.size(); ++e) found.means[e] += prepared_.centre[e % setup_.data->dimensions];
  found.covariances = covariances_.download();
  found.counts.assign(clusters(), 0);
  for (const std::uint32_t label : found.labels) ++found.counts[label];
  found.order = by_size(found.counts);
  return found;
}

// The covariance of columns a and b.
template <Executor E>
double MixtureSimulation<E>::spread(const Found& found, std::size_t k, std::size_t a, std::size_t b) const {
  const double* own = found.covariances.data() + k * static_cast<std::size_t>(view_.entries());
  if (view_.full) return own[triangle_at(std::int64_t(std::max(a, b)), std::int64_t(std::min(a, b)))];
  return a == b ? own[a] : 0;
}

template <Executor E>
std::shared_ptr<const Groups> MixtureSimulation<E>::groups_of(const Found& found) const {
  if (found.labels.empty()) return nullptr;
  auto groups = std::make_shared<Groups>();
  const std::size_t K = clusters(), d = setup_.data->dimensions;
  groups->columns = screen_ ? screen_->shown().count() : d;
  groups->sizes.assign(found.counts.begin(), found.counts.end());
  std::vector<float> means;
  for (std::size_t e = 0; e < K * d; ++e) means.push_back(static_cast<float>(found.means[e]));
  groups->centres = screen_ ? screen_->shown().project(means.data(), K) : means;
  if (image_)
    for (const GroupColour& colour : colours_of(found)) groups->colours.push_back(in_bytes(colour));
  const std::size_t shown = groups->spread_columns = std::min(groups->columns, most_ellipse_columns);
  // A shown column is a row of `along`, a combination of the data's columns.
  const std::size_t axes = screen_ ? screen_->shown().axes.size() / d : 0;
  const auto along = [&](std::size_t column, std::size_t c) {
    return column < axes ? double(screen_->shown().axes[column * d + c]) : column - axes == c ? 1.0 : 0.0;
  };
  for (std::size_t k = 0; k < K; ++k)
    for (std::size_t a = 0; a < shown; ++a)
      for (std::size_t b = 0; b < shown; ++b) {
        double sum = 0;
        for (std::size_t p = a < axes ? 0 : a - axes; p < (a < axes ? d : a - axes + 1); ++p)
          for (std::size_t q = b < axes ? 0 : b - axes; q < (b < axes ? d : b - axes + 1); ++q)
            sum += along(a, p) * along(b, q) * spread(found, k, p, q);
        groups->spreads.push_back(static_cast<float>(sum));
      }
  return groups;
}

template <Executor E>
void MixtureSimulation<E>::create_buffers(BufferSource& source) {
  if (!screen_) screen_.emplace(executor_, *setup_.data, prepared_, false);
  screen_->create(source);
  published_centroids_ = std::max(clusters(), std::min<std::size_t>(points(), 1024));
  clusters_out_.create(source, published::clusters, points());
  if (image_) segmented_out_.create(source, published::segmented, points());
  centroids_out_.create(source, published::centroids, published_centroids_ * setup_.data->dimensions);
}

template <Executor E>
void MixtureSimulation<E>::write_buffers() {
  const Found now = found();
  const std::size_t d = setup_.data->dimensions;
  std::vector<float> centroids(published_centroids_ * d, NAN);
  for (std::size_t e = 0; e < std::min(now.means.size(), centroids.size()); ++e)
    centroids[e] = static_cast<float>(now.means[e]);
  if (now.labels.empty()) executor_.for_each("no labels", count(), Fill<std::uint32_t>{labels_.data(), no_centroid});
  executor_.for_each("publish labels", count(), Copy<std::uint32_t>{labels_.data(), clusters_out_.address()});
  screen_->publish_points();
  executor_.copy_in(centroids_out_.address(), centroids.data(), centroids.size() * sizeof(float));
  executor_.wait();
  if (image_)
    executor_.for_each("publish colours", count(),
                       PublishMeanColours{view_, labels_.data(), used_.colour_units(), segmented_out_.address()});
  groups_ = groups_of(now);
}

template <Executor E>
void MixtureSimulation<E>::labels(std::span<std::uint32_t> to) {
  const Found now = found();
  if (now.labels.empty()) return std::fill(to.begin(), to.end(), no_centroid);
  std::vector<std::uint32_t> place(now.order.size());
  for (std::size_t k = 0; k < place.size(); ++k) place[now.order[k]] = static_cast<std::uint32_t>(k);
  for (std::size_t i = 0; i < points(); ++i) to[i] = place[now.labels[i]];
}

template <Executor E>
Table MixtureSimulation<E>::result() {
  std::vector<std::uint32_t> labels(points());
  this->labels(labels);
  Table table;
  table.source = setup_.data->name;
  table.rows = points();
  Column cluster{"cluster"}, probability{"probability"};
  std::vector<double> shares;
  if (stepper_.seen().iteration > 0) shares = shares_.download();
  for (std::size_t i = 0; i < points(); ++i) {
    double most = shares.empty() ? NAN : 0;
    for (std::size_t k = 0; k < clusters() && !shares.empty(); ++k) most = std::max(most, shares[k * points() + i]);
    cluster.numbers.push_back(labels[i] == no_centroid ? NAN : static_cast<double>(labels[i]));
    probability.numbers.push_back(most);
  }
  table.columns = {std::move(cluster), std::move(probability)};
  return table;
}

template <Executor E>
std::vector<GroupColour> MixtureSimulation<E>::colours_of(const Found& found) const {
  std::vector<GroupColour> colours;
  for (std::size_t k = 0; k < found.counts.size(); ++k)
    colours.push_back(used_.colour(found.means.data() + k * setup_.data->dimensions));
  return colours;
}

template <Executor E>
Table MixtureSimulation<E>::table(const std::string& output) {
  const Found now = found();
  if (output != "centroids" && output != "palette") return Base::table(output);
  const std::size_t d = setup_.data->dimensions;
  const std::vector<GroupColour> own = output == "palette" ? colours_of(now) : std::vector<GroupColour>();
  std::vector<std::int64_t> sizes;
  std::vector<double> means;
  std::vector<GroupColour> colours;
  for (const std::size_t k : now.order) {
    sizes.push_back(now.counts[k]);
    means.insert(means.end(), now.means.begin() + std::ptrdiff_t(k * d),
                 now.means.begin() + std::ptrdiff_t((k + 1) * d));
    if (!own.empty()) colours.push_back(own[k]);
  }
  if (output == "centroids") return used_.centroid_table(sizes, means);
  return palette_table(setup_.data->name, setup_.data->picture, sizes, colours);
}

template <Executor E>
bool MixtureSimulation<E>::write(const std::string& output, const std::string& path) {
  if (output != "out" || !path.ends_with(".png")) return false;
  const Found now = found();
  if (now.labels.empty()) throw input_error(path + ": there is no palette before the first Gaussian");
  write_segmented(path, setup_.data->picture, colours_of(now), [&](std::size_t row) { return now.labels[row]; });
  return true;
}

// Weight, mean and covariances of each Gaussian, in the input's units.
template <Executor E>
std::vector<Report> MixtureSimulation<E>::gaussians(const Found& found) const {
  const std::size_t d = setup_.data->dimensions;
  const auto unit = [this](std::size_t c) { return used_.scaling.unit(c); };
  std::vector<Report> entries;
  for (const std::size_t k : found.order) {
    Report entry;
    entry.add("weight", found.sizes[k] / static_cast<double>(points()));
    std::vector<double> mean, covariance;
    for (std::size_t a = 0; a < d; ++a) {
      mean.push_back(used_.scaling.restored(a, found.means[k * d + a]));
      for (std::size_t b = view_.full ? 0 : a; b < (view_.full ? d : a + 1); ++b)
        covariance.push_back(unit(a) * unit(b) * spread(found, k, a, b));
    }
    entry.add("mean", std::move(mean));
    entry.add(view_.full ? "covariance" : "variances", std::move(covariance));
    entries.push_back(std::move(entry));
  }
  return entries;
}

template <Executor E>
Report MixtureSimulation<E>::report() {
  const Found now = found();
  Report report;
  report.add("normalize_used", normalization_name(used_.normalization));
  report.add("clusters", static_cast<std::int64_t>(now.order.size()));
  const double N = static_cast<double>(points()), K = static_cast<double>(clusters());
  const double likelihood = stepper_.seen().iteration > 0 ? control_.download().front().likelihood * N : NAN;
  const double free = K * static_cast<double>(dimensions() + view_.entries()) + K - 1;
  report.add("log_likelihood", likelihood);
  report.add("bic", free * std::log(N) - 2 * likelihood);
  report.add("aic", 2 * free - 2 * likelihood);
  std::vector<std::int64_t> sizes;
  for (const std::size_t k : now.order) sizes.push_back(now.counts[k]);
  report.add("sizes", std::move(sizes));
  report.add("gaussians", gaussians(now));
  return report;
}

}  // namespace kinescope::sim::k_means
