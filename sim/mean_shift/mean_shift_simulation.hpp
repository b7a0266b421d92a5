// Mean shift over an executor. The data are uploaded once. For each bandwidth, build() computes from them what an
// iteration reads: the data in internal units, and the field or the sorted cells if the method needs them. An iteration
// is one launch. Each backend has launches of its own in MeanShiftKernels<E> (mean_shift_cpu.hpp,
// mean_shift_cuda.cuh). The rest of the class is in mean_shift_build.hpp and mean_shift_results.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kinescope/mean_shift/mean_shift.hpp"
#include "kinescope/shell.hpp"
#include "sim/mean_shift/labels.hpp"
#include "sim/mean_shift/movers.hpp"
#include "sim/mean_shift/point_kernels.hpp"
#include "sim/mean_shift/prepare.hpp"
#include "sim/mean_shift/saddles.hpp"
#include "sim/mean_shift/screen/screen.hpp"

namespace kinescope::sim::mean_shift {

template <Executor E>
class MeanShiftKernels;

template <Executor E>
class MeanShiftSimulation : public Shell<E, MeanShiftParameters> {
  using Base = Shell<E, MeanShiftParameters>;
  using Base::setup_, Base::parameters_, Base::executor_, Base::stepper_, Base::earlier_seconds_;

 public:
  MeanShiftSimulation(const Setup& setup, MeanShiftParameters& parameters)
      : Base(mean_shift_kind(), setup, parameters, history_capacity), kernels_(executor_) {
    scaling_ = Scaling(*setup_.data, normalization());
    setup_.data = scaling_.apply(setup_.data);
    prepared_ = prepare(*setup_.data, parameters_);
    raw_ = Array<float, E>(executor_, prepared_.raw);
    x_ = Array<float, E>(executor_, raw_.size());
    y_ = Array<float, E>(executor_, raw_.size());
    weight_ = Array<float, E>(executor_, points());
    if (!prepared_.owner.empty()) owner_ = Array<std::int32_t, E>(executor_, prepared_.owner);
    columns_ = std::make_shared<const PublishedColumns>(PublishedColumns{column_names(), origins()});
    Base::begin();
  }

  Table result() override;
  std::vector<std::string> endings(const std::string& output) const override;
  Table table(const std::string& output) override;
  bool write(const std::string& output, const std::string& path) override;
  Report report() override;

 private:
  using typename Base::Clock;
  static constexpr std::size_t history_capacity = 1 << 14;
  static constexpr std::int64_t iteration_limit = 10'000;  // limit of a run until convergence
  static constexpr std::int64_t table_limit = 1 << 26;     // most cells for which a table of first points is made

  // The number of moving points, and the number of the data's rows: pixels of a picture may share a point.
  std::size_t points() const { return prepared_.points; }
  std::int64_t count() const { return static_cast<std::int64_t>(prepared_.points); }
  std::size_t data_rows() const { return setup_.data->points; }
  std::size_t point_of(std::size_t row) const {
    return prepared_.owner.empty() ? row : static_cast<std::size_t>(prepared_.owner[row]);
  }
  Cloud cloud() const {
    if (plan_.method == Method::bins) return {x_.data(), plan_.bins.stride, plan_.bins.count, x_weight_.data()};
    return {x_.data(), prepared_.stride, count(), prepared_.weight.empty() ? nullptr : x_weight_.data()};
  }
  float unit() const { return static_cast<float>(1 / internal_bandwidth(parameters_.kernel.value())); }
  RowOrder row_order() const {
    if (owner_.size() > 0) return {nullptr, row_slots_.data()};
    return {sorted_slots_ ? slot_order_.data() : nullptr, nullptr};
  }

  // A functor that converts the data to internal units.
  ScaleColumns scaled(float* to) const {
    ScaleColumns scale{raw_.data(), to, prepared_.stride, static_cast<std::int32_t>(plan_.scale.size()), {}, nullptr};
    std::transform(plan_.scale.begin(), plan_.scale.end(), scale.scale, [](double s) { return static_cast<float>(s); });
    return scale;
  }
  // Coordinate c of a point's mode, in the units in which distances are taken.
  double mode(std::size_t c, std::size_t point) const {
    return prepared_.centre[c] + modes_[c * points() + point] / plan_.scale[c];
  }

  template <class T>
  T* fit(Array<T, E>& array, std::int64_t size) {
    if (array.size() != static_cast<std::size_t>(size)) array = Array<T, E>(executor_, static_cast<std::size_t>(size));
    return array.data();
  }

