// Tests of the figures that show where a layout is wrong: each point's stress, Shepard diagrams, neighbourhoods,
// nearest rows.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <oneapi/tbb/task_arena.h>

#include "kinescope/glimmer/nearest.hpp"
#include "kinescope/glimmer/neighbourhood.hpp"
#include "kinescope/glimmer/point_stress.hpp"
#include "kinescope/glimmer/shepard.hpp"
#include "tests/sim/glimmer/quality_cases.hpp"

namespace kinescope::sim::quality_test {
namespace {

using namespace quality_cases;

void expect_point_stress(const glimmer::PointStress& found, const Matrix& delta, const Matrix& d) {
  ASSERT_EQ(found.value.size(), delta.size());
  EXPECT_TRUE(found.exact);
  for (std::size_t i = 0; i < delta.size(); ++i) {
    double numerator = 0, denominator = 0;
    for (std::size_t j = 0; j < delta.size(); ++j) {
      numerator += (d[i][j] - delta[i][j]) * (d[i][j] - delta[i][j]);
      denominator += delta[i][j] * delta[i][j];
    }
    EXPECT_NEAR(found.value[i] * denominator / numerator, 1, 1e-4) << i;
  }
}

TEST(Quality, PointStressIsItsFormulaForEveryMetricOfRows) {
  const auto dense = thin_rows(90, 30);
  const std::vector<float> layout = scattered(90, 3);
  const Matrix d = distances_of(layout, 90);
  for (const std::string metric : {"euclidean", "manhattan", "cosine", "cosine-squared"}) {
    SCOPED_TRACE(metric);
    GlimmerParameters parameters = parameters_of({"metric=" + metric, "output_dimensions=3"});
    const Matrix delta = distances_of(dense->values(), 90, metric);
    expect_point_stress(point_stress(InputDistances(*dense, parameters), layout), delta, d);
    if (metric == "manhattan") continue;
    expect_point_stress(point_stress(InputDistances(*made_sparse(*dense), parameters), layout), delta, d);
  }
}

TEST(Quality, PointStressOfDistancesThatAreFed) {
  const auto rows = cases::noise(80, 5);
  const std::vector<float> layout = scattered(80, 2);
  const Matrix delta = distances_of(rows->values(), 80), d = distances_of(layout, 80);
  std::vector<float> flat;
  for (const auto& row : delta) flat.insert(flat.end(), row.begin(), row.end());
  GlimmerParameters matrix = parameters_of({"metric=matrix"}), graph = parameters_of({"metric=graph"}),
                    gower = parameters_of({"metric=gower"});
  const auto table = cases::dataset(80, 80, flat);
  expect_point_stress(point_stress(InputDistances(*table, matrix), layout), delta, d);
  const auto fed = cases::fed(std::make_shared<cases::FedRows>(rows));
  for (GlimmerParameters* each : {&graph, &gower})
    expect_point_stress(point_stress(InputDistances(*fed, *each), layout), delta, d);
}

// The stress is the mean of the points' own stress, weighted by their denominators.
TEST(Quality, PointStressAddsUpToTheStress) {
  const auto data = cases::noise(300, 4);
  GlimmerParameters parameters;
  const std::vector<float> layout = scattered(300, 2);
  const glimmer::PointStress found = point_stress(InputDistances(*data, parameters), layout);
  const Matrix delta = distances_of(data->values(), 300);
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    const double weight = std::inner_product(delta[i].begin(), delta[i].end(), delta[i].begin(), 0.0);
    sum += weight * found.value[i], weights += weight;
  }
  EXPECT_NEAR(sum / weights / full_stress(*data, parameters, layout).value, 1, 1e-5);
}

// Vector instructions change no bit. There are so few points that their pairs are added one after the other, and one
// point has no place.
TEST(Quality, FullStressAddsPairByPair) {
  for (const std::size_t points : {1, 7, 8, 9, 30})
    for (const std::size_t columns : {2, 3})
      for (const std::string metric : {"euclidean", "manhattan", "cosine", "cosine-squared", "fed"}) {
        const auto rows = thin_rows(points + 1, 13);
        const bool fed = metric == "fed";
        const auto data = fed ? cases::fed(std::make_shared<cases::FedRows>(rows)) : rows;
        GlimmerParameters parameters = parameters_of({fed ? "metric=graph" : "metric=" + metric});
        const InputDistances input(*data, parameters);
        std::vector<float> layout = scattered(points + 1, columns);
        const std::size_t absent = points / 2;
        layout[absent * columns] = NAN;
        double error = 0, size = 0;
        for (std::size_t i = 0; i < points + 1; ++i) {
          std::vector<float> delta(points + 1);
          if (fed) input.row(i, delta);
          double row_error = 0, row_size = 0;
          for (std::size_t j = 0; j < i; ++j) {
            if (i == absent || j == absent) continue;
            double square = 0;
            for (std::size_t l = 0; l < columns; ++l)
              square += std::pow(double(layout[i * columns + l]) - layout[j * columns + l], 2);
            const double distance = fed ? double(delta[j]) : input.pair(i, j);
            row_error += std::pow(std::sqrt(square) - distance, 2), row_size += distance * distance;
          }
          error += row_error, size += row_size;
        }
        const double expected = size > 0 ? error / size : 0, found = full_stress(input, layout).value;
        SCOPED_TRACE(metric + ", " + std::to_string(points) + " points, " + std::to_string(columns) + " columns");
        if (fed)
          EXPECT_DOUBLE_EQ(found, expected);  // rows of fed distances are added in a tree
        else
          EXPECT_EQ(found, expected);
      }
}

TEST(Quality, SampledStressIsThatOfAllPairs) {
  const std::size_t n = 3000;
  const auto data = cases::noise(n, 5);
  std::vector<float> layout;  // two columns of the data, so that the δ of a wrong pair would show
  for (std::size_t i = 0; i < n; ++i) layout.insert(layout.end(), {data->values()[5 * i], data->values()[5 * i + 1]});
  for (const char* metric : {"metric=euclidean", "metric=manhattan", "metric=cosine"}) {
    GlimmerParameters parameters = parameters_of({metric});
    const InputDistances input(*data, parameters);
    const FullStress all = full_stress(input, layout), sampled = full_stress(input, layout, {}, {.most_exact = 100});
    EXPECT_TRUE(all.exact);
    EXPECT_FALSE(sampled.exact);
    EXPECT_NE(sampled.value, all.value);
    EXPECT_NEAR(sampled.value / all.value, 1, 2e-3) << metric;
  }
}

// Data of which a few pairs carry most of both sums. `layout` is their first two columns, so far points are well
// placed.
TEST(Quality, SampledStressOfFarPointsIsThatOfAllPairs) {
  const std::size_t n = 6000;
  const Random random(3, 0);
  const auto near_cauchy = [&](double u) { return std::tan(3.14159 * (u - 0.5)); };
  const auto far = [](std::size_t i) { return i % 300 == 7; };
  for (const std::string kind : {"twenty far points", "far points, badly placed", "Cauchy", "one far point"}) {
    auto data = cases::noise(n, 5);
    std::vector<float> layout;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t h = 0; h < 5; ++h) {
        float& value = data->rows().values.own()[5 * i + h];
        if (kind == "Cauchy") value = static_cast<float>(near_cauchy(random.uniform(i, h)));
        if (kind == "one far point" ? i == 4000 : kind != "Cauchy" && far(i)) value *= 1e4f;
      }
      const bool astray = kind == "far points, badly placed" && far(i);
      for (std::size_t l = 0; l < 2; ++l) layout.push_back(astray ? 0 : data->values()[5 * i + l]);
    }
    GlimmerParameters rows = parameters_of({}), table = parameters_of({"metric=graph"});
    for (const bool fed : {false, true}) {
      SCOPED_TRACE(kind + (fed ? ", distances are fed" : ""));
      const auto given = fed ? cases::fed(std::make_shared<cases::FedRows>(data)) : data;
      const InputDistances input(*given, fed ? table : rows);
      const FullStress all = full_stress(input, layout), sampled = full_stress(input, layout, {}, {.most_exact = 100});
      EXPECT_EQ(all.standard_error, 0);
      EXPECT_FALSE(sampled.exact);
      EXPECT_NEAR(sampled.value / all.value, 1, 0.01);
      EXPECT_NEAR(sampled.value, all.value, 4 * sampled.standard_error);
    }
  }
}

