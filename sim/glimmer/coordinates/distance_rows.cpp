#include "sim/glimmer/coordinates/distance_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/core/principal_axes.hpp"
#include "sim/data/distance_matrix.hpp"
#include "sim/glimmer/multilevel/multilevel_state.hpp"

namespace kinescope::sim::glimmer {

std::shared_ptr<const DistanceFeeder> feeder_of(const Dataset& data, GlimmerParameters& parameters) {
  const Metric metric = parameters.metric.value();
  if (!data.distances() && !of_distances(metric)) return nullptr;
  const std::string asked = data.name + ": metric=" + parameters.metric.text() + ": ";
  if (!of_distances(metric))
    throw input_error(asked +
                      "the data are distances, not rows; try --set metric=" + (data.graph ? "graph" : "matrix"));
  if (parameters.normalize.value() != Normalization::none)
    throw input_error(asked + "distances have no columns to normalize; use normalize=none");
  if (data.distances()) return std::get<std::shared_ptr<const DistanceFeeder>>(data.numbers);
  if (metric == Metric::matrix) return distance_matrix(data);
  throw input_error(asked + (metric == Metric::graph       ? "the data were not read as a graph"
                             : metric == Metric::haversine ? "the data were not read as latitudes and longitudes"
                                                           : "the data were not read as a table of mixed columns"));
}

Sources Sources::of(std::int64_t points, std::int64_t landmarks) {
  constexpr std::int64_t most_values = std::int64_t{1} << 28, fewest = 512;  // 512: anchors of a newcomer
  if (points <= matrix_limit) return {points, points};
  landmarks = std::min(landmarks, std::max(fewest, most_values / points));
  return {landmarks, std::min(points, landmarks + held_out_points)};
}

float take_distances(const DistanceFeeder& feeder, const std::string& name,
                     const std::vector<std::int32_t>& permutation, std::int64_t sources, std::int64_t stride,
                     float* rows, bool gaps) {
  const std::size_t n = permutation.size(), count = static_cast<std::size_t>(sources),
                    wide = static_cast<std::size_t>(stride);
  const auto point = [&](std::size_t slot) { return static_cast<std::size_t>(permutation[slot]); };
  std::vector<std::string> complaints(count);
  std::vector<float> maxima(count);
  in_parallel(count, 1, [&](std::size_t a) {
    thread_local std::vector<float> distances;
    distances.resize(n);
    const std::size_t from = point(a);
    feeder.row(from, distances);
    for (std::size_t j = 0; j < n && complaints[a].empty(); ++j) {
      const float delta = distances[j];
      if (std::isnan(delta) && gaps && from != j) continue;
      complaints[a] = distance_flaw(from, j, delta);
      maxima[a] = std::max(maxima[a], delta);
    }
    float* row = rows + a * wide;
    for (std::size_t b = 0; b < n; ++b) row[b] = distances[point(b)];
    std::fill(row + n, row + wide, 0.0f);
  });
  float largest = *std::max_element(maxima.begin(), maxima.end());
  if (!(largest > 0)) largest = 1;
  in_parallel(count, 16, [&](std::size_t a) {
    for (std::size_t b = 0; b < a && complaints[a].empty(); ++b) {
      float &delta = rows[a * wide + b], &other = rows[b * wide + a];
      if (std::abs(delta - other) > 1e-5f * largest) complaints[a] = mirror_flaw(point(b), point(a));
      delta = other = 0.5f * (delta + other);
    }
  });
  for (const std::string& each : complaints)
    if (!each.empty()) throw input_error(name + ": distances: " + each);
  in_parallel(count, 1, [&](std::size_t a) {
    for (std::size_t b = 0; b < n; ++b) rows[a * wide + b] /= largest;
  });
  return largest;
}

std::vector<float> reference_of(const float* rows, std::int64_t stride, std::size_t points, std::size_t sources,
                                std::size_t L) {
  const std::size_t m = std::min<std::size_t>(sources, 512);
  double known = 0, sum_of_known = 0;  // for pairs without a distance; they have a mean one
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      if (const double delta = rows[i * static_cast<std::size_t>(stride) + j]; i != j && !std::isnan(delta))
        ++known, sum_of_known += delta * delta;
  const double usual = known > 0 ? sum_of_known / known : 0;
  const auto square = [&](std::size_t source, std::size_t j) {
    const double delta = rows[source * static_cast<std::size_t>(stride) + j];
    return std::isnan(delta) ? usual : delta * delta;
  };
  std::vector<double> mean(m);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) mean[i] += square(i, j) / static_cast<double>(m);
  const double middle = std::accumulate(mean.begin(), mean.end(), 0.0) / static_cast<double>(m);
  std::vector<float> products(m * m);  // the inner products that the points would have, were the distances Euclidean
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      products[i * m + j] = static_cast<float>(-0.5 * (square(i, j) - mean[i] - mean[j] + middle));
  PrincipalAxes principal(dense_axis_rows(products, static_cast<std::int64_t>(m)));
  principal.find(static_cast<std::int64_t>(std::min(m, L + spare_axes)));
  const auto found = static_cast<std::size_t>(principal.found());
  std::vector<float> result(points * L);
  for (std::size_t axis = 0, l = 0; axis < found && l < L; ++axis) {
    const auto along = [&](std::size_t i) { return double(principal.axes()[i * found + axis]); };
    double eigenvalue = 0;
    for (std::size_t i = 0; i < m; ++i) {
      double product = 0;
      for (std::size_t j = 0; j < m; ++j) product += products[i * m + j] * along(j);
      eigenvalue += along(i) * product;
    }
    if (!(eigenvalue > 0)) continue;  // distances that are not Euclidean have negative eigenvalues
    in_parallel(points, 64, [&](std::size_t i) {
      double sum = 0;
      for (std::size_t j = 0; j < m; ++j) sum += along(j) * (mean[j] - square(j, i));
      result[i * L + l] = static_cast<float>(0.5 * sum / std::sqrt(eigenvalue));
    });
    ++l;
  }
  return result;
}

DistanceFrame fit_scale(float* rows, std::int64_t stride, std::size_t points, std::size_t sources, std::size_t L,
                        float unit) {
  DistanceFrame frame;
  frame.reference = reference_of(rows, stride, points, sources, L);
  // Both scales are found from pairs of some sources with some points.
  const std::size_t some = std::min<std::size_t>(sources, 256), step = std::max<std::size_t>(1, points / 4096);
  double square = 0, product = 0, reach = 0, pairs = 0;
  for (std::size_t i = 0; i < some; ++i)
    for (std::size_t j = i % step; j < points; j += step) {
      const double delta = rows[i * static_cast<std::size_t>(stride) + j];
      if (i == j || std::isnan(delta)) continue;
      double d = 0;
      for (std::size_t l = 0; l < L; ++l) {
        const double difference = double(frame.reference[i * L + l]) - frame.reference[j * L + l];
        d += difference * difference;
      }
      square += delta * delta, product += delta * std::sqrt(d), reach += d, ++pairs;
    }
  const float scale = square > 0 ? static_cast<float>(std::sqrt(pairs / square)) : 1.0f;
  if (reach > 0) frame.reference_scale = static_cast<float>(product / reach);
  frame.unit = unit / scale;
  for (float& value : frame.reference) value *= scale;
  in_parallel(sources, 1, [&](std::size_t a) {
    float* row = rows + a * static_cast<std::size_t>(stride);
    for (std::size_t b = 0; b < points; ++b) row[b] *= scale;
  });
  return frame;
}

}  // namespace kinescope::sim::glimmer
