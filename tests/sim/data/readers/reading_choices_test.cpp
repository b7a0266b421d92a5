// How the cells and the columns of a table of text are chosen, what is said about it, and how people
// choose otherwise. Each case is a small file in the manner of one that somebody had.
#include "tests/sim/data/readers/reading_choices.hpp"

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
