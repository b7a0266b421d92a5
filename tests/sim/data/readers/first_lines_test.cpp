// What stands in the first lines of a table of text beside its header and its rows. Each case is a small file in the
// manner of one that somebody had.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/reading_choices.hpp"

namespace kinescope::sim::reading_choices_test {
namespace {

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

TEST(FirstLines, AreTitlesAboveYears) {
  const std::string rows =
      ",1960,1961,,1962\nAustralia,70.9,71.2,,71.0\nAustria,68.7,69.7,,69.4\nBelgium,69.8,70.5,,70.2\n";
  for (const auto& [titles, lines] :
       {std::pair("HEALTH STATUS,,,,\n\"Life expectancy, Years\",,,,\n,,,,\n", "3"), {"Life expectancy,,,,\n", "1"}})
    EXPECT_EQ(message_of_reading(titles + rows), std::string("data.csv:1: is a title above the table; `--skip-rows ") +
                                                     lines + "` skips it, `--header no` reads it as a row");
  // Rows without values are no titles.
  EXPECT_EQ(read_bytes("Aruba,,\nAngola,,\nBenin,2.5,3.5\nChad,2.25,1.5\n").rows, 4u);
  EXPECT_EQ(read_bytes("Ann,,\nBob,1901,1975\nCal,1920,1999\nDee,1850,1910\n").rows, 4u);
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

}  // namespace
}  // namespace kinescope::sim::reading_choices_test
