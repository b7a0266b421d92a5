// Whether a table's first row is its header.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "sim/data/choose.hpp"
#include "sim/data/readers/csv/csv_header.hpp"
#include "sim/data/readers/csv/dialect.hpp"
#include "sim/data/unread.hpp"
#include "tests/sim/data/opening.hpp"
#include "tests/sim/data/table_shapes.hpp"

namespace kinescope::sim::opening_cases::header_test {
namespace {

using namespace kinescope::tests;  // the shapes

Names header_of(const std::string& bytes, Header header = Header::automatic) {
  DataRequest request;
  request.format.header = header;
  const TemporaryFolder folder;
  const Table table = load_table({.source = folder.write("t.csv", bytes), .format = request.format});
  Names names;
  for (const Column& column : table.columns) names.push_back(column.name);
  EXPECT_EQ(table.has_header, names.back() != "c" + std::to_string(names.size() - 1)) << bytes;
  return names;
}

TEST(Header, IsTextAboveNumbers) {
  EXPECT_EQ(header_of("x,kind\n1,a\n2,b\n"), (Names{"x", "kind"}));
  EXPECT_EQ(header_of(",x\n0,1\n1,2\n"), (Names{"c0", "x"}));
}

TEST(Header, IsNoRowThatLacksANumber) {
  EXPECT_EQ(header_of("1,-\n2,4\n3,5\n"), (Names{"c0", "c1"}));
  EXPECT_EQ(header_of("-,-\n2,4\n3,5\n"), (Names{"c0", "c1"}));
  EXPECT_EQ(header_of("-,n\n2,4\n3,5\n"), (Names{"-", "n"}));
}

// The first feature of a BED or GFF file: a chromosome that is alone.
TEST(Header, IsNoFeatureOfAGenome) {
  EXPECT_EQ(header_of("chr10\t55251623\t55253124\tg1\t0\t-\nchr11\t116124407\t116124501\tg2\t0\t-\n"
                      "chr11\t116206508\t116206563\tg3\t0\t+\nchr11\t1162508\t11606563\tg4\t0\t+\n"),
            (Names{"c0", "c1", "c2", "c3", "c4", "c5"}));
  EXPECT_EQ(header_of("chr10\t55251623\t55253124\tg1\nchr11\t116124407\t116124501\tg2\n"
                      "chr11\t116206508\t116206563\tg3\n"),
            (Names{"c0", "c1", "c2", "c3"}));
  // Years and round numbers may name columns.
  EXPECT_EQ(header_of("kind\tgroup\t1990\t2500\na\tp\t1\t2\na\tp\t3\t4\na\tp\t5\t6\n"),
            (Names{"kind", "group", "1990", "2500"}));
}

TEST(Header, IsARowOfUsualNames) {
  EXPECT_EQ(header_of("Id,Label\na,Ann\nb,Bob\nc,Cat\n"), (Names{"Id", "Label"}));
  EXPECT_EQ(header_of("Name,HEX\nred,#FF0000\nblue,#0000FF\n"), (Names{"Name", "HEX"}));
  EXPECT_EQ(header_of("ID,Idaho\nIL,Illinois\nIN,Indiana\n"), (Names{"c0", "c1"}));
}

TEST(Header, IsAllTextWhereTheColumnsAreNot) {
  EXPECT_EQ(header_of("a,b\n,x\n,y\n"), (Names{"a", "b"}));
}

// A column may have its own name among its texts, but not often.
TEST(Header, IsNoRowWhoseTextsRecur) {
  EXPECT_FALSE(read_bytes("ham\tgo now\nspam\tok lar\nham\tbye\nham\t645\nspam\tfree\n").has_header);
  EXPECT_FALSE(read_bytes("this is great,pos\n10,pos\nnot so good,neg\n").has_header);
  EXPECT_FALSE(read_bytes("Bargara,Australia\n1770,Australia\nPerth,Australia\n").has_header);
  EXPECT_TRUE(read_bytes("model,code\nA1,ND2\nB2,310\nB2,CRV\n").has_header);
  EXPECT_TRUE(read_bytes("key,en,de\nkey,Key,Taste\n404,not found,fehlt\nok,7,gut\nno,no,5\n").has_header);
}

TEST(Header, IsATextThatNeverRecursWhereOthersDo) {
  EXPECT_EQ(header_of("sex,mood\nM,good\nF,bad\nM,bad\nF,good\n"), (Names{"sex", "mood"}));
  EXPECT_EQ(header_of("sex,1990\nM,1\nF,2\nM,3\nF,4\n"), (Names{"sex", "1990"}));
  EXPECT_EQ(header_of("M,good\nF,bad\nM,bad\nF,good\n"), (Names{"c0", "c1"}));
  // Names that rarely recur, beside numbers.
  EXPECT_EQ(header_of("Zoe,31\nAnna,20\nBob,41\nAnna,7\nEve,9\n"), (Names{"c0", "c1"}));
  EXPECT_EQ(header_of("a,b\nc,d\ne,f\n"), (Names{"c0", "c1"}));  // nothing recurs
  // A code beside a number is of the first group, which has one row.
  EXPECT_EQ(header_of("AD,Andorra,12\nAE,Dubai,7\nAE,Ajman,5\nAF,Kabul,31\nAF,Herat,8\n"), (Names{"c0", "c1", "c2"}));
  EXPECT_EQ(header_of("code,name,12\nAE,Dubai,7\nAE,Ajman,5\nAF,Kabul,31\nAF,Herat,8\n"),
            (Names{"code", "name", "12"}));
}

// A word for infinity among names is one of them.
TEST(Header, IsNoRowOfTextsAboveInfinity) {
  for (const char* word : {"Infinity", "inf", "-inf"})
    EXPECT_EQ(header_of("alpha,red\nbeta,blue\n" + std::string(word) + ",green\ndelta,red2\n"), (Names{"c0", "c1"}))
        << word;
}

TEST(Header, IsAScaleAboveSmallerNumbers) {
  EXPECT_EQ(header_of("1100;1105;1110\n.42;.56;.55\n.45;.49;.48\n"), (Names{"1100", "1105", "1110"}));
  EXPECT_EQ(header_of("990.5;980.5;970.5\n4;5;5\n.45;-.49;.48\n"), (Names{"990.5", "980.5", "970.5"}));
  EXPECT_EQ(header_of("1,2,4,8,16,32,64,100\n" + std::string(".01,.01,.01,.01,.01,.01,.01,.01\n.02,.02,.02,.02,.02,.02,"
                                                             ".02,.02\n")),
            (Names{"1", "2", "4", "8", "16", "32", "64", "100"}));
  const Names none = {"c0", "c1", "c2"};
  EXPECT_EQ(header_of("1100;1105;1130\n.42;.56;.55\n.45;.49;.48\n"), none);  // a far row
  EXPECT_EQ(header_of("1100;1105;1110\n.42;.56;.55\n.45;.49;480\n"), none);
  EXPECT_EQ(header_of("1100;1105;1110\n.42;.56;.55\n"), none);
}

TEST(Header, IsANumberAboveTexts) {
  EXPECT_EQ(header_of("name,2021\nAnn,yes\nBob,no\n"), (Names{"name", "2021"}));
  EXPECT_EQ(header_of("name,2021\nAnn,TRUE\nBob,TRUE\nCy,TRUE\n"), (Names{"name", "2021"}));
  EXPECT_EQ(header_of("name,2021\nAnn,low\nBob,high\nCy,low\n"), (Names{"name", "2021"}));
  EXPECT_EQ(header_of("Zoe,7\nAnn,none\nBob,none\nCy,none\n"), (Names{"c0", "c1"}));  // a mark for missing numbers
}

TEST(Header, HasOrangesTypesAndRolesBelow) {
  const TemporaryFolder folder;
  for (const std::string types : {"d\tc\td\n\t\tclass\n", "discrete\tcontinuous\tstring\n\tignore\tmeta\n"}) {
    const Table table = load_table({.source = folder.write("a.tab", "kind\tx\tname\n" + types + "u\t1\tA\nv\t2\tB\n")});
    EXPECT_EQ(table.rows, 2u);
    EXPECT_EQ(table.find("x")->numbers, (std::vector<double>{1, 2}));
    EXPECT_EQ(table.find("kind")->texts, (Names{"u", "v"}));
  }
  EXPECT_EQ(load_table({.source = folder.write("b.tab", "p\tq\nc\td\nx\ty\nc\td\n")}).rows, 3u);
}

TEST(Header, NamesTheEndsOfEdges) {
  EXPECT_EQ(header_of("Source,Target\na,b\nb,c\n"), (Names{"Source", "Target"}));
  EXPECT_EQ(header_of("kind,from,to\nu,a,b\nv,b,c\n"), (Names{"kind", "from", "to"}));
  EXPECT_EQ(header_of("from,c1\na,b\n"), (Names{"c0", "c1"}));
}

TEST(Header, HoldsNoFractionsNegativeNumbersOrDates) {
  EXPECT_EQ(header_of("M,0.5\nF,2\nF,3\nF,4\n"), (Names{"c0", "c1"}));
  EXPECT_EQ(header_of("M,-5\nF,2\nF,3\nF,4\n"), (Names{"c0", "c1"}));
  EXPECT_EQ(header_of("M,2020-01-05\nF,2020-01-06\nF,2020-01-07\n"), (Names{"c0", "c1"}));
  EXPECT_EQ(header_of("x,0.5\n1,2\n2,3\n"), (Names{"x", "0.5"}));  // a name above numbers
  EXPECT_EQ(header_of("Ann,7\n"), (Names{"c0", "c1"}));            // the only row
}

// Reports round small counts away, and dates may be written in another order.
TEST(Header, HoldsNoNumbersOrDatesHoweverWritten) {
  const Table counts = read_bytes(
      "Afghanistan\t30,000\t31,330,000\nAlbania\t580,000\t< 10,000\nAlgeria\t60,000\t< 10,000\n"
      "Andorra\t60,000\t< 10,000\nAngola\t30,000\t40,000\nAruba\t30,000\t40,000\n");
  EXPECT_FALSE(counts.has_header);
  EXPECT_EQ(counts.columns[2].texts, (Names{"31,330,000", "< 10,000", "< 10,000", "< 10,000", "40,000", "40,000"}));
  const Table visits = read_bytes(
      "Donald Trump,1/19/2023,Palm Beach\nDonald Trump,1/28/2023,Columbia\nNikki Haley,1/28/2023,Columbia\n"
      "Nikki Haley,2/28/2023,Salem\nRon,2/28/2023,Salem\n");
  EXPECT_FALSE(visits.has_header);
  EXPECT_EQ(visits.columns[1].texts[0], "1/19/2023");
  EXPECT_EQ(header_of("AT,7 %\nBE,5 %\nBE,5 %\nBE,not given\n"), (Names{"c0", "c1"}));
  // A name, and a date above no dates.
  EXPECT_EQ(header_of("who,when\nAnn,1/28/2023\nAnn,1/28/2023\nBob,2/28/2023\n"), (Names{"who", "when"}));
  EXPECT_EQ(header_of("who,1/28/2023\nAnn,ill\nAnn,ill\nBob,well\nBob,well\n"), (Names{"who", "1/28/2023"}));
}

// Types of aircraft: some codes are numbers.
TEST(Header, IsNoRowOfCodes) {
  const Table planes = read_bytes("a,ND2\nb,CRV\nc,AT4\nd,310\ne,318\nf,319\ng,320\nh,321\n");
  EXPECT_FALSE(planes.has_header);
  EXPECT_EQ(planes.columns[1].texts, (Names{"ND2", "CRV", "AT4", "310", "318", "319", "320", "321"}));
  EXPECT_EQ(header_of("plane,type\na,CRV\nb,AT4\nc,310\n"), (Names{"plane", "type"}));
  EXPECT_EQ(header_of("PLANE,CODE\na,CRV\nb,AT4\nc,310\n"), (Names{"PLANE", "CODE"}));
  EXPECT_EQ(header_of("day,TEMP\nMonday,12\nTuesday,M\nFriday,13\n"), (Names{"day", "TEMP"}));
  EXPECT_EQ(header_of("x,y\nA,1\nB,foo\nC,2:9\n"), (Names{"x", "y"}));
}

TEST(Header, IsWhatTheOptionSays) {
  EXPECT_EQ(header_of("1,2\n3,4\n", Header::yes), (Names{"1", "2"}));
  EXPECT_EQ(header_of("sex,mood\nM,good\nF,bad\nM,bad\nF,good\n", Header::no), (Names{"c0", "c1"}));
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "x,y\n1,2\n");
  EXPECT_EQ(load_table({.source = path, .format = {Header::no, 0}}).columns[0].texts, (Names{"x", "1"}));
  EXPECT_EQ(input_message([&] {
              load_table({.source = folder.write("u.csv", "1,2\n"), .format = {Header::yes, 0}});
            }),
            folder.path("u.csv") + ": only a header, no rows");
}

TEST(Header, FollowsTheLinesThatAreSkipped) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "made on Monday; by hand\n\n\"never closed\nx,y\n1,2\n3,4\n");
  const Table table = load_table({.source = path, .format = {Header::automatic, 3}});
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.columns[0].name, "x");
  EXPECT_EQ(table.row_lines, (std::vector<std::size_t>{5, 6}));
  EXPECT_EQ(input_message([&] {
              load_table({.source = path, .format = {Header::automatic, 99}});
            }),
            path + ": no rows");
  EXPECT_NE(input_message([&] {
              load_table({.source = "synthetic:simplex,n=5", .format = {Header::yes, 0}});
            }),
            "(no error)");
}

