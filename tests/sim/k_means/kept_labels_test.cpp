// Labels by products and bounds on the CPU (kept_labels_cpu.hpp) against a plain loop over the formula.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "sim/k_means/kept_labels_cpu.hpp"
#include "tests/sim/k_means/k_means_cases.hpp"

namespace kinescope::sim::k_means_kept_labels_test {
namespace {

using namespace k_means;

// Points in panels, and what KeptLabels reads of a run.
struct Case {
  std::vector<float> rows, panels, centre, scale;  // rows: [N × d]
  std::vector<float> centroids;                    // [K × d]
  Control control;
  RunView run;
  std::int64_t N;
  int d;

  Case(std::vector<float> values, int columns) : rows(std::move(values)), d(columns) {
    N = static_cast<std::int64_t>(rows.size()) / d;
    panels.assign(static_cast<std::size_t>((N + panel - 1) / panel * panel * d), 0);
    centre.assign(static_cast<std::size_t>(d), 0);
    float largest = 0;
    for (std::int64_t i = 0; i < N; ++i)
      for (int c = 0; c < d; ++c) {
        const float x = row(i)[c];
        panels[static_cast<std::size_t>(i / panel * panel * d + c * panel + i % panel)] = x;
        centre[static_cast<std::size_t>(c)] += x / static_cast<float>(N);
        largest = std::max(largest, std::abs(x));
      }
    int exponent = 0;
    std::frexp(largest, &exponent);
    scale.assign(static_cast<std::size_t>(d), std::ldexp(1.0f, std::min(40 - exponent, 126)));
    run.points = {panels.data(), N, d, 0, N};
    run.centre = centre.data();
    run.scale = scale.data();
    run.control = &control;
  }
  const float* row(std::int64_t i) const { return rows.data() + i * d; }

  void place(std::vector<float> at) {
    centroids = std::move(at);
    run.clusters = run.last_clusters = static_cast<int>(centroids.size()) / d;
    run.centroids = centroids.data();
  }

