// Tests of the layouts that Glimmer is compared with: what their papers promise, and what other programs find.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "kinescope/permutation.hpp"
#include "sim/core/principal_axes.hpp"
#include "sim/glimmer/placement.hpp"
#include "sim/glimmer/rivals/all_pairs.hpp"
#include "sim/glimmer/rivals/majorization.hpp"
#include "sim/glimmer/rivals/nonmetric.hpp"
#include "sim/glimmer/rivals/rival.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/glimmer/fed_rows.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim::glimmer::rivals_test {
namespace {

using cases::Trial;

const char* const rivals[] = {"pivot-mds", "landmark", "classic", "smacof", "nonmetric"};

GlimmerParameters settings(const std::vector<std::string>& assignments) {
  GlimmerParameters parameters;
  for (const std::string& each : assignments) parameters.set(each);
  return parameters;
}

std::unique_ptr<Rival> ended(const Dataset& data, GlimmerParameters parameters) {
  std::unique_ptr<Rival> rival = make_rival(data, parameters, 1);
  while (!rival->seen().converged) rival->step();
  return rival;
}

// The numbers that tests/sim/glimmer/scikit_learn.py draws.
std::vector<float> drawn(std::size_t count) {
  std::vector<float> numbers;
  std::uint64_t state = 12345;
  for (std::size_t k = 0; k < count; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    numbers.push_back(static_cast<float>(state >> 40) / static_cast<float>(1 << 24));
  }
  return numbers;
}

TEST(Rivals, SpectralOnesFindAGridExactly) {
  const auto grid = cases::grid(30);
  for (const char* algorithm : {"pivot-mds", "landmark", "classic"})
    for (const char* dimensions : {"output_dimensions=2", "output_dimensions=3"})
      EXPECT_LE(ended(*grid, settings({std::string("algorithm=") + algorithm, dimensions}))->seen().figure, 1e-10)
          << algorithm << " " << dimensions;
}

TEST(Rivals, ClassicScalingOfEuclideanDistancesIsPrincipalComponents) {
  constexpr std::size_t n = 300, h = 6;
  const auto data = cases::noise(n, h);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < h; ++c)
      data->rows().values.own()[i * h + c] *= static_cast<float>(h - c);  // no two axes are alike
  std::vector<double> mean(h), covariance(h * h);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < h; ++c) mean[c] += double(data->values()[i * h + c]) / n;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t a = 0; a < h; ++a)
      for (std::size_t b = 0; b < h; ++b)
        covariance[a * h + b] += (data->values()[i * h + a] - mean[a]) * (data->values()[i * h + b] - mean[b]);
  const SymmetricEigen axes = symmetric_eigen(covariance, h);
  // Once from the rows, and once from distances alone.
  for (const auto& from : {data, cases::fed(std::make_shared<cases::FedRows>(data))}) {
    const auto parameters = settings({"algorithm=classic", from == data ? "metric=euclidean" : "metric=matrix"});
    const auto rival = ended(*from, parameters);
    for (std::size_t l = 0; l < 2; ++l) {
      double same = 0, opposite = 0, size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        double expected = 0;
        for (std::size_t c = 0; c < h; ++c) expected += (data->values()[i * h + c] - mean[c]) * axes.vectors[c * h + l];
        const double found = rival->layout()[2 * i + l];
        same = std::max(same, std::abs(found - expected));
        opposite = std::max(opposite, std::abs(found + expected));
        size = std::max(size, std::abs(expected));
      }
      EXPECT_LE(std::min(same, opposite), 1e-5 * size) << l;
    }
  }
}

TEST(Rivals, SmacofNeverRaisesTheStress) {
  const auto data = cases::noise(400, 7);
  for (const char* metric : {"metric=euclidean", "metric=manhattan", "metric=cosine"})
    for (const char* start : {"start=random", "start=classic", "start=pivot"}) {
      auto parameters = settings({"algorithm=smacof", metric, start});
      const auto rival = make_rival(*data, parameters, 1);
      while (!rival->seen().converged) {
        const double before = rival->seen().figure;
        rival->step();
        ASSERT_LE(rival->seen().figure, before) << metric << " " << start;
      }
    }
}

