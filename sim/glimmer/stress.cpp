#include "sim/glimmer/stress.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <vector>

#include "sim/core/random.hpp"
#include "sim/glimmer/prepare.hpp"
#include "sim/glimmer/quality/pair_sums.hpp"

namespace kinescope::sim {
namespace {

using glimmer::pair_sums, glimmer::PairSums, glimmer::RowSums;

constexpr std::size_t sparse_exact_limit = 8'000;
constexpr std::size_t sampled_pairs = 10'000'000, sparse_sampled_pairs = 2'000'000;

// Sums over fixed blocks, so that the figure does not depend on the number of threads. add(i, end, sums) adds the terms
// of index i, or of several indices from i on and below `end`, and returns how many indices it has added.
template <class Add>
PairSums sum_blocks(std::size_t count, std::size_t grain, const std::stop_token& stop, Add add) {
  return oneapi::tbb::parallel_deterministic_reduce(
      oneapi::tbb::blocked_range<std::size_t>(0, count, grain), PairSums{},
      [&](const auto& range, PairSums sums) {
        if (stop.stop_requested()) return sums;
        for (std::size_t i = range.begin(); i < range.end();) i += add(i, range.end(), sums);
        return sums;
      },
      [](PairSums a, PairSums b) { return a + b; });
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
  PairSums sums;
  if (!input.by_rows()) {
    const RowSums row_sums(input, placed);
    const auto add_row = [&](std::size_t k, std::size_t, PairSums& sum) {
      const std::size_t i = exact ? k : drawn(random.words(k)[0]);
      thread_local std::vector<float> distances;
      distances.resize(input.points());
      input.row(placed.rows[i], distances);
      sum = sum + row_sums.with_first(i, exact ? i : n, distances);
      return 1;
    };
    sums = sum_blocks(exact ? n : sampled_pairs / n + 1, 1, stop, add_row);
  } else if (exact && !input.is_sparse()) {
    const RowSums row_sums(input, placed);
    sums = sum_blocks(n, 32, stop, [&](std::size_t first, std::size_t end, PairSums& sum) {
      const std::size_t count = std::min(RowSums::width, end - first);
      const auto rows = row_sums.with_earlier(first, count);
      for (std::size_t k = 0; k < count; ++k) sum = sum + rows[k];
      return count;
    });
  } else if (exact) {
    sums = sum_blocks(n, 32, stop, [&](std::size_t a, std::size_t, PairSums& sum) {
      PairSums row;
      for (std::size_t b = 0; b < a; ++b)
        row = row +
              pair_sums(placed.distance(placed.rows[a], placed.rows[b]), input.pair(placed.rows[a], placed.rows[b]));
      sum = sum + row;
      return 1;
    });
  } else {
    // Pairs are drawn from the points in the slot order of seed 1, so that figures equal those of earlier versions.
    std::vector<std::uint32_t> points;
    for (const std::int32_t point : glimmer::slots_of(input.points(), 1))
      if (placed.has_place(static_cast<std::size_t>(point))) points.push_back(static_cast<std::uint32_t>(point));
    const RowSums row_sums(input, placed);
    const auto add_drawn = [&](std::size_t first, std::size_t end, PairSums& sum) {
      constexpr std::size_t most = 256;
      const std::size_t count = std::min(most, end - first);
      std::array<std::uint32_t, most> a, b;
      for (std::size_t k = 0; k < count; ++k) {
        const RandomWords words = random.words(first + k);
        a[k] = words[0], b[k] = words[1];
      }
      for (std::size_t k = 0; k < count; ++k) a[k] = points[drawn(a[k])], b[k] = points[drawn(b[k])];
      if (input.is_sparse())
        for (std::size_t k = 0; k < count; ++k)
          sum = sum + pair_sums(placed.distance(a[k], b[k]), input.pair(a[k], b[k]));
      else
        row_sums.add_pairs(std::span(a).first(count), std::span(b).first(count), sum);
      return count;
    };
    sums = sum_blocks(input.is_sparse() ? sparse_sampled_pairs : sampled_pairs, 16384, stop, add_drawn);
  }
  if (stop.stop_requested()) return {NAN, exact};
  return {sums.size > 0 ? sums.error / sums.size : 0, exact};
}

FullStress full_stress(const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout) {
  return full_stress(glimmer::InputDistances(data, parameters), layout);
}

}  // namespace kinescope::sim
