// How the clusters depend on the bandwidth, and the estimate that is used if the bandwidth is set to 0.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "kinescope/data/normalize.hpp"
#include "kinescope/dataset.hpp"
#include "kinescope/mean_shift/mean_shift_parameters.hpp"

namespace kinescope::sim::mean_shift {

// Estimates a bandwidth: roughly, the smallest one that is not too small for the clusters it produces. As the bandwidth
// of a gaussian grows, modes merge, and the remaining clusters are followed (scale-space clustering: Y. Leung, J.-S.
// Zhang, Z.-B. Xu, 2000). If a cluster of n points were normal with standard deviation σ, the best bandwidth for
// estimating the gradient of its density would be σ (4 / ((k + 4) n))^(1/(k + 6)) (J. Chacón, T. Duong, 2010). The
// estimate is the first bandwidth that is at least `times_reference` times the mean of this over the clusters. By then
// pieces of one cluster have merged, and clusters that are apart have not.
//
// Where a picture would be left with one cluster, the estimate is the middle of the longest stretch of bandwidths that
// leave one number of clusters, two at least.
//
// For other kernels the estimate is widened so that they smooth as much (J. Marron, D. Nolan, 1988). Uses at most
// `sample_size` rows, always the same ones; for a picture, only the colours. Returns 1 if all these rows are equal. The
// result does not depend on the number of threads.
double estimate_bandwidth(const Dataset& data, Kernel kernel);

// A range of bandwidths over which the number of clusters stays the same.
struct Plateau {
  double low, high;
  int clusters;
};

struct BandwidthCurve {
  struct Point {
    double bandwidth;
    int clusters;  // number of clusters with a hundredth of the points or more
  };
  std::vector<Point> points;  // in ascending order of bandwidth; empty if all rows are equal
  double estimate = 1;

  std::vector<Plateau> plateaus() const;  // in ascending order of bandwidth
};

// The curve along which the estimate is found. It begins at the first bandwidth at which the counted clusters hold most
// of the points, and ends where one cluster is left. `data` are normalized first, unless they are a picture. `progress`
// is called with the fraction done. Once `stop` is requested the function returns within milliseconds, and its result
// has no meaning.
BandwidthCurve bandwidth_curve(const std::shared_ptr<const Dataset>& data, Normalization normalization, Kernel kernel,
                               const std::stop_token& stop = {}, const std::function<void(double part)>& progress = {});

}  // namespace kinescope::sim::mean_shift