// 40 rows of 5 numbers, from a given start: tests/sim/glimmer/scikit_learn.py prints what scikit-learn 1.9 finds.
TEST(Rivals, AgreeWithScikitLearn) {
  constexpr std::size_t n = 40;
  const auto data = cases::dataset(n, 5, drawn(n * 5));
  const std::vector<float> wide = drawn(n * 7);
  std::vector<float> layout;
  for (std::size_t i = 0; i < n; ++i) layout.insert(layout.end(), {wide[7 * i + 5], wide[7 * i + 6]});
  const TemporaryFolder folder;
  const std::string start = "start=" + folder.write("start.csv", cases::layout_csv(layout));
  auto parameters = settings({"algorithm=smacof", start});
  const auto rival = make_rival(*data, parameters, 1);
  for (int step = 1; step <= 100; ++step) {
    rival->step();
    if (step == 1) EXPECT_NEAR(rival->seen().figure, 0.2137848810867761, 1e-6);
    if (step == 10) EXPECT_NEAR(rival->seen().figure, 0.14716440822566607, 1e-6);
    if (step == 100) EXPECT_NEAR(rival->seen().figure, 0.06282212414330186, 1e-6);
  }
  EXPECT_NEAR(ended(*data, settings({"algorithm=nonmetric", start}))->seen().figure, 0.23574936225739523, 0.0024);
}

TEST(Rivals, MonotoneRegressionIsTheNearestMonotoneSequence) {
  std::vector<double> values = {1, 3, 2, 2, 5, 4, 0};
  monotone_regression(values, {1, 1, 1, 1, 1, 1, 1});
  const std::vector<double> expected = {1, 7.0 / 3, 7.0 / 3, 7.0 / 3, 3, 3, 3};
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], expected[k], 1e-12);
  values = {2, 1};
  monotone_regression(values, {3, 1});
  EXPECT_NEAR(values[0], 1.75, 1e-12);
}

TEST(Rivals, NonmetricDependsOnTheOrderOfTheDistancesAlone) {
  const auto data = cases::noise(150, 5);
  const auto one = ended(*data, settings({"algorithm=nonmetric", "metric=cosine", "start=random"})),
             other = ended(*data, settings({"algorithm=nonmetric", "metric=cosine-squared", "start=random"}));
  EXPECT_NEAR(one->seen().figure, other->seen().figure, 1e-4 * one->seen().figure);
}

// Kruskal's stress-1 of a layout, with a disparity for each different distance.
double stress1_of(const Dataset& data, const std::vector<double>& layout) {
  GlimmerParameters parameters;
  const InputDistances distances(data, parameters);
  const std::vector<float> delta = all_pairs(distances, data, "");
  std::vector<float> found;
  layout_distances(PairList::all(data.points), layout, 2, found);
  std::vector<std::size_t> order(delta.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t pair) { return delta[pair]; });
  std::vector<double> fitted;
  for (const std::size_t pair : order) fitted.push_back(found[pair]);
  monotone_regression(fitted, std::vector<double>(fitted.size(), 1));
  double error = 0, size = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double d = found[order[k]];
    error += (d - fitted[k]) * (d - fitted[k]), size += d * d;
  }
  return std::sqrt(error / size);
}

const Report::Value& entry_of(const Report& report, const std::string& key) {
  return std::ranges::find(report.entries, key, &std::pair<std::string, Report::Value>::first)->second;
}

// 180,000 pairs have more different distances than there are bins.
TEST(Rivals, BinsHardlyChangeTheMonotoneRegression) {
  const auto data = cases::noise(600, 5);
  const auto rival = ended(*data, settings({"algorithm=nonmetric"}));
  EXPECT_NEAR(rival->seen().figure / stress1_of(*data, rival->layout()), 1, 1e-4);
}

// From random layouts it ended at four times as much (0.42 for 0.11, with other data).
TEST(Rivals, NonmetricBeginsWithClassicalScaling) {
  const auto data = cases::noise(6000, 8);
  for (std::size_t i = 0; i < data->points; ++i)
    for (std::size_t c = 2; c < 8; ++c) data->rows().values.own()[i * 8 + c] *= 0.1f;
  Trial run(data, {"algorithm=nonmetric"});
  const auto simulation = run.finished();
  const Report report = simulation->report();
  const auto text = [&](const char* key) { return std::get<std::string>(entry_of(report, key)); };
  EXPECT_EQ(text("figure_is"), "stress-1");
  EXPECT_EQ(text("stress1_is"), "sampled");
  EXPECT_LT(std::get<double>(entry_of(report, "stress1")), 0.02);
  EXPECT_NEAR(std::get<double>(entry_of(report, "stress1")), simulation->progress().figure, 1e-6);
}

