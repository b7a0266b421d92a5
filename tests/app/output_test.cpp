// Texts for people: suggestions, one-line messages, tables, bars.
#include "app/io/output.hpp"

#include <gtest/gtest.h>
#include <limits>

#include "app/io/progress_bar.hpp"
#include "kinescope/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app::output_test {
namespace {

TEST(Suggest, FindsTheNearestNameAndNoneThatIsFar) {
  const std::vector<std::string> names = {"near", "random", "step", "epsilon"};
  EXPECT_EQ(sim::nearest_name("neer", names), "near");
  EXPECT_EQ(sim::nearest_name("epsilom", names), "epsilon");
  EXPECT_EQ(sim::nearest_name("randoms", names), "random");
  EXPECT_EQ(sim::nearest_name("EPSILON", names), "epsilon");
  EXPECT_EQ(sim::nearest_name("N", {"m", "n"}), "n");
  EXPECT_EQ(sim::nearest_name("x", {"m", "n"}), "");  // another letter is another name
  EXPECT_EQ(sim::nearest_name("bandwidth", names), "");
  EXPECT_EQ(sim::nearest_name("", names), "");
  EXPECT_EQ(sim::nearest_name("x", {}), "");
  EXPECT_EQ(sim::nearest_name(std::string(1000000, 'n'), names), "");
}

TEST(Printable, IsOneLineWithoutControlCharacters) {
  EXPECT_EQ(printable("plain … text"), "plain … text");
  EXPECT_EQ(printable("two\nlines\tand a tab"), "two lines and a tab");
  EXPECT_EQ(printable("\x1b[31mred\x07"), "?[31mred?");
  EXPECT_EQ(printable("bad \xff\xc3 end"), "bad ?? end");
  EXPECT_EQ(printable("\xc2\x9b"), "??");
  EXPECT_EQ(printable("…", 2), "…");
  EXPECT_EQ(printable("abcdef", 3), "abc…");
}

TEST(Aligned, CountsCharactersNotBytes) {
  EXPECT_EQ(aligned({{"a", "bb"}, {"…", "c"}}), "a  bb\n…  c\n");
  EXPECT_EQ(aligned({{"n", "1"}, {"mm", "22"}}, {1}), "n    1\nmm  22\n");
  EXPECT_EQ(aligned({{"n", "1", ""}, {"mm"}}), "n   1\nmm\n");
}

TEST(CountText, PartsThousands) {
  EXPECT_EQ(sim::with_commas(0), "0");
  EXPECT_EQ(sim::with_commas(999), "999");
  EXPECT_EQ(sim::with_commas(1000), "1,000");
  EXPECT_EQ(sim::with_commas(1234567), "1,234,567");
}

TEST(FinalWrites, WritesWhatCanBeWritten) {
  FinalWrites final_writes;
  int written = 0;
  final_writes([] { throw sim::input_error("a: no room"); });
  final_writes([&] { ++written; });
  final_writes([] { throw sim::run_error("b: gone"); });
  EXPECT_EQ(written, 1);
  try {
    final_writes.finish();
    FAIL();
  } catch (const sim::Error& error) {
    EXPECT_STREQ(error.what(), "a: no room; b: gone");
    EXPECT_EQ(error.exit_status(), 1);
  }
  EXPECT_NO_THROW(FinalWrites().finish());
}

TEST(Bar, IsFullAtOneAndTakesAnyNumber) {
  EXPECT_EQ(bar_text(0, 4), "[----]");
  EXPECT_EQ(bar_text(0.5, 4), "[##--]");
  EXPECT_EQ(bar_text(1, 4), "[####]");
  EXPECT_EQ(bar_text(7, 4), "[####]");
  EXPECT_EQ(bar_text(-1, 4), "[----]");
  EXPECT_EQ(bar_text(std::numeric_limits<double>::quiet_NaN(), 4), "[----]");
}

TEST(Duration, UsesTheUnitsThatMatter) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(3725), "1 h 2 min");
}

}  // namespace
}  // namespace kinescope::app::output_test
