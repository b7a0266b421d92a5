#include "sim/glimmer/rivals/stress_figure.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kinescope/in_parallel.hpp"
#include "kinescope/random.hpp"
#include "sim/glimmer/rivals/all_pairs.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::uint32_t stream_figure = 401;
constexpr std::size_t all_rows = 1000, some_rows = 256;

}  // namespace

StressFigure::StressFigure(const InputDistances& distances)
    : points_(distances.points()), exact_(distances.points() <= all_rows) {
  from_.resize(exact_ ? points_ : some_rows);
  std::iota(from_.begin(), from_.end(), std::size_t{0});
  const Random random(0, stream_figure);  // every layout gets the same pairs
  if (!exact_)
    for (std::size_t k = 0; k < from_.size(); ++k)
      from_[k] = uniform_below(random.words(k)[0], static_cast<std::uint32_t>(points_));
  delta_.resize(from_.size() * points_);
  for (std::size_t k = 0; k < from_.size(); ++k)
    whole_row(distances, from_[k], std::span(delta_).subspan(k * points_, points_));
}

StressFigure::Sums StressFigure::sums(std::span<const double> layout, std::size_t L) const {
  std::vector<Sums> parts(from_.size());
  in_parallel(from_.size(), 1, [&](std::size_t k) {
    const double* x = layout.data() + from_[k] * L;
    Sums part;
    for (std::size_t j = 0; j < points_; ++j) {
      if (std::isnan(delta_[k * points_ + j])) continue;
      double square = 0;
      for (std::size_t l = 0; l < L; ++l) square += (x[l] - layout[j * L + l]) * (x[l] - layout[j * L + l]);
      const double delta = static_cast<double>(delta_[k * points_ + j]);
      part.size += delta * delta, part.product += std::sqrt(square) * delta, part.square += square;
    }
    parts[k] = part;
  });
  Sums sum;
  for (const Sums& part : parts) sum.size += part.size, sum.product += part.product, sum.square += part.square;
  return sum;
}

StressFigure::Value StressFigure::of(std::span<const double> layout, std::size_t L) const {
  const Sums sum = sums(layout, L);
  if (!(sum.square > 0) || !(sum.size > 0)) return {sum.size > 0 ? 1.0 : 0.0, 1};
  return {std::max(0.0, 1 - sum.product * sum.product / sum.square / sum.size), sum.product / sum.square};
}

double StressFigure::stress(std::span<const double> layout, std::size_t L) const {
  const Sums sum = sums(layout, L);
  return sum.size > 0 ? std::max(0.0, sum.size - 2 * sum.product + sum.square) / sum.size : 0;
}

}  // namespace kinescope::sim::glimmer