TEST(Rivals, RestartsKeepTheBestRun) {
  const auto data = cases::noise(60, 6);
  double best = std::numeric_limits<double>::infinity(), first = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    auto parameters = settings({"algorithm=smacof", "start=random"});
    const std::unique_ptr<Rival> rival = make_rival(*data, parameters, seed);
    while (!rival->seen().converged) rival->step();
    if (seed == 1) first = rival->seen().figure;
    best = std::min(best, rival->seen().figure);
  }
  EXPECT_LT(best, first);
  EXPECT_EQ(ended(*data, settings({"algorithm=smacof", "start=random", "restarts=5"}))->seen().figure, best);
}

TEST(Rivals, ClassicScalingReportsItsEigenvalues) {
  const auto data = cases::noise(200, 5);
  Trial run(data, {"algorithm=classic"});
  const Report report = run.finished()->report();
  const auto values = std::get<std::vector<double>>(entry_of(report, "eigenvalues")),
             shares = std::get<std::vector<double>>(entry_of(report, "shares"));
  ASSERT_EQ(values.size(), 2u);
  double all = 0;
  for (std::size_t c = 0; c < 5; ++c) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < 200; ++i) mean += double(data->values()[i * 5 + c]) / 200;
    for (std::size_t i = 0; i < 200; ++i) square += std::pow(double(data->values()[i * 5 + c]) - mean, 2);
    all += square;
  }
  for (std::size_t l = 0; l < 2; ++l) {
    double square = 0;
    const std::vector<float> rows = Trial::rows(run.finished()->result());
    for (std::size_t i = 0; i < 200; ++i) square += double(rows[2 * i + l]) * double(rows[2 * i + l]);
    EXPECT_NEAR(values[l] / square, 1, 1e-4);  // its axes are as long as the roots
    EXPECT_NEAR(shares[l] / (values[l] / all), 1, 1e-6);
  }
}

TEST(Rivals, StepsOverSomePairsNeverRaiseTheirStress) {
  constexpr std::size_t n = 500;
  const PairList pairs = PairList::drawn(n, 16, 3);
  EXPECT_GT(pairs.size(), n * 14);
  const Random random(2, 1);
  std::vector<float> targets(pairs.size());
  for (std::size_t k = 0; k < targets.size(); ++k) targets[k] = random.uniform(k);
  std::vector<double> x(n * 2);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = random.normal(k);
  const auto stress = [&] {
    double sum = 0;
    pairs.each(0, n, [&](std::size_t pair, std::size_t i, std::size_t j) {
      const double error = std::hypot(x[2 * i] - x[2 * j], x[2 * i + 1] - x[2 * j + 1]) - double(targets[pair]);
      sum += error * error;
    });
    return sum;
  };
  for (int step = 0; step < 50; ++step) {
    const double before = stress();
    x = majorize(pairs, targets, x, 2);
    ASSERT_LT(stress(), before) << step;
  }
}

// A plain loop over the pairs, which skips those without a target and coincident points.
Guttman plain_guttman(const std::vector<float>& targets, const std::vector<double>& x, std::size_t L) {
  const std::size_t n = x.size() / L;
  Guttman plain{0, x};
  std::vector<double> mean(L);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double square = 0;
      for (std::size_t l = 0; l < L; ++l) square += std::pow(x[i * L + l] - x[j * L + l], 2);
      const double d = std::sqrt(square), target = targets[i * (i - 1) / 2 + j];
      if (std::isnan(target)) continue;
      plain.stress += (d - target) * (d - target);
      for (std::size_t l = 0; l < L && d > 0; ++l) {
        const double move = (1 - target / d) * (x[i * L + l] - x[j * L + l]) / double(n);
        plain.next[i * L + l] -= move, plain.next[j * L + l] += move;
      }
    }
  for (std::size_t e = 0; e < x.size(); ++e) mean[e % L] += plain.next[e] / double(n);
  for (std::size_t e = 0; e < x.size(); ++e) plain.next[e] -= mean[e % L];
  return plain;
}

