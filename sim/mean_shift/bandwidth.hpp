// The bandwidth that 0 stands for.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/mean_shift/mean_shift_parameters.hpp"

namespace kinescope::sim::mean_shift {

// The smallest bandwidth that its own clusters do not find too small. As the bandwidth of a gaussian grows, modes
// merge, and the clusters that are left are followed (scale-space clustering: Y. Leung, J.-S. Zhang, Z.-B. Xu, 2000).
// Were a cluster of n points normal, with the standard deviation σ, its density's gradient would best be estimated with
// the bandwidth σ (4 / ((k + 4) n))^(1/(k + 6)) (J. Chacón, T. Duong, 2010). The answer is the first bandwidth that is
// `times_reference` as large as the mean of this over the clusters: pieces of one cluster have merged by then, and
// clusters that lie apart have not.
//
// For the other kernels it is widened so that they smooth as much (J. Marron, D. Nolan, 1988). Uses the columns given,
// of at most `sample_size` rows, always the same ones; 1 if all these are equal. The result does not depend on the
// number of threads.
double estimate_bandwidth(const Dataset& data, const std::vector<std::int32_t>& columns, Kernel kernel);

}  // namespace kinescope::sim::mean_shift
