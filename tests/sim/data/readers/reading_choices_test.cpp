// How the cells, the first lines and the columns of a table of text are chosen, what is said about it, and how people
// choose otherwise. Each case is a small file in the manner of one that somebody had.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "sim/data/findings.hpp"
#include "sim/data/readers/csv/csv_slabs.hpp"
#include "sim/data/readers/csv/dialect.hpp"
#include "sim/data/text_reading.hpp"
#include "sim/data/unread.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::reading_choices_test {
namespace {

using Names = std::vector<std::string>;
using Guess = ReadingGuess::Kind;

Table read_as(const std::string& bytes, const TableFormat& format, const std::string& name = "data.csv") {
  const TemporaryFolder folder;
  return load_table({.source = folder.write(name, bytes), .format = format});
}

std::string message_as(const std::string& bytes, const TableFormat& format) {
  return message_of_reading(bytes, "data.csv", {.format = format});
}

Names names_of(const Table& table) {
  Names names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

std::vector<double> numbers_of(const Table& table, std::size_t column) {
  return {table.columns.at(column).numbers.begin(), table.columns.at(column).numbers.end()};
}

const ReadingGuess* guess_of(const Table& table, Guess kind) {
  for (const ReadingGuess& guess : table.text_reading->guesses)
    if (guess.kind == kind) return &guess;
  return nullptr;
}

using Numbers = std::vector<double>;

TEST(Separators, ACommaBeforeBlanksSeparates) {
  const Table table = read_bytes("\"a\", \"b\", \"c\"\n0, 0, 0\n1, 3, 1\n2, 6, 0\n3, 2, 1\n");
  EXPECT_EQ(names_of(table), (Names{"a", "b", "c"}));
  EXPECT_EQ(numbers_of(table, 1), (Numbers{0, 3, 6, 2}));
  EXPECT_EQ(names_of(read_bytes("class, x, y\n0, 0, 0\n1, 3, 1\n0, 6, 2\n")), (Names{"class", "x", "y"}));
  EXPECT_EQ(names_of(read_bytes("weight, from, to\n5, 1, 2\n1, 2, 3\n")), (Names{"weight", "from", "to"}));
  const TemporaryFolder folder;
  const auto data = load_dataset({.source = folder.write("k.csv", "class, x\n0, 0\n1, 3\n0, 6\n1, 2\n")});
  EXPECT_EQ(data->label_name, "class");
  EXPECT_EQ(data->value_names, Names{"x"});
}

TEST(Separators, MayBePipes) {
  const Table table = read_bytes("a|b|c\n1|2|3\n4|5|6\n7|8|9\n");
  EXPECT_EQ(names_of(table), (Names{"a", "b", "c"}));
  EXPECT_EQ(table.format, "CSV, separated by pipes");
  EXPECT_EQ(names_of(read_bytes("x,y\na|b,1\nc,2\n")), (Names{"x", "y"}));
}

TEST(Separators, AreToldWithOthersThatMayBeMeant) {
  const Table table = read_bytes("a,b;c\n1,5;2\n3,5;4\n");
  const ReadingGuess* guess = guess_of(table, Guess::separator);
  ASSERT_TRUE(guess);
  EXPECT_EQ(guess->taken, "Semicolon");
  ASSERT_FALSE(guess->others.empty());
  EXPECT_EQ(guess->others[0].option, "--separator ,");
  EXPECT_EQ(guess->others[0].format, (TableFormat{.separator = ','}));
  EXPECT_EQ(names_of(read_as("a,b;c\n1,5;2\n3,5;4\n", guess->others[0].format)), (Names{"a", "b;c"}));
  const ReadingGuess* sure = guess_of(read_bytes("a,b\n1,2\n3,4\n"), Guess::separator);
  EXPECT_TRUE(sure);
  EXPECT_TRUE(guess_of(read_bytes("a,b\n1,2\n3,4\n"), Guess::separator)->sure);
  EXPECT_EQ(guess_of(read_as("a,b;c\n1,5;2\n", {.separator = ';'}), Guess::separator)->others.size(), 0u);
}

TEST(Separators, AreWhatTheOptionSays) {
  EXPECT_EQ(names_of(read_as("a:b\n1:2\n3:4\n", {.separator = ':'})), (Names{"a", "b"}));
  EXPECT_EQ(read_as("a,b\tc\n1,5\t2\n", {.separator = '\t'}).columns[0].numbers[0], 1.5);
  EXPECT_EQ(names_of(read_as("a b\nx 1\n", {.separator = ' '})), (Names{"a", "b"}));
  EXPECT_EQ(names_of(read_as("sep=;\na,b;c\n1,5;2\n", {.separator = ','})), (Names{"a", "b;c"}));
}

// Counts of reads in pairs, alleles, thousands: not to be taken for decimals without a word.
TEST(DecimalMark, IsNoCommaBetweenTwoNumbers) {
  const auto columns_of = [](const std::string& bytes, const TableFormat& format = {}) {
    return read_as(bytes, format, "data.tsv").columns;
  };
  const std::string pairs = "a\tb\n1\t101,10\n2\t9,101\n3\t1,103\n";
  EXPECT_EQ(columns_of(pairs)[1].texts, (Names{"101,10", "9,101", "1,103"}));
  EXPECT_EQ(numbers_of(read_as(pairs, {.decimal = DecimalMark::comma}, "data.tsv"), 1), (Numbers{101.1, 9.101, 1.103}));
  // Decimals are equally many, or do not end with zeros, or some begin with one.
  EXPECT_FALSE(columns_of("a\tb\n1\t1,50\n2\t9,25\n3\t1,75\n")[1].is_text);
  EXPECT_FALSE(columns_of("a\tb\n1\t1,5\n2\t9,25\n3\t1,125\n")[1].is_text);
  EXPECT_FALSE(columns_of("a\tb\n1\t1,125\n2\t9,250\n3\t1,05\n")[1].is_text);
  EXPECT_FALSE(columns_of("a\tb\n1\t1,0\n2\t9,25\n3\t2,0\n")[1].is_text);
  // Where it may be either, it is told.
  const Table unsure = read_as("a\tb\n1\t2,2\n2\t61,19\n3\t1,0\n", {}, "data.tsv");
  EXPECT_FALSE(unsure.columns[1].is_text);
  ASSERT_NE(guess_of(unsure, Guess::decimal_mark), nullptr);
  EXPECT_FALSE(guess_of(unsure, Guess::decimal_mark)->sure);
  EXPECT_EQ(guess_of(unsure, Guess::decimal_mark)->others.at(0).option, "--decimal point");
  EXPECT_TRUE(read_as("a;b\n1;2,2\n2;61,19\n", {.decimal = DecimalMark::point}).columns[1].is_text);
}

// Zeros after the comma are no evidence, nor is a list in another column.
TEST(DecimalMark, IsNoCommaBecauseOfAListInAnotherColumn) {
  const Table towns =
      read_bytes("town,population,wards\nA,178,1\nB,716,2\nC,\"28,069\",\"2,3\"\nD,\"4,040\",4\nE,\"14,950\",5\n");
  EXPECT_FALSE(towns.decimal_comma);
  EXPECT_TRUE(towns.columns[1].is_text);
  EXPECT_FALSE(read_bytes("cur,num,minor\nBMD,060,2\n\"INR,BTN\",\"356,064\",\"2,2\"\nXAF,950,0\n").decimal_comma);
  // Between semicolons nothing else can separate decimals.
  EXPECT_TRUE(read_bytes("a;b\n1,5;1\n2,5;0,250\n3,75;1,250\n4;2\n").decimal_comma);
}

TEST(DecimalMark, IsNoCommaThatGroupsThousands) {
  const Table table = read_as("id;pop\n1;1,234\n2;12,500\n3;950\n", {});
  EXPECT_EQ(table.columns[1].texts, (Names{"1,234", "12,500", "950"}));
  const Table unsure = read_as("k;alleles\n1;101,103\n2;99,101\n3;103,103\n", {});
  EXPECT_FALSE(unsure.columns[1].is_text);
  EXPECT_FALSE(guess_of(unsure, Guess::decimal_mark)->sure);
  EXPECT_TRUE(guess_of(read_as("x;y\n1,5;2,5\n2;3,25\n", {}), Guess::decimal_mark)->sure);
}

TEST(Quotes, AreCharactersWhereTheFileShowsIt) {
  const Table words = read_bytes("the 0.1 0.2\n, 0.3 0.4\n\" 0.5 0.6\n' 0.7 0.8\n# 0.1 0.9\n", "vec.txt");
  EXPECT_EQ(words.columns[0].texts, (Names{"the", ",", "\"", "'", "#"}));
  EXPECT_EQ(numbers_of(words, 2).size(), 5u);
  EXPECT_EQ(guess_of(words, Guess::quotes)->taken, "Characters");
  EXPECT_FALSE(words.remarks.empty());
  const Table inches = read_bytes("pipe,x\n\"5 inch,1\n\"6 inch,2\n\"7 inch\",3\nplain,4\n");
  EXPECT_EQ(inches.columns[0].texts, (Names{"\"5 inch", "\"6 inch", "\"7 inch\"", "plain"}));
  EXPECT_EQ(inches.columns[1].numbers.size(), 4u);
  // Quotes as usual, also around line ends.
  EXPECT_EQ(read_bytes("a,b\n\"x\ny\",1\n\"z\",2\n").columns[0].texts, (Names{"x\ny", "z"}));
  EXPECT_EQ(read_as("a,b\n\"x\",1\n\"y\",2\n", {.quotes = Quotes::none}).columns[0].texts, (Names{"\"x\"", "\"y\""}));
  // Later lines with a quote that opens nothing are read too.
  std::string many;
  for (int i = 0; i < 30'000; ++i) many += (i == 29'000 ? "\"" : "w" + std::to_string(i)) + " 0.5 0.25 0.125\n";
  EXPECT_EQ(read_bytes(many, "glove.txt").columns[0].texts[29'000], "\"");
}

// What is read of a file to weigh its dialect may end anywhere, also within quotes.
TEST(Quotes, AreQuotesWhereverTheHeadEnds) {
  for (std::size_t shift = 0; shift < 30; ++shift) {
    std::string bytes = "id,name,v" + std::string(shift, 'x') + "\n";
    for (int i = 0; bytes.size() < 300'000; ++i)
      bytes += std::to_string(i) + ",\"Smith, John\"," + std::to_string(i % 7) + "\n";
    const Table table = read_bytes(bytes);
    ASSERT_EQ(table.columns.size(), 3u) << shift;
    ASSERT_EQ(table.columns[1].texts.back(), "Smith, John");
  }
}

// Lists in quotes, in tables with few cells or no numbers.
TEST(Quotes, EncloseListsOfAnyLength) {
  for (const char* bytes :
       {"fruit,tags\nfig,\"rgb(228,91,224)\"\npear,\"rgb(117,80,96)\"\nplum,\"rgb(103,107,169)\"\n",
        "name,col\nA,\"x,y,z,w\"\nB,\"p,q,r,s\"\n",
        "Name,City\nAnn,\"Paris, IDF, France\"\nBob,\"Rome, LA, Italy\"\nCyd,\"Bonn, NRW, Germany\"\n",
        "name,n\n\"EQUIFAX, INC.\",5\nBANK,4\nSHOP,3\n"})
    EXPECT_EQ(read_bytes(bytes).columns.size(), 2u) << bytes;
}

TEST(Quotes, ThatAreNeverClosedComeWithTheRemedy) {
  try {
    read_bytes("x,y\n1,\"abc,\n2,3\n");
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.remedies().size(), 1u);
    EXPECT_EQ(error.remedies()[0].format->quotes, Quotes::none);
  }
}

TEST(WordVectors, AreWordsAndNumbers) {
  for (const std::string first : {"", "3 4\n"}) {
    const Table table =
        read_bytes(first + "king 0.1 0.2 0.3 0.4\nqueen 0.2 0.3 0.4 0.5\nman 0.1 0.5 0.5 0.1\n", "w.txt");
    EXPECT_EQ(table.columns[0].texts, (Names{"king", "queen", "man"}));
    EXPECT_EQ(table.columns.size(), 5u);
    EXPECT_FALSE(table.has_header);
  }
  // Cut off: fewer rows than counted.
  EXPECT_EQ(read_bytes("20 2\none -1.6e-02 7.2e-02\ntwo 1.0e-01 2.0e-01\nsix 3.0e-01 0.5e-01\n", "w.txt").rows, 3u);
}

TEST(FirstLines, MayBeAHeaderThatBeginsWithAHash) {
  const Table tabs = read_bytes("#x\ty\tz\n1\t2\t3\n4\t5\t6\n7\t8\t9\n");
  EXPECT_EQ(names_of(tabs), (Names{"x", "y", "z"}));
  EXPECT_EQ(tabs.rows, 3u);
  EXPECT_EQ(tabs.row_lines.front(), 2u);
  EXPECT_TRUE(tabs.remarks.empty());
  EXPECT_EQ(names_of(read_bytes("#,Name,HP\r\n1,Bulb,45\r\n2,Ivy,60\r\n3,Ven,80\r\n")), (Names{"#", "Name", "HP"}));
  EXPECT_EQ(names_of(read_bytes("# x y\n1 2\n3 4\n", "t.txt")), (Names{"x", "y"}));
  const Table otu = read_bytes("# Constructed from biom file\n#OTU ID\tS1\tS2\nO1\t3\t0\nO2\t0\t2\n", "otu.tsv");
  EXPECT_EQ(names_of(otu), (Names{"OTU ID", "S1", "S2"}));
  EXPECT_EQ(otu.rows, 2u);
  // A comment stays one above a header, or with numbers, or if the first row is data by request.
  EXPECT_EQ(names_of(read_bytes("# made, by hand\nx,y\n1,2\n")), (Names{"x", "y"}));
  EXPECT_FALSE(read_bytes("# 1,2\n3,4\n5,6\n").has_header);
  EXPECT_EQ(names_of(read_as("#x,y\n1,2\n3,4\n", {.header = Header::no})), (Names{"c0", "c1"}));
}

TEST(FirstLines, MayCountTheRows) {
  const Table cloud = read_bytes("//X;Y;Z\n3\n0.47;0.65;0.66\n0.81;0.69;0.60\n0.16;0.90;0.05\n", "cloud.txt");
  EXPECT_EQ(names_of(cloud), (Names{"X", "Y", "Z"}));
  EXPECT_EQ(cloud.rows, 3u);
  EXPECT_EQ(cloud.row_lines.front(), 3u);
  const ReadingGuess* guess = guess_of(cloud, Guess::skipped_lines);
  ASSERT_TRUE(guess);
  EXPECT_EQ(guess->taken, "Line 2");
  EXPECT_EQ(guess->others.at(0).option, "--skip-lines 0");
  EXPECT_EQ(read_bytes("3\n0.1 0.2 0.3\n0.2 0.3 0.4\n0.5 0.6 0.7\n", "a.pts").rows, 3u);
  // A count that is wrong is an error as before.
  EXPECT_NE(message_of_reading("x;y\n5\n1;2\n3;4\n"), "(no error)");
  EXPECT_EQ(names_of(read_bytes("//X Y Z\n0.9 0.3 0.1\n1.6 2.7 0.2\n", "cc.txt")), (Names{"X", "Y", "Z"}));
}

TEST(FirstLines, MayHoldUnitsOrAnotherHeader) {
  const std::string units = "time,force,disp\ns,N,mm\n0.1,2,3\n0.2,5,6\n0.3,8,9\n";
  const Table table = read_bytes(units);
  EXPECT_EQ(names_of(table), (Names{"time", "force", "disp"}));
  EXPECT_EQ(numbers_of(table, 1), (Numbers{2, 5, 8}));
  EXPECT_EQ(table.row_lines, (std::vector<std::size_t>{3, 4, 5}));
  ASSERT_EQ(table.remarks.size(), 1u);
  EXPECT_NE(table.remarks[0].find("line 2 was skipped"), std::string::npos);
  // Asked for, and asked not to.
  EXPECT_EQ(numbers_of(read_as(units, {.skip_lines = {2}}), 1), (Numbers{2, 5, 8}));
  EXPECT_EQ(read_as(units, {.skip_lines = {2}}).remarks, Names());
  EXPECT_EQ(read_as(units, {.skip_lines = {0}}).columns[1].texts, (Names{"N", "2", "5", "8"}));
  EXPECT_EQ(numbers_of(read_as(units, {.skip_lines = {2, 4}}), 1), (Numbers{2, 8}));
  const Table nonmem =
      read_bytes("TABLE NO.  1\n ID  TIME  DV\n  1.0E+00 0.0E+00 7.4E-01\n  1.0E+00 2.5E-01 2.8E+00\n", "t.txt");
  EXPECT_EQ(names_of(nonmem), (Names{"ID", "TIME", "DV"}));
  EXPECT_EQ(nonmem.rows, 2u);
  // A row of data without numbers is none.
  EXPECT_EQ(read_bytes("kind,x,y\na,NA,NA\nb,1,2\nc,3,4\n").rows, 3u);
}

TEST(FirstLines, MayBeSeveralHeaders) {
  // As pandas writes columns of several levels: their numbers, and the name of the rows in a line of its own.
  const Table levels = read_bytes("net,1,1,2\nnode,1,2,1\nhemi,lh,rh,lh\n,,,\n0,5.5,9.25,3\n1,5.25,4,6\n2,6,4,8\n");
  EXPECT_EQ(names_of(levels), (Names{"net node hemi", "1 1 lh", "1 2 rh", "2 1 lh"}));
  EXPECT_EQ(numbers_of(levels, 2), (Numbers{9.25, 4, 4}));
  EXPECT_EQ(levels.row_lines, (std::vector<std::size_t>{5, 6, 7}));
  // As surveys are saved: names, questions, and identifiers of these.
  const Table survey =
      read_bytes("Q1,Q2,Who\nHow old?,How tall?,Your name?\n{id1},{id2},{id3}\n31,170,ada\n42,181,bob\n27,166,cy\n");
  EXPECT_EQ(names_of(survey), (Names{"Q1", "Q2", "Who"}));
  EXPECT_EQ(numbers_of(survey, 1), (Numbers{170, 181, 166}));
  EXPECT_EQ(survey.rows, 3u);
  // As pandas writes the result of grouping; the rows' names are named in a line of their own.
  const Table grouped = read_bytes(",p,p,q\n,mean,std,mean\ncat,,,\na,1,0.5,2\nb,2,0.25,3\nc,3,0.75,4\n");
  EXPECT_EQ(names_of(grouped), (Names{"cat", "p mean", "p std", "q mean"}));
  EXPECT_EQ(grouped.columns[0].texts, (Names{"a", "b", "c"}));
  EXPECT_EQ(names_of(read_bytes("A,A,B\nx,y,x\n1,2,3\n4,5,6\n7,8,9\n")), (Names{"A x", "A y", "B x"}));
  EXPECT_EQ(names_of(read_as("A,A,B\nx,y,x\n1,2,3\n4,5,6\n7,8,9\n", {.skip_lines = {0}})).size(), 3u);
  // Units of one column of numbers stand alone; others may be a value.
  EXPECT_EQ(numbers_of(read_bytes("name,speed\n,m/s\nann,1\nbob,2\ncyd,3\n"), 1), (Numbers{1, 2, 3}));
  EXPECT_EQ(read_bytes("name,score\nann,absent\nbob,5\ncyd,6\n").rows, 3u);
  // Rows whose values are not given are rows.
  EXPECT_EQ(read_bytes("a,b,c\nX,**,**\nY,**,**\nZ,1,2\nU,3,4\nV,5,6\n").rows, 5u);
  EXPECT_EQ(survey.remarks, Names{"lines 2 and 3 were skipped: they stand between the names and the numbers "
                                  "(`--skip-lines 0` reads them)"});
}

TEST(FirstLines, MayBeRemarksAboveTheNames) {
  const std::string spectrum = "400,0.1\n401,0.2\n402,0.4\n403,0.3\n", names = "Wavelength,Absorbance\n";
  const Table two = read_bytes("Instrument,UV-1800\nOperator,Smith\n" + names + spectrum);
  EXPECT_EQ(names_of(two), (Names{"Wavelength", "Absorbance"}));
  EXPECT_EQ(two.row_lines.front(), 4u);
  EXPECT_EQ(two.remarks, Names{"lines 1 and 2 were skipped: the names of the columns are in a line below "
                               "(`--skip-lines 0` reads them)"});
  // Many, with values of their own, and titles, filled up with separators.
  std::string many = "Simulation of a year,\nLatitude (deg N):,39.73\n";
  for (int i = 0; i < 12; ++i) many += "Key " + std::to_string(i) + ",value " + std::to_string(i) + "\n";
  const Table year = read_bytes(many + ",\n" + names + spectrum + spectrum + spectrum + spectrum);
  EXPECT_EQ(names_of(year), (Names{"Wavelength", "Absorbance"}));
  EXPECT_EQ(numbers_of(year, 1).size(), 16u);
  // Units below the names do not take their place.
  EXPECT_EQ(names_of(read_bytes("time,force\nt,F\ns,kN\n" + spectrum)), (Names{"time", "force"}));
  // Rows of texts above rows of numbers are rows.
  EXPECT_EQ(read_bytes("a,b\nx,low\ny,low\nz,low\nu,low\nv,low\nw,high\n" + spectrum).rows, 10u);
  EXPECT_EQ(read_bytes("a,b,c\n1,x,5\n2,y,6\n3,z,7\n4,u,8\n5,v,9\n6,w,10\nq,r,s\n7,1,2\n8,3,4\n9,5,6\n").rows, 10u);
  // Numbers are rows, whatever text stands among them, and a row with a name of its own is no line of units.
  for (const char* const text :
       {"depth,temp\n10,3\n20,4\n30,5\ndepth,temp\n40,6\n50,7\n60,8\n",
        "id,height,weight\n1,180,\n2,,70\nunknown,refused,n/k\n3,153,53\n4,160,61\n5,171,66\n6,9,9\n",
        "name,a,b\nA,1,2\nB,3,4\nC,failed,failed\nD,1,2\nE,3,4\nF,5,6\nG,7,8\n"})
    EXPECT_EQ(read_bytes(text).rows, 7u) << text;
  EXPECT_EQ(read_bytes("city,max,min\nAzul,S/D,S/D\nBolivar,31,20\nDolores,30,19\nTandil,28,18\n").rows, 4u);
  EXPECT_EQ(read_bytes("ret,ma\nNone,None\n0.1,0.2\n0.3,0.4\n0.5,0.6\n").rows, 4u);
  EXPECT_EQ(read_bytes("name,maths,art\nAnn,F,C\nBob,3,10\nCid,4,20\nDan,5,30\n").rows, 4u);
  EXPECT_EQ(names_of(read_bytes("Sample,A1\nOperator,Ann\nTime,Temp\ns,degC\n1,20\n2,21\n3,22\n")),
            (Names{"Time", "Temp"}));
  EXPECT_EQ(names_of(read_bytes(",,\nt,x,y\n1,1,2\n2,3,4\n3,5,6\n")), (Names{"t", "x", "y"}));
  EXPECT_EQ(read_bytes("player,g,pts\nAnn,DNP,DNP\nBob,3,10\nCid,4,20\nDan,5,30\n").rows, 4u);
  EXPECT_EQ(names_of(read_bytes("time,T,p\ninstrument A,instrument B,none\nraw,filtered,raw2\n1,2,3\n4,5,6\n7,8,9\n")),
            (Names{"time", "T", "p"}));
  EXPECT_EQ(
      names_of(read_bytes("Method = X,,,\nUser = Y,,,\nTime,Pod,,Amount\n9:01,P1,1,5\n9:02,P2,2,6\n9:03,P3,1,7\n")),
      (Names{"Time", "Pod", "c2", "Amount"}));
  EXPECT_EQ(names_of(read_bytes("E,j,j\nV,mA,mA/cm\n1,2,3\n4,5,6\n7,8,9\n")), (Names{"E", "j", "j_2"}));
  // Of another width they are an error that says what to do.
  EXPECT_EQ(
      message_of_reading("key,value\nkey 2,value 2\na,b,c\n1,2,3\n4,5,6\n"),
      "data.csv:3: expected 2 columns, found 3; if the table begins here, `--skip-rows 2` skips the lines above it");
}

TEST(FirstLines, NameColumnsInTheLastComment) {
  const std::string rows = "0.1 2 0.2 0.01\n0.2 3 0.1 0.02\n0.3 4 0.3 0.01\n", pairs = "1,20.5\n2,20.25\n3,20.75\n";
  EXPECT_FALSE(read_bytes("# sample kept at room\n# Qz (1/A)  R  sR  sQ\n" + rows).has_header);
  EXPECT_EQ(names_of(read_bytes("# made by hand\n# Qz R sR sQ\n" + rows)), (Names{"Qz", "R", "sR", "sQ"}));
  EXPECT_EQ(names_of(read_bytes("#time,temp\n#s,C\n" + pairs)), (Names{"time", "temp"}));
  EXPECT_EQ(names_of(read_bytes("# x y\n#\n#-----\n1 2\n3 4\n5 6\n")), (Names{"x", "y"}));
  EXPECT_FALSE(read_bytes("#Station,A\n#Elev,520\n" + pairs).has_header);
}

TEST(FirstLines, MayBeShorterThanTheRows) {
  const Table ends = read_bytes("id,a,b\nx,1,2,,\ny,3,4,,\nz,5,7,,\n");
  EXPECT_EQ(std::vector(ends.columns[1].numbers.begin(), ends.columns[1].numbers.end()), (Numbers{1, 3, 5}));
  EXPECT_EQ(ends.columns[2].name, "b");
  EXPECT_EQ(
      load_dataset({.source = TemporaryFolder().write("a.csv", "id,a,b\nx,1,2,,\ny,3,4,,\nz,5,7,,\n")})->value_names,
      (Names{"a", "b"}));
  const Table rows = read_bytes(",region,oil\n1,North,2,10\n2,South,3,20\n3,North,1,30\n");
  EXPECT_EQ(names_of(rows), (Names{"row", "c1", "region", "oil"}));
}

TEST(FirstLines, MayHaveASeparatorTooMany) {
  const Table table = read_bytes("a,b,c,\n1,2,3\n4,5,6\n6,7,8\n");
  EXPECT_EQ(names_of(table), (Names{"a", "b", "c"}));
  EXPECT_EQ(numbers_of(table, 2), (Numbers{3, 6, 8}));
}

TEST(SkippedLines, AreFoundFarIntoTheFile) {
  std::string bytes = "x,y\r\n";
  for (int i = 0; i < 300'000; ++i) bytes += i == 250'000 ? "broken \"line\r\n" : std::to_string(i) + ",1\r\n";
  EXPECT_EQ(message_of_reading(bytes), "data.csv:250002: expected 2 columns, found 1; `--skip-lines 250002` skips it");
  const Table table = read_as(bytes, {.skip_lines = {250'002}});
  EXPECT_EQ(table.rows, 299'999u);
  EXPECT_EQ(table.row_lines[250'000], 250'003u);
  EXPECT_EQ(table.columns[0].numbers[250'000], 250'001);
}

TEST(HeaderRow, MayHaveNumbersAboveTexts) {
  const Table table = read_bytes("name,2021\nAnn,yes\nBob,no\nCy,yes\nDi,maybe\n");
  EXPECT_EQ(names_of(table), (Names{"name", "2021"}));
  EXPECT_EQ(table.columns[1].texts, (Names{"yes", "no", "yes", "maybe"}));
}

TEST(HeaderRow, StandsAboveNumbersHoweverWritten) {
  const Table table = read_bytes("name,pct,amount\nann,81.5%,$42.50\nbob,12.0%,$17.25\ncyd,55.1%,$3.10\n");
  EXPECT_EQ(names_of(table), (Names{"name", "pct", "amount"}));
  EXPECT_EQ(table.rows, 3u);
}

TEST(Separators, DoNotMakeThousandsOfDecimals) {
  const Table table = read_bytes("x\ty\n1,555\t2,225\n4,212\t0,118\n0,699\t0,639\n");
  EXPECT_EQ(numbers_of(table, 0), (Numbers{1.555, 4.212, 0.699}));
  // Also in a table of one column, and under a header with blanks.
  EXPECT_EQ(numbers_of(read_bytes("x\n1,5\n2,25\n-3,125\n"), 0), (Numbers{1.5, 2.25, -3.125}));
  EXPECT_EQ(numbers_of(read_bytes("x\n\"1,5\"\n\"2\"\n"), 0), (Numbers{1.5, 2}));
  const Table quoted = read_bytes("\"a\",\"b\"\n\"1,5\",\"2,5\"\n\"3,5\",\"1,25\"\n\"2,5\",\"7,5\"\n");
  EXPECT_EQ(numbers_of(quoted, 1), (Numbers{2.5, 1.25, 7.5}));
  EXPECT_EQ(read_bytes("a,b\n\"1,500\",2\n\"2,250\",3\n\"7,125\",4\n").columns[0].texts.size(), 3u) << "thousands";
  EXPECT_EQ(read_bytes("\"name\"\n\"Smith, Ann\"\n\"Roe, Bob\"\n").columns.size(), 1u);
  EXPECT_EQ(read_bytes("a x\tb y\tc z\nu;v\t6\t1,5\nw\t7\t2\n").columns.size(), 3u);
  EXPECT_EQ(numbers_of(read_as("x\tn\n0,699\t1\n1,555\t2\n", {.numbers = {"x"}}), 0), (Numbers{0.699, 1.555}));
}

TEST(HeaderRow, IsNoRowOfNumbersHoweverWritten) {
  const Table german =
      read_bytes("05/01/2016;A;-21.419,06\n12/01/2016;A;-375,00\n13/01/2016;B;-150,00\n14/01/2016;A;-53,9\n");
  EXPECT_FALSE(german.has_header);
  EXPECT_EQ(german.rows, 4u);
  EXPECT_FALSE(read_bytes("\"1,234\",5\n900,4\n800,3\n700,2\n").has_header);
  EXPECT_FALSE(read_bytes("08/01/2016;A;-21.419,06\n12/01/2016;A;-21.375,00\n13/01/2016;B;-53,9\n").has_header);
  EXPECT_FALSE(read_bytes("<0.01,5\n0.2,4\n0.3,3\n").has_header);
  EXPECT_FALSE(read_bytes("12 %,5\n13 %,4\n9 %,3\n").has_header);
  // Most of its cells are numbers above numbers.
  EXPECT_FALSE(
      read_bytes("sun,125,256,60\nibm,29,80,32\nibm,26,80,32\ndec,50,70,16\ndec,23,64,8\nibm,23,64,7\n").has_header);
  EXPECT_TRUE(read_bytes("share %,n\n13,4\n9,3\n").has_header);
}

TEST(Columns, WithAFewTextsAmongNumbersAreTexts) {
  const std::string ages = "age,n\n12,0\n13,3\n14,6\n15,9\n16,12\n22-23,13\n24-25,16\n";
  const Table table = read_bytes(ages);
  EXPECT_EQ(table.columns[0].texts, (Names{"12", "13", "14", "15", "16", "22-23", "24-25"}));
  EXPECT_EQ(guess_of(table, Guess::column)->others.at(0).format.numbers, Names{"age"});
  const Table numbers = read_as(ages, {.numbers = {"age"}});
  ASSERT_FALSE(numbers.columns[0].is_text);
  EXPECT_EQ(numbers.columns[0].numbers[4], 16);
  EXPECT_TRUE(std::isnan(numbers.columns[0].numbers[5]));
  EXPECT_EQ(numbers.remarks,
            Names{"'age' was read as numbers: 5 numbers; 2 other values, the first '22-23', are missing"});
  const TemporaryFolder folder;
  EXPECT_EQ(load_dataset({.source = folder.write("a.csv", ages)})->value_names, Names{"n"});
}

TEST(Columns, OfTextsMayHoldTheWordInfinity) {
  EXPECT_EQ(read_bytes("word,count\nthe,10\ninfinity,2\nking,3\ninf,1\n9e12345,4\n").columns[0].texts,
            (Names{"the", "infinity", "king", "inf", "9e12345"}));
  std::string late = "word,n\n";
  for (int i = 0; i < 200'000; ++i) late += (i == 150'000 ? "Inf," : "w" + std::to_string(i) + ",") + "1\n";
  EXPECT_EQ(read_bytes(late).columns[0].texts[150'000], "Inf");
}

TEST(Columns, SayWhatWasStripped) {
  EXPECT_EQ(read_as("x,p\n1,\"$1,000\"\n2,$5\n3,free\n", {.numbers = {"p"}}).remarks,
            Names{"'p' was read as numbers: 2 numbers without thousands separators and '$'; 1 other value, 'free', is "
                  "missing"});
  EXPECT_EQ(read_as("x,p\n1,1 234\n2,5\n", {.numbers = {"p"}}).remarks,
            Names{"'p' was read as numbers: 2 numbers without thousands separators"});
  EXPECT_EQ(read_as("x,p\n1,3 kg\n2,4 kg\n", {.numbers = {"p"}}).remarks,
            Names{"'p' was read as numbers: 2 numbers without 'kg'"});
}

TEST(Columns, MayBeTextsOrLeftOutByRequest) {
  const std::string bytes = "zip,x,y\n007,1,inf\n010,2,4\n";
  const Table texts = read_as("zip,x\n007,1\n010,2\n", {.texts = {"zip"}});
  EXPECT_EQ(texts.columns[0].texts, (Names{"007", "010"}));
  const Table guessed = read_bytes("zip,x\n007,1\n010,2\n");
  const ReadingGuess* zeros = guess_of(guessed, Guess::column);
  ASSERT_TRUE(zeros);
  EXPECT_EQ(zeros->others.at(0).option, "--text zip");
  const Table rest = read_as(bytes, {.drop = {"y"}});
  EXPECT_EQ(names_of(rest), (Names{"zip", "x"}));
  EXPECT_EQ(numbers_of(rest, 1), (Numbers{1, 2}));
  EXPECT_EQ(names_of(read_as("1,2\n3,4\n", {.drop = {"c0"}})), Names{"c1"});
  EXPECT_EQ(read_as("1,2\n3,4\n", {.texts = {"c1"}}).columns[1].texts, (Names{"2", "4"}));
  // A column that is named makes the first row a header.
  EXPECT_EQ(read_as("name,kind\nAnn,a\nBob,b\n", {.texts = {"kind"}}).header_reason, "--text names 'kind'");
  EXPECT_EQ(message_as(bytes, {.drop = {"zap"}}), "data.csv: there is no column 'zap'; did you mean 'zip'?");
  EXPECT_EQ(message_as(bytes, {.numbers = {"nothing"}}),
            "data.csv: there is no column 'nothing'; available: 'zip', 'x', 'y'");
  EXPECT_EQ(message_as("x\n1\n", {.drop = {"x"}}), "data.csv: --drop leaves no column");
  EXPECT_EQ(message_as("a,b\n1,2\n", {.drop = {"c1"}}), "data.csv: there is no column 'c1'; available: 'a', 'b'");
}

TEST(Columns, OfTextsByRequestKeepNamesThatAreMissingValuesElsewhere) {
  EXPECT_EQ(read_as("id,x\nNA,1\nNULL,2\n#N/A,3\n,4\n", {.texts = {"id"}}).columns[0].texts,
            (Names{"NA", "NULL", "#N/A", ""}));
  EXPECT_EQ(read_as("NA,1\nnan,2\n", {.header = Header::no, .texts = {"c0"}}).columns[0].texts, (Names{"NA", "nan"}));
  EXPECT_EQ(read_bytes("id,x\nNan,1\nAnn,2\nBob,3\n").columns[0].texts, (Names{"Nan", "Ann", "Bob"}));
}

TEST(Columns, OfNumbersWithBlanksBetweenThemAreNotAdvisedToBeRead) {
  EXPECT_EQ(unread_number(read_bytes("age,pressure\n41,120 80\n52,135 85\n").columns[1]), "");
  EXPECT_EQ(unread_number(read_bytes("x,income\n1,\"$150,000+\"\n2,\"$0 - $24,999\"\n").columns[1]), "");
  EXPECT_EQ(unread_number(read_bytes("x,income\n1,1 500\n2,24 999\n").columns[1]), "1 500");
}

TEST(Columns, AreNotAskedForInTwoWays) {
  EXPECT_EQ(message_as("a,b\n1,2\n", {.texts = {"a"}, .numbers = {"b", "a"}}),
            "data.csv: column 'a' is named by --text and by --numbers");
  EXPECT_EQ(message_as("a,b\n1,2\n", {.numbers = {"a", "a"}}), "data.csv: --numbers names column 'a' twice");
}

TEST(Columns, OfOtherFilesMayBeTextsOrLeftOutToo) {
  const TableFormat format{.texts = {"c0"}, .drop = {"c1"}};
  const Table made = load_table({.source = "synthetic:simplex,n=5", .format = format});
  EXPECT_TRUE(made.columns[0].is_text);
  EXPECT_EQ(made.columns[1].name, "c2");
  EXPECT_EQ(input_message([] { load_table({.source = "synthetic:simplex,n=5", .format = {.numbers = {"c0"}}}); }),
            "synthetic:simplex,n=5: --numbers applies only to text tables such as CSV");
  EXPECT_EQ(input_message([] { load_table({.source = "synthetic:simplex,n=5", .format = {.drop = {"c9"}}}); }),
            "synthetic:simplex,n=5: there is no column 'c9'; did you mean 'c0'?");
}

TEST(Encodings, OtherThanUtf8AreReadOrNamed) {
  const Table table = read_bytes("price \x80,b \x93q\x94\n1,2\n3,4\n");
  EXPECT_EQ(names_of(table), (Names{"price €", "b “q”"}));
  EXPECT_EQ(guess_of(table, Guess::encoding)->taken, "Windows-1252");
  EXPECT_FALSE(guess_of(read_bytes("price €,b\n1,2\n"), Guess::encoding));
  const auto wide = [](const std::string& text, bool big) {
    std::string bytes = big ? std::string("\0\0\xFE\xFF", 4) : std::string("\xFF\xFE\0\0", 4);
    for (const char c : text) bytes += big ? std::string("\0\0\0", 3) + c : c + std::string("\0\0\0", 3);
    return bytes;
  };
  for (const bool big : {false, true})
    EXPECT_EQ(message_of_reading(wide("a,b\n1,2\n", big)),
              "data.csv: text in UTF-32 is not supported: save it as UTF-8");
}

TEST(Encodings, ZeroBytesAtTheEndAreLeftOut) {
  const Table table = read_bytes(std::string("a,b\n1,2\n3,4\n\0\0\0\0", 16));
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.remarks, Names{"4 zero bytes at the end left out"});
  std::string large = "a,b\n";
  for (int i = 0; i < 500'000; ++i) large += "1,2\n";
  EXPECT_EQ(read_bytes(large + std::string(5000, '\0')).rows, 500'000u);
}

TEST(OtherFiles, InPlaceOfATableAreNamed) {
  EXPECT_EQ(message_of_reading("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"),
            "data.csv: this is a pointer of Git LFS, not the file itself: `git lfs pull` fetches it");
  EXPECT_EQ(message_of_reading("c1 c2 c3 c4 c5 c6\nr1 0 1 2 3 4\nr2 0   3 4\nr3 0 1 2 3 4\n", "t.txt"),
            "t.txt:3: expected 6 columns, found 4; do blanks stand for missing values?");
}

}  // namespace
}  // namespace kinescope::sim::reading_choices_test
