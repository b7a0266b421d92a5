// RowSums over an executor. Included by the file that defines the backend's kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kinescope/array.hpp"
#include "kinescope/executors/functors.hpp"
#include "sim/k_means/distributed/row_sums.hpp"
#include "sim/k_means/launches.hpp"

namespace kinescope::sim::k_means {

template <Executor E>
class KMeansKernels;

template <Executor E>
class RowSumsOf : public RowSums {
 public:
  explicit RowSumsOf(const RowSumsSetup& made)
      : executor_(made.setup),
        kernels_(executor_),
        parts_(executor_, made.setup.data, made.megabytes,
               kernels_.bytes_a_point(made.facts.clusters, static_cast<int>(made.setup.data->dimensions)), made.rows,
               made.sharing),
        host_(executor_, made.memory, made.gathers),
        scale_(executor_, made.facts.scale),
        centre_(executor_, made.facts.centre),
        control_(executor_, 1) {
    view_.points = parts_.all();
    view_.part_points = parts_.most();
    view_.paged = view_.part_points < view_.points.total;
    view_.scale = scale_.data();
    view_.centre = centre_.data();
    view_.reach = made.facts.reach;
    view_.control = control_.data();
    view_.asked = true;
  }

  void compute(const Pass& pass, std::span<const float> centroids) override {
    if (view_.points.count == 0) return be_zero(pass);
    RunView run = view_for(pass);
    // With keeps_sums, labels and sums are kept from one pass to the next, and only changes are added.
    const bool goes_on = run.keeps_sums && pass.clusters == last_.clusters && pass.iteration == last_.iteration + 1;
    last_ = pass;
    if (goes_on)
      control_now_.current = 1 - control_now_.current;
    else
      begin(run);
    control_now_.placed = pass.clusters;
    control_now_.inertia_limit = pass.inertia_limit;
    control_now_.iterations = static_cast<std::int32_t>(pass.iteration);  // kernels::few alternates its direction
    executor_.for_each("take centroids", static_cast<std::int64_t>(centroids.size()),
                       TakeCentroids{host_.readable(centroids), run.centroids_in(control_now_.current), control_now_,
                                     control_.data()});
    if (!run.keeps_sums) executor_.for_each("clear", run.sum_size(), Fill<std::int64_t>{run.sums, 0});
    parts_.for_each([&](const Points& points) { kernels_.assign(run.part(points)); });
  }
  void take(std::size_t first, std::span<std::int64_t> to) override { host_.take(to, sums_.data() + first); }
  const std::int64_t* sums() override {
    executor_.wait();
    return sums_.data();
  }
  bool registered() const override { return host_.registered(); }

 private:
  // Makes the sums zero, for a worker without rows.
  void be_zero(const Pass& pass) {
    const std::size_t size = (scale_.size() + 1) * static_cast<std::size_t>(pass.clusters) + 1;
    if (sums_.size() >= size) return;
    sums_ = Array<std::int64_t, E>(executor_, size);
    executor_.for_each("clear", static_cast<std::int64_t>(size), Fill<std::int64_t>{sums_.data(), 0});
  }
  RunView view_for(const Pass& pass) {
    const std::size_t d = static_cast<std::size_t>(view_.points.dimensions),
                      K = static_cast<std::size_t>(pass.clusters);
    if (view_.last_clusters < pass.clusters || centroids_.size() == 0) {
      view_.last_clusters = pass.clusters;
      centroids_ = Array<float, E>(executor_, 2 * K * d);
      sums_ = Array<std::int64_t, E>(executor_, (d + 1) * K + 1);
      view_.centroids = centroids_.data();
      view_.sums = sums_.data();
      last_ = {};
    }
    RunView run = view_;
    run.clusters = run.first_clusters = pass.clusters;
    run.drops = pass.leaves_last == 0;  // the run decides whether the last cluster's sums are left out
    kernels_.plan(run);
    if (run.keeps_sums && labels_.size() == 0)
      labels_ = Array<std::uint32_t, E>(executor_, static_cast<std::size_t>(run.points.total));
    run.labels = labels_.data();
    return run;
  }

  void begin(const RunView& run) {
    control_now_ = {};
    if (!run.keeps_sums) return;
    executor_.for_each("clear", static_cast<std::int64_t>(centroids_.size()), Fill<float>{centroids_.data(), 0});
    executor_.for_each("clear", static_cast<std::int64_t>(sums_.size()), Fill<std::int64_t>{sums_.data(), 0});
    executor_.for_each("clear", run.points.total, Fill<std::uint32_t>{labels_.data(), no_centroid});
  }

  E executor_;
  KMeansKernels<E> kernels_;
  PointParts<E> parts_;
  HostMemory<E> host_;
  Array<float, E> scale_, centre_, centroids_;
  Array<std::int64_t, E> sums_;
  Array<std::uint32_t, E> labels_;
  Array<Control, E> control_;
  RunView view_;
  Control control_now_;
  Pass last_;
};

}  // namespace kinescope::sim::k_means
