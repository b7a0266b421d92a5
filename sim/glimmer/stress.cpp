#include "kinescope/glimmer/stress.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <vector>

#include "kinescope/executors/hand_over.hpp"
#include "kinescope/in_parallel.hpp"
#include "kinescope/permutation.hpp"
#include "kinescope/random.hpp"
#include "sim/glimmer/quality/pair_sums.hpp"

namespace kinescope::sim {
namespace {

using glimmer::InputDistances, glimmer::PlacedLayout;
using glimmer::pair_sums, glimmer::PairSums, glimmer::RowSums, glimmer::SampledSums;

constexpr std::size_t sparse_exact_limit = 8'000, sparse_sampled_pairs = 2'000'000;
constexpr std::size_t fewest_judges = 4, most_judges = 64;

// Sums over fixed blocks, so that the figure does not depend on the number of threads. add(i, end, sums) adds the terms
// of index i, or of several indices from i on and below `end`, and returns how many indices it has added.
template <class Sums, class Add>
Sums sum_blocks(std::size_t count, std::size_t grain, const std::stop_token& stop, Add add) {
  HandOver launch;
  return oneapi::tbb::parallel_deterministic_reduce(
      oneapi::tbb::blocked_range<std::size_t>(0, count, grain), Sums{},
      [&](const auto& range, Sums sums) {
        if (stop.stop_requested()) return sums;
        launch.task([&] {
          for (std::size_t i = range.begin(); i < range.end();) i += add(i, range.end(), sums);
        });
        return sums;
      },
      [](Sums a, Sums b) { return a + b; });
}

PairSums exact_sums(const InputDistances& input, const PlacedLayout& placed, const std::stop_token& stop) {
  const std::size_t n = placed.rows.size();
  if (input.is_sparse())
    return sum_blocks<PairSums>(n, 32, stop, [&](std::size_t a, std::size_t, PairSums& sum) {
      PairSums row;
      for (std::size_t b = 0; b < a; ++b)
        row = row +
              pair_sums(placed.distance(placed.rows[a], placed.rows[b]), input.pair(placed.rows[a], placed.rows[b]));
      sum = sum + row;
      return 1;
    });
  if (input.by_rows()) {
    const RowSums row_sums(input, placed);
    return sum_blocks<PairSums>(n, 32, stop, [&](std::size_t first, std::size_t end, PairSums& sum) {
      const std::size_t count = std::min(RowSums::width, end - first);
      const auto rows = row_sums.with_earlier(first, count);
      for (std::size_t k = 0; k < count; ++k) sum = sum + rows[k];
      return count;
    });
  }
  return sum_blocks<PairSums>(n, 1, stop, [&](std::size_t i, std::size_t, PairSums& sum) {
    thread_local std::vector<float> distances;
    distances.resize(input.points());
    input.row(placed.rows[i], distances);
    sum = sum + glimmer::sums_with_first(placed, i, i, distances);
    return 1;
  });
}

// Where points are drawn from: each is in it once, and again for as many times the mean as it has of Σ δ² and of
// Σ (d − δ)², by the distances to a few points drawn at random. Each of these judges counts as much as another, so a
// far point among them hides no other.
struct Urn {
  Urn(const InputDistances& input, const PlacedLayout& placed, const std::stop_token& stop, std::size_t measured) {
    const std::size_t n = placed.rows.size();
    const std::size_t judges = std::min(n, std::clamp(measured / n, fewest_judges, most_judges));
    const Permutation drawn(n, glimmer::stream_partners);
    std::vector<std::vector<float>> distances(judges);
    std::vector<PairSums> totals(judges);
    const auto term = [&](std::size_t judge, std::size_t point) {
      return pair_sums(placed.distance(placed.rows[drawn(judge)], point), double(distances[judge][point]));
    };
    in_parallel(judges, 1, [&](std::size_t judge) {
      distances[judge].resize(input.points());
      if (stop.stop_requested()) return;
      input.row(placed.rows[drawn(judge)], distances[judge]);
      for (const std::uint32_t point : placed.rows) totals[judge] = totals[judge] + term(judge, point);
    });
    times.assign(n, 1);
    in_parallel(n, 1024, [&](std::size_t i) {
      PairSums share;
      for (std::size_t judge = 0; judge < judges; ++judge) {
        const auto [error, size] = term(judge, placed.rows[i]);
        if (totals[judge].error > 0) share.error += error / totals[judge].error;
        if (totals[judge].size > 0) share.size += size / totals[judge].size;
      }
      const double mean = static_cast<double>(n) / static_cast<double>(judges);
      times[i] += static_cast<std::uint32_t>(mean * share.error) + static_cast<std::uint32_t>(mean * share.size);
    });
    fill();
  }

  void fill() {
    points.clear();
    for (std::size_t i = 0; i < times.size(); ++i) points.insert(points.end(), times[i], static_cast<std::uint32_t>(i));
  }

  // Takes out the points, at most `most`, that are there far more often than others.
  std::vector<std::uint32_t> take(std::size_t most) {
    constexpr std::uint32_t often = 8;
    std::vector<std::uint32_t> taken;
    for (std::size_t i = 0; i < times.size(); ++i)
      if (times[i] >= often) taken.push_back(static_cast<std::uint32_t>(i));
    std::ranges::stable_sort(taken, std::greater(), [&](std::uint32_t i) { return times[i]; });
    taken.resize(std::min(most, taken.size()));
    for (const std::uint32_t i : taken) times[i] = 0;
    fill();
    return taken;
  }

