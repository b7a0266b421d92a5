// Parquet, Arrow and Feather files, which write_arrow_files makes.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/places.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::arrow_test {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
using Texts = std::vector<std::string>;
using Values = std::vector<double>;

class Arrow : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::filesystem::path writer = tests::executable_folder() / "write_arrow_files";
    if (!std::filesystem::exists(writer)) return;
    folder_ = std::make_unique<TemporaryFolder>();
    ASSERT_EQ(std::system(("'" + writer.string() + "' '" + folder_->path("") + "'").c_str()), 0);
  }
  static void TearDownTestSuite() { folder_.reset(); }
  void SetUp() override {
    if (!folder_) GTEST_SKIP() << "the tests were built without Apache Arrow's library";
  }

  static std::string path(const std::string& name) { return folder_->path(name); }
  static Table read(const std::string& name) { return load_table({path(name)}); }
  // The error of reading a file, without its folder.
  static std::string error_of(const std::string& name) {
    return input_message([&] { read(name); }).substr(path("").size());
  }

 private:
  static inline std::unique_ptr<TemporaryFolder> folder_;
};

bool same(const Numbers& numbers, const Values& expected) {
  if (numbers.size() != expected.size()) return false;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (numbers[i] != expected[i] && !(std::isnan(numbers[i]) && std::isnan(expected[i]))) return false;
  return true;
}

bool has_remark(const Table& table, const std::string& remark) {
  return std::ranges::find(table.remarks, remark) != table.remarks.end();
}

TEST_F(Arrow, EveryTypeIsReadToItsValues) {
  const float tenth = 0.1F;
  const std::vector<std::pair<std::string, Values>> expected = {{"i8", {-128, none, 127}},
                                                                {"u8", {0, none, 255}},
                                                                {"i16", {-32768, none, 32767}},
                                                                {"u16", {0, none, 65535}},
                                                                {"i32", {-2147483648.0, none, 2147483647}},
                                                                {"u32", {0, none, 4294967295}},
                                                                {"i64", {-9007199254740992, none, 9007199254740992}},
                                                                {"u64", {0, none, 18446744073709551616.0}},
                                                                {"f32", {tenth, none, -2.5}},
                                                                {"f64", {0.1, none, 1e300}},
                                                                {"decimal", {-12345.67, none, 0.1}},
                                                                {"truth", {1, none, 0}},
                                                                {"day", {0, none, 19783}},
                                                                {"moment", {-0.5, none, 19783 + 0.5 / 86400}},
                                                                {"zoned", {1, none, 19783.25}},
                                                                {"clock", {1.5, none, 60}},
                                                                {"list_0", {1, none, 3}},
                                                                {"list_1", {2, none, none}},
                                                                {"large_list_0", {1, none, 3}},
                                                                {"large_list_1", {16777217, none, 4}},
                                                                {"fixed_0", {0.1, 5, 3}},
                                                                {"fixed_1", {2, 6, 4}},
                                                                {"pair.x", {1, none, 3}}};
  const std::vector<std::pair<std::string, Texts>> expected_texts = {
      {"i64", {"-9007199254740993", "", "9007199254740993"}},
      {"u64", {"0", "", "18446744073709551615"}},
      {"text", {"é", "", ""}},
      {"large_text", {"a", "", "bc"}},
      {"day", {"1970-01-01", "", "2024-03-01"}},
      {"moment", {"1969-12-31 12:00:00", "", "2024-03-01 00:00:00.5"}},
      {"zoned", {"1970-01-02 00:00:00Z", "", "2024-03-01 06:00:00Z"}},
      {"size", {"large", "", "small"}},
      {"kind", {"a", "", "b"}},
      {"pair.t", {"p", "", "q"}}};
  for (const std::string name : {"types.parquet", "types.arrow", "types.arrows"}) {
    SCOPED_TRACE(name);
    const Table table = read(name);
    EXPECT_EQ(table.rows, 3u);
    EXPECT_EQ(table.columns.size(), 28u);
    for (const auto& [column, values] : expected) {
      ASSERT_NE(table.find(column), nullptr) << column;
      EXPECT_TRUE(same(table.find(column)->numbers, values)) << column;
    }
    for (const auto& [column, texts] : expected_texts) {
      ASSERT_NE(table.find(column), nullptr) << column;
      EXPECT_EQ(table.find(column)->texts, texts) << column;
    }
    EXPECT_EQ(table.find("size")->order, (Texts{"small", "large"}));
    EXPECT_TRUE(table.find("kind")->order.empty());
    EXPECT_TRUE(has_remark(table, "'clock' is in seconds"));
    EXPECT_TRUE(has_remark(table, "'uneven' is not read: its lists have different lengths, 2 and 0"));
    EXPECT_TRUE(has_remark(table, "'nested' is not read: it holds lists of something else than numbers"));
    EXPECT_TRUE(has_remark(table, "'bytes' is not read: it holds bytes"));
  }
  EXPECT_EQ(read("types.parquet").format, "Parquet file");
  EXPECT_EQ(read("types.arrow").format, "Arrow file");
  EXPECT_EQ(read("types.arrows").format, "Arrow stream");
}

