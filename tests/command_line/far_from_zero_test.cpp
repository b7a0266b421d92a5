// Columns far from zero lose no digits: what a run reports and writes is compared with doubles (long doubles, where
// sums are taken) made from the file's own numbers.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::far_from_zero_test {
namespace {

using nlohmann::json;
using Row = std::vector<double>;
using Rows = std::vector<Row>;

std::string digits_of(double value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string csv(const Rows& rows) {
  std::string text;
  for (std::size_t c = 0; c < rows.front().size(); ++c) text += (c ? ",x" : "x") + std::to_string(c);
  for (const Row& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) text += (c ? ',' : '\n') + digits_of(row[c]);
  return text + "\n";
}

// `Number` is double or std::int64_t.
template <class Number>
std::string npy(const Rows& rows) {
  std::string header = std::string("{'descr': '") + (std::is_integral_v<Number> ? "<i8" : "<f8") +
                       "', 'fortran_order': False, 'shape': (" + std::to_string(rows.size()) + ", " +
                       std::to_string(rows.front().size()) + "), }\n";
  std::string bytes = std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header;
  for (const Row& row : rows)
    for (const double value : row) {
      const auto number = static_cast<Number>(value);
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
  return bytes;
}

Rows numbers_in(const std::string& text) {
  Rows rows;
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    rows.emplace_back();
    std::istringstream cells(lines[i]);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

struct Result {
  json report;
  Rows out, centroids;
};

Result run(const Folder& folder, const std::string& simulation, const std::string& file,
           const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"run", simulation, "--data", file, "--out", "o.csv", "--report", "r.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const bool k_means = simulation == "k-means";
  if (k_means) arguments.insert(arguments.end(), {"--centroids", "c.csv"});
  const Outcome outcome = run_program(arguments, {.folder = folder.path()});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  if (outcome.status != 0) return {};
  return {json::parse(read_file(folder.path() / "r.json")), numbers_in(read_file(folder.path() / "o.csv")),
          k_means ? numbers_in(read_file(folder.path() / "c.csv")) : Rows{}};
}

// Gaussians of standard deviation 1 about the corners of a triangle, in steps of 2^-10, so that doubles hold them
// exactly at every offset.
Rows heaps(std::size_t points, std::size_t columns, double offset) {
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  Rows rows(points, Row(columns));
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t c = 0; c < columns; ++c)
      rows[i][c] = offset + std::round(1024 * (normal(engine) + (i % 3 == c ? 8 : 0))) / 1024;
  return rows;
}

long double distance(const Row& a, const Row& b, std::size_t columns) {
  long double sum = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const long double difference = static_cast<long double>(a[c]) - static_cast<long double>(b[c]);
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

// Σ (δ − d)² / Σ δ² over all pairs.
double stress_of(const Rows& rows, const Rows& layout) {
  long double error = 0, whole = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const long double high = distance(rows[i], rows[j], rows[i].size()), low = distance(layout[i], layout[j], 2);
      error += (high - low) * (high - low);
      whole += high * high;
    }
  return static_cast<double>(error / whole);
}

void expect_true_stress(const Rows& rows, const Result& result) {
  ASSERT_EQ(result.out.size(), rows.size());
  const double reported = result.report["stress"], recomputed = stress_of(rows, result.out);
  EXPECT_LE(std::abs(reported - recomputed), std::max(0.01 * recomputed, 1e-9)) << reported << " " << recomputed;
}

TEST(FarFromZero, GlimmerReportsTheStressOfWhatItWrites) {
  const Folder folder;
  for (const double offset : {0.0, 1e6, 1e9}) {
    const Rows rows = heaps(400, 5, offset);
    folder.write("a.csv", csv(rows));
    folder.write("a.npy", npy<double>(rows));
    for (const char* file : {"a.csv", "a.npy"}) {
      const Result result = run(folder, "glimmer", file);
      expect_true_stress(rows, result);
      EXPECT_GT(result.report["stress"], 0.001);
    }
  }
}

TEST(FarFromZero, CentroidsOfHeapsFarApartKeepTheirDigits) {
  const Folder folder;
  folder.write("a.csv", "x0,x1\n1,1\n2,2\n1000000000001,5\n1000000000003,6\n");
  const Result result = run(folder, "k-means", "a.csv", {"--set", "clusters=2"});
  Rows centroids;
  for (const Row& row : result.centroids) centroids.push_back({row[2], row[3]});
  std::ranges::sort(centroids);
  EXPECT_EQ(centroids, (Rows{{1.5, 1.5}, {1000000000002, 5.5}}));
}

// Seen from zero, rows far from it lie in almost the same direction: nearer than float32 can tell they are refused.
TEST(FarFromZero, CosineDistancesAreTrueOrRefused) {
  const Folder folder;
  for (const double offset : {10.0, 300.0, 1e4, 1e6, 1e9}) {
    folder.write("a.csv", csv(heaps(200, 3, offset)));
    const Outcome outcome = run_program(
        {"run", "glimmer", "--data", "a.csv", "--set", "metric=cosine", "--out", "o.csv", "--report", "r.json"},
        {.folder = folder.path()});
    if (offset >= 1e4) {
      EXPECT_EQ(flaw_of_error(outcome, 2), "");
      EXPECT_NE(outcome.errors.find("almost the same direction"), std::string::npos) << outcome.errors;
      continue;
    }
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    Rows directions = heaps(200, 3, offset);  // half their squared distance is 1 − cos
    for (Row& row : directions) {
      const auto length = static_cast<double>(distance(row, Row(row.size()), row.size()));
      for (double& value : row) value /= length;
    }
    const Rows layout = numbers_in(read_file(folder.path() / "o.csv"));
    long double error = 0, whole = 0;
    for (std::size_t i = 0; i < layout.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const long double away = distance(directions[i], directions[j], 3), high = away * away / 2;
        const long double low = distance(layout[i], layout[j], 2);
        error += (high - low) * (high - low);
        whole += high * high;
      }
    const double stress = static_cast<double>(error / whole);
    const double reported = json::parse(read_file(folder.path() / "r.json"))["stress"];
    EXPECT_NEAR(reported, stress, std::max(0.01 * stress, 1e-9)) << offset;
  }
}

// Metres with a detail of centimetres, as places on maps are.
TEST(FarFromZero, PlacesInMetresAreLaidOutAsTheyLie) {
  const Folder folder;
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  Rows rows;
  for (int i = 0; i < 120; ++i) {
    const double north = 0.02 * normal(engine), east = 0.02 * normal(engine);
    rows.push_back({5'412'000 + std::round(north * 1e4) / 1e4, 431'000 + std::round(east * 1e4) / 1e4});
  }
  folder.write("a.csv", csv(rows));
  const Result result = run(folder, "glimmer", "a.csv");
  expect_true_stress(rows, result);
  EXPECT_LT(stress_of(rows, result.out), 1e-9);
}

// Of the centroids that were written.
double inertia_of(const Rows& rows, const Result& result) {
  long double inertia = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& centroid = result.centroids[std::size_t(result.out[i][0])];
    const long double away = distance(rows[i], Row(centroid.begin() + 2, centroid.end()), rows[i].size());
    inertia += away * away;
  }
  return static_cast<double>(inertia);
}

void expect_true_clusters(const Rows& rows, const Result& result) {
  ASSERT_EQ(result.out.size(), rows.size());
  const double reported = result.report["inertia"], recomputed = inertia_of(rows, result);
  EXPECT_NEAR(reported / recomputed, 1, 1e-6);
  for (std::size_t i = 0; i < rows.size(); i += 7) {  // what is written has the file's units and enough digits
    const Row& centroid = result.centroids[std::size_t(result.out[i][0])];
    const Row place(centroid.begin() + 2, centroid.end());
    ASSERT_NEAR(static_cast<double>(distance(rows[i], place, place.size())), result.out[i][1], 1e-5);
  }
}

TEST(FarFromZero, KMeansReportsTheInertiaOfDoubles) {
  const Folder folder;
  double at_zero = 0;
  for (const double offset : {0.0, 1e6, 1e9, 1.7e9}) {
    const Rows rows = heaps(3000, 3, offset);
    folder.write("a.csv", csv(rows));
    folder.write("a.npy", npy<double>(rows));
    for (const char* file : {"a.csv", "a.npy"})
      for (const std::vector<std::string>& members : {std::vector<std::string>{}, {"--workers", "2"}}) {
        std::vector<std::string> options = members;
        options.insert(options.end(), {"--set", "clusters=5", "--set", "iterations=20"});
        const Result result = run(folder, "k-means", file, options);
        expect_true_clusters(rows, result);
        if (offset == 0) at_zero = result.report["inertia"];
        EXPECT_NEAR(result.report["inertia"].get<double>() / at_zero, 1, 1e-6) << offset;
      }
  }
}

TEST(FarFromZero, KMeansOfTimeStampsIsThatOfTheSecondsSinceTheFirst) {
  const Folder folder;
  for (const std::string clusters : {"2", "4"}) {
    double at_zero = 0;
    for (const double offset : {0.0, 1.7e9, 1.7e12}) {
      Rows rows;
      for (int i = 0; i < 40; ++i) rows.push_back({offset + i});
      folder.write("a.csv", csv(rows));
      folder.write("a.npy", npy<std::int64_t>(rows));
      for (const char* file : {"a.csv", "a.npy"}) {
        const Result result = run(folder, "k-means", file, {"--set", "clusters=" + clusters});
        expect_true_clusters(rows, result);
        if (clusters == "2")
          EXPECT_LE(result.report["inertia"], 1340);  // 20 and 20 rows are 1330; 19 and 21 may stay so
        if (offset == 0) at_zero = result.report["inertia"];
        EXPECT_EQ(result.report["inertia"], at_zero);
        EXPECT_GE(at_zero, clusters == "2" ? 1330 : 330);
      }
    }
  }
}

// A fifth of the stamps was never set.
TEST(FarFromZero, ZerosAmongTimeStampsCostThemNoDigits) {
  const Folder folder;
  Rows rows;
  for (int i = 0; i < 200; ++i) rows.push_back({i % 5 ? 1.7e9 + (i % 2 ? 100 : 0) + i % 10 : 0});
  folder.write("a.csv", csv(rows));
  const Result result = run(folder, "k-means", "a.csv", {"--set", "clusters=3"});
  expect_true_clusters(rows, result);
  EXPECT_LT(result.report["inertia"], 160 * 20);
}

TEST(FarFromZero, AHeapInAWideColumnKeepsItsDigits) {
  const Folder folder;
  // Days apart, but for some that are seconds apart: few, and most.
  for (const int heap : {3, 30, 170}) {
    Rows rows;
    for (int i = 0; i < 200; ++i) rows.push_back({i < heap ? 864'000'000.0 + i : 86'400.0 * i});
    folder.write("a.csv", csv(rows));
    expect_true_clusters(rows, run(folder, "k-means", "a.csv", {"--set", "clusters=20"}));
  }
}

TEST(FarFromZero, StandardizedColumnsAreThoseOfDoubles) {
  const Folder folder;
  for (const char* normalize : {"zscore", "minmax"}) {
    double at_zero = 0;
    for (const double offset : {0.0, 1.7e9}) {
      Rows rows = heaps(1000, 3, 0);
      for (Row& row : rows) row[0] = offset + row[0] * 1024;
      folder.write("a.csv", csv(rows));
      const Result result =
          run(folder, "k-means", "a.csv", {"--set", "clusters=3", "--set", std::string("normalize=") + normalize});
      if (offset == 0) at_zero = result.report["inertia"];
      EXPECT_NEAR(result.report["inertia"].get<double>() / at_zero, 1, 1e-6) << normalize;
      // Centroids are written in the file's units.
      for (const Row& centroid : result.centroids) EXPECT_NEAR(centroid[2] - offset, 4096, 8192);
    }
  }
}

TEST(FarFromZero, MeanShiftFindsTheModesOfDoubles) {
  const Folder folder;
  const double bandwidth = 1.5;
  Rows at_zero;
  for (const double offset : {0.0, 1e6, 1e9}) {
    const Rows rows = heaps(600, 2, offset);
    folder.write("a.csv", csv(rows));
    folder.write("a.npy", npy<double>(rows));
    for (const char* file : {"a.csv", "a.npy"}) {
      const Result result = run(folder, "mean-shift", file, {"--set", "bandwidth=1.5"});
      ASSERT_EQ(result.out.size(), rows.size());
      EXPECT_EQ(result.report["clusters"], 3);
      EXPECT_LT(result.report["largest_error"], 1e-4);
      if (at_zero.empty()) at_zero = result.out;
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t c = 0; c < 2; ++c)
          ASSERT_NEAR(result.out[i][c] - offset, at_zero[i][c], 1e-4 * bandwidth) << offset << " " << i;
    }
  }
}

}  // namespace
}  // namespace kinescope::tests::command_line::far_from_zero_test
