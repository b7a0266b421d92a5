// Data and distances that the tests of a layout's quality share.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kinescope/glimmer/input_distances.hpp"
#include "tests/sim/glimmer/fed_rows.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim::quality_cases {

using cases::made_sparse;
using glimmer::InputDistances;
using Matrix = std::vector<std::vector<double>>;

inline GlimmerParameters parameters_of(const std::vector<std::string>& assignments) {
  GlimmerParameters parameters;
  for (const std::string& assignment : assignments) parameters.set(assignment);
  return parameters;
}

inline std::vector<float> scattered(std::size_t points, std::size_t columns) {
  std::vector<float> layout(points * columns);
  for (std::size_t e = 0; e < layout.size(); ++e) layout[e] = Random(3, 1).uniform(e);
  return layout;
}

// All distances between rows, by the metric's formula in double precision. The rows may be a layout's points too.
inline Matrix distances_of(std::span<const float> rows, std::size_t points, const std::string& metric = "euclidean") {
  const std::size_t h = rows.size() / points;
  Matrix all(points, std::vector<double>(points));
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t j = 0; j < points; ++j) {
      double square = 0, sum = 0, product = 0, a2 = 0, b2 = 0;
      for (std::size_t c = 0; c < h; ++c) {
        const double a = rows[i * h + c], b = rows[j * h + c];
        square += (a - b) * (a - b), sum += std::abs(a - b), product += a * b, a2 += a * a, b2 += b * b;
      }
      const double away = i == j ? 0 : 1 - (a2 > 0 && b2 > 0 ? product / std::sqrt(a2 * b2) : 0);
      all[i][j] = metric == "manhattan"        ? sum
                  : metric == "cosine"         ? away
                  : metric == "cosine-squared" ? away * away
                                               : std::sqrt(square);
    }
  return all;
}

// Rows most of whose values are 0; the second row has no other values.
inline std::shared_ptr<Dataset> thin_rows(std::size_t points, std::size_t columns) {
  auto data = cases::noise(points, columns);
  for (float& value : data->rows().values.own())
    if (value < 0.8f) value = 0;
  std::fill_n(data->rows().values.own().begin() + std::ptrdiff_t(columns), columns, 0.0f);
  return data;
}

}  // namespace kinescope::sim::quality_cases
