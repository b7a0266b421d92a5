#include "sim/glimmer/stress.hpp"

#include <algorithm>
#include <cmath>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <vector>

#include "sim/core/random.hpp"
#include "sim/glimmer/prepare.hpp"
#include "sim/glimmer/quality/placed_layout.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t sparse_exact_limit = 8'000;
constexpr std::size_t sampled_pairs = 10'000'000, sparse_sampled_pairs = 2'000'000;

struct Sums {
  double numerator = 0, denominator = 0;
  friend Sums operator+(Sums a, Sums b) { return {a.numerator + b.numerator, a.denominator + b.denominator}; }
};

// Works on fixed blocks, so that the figure does not depend on the number of threads.
template <class F>
Sums sum_blocks(std::size_t count, std::size_t grain, const std::stop_token& stop, F f) {
  return oneapi::tbb::parallel_deterministic_reduce(
      oneapi::tbb::blocked_range<std::size_t>(0, count, grain), Sums{},
      [&](const auto& range, Sums sums) {
        if (stop.stop_requested()) return sums;
        for (std::size_t i = range.begin(); i < range.end(); ++i) sums = sums + f(i);
        return sums;
      },
      [](Sums a, Sums b) { return a + b; });
}

// Of one pair: (d − δ)² and δ².
Sums pair_terms(double d, double delta) {
  const double error = d - delta;
  return {error * error, delta * delta};
}

}  // namespace

FullStress full_stress(const glimmer::InputDistances& input, std::span<const float> layout, const std::stop_token& stop,
                       std::size_t most_exact) {
  const glimmer::PlacedLayout placed(layout, input.points());
  const std::size_t n = placed.rows.size();
  if (n == 0) return {NAN, true};
  const bool exact = n <= (input.is_sparse() ? std::min(sparse_exact_limit, most_exact) : most_exact);
  const Random random(0, glimmer::stream_stress_pairs);
  const auto drawn = [&](std::uint32_t word) { return uniform_below(word, static_cast<std::uint32_t>(n)); };
  Sums sums;
  if (!input.by_rows()) {
    const auto row_of = [&](std::size_t k) {
      const std::size_t i = exact ? k : drawn(random.words(k)[0]);
      thread_local std::vector<float> distances;
      distances.resize(input.points());
      input.row(placed.rows[i], distances);
      Sums row;
      for (std::size_t j = 0; j < (exact ? i : n); ++j)
        row = row + pair_terms(placed.distance(placed.rows[i], placed.rows[j]), double(distances[placed.rows[j]]));
      return row;
    };
    sums = sum_blocks(exact ? n : sampled_pairs / n + 1, 1, stop, row_of);
  } else {
    // Pairs are drawn in the order of the slots that seed 1 gives, so that figures stay those of earlier versions.
    std::vector<std::uint32_t> points = placed.rows;
    if (!exact) {
      points.clear();
      for (const std::int32_t point : glimmer::slots_of(input.points(), 1))
        if (placed.has_place(static_cast<std::size_t>(point))) points.push_back(static_cast<std::uint32_t>(point));
    }
    const auto pair = [&](std::size_t a, std::size_t b) {
      return pair_terms(placed.distance(points[a], points[b]), input.pair(points[a], points[b]));
    };
    const auto row_of = [&](std::size_t a) {
      Sums row;
      for (std::size_t b = 0; b < a; ++b) row = row + pair(a, b);
      return row;
    };
    const auto drawn_pair = [&](std::size_t k) {
      const RandomWords words = random.words(k);
      return pair(drawn(words[0]), drawn(words[1]));
    };
    sums = exact ? sum_blocks(n, 32, stop, row_of)
                 : sum_blocks(input.is_sparse() ? sparse_sampled_pairs : sampled_pairs, 16384, stop, drawn_pair);
  }
  if (stop.stop_requested()) return {NAN, exact};
  return {sums.denominator > 0 ? sums.numerator / sums.denominator : 0, exact};
}

FullStress full_stress(const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout) {
  return full_stress(glimmer::InputDistances(data, parameters), layout);
}

}  // namespace kinescope::sim
