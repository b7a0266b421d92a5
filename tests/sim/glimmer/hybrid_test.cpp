// Tests of the hybrid layout: a sample, and points that are placed into it.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "sim/glimmer/forces/newcomers.hpp"
#include "sim/glimmer/forces/stages.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim::glimmer {
namespace {

using cases::Trial;

// Points of a plane or of space as rows of four columns.
template <int L>
std::vector<float> rows_of(const std::vector<Vector<L>>& places) {
  std::vector<float> values(places.size() * 4, 0.0f);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (int l = 0; l < L; ++l) values[i * 4 + static_cast<std::size_t>(l)] = places[i][l];
  return values;
}

template <int L>
void expect_newcomers_near_their_places() {
  constexpr std::int64_t points = 2'000, size = 60;
  std::vector<Vector<L>> truth, now;
  for (std::int64_t i = 0; i < points; ++i)
    truth.push_back(random_vector<L>(Random(3, 1).words(static_cast<std::uint64_t>(i))));
  now = truth;
  for (std::int64_t i = size; i < points; ++i) now[static_cast<std::size_t>(i)] = Vector<L>(9.0f);
  const std::vector<float> values = rows_of<L>(truth);
  const Rows rows{values.data(), 4};
  const SortedSample sample = sort_sample(rows, size);
  RunState run;
  ForceState state;
  state.first_free = size;
  const Layout<L> layout{now.data(), nullptr};
  const PlaceNewcomers<L> place{
      &run, &state, rows, {layout, layout}, sample.distance.data(), sample.point.data(), sample.pivots, sample.size};
  double sum = 0;
  for (std::int64_t i = 0; i < points; ++i) {
    place(i);
    const Vector<L> away = now[static_cast<std::size_t>(i)] - truth[static_cast<std::size_t>(i)];
    const double error = std::sqrt(double(dot<L>(away, away)));
    if (i < size) EXPECT_EQ(error, 0) << i;
    sum += error;
  }
  EXPECT_LT(sum / double(points - size), 0.02);  // the square is 2 wide

  // Not at another moment.
  now.back() = Vector<L>(9.0f);
  state.stage_iteration = 1;
  place(points - 1);
  EXPECT_EQ(now.back(), Vector<L>(9.0f));
}

TEST(Hybrid, NewcomersArePlacedWhereTheirDistancesPutThem) {
  expect_newcomers_near_their_places<2>();
  expect_newcomers_near_their_places<3>();
}

TEST(Hybrid, TheSampleIsSortedByItsDistancesFromEachPivot) {
  constexpr std::int32_t size = 20;
  std::vector<float> distances(size * size);
  for (std::int32_t i = 0; i < size; ++i)
    for (std::int32_t j = 0; j < size; ++j)
      distances[static_cast<std::size_t>(i * size + j)] =
          i + j == 7 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i * j % 11);
  const SortedSample sample = sort_sample({distances.data(), size, Metric::matrix}, size);
  ASSERT_EQ(sample.pivots, sample_pivots);
  for (std::int32_t p = 0; p < sample.pivots; ++p) {
    const auto row = static_cast<std::ptrdiff_t>(p) * size;
    EXPECT_TRUE(std::is_sorted(sample.distance.begin() + row, sample.distance.begin() + row + size));
    std::vector<std::int32_t> found(sample.point.begin() + row, sample.point.begin() + row + size), all(size);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_TRUE(std::is_permutation(found.begin(), found.end(), all.begin()));
    for (std::int32_t k = 0; k < size; ++k) {
      const float delta =
          distances[static_cast<std::size_t>(sample.point[static_cast<std::size_t>(row + k)] * size + p)];
      const float kept = sample.distance[static_cast<std::size_t>(row + k)];
      EXPECT_TRUE(std::isnan(delta) ? std::isinf(kept) : delta == kept);
    }
  }
}

TEST(Hybrid, StagesAreTheSamplesAndTwoShortOnes) {
  GlimmerParameters parameters;
  parameters.set("algorithm", "hybrid");
  const std::vector<Stage> stages = plan_stages(10'001, parameters);
  ASSERT_EQ(stages.size(), 3u);
  EXPECT_EQ(stages[0].points, 101);
  EXPECT_EQ(stages[1].points, 10'001);
  EXPECT_EQ(stages[1].first_free, 101);
  EXPECT_EQ(stages[2].first_free, 0);
  EXPECT_EQ(stages[1].limit, stages[2].limit);
  EXPECT_LT(stages[2].limit, stages[0].limit);
  EXPECT_EQ(plan_stages(16, parameters).size(), 1u);
  EXPECT_EQ(plan_stages(1, parameters).size(), 1u);
}

TEST(Hybrid, AGridIsNearlyFlat) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Trial run(cases::grid(50), {"algorithm=hybrid"});
    run.setup.seed = seed;
    EXPECT_LT(run.stress(run.layout()), 0.05) << seed;
  }
}

TEST(Hybrid, FewPointsAndEqualPointsHaveALayout) {
  for (const std::size_t points : {1, 2, 16, 17, 40}) {
    Trial run(cases::dataset(points, 2, std::vector<float>(2 * points, 3.0f)), {"algorithm=hybrid"});
    for (const float coordinate : run.layout()) EXPECT_TRUE(std::isfinite(coordinate)) << points;
  }
}

}  // namespace
}  // namespace kinescope::sim::glimmer