  Table centroids();
  std::vector<std::string> column_names() const;
  std::vector<double> origins() const {
    std::vector<double> origins;
    for (const std::int32_t column : prepared_.columns)
      origins.push_back(setup_.data->origin_of(static_cast<std::size_t>(column)));
    return origins;
  }
  double extent() const {
    double widest = 0;
    for (std::size_t c = 0; c < prepared_.columns.size(); ++c)
      widest = std::max(widest, prepared_.maximum[c] - prepared_.minimum[c]);
    return widest;
  }

  void create_buffers(BufferSource& source) override;
  void write_buffers() override;
  void start() override;
  bool work(const Budget& budget) override {
    Budget fitting = budget;
    if (const long asked = parameters_.iterations.value(); asked > 0)
      fitting.iterations = std::min(
          budget.iterations, std::max(1L, static_cast<long>(first_iteration_ + asked - stepper_.seen().iteration)));
    if (Base::work(fitting) || leave_saddles()) return true;
    if (Base::watched()) upload_labels();  // done here so that no frame waits for them
    return false;
  }
  void change(const MeanShiftParameters& before) override;
  void change_bandwidth();
  void iterate(std::int32_t) override {
    if (Base::watched()) carry_followers(), count_places();
    enqueue(true);
  }
  void describe(const RunState& seen, Snapshot& snapshot) const override;
  void plan();
  void build();
  void build_cells();
  void build_bins();
  void order_rows();
  template <class Grid>
  void sort_by_cell(const Grid& grid);
  void build_field();
  void resume();
  bool rests() const { return parameters_.iterations.value() == 0; }
  Rest rest();
  void let_move() { movers_.begin(count(), rests(), plan_.method == Method::bins); }
  void carry_followers() { movers_.carry_followers(y_.data(), weight_.data(), prepared_.stride); }
  void enqueue(bool move);
  template <int K>
  void enqueue_for(const Shifted& shifted, const EndIteration& end);
  template <Kernel kernel, int K>
  void enqueue_sums(const Shifted& shifted, const EndIteration& end);
  PublishRows rows(const float* from, RowOrder order, float* to) const;
  std::vector<float> in_input_order(const Array<float, E>& values, std::size_t columns) const;
  const Labels& labels();
  bool has_map() const { return prepared_.columns.size() == 2; }
  std::string column_name(std::int32_t column) const;
  void publish_clusters();
  // Counts the places that the points occupy, for the curve. Called only while the run is watched.
  void count_places() {
    const auto side = static_cast<float>(parameters_.merge_radius.value()) / unit();
    screen_.count_places(y_.data(), prepared_.stride, count(), static_cast<int>(prepared_.columns.size()), side,
                         stepper_.state());
  }

  void upload_labels();
  bool leave_saddles();
  std::vector<GroupColour> cluster_colours();

  Normalization normalization() const {
    return is_image(*setup_.data) ? Normalization::none : parameters_.normalize.value();
  }

