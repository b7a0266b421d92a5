// A mixture of Gaussians as a result of its own (model=mixture): k-means runs to its end, then EM fits Gaussians that
// begin as its clusters (gaussians.hpp). The rest of the class is in mixture_results.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/executors/executor.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/k_means/k_means_simulation.hpp"
#include "sim/k_means/mixture/gaussians.hpp"

namespace kinescope::sim::k_means {

// The colour of each pixel's Gaussian.
struct PublishMeanColours {
  MixtureView view;
  const std::uint32_t* labels;
  ColourUnits units;
  std::uint32_t* to;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    const int d = view.dimensions(), first = d - 3;
    const auto mean = [&](int c) {
      return static_cast<float>(view.centre[first + c] + view.means[labels[i] * d + first + c]);
    };
    to[i] = labels[i] == no_centroid ? no_colour : units.packed(mean);
  }
};

template <Executor E>
class MixtureSimulation : public Shell<E, KMeansParameters, KMeans> {
  using Base = Shell<E, KMeansParameters, KMeans>;
  using Base::setup_, Base::parameters_, Base::executor_, Base::stepper_;
  template <class T>
  using Memory = typename Base::template Memory<T>;

 public:
  MixtureSimulation(const Setup& setup, KMeansParameters& parameters)
      : Base(k_means_kind(), setup, parameters, history_capacity), original_(setup) {
    original_.given = setup_.given = nullptr;  // the clustering of each start reads the rows
    used_ = UsedPoints(setup_.data, parameters_);
    image_ = is_image(*setup_.data);
    setup_.data = used_.data;
    require_room();
    parts_.emplace(executor_, setup_.data, parameters_.device_memory.value(), 0, all_rows(*setup_.data));
    if (!parts_->all().x)
      throw input_error(setup_.data->name + ": model=mixture needs all points in the device's memory at once");
    prepared_ = prepare(executor_, *parts_, *setup_.data);
    centre_ = Memory<float>(executor_, prepared_.centre);
    ridge_ = Memory<double>(executor_, ridges());
    labels_ = Memory<std::uint32_t>(executor_, points());
    control_ = Memory<MixtureControl>(executor_, 1);
    Base::begin();
  }

  Table result() override;
  std::vector<std::string> endings(const std::string& output) const override {
    return endings_for_pictures(Base::endings(output), output, image_);
  }
  Table table(const std::string& output) override;
  bool write(const std::string& output, const std::string& path) override;
  Report report() override;

  void compute_with(std::shared_ptr<Group>) override {
    throw input_error("model=mixture runs in one process: leave out --workers").with({"model", "k-means"});
  }
  void labels(std::span<std::uint32_t> to) override;
  double sending_seconds() const override { return 0; }

 private:
  static constexpr std::size_t history_capacity = 1 << 14;
  static constexpr std::int32_t fitting = 3;  // index of the phase
  // The shares take 8 bytes for each point and cluster; a full covariance has d² / 2 numbers, and its factor takes d³
  // operations.
  static constexpr double most_shares = 0x1p28;
  static constexpr int most_full = 256;
  static constexpr std::size_t most_ellipse_columns = 16;

  // The Gaussians on the host, numbered as the run holds them.
  struct Found {
    std::vector<double> sizes, covariances;  // as in MixtureView
    std::vector<double> means;               // [K × d]
    std::vector<std::uint32_t> labels;       // [points]
    std::vector<std::int64_t> counts;        // [K] points whose label it is
    std::vector<std::size_t> order;          // by their counts, the largest first
  };

  std::size_t points() const { return setup_.data->points; }
  std::int64_t count() const { return static_cast<std::int64_t>(points()); }
  int dimensions() const { return static_cast<int>(setup_.data->dimensions); }
  std::size_t clusters() const { return static_cast<std::size_t>(parameters_.clusters.value()); }
  bool full() const { return parameters_.covariance.value() == Covariance::full; }

