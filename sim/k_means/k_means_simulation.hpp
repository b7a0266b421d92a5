// k-means over an executor: its data and its setup. points.hpp says where the points are, and run_view.hpp describes
// the course of a run. k_means_course.hpp enqueues the launches, and k_means_results.hpp returns the results. Each
// backend has launches of its own in KMeansKernels<E> (k_means_cpu.hpp, k_means_cuda.cuh).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/executors/functors.hpp"
#include "kinescope/k_means/k_means.hpp"
#include "kinescope/shell.hpp"
#include "sim/k_means/candidates.hpp"
#include "sim/k_means/distributed/group.hpp"
#include "sim/k_means/facts.hpp"
#include "sim/k_means/launches.hpp"
#include "sim/k_means/prepare.hpp"
#include "sim/k_means/screen/screen.hpp"
#include "sim/k_means/start.hpp"
#include "sim/k_means/sweep/measure.hpp"
#include "sim/k_means/sweep/mixture.hpp"

namespace kinescope::sim::k_means {

template <Executor E>
class KMeansKernels;

template <Executor E>
class KMeansSimulation : public Shell<E, KMeansParameters, KMeans> {
  using Base = Shell<E, KMeansParameters, KMeans>;
  using Base::setup_, Base::parameters_, Base::executor_, Base::stepper_;
  template <class T>
  using Memory = typename Base::template Memory<T>;

 public:
  KMeansSimulation(const Setup& setup, KMeansParameters& parameters)
      : Base(k_means_kind(), setup, parameters, history_capacity), kernels_(executor_) {
    const std::shared_ptr<Dataset> given = std::exchange(setup_.given, nullptr);
    used_ = UsedPoints(setup_.data, parameters_);
    image_ = is_image(*setup_.data);
    setup_.data = used_.data;
    if (given && used_.data != given) given->rows().values = {};  // the points are a copy
    const int clusters = cluster_range({setup_.data.get()}, parameters_).second;
    published_centroids_ =
        std::max<std::size_t>(static_cast<std::size_t>(clusters), std::min<std::size_t>(points(), 1024));
    const auto began = Base::Clock::now();
    parts_.emplace(executor_, setup_.data, parameters_.device_memory.value(),
                   kernels_.bytes_a_point(clusters, dimensions()), all_rows(*setup_.data), 1,
                   used_.data == given ? given.get() : nullptr);
    sending_seconds_ = Base::since(began);
    prepared_ = prepare(executor_, *parts_, *setup_.data);
    load();
    Base::begin();
  }

  Table result() override;
  std::vector<std::string> endings(const std::string& output) const override {
    return endings_for_pictures(Base::endings(output), output, image_);
  }
  Table table(const std::string& output) override;
  bool write(const std::string& output, const std::string& path) override;
  Report report() override { return figures(true); }
  Report summary() override { return figures(view_.swept); }

  void compute_with(std::shared_ptr<Group> workers) override {
    group_ = std::move(workers);
    group_->tell([this] { Base::show_present(); });
    stepper_.need_host();
    const RunFacts facts{prepared_.scale, prepared_.centre, view_.reach, view_.last_clusters};
    if (const std::string moment = group_->begin(setup_.data, facts); !moment.empty()) go_on_from(moment);
  }
  void labels(std::span<std::uint32_t> to) override;
  double sending_seconds() const override { return sending_seconds_; }

 private:
  static constexpr std::size_t history_capacity = 1 << 14;

  // A finished or interrupted clustering, with clusters numbered by size.
  struct Clustering {
    std::vector<std::uint32_t> place;  // [K] the number by size of each of the run's clusters
    std::vector<double> centroids;     // [K × d]
    std::vector<std::int64_t> sizes;   // [K]
    double inertia = 0;
  };

  // Control, labels and squares separate from the run's own, with which the host computes labels and spreads for the
  // present centroids without disturbing the run.
  struct Asked {
    Memory<Control> control;
    Memory<std::uint32_t> labels;
    Memory<float> squares;
    RunView run;

