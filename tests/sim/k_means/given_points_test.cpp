// Points that are given away (Setup::given): the run takes their rows, and computes the same.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/sim/k_means/k_means_cases.hpp"

namespace kinescope::sim::given_points_test {
namespace {

using namespace k_means_cases;

// As a reader leaves them: with room for whole panels.
std::shared_ptr<Dataset> with_room(const Dataset& data) {
  auto roomy = std::make_shared<Dataset>(data);
  roomy->rows().values.own().reserve(room_for_points(data.points) * data.dimensions);
  return roomy;
}

struct Results {
  Table labels, centroids;
  Report report;
};

Results results_of(Simulation& simulation) {
  return {simulation.table("out"), simulation.table("centroids"), simulation.report()};
}

void expect_same(const Table& a, const Table& b) {
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t c = 0; c < a.columns.size(); ++c)
    EXPECT_TRUE(same_bits(a.columns[c].numbers, b.columns[c].numbers)) << c;
}

// The entries that are no times.
std::string text_of(const Report& report) {
  std::string text;
  for (const auto& [key, value] : report.entries)
    if (const double* number = std::get_if<double>(&value); number && !key.ends_with("seconds")) {
      char digits[64];
      std::snprintf(digits, sizeof digits, "%s %a\n", key.c_str(), *number);
      text += digits;
    }
  return text;
}

void expect_taken_alike(const Dataset& data, const std::vector<std::string>& assignments, bool taken = true) {
  Trial kept(with_room(data), assignments);
  const Results expected = results_of(*kept.finished());
  EXPECT_EQ(kept.data->values(), data.values());
  const std::shared_ptr<Dataset> given = with_room(data);
  Trial trial(given, assignments);
  trial.setup.given = given;
  const Results found = results_of(*trial.finished());
  EXPECT_EQ(given->values().empty(), taken);
  expect_same(found.labels, expected.labels);
  expect_same(found.centroids, expected.centroids);
  EXPECT_EQ(text_of(found.report), text_of(expected.report));
}

TEST(KMeansGiven, ComputesTheSame) {
  for (const std::size_t points : {1, 31, 128, 129, 1000, 5000})
    for (const std::size_t columns : {1, 2, 7, 16, 33}) {
      const auto data = made(points, columns, 5);
      expect_taken_alike(*data, {"clusters=" + std::to_string(std::min<std::size_t>(points, 4))});
    }
}

TEST(KMeansGiven, SweepsManyClustersAndNormalizedPointsToo) {
  const auto data = made(9000, 6, 9);
  expect_taken_alike(*data, {"sweep=2:6"});
  expect_taken_alike(*data, {"clusters=4500", "iterations=2"});  // their start gathers candidates
  expect_taken_alike(*data, {"clusters=5", "restarts=3"});
  expect_taken_alike(*data, {"clusters=5", "normalize=zscore"});  // computed with a copy, the rows are released
  expect_taken_alike(*data, {"clusters=5", "start=random"});
}

TEST(KMeansGiven, RowsThatAreReadLaterStay) {
  const auto data = made(5000, 64, 5);
  expect_taken_alike(*data, {"clusters=4", "device_memory=1"}, false);  // the points come in parts
  data->rows().rest.assign(data->values().size(), 0.0f);
  data->rows().rest[7] = 1e-7f;
  expect_taken_alike(*data, {"clusters=4"}, false);  // means are taken with what float32 lost
}

}  // namespace
}  // namespace kinescope::sim::given_points_test