TEST(Header, MayBeTheOnlyCommentThatNamesAllColumns) {
  const std::string rows = "s1\tACGT\tgut\ns2\tACGA\tgut\ns3\tACGA\tskin\n";
  EXPECT_EQ(header_of("#SampleID\tBarcode\tSite\n# made by hand\n# in two days\n" + rows),
            (Names{"SampleID", "Barcode", "Site"}));
  EXPECT_EQ(header_of("#a\tb\tc\n#SampleID\tBarcode\tSite\n" + rows), (Names{"SampleID", "Barcode", "Site"}));
  // Of two that might be, above one that is none, neither is.
  EXPECT_FALSE(read_bytes("#a\tb\tc\n#SampleID\tBarcode\tSite\n# made by hand\n1\t2\t3\n4\t5\t6\n").has_header);
}

// The World Bank ends its titles with a separator.
TEST(Header, BelowTitlesOfMoreThanOneCellIsPointedAt) {
  const std::string message = message_of_reading(
      "\"Source\",\"WDI\",\r\n\r\n\"Updated\",\"2019-03-21\",\r\n\r\n\"Country\",\"Code\",\"1960\",\"1961\",\r\n"
      "\"A\",\"AA\",\"1.5\",\"2\",\r\n\"B\",\"BB\",\"2.5\",\"3\",\r\n",
      "a.csv");
  EXPECT_EQ(message,
            "a.csv:5: expected 3 columns, found 5; if the table begins here, `--skip-rows 4` skips the lines above it");
}

