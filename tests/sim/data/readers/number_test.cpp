#include "sim/data/readers/number.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "sim/data/readers/decimal.hpp"

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

// The double that is nearest by std::from_chars, and the same end.
void expect_nearest(const std::string& text) {
  double value = 0, nearest = 1;
  const char* const end = text.data() + text.size();
  const char* const stop = parse_decimal(text.data(), end, value);
  if (!stop) return;
  EXPECT_EQ(stop, std::from_chars(text.data(), end, nearest).ptr) << text;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(nearest)) << text;
}

TEST(Decimal, IsTheNearestDouble) {
  std::mt19937_64 random(1);
  char text[128];
  for (int i = 0; i < 200'000; ++i) {
    const auto part = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    const double value = std::ldexp(static_cast<double>(random() >> 11), part(150) - 128);
    const int size = i % 3 == 0   ? std::snprintf(text, sizeof text, "%.*e", part(19), value)
                     : i % 3 == 1 ? std::snprintf(text, sizeof text, "-%.*f", part(24), value)
                                  : std::snprintf(text, sizeof text, "%llu.%llue%d", random() >> part(64),
                                                  random() >> part(64), part(60) - 30);
    expect_nearest({text, static_cast<std::size_t>(size)});
  }
  // Halfway between two doubles, where the last bit decides, and one digit beside it.
  for (std::uint64_t odd = (std::uint64_t{1} << 53) + 1; odd < (std::uint64_t{1} << 53) + 200; odd += 2)
    for (const char* end : {"", ".0", ".1", "e0", "e1", "e-1", "e22", "e-22", "e27", "e-27"})
      for (const int off : {-1, 0, 1}) expect_nearest(std::to_string(odd + static_cast<std::uint64_t>(off)) + end);
}

TEST(Decimal, ReadsOnlyPlainNumbersOfFewDigits) {
  double value = 7;
  const auto read = [&](std::string_view text) {
    const char* const stop = parse_decimal(text.data(), text.data() + text.size(), value);
    return stop ? stop - text.data() : -1;
  };
  for (const std::string_view text : {"", "-", ".", "-.", "e5", "+1", "1e", "1e+", "12345678901234567890", "1e28",
                                      "1e-28", "1.5e99999", "nan", "--1"})
    EXPECT_EQ(read(text), -1) << text;
  EXPECT_EQ(value, 7);
  EXPECT_EQ(read("0000000000000000000000000000000000001.5,2"), 39);
  EXPECT_EQ(value, 1.5);
  EXPECT_EQ(read("-0.000012345678901234567891"), -1) << "20 digits";
  EXPECT_EQ(read("-0.000012345678901234567;"), 24);
  EXPECT_EQ(value, -0.000012345678901234567);
  EXPECT_EQ(read("-0"), 2);
  EXPECT_TRUE(std::signbit(value));
  EXPECT_EQ(read("1.2.3"), 3);
}

}  // namespace
}  // namespace kinescope::sim::number_test
