// TSPLIB's places: the format that docs/adding-a-format.md takes as its example.
#include <gtest/gtest.h>

#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::tsplib_test {
namespace {

const std::string head = "NAME: three\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n";

TEST(Tsplib, PlacesAreRows) {
  const Table table = read_bytes(head + "1 0.5 1e3\n\n2 -1 2\r\n3 4 5\nEOF\n", "three.TSP");
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[0].name, "x");
  EXPECT_EQ(table.columns[0].numbers, (Numbers{0.5, -1, 4}));
  EXPECT_EQ(table.columns[1].numbers, (Numbers{1000, 2, 5}));
  EXPECT_EQ(table.row_lines, (std::vector<std::size_t>{6, 8, 9}));
  EXPECT_EQ(read_bytes("DIMENSION: 1\nNODE_COORD_SECTION\n1 1 2 3\n", "a.tsp").columns.size(), 3u);
}

TEST(Tsplib, GeographicPlacesAreDegrees) {
  const Table table = read_bytes(
      "DIMENSION: 2\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n 1 16.47 96.10\n 2 -16.30 94.00\nEOF\n", "a.tsp");
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[0].name, "latitude");
  EXPECT_NEAR(table.columns[0].numbers[0], 16 + 47 / 60.0, 1e-12);
  EXPECT_NEAR(table.columns[0].numbers[1], -16.5, 1e-12);
  EXPECT_EQ(table.columns[1].name, "longitude");
  EXPECT_NEAR(table.columns[1].numbers[0], 96 + 10 / 60.0, 1e-12);
}

TEST(Tsplib, MistakesAreOneLine) {
  const auto says = [](const std::string& bytes, const std::string& message) {
    EXPECT_EQ(message_of_reading(bytes, "a.tsp"), "a.tsp:" + message) << bytes;
  };
  says(head + "1 0 1\n", " cut off: 1 place of 3");
  says(head, " cut off: 0 places of 3");
  says(head + "1 0 1\n2 0\n", "7: expected a number and 2 coordinates, found 1 coordinate");
  says(head + "1 0 1\n2 0 1 1\n", "7: expected a number and 2 coordinates, found 3 coordinates");
  says(head + "1 0 x\n", "6: expected a coordinate, found 'x'");
  says("DIMENSION: 2\nEDGE_WEIGHT_SECTION\n0 1\n1 0\n",
       "2: 'EDGE_WEIGHT_SECTION' is not read: only problems with NODE_COORD_SECTION");
  says("DIMENSION: 0\n", "1: expected the number of places, found '0'");
  says("DIMENSION: 2\n", " there is no NODE_COORD_SECTION");
}

}  // namespace
}  // namespace kinescope::sim::tsplib_test
