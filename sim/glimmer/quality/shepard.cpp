#include "kinescope/glimmer/shepard.hpp"

#include <algorithm>
#include <cmath>
#include <oneapi/tbb/enumerable_thread_specific.h>

#include "kinescope/in_parallel.hpp"
#include "kinescope/permutation.hpp"
#include "kinescope/random.hpp"
#include "sim/glimmer/quality/placed_layout.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::size_t most_shown_pairs = 1'000'000, fewest_sources = 64, block_pairs = 16'384;

// Returns where an axis for these distances ends. Reorders them.
double end_of(std::vector<float>& distances) {
  if (distances.empty()) return 0;
  const float most = *std::max_element(distances.begin(), distances.end());
  const auto usual = distances.begin() + std::ptrdiff_t(double(distances.size() - 1) * 0.99);
  std::nth_element(distances.begin(), usual, distances.end());
  return most <= 1.5f * *usual ? most : *usual;
}

}  // namespace

ShepardSample::ShepardSample(const InputDistances& input, const std::stop_token& stop) : points_(input.points()) {
  const std::size_t n = points_;
  if (n < 2) return;
  exact_ = n * (n - 1) / 2 <= most_shown_pairs;
  if (!exact_ && input.by_rows()) {
    pairs_.resize(most_shown_pairs);
    const Random random(0, stream_shepard);
    in_parallel(most_shown_pairs, block_pairs, [&](std::size_t k) {
      if (k % 1024 == 0 && stop.stop_requested()) return;
      const RandomWords words = random.words(k);
      const std::uint32_t i = uniform_below(words[0], std::uint32_t(n)),
                          other = uniform_below(words[1], std::uint32_t(n - 1)), j = other + (other >= i);
      pairs_[k] = {i, j, static_cast<float>(input.pair(i, j))};
    });
    return;
  }
  // Takes whole rows: the pairs of every point with those before it, or the pairs of some points with all others.
  const std::size_t sources = exact_ ? n : std::min(n, std::max(fewest_sources, most_shown_pairs / n));
  const Permutation drawn(n, stream_shepard);
  std::vector<std::vector<Pair>> rows(sources);
  in_parallel(sources, 1, [&](std::size_t k) {
    if (stop.stop_requested()) return;
    thread_local std::vector<float> delta;
    delta.resize(n);
    const std::size_t i = exact_ ? k : drawn(k);
    input.row(i, delta);
    for (std::size_t j = 0; j < (exact_ ? i : n); ++j)
      if (j != i && !std::isnan(delta[j]))
        rows[k].push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), delta[j]});
  });
  for (const std::vector<Pair>& row : rows) pairs_.insert(pairs_.end(), row.begin(), row.end());
}

ShepardDiagram ShepardSample::of(std::span<const float> layout) const {
  constexpr std::size_t bins = ShepardDiagram::bins;
  ShepardDiagram diagram;
  diagram.counts.assign(bins * bins, 0);
  const PlacedLayout placed(layout, points_);
  std::vector<float> d(pairs_.size());
  in_parallel(pairs_.size(), block_pairs, [&](std::size_t k) {
    const Pair& pair = pairs_[k];
    d[k] = static_cast<float>(placed.distance(pair.i, pair.j));
  });
  std::vector<float> inputs, outputs;
  for (std::size_t k = 0; k < d.size(); ++k)
    if (!std::isnan(d[k])) {
      inputs.push_back(pairs_[k].delta);
      outputs.push_back(d[k]);
    }
  diagram.pairs = outputs.size();
  if (const double high = std::max(end_of(inputs), end_of(outputs)); high > 0) diagram.high = high;
  const double scale = double(bins) / diagram.high;
  const auto bin = [&](float distance) {
    return std::min(bins - 1, static_cast<std::size_t>(double(distance) * scale));
  };
  // Integers, so that the counts do not depend on the order of addition.
  struct Counts {
    std::vector<std::uint32_t> of = std::vector<std::uint32_t>(bins * bins);
    std::uint64_t beyond = 0;
  };
  oneapi::tbb::enumerable_thread_specific<Counts> parts;
  in_parallel_ranges(pairs_.size(), block_pairs, [&](std::size_t begin, std::size_t end) {
    Counts& part = parts.local();
    for (std::size_t k = begin; k < end; ++k) {
      if (std::isnan(d[k])) continue;
      if (double(pairs_[k].delta) > diagram.high || double(d[k]) > diagram.high)
        ++part.beyond;
      else
        ++part.of[bin(d[k]) * bins + bin(pairs_[k].delta)];
    }
  });
  for (const Counts& part : parts) {
    diagram.beyond += part.beyond;
    for (std::size_t k = 0; k < part.of.size(); ++k) diagram.counts[k] += part.of[k];
  }
  return diagram;
}

}  // namespace kinescope::sim::glimmer
