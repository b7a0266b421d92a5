// The cases that tests of k-means on CUDA compute.
#pragma once

#include <memory>
#include <vector>

#include "tests/sim/k_means/k_means_cases.hpp"

namespace kinescope::sim::k_means_cases {

struct Case {
  std::shared_ptr<const Dataset> data;
  int clusters, iterations;
};

// Cases for each way to compute: in registers (few clusters and columns), with sums in shared memory by points and by
// columns, and by matrices.
inline std::vector<Case> every_way() {
  return {{gaussians(50'000), 2, 12},        {gaussians(30'001), 4, 20},  {uniform(20'000, 3), 8, 9},
          {uniform(5000, 1), 3, 30},         {uniform(999, 4), 7, 12},    {gaussians(20'000), 40, 15},
          {gaussians(8000, 17, 9), 9, 8},    {uniform(6000, 128), 2, 8},  {gaussians(9000, 40, 19), 20, 6},
          {gaussians(6000, 128, 64), 64, 5}, {uniform(4000, 2), 3000, 3}, {uniform(5000, 100), 130, 4},
          {uniform(20'000, 16), 700, 5},     {uniform(2000, 300), 33, 4}, {gaussians(5000, 64, 3), 110, 25}};
}

}  // namespace kinescope::sim::k_means_cases
