#include "sim/data/readers/number.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string_view>

namespace kinescope::sim::number_test {
namespace {

TEST(Number, KindsOfCells) {
  double value = -1;
  for (const std::string_view text : {"abc", "-", "+", ".", "e5", "1e", "1 2", "--1", "+-1", "1,5", "infinit", "nano",
                                      "na", "Nan", "nAN", "#n/a", "#5"})
    EXPECT_EQ(parse_cell(text, value), CellKind::text) << text;
  for (const std::string_view text : {"", "NA", "N/A", "n/a", "#N/A", "NULL", "null", "nan", "NAN", "-nan", "NaN", "?",
                                      "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"})
    EXPECT_EQ(parse_cell(text, value), CellKind::missing) << text;
  EXPECT_EQ(value, -1);
}

TEST(Number, ReadsTheNearestDouble) {
  const auto read = [](std::string_view text) {
    double value = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(parse_cell(text, value), CellKind::number) << text;
    return value;
  };
  EXPECT_EQ(read("+5."), 5);
  EXPECT_EQ(read("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(read("4.9e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(read("1e-400"), 0);
  EXPECT_TRUE(std::signbit(read("-1e-99999999999999999999")));
  EXPECT_EQ(read("16777217"), 16777217);
  EXPECT_EQ(read("0.1"), 0.1);
  EXPECT_EQ(read("500000.123456789"), 500000.123456789);
  EXPECT_EQ(read("9007199254740993"), 9007199254740992);
  EXPECT_EQ(read("1.0000000000000001110223024625156541"), 1.0000000000000002);  // a little above halfway
  EXPECT_EQ(read("0e999"), 0);
  EXPECT_EQ(read("000000000000000000000000000000000000000000000000001"), 1);
  EXPECT_EQ(read("Inf"), INFINITY);
  EXPECT_EQ(read("-infinity"), -INFINITY);
  EXPECT_EQ(read("9e12345"), INFINITY);
}

}  // namespace
}  // namespace kinescope::sim::number_test
