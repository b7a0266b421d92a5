// Tests of Glimmer on sparse rows: it finds what it finds on the same rows made dense.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "sim/glimmer/coordinates/sparse_by_slot.hpp"
#include "sim/glimmer/prepare.hpp"
#include "tests/places.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim::sparse_test {
namespace {

using cases::made_sparse;
using cases::Trial;

// Documents of four topics: each row has some of its topic's words, and a few of any other.
std::shared_ptr<Dataset> dense_documents(std::size_t points, std::size_t words) {
  std::vector<float> values(points * words, 0.0f);
  const Random random(11, 3);
  for (std::size_t i = 0; i < points; ++i)
    for (std::uint32_t k = 0; k < 12; ++k) {
      const std::size_t topic = i % 4, quarter = words / 4;
      const auto word =
          static_cast<std::size_t>(random.uniform(i, 2 * k) * static_cast<float>(k < 8 ? quarter : words));
      values[i * words + (k < 8 ? topic * quarter + word : word)] = 0.2f + random.uniform(i, 2 * k + 1);
    }
  return cases::dataset(points, words, std::move(values));
}

TEST(GlimmerSparse, StressIsThatOfDenseRows) {
  const auto dense = dense_documents(400, 200);
  const auto sparse = made_sparse(*dense);
  for (const char* metric : {"metric=euclidean", "metric=cosine", "metric=cosine-squared"}) {
    Trial trial(dense, {metric, "algorithm=stochastic-force"});
    const std::vector<float> layout = trial.layout();
    const double expected = trial.stress(layout);
    EXPECT_GT(expected, 0.01);
    EXPECT_NEAR(Trial(sparse, {metric}).stress(layout) / expected, 1, 1e-5) << metric;
  }
}

TEST(GlimmerSparse, AxesAreThoseOfDenseRows) {
  const auto dense = dense_documents(300, 120);
  const auto sparse = made_sparse(*dense);
  const SparseRows& rows = *sparse->sparse();
  for (const bool centred : {false, true}) {
    const std::vector<float> mean = centred ? glimmer::mean_of_sparse(rows, 300) : std::vector<float>();
    std::vector<float> values(dense->values().begin(), dense->values().end());
    if (centred)
      for (std::size_t e = 0; e < values.size(); ++e) values[e] -= mean[e % 120];
    const auto expected = dense_axis_rows(values, 120), found = glimmer::sparse_axis_rows(rows, 300, mean);
    std::vector<float> basis(120 * 19), a(basis.size()), b(basis.size());
    for (std::size_t e = 0; e < basis.size(); ++e) basis[e] = Random(1, 2).uniform(e) - 0.5f;
    expected->multiply(basis.data(), 19, a.data());
    found->multiply(basis.data(), 19, b.data());
    for (std::size_t e = 0; e < a.size(); ++e) ASSERT_NEAR(a[e], b[e], 1e-3) << centred;
    std::vector<double> gram(19 * 19), sparse_gram(gram.size());
    expected->gram(basis.data(), 19, gram.data());
    found->gram(basis.data(), 19, sparse_gram.data());
    for (std::size_t e = 0; e < gram.size(); ++e) ASSERT_NEAR(gram[e], sparse_gram[e], 1e-2) << centred;
  }
}

TEST(GlimmerSparse, LayoutsAreAsGoodAsThoseOfDenseRows) {
  const auto dense = dense_documents(1800, 400);
  const auto sparse = made_sparse(*dense);
  for (const std::string metric : {"euclidean", "cosine", "cosine-squared"})
    for (const std::string algorithm : {"glimmer", "glimmer-2007"}) {
      const std::vector<std::string> settings = {"metric=" + metric, "algorithm=" + algorithm, "landmarks=700"};
      Trial expected(dense, settings), found(sparse, settings);
      EXPECT_LT(found.stress(found.layout()), 1.02 * expected.stress(expected.layout())) << metric << ", " << algorithm;
    }
}

TEST(GlimmerSparse, TheFigureShownIsTheStress) {
  for (const std::size_t points : {500, 5000}) {
    Trial trial(made_sparse(*dense_documents(points, 400)), {"metric=cosine-squared"});
    const auto simulation = trial.finished();
    EXPECT_NEAR(simulation->progress().figure / trial.stress(Trial::rows(simulation->result())), 1, 0.01) << points;
  }
}

TEST(GlimmerSparse, SameBytesForAnyNumberOfThreads) {
  const auto data = made_sparse(*dense_documents(3000, 300));
  for (const std::string algorithm : {"glimmer", "glimmer-2007"}) {
    Trial run(data, {"metric=cosine", "algorithm=" + algorithm});
    const std::vector<float> first = run.layout();
    for (const int threads : {1, 7}) {
      run.setup.threads = threads;
      const std::vector<float> again = run.layout();
      EXPECT_EQ(std::memcmp(first.data(), again.data(), first.size() * sizeof(float)), 0) << algorithm << threads;
    }
  }
}

// Few rows, rows without a value, rows all alike, one column, a far row.
TEST(GlimmerSparse, DegenerateRowsGiveFiniteLayouts) {
  const auto sparse = [](std::vector<std::vector<float>> rows) {
    std::vector<float> values;
    for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
    return made_sparse(*cases::dataset(rows.size(), rows[0].size(), std::move(values)));
  };
  auto far = *dense_documents(3000, 60);
  far.rows().values.own()[7] = 1e6f;
  const std::shared_ptr<Dataset> data[] = {sparse({{1, 0, 2}}), sparse({{0, 0}, {0, 0}, {0, 0}}),
                                           sparse({{1, 0}, {1, 0}, {1, 0}, {0, 0}}), sparse({{1}, {2}, {0}, {5}}),
                                           made_sparse(far)};
  for (const auto& each : data)
    for (const char* metric : {"metric=euclidean", "metric=cosine", "metric=cosine-squared"})
      for (const char* algorithm : {"algorithm=glimmer", "algorithm=glimmer-2007"}) {
        Trial trial(each, {metric, algorithm});
        for (const float value : trial.layout()) ASSERT_TRUE(std::isfinite(value)) << metric << each->points;
      }
}

TEST(GlimmerSparse, RefusesWhatNeedsADenseTable) {
  const auto data = made_sparse(*dense_documents(50, 40));
  for (const char* setting : {"normalize=zscore", "normalize=minmax", "metric=manhattan"})
    for (const char* algorithm : {"algorithm=glimmer", "algorithm=glimmer-2007"}) {
      Trial trial(data, {setting, algorithm});
      EXPECT_THROW(trial.make(), Error) << setting;
    }
}

// 26,096 descriptions of Debian's packages. A regular simplex has 0.177 in the plane; the lowest stress found by any
// means is 0.168.
TEST(GlimmerSparse, DocumentsBeatTheSimplex) {
  const std::string path = tests::data_file("docs.svm.gz");
  if (path.empty()) GTEST_SKIP() << "the real data are absent";
  const auto data = load_dataset({.source = path});
  ASSERT_TRUE(data->sparse());
  Trial trial(data, {"metric=cosine-squared"});
  EXPECT_LT(trial.stress(trial.layout()), 0.175);
}

}  // namespace
}  // namespace kinescope::sim::sparse_test