TEST(Quality, ASampleOfPartnersTellsNearlyTheSame) {
  const std::size_t n = 9000;
  const auto data = cases::noise(n, 4);
  GlimmerParameters parameters;
  const std::vector<float> layout = scattered(n, 2);
  const InputDistances input(*data, parameters);
  const glimmer::PointStress found = point_stress(input, layout);
  EXPECT_FALSE(found.exact);
  EXPECT_EQ(found.partners, 1000);
  std::vector<float> delta(n);
  for (std::size_t i = 0; i < n; i += 700) {
    input.row(i, delta);
    double numerator = 0, denominator = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double d = std::hypot(layout[2 * i] - layout[2 * j], layout[2 * i + 1] - layout[2 * j + 1]);
      numerator += (d - delta[j]) * (d - delta[j]), denominator += double(delta[j]) * delta[j];
    }
    EXPECT_NEAR(found.value[i] * denominator / numerator, 1, 0.2) << i;
  }
}

TEST(Quality, ShepardOfAPerfectLayoutIsItsDiagonal) {
  const auto plane = cases::noise(400, 2);
  GlimmerParameters parameters;
  const glimmer::ShepardSample sample(InputDistances(*plane, parameters));
  EXPECT_TRUE(sample.exact());
  const glimmer::ShepardDiagram diagram = sample.of(plane->values());
  EXPECT_EQ(diagram.pairs, 400 * 399 / 2);
  EXPECT_EQ(diagram.beyond, 0);
  std::uint64_t near_diagonal = 0, all = 0;
  constexpr std::size_t bins = glimmer::ShepardDiagram::bins;
  for (std::size_t r = 0; r < bins; ++r)
    for (std::size_t c = 0; c < bins; ++c) {
      all += diagram.counts[r * bins + c];
      if (r <= c + 1 && c <= r + 1) near_diagonal += diagram.counts[r * bins + c];
    }
  EXPECT_EQ(all, diagram.pairs);
  EXPECT_EQ(near_diagonal, all);
}

