// Matrix Market files: coordinates as sparse rows, arrays as tables, false headers.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/sparse_cases.hpp"

namespace kinescope::sim::matrix_market_test {
namespace {

using tests::dense;
using Rows = std::vector<std::vector<float>>;

std::string coordinates(const std::string& kind, const std::string& rest) {
  return "%%MatrixMarket matrix coordinate " + kind + "\n% made\n\n" + rest;
}
std::string array(const std::string& kind, const std::string& rest) {
  return "%%MatrixMarket matrix array " + kind + "\n" + rest;
}
Rows columns_of(const Table& table) {
  Rows columns;
  for (const Column& column : table.columns) columns.push_back(column.numbers.floats());
  return columns;
}

TEST(MatrixMarket, CoordinatesAreSparseRows) {
  const Table table =
      read_bytes(coordinates("real general", "2 4 4\n2 3 1.5\r\n 1  4 -2e-1\n% more\n\n2 1 7\n1 1 0\n"));
  EXPECT_EQ(table.format, "Matrix Market coordinates");
  EXPECT_EQ(table.rows, 2u);
  EXPECT_TRUE(table.columns.empty());
  EXPECT_EQ(dense(table), (Rows{{0, 0, 0, -0.2f}, {7, 0, 1.5f, 0}}));
  EXPECT_EQ(table.sparse->value.size(), 3u);  // the written 0 is not kept
  EXPECT_EQ(dense(read_bytes("%%matrixmarket MATRIX Coordinate Pattern General\n2 2 1\n1 2\n")),
            (Rows{{0, 1}, {0, 0}}));
  EXPECT_EQ(read_bytes(gzip(coordinates("integer general", "1 1 1\n1 1 3\n")), "a.mtx.gz").format,
            "Matrix Market coordinates, gzipped");
}

TEST(MatrixMarket, HalvesAreMirrored) {
  EXPECT_EQ(dense(read_bytes(coordinates("integer symmetric", "3 3 3\n1 1 5\n3 1 2\n3 2 4\n"))),
            (Rows{{5, 0, 2}, {0, 0, 4}, {2, 4, 0}}));
  EXPECT_EQ(dense(read_bytes(coordinates("real skew-symmetric", "2 2 1\n2 1 3\n"))), (Rows{{0, -3}, {3, 0}}));
}

TEST(MatrixMarket, ZerosOnTheDiagonalOfASkewSymmetricMatrixAndAByteOrderMark) {
  const Table table =
      read_bytes("\xEF\xBB\xBF" + coordinates("real skew-symmetric", "3 3 3\n1 1 0\n2 1 -1\n3 2 4\n"), "a.mtx");
  EXPECT_EQ(table.sparse->index, (std::vector<std::uint32_t>{1, 0, 2, 1}));
  EXPECT_EQ(table.sparse->value, (std::vector<float>{1, -1, -4, 4}));
}

TEST(MatrixMarket, EntriesOfOnePlaceAddUp) {
  EXPECT_EQ(dense(read_bytes(coordinates("real general", "2 2 5\n1 2 1\n2 1 3\n1 2 2\n2 2 4\n2 2 -4\n"))),
            (Rows{{0, 3}, {3, 0}}));
  EXPECT_EQ(message_of_reading(coordinates("real general", "1 1 2\n1 1 3e38\n1 1 3e38\n"), "a.mtx"),
            "a.mtx: the entries of row 1, column 1 add up to a number beyond float32");
}

TEST(MatrixMarket, ArraysAreTables) {
  const Table table = read_bytes(array("real general", "2 3\n1\n2\n3 4\n5\n6.5\n"));
  EXPECT_EQ(table.format, "Matrix Market array");
  EXPECT_FALSE(table.sparse);
  EXPECT_EQ(table.columns[2].name, "c2");
  EXPECT_EQ(columns_of(table), (Rows{{1, 2}, {3, 4}, {5, 6.5f}}));
  EXPECT_EQ(columns_of(read_bytes(array("integer symmetric", "3 3\n1\n2\n3\n4\n5\n6\n"))),
            (Rows{{1, 2, 3}, {2, 4, 5}, {3, 5, 6}}));
}

TEST(MatrixMarket, LiesAreOneLine) {
  const auto says = [](const std::string& bytes, const std::string& message) {
    EXPECT_EQ(message_of_reading(bytes, "a.mtx"), "a.mtx:" + message) << bytes;
  };
  const std::string not_read = "1: a Matrix Market file of kind ";
  says("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n",
       not_read + "'complex' is not supported; supported: real, integer, pattern");
  says("%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n",
       not_read + "'hermitian' is not supported; supported: general, symmetric, skew-symmetric");
  says("%%MatrixMarket matrix array pattern general\n1 1\n1\n",
       not_read + "'pattern' is not supported; supported: real, integer");
  says("%%MatrixMarket vector array real general\n1\n", not_read + "'vector' is not supported; supported: matrix");
  says("%%MatrixMarket matrix\n", not_read + "'' is not supported; supported: coordinate, array");
  says("1 1 1\n1 1 1\n", " not a Matrix Market file: it does not begin with %%MatrixMarket");
  says(coordinates("real general", ""), "3: cut off: the size of the matrix is missing");
  says(coordinates("real general", "2 2\n"), "4: expected the number of entries, found ''");
  says(coordinates("real general", "2 2 1 1\n"), "4: expected the end of the line, found '1'");
  says(coordinates("real general", "2 -2 1\n"), "4: expected the number of columns, found '-2'");
  says(coordinates("real general", "0 2 0\n"), "4: no rows");
  says(coordinates("real general", "2 0 0\n"), "4: no columns");
  for (const char* size : {"2147483648 2 0\n", "2 2147483648 0\n"})
    says(coordinates("real general", size), "4: more than 2147483647 rows or columns");
  says(coordinates("real general", "2 2 99999999999999999999\n"),
       "4: the number of entries '99999999999999999999' is too large");
  says(coordinates("real symmetric", "2 3 0\n"), "4: a symmetric matrix is square, not 2 × 3");
  says(coordinates("real general", "2 2 2\n1 1 5\n"), "5: cut off: 1 of the 2 entries that the header states");
  says(coordinates("real general", "2 2 999999999999999\n1 1 5\n"),
       "5: cut off: 1 of the 999999999999999 entries that the header states");
  says(coordinates("real general", "2 2 1\n1 1 5\n1 2 5\n"), "6: more than the 1 entries that the header states");
  says(coordinates("real general", "2 2 1\n3 1 5\n"), "5: row 3 is outside 1 … 2");
  says(coordinates("real general", "2 2 1\n1 0 5\n"), "5: column 0 is outside 1 … 2");
  says(coordinates("real general", "2 2 1\n1 x 5\n"), "5: expected column, found 'x'");
  says(coordinates("real general", "2 2 1\n1 1\n"), "5: expected a number, found ''");
  says(coordinates("real general", "2 2 1\n1 1 nan\n"), "5: expected a number, found 'nan'");
  says(coordinates("real general", "2 2 1\n1 1 1e39\n"), "5: '1e39' is beyond float32");
  says(coordinates("integer general", "2 2 1\n1 1 1.5\n"), "5: expected an integer, found '1.5'");
  says(coordinates("pattern general", "2 2 1\n1 1 1\n"), "5: expected the end of the line, found '1'");
  says(coordinates("real symmetric", "2 2 1\n1 2 1\n"),
       "5: an entry above the diagonal, though the header says symmetric");
  says(coordinates("real skew-symmetric", "2 2 1\n2 2 1\n"),
       "5: a value on the diagonal, though the header says skew-symmetric, which has zeros there");
  says(array("real general", "2 2\n1\n2\n3\n"), "5: cut off: 3 of the 4 entries that the header states");
  says(array("real general", "46000 46000\n1\n"), "3: cut off: 1 of the 2116000000 entries that the header states");
  says(array("real general", "1 2\n1\n2\n3\n"), "5: more than the 2 entries that the header states");
  says(array("real general", "3 1000001\n1\n"), "2: more than 1000000 columns");
  says(array("real general", "999999 999999\n1\n"), "3: cut off: 1 of the 999998000001 entries that the header states");
  says(array("real symmetric", "2 2\n1\nx\n3\n"), "4: expected a number, found 'x'");
}

TEST(MatrixMarket, EveryPrefixIsReadOrRefused) {
  const std::string whole = coordinates("real symmetric", "3 3 3\n1 1 5\n3 1 -2.5e1\n3 2 4\n");
  tests::expect_prefixes_read_or_refused(whole, "a.mtx");
  tests::expect_prefixes_read_or_refused(gzip(whole), "a.mtx.gz");
  tests::expect_prefixes_read_or_refused(array("real symmetric", "2 2\n1.5\n2\n-3\n"), "a.mtx");
}

TEST(MatrixMarket, ThePowerNetworkOfRealData) {
  const std::string path = tests::data_file("bcspwr10.mtx");
  if (path.empty()) GTEST_SKIP() << "bcspwr10.mtx is absent";
  const Table table = load_table({path});
  ASSERT_TRUE(table.sparse);
  EXPECT_EQ(table.rows, 5300u);
  EXPECT_EQ(table.sparse->columns, 5300u);
  EXPECT_EQ(table.sparse->value.size(), 2u * 8271 + 5300);  // each edge twice, and the diagonal
  for (std::size_t row = 0; row < table.rows; ++row)
    for (const std::uint32_t column : table.sparse->index_of(row)) {
      const auto back = table.sparse->index_of(column);
      ASSERT_TRUE(std::binary_search(back.begin(), back.end(), row)) << row << ", " << column;
    }
}

}  // namespace
}  // namespace kinescope::sim::matrix_market_test