  Scaling scaling_;  // between the input's units and those of setup_.data, in which distances are taken
  MeanShiftKernels<E> kernels_;
  Prepared prepared_;
  Plan plan_;
  Array<float, E> raw_;                  // [columns × stride] in the input's order
  Array<float, E> x_;                    // raw_ in internal units, sorted if sorted_; for the bins method, the bins
  Array<float, E> x_weight_, gathered_;  // weights of x_, if points have weights; scratch memory for sorting
  Array<std::int32_t, E> owner_;         // as in prepared_, if rows share points
  Array<std::int32_t, E> row_slots_;     // [rows] RowOrder::slot_of, if rows share points
  Array<float, E> y_, weight_;           // by slot
  Array<std::int32_t, E> x_order_;       // [points] place in x_ → input index
  Array<std::int32_t, E> slot_order_;    // [points] slot of y_ → input index, fixed for a run
  bool sorted_ = false, sorted_slots_ = false;  // whether x_ and y_ are in those orders
  double planned_for_ = -1;                     // the bandwidth for which plan_ was made
  Array<std::int64_t, E> keys_;
  Array<std::int32_t, E> cell_first_;
  Array<Node, E> nodes_[2];
  Array<float, E> taps_;
  const Node* field_ = nullptr;
  std::int64_t without_saddles_ = -1;  // the iteration after which no pixel rested at a saddle
  std::int64_t first_iteration_ = 0;   // with this bandwidth: the parameter `iterations` counts from here
  double moved_with_ = 0;              // the largest earlier bandwidth that moved the points in this run
  double label_seconds_ = 0;
  Labels labels_;
  std::vector<float> modes_, densities_;       // places (internal units) and ΣK for labels_, in the input's order
  std::int64_t labels_of_ = -1;                // the iteration after which labels_ were found; −1: none
  Array<std::uint32_t, E> clusters_, shades_;  // [points] from labels_: cluster; in a picture, its mode's colour
  std::int64_t clusters_of_ = -1;
  Outlet<float> positions_out_, data_out_, density_out_, map_out_;
  Outlet<std::uint32_t> clusters_out_, segmented_out_;
  MeanShiftScreen<E> screen_{executor_};
  Movers<E> movers_{executor_};
  bool map_is_old_ = true;
  std::shared_ptr<const PublishedColumns> columns_;
  std::shared_ptr<const Groups> groups_;  // of labels_, once the run has converged
};

template <Executor E>
void MeanShiftSimulation<E>::start() {
  build();
  // The points start in the order in which their data were sorted, so that near points are neighbours in memory.
  sorted_slots_ = sorted_;
  if (sorted_slots_) fit(slot_order_, count());
  ScaleColumns copy = scaled(y_.data());
  if (sorted_slots_) {
    copy.order = x_order_.data();
    executor_.for_each("order", count(), Copy<std::int32_t>{x_order_.data(), slot_order_.data()});
  }
  order_rows();
  executor_.for_each("start", count(), copy);
  executor_.for_each("weights", count(), Fill<float>{weight_.data(), 0});
  let_move();
  RunState run;
  run.points = count();
  run.figure = NAN;
  first_iteration_ = 0;
  without_saddles_ = -1;
  moved_with_ = 0;
  labels_of_ = clusters_of_ = -1;
  groups_ = nullptr;
  stepper_.reset(run);
  label_seconds_ = 0;
}

// In a picture, pixels rest within the tolerance of their modes, and the run goes on until all do: a few on watersheds
// take hundreds of iterations. Other runs end at the tolerance, and what a point at rest may err is little beside
// error_bound and beside the tolerance.
template <Executor E>
Rest MeanShiftSimulation<E>::rest() {
  if (!rests()) return {};
  const double tolerance = parameters_.tolerance.value();
  if (!is_image(*setup_.data)) {
    const auto reach = static_cast<float>(std::min(0.02 * parameters_.error_bound.value(), 2e-4 * tolerance) / unit());
    return {reach, reach, 0, movers_.latest()};
  }
  const auto reach = static_cast<float>(std::max(tolerance, plan_.method == Method::bins ? bin_error : 0) / unit());
  return {reach, reach, 1.01f * reach * reach, movers_.latest()};
}

template <Executor E>
void MeanShiftSimulation<E>::enqueue(bool move) {
  Shifted shifted{y_.data(), weight_.data(), prepared_.stride, stepper_.state(), move, rest()};
  movers_.limit(kernels_, shifted);
  const long asked = parameters_.iterations.value();
  const EndIteration end{stepper_.state(),
                         stepper_.history(),
                         stepper_.capacity(),
                         unit(),
                         static_cast<float>(parameters_.tolerance.value()),
                         asked > 0 ? first_iteration_ + asked : 0,
                         first_iteration_ + iteration_limit,
                         move};
  // A kernel for each number of columns: a column more, all zero, would cost as much as one with data.
  [&]<int... C>(std::integer_sequence<int, C...>) {
    (void)((prepared_.columns.size() == C + 1 && (enqueue_for<C + 1>(shifted, end), true)) || ...);
  }
  (std::make_integer_sequence<int, maximum_dimensions>());
}

template <Executor E>
template <int K>
void MeanShiftSimulation<E>::enqueue_for(const Shifted& shifted, const EndIteration& end) {
  const Extent extent(count(), shifted.number);
  if constexpr (K <= 3)
    if (plan_.method == Method::field) {
      if (plan_.field.order == 6)
        executor_.reduce("field", extent, LargestSquare{}, FieldShift<K, 6>{cloud(), plan_.field, field_, shifted},
                         end);
      else
        executor_.reduce("field", extent, LargestSquare{}, FieldShift<K, 8>{cloud(), plan_.field, field_, shifted},
                         end);
      return;
    }
  if constexpr (K == 5)
    if (plan_.method == Method::bins)
      return executor_.reduce("bins", extent, LargestSquare{}, BinShift<K>{cloud(), plan_.cells, shifted}, end);
  switch (parameters_.kernel.value()) {
    case Kernel::gaussian:
      return enqueue_sums<Kernel::gaussian, K>(shifted, end);
    case Kernel::epanechnikov:
      return enqueue_sums<Kernel::epanechnikov, K>(shifted, end);
    default:
      return enqueue_sums<Kernel::flat, K>(shifted, end);
  }
}

template <Executor E>
template <Kernel kernel, int K>
void MeanShiftSimulation<E>::enqueue_sums(const Shifted& shifted, const EndIteration& end) {
  const Extent extent(count(), shifted.number);
  if (plan_.method == Method::naive)
    executor_.reduce("naive", extent, LargestSquare{}, NaiveShift<kernel, K>{cloud(), shifted}, end);
  else if (plan_.method == Method::grid)
    executor_.reduce("grid", extent, LargestSquare{}, GridShift<kernel, K>{cloud(), plan_.cells, shifted}, end);
  else
    kernels_.template tiled<kernel, K>(cloud(), shifted, parameters_.tile_width.value(),
                                       parameters_.block_threads.value(), plan_.farthest_square, end);
}

template <Executor E>
void MeanShiftSimulation<E>::resume() {
  stepper_.wait();
  RunState run = stepper_.seen();
  run.converged = run.cut = 0;
  carry_followers();
  executor_.for_each("wake", count(), Wake{weight_.data()});
  let_move();
  enqueue(false);  // computes the densities of the present places, even if labels() has already done so
  labels_of_ = clusters_of_ = -1;
  Base::go_on(run);
}

// Once all pixels rest: lets those at saddles of the density go on. Returns whether there are any.
template <Executor E>
bool MeanShiftSimulation<E>::leave_saddles() {
  stepper_.wait();
  RunState run = stepper_.seen();
  if (!is_image(*setup_.data) || !rests() || parameters_.kernel.value() != Kernel::gaussian || run.cut ||
      run.iteration == without_saddles_)
    return false;
  const Labels& found = labels();
  const auto began = Clock::now();
  const std::vector<Departure> departures = departures_from_saddles(prepared_, plan_, modes_, found);
  earlier_seconds_ += Base::since(began);
  without_saddles_ = run.iteration;
  if (departures.empty()) return false;
  earlier_seconds_ += std::exchange(label_seconds_, 0);
  std::vector<std::int64_t> slot_of(points());
  std::iota(slot_of.begin(), slot_of.end(), 0);
  if (sorted_slots_) {
    const std::vector<std::int32_t> order = slot_order_.download();
    for (std::size_t slot = 0; slot < points(); ++slot)
      slot_of[static_cast<std::size_t>(order[slot])] = static_cast<std::int64_t>(slot);
  }
  const auto put = [&](float* to, float value) { executor_.copy_in(to, &value, sizeof value); };
  for (const Departure& each : departures) {
    const std::int64_t slot = slot_of[static_cast<std::size_t>(each.point)];
    for (std::size_t c = 0; c < each.place.size(); ++c)
      put(y_.data() + static_cast<std::int64_t>(c) * prepared_.stride + slot, each.place[c]);
    put(weight_.data() + slot, densities_[static_cast<std::size_t>(each.point)]);  // positive: it no longer rests
    movers_.let_move(slot);
  }
  labels_of_ = clusters_of_ = -1;
  run.converged = 0;
  Base::go_on(run);
  return true;
}

template <Executor E>
void MeanShiftSimulation<E>::change(const MeanShiftParameters& before) {
  const bool other_bandwidth = parameters_.bandwidth != before.bandwidth,
             other_end = parameters_.iterations != before.iterations || parameters_.tolerance != before.tolerance;
  if (!other_bandwidth && !other_end && parameters_.merge_radius == before.merge_radius) return;
  labels_of_ = clusters_of_ = -1;
  groups_ = nullptr;
  if (other_bandwidth) return change_bandwidth();
  if (other_end || !stepper_.seen().converged)
    resume();  // this also counts the places
  else if (Base::watched())
    upload_labels();
}

// An impossible bandwidth throws, and changes nothing but the plan.
template <Executor E>
void MeanShiftSimulation<E>::change_bandwidth() {
  stepper_.wait();
  const auto began = Clock::now();
  if (stepper_.seen().iteration > first_iteration_) moved_with_ = std::max(moved_with_, plan_.bandwidth);
  const OnChange asked = parameters_.on_change.value();
  const std::vector<double> old = plan_.scale;
  plan();
  if (asked == OnChange::start_anew || (asked == OnChange::automatic && plan_.bandwidth < moved_with_))
    return Base::begin_again();
  build();
  ScaleColumns rescale = scaled(y_.data());
  rescale.raw = y_.data();
  for (std::size_t c = 0; c < old.size(); ++c) rescale.scale[c] = static_cast<float>(plan_.scale[c] / old[c]);
  executor_.for_each("rescale", count(), rescale);
  executor_.wait();
  first_iteration_ = stepper_.seen().iteration;
  earlier_seconds_ += Base::since(began);
  resume();
}

}  // namespace kinescope::sim::mean_shift
