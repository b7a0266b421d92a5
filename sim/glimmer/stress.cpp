#include "sim/glimmer/stress.hpp"

#include <cmath>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <vector>

#include "sim/core/random.hpp"
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

}  // namespace

FullStress full_stress(const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout) {
  const glimmer::Prepared prepared = glimmer::prepare(data, parameters, 1);
  const bool sparse = !prepared.begin.empty();
  const glimmer::Rows rows{prepared.values.data(), prepared.stride, parameters.metric.value(),
                           sparse ? prepared.begin.data() : nullptr, prepared.index.data()};
  const auto L = static_cast<std::size_t>(parameters.output_dimensions.value());
  const double unit = prepared.unit;
  std::vector<float> positions;
  std::vector<std::int64_t> slots;
  for (std::size_t slot = 0; slot < data.points; ++slot) {
    const float* x = layout.data() + static_cast<std::size_t>(prepared.permutation[slot]) * L;
    if (std::isnan(x[0])) continue;
    slots.push_back(static_cast<std::int64_t>(slot));
    positions.insert(positions.end(), x, x + L);
  }
  const auto pair = [&](std::size_t i, std::size_t j) {
    const double delta = unit * rows.distance(slots[i], slots[j]);
    double square = 0;
    for (std::size_t l = 0; l < L; ++l) {
      const double difference = double(positions[i * L + l]) - positions[j * L + l];
      square += difference * difference;
    }
    const double error = std::sqrt(square) - delta;
    return Sums{error * error, delta * delta};
  };
  const std::size_t n = slots.size();
  FullStress stress{0, n <= (sparse ? sparse_exact_limit : exact_limit)};
  if (n == 0) return {NAN, true};
  Sums sums;
  if (stress.exact) {
    sums = sum_blocks(n, 32, [&](std::size_t i) {
      Sums row;
      for (std::size_t j = 0; j < i; ++j) row = row + pair(i, j);
      return row;
    });
  } else {
    const Random random(0, 777);  // every layout gets the same pairs, so that figures can be compared
    sums = sum_blocks(sparse ? sparse_sampled_pairs : sampled_pairs, 16384, [&](std::size_t k) {
      const RandomWords words = random.words(k);
      const auto count = static_cast<std::uint32_t>(n);
      return pair(uniform_below(words[0], count), uniform_below(words[1], count));
    });
  }
  stress.value = sums.denominator > 0 ? sums.numerator / sums.denominator : 0;
  return stress;
}

}  // namespace kinescope::sim
