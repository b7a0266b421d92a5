#include "kinescope/glimmer/neighbourhood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include "kinescope/executors/hand_over.hpp"
#include "kinescope/glimmer/nearest.hpp"
#include "kinescope/permutation.hpp"
#include "sim/glimmer/quality/placed_layout.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::size_t exact_limit = 5000, sampled_rows = 1000;

// Integers, so that the sums do not depend on the order of addition.
struct Excess {
  std::uint64_t untrue = 0, torn = 0;  // Σ (r − k), Σ (r̂ − k)
  friend Excess operator+(Excess a, Excess b) { return {a.untrue + b.untrue, a.torn + b.torn}; }
};

// The rank of `of` by distance among all points but `self`; the nearest point has rank 1.
std::size_t rank_of(const Neighbour& of, std::span<const float> distances, std::size_t self) {
  std::uint32_t nearer = 0;
  for (const float distance : distances) nearer += distance < of.distance;
  for (std::size_t j = 0; j < of.point; ++j) nearer += distances[j] == of.distance;
  const bool self_counted =
      distances[self] < of.distance || (distances[self] == of.distance && self < std::size_t{of.point});
  return std::size_t{nearer} + 1 - (self_counted ? 1 : 0);
}

// Σ (rank − k) over the neighbours that are not among `others`, with ranks by `distances`.
std::uint64_t excess_of(const std::vector<Neighbour>& neighbours, const std::vector<Neighbour>& others,
                        std::span<const float> distances, std::size_t self, std::size_t k) {
  std::uint64_t sum = 0;
  for (const Neighbour& each : neighbours) {
    const bool shared =
        std::any_of(others.begin(), others.end(), [&](const Neighbour& o) { return o.point == each.point; });
    if (!shared) sum += rank_of({each.point, distances[each.point]}, distances, self) - k;
  }
  return sum;
}

// The excess at the placed point number `i`.
Excess excess_at(const InputDistances& input, const PlacedLayout& placed, std::size_t i, std::size_t k) {
  const std::size_t n = placed.rows.size();
  thread_local std::vector<float> delta, d;
  delta.resize(input.points());
  d.resize(n);
  input.row(placed.rows[i], delta);
  for (std::size_t j = 0; j < n; ++j) {
    const float to = delta[placed.rows[j]];  // rows ascend, so no value is overwritten before it is read
    delta[j] = std::isnan(to) ? std::numeric_limits<float>::infinity() : to;  // without a distance: beyond all others
    d[j] = static_cast<float>(placed.distance(placed.rows[i], placed.rows[j]));
  }
  const std::span<const float> in_data = std::span(delta).first(n), in_layout = d;
  const std::vector<Neighbour> true_ones = nearest_of(in_data, i, k), shown = nearest_of(in_layout, i, k);
  return {excess_of(shown, true_ones, in_data, i, k), excess_of(true_ones, shown, in_layout, i, k)};
}

}  // namespace

Neighbourhood neighbourhood_kept(const InputDistances& input, std::span<const float> layout, std::size_t k,
                                 const std::stop_token& stop) {
  const PlacedLayout placed(layout, input.points());
  const std::size_t n = placed.rows.size();
  if (n < 2) return {NAN, NAN, n, true};
  const std::size_t rows = n <= exact_limit ? n : sampled_rows;
  if (k + 1 >= n) return {NAN, NAN, n, true};  // all others are neighbours
  const Permutation drawn(n, stream_neighbourhood);
  HandOver launch;
  const Excess sum = oneapi::tbb::parallel_reduce(
      oneapi::tbb::blocked_range<std::size_t>(0, rows, 1), Excess{},
      [&](const auto& range, Excess so_far) {
        launch.task([&] {
          for (std::size_t r = range.begin(); r < range.end() && !stop.stop_requested(); ++r)
            so_far = so_far + excess_at(input, placed, rows == n ? r : drawn(r), k);
        });
        return so_far;
      },
      [](Excess a, Excess b) { return a + b; });
  const double N = double(n), K = double(k);
  const double worst_of_one = 2 * k < n ? 0.5 * K * (2 * N - 3 * K - 1) : 0.5 * (N - K) * (N - K - 1);
  const double worst = double(rows) * worst_of_one;
  return {1 - double(sum.untrue) / worst, 1 - double(sum.torn) / worst, rows, rows == n};
}

}  // namespace kinescope::sim::glimmer
