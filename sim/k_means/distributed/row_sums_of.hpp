// RowSums over an executor; included by the file that has the backend's kernels.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/core/array.hpp"
#include "sim/core/executors/functors.hpp"
#include "sim/k_means/distributed/row_sums.hpp"
#include "sim/k_means/launches.hpp"

namespace kinescope::sim::k_means {

template <class Executor>
class KMeansKernels;

template <class Executor>
class RowSumsOf : public RowSums {
 public:
  explicit RowSumsOf(const RowSumsSetup& made)
      : executor_(made.setup),
        kernels_(executor_),
        parts_(executor_, made.setup.data, made.megabytes,
               kernels_.bytes_a_point(made.facts.clusters, static_cast<int>(made.setup.data->dimensions)), made.rows,
               made.sharing),
        scale_(executor_, made.facts.scale),
        centre_(executor_, made.facts.centre),
        control_(executor_, 1) {
    view_.points = parts_.all();
    view_.part_points = parts_.most();
    view_.scale = scale_.data();
    view_.centre = centre_.data();
    view_.reach = made.facts.reach;
    view_.control = control_.data();
    view_.asked = true;
  }

  void sum(const Pass& pass, std::span<const float> centroids, std::span<std::int64_t> sums) override {
    if (view_.points.count == 0) return std::fill(sums.begin(), sums.end(), 0);
    RunView run = view_for(pass);
    // What bounds distances and adds only changes keeps labels and sums from one pass to the next.
    const bool goes_on = run.keeps_sums && pass.clusters == last_.clusters && pass.iteration == last_.iteration + 1;
    last_ = pass;
    if (goes_on)
      control_now_.current = 1 - control_now_.current;
    else
      begin(run);
    control_now_.placed = pass.clusters;
    control_now_.inertia_limit = pass.inertia_limit;
    control_now_.iterations = static_cast<std::int32_t>(pass.iteration);  // few kernels alternate their direction
    float* const to = run.centroids_in(control_now_.current);
    staged_.reserve(executor_, std::max(sizeof(Control) + centroids.size_bytes(), sums.size_bytes()));
    staged_.put(executor_, control_.data(), &control_now_, sizeof(Control), 0);
    staged_.put(executor_, to, centroids.data(), centroids.size_bytes(), sizeof(Control));
    if (!run.keeps_sums)
      executor_.for_each("clear", static_cast<std::int64_t>(sums.size()), Fill<std::int64_t>{run.sums, 0});
    parts_.for_each([&](const Points& points) { kernels_.assign(run.part(points)); });
    staged_.take(executor_, sums.data(), run.sums, sums.size_bytes());
  }

 private:
  RunView view_for(const Pass& pass) {
    const std::size_t d = static_cast<std::size_t>(view_.points.dimensions),
                      K = static_cast<std::size_t>(pass.clusters);
    if (view_.last_clusters < pass.clusters || centroids_.size() == 0) {
      view_.last_clusters = pass.clusters;
      centroids_ = Array<float, Executor>(executor_, 2 * K * d);
      sums_ = Array<std::int64_t, Executor>(executor_, (d + 1) * K + 1);
      view_.centroids = centroids_.data();
      view_.sums = sums_.data();
      last_ = {};
    }
    RunView run = view_;
    run.clusters = run.first_clusters = pass.clusters;
    run.drops = pass.leaves_last == 0;
    kernels_.plan(run);
    if (run.keeps_sums && labels_.size() == 0)
      labels_ = Array<std::uint32_t, Executor>(executor_, static_cast<std::size_t>(run.points.total));
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

  Executor executor_;
  KMeansKernels<Executor> kernels_;
  PointParts<Executor> parts_;
  Array<float, Executor> scale_, centre_, centroids_;
  Array<std::int64_t, Executor> sums_;
  Array<std::uint32_t, Executor> labels_;
  Array<Control, Executor> control_;
  Staging<Executor> staged_;
  RunView view_;
  Control control_now_;
  Pass last_;
};

}  // namespace kinescope::sim::k_means