    Asked(KMeansSimulation& simulation, const Control& at)
        : control(simulation.executor_, 1),
          labels(simulation.executor_, simulation.points()),
          squares(simulation.executor_, simulation.points()),
          run(simulation.view_for(at.placed)) {
      Control own;
      own.placed = at.placed;
      own.inertia_limit = at.inertia_limit;
      own.current = at.current;
      own.improved = 1;
      control.upload(std::span<const Control>(&own, 1));
      run.asked = true;
      run.swept = false;
      run.control = control.data();
      run.labels = labels.data();
      run.squares = squares.data();
    }
  };

  std::size_t points() const { return setup_.data->points; }
  std::int64_t count() const { return static_cast<std::int64_t>(points()); }
  int dimensions() const { return static_cast<int>(setup_.data->dimensions); }
  std::size_t centroid_count() const {
    return static_cast<std::size_t>(view_.last_clusters) * static_cast<std::size_t>(dimensions());
  }

  void load();
  void load_sample();
  // Calls f(view) with the run's view of each part of the points; f enqueues launches.
  template <class F>
  void for_parts(const RunView& run, F f) {
    parts_->for_each([&](const Points& points) { f(run.part(points)); });
  }
  void allocate(int first, int last);
  void create_buffers(BufferSource& source) override;
  void write_buffers() override;
  void start() override;
  bool work(const Budget& budget) override {
    if (!stepper_.seen().converged) clustering_known_ = false;
    const bool more = Base::work(budget);
    look();
    return more;
  }
  void change(const KMeansParameters& before) override;
  void iterate(std::int32_t program) override;
  void describe(const RunState& seen, Snapshot& snapshot) const override;
  RunState begin_run(const Control& control, int clusters, Stage stage, const RunState& earlier);
  RunView view_for(int clusters);
  void enqueue_start(const RunView& run);
  void draw_centroid(const RunView& run);
  void take_rows(const RunView& run);
  void enqueue_gathering(RunView run);
  void draw_candidates(const RunView& run, std::int32_t known, std::int64_t draws);
  std::int64_t different_candidates(int placed);
  void end_gathering(const RunView& run, int placed);
  void enqueue_iteration(const RunView& run, Stage stage);
  bool leave_to_group(const RunView& run);
  void begin_sums(const RunView& run);
  void keep_limit(const RunView& run);
  std::string moment(const PassOnHost& pass) const;
  void go_on_from(const std::string& moment);
  void enqueue_spreads(const RunView& run, bool labels = true);
  void enqueue_measure(const RunView& run);
  void enqueue_weighing(const RunView& run);
  void publish_labels(RunView run);
  void publish_colours(const RunView& run);
  void look();
  void look_at_paths(const Look& found);
  std::size_t columns() const { return screen_ ? screen_->shown().count() : setup_.data->dimensions; }
  std::vector<float> in_columns(const float* values, std::size_t rows) const;
  void count_sizes();
  void change_clusters();
  void keep_largest(std::vector<float>& centroids, int clusters);
  const Clustering& clustering();
  void measure_exactly();
  double exact_square(std::size_t point, std::size_t cluster) const;
  KMeansCriteria criteria();
  Report figures(bool with_criteria);
  std::vector<Report> runs();
  std::vector<GroupColour> cluster_colours();

  std::shared_ptr<Group> group_;
  bool served_ = false;  // the group computed the latest pass
  UsedPoints used_;      // its data are setup_.data, in which distances are taken
  bool image_ = false;   // the points are a picture's pixels
  KMeansKernels<E> kernels_;
  std::optional<PointParts<E>> parts_;
  double sending_seconds_ = 0;
  Prepared prepared_;
  RunView view_;
  Memory<float> row_, rows_, sample_, scale_, centre_, centroids_, squares_, path_memory_, attempts_, best_;
  Memory<double> least_variance_, gaussians_, panel_sums_, group_sums_;
  Memory<std::int64_t> totals_, sums_, spreads_, shares_, sizes_;
  Memory<std::uint32_t> labels_;
  Memory<KMeansCriteria> curve_;
  Memory<Tried> tried_;
  Memory<Control> control_;
  Candidates<E> candidates_;             // while the start gathers them and chooses from them
  std::size_t published_centroids_ = 0;  // rows of the published buffer
  int levels_ = 0, sweep_first_ = 0;     // how many numbers of clusters a sweep tries, and the first of them
  int attempts_made_ = 0;                // finished attempts; 0 in a sweep
  Clustering clustering_;
  std::optional<Asked> asked_;     // has the labels and squares of clustering_; empty if there is no centroid
  bool clustering_known_ = false;  // whether clustering_ belongs to the present centroids

