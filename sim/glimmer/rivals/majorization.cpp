#include "sim/glimmer/rivals/majorization.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/in_parallel.hpp"
#include "sim/core/random.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::uint32_t stream_pairs = 404;
constexpr std::size_t points_of_task = 32;

double distance(const std::vector<double>& x, std::size_t i, std::size_t j, std::size_t L) {
  double square = 0;
  for (std::size_t l = 0; l < L; ++l) square += (x[i * L + l] - x[j * L + l]) * (x[i * L + l] - x[j * L + l]);
  return std::sqrt(square);
}

}  // namespace

PairList PairList::all(std::size_t points) {
  PairList list;
  list.points_ = points;
  return list;
}

PairList PairList::drawn(std::size_t points, std::size_t each, std::uint64_t seed) {
  PairList list;
  list.all_ = false;
  list.points_ = points;
  const Random random(seed, stream_pairs);
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t k = 0; k < each; ++k) {
      const RandomWords words = random.words(i, static_cast<std::uint32_t>(k / 4));
      const std::uint32_t j = uniform_below(words[k % 4], static_cast<std::uint32_t>(points));
      if (j != i)
        list.pairs_.emplace_back(std::max(static_cast<std::uint32_t>(i), j),
                                 std::min(static_cast<std::uint32_t>(i), j));
    }
  std::sort(list.pairs_.begin(), list.pairs_.end());
  list.pairs_.erase(std::unique(list.pairs_.begin(), list.pairs_.end()), list.pairs_.end());
  list.first_.assign(points + 1, 0);
  list.begin_.assign(points + 1, 0);
  for (const auto& [i, j] : list.pairs_) ++list.first_[i + 1], ++list.begin_[i + 1], ++list.begin_[j + 1];
  for (std::size_t i = 0; i < points; ++i) list.first_[i + 1] += list.first_[i], list.begin_[i + 1] += list.begin_[i];
  std::vector<std::size_t> next(list.begin_.begin(), list.begin_.end() - 1);
  list.partners_.resize(2 * list.pairs_.size());
  for (std::size_t pair = 0; pair < list.pairs_.size(); ++pair) {
    const auto [i, j] = list.pairs_[pair];
    list.partners_[next[i]++] = {j, static_cast<std::uint32_t>(pair)};
    list.partners_[next[j]++] = {i, static_cast<std::uint32_t>(pair)};
  }
  return list;
}

void layout_distances(const PairList& pairs, const std::vector<double>& x, std::size_t L, std::vector<float>& to) {
  to.resize(pairs.size());
  in_parallel(pairs.points(), points_of_task, [&](std::size_t i) {
    pairs.each(i, i + 1, [&](std::size_t pair, std::size_t a, std::size_t b) {
      to[pair] = static_cast<float>(distance(x, a, b, L));
    });
  });
}

double raw_stress(const PairList& pairs, const std::vector<float>& targets, const std::vector<double>& x,
                  std::size_t L) {
  std::vector<double> parts((pairs.points() + points_of_task - 1) / points_of_task);
  in_parallel(parts.size(), 1, [&](std::size_t block) {
    const std::size_t begin = block * points_of_task, end = std::min(pairs.points(), begin + points_of_task);
    pairs.each(begin, end, [&](std::size_t pair, std::size_t i, std::size_t j) {
      const double error = distance(x, i, j, L) - static_cast<double>(targets[pair]);
      if (!std::isnan(error)) parts[block] += error * error;
    });
  });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

std::vector<double> majorize(const PairList& pairs, const std::vector<float>& targets, const std::vector<double>& x,
                             std::size_t L) {
  const std::size_t n = pairs.points();
  std::vector<double> next(x.size());
  in_parallel(n, points_of_task, [&](std::size_t i) {
    double move[3] = {};
    pairs.partners(i, [&](std::size_t pair, std::size_t j) {
      const double d = distance(x, i, j, L);
      // Coincident points do not pull each other. A pair without a target has its present distance as the target: that
      // too majorizes the stress of the other pairs.
      if (!(d > 0) || std::isnan(targets[pair])) return;
      const double share = 1 - static_cast<double>(targets[pair]) / d;
      for (std::size_t l = 0; l < L; ++l) move[l] += share * (x[i * L + l] - x[j * L + l]);
    });
    const auto partners = static_cast<double>(pairs.partner_count(i));
    const double step = pairs.is_all() ? 1 / (partners + 1) : partners > 0 ? 0.5 / partners : 0;
    for (std::size_t l = 0; l < L; ++l) next[i * L + l] = x[i * L + l] - step * move[l];
  });
  std::vector<double> mean(L);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t l = 0; l < L; ++l) mean[l] += next[i * L + l] / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t l = 0; l < L; ++l) next[i * L + l] -= mean[l];
  return next;
}

}  // namespace kinescope::sim::glimmer
