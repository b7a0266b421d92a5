// What a program may hand to the library by mistake: each is told in one line, before anything is computed.
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
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
  EXPECT_EQ(with([](SparseRows& r) { r.index[2] = 4; }), "mine: a sparse row has a value beyond column 4");
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
