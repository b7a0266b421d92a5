// Glimmer on tables that hold the distances themselves.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <numbers>
#include <tuple>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "sim/glimmer/prepare.hpp"
#include "tests/places.hpp"
#include "tests/sim/glimmer/fed_rows.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim::distance_matrix_test {
namespace {

using cases::Trial;

std::shared_ptr<Dataset> distances_of(const Dataset& data) {
  const std::size_t n = data.points, h = data.dimensions;
  std::vector<float> values(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double square = 0;
      for (std::size_t c = 0; c < h; ++c) {
        const double difference = double(data.values()[i * h + c]) - data.values()[j * h + c];
        square += difference * difference;
      }
      values[i * n + j] = values[j * n + i] = static_cast<float>(std::sqrt(square));
    }
  return cases::dataset(n, n, std::move(values));
}

TEST(DistanceMatrix, GivesTheStressOfTheRowsItCameFrom) {
  const auto rows = cases::noise(2000, 6);
  const auto matrix = distances_of(*rows);
  for (const std::string setting : {"algorithm=glimmer", "landmarks=256", "algorithm=glimmer-2007"}) {
    Trial expected(rows, {setting}), found(matrix, {setting, "metric=matrix"});
    const std::vector<float> layout = found.layout();
    EXPECT_NEAR(found.stress(layout) / expected.stress(layout), 1, 1e-4) << setting;  // from both inputs
    EXPECT_LT(found.stress(layout), 1.02 * expected.stress(expected.layout())) << setting;
  }
}

TEST(DistanceMatrix, TheFigureShownIsTheStress) {
  Trial trial(distances_of(*cases::noise(2000, 6)), {"landmarks=256", "metric=matrix"});
  const auto simulation = trial.finished();
  EXPECT_NEAR(simulation->progress().figure / trial.stress(Trial::rows(simulation->result())), 1, 0.01);
}

TEST(DistanceMatrix, SameBytesForAnyNumberOfThreads) {
  Trial run(distances_of(*cases::noise(1500, 6)), {"landmarks=256", "metric=matrix", "output_dimensions=3"});
  const std::vector<float> first = run.layout();
  for (const int threads : {1, 7}) {
    run.setup.threads = threads;
    const std::vector<float> again = run.layout();
    EXPECT_EQ(std::memcmp(first.data(), again.data(), first.size() * sizeof(float)), 0) << threads;
  }
}

// Above 5,000 points distances are taken from the landmarks only.
TEST(DistanceMatrix, OfManyPointsNeedsTheLandmarksDistancesOnly) {
  for (const auto& [points, columns, settings] :
       {std::tuple{5300, 6, std::vector<std::string>{}}, {8301, 20, {"landmarks=600", "output_dimensions=3"}}}) {
    const auto rows = cases::noise(static_cast<std::size_t>(points), static_cast<std::size_t>(columns));
    const auto feeder = std::make_shared<cases::FedRows>(rows);
    std::vector<std::string> with = settings;
    with.push_back("metric=graph");
    Trial expected(rows, settings), found(cases::fed(feeder), with);
    const auto simulation = found.finished();
    EXPECT_TRUE(simulation->progress().converged);
    const auto sources = std::count_if(feeder->asked.begin(), feeder->asked.end(), [](int times) { return times > 0; });
    EXPECT_EQ(sources, (settings.empty() ? 2560 : 600) + 64);
    const std::vector<float> layout = Trial::rows(simulation->result());
    EXPECT_NEAR(found.stress(layout) / expected.stress(layout), 1, 1e-4);  // from both inputs
    EXPECT_NEAR(simulation->progress().figure / found.stress(layout), 1, 0.01);
    EXPECT_LT(found.stress(layout), 1.02 * expected.stress(expected.layout()));
    found.setup.threads = 7;
    const std::vector<float> again = found.layout();
    EXPECT_EQ(std::memcmp(layout.data(), again.data(), layout.size() * sizeof(float)), 0);
  }
}

// Procrustes' m² (J. Gower, 1975): the squared error that remains, relative to the squared size, after `x` is moved,
// turned, scaled and, where that is better, mirrored onto `y`; both [n × 2].
double procrustes(std::vector<double> x, std::vector<double> y) {
  const std::size_t n = x.size() / 2;
  double x_square = 0, y_square = 0, best = 0;
  for (std::vector<double>* points : {&x, &y})
    for (std::size_t c = 0; c < 2; ++c) {
      double mean = 0;
      for (std::size_t i = 0; i < n; ++i) mean += (*points)[2 * i + c] / static_cast<double>(n);
      for (std::size_t i = 0; i < n; ++i) (*points)[2 * i + c] -= mean;
    }
  for (std::size_t e = 0; e < 2 * n; ++e) x_square += x[e] * x[e], y_square += y[e] * y[e];
  for (const double mirror : {1.0, -1.0}) {
    double along = 0, across = 0;
    for (std::size_t i = 0; i < n; ++i) {
      along += x[2 * i] * mirror * y[2 * i] + x[2 * i + 1] * y[2 * i + 1];
      across += x[2 * i] * y[2 * i + 1] - x[2 * i + 1] * mirror * y[2 * i];
    }
    best = std::max(best, std::hypot(along, across));
  }
  return 1 - best * best / x_square / y_square;
}

// Europe's cities are where the map has them.
TEST(DistanceMatrix, OfCitiesIsTheMap) {
  const auto load = [](const std::string& name) {
    return load_dataset({.source = tests::project_file("assets/data/" + name)});
  };
  const auto places = load("cities-coordinates.csv");
  Trial trial(load("cities.csv"), {"metric=matrix"});
  const std::size_t n = places->points;
  ASSERT_EQ(trial.data->dimensions, n);
  EXPECT_EQ(trial.data->table.find("city")->texts, places->table.find("city")->texts);
  constexpr double earth = 6371;  // km
  std::vector<double> latitude, longitude;
  double middle = 0, meridian = 0;
  for (std::size_t i = 0; i < n; ++i) {
    latitude.push_back(places->values()[2 * i] * std::numbers::pi / 180);
    longitude.push_back(places->values()[2 * i + 1] * std::numbers::pi / 180);
    middle += latitude[i] / static_cast<double>(n), meridian += longitude[i] / static_cast<double>(n);
  }
  for (std::size_t i = 0; i < n; ++i)  // the file holds great-circle distances
    for (std::size_t j = 0; j < n; ++j) {
      const double half =
          std::pow(std::sin((latitude[i] - latitude[j]) / 2), 2) +
          std::cos(latitude[i]) * std::cos(latitude[j]) * std::pow(std::sin((longitude[i] - longitude[j]) / 2), 2);
      ASSERT_NEAR(trial.data->values()[i * n + j], 2 * earth * std::asin(std::sqrt(half)), 0.51) << i << ", " << j;
    }
  // The equirectangular map draws the north too wide; an azimuthal equidistant one is right about its middle.
  std::vector<double> equirectangular, azimuthal;
  for (std::size_t i = 0; i < n; ++i) {
    const double east = longitude[i] - meridian,
                 away = std::acos(std::sin(middle) * std::sin(latitude[i]) +
                                  std::cos(middle) * std::cos(latitude[i]) * std::cos(east));
    equirectangular.insert(equirectangular.end(), {east * std::cos(middle), latitude[i]});
    azimuthal.insert(azimuthal.end(), {away / std::sin(away) * std::cos(latitude[i]) * std::sin(east),
                                       away / std::sin(away) *
                                           (std::cos(middle) * std::sin(latitude[i]) -
                                            std::sin(middle) * std::cos(latitude[i]) * std::cos(east))});
  }
  const std::vector<float> layout = trial.layout();
  const std::vector<double> x(layout.begin(), layout.end());
  EXPECT_LT(trial.stress(layout), 1e-4);
  EXPECT_LT(procrustes(x, equirectangular), 0.03);
  EXPECT_LT(procrustes(x, azimuthal), 1e-3);
}

TEST(DistanceMatrix, DegenerateOnesGiveFiniteLayouts) {
  for (const auto& data : {cases::dataset(1, 1, {0}), cases::dataset(2, 2, {0, 3, 3, 0}),
                           cases::dataset(3, 3, std::vector<float>(9, 0.0f))})
    for (const char* algorithm : {"algorithm=glimmer", "algorithm=glimmer-2007"}) {
      Trial trial(data, {"metric=matrix", algorithm});
      for (const float value : trial.layout()) EXPECT_TRUE(std::isfinite(value)) << data->points;
    }
}

TEST(DistanceMatrix, LiesAreRefused) {
  const auto refusal = [](std::shared_ptr<Dataset> data,
                          const std::string& setting = "algorithm=glimmer") -> std::string {
    try {
      Trial(std::move(data), {"metric=matrix", setting}).make();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string begin = "made in a test: metric=matrix: ";
  for (const char* algorithm : {"algorithm=glimmer", "algorithm=glimmer-2007"}) {
    EXPECT_EQ(refusal(cases::dataset(2, 3, {0, 1, 2, 1, 0, 2}), algorithm), begin + "2 rows and 3 columns, not square");
    EXPECT_EQ(refusal(cases::dataset(2, 2, {0, -1, -1, 0}), algorithm),
              begin + "row 1, column 2: a distance is negative");
    EXPECT_EQ(refusal(cases::dataset(2, 2, {0, 1, 1, 5}), algorithm),
              begin + "row 2, column 2: the distance of a point from itself must be 0");
    EXPECT_EQ(refusal(cases::dataset(2, 2, {0, 1, 2, 0}), algorithm),
              begin + "row 1, column 2 and row 2, column 1 differ, but must be the same distance");
  }
  EXPECT_EQ(refusal(cases::dataset(2, 2, {0, 1, 1, 0}), "normalize=zscore"),
            begin + "distances have no columns to normalize; use normalize=none");
}

}  // namespace
}  // namespace kinescope::sim::distance_matrix_test