  void expect_exact(const KeptLabels& kept, const std::string& where) const {
    const int K = run.clusters;
    std::vector<std::int64_t> sums(static_cast<std::size_t>(K) * static_cast<std::size_t>(d + 1));
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < N; ++i) {
      std::uint32_t label = 0;
      float best = std::numeric_limits<float>::infinity();
      for (int k = 0; k < K; ++k) {
        float square = 0;
        for (int c = 0; c < d; ++c) {
          const float difference = row(i)[c] - centroids[static_cast<std::size_t>(k * d + c)];
          square = std::fma(difference, difference, square);
        }
        if (square < best) best = square, label = static_cast<std::uint32_t>(k);
      }
      wrong += kept.labels(run)[i] != label || std::memcmp(kept.squares(run) + i, &best, sizeof best) != 0;
      std::int64_t* own = sums.data() + label * static_cast<std::size_t>(d + 1);
      for (int c = 0; c < d; ++c)
        own[c] += std::llrint(static_cast<double>(row(i)[c]) * scale[static_cast<std::size_t>(c)]);
      ++own[d];
    }
    EXPECT_EQ(wrong, 0) << where;
    std::int64_t different = 0;
    for (int k = 0; k < K; ++k)
      for (int c = 0; c <= d; ++c) different += kept.sum(k, c) != sums[static_cast<std::size_t>(k * (d + 1) + c)];
    EXPECT_EQ(different, 0) << where;
  }
};

std::vector<float> normal(std::size_t count, float width, float middle, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> values(middle, width);
  std::vector<float> all(count);
  for (float& value : all) value = values(random);
  return all;
}

std::vector<float> some_rows(const Case& of, int K, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> found;
  for (int k = 0; k < K; ++k) {
    const float* row = of.row(static_cast<std::int64_t>(random() % static_cast<unsigned>(of.N)));
    found.insert(found.end(), row, row + of.d);
  }
  return found;
}

// Passes in which the centroids jump, rest, move a little, and a few of them move far.
void expect_exact_passes(Case& of, int K, const std::string& name, std::int64_t part_points = 0) {
  Cpu cpu(3);
  KeptLabels kept;
  std::mt19937 random(7);
  std::normal_distribution<float> step(0, 1);
  const std::vector<float> other = some_rows(of, K, 2);
  of.place(some_rows(of, K, 1));
  for (int pass = 0; pass < 9; ++pass) {
    std::vector<float> next = of.centroids;
    for (std::size_t e = 0; e < next.size(); ++e) {
      const std::size_t k = e / static_cast<std::size_t>(of.d);
      const float towards = other[e] - next[e];
      if (pass == 2) next[e] = other[e];
      if (pass == 3 || pass == 5) next[e] += 0.01f * towards + 1e-3f * step(random) * next[e];
      if (pass == 4 || pass == 7) next[e] = k % 9 == 4 ? 0.5f * (next[e] + of.rows[e]) : next[e];
      if (pass == 6 && k < 2) next[e] = of.rows[e % static_cast<std::size_t>(of.d)];  // two are equal
    }
    of.place(std::move(next));
    const std::int64_t part = part_points > 0 ? part_points : of.N;
    for (std::int64_t first = 0; first < of.N; first += part) {
      Points points = of.run.points;
      points.x += first * of.d;
      points.first = first;
      points.count = std::min(part, of.N - first);
      RunView view = of.run;
      view.points = points;
      kept.update(cpu, view, K);
    }
    EXPECT_TRUE(kept.complete());
    of.expect_exact(kept, name + ", pass " + std::to_string(pass));
  }
}

TEST(KeptLabels, AreThoseOfTheFormulaForAnyCountsAndColumns) {
  for (const auto& [N, d, K] : {std::tuple{1, 24, 1},
                                {2, 30, 2},
                                {31, 25, 8},
                                {33, 64, 33},
                                {1000, 129, 50},
                                {3001, 40, 100},
                                {517, 300, 49},
                                {4100, 1, 9},
                                {900, 768, 20}}) {
    Case of(normal(static_cast<std::size_t>(N) * static_cast<std::size_t>(d), 1, 0.3f, 5), d);
    expect_exact_passes(of, K, std::to_string(N) + " × " + std::to_string(d));
  }
}

TEST(KeptLabels, AreThoseOfTheFormulaWhereRoundingDecides) {
  const std::size_t N = 1500, d = 32;
  const auto check = [&](const char* name, std::vector<float> values) {
    Case of(std::move(values), static_cast<int>(d));
    expect_exact_passes(of, 40, name);
  };
  std::vector<float> whole = normal(N * d, 1, 0, 1), repeated = normal(N * d, 1, 0, 2),
                     outliers = normal(N * d, 1, 0, 3), blobs = normal(N * d, 0.05f, 0, 4);
  for (float& value : whole) value = std::round(value);  // many equal distances
  for (std::size_t e = 0; e < N * d; ++e) repeated[e] = repeated[e % (30 * d)];
  for (std::size_t c = 0; c < d; ++c) outliers[7 * d + c] *= 1e7f, outliers[900 * d + c] *= 1e5f;
  for (std::size_t e = 0; e < N * d; ++e) blobs[e] += static_cast<float>(e / d % 25 * (3 + e % d * 7) % 11);
  check("whole numbers", whole);
  check("repeated", repeated);
  check("outliers", outliers);
  check("blobs", blobs);
  check("equal", std::vector<float>(N * d, 2.5f));
  check("far from zero", normal(N * d, 1, 1e6f, 5));
  check("tiny", normal(N * d, 1e-20f, 0, 6));
  check("smaller than can be squared", normal(N * d, 1e-30f, 0, 7));
  check("large", normal(N * d, 1e17f, 0, 8));
  check("squares overflow", normal(N * d, 5e18f, 0, 9));
}

// Points halfway between two centroids, or next to there: the formula's roundings choose.
TEST(KeptLabels, AreThoseOfTheFormulaHalfwayBetweenCentroids) {
  const int d = 48, K = 24;
  for (const float middle : {0.0f, 100.0f, 1e5f}) {
    const std::vector<float> at = normal(static_cast<std::size_t>(K * d), 1, middle, 11);
    std::vector<float> rows;
    std::mt19937 random(3);
    for (int i = 0; i < 1200; ++i) {
      const std::size_t a = random() % K, b = random() % K;
      for (std::size_t c = 0; c < d; ++c) {
        const float half = 0.5f * (at[a * d + c] + at[b * d + c]);
        rows.push_back(i % 3 ? half : std::nextafter(half, 2 * middle + 1));
      }
    }
    Case of(std::move(rows), d);
    of.place(at);
    Cpu cpu(2);
    KeptLabels kept;
    kept.update(cpu, of.run, K);
    of.expect_exact(kept, "halfway, " + std::to_string(middle));
  }
}

TEST(KeptLabels, AreTheSameWhenPointsComeInParts) {
  Case of(normal(2000 * 40, 1, 0, 21), 40);
  expect_exact_passes(of, 60, "in parts", 3 * panel);
}

TEST(KeptLabels, BeginAnewWithAnotherNumberOfClusters) {
  Case of(normal(1000 * 26, 1, 0, 31), 26);
  Cpu cpu(2);
  KeptLabels kept;
  for (const int K : {10, 30, 9, 9}) {
    of.place(some_rows(of, K, static_cast<unsigned>(K)));
    kept.update(cpu, of.run, K);
    of.expect_exact(kept, std::to_string(K) + " clusters");
  }
}

// Whole runs against Lloyd's iteration in its plainest form.
TEST(KeptLabels, RunsAreThoseOfAPlainLoop) {
  using namespace k_means_cases;
  const std::shared_ptr<const Dataset> data = uniform(3000, 30);
  const Plain plain = plain_lloyd(*data, StartFile::spread_rows(*data, 25), 12);
  const StartFile start(*data, 25);
  const auto simulation =
      k_means_cases::Trial(data, {"clusters=25", "iterations=12", "tolerance=0", start.assignment()}).finished();
  EXPECT_EQ(differences(labels(*simulation), plain.labels), 0u);
  const History history = simulation->history();
  for (std::size_t t = 0; t < history.entries.size() && t < plain.inertias.size(); ++t)
    EXPECT_NEAR(history.entries[t].figure, plain.inertias[t], 1e-6 * plain.inertias[t]);
}

}  // namespace
}  // namespace kinescope::sim::k_means_kept_labels_test