TEST(Header, MayBeOneNameShorterThanTheRows) {
  // As R's write.table writes it.
  const auto cars = open("\"mpg\" \"cyl\" \"am\"\n\"Mazda RX4\" 21 6 1\n\"Fiat 128\" 32.4 4 1\n\"Duster\" 14.3 8 0\n");
  EXPECT_EQ(cars->value_names, (Names{"mpg", "cyl", "am"}));
  EXPECT_EQ(cars->table.columns[0].name, "row");
  EXPECT_EQ(cars->table.columns[0].texts[1], "Fiat 128");
  EXPECT_EQ(cars->findings->header_reason, "it has one cell fewer than the rows, which begin with row names");
  EXPECT_EQ(open("a\tb\n1\t2\t3\n2\t4\t5\n", {}, "t.tsv")->value_names, (Names{"row", "a", "b"}));
  // As R's write.csv writes a vector with names; another single cell may be a title.
  EXPECT_EQ(open("\"x\"\n\"RDA1\",820.1\n\"RDA2\",399.2\n\"RDA3\",102.5\n")->value_names, (Names{"x"}));
  EXPECT_NE(message_of_reading("title\nRDA1,820.1\nRDA2,399.2\n"), "");
  // A separator ends every row but not the header.
  const auto trailing = open("x,y\n1,2,\n3,4,\n5,7,\n", {}, "t.csv");
  EXPECT_EQ(trailing->value_names, (Names{"x", "y"}));
  EXPECT_EQ(trailing->points, 3u);
  EXPECT_EQ(trailing->findings->columns[2].kind, ColumnKind::empty);
  for (const std::string bytes : {"x,y\n1,2,3\n4,5\n", "1,2\n1,2,3\n4,5,6\n"})
    EXPECT_EQ(message_of_reading(bytes), "data.csv:2: expected 2 columns, found 3");
}

