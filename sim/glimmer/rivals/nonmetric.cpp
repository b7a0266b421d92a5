#include "sim/glimmer/rivals/nonmetric.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <oneapi/tbb/parallel_sort.h>

#include "kinescope/in_parallel.hpp"
#include "sim/glimmer/rivals/all_pairs.hpp"
#include "sim/glimmer/rivals/restarted.hpp"
#include "sim/glimmer/rivals/start.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::size_t all_pairs_up_to = 5'000, partners = 64;
constexpr double least_gain = 1e-5;  // an iteration that lowers the stress by less than this part ends the run
constexpr int nonmetric_steps = 1000;
constexpr std::size_t most_bins = 65'535;   // with the one for pairs without a distance, as many as 16 bits count
constexpr std::size_t parts_of_pairs = 16;  // whose sums are added in this order, however many threads there are

}  // namespace

void monotone_regression(std::vector<double>& values, const std::vector<double>& weights) {
  struct Block {
    double sum, weight;
    std::size_t end;
  };
  std::vector<Block> blocks;
  for (std::size_t k = 0; k < values.size(); ++k) {
    blocks.push_back({values[k] * weights[k], weights[k], k + 1});
    while (blocks.size() > 1) {
      Block& last = blocks.back();
      Block& before = blocks[blocks.size() - 2];
      if (before.sum * last.weight <= last.sum * before.weight) break;
      before.sum += last.sum, before.weight += last.weight, before.end = last.end;
      blocks.pop_back();
    }
  }
  std::size_t k = 0;
  for (const Block& block : blocks)
    for (; k < block.end; ++k) values[k] = block.sum / block.weight;
}

Nonmetric::Nonmetric(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
    : distances_(data, parameters),
      figure_(distances_),
      pairs_(data.points <= all_pairs_up_to ? PairList::all(data.points)
                                            : PairList::drawn(data.points, partners / 2, seed)),
      L_(static_cast<std::size_t>(parameters.output_dimensions.value())) {
  std::vector<float> delta;
  if (pairs_.is_all()) {
    delta = all_pairs(distances_, data, "nonmetric");
  } else {
    delta.resize(pairs_.size());
    in_parallel(data.points, 16, [&](std::size_t i) {
      if (!distances_.by_rows()) {
        std::vector<float> row(data.points);
        distances_.row(i, row);
        pairs_.each(i, i + 1, [&](std::size_t pair, std::size_t, std::size_t j) { delta[pair] = row[j]; });
      } else {
        pairs_.each(i, i + 1, [&](std::size_t pair, std::size_t a, std::size_t b) {
          delta[pair] = static_cast<float>(distances_.pair(a, b));
        });
      }
    });
  }
  put_into_bins(delta);
  x_ = start_layout(distances_, figure_, data, parameters, seed);
  figure_name_ = "stress-1";
  look();
  disparities_ = std::move(delta);
}

void Nonmetric::put_into_bins(const std::vector<float>& delta) {
  std::vector<float> sorted;
  std::ranges::copy_if(delta, std::back_inserter(sorted), [](float each) { return !std::isnan(each); });
  oneapi::tbb::parallel_sort(sorted.begin(), sorted.end());
  std::vector<float> begins;  // the least δ of each bin
  std::vector<float> different = sorted;
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (different.size() <= most_bins) {
    begins = std::move(different);
  } else {
    for (std::size_t bin = 0; bin < most_bins; ++bin) {
      const float least = sorted[static_cast<std::size_t>(
          static_cast<double>(bin) * static_cast<double>(sorted.size()) / static_cast<double>(most_bins))];
      if (begins.empty() || least > begins.back()) begins.push_back(least);
    }
  }
  bin_count_ = begins.size() + 1;
  bins_.resize(delta.size());
  in_parallel(delta.size(), 4096, [&](std::size_t pair) {
    if (!std::isnan(delta[pair]))
      bins_[pair] = static_cast<std::uint16_t>(std::ranges::upper_bound(begins, delta[pair]) - begins.begin());
  });
}

void Nonmetric::look() {
  struct Bin {
    double sum = 0, square = 0, count = 0;  // Σ d, Σ d², the number of pairs
  };
  layout_distances(pairs_, x_, L_, found_);
  std::vector<std::vector<Bin>> parts(parts_of_pairs);
  in_parallel(parts.size(), 1, [&](std::size_t part) {
    parts[part].resize(bin_count_);
    const std::size_t begin = pairs_.size() * part / parts.size(), end = pairs_.size() * (part + 1) / parts.size();
    for (std::size_t pair = begin; pair < end; ++pair) {
      Bin& bin = parts[part][bins_[pair]];
      const auto d = static_cast<double>(found_[pair]);
      bin.sum += d, bin.square += d * d, ++bin.count;
    }
  });
  std::vector<Bin> bins = std::move(parts.front());
  for (std::size_t part = 1; part < parts.size(); ++part)
    for (std::size_t b = 0; b < bin_count_; ++b) {
      const Bin& other = parts[part][b];
      bins[b].sum += other.sum, bins[b].square += other.square, bins[b].count += other.count;
    }
  std::vector<double> means, weights;
  for (std::size_t b = 1; b < bin_count_; ++b)
    means.push_back(bins[b].sum / bins[b].count), weights.push_back(bins[b].count);
  monotone_regression(means, weights);
  double error = 0, size = 0, square = 0;  // Σ (d − d̂)², Σ d², Σ d̂²
  for (std::size_t b = 1; b < bin_count_; ++b) {
    const double fitted = means[b - 1], own = bins[b].sum / bins[b].count;
    error += std::max(0.0, bins[b].square - own * bins[b].sum) + bins[b].count * (own - fitted) * (own - fitted);
    size += bins[b].square;
    square += bins[b].count * fitted * fitted;
  }
  seen_.figure = size > 0 ? std::sqrt(error / size) : 0;
  // Disparities are determined only up to a factor. With Σ d̂² equal to the layout's Σ d², the layout does not shrink.
  const double factor = square > 0 ? std::sqrt(size / square) : 1;
  disparities_.resize(pairs_.size());
  in_parallel(pairs_.size(), 4096, [&](std::size_t pair) {
    const std::uint16_t bin = bins_[pair];
    disparities_[pair] = bin == 0 ? NAN : static_cast<float>(factor * means[bin - 1u]);
  });
  const double scale = figure_.of(x_, L_).scale;
  layout_.resize(x_.size());
  for (std::size_t e = 0; e < x_.size(); ++e) layout_[e] = scale * x_[e];
}

void Nonmetric::step() {
  const double before = seen_.figure;
  x_ = majorize(pairs_, disparities_, x_, L_);
  look();
  ++steps_;
  seen_.converged =
      std::abs(before - seen_.figure) < least_gain * seen_.figure || seen_.figure < 1e-7 || steps_ == nonmetric_steps;
  seen_.fraction = seen_.converged ? 1 : 1 - 1 / (1 + 0.02 * steps_);  // a guess: the number of steps is not known
}

void Nonmetric::add_to(Report& report) const {
  report.add("stress1", seen_.figure);
  report.add("stress1_is", std::string(pairs_.is_all() ? "exact" : "sampled"));
}

extern const LayoutMethod nonmetric_method = {.name = "nonmetric",
                                              .parameters = "start restarts",
                                              .begins_classic = true,
                                              .takes_gaps = true,
                                              .is_ordinal = true,
                                              .make = restarted<Nonmetric>};

}  // namespace kinescope::sim::glimmer
