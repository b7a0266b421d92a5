#include "sim/data/readers/number.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string_view>

namespace kinescope::sim::number_test {
namespace {

TEST(Number, KindsOfCells) {
  float value = -1;
  for (const std::string_view text :
       {"abc", "-", "+", ".", "e5", "1e", "1 2", "--1", "+-1", "1,5", "infinit", "nano", "na"})
    EXPECT_EQ(parse_cell(text, value), CellKind::text) << text;
  for (const std::string_view text : {"", "NA", "N/A", "n/a", "#N/A", "NULL", "null", "nan", "NAN", "-nan", "?"})
    EXPECT_EQ(parse_cell(text, value), CellKind::missing) << text;
  EXPECT_EQ(value, -1);
}

TEST(Number, ReadsTheNearestFloat) {
  const auto read = [](std::string_view text) {
    float value = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(parse_cell(text, value), CellKind::number) << text;
    return value;
  };
  EXPECT_EQ(read("+5."), 5.0f);
  EXPECT_EQ(read("3.4028235e38"), std::numeric_limits<float>::max());
  EXPECT_EQ(read("1e-45"), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(read("1e-400"), 0.0f);
  EXPECT_EQ(read("-0.0000000000000000000000000000000000000000000000000001"), 0.0f);
  EXPECT_TRUE(std::signbit(read("-1e-99999999999999999999")));
  EXPECT_EQ(read("16777217"), 16777216.0f);
  EXPECT_EQ(read("0.1"), 0.1f);
  // Halfway between two floats in double precision, and a little above.
  EXPECT_EQ(read("16777217.0000001"), 16777218.0f);
  EXPECT_EQ(read("16777217.0"), 16777216.0f);
  EXPECT_EQ(read("1.00000005960464"), 1.0f);
  EXPECT_EQ(read("1.0000000596046448"), 1.0000001f);
  EXPECT_EQ(read("0e999"), 0.0f);
  EXPECT_EQ(read("000000000000000000000000000000000000000000000000001"), 1.0f);
}

}  // namespace
}  // namespace kinescope::sim::number_test