TEST(Header, MayNumberTheColumns) {
  const Table table = read_bytes(",0,1,2\n0,0,5,6\n1,5,0,7\n2,6,7,0\n");
  EXPECT_TRUE(table.has_header);
  EXPECT_EQ(table.header_reason, "its cells are the numbers of the columns");
  EXPECT_EQ(table.columns[3].name, "2");
  EXPECT_FALSE(read_bytes(",0,1,2\n,1,2,3\n,2,3,4\n").has_header);
}

TEST(Header, MayNameAllColumnsButThatOfTheRowsNumbers) {
  const Table genes = read_bytes("\"\",\"x\"\n\"1\",\"LYZ\"\n\"2\",\"S100A9\"\n\"3\",\"HBB\"\n");
  EXPECT_TRUE(genes.has_header);
  EXPECT_EQ(genes.rows, 3u);
  EXPECT_EQ(genes.columns[1].name, "x");
  EXPECT_FALSE(read_bytes(",x\n1,a\n3,b\n4,c\n").has_header);
}

// As NREL writes weather: the names and the values of what holds for the file, and then the table.
TEST(Header, MayBeBelowAnotherTableOfOneRow) {
  const Table table = read_bytes(
      "Source,Location ID,City,Latitude,Version\nNSRDB,401182,-,40.53,3.0.6\nYear,Month,Day,GHI,\n"
      "2017,1,1,0,\n2017,1,2,5,\n2017,1,3,9,\n2017,1,4,7,\n");
  EXPECT_EQ(table.columns[0].name, "Year");
  EXPECT_EQ(table.columns[3].name, "GHI");
  EXPECT_EQ(table.rows, 4u);
  EXPECT_EQ(table.columns[3].numbers[1], 5);
  EXPECT_EQ(table.row_lines.front(), 4u);
  // Units and levels below the names are none.
  EXPECT_EQ(header_of("t,x,y\ns,m,kg\nraw,raw,raw\n1,2,3\n4,5,6\n7,8,9\n"), (Names{"t", "x", "y"}));
  EXPECT_EQ(header_of("site,x,y\ndepth,10,20\nunit,m,m\na,2,3\nb,5,6\nc,8,9\n"), (Names{"site", "x", "y"}));
}

}  // namespace
}  // namespace kinescope::sim::opening_cases::header_test
