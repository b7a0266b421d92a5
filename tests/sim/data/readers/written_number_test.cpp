#include "sim/data/readers/written_number.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kinescope::sim::written_number_test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

TEST(WrittenNumbers, AreReadWithWhatPeopleWriteAroundThem) {
  const auto numbers = [](const Names& texts, DecimalMark of_file = DecimalMark::automatic) {
    Column column{.name = "x", .is_text = true, .numbers = {}, .texts = texts};
    turn_into_numbers(column, DecimalMark::automatic, of_file);
    return Numbers(column.numbers.begin(), column.numbers.end());
  };
  EXPECT_EQ(numbers({"1,000", "1,234,567.5", "$5", "12 %", "1_000", "1.0D+03", "-7", "(51)", "\u22125", "5 \u20AC"}),
            (Numbers{1000, 1234567.5, 5, 12, 1000, 1000, -7, -51, -5, 5}));
  EXPECT_EQ(numbers({"1.000,5", "1.000", "2,25", "1\u202F000"}), (Numbers{1000.5, 1000, 2.25, 1000}));
  EXPECT_EQ(numbers({"1.000", "2,5"}, DecimalMark::comma), (Numbers{1000, 2.5}));
  // Texts that are no numbers have no vote, and a number as it stands has one.
  for (const char* text : {"..", "n.a.", "...", "10.11.2020", "see p. 9.1.2", "<0.05 (p.adj.)", "22.0/23.0"}) {
    const Numbers found = numbers({"0.512", text, "20.5", "0.733"});
    EXPECT_TRUE(found[0] == 0.512 && std::isnan(found[1]) && found[2] == 20.5 && found[3] == 0.733) << text;
  }
  EXPECT_EQ(numbers({"12.345", "13.871", "0.125"}), (Numbers{12.345, 13.871, 0.125}));
  EXPECT_EQ(numbers({"1.234.567", "12.345", "999.000", "78.901"}), (Numbers{1234567, 12345, 999000, 78901}));
  EXPECT_EQ(numbers({"1,23,456", "12,34,567", "5,000", "78,901"}), (Numbers{123456, 1234567, 5000, 78901}));
  EXPECT_EQ(numbers({"5k", "12k", "300", "1.5k", "2M"}), (Numbers{5000, 12000, 300, 1500, 2e6}));
  EXPECT_EQ(numbers({"5k", "12k"}), (Numbers{5, 12}));
  EXPECT_EQ(numbers({"1'234.50", "2\u2019000.00", "\u20B9 5,000"}), (Numbers{1234.5, 2000, 5000}));
  // A remark in brackets is no negative number, and digits with a unit that underscores join are a name.
  const Numbers remarks = numbers({"5", "(3 rows)", "(7)"}), names = numbers({"5 kV", "100_220kV", "7 kV"});
  EXPECT_TRUE(remarks[0] == 5 && std::isnan(remarks[1]) && remarks[2] == -7);
  EXPECT_TRUE(names[0] == 5 && std::isnan(names[1]) && names[2] == 7);
  EXPECT_EQ(numbers({"1_000 kg", "5 kg"}), (Numbers{1000, 5}));
  // Lists of numbers are none.
  const Numbers lists = numbers({"5", "90,47", "787,939", "3,4,5,8,9"});
  EXPECT_TRUE(lists[0] == 5 && std::isnan(lists[1]) && std::isnan(lists[2]) && std::isnan(lists[3]));
  const Numbers pairs = numbers({"1,7", "6,2", "5,3"}, DecimalMark::point);
  EXPECT_TRUE(std::isnan(pairs[0]) && std::isnan(pairs[1]) && std::isnan(pairs[2]));
  EXPECT_EQ(numbers({"1.234,56", "7,5"}, DecimalMark::point), (Numbers{1234.56, 7.5}));
  EXPECT_EQ(numbers({"12,90 \u20AC", "7,50 \u20AC"}, DecimalMark::point), (Numbers{12.9, 7.5}));
  // A unit that few have is another quantity.
  const Numbers mixed = numbers({"170", "182", "165", "1.75 m", "1.80 m"}), most = numbers({"170 cm", "165", "182 cm"});
  EXPECT_TRUE(mixed[1] == 182 && std::isnan(mixed[3]) && std::isnan(mixed[4]));
  EXPECT_EQ(most, (Numbers{170, 165, 182}));
  const Numbers ranges = numbers({"5 kg", "7 kg", "1-2", "3-4", "5-6"});
  EXPECT_TRUE(ranges[0] == 5 && ranges[1] == 7 && std::isnan(ranges[2]));
  EXPECT_EQ(numbers({"1,00,000", "12,34,567.5"}), (Numbers{100000, 1234567.5}));
  EXPECT_EQ(numbers({"1.234.567", "1.000"}), (Numbers{1234567, 1000}));
  EXPECT_EQ(numbers({"0x1.8p3", "0x10", "-0x2"}), (Numbers{12, 16, -2}));
  EXPECT_EQ(numbers({"2.5D-01", "-3.1d0"}), (Numbers{0.25, -3.1}));
  EXPECT_EQ(numbers({"- 5", "1 234.5", "$ 5", "-$5", " 12 345 678 ", "1_000.5"}),
            (Numbers{-5, 1234.5, 5, -5, 12345678, 1000.5}));
  EXPECT_EQ(numbers({"1 234,5", "1\u00A0234\u00A0567,8"}), (Numbers{1234.5, 1234567.8}));
  for (const Names& texts : std::vector<Names>{{"abc"},
                                               {"22-23"},
                                               {"inf"},
                                               {"1,2,3"},
                                               {"5 kg", "5 kg", "5 g"},
                                               {"120 80"},
                                               {"-5 3"},
                                               {"10 20 30"},
                                               {"2020 01"},
                                               {"1 2345"},
                                               {"1_2"},
                                               {"2020_01"},
                                               {"$5$3"},
                                               {"5%3"},
                                               {"1.5 2.5"},
                                               {"1.234 567"},
                                               {"$0 - $24,999"}})
    EXPECT_TRUE(std::isnan(numbers(texts).back())) << texts.back();
}

}  // namespace
}  // namespace kinescope::sim::written_number_test
