// Whether the numbers of a table's first row are its header: years, the columns' own numbers. Each case is a small file
// in the manner of one that somebody had.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "sim/data/findings.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::header_numbers_test {
namespace {

using Names = std::vector<std::string>;

Names names_of(const Table& table) {
  Names names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

bool has_header(const std::string& bytes) {
  return read_bytes(bytes).has_header;
}

TEST(HeaderOfYears, MayHaveGaps) {
  const Table table =
      read_bytes("Country,1950,1955,1960\nAfghanistan,1091000,1231000,1295000\nAlbania,150000,170000,1\n");
  EXPECT_EQ(names_of(table), (Names{"Country", "1950", "1955", "1960"}));
  EXPECT_EQ(table.header_reason, "its numbers are years");
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.columns[1].numbers[0], 1091000);
  EXPECT_EQ(names_of(read_bytes("Country,Code,1990,2000,2005\nAngola,AO,48.9,47.9,47.4\nBenin,BJ,37.5,1990,29.1\n"
                                "Chad,TD,24,22,21\n")),
            (Names{"Country", "Code", "1990", "2000", "2005"}));
  EXPECT_EQ(names_of(read_bytes("Major area,2009,2010,2011,2025,2050,2099\nAsia,5,6,7,8,9,9\nEurope,1,2,3,4,5,6\n")),
            (Names{"Major area", "2009", "2010", "2011", "2025", "2050", "2099"}));
  EXPECT_EQ(names_of(read_bytes("\"\",\"1940\",\"1945\"\n\"Food\",22.2,44.5\n\"Housing\",10.5,15.5\n\"Health\",3,5\n")),
            (Names{"c0", "1940", "1945"}));
}

TEST(HeaderOfYears, MayDescend) {
  const Table table = read_bytes("geo;2021;2020;2019\nAT;11,2;12,1;13,4\nBE;10,2;12,1;13,4\nDE;11,2;14,1;13,4\n");
  EXPECT_EQ(names_of(table), (Names{"geo", "2021", "2020", "2019"}));
  EXPECT_EQ(table.columns[1].numbers[0], 11.2);
  EXPECT_EQ(table.rows, 3u);
}

TEST(HeaderOfYears, MayBeTwoWithAGap) {
  EXPECT_EQ(names_of(read_bytes("Gemeinde;2015;2020\nAu;1801;1822\nEgg;3456;3501\nLech;1540;12\nWarth;160;171\n"
                                "Zug;21;23\n")),
            (Names{"Gemeinde", "2015", "2020"}));
  EXPECT_EQ(names_of(read_bytes("plant,2019,2021\noak,30,31\nash,20,18\nelm,5,2\n")), (Names{"plant", "2019", "2021"}));
  EXPECT_FALSE(has_header("2019,2021\n30,31\n20,18\n5,2\n"));
}

TEST(HeaderOfYears, MayBeOne) {
  const Table table = read_bytes("state,2022\nAlabama,-29.17974\nAlaska,-14.6\nArizona,-7.5\nArkansas,-31.8\n");
  EXPECT_EQ(names_of(table), (Names{"state", "2022"}));
  EXPECT_EQ(table.columns[1].numbers[3], -31.8);
  EXPECT_EQ(table.header_reason, "its number is a year");
  EXPECT_EQ(names_of(read_bytes("Gapminder name,2008\nAlbania,12\nAlgeria,311\nSuriname,4208\n")),
            (Names{"Gapminder name", "2008"}));
  std::string debt = "Debt (% of GNI),2009\n";
  for (int i = 0; i < 12; ++i) debt += "place " + std::to_string(i) + "," + std::to_string(i) + ".25\n";
  EXPECT_EQ(names_of(read_bytes(debt)), (Names{"Debt (% of GNI)", "2009"}));
}

// Words and how frequent they are; the parameters of a run; stations of which each has a name like the first.
TEST(HeaderOfYears, IsNoRowOfValuesThatMightBeOne) {
  const Table words = read_bytes("the,2050\nof,1400\nand,1100\nto,910\nin,720\n");
  EXPECT_FALSE(words.has_header);
  EXPECT_EQ(words.rows, 5u);
  EXPECT_EQ(words.header_reason, "its numbers may be years or values; `--header yes` makes names of them");
  EXPECT_FALSE(has_header("iterations,2000\nrate,0.1\nlayers,3\nmomentum,0.9\nseed,1\nbatch,64\n"));
  EXPECT_FALSE(has_header("Station 1,1900\nStation 2,320\nStation 3,711\n"));
  EXPECT_FALSE(has_header("beech,1600,1850\noak,900,1700\nash,1950,2300\nelm,450,1600\n"));
  EXPECT_FALSE(has_header("Model A,1600,1800,2000\nModel B,1700,1900,2100\nModel C,1500,1550,1900\n"));
}

TEST(HeaderOfYears, IsNoRowAboveOthersThatHoldYears) {
  EXPECT_FALSE(has_header("Ann,1950,1960\nBob,1870,1951\nCy,1901,1999\nDi,1888,1920\n"));
  EXPECT_FALSE(has_header("Ann,1950,1960\nBob,1870,\nCy,,1999\nDi,unknown,1920\n"));
  EXPECT_FALSE(has_header("name,1950,1970,1990\nBob,1870,1890,1951\nCy,1901,1920,1999\nDi,1888,1888,1920\n"));
  EXPECT_FALSE(has_header("name,1950\nBob,1870\nCy,1901\n"));
  EXPECT_FALSE(has_header("AT,1990,2000,2005\nAT,48.9,47.9,47.4\nBE,37.5,12,29.1\n"));  // its text recurs
  EXPECT_FALSE(has_header("state,1990,1985,2005\nAT,48.9,47.9,47.4\nBE,37.5,12,29.1\n"));
  EXPECT_FALSE(has_header("state,1990.5,1995.5,2000.5\nAT,48.9,47.9,47.4\nBE,37.5,12,29.1\n"));
  EXPECT_FALSE(has_header("state,990,1990,2990\nAT,48.9,47.9,47.4\nBE,37.5,12,29.1\n"));
}

TEST(HeaderOfNumbers, CountsTheColumns) {
  const Table team = read_bytes("team,0,1,2,3\nHawks,.5,.51,.52,.55\nBulls,.4,.41,.42,.4\nHeat,.7,.71,.62,.5\n");
  EXPECT_EQ(names_of(team), (Names{"team", "0", "1", "2", "3"}));
  EXPECT_EQ(team.header_reason, "its cells are the numbers of the columns");
  EXPECT_EQ(team.columns[1].numbers[0], .5);
  EXPECT_EQ(team.rows, 3u);
  EXPECT_TRUE(
      has_header("station,1,2,3,4,5,6,7,8,9,10,11,12\nZug,1,2,4,8,9,9,9,9,8,7,4,2\nChur,0,1,4,8,9,9,9,9,8,7,4,2\n"));
  EXPECT_TRUE(has_header(",1,2,3\nAnn,7,8,8\nBob,7,5,3\n"));
}

// Ranks, marks and answers, where the first happen to count up.
// As pandas writes a series or a table of two columns without names.
TEST(HeaderOfNumbers, CountsFewColumnsBesideNamesThatCount) {
  EXPECT_EQ(names_of(read_bytes(",0\n0,269.5\n1,321.25\n2,585.0\n")), (Names{"c0", "0"}));
  EXPECT_EQ(names_of(read_bytes(",0\n1821,269.5\n1822,321.25\n1823,585.0\n")), (Names{"c0", "0"}));
  EXPECT_EQ(names_of(read_bytes(",0,1\n0,10.1,9.8\n1,10.6,10.1\n2,9.4,10.3\n")), (Names{"c0", "0", "1"}));
  EXPECT_EQ(names_of(read_bytes(",0,1\na,10.1,9.8\nb,10.6,10.1\n")), (Names{"c0", "0", "1"}));
  EXPECT_FALSE(has_header(",0,1\n5,10.1,9.8\n3,10.6,10.1\n8,9.4,10.3\n"));
  EXPECT_FALSE(has_header(",1,2\n0,10.1,9.8\n1,10.6,10.1\n2,9.4,10.3\n"));
}

TEST(HeaderOfNumbers, IsNoRowOfRanks) {
  EXPECT_FALSE(has_header("Ann,1,2,3\nBob,2,3,1\nCy,3,1,2\n"));
  EXPECT_FALSE(has_header("Ann,1,2,3\nBob,11,12,13\nCy,21,22,23\n"));
  EXPECT_FALSE(has_header("Ann,1,2,3,4,5,6\nAnn,1,9,9,4,5,6\nBob,7,1,2,0,9,9\n"));
  EXPECT_FALSE(has_header("Ann,2,3,4\nBob,9,3,1\nCy,8,1,2\n"));
  EXPECT_FALSE(has_header("Ann,1,2\nBob,9,3\nCy,8,1\n"));
}

}  // namespace
TEST(HeaderOfNumbers, MayBeOfThreeColumnsAboveFractionsThatDoNotGoUp) {
  const std::string rows = "4.3,0.2,3.1\n1.2,2.2,0.7\n3.9,1.5,2.4\n0.4,7.5,2.2\n";
  EXPECT_EQ(names_of(read_bytes("0,1,2\n" + rows)), (Names{"0", "1", "2"}));
  EXPECT_FALSE(has_header("1,2,3\n" + rows));
  EXPECT_FALSE(has_header("0,1,2\n0.1,0.9,1.9\n0.2,0.8,1.7\n0.3,0.75,1.6\n0.4,0.7,1.5\n"));
  EXPECT_FALSE(has_header("0,1,2\n-0.1,0.9,1.9\n-0.2,0.8,1.7\n-0.3,0.75,1.6\n-0.4,0.7,1.5\n"));
  const Table whole = read_bytes("0,1,2\n4,9,3\n1,2,0\n3,5,4\n0,7,2\n");
  EXPECT_EQ(whole.rows, 5u);
  EXPECT_NE(whole.header_reason.find("`--header yes` makes names of them"), std::string::npos);
}