TEST_F(Arrow, HalfPrecisionIsRead) {
  for (const std::string name : {"half.arrow", "half.parquet"})
    if (std::filesystem::exists(path(name)))
      EXPECT_TRUE(same(read(name).columns.at(0).numbers, {0.5, none, -65504})) << name;
}

TEST_F(Arrow, RowGroupsFollowEachOtherHoweverTheyArePacked) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path(""))) {
    if (!entry.path().filename().string().starts_with("long")) continue;
    SCOPED_TRACE(entry.path());
    ++files;
    const Table table = load_table({entry.path()});
    ASSERT_EQ(table.rows, 1000u);
    ASSERT_EQ(table.columns.size(), 4u);
    for (std::size_t i = 0; i < table.rows; ++i) {
      ASSERT_EQ(table.columns[0].numbers[i], static_cast<double>(i));
      ASSERT_EQ(table.columns[1].texts[i], std::string(1, static_cast<char>('a' + i / 400)));
      ASSERT_EQ(table.columns[2].numbers[i], static_cast<double>(i));
      ASSERT_EQ(table.columns[3].numbers[i], -static_cast<double>(i));
    }
  }
  EXPECT_GE(files, 5u);
}

TEST_F(Arrow, TheFirstFeatherIsRead) {
  const Table table = read("first.feather");
  EXPECT_EQ(table.format, "Feather file");
  EXPECT_TRUE(same(table.columns.at(0).numbers, {0.1, none, 3}));
  EXPECT_EQ(table.columns.at(1).texts, (Texts{"x", "y", ""}));
}

TEST_F(Arrow, TheIndexOfPandasNamesTheRows) {
  const Table table = read("pandas.parquet");
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[1].name, "index");
  EXPECT_TRUE(table.columns[1].annotates);
  EXPECT_FALSE(table.columns[0].annotates);
}

TEST_F(Arrow, PackedFilesAreUnpacked) {
  const TemporaryFolder folder;
  for (const std::string name : {"types.parquet", "types.arrow", "types.arrows"}) {
    const Table table = load_table({folder.write(name + ".gz", gzip(bytes_of(path(name))))});
    EXPECT_EQ(table.rows, 3u);
    EXPECT_TRUE(table.format.ends_with(", gzipped")) << table.format;
  }
}

TEST_F(Arrow, WhatHasNoTableSaysSo) {
  for (const std::string ending : {".parquet", ".arrow", ".arrows"}) {
    EXPECT_EQ(error_of("no_rows" + ending), "no_rows" + ending + ": no rows");
    EXPECT_EQ(error_of("no_columns" + ending), "no_columns" + ending + ": no rows");
    EXPECT_EQ(error_of("unread" + ending),
              "unread" + ending + ": no column can be read: 'bytes' is not read: it holds bytes");
  }
  EXPECT_EQ(message_of_reading("a,b\n1,2\n", "a.parquet"), "a.parquet: not a Parquet file");
  EXPECT_EQ(message_of_reading("a,b\n1,2\n", "a.FEATHER"), "a.FEATHER: not an Arrow or Feather file");
}

// A damaged file gives one line, or what is left of its values: only some formats have checksums.
TEST_F(Arrow, DamagedFilesGiveOneLine) {
  const TemporaryFolder folder;
  std::size_t refused = 0;
  for (const std::string name :
       {"types.parquet", "long_snappy.parquet", "types.arrow", "long.arrows", "first.feather"}) {
    const std::string bytes = bytes_of(path(name));
    for (std::size_t cut = 1; cut < 8; ++cut) {
      const std::string shorter = folder.write("cut_" + name, bytes.substr(0, bytes.size() * cut / 8));
      const std::string message = input_message([&] { load_table({shorter}); });
      if (!name.ends_with(".arrows")) EXPECT_NE(message, "(no error)") << name << " cut at " << cut << "/8";
    }
    for (std::size_t i = 1; i < 12; ++i) {
      std::string changed = bytes;
      changed[bytes.size() * i / 12] ^= static_cast<char>(0x55);
      const std::string damaged = folder.write("damaged_" + name, changed);
      refused += input_message([&] { load_table({damaged}); }) != "(no error)";
    }
  }
  EXPECT_GT(refused, 0u);
}

TEST_F(Arrow, ChecksumsArePutToUse) {
  const TemporaryFolder folder;
  std::string bytes = bytes_of(path("checked.parquet"));
  const std::size_t at = bytes.find(std::string("\x07\0\0\0\x08\0\0\0", 8));  // 7, 8 in a column of numbers
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(read("checked.parquet").rows, 1000u);
  bytes[at] ^= 1;
  const std::string damaged = folder.write("damaged.parquet", bytes);
  const std::string message = input_message([&] { load_table({damaged}); });
  EXPECT_NE(message.find("damaged"), std::string::npos) << message;
}

TEST_F(Arrow, ReadingCanBeCancelled) {
  LoadProgress progress;
  progress.cancelled = true;
  EXPECT_THROW(load_table({path("long.arrow")}, &progress), Cancelled);
}

}  // namespace
}  // namespace kinescope::sim::arrow_test
