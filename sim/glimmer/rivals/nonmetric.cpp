#include "sim/glimmer/rivals/nonmetric.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <oneapi/tbb/parallel_sort.h>

#include "sim/core/in_parallel.hpp"
#include "sim/glimmer/rivals/all_pairs.hpp"
#include "sim/glimmer/rivals/start.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::size_t all_pairs_up_to = 5'000, partners = 64;
constexpr double least_gain = 1e-5;  // an iteration that lowers the stress by less than this part ends the run
constexpr int nonmetric_steps = 1000;

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
  order_.resize(pairs_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::erase_if(order_, [&](std::uint32_t pair) { return std::isnan(delta[pair]); });
  oneapi::tbb::parallel_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return delta[a] != delta[b] ? delta[a] < delta[b] : a < b;
  });
  for (std::size_t k = 0; k < order_.size(); ++k)
    if (k == 0 || delta[order_[k]] != delta[order_[k - 1]]) groups_.push_back(k);
  groups_.push_back(order_.size());
  x_ = start_layout(distances_, figure_, data, parameters, seed);
  figure_name_ = "stress-1";
  look();
  disparities_ = std::move(delta);
}

void Nonmetric::look() {
  layout_distances(pairs_, x_, L_, found_);
  std::vector<double> means(groups_.size() - 1), weights(means.size());
  double size = 0;
  for (std::size_t g = 0; g < means.size(); ++g) {
    for (std::size_t k = groups_[g]; k < groups_[g + 1]; ++k) {
      const auto d = static_cast<double>(found_[order_[k]]);
      means[g] += d, size += d * d;
    }
    weights[g] = static_cast<double>(groups_[g + 1] - groups_[g]);
    means[g] /= weights[g];
  }
  monotone_regression(means, weights);
  disparities_.assign(pairs_.size(), NAN);  // pairs without a distance keep this
  double error = 0, square = 0;
  for (std::size_t g = 0; g < means.size(); ++g)
    for (std::size_t k = groups_[g]; k < groups_[g + 1]; ++k) {
      const double rest = static_cast<double>(found_[order_[k]]) - means[g];
      error += rest * rest, square += means[g] * means[g];
      disparities_[order_[k]] = static_cast<float>(means[g]);
    }
  seen_.figure = size > 0 ? std::sqrt(error / size) : 0;
  // Disparities are determined only up to a factor. With Σ d̂² equal to the layout's Σ d², the layout does not shrink.
  const double factor = square > 0 ? std::sqrt(size / square) : 1;
  for (float& each : disparities_) each = static_cast<float>(each * factor);
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

}  // namespace kinescope::sim::glimmer