TEST(Rivals, GuttmansTransformIsThatOfAPlainLoop) {
  const Random random(5, 1);
  for (const std::size_t L : {2, 3})
    for (const std::size_t n : {1, 2, 3, 4, 5, 6, 31, 64, 127, 128, 200, 1000}) {
      std::vector<float> targets(n * (n - 1) / 2);
      for (std::size_t k = 0; k < targets.size(); ++k) targets[k] = k % 11 == 5 ? NAN : random.uniform(k);
      std::vector<double> x(n * L);
      for (std::size_t e = 0; e < x.size(); ++e) x[e] = random.normal(e);
      if (n > 4) std::copy_n(x.begin(), L, x.begin() + static_cast<std::ptrdiff_t>(4 * L));  // coincident points
      const Guttman plain = plain_guttman(targets, x, L), found = guttman(targets, x, L);
      EXPECT_NEAR(found.stress, plain.stress, 1e-12 * plain.stress) << n;
      ASSERT_EQ(found.next.size(), x.size());
      for (std::size_t e = 0; e < x.size(); ++e) ASSERT_NEAR(found.next[e], plain.next[e], 1e-13) << n << ' ' << e;
    }
}

TEST(Rivals, TheFigureIsTheStressOfTheResult) {
  const auto data = cases::noise(600, 8);
  for (const char* algorithm : {"pivot-mds", "landmark", "classic", "smacof"}) {
    Trial run(data, {std::string("algorithm=") + algorithm});
    const auto simulation = run.finished();
    const double stress = run.stress(Trial::rows(simulation->result()));
    EXPECT_NEAR(simulation->progress().figure, stress, 1e-5 * stress) << algorithm;
    EXPECT_EQ(simulation->progress().figure_name, "stress, all pairs");
    EXPECT_LT(stress, 0.4) << algorithm;
  }
  Trial many(cases::noise(6000, 8), {"algorithm=landmark"});
  const auto simulation = many.finished();
  EXPECT_EQ(simulation->progress().figure_name, "stress, sampled");
  EXPECT_NEAR(simulation->progress().figure / many.stress(Trial::rows(simulation->result())), 1, 0.05);
}

TEST(Rivals, SameBytesForAnyNumberOfThreads) {
  const auto data = cases::noise(700, 6);
  for (const char* algorithm : rivals) {
    Trial run(data, {std::string("algorithm=") + algorithm, "maximum_iterations=30"});
    const std::vector<float> expected = run.layout();
    for (const int threads : {1, 7}) {
      run.setup.threads = threads;
      EXPECT_EQ(run.layout(), expected) << algorithm << ", " << threads;
    }
  }
}

TEST(Rivals, LayOutWhateverHasDistances) {
  const auto rows = cases::noise(200, 4);
  const auto fed = cases::fed(std::make_shared<cases::FedRows>(rows));
  for (const char* algorithm : rivals) {
    const std::string chosen = std::string("algorithm=") + algorithm;
    EXPECT_NEAR(ended(*fed, settings({chosen, "metric=matrix"}))->seen().figure,
                ended(*rows, settings({chosen}))->seen().figure, 1e-4)
        << algorithm;
    for (const std::size_t few : {1, 2, 3}) {
      const auto rival = ended(*cases::noise(few, 4), settings({chosen}));
      for (const double value : rival->layout()) EXPECT_TRUE(std::isfinite(value)) << algorithm << few;
    }
    const auto same = ended(*cases::dataset(50, 2, std::vector<float>(100, 3.0f)), settings({chosen}));
    for (const double value : same->layout()) EXPECT_TRUE(std::isfinite(value)) << algorithm;
  }
}

TEST(Rivals, AllPairsHaveALimitAndSaySo) {
  const auto data = cases::noise(all_pairs_limit + 1, 2);
  for (const char* algorithm : {"classic", "smacof"}) {
    auto parameters = settings({std::string("algorithm=") + algorithm, "metric=manhattan"});
    try {
      make_rival(*data, parameters, 1);
      FAIL() << algorithm;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "made in a test: " + std::string(algorithm) +
                                               " needs the distances of all pairs: at most 20000 points; pivot-mds "
                                               "and landmark have no such limit");
    }
  }
}