  // What look() has found.
  std::shared_ptr<const KMeansSweep> sweep_;
  std::shared_ptr<const Groups> groups_;
  CentroidPaths paths_;
  Log<float> path_values_;
  int path_attempt_ = 0;  // to which the paths belong

  std::optional<KMeansScreen<E>> screen_;  // exists from the first attach on
  Outlet<std::uint32_t> clusters_out_, segmented_out_;
  Outlet<float> centroids_out_;
};

// Sets up what does not change during the simulation's lifetime.
template <Executor E>
void KMeansSimulation<E>::load() {
  row_ = Memory<float>(executor_, setup_.data->dimensions);
  scale_ = Memory<float>(executor_, prepared_.scale);
  centre_ = Memory<float>(executor_, prepared_.centre);
  totals_ = Memory<std::int64_t>(executor_, prepared_.totals);
  labels_ = Memory<std::uint32_t>(executor_, points());
  squares_ = Memory<float>(executor_, points());
  control_ = Memory<Control>(executor_, 1);
  view_.points = parts_->all();
  view_.part_points = parts_->most();
  view_.paged = view_.part_points < count();
  view_.row = row_.data();
  const auto groups = static_cast<std::size_t>(view_.groups());
  rows_ = Memory<float>(executor_, most_candidates * setup_.data->dimensions);
  panel_sums_ = Memory<double>(executor_, groups * group);
  executor_.for_each("clear", static_cast<std::int64_t>(panel_sums_.size()), Fill<double>{panel_sums_.data(), 0});
  executor_.for_each("clear", static_cast<std::int64_t>(rows_.size()), Fill<float>{rows_.data(), 0});
  group_sums_ = Memory<double>(executor_, groups);
  view_.rows = rows_.data();
  view_.panel_sums = panel_sums_.data();
  view_.group_sums = group_sums_.data();
  view_.scale = scale_.data();
  view_.centre = centre_.data();
  view_.totals = totals_.data();
  for (std::size_t c = 0; c < prepared_.centre.size(); ++c) {
    const double centre = prepared_.centre[c];
    view_.reach = std::max(view_.reach,
                           static_cast<float>(std::max(prepared_.highest[c] - centre, centre - prepared_.lowest[c])));
  }
  view_.total_square = prepared_.total_square;
  view_.labels = labels_.data();
  view_.squares = squares_.data();
  view_.control = control_.data();
  view_.state = stepper_.state();
  view_.history = stepper_.history();
  view_.history_capacity = stepper_.capacity();
  view_.seed = setup_.seed;
  const std::string& start = parameters_.start.value();
  view_.random_start = start == "random";
  view_.restarts = is_file(start) ? 1 : static_cast<std::int32_t>(parameters_.restarts.value());
  tried_ = Memory<Tried>(executor_, static_cast<std::size_t>(view_.restarts));
  view_.tried = tried_.data();
}

// Loads the sample with which a number of clusters is weighed, once.
template <Executor E>
void KMeansSimulation<E>::load_sample() {
  if (sample_.size() > 0) return;
  const Weighed weighed = k_means::weighed(parts_->host(), prepared_, setup_.seed, setup_.threads);
  sample_ = Memory<float>(executor_, weighed.panels);
  least_variance_ = Memory<double>(executor_, weighed.least_variance);
  const std::int64_t sampled = static_cast<std::int64_t>(weighed.count);
  view_.sample = Points{sample_.data(), sampled, dimensions(), 0, sampled};
  view_.least_variance = least_variance_.data();
}

// Allocates what depends on the largest K.
template <Executor E>
void KMeansSimulation<E>::allocate(int first, int last) {
  const bool grows = view_.last_clusters != last || centroids_.size() == 0;
  view_.first_clusters = first;
  view_.last_clusters = last;
  const std::size_t K = static_cast<std::size_t>(last), d = static_cast<std::size_t>(dimensions());
  if (grows) {
    centroids_ = Memory<float>(executor_, 2 * K * d);
    // The second set is read before any iteration writes it, to see how far centroids have moved.
    executor_.for_each("clear", static_cast<std::int64_t>(centroids_.size()), Fill<float>{centroids_.data(), 0});
    sums_ = Memory<std::int64_t>(executor_, 2 * ((d + 1) * K + 1));
    spreads_ = Memory<std::int64_t>(executor_, (d + 1) * K);
    attempts_ = Memory<float>(executor_, (most_unions + 1) * K * d);
    best_ = Memory<float>(executor_, K * d);
    gaussians_ = Memory<double>(executor_, K * (3 * d + 2));
    shares_ = Memory<std::int64_t>(executor_, K * (2 * d + 1) + 1);
    sizes_ = Memory<std::int64_t>(executor_, K);
    path_memory_ = Memory<float>(executor_, (view_.restarts > 1 ? 2 : 1) * path_numbers);
  }
  if (last > most_greedy_clusters) stepper_.need_host();  // gathers candidates, for each start anew
  if (curve_.size() != static_cast<std::size_t>(last - first + 1))
    curve_ = Memory<KMeansCriteria>(executor_, static_cast<std::size_t>(last - first + 1));
  view_.centroids = centroids_.data();
  view_.sums = sums_.data();
  view_.spreads = spreads_.data();
  view_.attempts = attempts_.data();
  view_.best = best_.data();
  view_.gaussians = gaussians_.data();
  view_.shares = shares_.data();
  view_.sizes = sizes_.data();
  view_.paths = path_memory_.data();
  view_.curve = curve_.data();
}

template <Executor E>
void KMeansSimulation<E>::start() {
  const auto [first, last] = cluster_range(parts_->host(), parameters_);
  const std::vector<float> given = given_start(*setup_.data, used_.scaling, parameters_, first);
  allocate(first, last);
  view_.swept = parse_sweep(parameters_.sweep.value()).has_value();
  if (view_.swept) load_sample();
  levels_ = view_.swept ? last - first + 1 : 0;
  sweep_first_ = first;
  if (!given.empty()) executor_.copy_in(centroids_.data(), given.data(), given.size() * sizeof(float));
  Control control;
  control.placed = given.empty() ? 0 : first;
  control.inertia_limit = inertia_limit(*setup_.data, prepared_, given);
  view_.inertia_limit = control.inertia_limit;
  RunState state;
  state.figure = NAN;
  stepper_.reset(begin_run(control, first, given.empty() ? Stage::start : Stage::lloyd, state));
}

// Begins a run, or continues one with the present centroids from the state `earlier`. Returns the new state.
template <Executor E>
RunState KMeansSimulation<E>::begin_run(const Control& control, int clusters, Stage stage, const RunState& earlier) {
  view_.iteration_limit = static_cast<std::int32_t>(parameters_.iterations.value());
  executor_.for_each("clear", static_cast<std::int64_t>(sums_.size()), Fill<std::int64_t>{sums_.data(), 0});
  executor_.for_each("clear", count(), Fill<std::uint32_t>{labels_.data(), no_centroid});
  control_.upload(std::span(&control, 1));
  RunState state = earlier;
  state.points = count();
  state.converged = state.cut = 0;
  state.phase = places(stage) ? 0 : view_.swept ? 2 : 1;
  state.level = view_.swept ? clusters - view_.first_clusters + 1 : 0;
  state.program = program_of(clusters, stage);
  state.left = view_.paged || stage == Stage::gather ? 1
               : places(stage)                       ? view_.draws_left(clusters - control.placed)
                                                     : view_.iteration_limit;
  state.fraction = 0;
  clustering_known_ = false;
  served_ = false;
  kernels_.forget_note();
  sweep_ = nullptr;
  groups_ = nullptr;
  path_values_.clear();
  return state;
}

template <Executor E>
RunView KMeansSimulation<E>::view_for(int clusters) {
  RunView run = view_;
  run.clusters = clusters;
  run.candidates = candidates_for(clusters);
  run.stop = parameters_.stop.value();
  run.still_movement = parameters_.tolerance.value() * prepared_.mean_variance;
  const std::size_t row = static_cast<std::size_t>(clusters) * static_cast<std::size_t>(dimensions());
  run.path_capacity = static_cast<std::int32_t>(path_numbers / row);
  run.drops = group_ && parameters_.on_loss.value() == OnLoss::drop;
  run.served = served_;
  kernels_.plan(run);
  return run;
}

}  // namespace kinescope::sim::k_means