// Every cell counts the pairs whose two distances are in its ranges.
TEST(Quality, ShepardCountsPairs) {
  const auto data = cases::noise(60, 3);
  std::vector<float> layout = scattered(60, 2);
  GlimmerParameters parameters;
  const glimmer::ShepardDiagram diagram = glimmer::ShepardSample(InputDistances(*data, parameters)).of(layout);
  const Matrix delta = distances_of(data->values(), 60), d = distances_of(layout, 60);
  constexpr std::size_t bins = glimmer::ShepardDiagram::bins;
  for (const std::size_t part : {4, 8}) {  // coarse cells, so that rounding at their edges moves few pairs
    std::vector<double> found(part * part), expected(part * part);
    for (std::size_t r = 0; r < bins; ++r)
      for (std::size_t c = 0; c < bins; ++c)
        found[r * part / bins * part + c * part / bins] += diagram.counts[r * bins + c];
    const auto cell = [&](double distance) {
      return std::min(part - 1, std::size_t(distance / diagram.high * double(part)));
    };
    for (std::size_t i = 0; i < 60; ++i)
      for (std::size_t j = 0; j < i; ++j) ++expected[cell(d[i][j]) * part + cell(delta[i][j])];
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1) << part << " " << k;
  }
}

// One far outlier does not push all other pairs into a corner.
TEST(Quality, ShepardAxesLeaveOutliersOut) {
  auto data = cases::noise(3000, 2);
  data->rows().values.own()[0] = 1e4f;
  GlimmerParameters parameters;
  const glimmer::ShepardSample sample(InputDistances(*data, parameters));
  EXPECT_FALSE(sample.exact());
  const glimmer::ShepardDiagram diagram = sample.of(data->values());
  EXPECT_LT(diagram.high, 2);
  EXPECT_GT(diagram.beyond, 9000);
  EXPECT_LT(diagram.beyond, 11'000);
}

TEST(Quality, SameForAnyNumberOfThreads) {
  const auto rows = cases::noise(9000, 4);
  const auto sparse = made_sparse(*thin_rows(9000, 12));
  const auto fed = cases::fed(std::make_shared<cases::FedRows>(cases::noise(9000, 3)));
  const std::vector<float> layout = scattered(9000, 2);
  GlimmerParameters euclidean, graph = parameters_of({"metric=graph"});
  for (const auto& [data, parameters] : {std::pair(rows, &euclidean), {sparse, &euclidean}, {fed, &graph}}) {
    const auto all = [&, &data = data, &parameters = parameters](int threads) {
      std::vector<double> figures;
      oneapi::tbb::task_arena(threads).execute([&] {
        const InputDistances input(*data, *parameters);
        for (const float value : point_stress(input, layout).value) figures.push_back(value);
        const glimmer::Neighbourhood kept = neighbourhood_kept(input, layout, 12);
        figures.insert(figures.end(), {kept.trustworthiness, kept.continuity, full_stress(input, layout).value});
        const glimmer::ShepardDiagram diagram = glimmer::ShepardSample(input).of(layout);
        figures.insert(figures.end(), diagram.counts.begin(), diagram.counts.end());
        figures.insert(figures.end(), {diagram.high, double(diagram.beyond)});
        for (const glimmer::Neighbour& each : nearest_rows(input, 17, 12))
          figures.insert(figures.end(), {double(each.point), double(each.distance)});
      });
      return figures;
    };
    const std::vector<double> one = all(1);
    for (const int threads : {2, 7}) EXPECT_EQ(one, all(threads)) << threads;
  }
}

TEST(Quality, OneRowHasNothingWrong) {
  const auto one = cases::dataset(1, 2, {3, 4});
  GlimmerParameters parameters;
  const InputDistances input(*one, parameters);
  const std::vector<float> layout = {0, 0};
  EXPECT_EQ(point_stress(input, layout).value, std::vector<float>{0});
  EXPECT_TRUE(std::isnan(neighbourhood_kept(input, layout, 12).trustworthiness));
  EXPECT_TRUE(nearest_rows(input, 0, 12).empty());
  EXPECT_EQ(glimmer::ShepardSample(input).of(layout).pairs, 0);
}

TEST(Quality, DuplicatesAreAtDistanceNothing) {
  auto data = thin_rows(40, 12);
  std::copy_n(data->values().begin(), 12, data->rows().values.own().begin() + 12 * 20);
  std::copy_n(data->values().begin(), 12, data->rows().values.own().begin() + 12 * 30);
  for (const std::string metric : {"euclidean", "cosine"})
    for (const std::shared_ptr<Dataset>& each : {data, made_sparse(*data)}) {
      GlimmerParameters parameters = parameters_of({"metric=" + metric});
      const auto found = nearest_rows(InputDistances(*each, parameters), 20, 3);
      ASSERT_EQ(found.size(), 3);
      EXPECT_EQ(found[0].point, 0);
      EXPECT_EQ(found[1].point, 30);
      EXPECT_EQ(found[0].distance, 0) << metric;
      EXPECT_EQ(found[1].distance, 0) << metric;
      EXPECT_GT(found[2].distance, 1e-3) << metric;
    }
  // All rows are equal, and so are their places in the layout.
  GlimmerParameters parameters;
  const auto alike = cases::dataset(30, 2, std::vector<float>(60, 1.0f));
  const InputDistances input(*alike, parameters);
  const std::vector<float> together(60, 0.5f);
  EXPECT_EQ(point_stress(input, together).value, std::vector<float>(30, 0));
  EXPECT_EQ(neighbourhood_kept(input, together, 5).trustworthiness, 1);
}

TEST(Quality, PointsWithoutAPlaceAreLeftOut) {
  const auto data = cases::noise(200, 4);
  std::vector<float> layout = scattered(200, 2), some;
  std::vector<float> rows;
  for (std::size_t i = 0; i < 200; ++i)
    if (i % 3 == 0) {
      layout[2 * i] = layout[2 * i + 1] = NAN;
    } else {
      some.insert(some.end(), {layout[2 * i], layout[2 * i + 1]});
      rows.insert(rows.end(), data->values().begin() + std::ptrdiff_t(4 * i),
                  data->values().begin() + std::ptrdiff_t(4 * i + 4));
    }
  const auto placed = cases::dataset(some.size() / 2, 4, rows);
  GlimmerParameters parameters;
  const InputDistances input(*data, parameters), alone(*placed, parameters);
  const auto all = point_stress(input, layout).value, expected = point_stress(alone, some).value;
  for (std::size_t i = 0, k = 0; i < 200; ++i)
    if (i % 3 == 0)
      EXPECT_TRUE(std::isnan(all[i]));
    else
      EXPECT_NEAR(all[i] / expected[k++], 1, 1e-5);
  EXPECT_EQ(neighbourhood_kept(input, layout, 12).trustworthiness, neighbourhood_kept(alone, some, 12).trustworthiness);
  EXPECT_EQ(neighbourhood_kept(input, layout, 12).continuity, neighbourhood_kept(alone, some, 12).continuity);
  EXPECT_EQ(glimmer::ShepardSample(input).of(layout).pairs, placed->points * (placed->points - 1) / 2);
  const std::vector<float> none(400, NAN);
  EXPECT_TRUE(std::isnan(point_stress(input, none).value[7]));
  EXPECT_EQ(glimmer::ShepardSample(input).of(none).pairs, 0);
}

TEST(Quality, StopsWhenAsked) {
  const auto data = cases::noise(9000, 4);
  GlimmerParameters parameters;
  const InputDistances input(*data, parameters);
  std::stop_source source;
  source.request_stop();
  const std::vector<float> layout = scattered(9000, 2);
  EXPECT_TRUE(point_stress(input, layout, source.get_token()).value.empty());
  EXPECT_TRUE(nearest_rows(input, 3, 12, source.get_token()).empty());
  EXPECT_TRUE(std::isnan(full_stress(input, layout, source.get_token()).value));
}

}  // namespace
}  // namespace kinescope::sim::quality_test
