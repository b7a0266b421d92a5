// δ(i, j), the distance in the input, between dense rows.
#pragma once

#include <cmath>
#include <cstdint>

#include "sim/core/executors/host_device.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

// [points × stride] rows; `stride` is a multiple of 4, with zeros past the last dimension; for the cosine metric rows
// have length 1 or 0.
struct Rows {
  const float* values = nullptr;
  std::int32_t stride = 0;
  Metric metric = Metric::euclidean;

  // Uses four running sums in a fixed order, so that both processors round alike and the CPU's compiler can use
  // vectors.
  KINESCOPE_HD float distance(std::int64_t i, std::int64_t j) const {
    const float* a = values + i * stride;
    const float* b = values + j * stride;
    float sum[4] = {0, 0, 0, 0};
    switch (metric) {
      case Metric::euclidean:
        for (std::int32_t h = 0; h < stride; h += 4)
          for (int lane = 0; lane < 4; ++lane) {
            const float difference = a[h + lane] - b[h + lane];
            sum[lane] = std::fma(difference, difference, sum[lane]);
          }
        return std::sqrt((sum[0] + sum[1]) + (sum[2] + sum[3]));
      case Metric::manhattan:
        for (std::int32_t h = 0; h < stride; h += 4)
          for (int lane = 0; lane < 4; ++lane) sum[lane] += std::fabs(a[h + lane] - b[h + lane]);
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
      case Metric::cosine:
        for (std::int32_t h = 0; h < stride; h += 4)
          for (int lane = 0; lane < 4; ++lane) sum[lane] = std::fma(a[h + lane], b[h + lane], sum[lane]);
        return std::fmax(0.0f, 1.0f - ((sum[0] + sum[1]) + (sum[2] + sum[3])));
    }
    return 0;
  }
};

}  // namespace kinescope::sim::glimmer
