// What k-means computes only for the screen: the points in the shown columns, and for data of two columns the region of
// the plane nearest to each centroid.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/executors/functors.hpp"
#include "kinescope/k_means/k_means.hpp"
#include "kinescope/published.hpp"
#include "sim/k_means/prepare.hpp"
#include "sim/k_means/run_view.hpp"
#include "sim/k_means/screen/shown_columns.hpp"

namespace kinescope::sim::k_means {

// The centroids placed so far; NaN for the others.
struct PublishCentroids {
  RunView run;
  float* to;
  KINESCOPE_HD void operator()(std::int64_t e) const {
    const std::int64_t k = e / run.dimensions();
    to[e] = k < run.control->placed && k < run.last_clusters ? run.current_centroids()[e] : NAN;
  }
};

// The colour of each pixel's centroid.
struct PublishColours {
  RunView run;
  const std::uint32_t* labels;
  ColourUnits units;
  std::uint32_t* to;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::uint32_t label = labels[i];
    const float* centroid = run.current_centroids() + static_cast<std::int64_t>(label + 1) * run.dimensions() - 3;
    const bool placed = label < static_cast<std::uint32_t>(run.control->placed);
    to[i] = placed ? units.packed([&](int c) { return centroid[c]; }) : no_colour;
  }
};

// The centroid nearest to a cell's middle.
struct PublishRegion {
  RunView run;
  int columns;
  float low_x, low_y, side;
  std::uint32_t* to;
  KINESCOPE_HD void operator()(std::int64_t e) const {
    const float at[2] = {low_x + side * (static_cast<float>(e % columns) + 0.5f),
                         low_y + side * (static_cast<float>(e / columns) + 0.5f)};
    const float* centroid = run.current_centroids();
    float best = INFINITY;
    std::uint32_t label = no_centroid;
    for (int k = 0; k < run.control->placed; ++k, centroid += 2) {
      const float square = add_square(add_square(0.0f, at[0], centroid[0]), at[1], centroid[1]);
      if (square < best) {
        best = square;
        label = static_cast<std::uint32_t>(k);
      }
    }
    to[e] = label;
  }
};

template <Executor E>
class KMeansScreen {
 public:
  KMeansScreen(E& executor, const Dataset& data, const Prepared& prepared, bool with_regions = true)
      : executor_(executor), shown_(shown_columns(data, prepared.centre)) {
    positions_ = shown_.axes.empty() ? Array<float, E>(executor, data.values())
                                     : Array<float, E>(executor, shown_.project(data.values().data(), data.points));
    if (data.dimensions != 2 || !with_regions) return;
    // The map is wider than the data, because a picture of 16 : 9 shows more.
    const double x = 0.5 * (double(prepared.lowest[0]) + prepared.highest[0]),
                 y = 0.5 * (double(prepared.lowest[1]) + prepared.highest[1]);
    const double size = std::max(
        {double(prepared.highest[0]) - prepared.lowest[0], double(prepared.highest[1]) - prepared.lowest[1], 1e-30});
    regions_ = {600, 1000, x - 1.25 * size, y - 0.75 * size, x + 1.25 * size, y + 0.75 * size};
  }

  const ShownColumns& shown() const { return shown_; }
  const std::shared_ptr<const PublishedColumns>& columns() const { return columns_; }
  const RegionMap& regions() const { return regions_; }

  void create(BufferSource& source) {
    positions_out_.create(source, published::positions, positions_.size());
    if (regions_.rows > 0)
      regions_out_.create(source, published::regions, std::size_t(regions_.rows * regions_.columns));
  }
  void publish_points() {
    executor_.for_each("publish", static_cast<std::int64_t>(positions_.size()),
                       Copy<float>{positions_.data(), positions_out_.address()});
  }
  void publish(const RunView& run) {
    publish_points();
    if (regions_.rows == 0) return;
    const double side = (regions_.high_x - regions_.low_x) / regions_.columns;
    executor_.for_each(
        "publish regions", std::int64_t(regions_.rows) * regions_.columns,
        PublishRegion{run, regions_.columns, static_cast<float>(regions_.low_x), static_cast<float>(regions_.low_y),
                      static_cast<float>(side), regions_out_.address()});
  }

 private:
  E& executor_;
  ShownColumns shown_;
  std::shared_ptr<const PublishedColumns> columns_ =
      std::make_shared<const PublishedColumns>(PublishedColumns{shown_.names, shown_.origins});
  RegionMap regions_;
  Array<float, E> positions_;  // [points × shown]
  Outlet<float> positions_out_;
  Outlet<std::uint32_t> regions_out_;
};

}  // namespace kinescope::sim::k_means
