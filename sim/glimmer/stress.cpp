#include "sim/glimmer/stress.hpp"

#include <cmath>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <vector>

#include "sim/core/random.hpp"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/prepare.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t exact_limit = 20'000, sparse_exact_limit = 8'000;
constexpr std::size_t sampled_pairs = 10'000'000, sparse_sampled_pairs = 2'000'000;

struct Sums {
  double numerator = 0, denominator = 0;
  friend Sums operator+(Sums a, Sums b) { return {a.numerator + b.numerator, a.denominator + b.denominator}; }
};

// Works on fixed blocks, so that the figure does not depend on the number of threads.
template <class F>
Sums sum_blocks(std::size_t count, std::size_t grain, F f) {
  return oneapi::tbb::parallel_deterministic_reduce(
      oneapi::tbb::blocked_range<std::size_t>(0, count, grain), Sums{},
      [&](const auto& range, Sums sums) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) sums = sums + f(i);
        return sums;
      },
      [](Sums a, Sums b) { return a + b; });
}

// Of one pair: (d − δ)² and δ², for places of L coordinates.
Sums pair_terms(const float* x, const float* y, std::size_t L, double delta) {
  double square = 0;
  for (std::size_t l = 0; l < L; ++l) {
    const double difference = double(x[l]) - y[l];
    square += difference * difference;
  }
  const double error = std::sqrt(square) - delta;
  return Sums{error * error, delta * delta};
}

FullStress quotient(Sums sums, bool exact) {
  return {sums.denominator > 0 ? sums.numerator / sums.denominator : 0, exact};
}

// Every layout gets the same pairs, so that figures can be compared.
Random same_for_all() {
  return Random(0, 777);
}

FullStress stress_of_distances(const DistanceFeeder& feeder, std::span<const float> layout, std::size_t L) {
  std::vector<std::size_t> placed;
  for (std::size_t i = 0; i < feeder.points(); ++i)
    if (!std::isnan(layout[i * L])) placed.push_back(i);
  const std::size_t n = placed.size();
  if (n == 0) return {NAN, true};
  const bool exact = n <= exact_limit;
  const Random random = same_for_all();
  const auto row_of = [&](std::size_t k) {
    const std::size_t i = exact ? k : uniform_below(random.words(k)[0], static_cast<std::uint32_t>(n));
    thread_local std::vector<float> distances;
    distances.resize(feeder.points());
    feeder.row(placed[i], distances);
    Sums row;
    for (std::size_t j = 0; j < (exact ? i : n); ++j)
      row = row + pair_terms(&layout[placed[i] * L], &layout[placed[j] * L], L, double(distances[placed[j]]));
    return row;
  };
  return quotient(sum_blocks(exact ? n : sampled_pairs / n + 1, 1, row_of), exact);
}

FullStress stress_of_rows(const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout,
                          std::size_t L) {
  const glimmer::Prepared prepared = glimmer::prepare(data, parameters, 1);
  const bool sparse = !prepared.begin.empty();
  const glimmer::Rows rows{prepared.values.data(), prepared.stride, parameters.metric.value(),
                           sparse ? prepared.begin.data() : nullptr, prepared.index.data()};
  const double unit = prepared.unit;
  std::vector<float> positions;
  std::vector<std::int64_t> slots;
  for (std::size_t slot = 0; slot < data.points; ++slot) {
    const float* x = layout.data() + static_cast<std::size_t>(prepared.permutation[slot]) * L;
    if (std::isnan(x[0])) continue;
    slots.push_back(static_cast<std::int64_t>(slot));
    positions.insert(positions.end(), x, x + L);
  }
  const std::size_t n = slots.size();
  if (n == 0) return {NAN, true};
  const auto pair = [&](std::size_t i, std::size_t j) {
    return pair_terms(&positions[i * L], &positions[j * L], L, unit * rows.distance(slots[i], slots[j]));
  };
  const auto row_of = [&](std::size_t i) {
    Sums row;
    for (std::size_t j = 0; j < i; ++j) row = row + pair(i, j);
    return row;
  };
  if (n <= (sparse ? sparse_exact_limit : exact_limit)) return quotient(sum_blocks(n, 32, row_of), true);
  const Random random = same_for_all();
  const auto drawn = [&](std::size_t k) {
    const RandomWords words = random.words(k);
    const auto count = static_cast<std::uint32_t>(n);
    return pair(uniform_below(words[0], count), uniform_below(words[1], count));
  };
  return quotient(sum_blocks(sparse ? sparse_sampled_pairs : sampled_pairs, 16384, drawn), false);
}

}  // namespace

FullStress full_stress(const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout) {
  const auto L = static_cast<std::size_t>(parameters.output_dimensions.value());
  if (const auto feeder = glimmer::feeder_of(data, parameters)) return stress_of_distances(*feeder, layout, L);
  return stress_of_rows(data, parameters, layout, L);
}

}  // namespace kinescope::sim
