// What a program may hand to the library by mistake: each is told in one line, before anything is computed.
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/error.hpp"
#include "kinescope/kinds.hpp"
#include "tests/sim/test_points.hpp"

namespace kinescope::sim::check_test {
namespace {

constexpr const char* kinds[] = {"glimmer", "mean-shift", "k-means"};

std::string refusal_of(const char* kind, std::shared_ptr<const Dataset> data) {
  try {
    const auto parameters = find_kind(kind)->make_parameters();
    find_kind(kind)->make({.data = std::move(data)}, *parameters);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::shared_ptr<Dataset> mine(const std::vector<float>& array) {
  auto data = std::make_shared<Dataset>();
  data->name = "mine";
  data->points = 10, data->dimensions = 3;
  data->rows().values = Values::borrow(array);
  return data;
}

const std::vector<float>& ascending() {
  static const std::vector<float> array = [] {
    std::vector<float> made(30);
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = float(i);
    return made;
  }();
  return array;
}

TEST(Check, ArraysThatAreTooShortAreRefused) {
  for (const char* kind : kinds) {
    EXPECT_EQ(refusal_of(kind, mine(ascending())), "") << kind;
    EXPECT_EQ(refusal_of(kind, nullptr), "this simulation needs data") << kind;
    const auto refused = [&](auto change) {
      const std::shared_ptr<Dataset> data = mine(ascending());
      change(*data);
      return refusal_of(kind, data);
    };
    EXPECT_EQ(refused([](Dataset& d) { d.points = 0; }), "mine: there are no points");
    EXPECT_EQ(refused([](Dataset& d) { d.dimensions = 0; }), "mine: no column of numbers is used");
    EXPECT_EQ(refused([](Dataset& d) { d.points = 11; }), "mine: values has 30 numbers; 33 are needed");
    EXPECT_EQ(refused([](Dataset& d) { d.rows().values = {}; }),
              "mine: there are no values for 10 points in 3 columns");
    EXPECT_EQ(refused([](Dataset& d) { d.points = d.dimensions = std::size_t(1) << 33; }),
              "mine: there are no values for 8589934592 points in 8589934592 columns");
    EXPECT_EQ(refused([](Dataset& d) { d.rows().rest.resize(7); }), "mine: rest has 7 numbers; 30 are needed");
    EXPECT_EQ(refused([](Dataset& d) { d.rows().origin.resize(2); }), "mine: origin has 2 numbers; 3 are needed");
    EXPECT_EQ(refused([](Dataset& d) { d.labels.resize(9); }), "mine: labels has 9 numbers; 10 are needed");
  }
}

TEST(Check, NumbersThatAreNotFiniteAreFound) {
  for (const float odd : {NAN, INFINITY, -INFINITY}) {
    std::vector<float> array = ascending();
    array[17] = odd;
    for (const char* kind : kinds)
      EXPECT_EQ(refusal_of(kind, mine(array)), "mine: the value of point 5 in column 2 (from 0) is not finite");
  }
}

TEST(Check, WhatBelongsToTheRowsIsFiniteToo) {
  for (const char* kind : kinds) {
    const auto refused = [&](auto change) {
      const std::shared_ptr<Dataset> data = mine(ascending());
      change(*data);
      return refusal_of(kind, data);
    };
    EXPECT_EQ(refused([](Dataset& d) { d.rows().rest.assign(30, 0), d.rows().rest[4] = NAN; }),
              "mine: the value of point 1 in column 1 (from 0) is not finite");
    EXPECT_EQ(refused([](Dataset& d) {
                d.rows().origin = {0, NAN, 0};
              }),
              "mine: the origin of column 1 (from 0) is not finite");
    EXPECT_EQ(refused([](Dataset& d) { d.components.assign(10, 4'000'000'000u); }),
              "mine: a component has a number that is not below the number of points");
    // Numbers may be lacking between components only where the rows are distances.
    std::vector<float> array = ascending();
    array[17] = NAN;
    const std::shared_ptr<Dataset> data = mine(array);
    data->components.assign(10, 0);
    EXPECT_EQ(refusal_of(kind, data), "mine: the value of point 5 in column 2 (from 0) is not finite");
  }
}

// Distances on a line within two components of five points; NaN between them.
class TwoLines : public DistanceFeeder {
 public:
  explicit TwoLines(float unit) : unit_(unit) {}
  std::size_t points() const override { return 10; }
  void row(std::size_t from, std::span<float> distances) const override {
    for (std::size_t j = 0; j < 10; ++j)
      distances[j] = from / 5 == j / 5 ? unit_ * std::abs(float(from) - float(j)) : NAN;
  }
  std::string description() const override { return "two lines"; }

 private:
  float unit_;
};

TEST(Check, DistancesMayHaveComponents) {
  const auto lines = [](float unit) {
    auto data = std::make_shared<Dataset>();
    data->name = "mine";
    data->points = 10, data->numbers = std::make_shared<TwoLines>(unit);
    data->components = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    data->pairs_left_out = 25;
    return data;
  };
  const auto parameters = find_kind("glimmer")->make_parameters();
  parameters->set("metric", "matrix");
  const auto run = find_kind("glimmer")->make({.data = lines(2)}, *parameters);
  while (run->advance({})) {
  }
  const Table table = run->result();
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::hypot(table.columns[0].numbers[a] - table.columns[0].numbers[b],
                      table.columns[1].numbers[a] - table.columns[1].numbers[b]);
  };
  for (const std::size_t first : {0, 5})
    for (std::size_t i = first; i < first + 5; ++i)
      for (std::size_t j = first; j < i; ++j) EXPECT_NEAR(distance(i, j), 2.0 * double(i - j), 0.02) << i << " " << j;
  EXPECT_THROW(find_kind("glimmer")->make({.data = lines(1e37f)}, *parameters), Error);
}

TEST(Check, SparseRowsOutOfOrderAreRefused) {
  const auto with = [](auto change) {
    auto rows = std::make_shared<SparseRows>();
    rows->columns = 4, rows->begin = {0, 1, 2, 4}, rows->index = {0, 1, 2, 3}, rows->value = {1, 2, 3, 4};
    change(*rows);
    auto data = std::make_shared<Dataset>();
    data->name = "mine";
    data->points = 3, data->dimensions = 4, data->numbers = rows;
    return refusal_of("glimmer", data);
  };
  EXPECT_EQ(with([](SparseRows&) {}), "");
  const std::string row =
      "mine: sparse row 2 (from 0): its columns must ascend, within the data's, and its values be finite and not 0";
  EXPECT_EQ(with([](SparseRows& r) { r.index[3] = 4; }), row);
  EXPECT_EQ(with([](SparseRows& r) { r.index[2] = 3, r.index[3] = 2; }), row);
  EXPECT_EQ(with([](SparseRows& r) { r.index[2] = 3; }), row) << "twice in a row";
  EXPECT_EQ(with([](SparseRows& r) { r.value[3] = std::nanf(""); }), row);
  EXPECT_EQ(with([](SparseRows& r) { r.value[2] = 0; }), row);
  EXPECT_EQ(with([](SparseRows& r) { r.columns = 3; }), "mine: the sparse rows have 3 columns, and the data 4");
  const std::string begins = "mine: the sparse rows do not begin and end within their 4 values";
  EXPECT_EQ(with([](SparseRows& r) { r.begin = {0, 2, 4}; }), begins);
  EXPECT_EQ(with([](SparseRows& r) { r.begin = {0, 2, 1, 4}; }), begins);
  EXPECT_EQ(with([](SparseRows& r) { r.begin = {0, 1, 2, 5}; }), begins);
}

TEST(Check, ParametersOfAnotherSimulationAreRefused) {
  const auto data = test_points::gaussians(100, 3);
  const auto own = find_kind("k-means")->make_parameters(), other = find_kind("mean-shift")->make_parameters();
  EXPECT_THROW(find_kind("k-means")->make({.data = data}, *other), Error);
  const auto run = find_kind("k-means")->make({.data = data}, *own);
  EXPECT_THROW(run->apply(*other), Error);
  EXPECT_THROW(run->set("normalize", "zscore"), Error) << "it would need a new run";
  run->set("normalize", "none");
  run->set("clusters", "3");
  run->publish();  // to nobody
  while (run->advance({})) {
  }
  EXPECT_EQ(run->snapshot()->progress.points, 100u);
}

}  // namespace
}  // namespace kinescope::sim::check_test
