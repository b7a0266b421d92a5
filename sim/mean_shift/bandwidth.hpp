// How the clusters depend on the bandwidth, and the bandwidth that 0 stands for.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/data/normalize.hpp"
#include "sim/mean_shift/mean_shift_parameters.hpp"

namespace kinescope::sim::mean_shift {

// The smallest bandwidth that its own clusters do not find too small. As the bandwidth of a gaussian grows, modes
// merge, and the clusters that are left are followed (scale-space clustering: Y. Leung, J.-S. Zhang, Z.-B. Xu, 2000).
// Were a cluster of n points normal, with the standard deviation σ, its density's gradient would best be estimated with
// the bandwidth σ (4 / ((k + 4) n))^(1/(k + 6)) (J. Chacón, T. Duong, 2010). The answer is the first bandwidth that is
// `times_reference` as large as the mean of this over the clusters: pieces of one cluster have merged by then, and
// clusters that lie apart have not.
//
// For the other kernels it is widened so that they smooth as much (J. Marron, D. Nolan, 1988). Uses at most
// `sample_size` rows, always the same ones, and of a picture the colours; 1 if all these are equal. The result does not
// depend on the number of threads.
double estimate_bandwidth(const Dataset& data, Kernel kernel);

// A range of bandwidths over which the number of clusters stays the same.
struct Plateau {
  double low, high;
  int clusters;
};

struct BandwidthCurve {
  struct Point {
    double bandwidth;
    int clusters;  // with a hundredth of the points or more
  };
  std::vector<Point> points;  // by bandwidth; empty if all rows are equal
  double estimate = 1;

  std::vector<Plateau> plateaus() const;  // by bandwidth
};

// The way of the estimate, from the first bandwidth at which those clusters hold most of the points to where one is
// left. `data` are normalized first, unless they are a picture. `progress` is called with the part that is done. Once
// `stop` is requested it ends within milliseconds, and what it returns has no meaning.
BandwidthCurve bandwidth_curve(const std::shared_ptr<const Dataset>& data, Normalization normalization, Kernel kernel,
                               const std::stop_token& stop = {}, const std::function<void(double part)>& progress = {});

}  // namespace kinescope::sim::mean_shift
