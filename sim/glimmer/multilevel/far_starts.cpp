#include "sim/glimmer/multilevel/far_starts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kinescope/in_parallel.hpp"
#include "kinescope/random.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::uint32_t stream_far_starts = 232;
constexpr std::int64_t most_points = 32;
constexpr int tries = 32, most_sweeps = 100;

// One try from random directions.
struct Try {
  std::vector<double> x;  // [points × L]
  double error = 0;       // Σ (d − δ)²
};

class FarLayout {
 public:
  FarLayout(const Tail& tail, std::int64_t points, int L)
      : tail_(tail), points_(static_cast<std::size_t>(points)), L_(static_cast<std::size_t>(L)) {}

  Try from(const Random& random, std::size_t number) const {
    Try found;
    found.x.resize(points_ * L_);
    for (std::size_t i = 0; i < points_; ++i) {
      std::vector<double> direction(L_);
      for (std::size_t c = 0; c < L_; ++c)
        direction[c] = double(random.normal(number * points_ + i, static_cast<std::uint32_t>(c)));
      put(found.x, i, direction);
    }
    double before = INFINITY;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      found.error = 0;
      for (std::size_t i = 0; i < points_; ++i) found.error += improve(found.x, i);
      if (!(found.error < before * (1 - 1e-5))) break;
      before = found.error;
    }
    return found;
  }

 private:
  // Moves a point to the mean of the places that the others want for it, and from there back to its circle. Returns the
  // error of its pairs before.
  double improve(std::vector<double>& x, std::size_t i) const {
    std::vector<double> wanted(L_);
    double error = 0;
    for (std::size_t j = 0; j < points_; ++j) {
      if (j == i) continue;
      double square = 0;
      for (std::size_t c = 0; c < L_; ++c) square += std::pow(x[i * L_ + c] - x[j * L_ + c], 2);
      const double d = std::sqrt(square), delta = double(tail_.far_delta[i * room() + j]);
      error += (d - delta) * (d - delta);
      for (std::size_t c = 0; c < L_ && d > 0; ++c)
        wanted[c] += x[j * L_ + c] + delta / d * (x[i * L_ + c] - x[j * L_ + c]);
    }
    put(x, i, wanted);
    return error;
  }
  void put(std::vector<double>& x, std::size_t i, const std::vector<double>& direction) const {
    double square = 0;
    for (const double each : direction) square += each * each;
    if (!(square > 0)) return;
    const double radius = std::sqrt(double(tail_.far_reach[i]) / square);
    for (std::size_t c = 0; c < L_; ++c) x[i * L_ + c] = radius * direction[c];
  }
  std::size_t room() const { return static_cast<std::size_t>(tail_.far_each); }

  const Tail& tail_;
  std::size_t points_, L_;
};

}  // namespace

FarStarts far_starts(const Tail& tail, std::int64_t level_points, int L, std::uint64_t seed) {
  FarStarts starts;
  if (tail.far_each == 0) return starts;
  const std::int64_t points = std::min(tail.far_here.front(), most_points);
  // The mean δ² of all pairs is 1, so this is the part of all δ² that is these points'.
  const double reach = std::accumulate(tail.far_reach.begin(), tail.far_reach.begin() + points, 0.0);
  if (2 * reach < static_cast<double>(level_points)) return starts;
  starts.points = points;
  starts.index.assign(static_cast<std::size_t>(level_points), -1);
  for (std::int32_t k = 0; k < starts.points; ++k)
    starts.index[static_cast<std::size_t>(tail.far[static_cast<std::size_t>(k)])] = k;
  const FarLayout layout(tail, starts.points, L);
  const Random random(seed, stream_far_starts);
  std::vector<Try> found(tries);
  in_parallel(found.size(), 1, [&](std::size_t number) { found[number] = layout.from(random, number); });
  std::ranges::stable_sort(found, {}, &Try::error);
  // The best, and the best that differs from it.
  const auto differs = [&](const Try& each) { return each.error > found.front().error * 1.0001; };
  const auto second = std::ranges::find_if(found, differs);
  for (const Try& each : {found.front(), second == found.end() ? found.back() : *second})
    starts.place.insert(starts.place.end(), each.x.begin(), each.x.end());
  return starts;
}

}  // namespace kinescope::sim::glimmer