TEST(RivalsStart, AFilesLayoutIsShownAndRefined) {
  const auto data = cases::noise(300, 6);
  Trial first(data, {"algorithm=landmark"});
  const std::vector<float> layout = first.layout();
  const TemporaryFolder folder;
  const std::string start = "start=" + folder.write("layout.csv", cases::layout_csv(layout));
  for (const char* algorithm : {"smacof", "glimmer-2007", "stochastic-force", "chalmers", "nonmetric"}) {
    Trial run(data, {std::string("algorithm=") + algorithm, start});
    const auto simulation = run.make();
    if (std::string(algorithm) == "smacof")
      EXPECT_NEAR(simulation->progress().figure, first.stress(layout), 1e-4 * first.stress(layout));
    const double shown = run.stress(Trial::rows(simulation->result()));
    EXPECT_NEAR(shown / first.stress(layout), 1, 1e-3) << algorithm;
  }
  Trial refined(data, {"algorithm=smacof", start});
  EXPECT_LT(refined.stress(refined.layout()), 0.95 * first.stress(layout));
  auto other = settings({"algorithm=smacof", start});
  EXPECT_NE(input_message([&] {
              make_rival(*cases::noise(299, 6), other, 1);
            }).find("expected 299 rows, as made in a test has, found 300"),
            std::string::npos);
}

// One row in ten is left out of a layout, and then placed into it.
TEST(Placement, NewRowsLieAsWellAsInALayoutOfAll) {
  // Uniform noise is no case here: its layouts with and without some rows differ by more than the placing of those rows
  // can.
  std::vector<std::pair<std::shared_ptr<const Dataset>, const char*>> all_cases;
  for (const auto& [source, metric] : {std::pair("synthetic:topics,n=800,h=60", "metric=euclidean"),
                                       {"synthetic:gaussians,n=800,k=6,clusters=5", "metric=manhattan"},
                                       {"synthetic:swissroll,n=800", "metric=euclidean"},
                                       {"synthetic:colours,n=800", "metric=manhattan"}}) {
    DataRequest request;
    request.source = source;
    all_cases.emplace_back(load_dataset(request), metric);
  }
  for (const auto& [all, metric] : all_cases) {
    const std::size_t h = all->dimensions;
    std::vector<float> kept, taken;
    std::vector<std::size_t> order;  // rows of `all`: the kept ones first, then those that are placed
    const Permutation drawn(all->points, 3);
    for (const bool new_ones : {false, true})
      for (std::size_t i = 0; i < all->points; ++i)
        if ((drawn(i) % 10 == 3) == new_ones) {
          auto& to = new_ones ? taken : kept;
          to.insert(to.end(), &all->values()[i * h], &all->values()[i * h] + h);
          order.push_back(i);
        }
    const auto old_data = cases::dataset(kept.size() / h, h, kept), added = cases::dataset(taken.size() / h, h, taken);
    const TemporaryFolder folder;
    const std::string file = folder.write("layout.csv", cases::layout_csv(Trial(old_data, {metric}).layout()));
    auto parameters = settings({metric});
    Report figures;
    const std::vector<float> placed = Trial::rows(place_onto(*added, *old_data, file, parameters, 1, figures));
    ASSERT_EQ(placed.size(), 2 * added->points);
    const std::vector<float> whole = Trial(all, {metric}).layout();
    // The stress of the pairs of the new rows with all rows, in the layout of all.
    const InputDistances distances(*all, parameters);
    double error = 0, size = 0;
    std::vector<float> delta(all->points);
    for (std::size_t k = old_data->points; k < all->points; ++k) {
      distances.row(order[k], delta);
      for (std::size_t j = 0; j < all->points; ++j) {
        const std::size_t i = order[k];
        const double d = std::hypot(double(whole[2 * i]) - whole[2 * j], double(whole[2 * i + 1]) - whole[2 * j + 1]),
                     wanted = double(delta[j]);
        error += (d - wanted) * (d - wanted), size += wanted * wanted;
      }
    }
    const double found = std::get<double>(figures.entries.front().second);
    std::printf("%-45s %s: placed %.5f, in the layout of all %.5f\n", all->name.c_str(), metric, found, error / size);
    EXPECT_LE(found, 1.05 * error / size) << all->name << ", " << metric;
  }
}

TEST(Placement, WhatDoesNotFitIsToldInALine) {
  const auto old_data = cases::noise(20, 3), other = cases::noise(5, 4);
  const TemporaryFolder folder;
  const std::string file = folder.write("layout.csv", "x,y\n1,2\n");
  GlimmerParameters parameters;
  Report figures;
  EXPECT_EQ(input_message([&] { place_onto(*other, *old_data, file, parameters, 1, figures); }),
            "made in a test: expected 3 columns as in made in a test, found 4");
  EXPECT_EQ(input_message([&] { place_onto(*cases::noise(5, 3), *old_data, file, parameters, 1, figures); }),
            file + ": expected 20 rows, as made in a test has, found 1");
}

}  // namespace
}  // namespace kinescope::sim::glimmer::rivals_test