  // An index of PlacedLayout::rows.
  std::uint32_t draw(std::uint32_t word) const {
    return points[uniform_below(word, static_cast<std::uint32_t>(points.size()))];
  }

  std::vector<std::uint32_t> times;   // [placed points]
  std::vector<std::uint32_t> points;  // at most 3 times as many
};

// Of rows that are fed: those of the points taken from the urn, and some drawn ones, without their pairs with those.
SampledSums sums_of_rows(const InputDistances& input, const PlacedLayout& placed, Urn& urn, const std::stop_token& stop,
                         std::size_t drawn) {
  const std::size_t n = placed.rows.size(), rows = drawn / n + 1;
  const std::vector<std::uint32_t> taken = urn.take(rows / 2);
  const std::size_t draws = urn.points.empty() ? 0 : rows - taken.size();
  const Random random(0, glimmer::stream_stress_pairs);
  return sum_blocks<SampledSums>(taken.size() + draws, 1, stop, [&](std::size_t k, std::size_t, SampledSums& sum) {
    const bool known = k < taken.size();
    const std::uint32_t i = known ? taken[k] : urn.draw(random.words(k)[0]);
    thread_local std::vector<float> distances;
    distances.resize(input.points());
    input.row(placed.rows[i], distances);
    for (std::size_t t = 0; t < std::min(k, taken.size()); ++t) distances[placed.rows[taken[t]]] = NAN;  // once a pair
    const PairSums pairs = glimmer::sums_with_first(placed, i, n, distances);
    if (known)
      sum.known = sum.known + pairs;
    else
      sum.add(pairs, double(urn.points.size()) / (2.0 * double(draws) * urn.times[i]));
    return 1;
  });
}

SampledSums sampled_sums(const InputDistances& input, const PlacedLayout& placed, const std::stop_token& stop,
                         const StressEffort& effort) {
  Urn urn(input, placed, stop, effort.measured);
  if (!input.by_rows()) return sums_of_rows(input, placed, urn, stop, effort.drawn);
  const Random random(0, glimmer::stream_stress_pairs);
  const RowSums row_sums(input, placed);
  const std::size_t count = input.is_sparse() ? std::min(sparse_sampled_pairs, effort.drawn) : effort.drawn;
  return sum_blocks<SampledSums>(count, 16384, stop, [&](std::size_t first, std::size_t end, SampledSums& sum) {
    constexpr std::size_t most = 256;
    const std::size_t here = std::min(most, end - first);
    std::array<std::uint32_t, most> a, b;
    std::array<PairSums, most> terms;
    std::array<double, most> weights;
    for (std::size_t k = 0; k < here; ++k) {
      const RandomWords words = random.words(first + k);
      a[k] = urn.draw(words[0]), b[k] = urn.draw(words[1]);
      weights[k] = 1 / (double(urn.times[a[k]]) * urn.times[b[k]]);
      a[k] = placed.rows[a[k]], b[k] = placed.rows[b[k]];
    }
    if (input.is_sparse())
      for (std::size_t k = 0; k < here; ++k) terms[k] = pair_sums(placed.distance(a[k], b[k]), input.pair(a[k], b[k]));
    else
      row_sums.of_pairs(std::span(a).first(here), std::span(b).first(here), terms);
    for (std::size_t k = 0; k < here; ++k) sum.add(terms[k], weights[k]);
    return here;
  });
}

}  // namespace

StressEffort brief_effort(const InputDistances& input) {
  constexpr double affordable = 3e9;  // numbers compared in order; 0.08 ns each
  // Beside its numbers an exact pair costs as much as 13 of them, a drawn one as 200, and its numbers are not in the
  // caches. Sparse rows are merged value by value.
  const double numbers = input.numbers_of_pair() * (input.is_sparse() ? 30 : 1), points = double(input.points());
  StressEffort effort;
  if (0.5 * points * points * (13 + numbers) > affordable) effort.most_exact = 0;
  const auto at_most = [](std::size_t most, double pairs) {
    return std::clamp<std::size_t>(static_cast<std::size_t>(pairs), 1 << 14, most);
  };
  effort.drawn = at_most(effort.drawn, affordable / (200 + 10 * numbers));
  effort.measured = at_most(effort.measured, affordable / 4 / (13 + numbers));
  return effort;
}

FullStress full_stress(const InputDistances& input, std::span<const float> layout, const std::stop_token& stop,
                       StressEffort effort) {
  const PlacedLayout placed(layout, input.points());
  const std::size_t n = placed.rows.size();
  if (n == 0) return {NAN, true};
  const bool exact = n <= (input.is_sparse() ? std::min(sparse_exact_limit, effort.most_exact) : effort.most_exact);
  SampledSums sums;
  if (exact)
    sums.known = exact_sums(input, placed, stop);
  else
    sums = sampled_sums(input, placed, stop, effort);
  if (stop.stop_requested()) return {NAN, exact};
  return {sums.stress(), exact, sums.standard_error()};
}

FullStress full_stress(const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout) {
  return full_stress(InputDistances(data, parameters), layout);
}

}  // namespace kinescope::sim
