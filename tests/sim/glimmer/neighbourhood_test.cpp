// The neighbourhoods that a layout keeps, and the true nearest rows of a point.
#include "kinescope/glimmer/neighbourhood.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "kinescope/glimmer/nearest.hpp"
#include "tests/sim/glimmer/quality_cases.hpp"

namespace kinescope::sim::neighbourhood_test {
namespace {

using namespace quality_cases;

// Five points on a line at 0, 1, 3, 7, 15; the layout moves the last one to 0.4; k = 1. In the layout, the nearest
// neighbours of points 0, 1 and 4 are untrue; their ranks in the data are 4, 4 and 4. The true nearest neighbours of
// these points have the ranks 2, 2 and 4 in the layout. G = 5 · 1 · (10 − 3 − 1) / 2 = 15.
TEST(Neighbourhood, TrustworthinessAndContinuityByHand) {
  const auto data = cases::dataset(5, 1, {0, 1, 3, 7, 15});
  GlimmerParameters parameters;
  const std::vector<float> layout = {0, 0, 1, 0, 3, 0, 7, 0, 0.4f, 0};
  const glimmer::Neighbourhood found = neighbourhood_kept(InputDistances(*data, parameters), layout, 1);
  EXPECT_DOUBLE_EQ(found.trustworthiness, 1 - 9.0 / 15);
  EXPECT_DOUBLE_EQ(found.continuity, 1 - 5.0 / 15);
  EXPECT_TRUE(found.exact);
}

// Finds ranks by sorting all points, and then computes the published sums.
double by_sorting(const Matrix& of, const Matrix& among, std::size_t k) {
  const std::size_t n = of.size();
  const auto ranks = [n](const std::vector<double>& row, std::size_t self) {
    std::vector<std::size_t> order(n), rank(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return a == self || b == self ? a == self && b != self : row[a] < row[b]; });
    for (std::size_t r = 0; r < n; ++r) rank[order[r]] = r;
    return rank;
  };
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto here = ranks(of[i], i), there = ranks(among[i], i);
    for (std::size_t j = 0; j < n; ++j)
      if (j != i && here[j] <= k && there[j] > k) sum += double(there[j]) - double(k);
  }
  const double N = double(n), K = double(k);
  return 1 - 2 * sum / (2 * k < n ? N * K * (2 * N - 3 * K - 1) : N * (N - K) * (N - K - 1));
}

TEST(Neighbourhood, NeighbourhoodsAreThoseOfSortedDistances) {
  const auto data = cases::noise(120, 6);
  const std::vector<float> layout = scattered(120, 2);
  const Matrix delta = distances_of(data->values(), 120), d = distances_of(layout, 120);
  GlimmerParameters parameters;
  const InputDistances input(*data, parameters);
  for (const std::size_t k : {1, 12, 59, 60, 100}) {
    const glimmer::Neighbourhood found = neighbourhood_kept(input, layout, k);
    EXPECT_NEAR(found.trustworthiness, by_sorting(d, delta, k), 1e-12) << k;
    EXPECT_NEAR(found.continuity, by_sorting(delta, d, k), 1e-12) << k;
  }
  EXPECT_TRUE(std::isnan(neighbourhood_kept(input, layout, 119).trustworthiness));  // all others
}

TEST(Neighbourhood, ALayoutThatIsTheDataKeepsAllNeighbourhoods) {
  const auto plane = cases::noise(6000, 2);  // so many points that only a sample of them is used
  GlimmerParameters parameters;
  const glimmer::Neighbourhood found = neighbourhood_kept(InputDistances(*plane, parameters), plane->values(), 12);
  EXPECT_FALSE(found.exact);
  EXPECT_EQ(found.rows, 1000);
  EXPECT_GT(found.trustworthiness, 0.99999);
  EXPECT_GT(found.continuity, 0.99999);
  const std::vector<float> elsewhere = scattered(6000, 2);
  const glimmer::Neighbourhood bad = neighbourhood_kept(InputDistances(*plane, parameters), elsewhere, 12);
  EXPECT_NEAR(bad.trustworthiness, 0.5, 0.03);  // by chance the mean rank is N/2
  EXPECT_NEAR(bad.continuity, 0.5, 0.03);
}

TEST(Neighbourhood, NearestRowsAreThoseOfSortedDistances) {
  const auto rows = cases::noise(500, 5);
  const Matrix delta = distances_of(rows->values(), 500);
  GlimmerParameters parameters, graph = parameters_of({"metric=graph"});
  const auto fed = cases::fed(std::make_shared<cases::FedRows>(rows));
  const InputDistances direct(*rows, parameters), by_need(*fed, graph);
  for (const InputDistances* input : {&direct, &by_need})
    for (const std::size_t point : {0, 77, 499}) {
      std::vector<std::uint32_t> order(500);
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(), [&](auto a, auto b) { return delta[point][a] < delta[point][b]; });
      const auto found = nearest_rows(*input, point, 12);
      ASSERT_EQ(found.size(), 12);
      for (std::size_t k = 0; k < 12; ++k) {
        EXPECT_EQ(found[k].point, order[k + 1]);
        EXPECT_NEAR(found[k].distance, delta[point][order[k + 1]], 1e-6);
      }
    }
}

TEST(Neighbourhood, ReportTellsNeighbourhoodsOnRequest) {
  const auto named = [](const Report& report, const std::string& name) {
    return std::any_of(report.entries.begin(), report.entries.end(), [&](const auto& e) { return e.first == name; });
  };
  cases::Trial plain(cases::grid(12)), asked(cases::grid(12), {"neighbourhood=12"});
  EXPECT_FALSE(named(plain.finished()->report(), "trustworthiness"));
  const auto run = asked.finished();
  const Report report = run->report();
  for (const auto& [name, value] : report.entries)
    if (name == "trustworthiness" || name == "continuity") EXPECT_GT(std::get<double>(value), 0.98) << name;
  EXPECT_TRUE(named(report, "trustworthiness") && named(report, "continuity") && named(report, "neighbourhood"));
  run->set("neighbourhood", "0");
  EXPECT_FALSE(named(run->report(), "trustworthiness"));
}

}  // namespace
}  // namespace kinescope::sim::neighbourhood_test
