// IDX files: images with a file of labels beside them, other kinds of numbers, damage.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::idx_test {
namespace {

std::string header(unsigned char type, const std::vector<unsigned>& sizes) {
  std::string bytes = {0, 0, static_cast<char>(type), static_cast<char>(sizes.size())};
  for (const unsigned size : sizes)
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> shift & 255);
  return bytes;
}

class Idx : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) { return folder_.write(name, bytes); }
  static std::string error_of(const std::string& path) {
    try {
      load_table({path});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  const TemporaryFolder folder_;
};

TEST_F(Idx, ImagesAreRowsAndTheLabelsBesideThemTheirClass) {
  const std::string path =
      write("t-images-idx3-ubyte", header(0x08, {2, 2, 2}) + std::string("\0\xFF\x33\0\1\2\3\4", 8));
  write("t-labels-idx1-ubyte", header(0x08, {2}) + std::string("\7\2", 2));
  const Table table = load_table({path});
  ASSERT_EQ(table.rows, 2u);
  ASSERT_EQ(table.columns.size(), 5u);
  EXPECT_EQ(table.columns[1].numbers, (std::vector<float>{1, 2.0f / 255}));
  EXPECT_EQ(table.columns[4].name, "class");
  EXPECT_EQ(table.columns[4].texts, (std::vector<std::string>{"7", "2"}));
}

TEST_F(Idx, NumbersAreBigEndianAndKeepTheirScale) {
  const std::string path = write("numbers", header(0x0B, {1, 2}) + std::string("\1\0\xFF\xFF", 4));
  const Table table = load_table({path});
  EXPECT_EQ(table.columns[0].numbers, std::vector<float>{256});
  EXPECT_EQ(table.columns[1].numbers, std::vector<float>{-1});
}

// Four bytes that were inserted shift all pixels behind them, and nothing else tells.
TEST_F(Idx, BytesTooManyAreRefusedWithBothFigures) {
  const std::string bytes = header(0x08, {3, 2, 2}) + std::string(16, 'a');
  const std::string told = "damaged: 28 bytes hold the 3 × 2 × 2 values that its header states, but the file has 32";
  const std::string plain = write("v-images-idx3", bytes);
  EXPECT_EQ(error_of(plain), plain + ": " + told);
  const std::string packed = write("v.gz", gzip(bytes));
  EXPECT_EQ(error_of(packed), packed + ": " + told);
  const std::string pictures = write("w-images-idx3", header(0x08, {1, 1, 1}) + "a");
  const std::string labels = write("w-labels-idx1", header(0x08, {1}) + std::string("ab"));
  EXPECT_EQ(error_of(pictures),
            labels + ": damaged: 9 bytes hold the 1 values that its header states, but the file has 10");
}

TEST_F(Idx, LabelsInAPipeAreRefused) {
  const std::string pictures = write("x-images-idx3", header(0x08, {1, 1, 1}) + "a");
  const std::string labels = folder_.path("x-labels-idx1");
  ASSERT_EQ(mkfifo(labels.c_str(), 0600), 0);
  EXPECT_EQ(error_of(pictures), labels + ": is not a regular file");
}

TEST_F(Idx, DamageIsOneClearLine) {
  EXPECT_NE(error_of(write("short", header(0x08, {3, 4}) + "abc")).find("ends within its data"), std::string::npos);
  EXPECT_NE(error_of(write("headless", header(0x08, {3, 4, 5}).substr(0, 14))).find("ends within its header"),
            std::string::npos);
  EXPECT_NE(error_of(write("none", header(0x08, {0, 4}))).find("no rows"), std::string::npos);
  EXPECT_NE(error_of(write("huge", header(0x08, {0xFFFFFFFFu, 60'000}))).find("more than 2147483647 rows"),
            std::string::npos);
  const std::string path = write("u-images-idx3", header(0x08, {1, 1, 1}) + "a");
  write("u-labels-idx1", header(0x08, {2}) + "ab");
  EXPECT_NE(error_of(path).find("expected 1 labels"), std::string::npos);
}

}  // namespace
}  // namespace kinescope::sim::idx_test
