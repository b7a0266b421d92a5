// Rows of floating numbers that stay as the file has them: what is found about them on the way, and what becomes of
// them, beside the same numbers read into columns.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sim/data/findings.hpp"
#include "sim/data/number_facts.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::npy_rows_test {
namespace {

using Value = std::function<double(std::size_t row, std::size_t column)>;

template <class Number>
std::string npy(std::size_t rows, std::size_t columns, bool fortran, const Value& value) {
  std::string file("\x93NUMPY\1\0", 8);
  const std::string header = std::string("{'descr': '<f") + (sizeof(Number) == 4 ? "4" : "8") +
                             "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
                             std::to_string(rows) + ", " + std::to_string(columns) + ")}\n";
  file += static_cast<char>(header.size());
  file += '\0';
  file += header;
  for (std::size_t k = 0; k < rows * columns; ++k) {
    const auto number = static_cast<Number>(fortran ? value(k % rows, k / rows) : value(k / columns, k % columns));
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    file.append(bytes, sizeof number);
  }
  return file;
}

double noise(std::size_t row, std::size_t column) {
  return std::sin(double(row * 131 + column * 17)) * std::exp2(double(column % 9)) - double(column % 5);
}

void expect_same_facts(const NumberFacts& a, const NumberFacts& b, std::size_t column) {
  EXPECT_EQ(a.missing, b.missing) << column;
  EXPECT_EQ(a.first_infinite, b.first_infinite) << column;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a.low), std::bit_cast<std::uint64_t>(b.low)) << column;  // the sign of 0 too
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a.high), std::bit_cast<std::uint64_t>(b.high)) << column;
  EXPECT_EQ(a.whole, b.whole) << column;
}

// Compares what a table's columns tell with the loops that the words describe.
void expect_plain_facts(const Table& table) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Numbers& numbers = table.columns[c].numbers;
    ASSERT_NE(numbers.facts(), nullptr) << c;  // else there was a second pass
    const std::vector<double> plain(numbers.begin(), numbers.end());
    expect_same_facts(*numbers.facts(), facts_of(Numbers(plain)), c);
    double sum = 0, above = 0, squares = 0;
    for (const double number : plain) {
      sum += number;
      above += number - plain[0];
      squares += (number - plain[0]) * (number - plain[0]);
    }
    const auto count = static_cast<double>(plain.size());
    EXPECT_EQ(numbers.facts()->sum, sum) << c;
    EXPECT_EQ(numbers.facts()->variance, std::max(0.0, squares / count - above / count * (above / count))) << c;
  }
}

bool are_same(const Numbers& a, const Numbers& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
           return x == y || (std::isnan(x) && std::isnan(y));
         });
}

// The same numbers by rows and by columns make the same table and the same points.
template <class Number>
void expect_as_by_columns(
    std::size_t rows, std::size_t columns, const Value& value,
    const std::function<void(DataRequest&)>& ask = [](DataRequest&) {}) {
  const Table by_columns = read_bytes(npy<Number>(rows, columns, true, value), "a.npy");
  for (const bool keep : {true, false}) {
    Table by_rows = read_bytes(npy<Number>(rows, columns, false, value), "a.npy");
    for (std::size_t c = 0; c < columns; ++c) {
      const Numbers &own = by_rows.columns[c].numbers, &other = by_columns.columns[c].numbers;
      EXPECT_TRUE(are_same(own, other)) << c;
      EXPECT_EQ(own.fit_float(), other.fit_float()) << c;
      EXPECT_EQ(own.single(), other.single()) << c;
      expect_same_facts(facts_of(own), facts_of(other), c);
    }
    DataRequest request;
    ask(request);
    request.keep_columns = keep;
    const Dataset points = make_dataset(std::move(by_rows), request), expected = make_dataset(by_columns, request);
    EXPECT_EQ(points.values(), expected.values());
    EXPECT_EQ(points.rest(), expected.rest());
    EXPECT_EQ(points.origin(), expected.origin());
    EXPECT_EQ(points.labels, expected.labels);
    EXPECT_EQ(points.label_names, expected.label_names);
    EXPECT_EQ(points.rows_left_out, expected.rows_left_out);
    EXPECT_EQ(points.findings->sentences(), expected.findings->sentences());
    EXPECT_EQ(points.findings->far_rows, expected.findings->far_rows);
    ASSERT_EQ(points.table.columns.size(), expected.table.columns.size());
    for (std::size_t c = 0; c < points.table.columns.size(); ++c)
      EXPECT_TRUE(are_same(points.table.columns[c].numbers, expected.table.columns[c].numbers)) << c;
  }
}

TEST(NpyRows, FactsAreThoseOfPlainLoops) {
  const auto value = [](std::size_t row, std::size_t column) {
    if (column == 1) return 3.0;
    if (column == 2) return double(row) - 7;
    if (column == 3) return row % 2 ? 0.0 : -0.0;
    if (column == 4) return row % 3 ? 0.0 : -double(row);
    return noise(row, column);
  };
  for (const std::size_t columns : {16, 17, 23, 31, 130})
    for (const std::size_t rows : {1, 2, 77, 5000}) {
      expect_plain_facts(read_bytes(npy<float>(rows, columns, false, value), "a.npy"));
      expect_plain_facts(read_bytes(npy<double>(rows, columns, false, value), "a.npy"));
    }
}