TEST(HeaderOfNumbers, MayBeOfAllColumns) {
  const std::string rows = "17.99,10.38,122.8,1001.0,0.1184\n20.57,17.77,132.9,1326.0,0.0847\n";
  EXPECT_EQ(read_bytes("0,1,2,3,4\n" + rows).rows, 2u);
  EXPECT_EQ(read_bytes("0,1,2,3,4\n5,6,7,8,9\n10,11,12,13,14\n").rows, 3u);  // a matrix that counts
  EXPECT_EQ(read_bytes("0,1,2,3\n1.5,2,3,4\n2.5,7,8,1\n").rows, 3u);         // so few may be a row
  const Table spectra =
      read_bytes("Sample,400,410,420,430\nA,0.11,0.2,0.3,0.4\nB,0.21,0.3,0.3,0.4\nC,0.31,0.4,0.3,0.4\n");
  EXPECT_EQ(names_of(spectra), (Names{"Sample", "400", "410", "420", "430"}));
  const Table series = read_bytes(",0\n1913-01-04,0.0\n1913-01-05,0.5\n1913-01-06,0.25\n");
  EXPECT_EQ(series.rows, 3u);
  EXPECT_EQ(series.columns[1].name, "0");
  EXPECT_EQ(read_bytes(",0\n1,5\n2,6\n3,7\n").rows, 3u);
  EXPECT_EQ(read_bytes(",0\n3,5\n1,6\n2,7\n").rows, 4u);  // a number that is missing
}

}  // namespace kinescope::sim::header_numbers_test
