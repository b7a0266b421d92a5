#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/write.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/csv/csv_header.hpp"
#include "sim/data/readers/csv/csv_records.hpp"
#include "sim/data/readers/csv/dialect.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text_reading.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::csv_test {
namespace {

using Names = std::vector<std::string>;
using Texts = std::vector<std::string>;
using Numbers = std::vector<float>;
using Lines = std::vector<std::size_t>;

Names names_of(const Table& table) {
  Names names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

TEST(Csv, ReadsNamesNumbersAndLines) {
  const Table table = read_bytes("x,y\n1,2.5\n-3e2,.25\n");
  EXPECT_EQ(table.format, "CSV");
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(names_of(table), (Names{"x", "y"}));
  EXPECT_EQ(table.columns[0].numbers, (Numbers{1, -300}));
  EXPECT_EQ(table.columns[1].numbers, (Numbers{2.5, 0.25}));
  EXPECT_EQ(table.row_lines, (Lines{2, 3}));
}

TEST(Csv, LineOneIsAHeaderOnlyIfACellIsNeitherNumberNorMissing) {
  EXPECT_EQ(names_of(read_bytes("1,2\n3,4\n")), (Names{"c0", "c1"}));
  EXPECT_EQ(read_bytes("1,2\n3,4\n").rows, 2u);
  EXPECT_EQ(read_bytes("1,NA\n3,4\n").rows, 2u);
  EXPECT_EQ(read_bytes("?,\n3,4\n").rows, 2u);
  EXPECT_EQ(names_of(read_bytes("1,two\n3,4\n")), (Names{"1", "two"}));
  EXPECT_EQ(names_of(read_bytes("a,,a,c1\n1,2,3,4\n")), (Names{"a", "c1", "a_2", "c1_3"}));
}

// Rows of plain numbers, and rows that are not, are told apart in any order: gaps, words, quotes, blanks, comments.
TEST(Csv, EveryMissingSpellingIsMissing) {
  const Table table = read_bytes("x,t\n,a\nNA,\nnan,NA\nNaN,?\n-NAN,b\n?,NaN\n \t,c\n\"\",\"\"\n7,d\n");
  ASSERT_EQ(table.rows, 9u);
  for (std::size_t row = 0; row + 1 < table.rows; ++row) EXPECT_TRUE(std::isnan(table.columns[0].numbers[row])) << row;
  EXPECT_EQ(table.columns[0].numbers[8], 7);
  EXPECT_EQ(table.columns[1].texts, (Texts{"a", "", "", "", "b", "", "c", "", "d"}));
}

TEST(Csv, QuotedFieldsHoldSeparatorsLineEndsAndQuotes) {
  const Table table =
      read_bytes("name,\"x, \"\"y\"\"\"\n\"a,b\",1\n\"line\r\nend\n\", \"2\" \nplain \"quote\",3\n\"# no\",4\n");
  EXPECT_EQ(names_of(table), (Names{"name", "x, \"y\""}));
  EXPECT_EQ(table.columns[0].texts, (Texts{"a,b", "line\r\nend\n", "plain \"quote\"", "# no"}));
  EXPECT_EQ(table.columns[1].numbers, (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(table.row_lines, (Lines{2, 3, 6, 7}));
}

TEST(Csv, SkipsCommentsAndBlankLinesAndCountsThem) {
  const Table table = read_bytes("# made by hand, \"unclosed\n\nx;y\n  # more\n1;2\n   \n3;4\n#\n");
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.row_lines, (Lines{5, 7}));
}

// A spreadsheet's errors are missing values, also at the beginning of a line.
TEST(Csv, ErrorsOfSpreadsheetsAreNoComments) {
  const Table one = read_bytes("height\n170\n#N/A\n180\n");
  EXPECT_EQ(one.row_lines, (Lines{2, 3, 4}));
  EXPECT_TRUE(std::isnan(one.columns[0].numbers[1]));
  const Table two =
      read_bytes("height,weight\n170,65\n#N/A,70\n#DIV/0! ,75\n# no row\n#N/A stands for nothing\n180,#VALUE!\n");
  EXPECT_EQ(two.row_lines, (Lines{2, 3, 4, 7}));
  EXPECT_EQ(two.columns[1].numbers[2], 75);
  std::string many = "a,b\n#N/A,\"";
  for (int i = 0; i < 1'000'000; ++i) many += "\"\"\"\"";
  EXPECT_EQ(read_bytes(many + "\"\n1,x\n").rows, 2u);
}

TEST(Csv, WithoutRowsSaysWhatItsCommentsAre) {
  for (const std::string_view text : {"#ff0000,1\n#00ff00,2\n", "code,k\n#5,1\n#6,2\n"})
    EXPECT_EQ(message_of_reading(text), "data.csv: no rows: lines that begin with # are comments");
}

TEST(Csv, EveryLineEndAndMarkGivesTheSameTable) {
  for (const std::string_view text :
       {"x,y\n1,2\n3,4\n", "x,y\r\n1,2\r\n3,4\r\n", "x,y\r1,2\r3,4\r", "x,y\n1,2\n3,4", "\xEF\xBB\xBFx,y\r\n1,2\r\n3,4",
        "x;y\n1;2\n3;4\n", "x\ty\n1\t2\n3\t4\n", "x , y\n 1 ,2 \n3,\t4\t\n"}) {
    const Table table = read_bytes(text);
    EXPECT_EQ(names_of(table), (Names{"x", "y"})) << text;
    EXPECT_EQ(table.columns[0].numbers, (Numbers{1, 3})) << text;
    EXPECT_EQ(table.columns[1].numbers, (Numbers{2, 4})) << text;
    EXPECT_EQ(table.row_lines, (Lines{2, 3})) << text;
  }
}

TEST(Csv, SniffsTheSeparatorThatDividesLinesAlike) {
  EXPECT_EQ(weigh_dialects("a;b\n1,5;2\n").best.dialect.separator, ';');
  EXPECT_EQ(weigh_dialects("\"a;;;b\",c\n\"d\",e\n").best.dialect.separator, ',');
  for (const std::string mark : {"", "\xEF\xBB\xBF"})
    EXPECT_EQ(weigh_dialects(mark + "# a;b;c\na\tb\n1\t2\n").best.dialect.separator, '\t');
  EXPECT_EQ(weigh_dialects("one\n2\n").best.dialect.separator, ',');
  EXPECT_EQ(weigh_dialects("").best.dialect.separator, ',');
  EXPECT_EQ(weigh_dialects("a,b,c\n1,2\n").best.dialect.separator, ',');
  const Table table = read_bytes("a,b\tc\n1\t2\n", "data.tsv");
  EXPECT_EQ(names_of(table), (Names{"a,b", "c"}));
  EXPECT_EQ(table.format, "TSV");
}

TEST(Csv, BlanksWithinCellsBetweenTabsAreText) {
  const Table table = read_bytes("weight\theight cm\tstreet\n80.5\t180\tMain 5\n60.5\t170\tHigh 7\n61.5\t165\tLow 9\n");
  EXPECT_EQ(names_of(table), (Names{"weight", "height cm", "street"}));
  EXPECT_EQ(table.columns[2].texts, (Names{"Main 5", "High 7", "Low 9"}));
  EXPECT_EQ(weigh_dialects("1 2\t3\n4 5\t6\n7 8\t9\n").best.dialect.separator, ' ');
}

TEST(Csv, AnEndingMaySayTabsWhereThereAreNone) {
  const Table semicolons = read_bytes("a;b\n\"Smith, Ann\";1\n\"Li; Bo\";2,5\n", "t.tsv");
  EXPECT_EQ(names_of(semicolons), (Names{"a", "b"}));
  EXPECT_EQ(semicolons.columns[1].numbers, (Numbers{1, 2.5}));
  const Table commas = read_bytes("x,y\n1,2\n3,4\n", "t.tsv");
  EXPECT_EQ(names_of(commas), (Names{"x", "y"}));
  EXPECT_EQ(read_bytes("x\n1,5\n2,5\n", "t.tsv").columns.front().numbers, (Numbers{1.5, 2.5}));
  EXPECT_EQ(read_bytes("x\n15\n25\n", "t.tsv").columns.size(), 1u);
}

TEST(Csv, AFirstLineMayNameTheSeparator) {
  for (const std::string& bytes :
       {std::string("sep=;\na,b;c\n1,5;2\n3;4\n"), std::string("\xEF\xBB\xBFSEP=;\r\na,b;c\r\n1,5;2\r\n3;4\r\n"),
        gzip("sep=;\na,b;c\n1,5;2\n3;4\n")}) {
    const Table table = read_bytes(bytes);
    EXPECT_EQ(names_of(table), (Names{"a,b", "c"}));
    EXPECT_EQ(table.columns[0].numbers, (Numbers{1.5, 3}));
    EXPECT_EQ(table.row_lines, (Lines{3, 4}));
  }
  EXPECT_EQ(read_bytes("sep=,\na;1,b\n1,2\n").columns[0].name, "a;1");
  EXPECT_EQ(read_bytes("sep=\t\na\tb\n1\t2\n").format, "TSV");
  EXPECT_EQ(names_of(read_bytes("sep=|\na|b\n1|2\n")), (Names{"a", "b"}));
  EXPECT_EQ(read_bytes("sep=5\n1\n2\n").columns[0].name, "sep=5");  // a name
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "sep=;\nby hand\na;b\n1;2\n");
  EXPECT_EQ(names_of(load_table({.source = path, .format = {Header::automatic, 2}})), (Names{"a", "b"}));
}

TEST(Csv, ATriangleOfDistancesIsToldFromATitle) {
  const std::string advice = "this looks like one triangle of a table of distances, but the whole square is needed";
  for (const char* bytes : {"0\n3,0\n4,5,0\n1,2,3,0\n", "A\nB,3\nC,4,5\n", "A,B,C,D\nA\nB,3\nC,4,5\nD,1,2,3\n",
                            "0\t3\t4\t1\n0\t5\t2\n0\t3\n0\n"})
    EXPECT_NE(message_of_reading(bytes).find(advice), std::string::npos) << message_of_reading(bytes);
  EXPECT_EQ(message_of_reading("1,2,3\n4,5\n6,7,8\n").find(advice), std::string::npos);
}

TEST(Csv, ATitleAboveTheTableIsHintedAt) {
  for (const std::string separator : {",", ";", "\t"}) {
    const std::string rows = "a" + separator + "b" + separator + "c\n1" + separator + "2" + separator + "3\n";
    EXPECT_EQ(
        message_of_reading("Our sales\n" + rows),
        "data.csv:2: expected 1 column, found 3; if the table begins here, `--skip-rows 1` skips the lines above it");
    EXPECT_EQ(
        message_of_reading("Our sales\nof 2024\n\n" + rows),
        "data.csv:4: expected 1 column, found 3; if the table begins here, `--skip-rows 3` skips the lines above it");
    DataRequest request;
    request.format.skip_rows = 3;
    EXPECT_EQ(message_of_reading("Our sales\nof 2024\n\n" + rows, "data.csv", request), "(no error)");
  }
  // Spreadsheets write titles as wide as the table.
  const std::string rows = "shop;city;area\na;Graz;12\nb;Bonn;15\n";
  EXPECT_EQ(message_of_reading("Our sales;;\n" + rows),
            "data.csv:1: is a title above the table; `--skip-rows 1` skips it, `--header no` reads it as a row");
  EXPECT_EQ(message_of_reading("Our sales;;\nof 2024;;\n;;\n" + rows),
            "data.csv:1: is a title above the table; `--skip-rows 3` skips it, `--header no` reads it as a row");
  EXPECT_EQ(message_of_reading("Oslo;;\nBonn;;7\nGraz;5;6\n"), "(no error)") << "a row that lacks cells";
  std::string numbers;
  for (int line = 1; line <= 40; ++line) numbers += "7\n";
  EXPECT_EQ(message_of_reading(numbers + "7,8\n"), "data.csv:41: expected 1 column, found 2");
}

// The remedies that an error about a title offers: other formats.
TEST(Csv, ATitleAboveTheTableCanBeSkippedOrReadAsARow) {
  const auto remedies = [](const std::string& bytes) {
    try {
      read_bytes(bytes);
    } catch (const Error& error) {
      return error.remedies();
    }
    return std::vector<Remedy>();
  };
  const std::string rows = "shop;city;area\na;Graz;12\nb;Bonn;15\n";
  const std::vector<Remedy> wide = remedies("Our sales;;\nof 2024;;\n" + rows);
  ASSERT_EQ(wide.size(), 2u);
  EXPECT_EQ(wide[0].text, "Skip 2 lines");
  EXPECT_EQ(*wide[0].format, (TableFormat{.skip_rows = 2}));
  EXPECT_EQ(wide[1].text, "Read as a row");
  EXPECT_EQ(*wide[1].format, (TableFormat{.header = Header::no}));
  for (const Remedy& each : wide) EXPECT_TRUE(each.reopens());
  const std::vector<Remedy> narrow = remedies("Our sales\n" + rows);
  ASSERT_EQ(narrow.size(), 1u);
  EXPECT_EQ(narrow[0].text, "Skip 1 line");
  EXPECT_EQ(narrow[0].format->skip_rows, 1u);
  EXPECT_TRUE(remedies("1,2,3\n4,5\n6,7,8\n").empty());
}

TEST(Csv, TextColumnsAreAnnotationAndKeepTheirText) {
  const Table table = read_bytes("x,kind\n1,benign\n2,\n3,malignant\n");
  EXPECT_FALSE(table.columns[0].is_text);
  ASSERT_TRUE(table.columns[1].is_text);
  EXPECT_EQ(table.columns[1].texts, (Texts{"benign", "", "malignant"}));
  EXPECT_TRUE(table.columns[1].numbers.empty());
}

TEST(Csv, TextThatIsNotUtf8IsTakenForLatin1) {
  EXPECT_EQ(read_bytes("x,n\xE4me\n1,gr\xFCn\n").columns[1].name, "n\xC3\xA4me");
  EXPECT_EQ(read_bytes("x,n\xE4me\n1,gr\xFCn\n").columns[1].texts[0], "gr\xC3\xBCn");
  EXPECT_EQ(read_bytes("x,n\n1,gr\xC3\xBCn\n").columns[1].texts[0], "gr\xC3\xBCn");
}

TEST(Csv, OneRowAndOneColumnAreTables) {
  EXPECT_EQ(read_bytes("5").rows, 1u);
  EXPECT_EQ(read_bytes("x\n5\n6\n").columns[0].numbers, (Numbers{5, 6}));
  EXPECT_EQ(read_bytes("1,2,3,").columns.size(), 4u);
}

TEST(Csv, RaggedRowsNameTheirLine) {
  EXPECT_EQ(message_of_reading("0,1,2,3,4,5,6,7,8,9\n0,1,2,3,4,5,6,7,8\n"), "data.csv:2: expected 10 columns, found 9");
  EXPECT_EQ(message_of_reading("#\nx,y\n1,2\n\n1,2,3\n"), "data.csv:5: expected 2 columns, found 3");
  EXPECT_EQ(message_of_reading("x,y\n\"a\nb\",2\n1\n"),
            "data.csv:4: expected 2 columns, found 1; `--skip-lines 4` skips it");
}

std::string said_of(const std::string& bytes) {
  std::string all;
  for (const std::string& remark : read_bytes(bytes).remarks) all += (all.empty() ? "" : "; ") + remark;
  return all;
}

TEST(Csv, ATextInAColumnOfNumbersMakesItOneOfTextsAndIsTold) {
  const Table table = read_bytes("x,y\n1,2\n3,abc\n4,7\n5,06\n");
  EXPECT_FALSE(table.columns[0].is_text);
  EXPECT_EQ(table.columns[1].texts, (Texts{"2", "abc", "7", "06"}));
  EXPECT_EQ(table.remarks,
            (Texts{"'y' was read as text because of 'abc' in line 3; `--numbers y` reads its 3 numbers"}));
  EXPECT_EQ(said_of("x,y\n1,\n3,abc\n4,def\n5,6\n6,6\n7,7\n8,8\n"),
            "'y' was read as text because of 'abc' in line 3 and 1 other value; `--numbers y` reads its 4 numbers");
  EXPECT_EQ(said_of("x,y\n1,a\n3,abc\n4,def\n5,6\n"), "") << "mostly texts";
  const ReadingGuess guess = table.text_reading->guesses.back();
  EXPECT_EQ(guess.kind, ReadingGuess::Kind::column);
  EXPECT_EQ(guess.what, "y");
  EXPECT_EQ(guess.taken, "Text");
  EXPECT_FALSE(guess.sure);
  ASSERT_EQ(guess.others.size(), 1u);
  EXPECT_EQ(guess.others[0].option, "--numbers y");
  EXPECT_EQ(guess.others[0].format, (TableFormat{.numbers = {"y"}}));
}

// A table of `rows` tickets; one in `every` has letters.
std::string tickets(int rows, int every) {
  std::string text = "ticket,fare\n";
  for (int row = 0; row < rows; ++row)
    text +=
        (row % every == every - 1 ? "A/5 " : "") + std::to_string(2100 + row) + (row == 3 ? "00000001" : "") + ",7\n";
  return text;
}

TEST(Csv, AColumnOfManyTextsAndSomeNumbersIsText) {
  const Table table = read_bytes(tickets(100, 10));
  ASSERT_TRUE(table.columns[0].is_text);
  EXPECT_EQ(table.columns[0].texts[3], "210300000001");  // as it is written
  EXPECT_EQ(table.columns[0].texts[9], "A/5 2109");
  EXPECT_FALSE(table.columns[1].is_text);
  EXPECT_TRUE(table.has_header);
  EXPECT_TRUE(read_bytes(tickets(100, 50)).columns[0].is_text);
}

// A text far behind the first rows turns the numbers above it into texts without a second reading.
TEST(Csv, ALateTextMakesAColumnOfTexts) {
  for (const int rows : {20, 2000, 200'000}) {
    std::string bytes = "x,y,z\n";
    for (int row = 0; row < rows; ++row)
      bytes += std::to_string(row) + "," + (row == rows - 3 ? "abc" : std::to_string(row % 7) + ".5") + ",1.5\n";
    const Table table = read_bytes(bytes);
    ASSERT_TRUE(table.columns[1].is_text) << rows;
    ASSERT_EQ(table.columns[1].texts.size(), static_cast<std::size_t>(rows));
    EXPECT_EQ(table.columns[1].texts[0], "0.5");
    EXPECT_EQ(table.columns[1].texts[static_cast<std::size_t>(rows) - 3], "abc");
    EXPECT_EQ(table.columns[1].texts.back(), std::to_string((rows - 1) % 7) + ".5");
    EXPECT_TRUE(table.columns[1].numbers.empty());
    EXPECT_NE(said_of(bytes).find("'abc' in line " + with_commas(static_cast<std::size_t>(rows) - 1)),
              std::string::npos);
  }
}

TEST(Csv, LongWholeNumbersAreWrittenAsTheyWere) {
  std::string bytes = "id,x\n";
  for (int row = 0; row < 1200; ++row) bytes += (row == 1100 ? "" : std::to_string(row)) + ",1\n";
  bytes += "9007199254740992,1\n9007199254740993,2\n,3\n-12345678901234567,4\n";
  const Table table = read_bytes(bytes);
  ASSERT_FALSE(table.columns[0].is_text);
  ASSERT_EQ(table.columns[0].texts.size(), 1204u);
  EXPECT_EQ(table.columns[0].texts[7], "7");
  EXPECT_EQ(table.columns[0].texts[1100], "");
  EXPECT_EQ(table.columns[0].texts[1200], "9007199254740992");
  EXPECT_EQ(table.columns[0].texts[1203], "-12345678901234567");
  EXPECT_EQ(table.columns[0].numbers[1203], -12345678901234567.0);
  EXPECT_TRUE(table.columns[1].texts.empty());
  const TemporaryFolder folder;
  write_table(folder.path("again.csv"), table);
  EXPECT_EQ(bytes_of(folder.path("again.csv")), bytes);
  // Also in the first row, if there is no header.
  const Table first = read_bytes("12345678901234567,1\n2,5\n");
  EXPECT_EQ(first.columns[0].texts, (Texts{"12345678901234567", "2"}));
  // Those that double holds exactly need no texts.
  const Table exact = read_bytes("id,x\n16777217,1\n-9007199254740992,2\n");
  EXPECT_TRUE(exact.columns[0].texts.empty());
  EXPECT_EQ(exact.columns[0].numbers, (sim::Numbers{16777217, -9007199254740992.0}));
}

TEST(Csv, InfinitiesAreErrorsInDistancesAndTextsAmongTexts) {
  for (const std::string cell : {"inf", "-INF", "+Infinity", "1e309", "-1e999", "1e99999999999999999999"}) {
    EXPECT_EQ(message_of_reading("x,y\n1," + cell + "\n2,3\n"),
              "data.csv:2: column 'y': an infinite value cannot be used for distances");
    EXPECT_EQ(read_bytes("x,y\n1,text\n2," + cell + "\n").columns[1].texts, (Texts{"text", cell}));
  }
}

TEST(Csv, FilesWithoutRowsSaySo) {
  EXPECT_EQ(message_of_reading(""), "data.csv: is empty");
  EXPECT_EQ(message_of_reading("\n# only this\n\n"), "data.csv: no rows: lines that begin with # are comments");
  EXPECT_EQ(message_of_reading("\xEF\xBB\xBF"), "data.csv: no rows");
  EXPECT_EQ(message_of_reading("x,y\n"), "data.csv: only a header, no rows");
  EXPECT_EQ(message_of_reading("x,y"), "data.csv: only a header, no rows");
}

TEST(Csv, BrokenQuotesSaySo) {
  const std::string remedy = "; `--quote none` reads quotes as characters";
  EXPECT_EQ(message_of_reading("x,y\n1,\"abc,\n2,3\n"), "data.csv:2: a quote is never closed" + remedy);
  EXPECT_EQ(message_of_reading("x,y\n1,\"a,c\"d\n"), "data.csv:2: column 2: text after a closing quote" + remedy);
  EXPECT_EQ(message_of_reading("x,y\n\"a, \\\"big\\\" one\",3\n"),
            "data.csv:2: column 1: a quote in quotes is written \"\", not \\\"");
}

TEST(Csv, HugeLinesEndInAnErrorEarly) {
  const TemporaryFolder folder;
  const std::string path = folder.path("long.csv");
  {
    // A line of 2 GB, of which the disk holds its first bytes only: what follows them must not be read whole.
    std::ofstream file(path, std::ios::binary);
    file << std::string(1 << 20, '7');
  }
  std::filesystem::resize_file(path, std::uintmax_t{2} << 30);
  EXPECT_EQ(input_message([&] { load_table({path}); }), path + ":1: a line of more than 64 MiB");

  const std::string quoted = "x\n\"" + std::string(maximum_line_bytes + (1 << 20), 'a');
  EXPECT_EQ(message_of_reading(quoted), "data.csv:2: a line of more than 64 MiB; is a quote never closed?");
  EXPECT_EQ(message_of_reading(std::string(maximum_columns + 1, ',')), "data.csv:1: more than 1000000 columns");
}

// If other numbers have decimal commas, points group thousands, so that no number is read as a thousandth of its value.
TEST(Csv, PointsBesideDecimalCommasAreThousands) {
  const std::string_view german = "ort;einwohner;flaeche\nUlm;128.928;118,7\nBonn;335.789;141,1\n";
  EXPECT_TRUE(weigh_dialects(german).best.dialect.decimal_comma);
  EXPECT_FALSE(weigh_dialects("a;b\n1.500;2.250\n").best.dialect.decimal_comma);
  EXPECT_FALSE(weigh_dialects("a;b\n1.5;2,5\n").best.dialect.decimal_comma);
  double value = 0;
  EXPECT_EQ(parse_cell("128.928", value, true), CellKind::text);
  EXPECT_EQ(parse_cell("118,7", value, true), CellKind::number);
  EXPECT_EQ(parse_cell("128.928", value, false), CellKind::number);
}

TEST(Csv, ThousandsWithPointsAreNamed) {
  const TemporaryFolder folder;
  const auto data =
      load_dataset({.source = folder.write("de.csv", "ort;einwohner;km\nUlm;128.928;118,7\nBonn;335.789;141,1\n")});
  EXPECT_EQ(data->value_names, std::vector<std::string>{"km"});
  EXPECT_EQ(data->findings->columns[1].unread, "128.928");
}

TEST(Csv, YearsInARowAreAHeader) {
  const TemporaryFolder folder;
  const Table table = load_table({folder.write("years.csv", "country,2019,2020,2021\nA,50,55,25\nB,40,45,20\n")});
  EXPECT_TRUE(table.has_header);
  EXPECT_EQ(table.columns[1].name, "2019");
  EXPECT_FALSE(load_table({folder.write("rows.csv", "A,2019,2020,2021\nB,2018,2019,2020\n")}).has_header);
}

}  // namespace
}  // namespace kinescope::sim::csv_test