TEST(NpyRows, AreReadLikeColumns) {
  for (const std::size_t columns : {16, 19, 64}) {
    expect_as_by_columns<float>(300, columns, noise);
    expect_as_by_columns<double>(300, columns, noise);
    expect_as_by_columns<double>(300, columns, [](std::size_t row, std::size_t c) { return double(row % 50 + c); });
    expect_as_by_columns<double>(300, columns, [](std::size_t row, std::size_t c) {
      return c % 2 ? noise(row, c) : std::floor(noise(row, c));  // only some fit into float32
    });
  }
}

TEST(NpyRows, GapsChoicesAndFarColumnsAreReadLikeColumns) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto with_gaps = [&](std::size_t row, std::size_t c) { return row % 40 == 3 && c == 9 ? nan : noise(row, c); };
  const auto classes = [](std::size_t row, std::size_t c) { return c == 5 ? double(row % 4) : noise(row, c); };
  const auto far = [](std::size_t row, std::size_t c) {  // an origin, and a rest
    return c == 3 ? 1.7e9 + noise(row, c) : c == 4 ? (row % 2 ? 1e9 : 1e-3) * noise(row, c) : noise(row, c);
  };
  const auto label = [](DataRequest& request) { request.label = "c5"; };
  const std::function<void(DataRequest&)> some = [](DataRequest& request) { request.columns = {"c3", "c7", "c1"}; };
  const std::function<void(DataRequest&)> successive = [](DataRequest& request) {
    request.columns = {"c3", "c4", "c5"};
  };
  const auto mean = [](DataRequest& request) { request.missing = Missing::mean; };
  expect_as_by_columns<float>(500, 18, with_gaps);
  expect_as_by_columns<double>(500, 18, with_gaps, mean);
  expect_as_by_columns<float>(500, 18, classes, label);
  expect_as_by_columns<double>(500, 18, classes, label);
  for (const auto& ask : {some, successive}) {
    expect_as_by_columns<float>(500, 18, noise, ask);
    expect_as_by_columns<double>(500, 18, far, ask);
  }
  expect_as_by_columns<float>(500, 18, far);
  expect_as_by_columns<double>(500, 18, far);
}

TEST(NpyRows, MoreThanGoBackAtATimeAreReadLikeColumns) {
  const auto in_classes = [](std::size_t row, std::size_t c) { return c == 5 ? double(row % 4) : noise(row % 100, c); };
  expect_as_by_columns<double>(280'000, 16, in_classes, [](DataRequest& request) { request.label = "c5"; });
}

TEST(NpyRows, InfinitiesAndNumbersBeyondFloatAreNamed) {
  const auto refusal = [](const Value& value) {
    return message_of_reading(npy<double>(300, 20, false, value), "a.npy");
  };
  EXPECT_EQ(refusal([](std::size_t row, std::size_t c) {
              return row == 7 && c == 2 ? -INFINITY : 1.0 / double(row + c + 1);
            }),
            "a.npy: row 8: column 'c2': an infinite value cannot be used for distances");
  EXPECT_EQ(refusal([](std::size_t row, std::size_t c) { return row == 250 && c == 19 ? 1e39 : noise(row, c); }),
            "a.npy: row 251: column 'c19': 1e+39 is beyond float32; divide the column by a power of ten");
}

TEST(NpyRows, BecomeThePointsWithoutACopy) {
  Table table = read_bytes(npy<float>(3000, 20, false, noise), "a.npy");
  const float* const rows = table.columns[0].numbers.rows<float>()->values.data();
  DataRequest request;
  request.keep_columns = false;
  Dataset points = make_dataset(std::move(table), request);
  EXPECT_EQ(points.values().data(), rows);
  EXPECT_GE(points.rows().values.own().capacity(), room_for_points(3000) * 20);
}

TEST(NpyRows, AColumnThatChangesLeavesTheOthers) {
  Table table = read_bytes(npy<float>(50, 16, false, noise), "a.npy");
  Numbers& changed = table.columns[3].numbers;
  changed.set(7, 1000.0f);
  changed.push_back(5.0f);
  EXPECT_EQ(changed.facts(), nullptr);
  ASSERT_EQ(changed.size(), 51u);
  EXPECT_EQ(changed[7], 1000);
  EXPECT_EQ(changed[8], static_cast<float>(noise(8, 3)));
  EXPECT_EQ(changed[50], 5);
  EXPECT_EQ(facts_of(changed).high, 1000);
  EXPECT_EQ(table.columns[4].numbers[7], static_cast<float>(noise(7, 4)));
}

}  // namespace
}  // namespace kinescope::sim::npy_rows_test