  void require_room() const;
  std::vector<double> ridges() const;
  void create_buffers(BufferSource& source) override;
  void write_buffers() override;
  void start() override;
  bool work(const Budget& budget) override;
  void change(const KMeansParameters& before) override;
  void allocate();
  void begin_fit();
  void enqueue_maximization();
  void iterate(std::int32_t) override;
  void describe(const RunState& seen, Snapshot& snapshot) const override {
    if (seen.phase == fitting) snapshot.progress.figure_name = "ln p of a point, mean";
    if (screen_) snapshot.add(screen_->columns());
    snapshot.add(groups_);
  }
  MixtureControl limits() const;
  Found found();
  std::shared_ptr<const Groups> groups_of(const Found& found) const;
  double spread(const Found& found, std::size_t k, std::size_t a, std::size_t b) const;
  std::vector<GroupColour> colours_of(const Found& found) const;
  std::vector<Report> gaussians(const Found& found) const;

  Setup original_;
  UsedPoints used_;
  bool image_ = false;
  std::optional<PointParts<E>> parts_;
  Prepared prepared_;
  MixtureView view_;
  Memory<float> centre_;
  Memory<double> ridge_, shares_, sizes_, means_, covariances_, factors_, constants_, sums_;
  Memory<std::uint32_t> labels_;
  Memory<MixtureControl> control_;
  std::unique_ptr<Simulation> clustering_;  // k-means, while it runs
  std::size_t published_centroids_ = 0;
  std::shared_ptr<const Groups> groups_;   // as last published
  std::optional<KMeansScreen<E>> screen_;  // exists from the first attach on
  Outlet<std::uint32_t> clusters_out_, segmented_out_;
  Outlet<float> centroids_out_;
};

template <Executor E>
void MixtureSimulation<E>::require_room() const {
  if (full() && dimensions() > most_full)
    throw input_error(setup_.data->name + ": covariance=full takes at most " + std::to_string(most_full) +
                      " columns, found " + std::to_string(dimensions()))
        .with({"covariance", "diagonal"});
  if (static_cast<double>(points()) * static_cast<double>(clusters()) > most_shares)
    throw input_error(setup_.data->name + ": model=mixture takes at most 268,435,456 points × clusters, found " +
                      with_commas(points()) + " × " + std::to_string(clusters()))
        .with({"model", "k-means"});
}

// The part of each column's variance that is added to the Gaussians'; a constant column has the mean of the others'.
template <Executor E>
std::vector<double> MixtureSimulation<E>::ridges() const {
  const Dataset& data = *setup_.data;
  const std::size_t d = data.dimensions;
  std::vector<double> ridges(d);
  in_parallel(d, 1, [&](std::size_t c) {
    double sum = 0;
    for (std::size_t i = 0; i < data.points; ++i) {
      const double offset = double(data.values()[i * d + c]) - double(prepared_.centre[c]);
      sum += offset * offset;
    }
    ridges[c] = ridge_part * sum / double(data.points);
  });
  const double usual = std::accumulate(ridges.begin(), ridges.end(), 0.0) / double(d);
  for (double& ridge : ridges)
    if (!(ridge > 0)) ridge = usual > 0 ? usual : ridge_part;
  return ridges;
}

template <Executor E>
void MixtureSimulation<E>::allocate() {
  const std::size_t K = clusters(), d = setup_.data->dimensions;
  view_.points = parts_->all();
  view_.clusters = static_cast<int>(K);
  view_.full = full();
  view_.centre = centre_.data();
  view_.ridge = ridge_.data();
  view_.control = control_.data();
  view_.state = stepper_.state();
  view_.history = stepper_.history();
  view_.capacity = stepper_.capacity();
  if (shares_.size() == K * points() && means_.size() == K * d) return;
  const auto entries = static_cast<std::size_t>(view_.entries()), terms = static_cast<std::size_t>(view_.terms());
  shares_ = Memory<double>(executor_, K * points());
  sizes_ = Memory<double>(executor_, K);
  means_ = Memory<double>(executor_, K * d);
  covariances_ = Memory<double>(executor_, K * entries);
  factors_ = Memory<double>(executor_, K * entries);
  constants_ = Memory<double>(executor_, K);
  sums_ = Memory<double>(executor_, (static_cast<std::size_t>(view_.blocks()) + 1) * K * terms);
  view_.shares = shares_.data();
  view_.sizes = sizes_.data();
  view_.means = means_.data();
  view_.covariances = covariances_.data();
  view_.factors = factors_.data();
  view_.constants = constants_.data();
  view_.sums = sums_.data();
}

template <Executor E>
void MixtureSimulation<E>::start() {
  require_room();
  KMeansParameters parameters;  // what ends EM does not end k-means
  parameters.normalize = parameters_.normalize;
  parameters.features = parameters_.features;
  parameters.clusters = parameters_.clusters;
  parameters.start = parameters_.start;
  parameters.restarts = parameters_.restarts;
  parameters.device_memory = parameters_.device_memory;
  clustering_ = std::make_unique<KMeansSimulation<E>>(original_, parameters);
  allocate();
  for (Memory<double>* each : {&means_, &covariances_, &factors_})
    executor_.for_each("clear", static_cast<std::int64_t>(each->size()), Fill<double>{each->data(), 0});
  RunState state;
  state.points = count();
  state.figure = NAN;
  stepper_.reset(state);
  groups_ = nullptr;
}

template <Executor E>
MixtureControl MixtureSimulation<E>::limits() const {
  MixtureControl control;
  control.limit = parameters_.iterations.value();
  for (std::size_t c = 0; c < setup_.data->dimensions; ++c) control.units += std::log(used_.scaling.unit(c));
  control.least_gain =
      parameters_.stop.value() == StopRule::iterations ? -INFINITY : std::max(1e-12, parameters_.tolerance.value());
  return control;
}

// The clusters of k-means become Gaussians.
template <Executor E>
void MixtureSimulation<E>::begin_fit() {
  std::vector<std::uint32_t> labels(points());
  static_cast<KMeans&>(*clustering_).labels(labels);
  clustering_.reset();
  labels_.upload(labels);
  const MixtureControl control = limits();
  control_.upload(std::span(&control, 1));
  executor_.for_each("begin with clusters", count(), ShareByLabel{view_, labels_.data()});
  executor_.wait();
  RunState state = stepper_.seen();
  state.phase = fitting;
  Base::go_on(state);
}

template <Executor E>
bool MixtureSimulation<E>::work(const Budget& budget) {
  if (clustering_) {
    const auto began = Base::Clock::now();
    const bool more = clustering_->advance(budget);
    Base::earlier_seconds_ += Base::since(began);
    if (more) return true;
    begin_fit();
  }
  return Base::work(budget);
}

template <Executor E>
void MixtureSimulation<E>::iterate(std::int32_t) {
  enqueue_maximization();
  executor_.reduce("share", count(), 0.0, Share{view_}, EndShare{view_});
}

template <Executor E>
void MixtureSimulation<E>::enqueue_maximization() {
  const std::int64_t sums = view_.clusters * view_.terms();
  executor_.for_each("sum", view_.blocks() * sums, SumBlock<false>{view_});
  executor_.for_each("add sums", sums, SumBlocks{view_});
  executor_.for_each("move means", view_.clusters, MoveMean{view_});
  executor_.for_each("sum squares", view_.blocks() * sums, SumBlock<true>{view_});
  executor_.for_each("add squares", sums, SumBlocks{view_});
  executor_.for_each("reshape", view_.clusters, Reshape{view_});
}

// A change of the tolerance or of the limit goes on from the present Gaussians; all else begins anew.
template <Executor E>
void MixtureSimulation<E>::change(const KMeansParameters& before) {
  if (clustering_ || parameters_.clusters != before.clusters) return Base::begin_again();
  stepper_.wait();
  MixtureControl control = limits();
  control.likelihood = control_.download().front().likelihood;
  RunState state = stepper_.seen();
  if (state.iteration < control.limit) state.converged = state.cut = 0;
  control_.upload(std::span(&control, 1));
  Base::go_on(state);
}

}  // namespace kinescope::sim::k_means
