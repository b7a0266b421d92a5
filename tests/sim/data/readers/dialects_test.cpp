// One table, written as different programs write tables, is read as the same table.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/data/text.hpp"
#include "sim/data/text_reading.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::dialects_test {
namespace {

using Names = std::vector<std::string>;

enum class Quoting { minimal, all, none };
enum class Encoding { utf8, mark, windows_1252 };

struct Writing {
  char separator = ',';
  Quoting quoting = Quoting::minimal;
  bool header = true;
  char decimal = '.';
  Encoding encoding = Encoding::utf8;
  std::string line_end = "\n";
  bool comments = false, title = false, units = false;

  std::string text() const {
    return std::string("separator '") + separator + "', quoting " + std::to_string(static_cast<int>(quoting)) +
           (header ? ", header" : "") + ", decimal " + decimal + ", encoding " +
           std::to_string(static_cast<int>(encoding)) + ", line end of " + std::to_string(line_end.size()) +
           (comments ? ", comments" : "") + (title ? ", title" : "") + (units ? ", units" : "");
  }
};

struct Row {
  std::string name;
  std::optional<double> x, y;
  std::string group;
};

const Names names = {"name", "x", "größe €", "group"};

// Texts that need no quotes where cells have none.
std::vector<Row> rows_for(const Writing& writing) {
  std::vector<Row> rows;
  const bool plain = writing.quoting == Quoting::none;
  for (int i = 0; i < 12; ++i) {
    std::string name = "Müller" + std::to_string(i) + "x";
    if (i == 2) name += plain ? "5\"" : " said \"hi, all\"; a|b\tc";
    if (i == 5 && !plain) name += " of\ntwo lines";
    if (i == 7 && !plain) name = "# no comment";
    std::optional<double> x = 1.25 * i - 3, y = 1000.5 + 7 * i * i;
    if (i == 4) x.reset();
    if (i == 6 || i == 9) y.reset();
    rows.push_back({name, x, y, i % 3 == 0 ? "a" : "b"});
  }
  return rows;
}

std::string quoted(const std::string& cell, const Writing& writing) {
  const std::string special = std::string("\"\n\r#,") + writing.separator;
  const bool needed = cell.empty() ? writing.separator == ' ' : cell.find_first_of(special) != std::string::npos;
  if (writing.quoting == Quoting::none || (writing.quoting == Quoting::minimal && !needed)) return cell;
  std::string text = "\"";
  for (const char c : cell) text.append(c == '"' ? 2 : 1, c);
  return text + "\"";
}

std::string number(const std::optional<double>& value, const Writing& writing) {
  if (!value) return writing.separator == ' ' ? "NA" : "";
  std::string text = number_text(static_cast<float>(*value));
  if (const std::size_t point = text.find('.'); point != std::string::npos) text[point] = writing.decimal;
  return text;
}

std::string line_of(const Names& cells, const Writing& writing) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += writing.separator;
    line += quoted(cells[i], writing);
  }
  return line + writing.line_end;
}

std::string encoded(const std::string& text, Encoding encoding) {
  if (encoding == Encoding::utf8) return text;
  if (encoding == Encoding::mark) return "\xEF\xBB\xBF" + text;
  std::string bytes = text;
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, char>>{{"ü", '\xFC'}, {"ö", '\xF6'}, {"ß", '\xDF'}, {"€", '\x80'}})
    for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at))
      bytes.replace(at, from.size(), 1, to);
  return bytes;
}

std::string written(const Writing& writing) {
  std::string text;
  if (writing.title) text += "Measurements" + writing.line_end;
  if (writing.comments) text += "# made by hand" + writing.line_end;
  Names header = names;
  if (writing.separator == ' ' && writing.quoting == Quoting::none) header[2] = "größe€";
  if (writing.header) text += line_of(header, writing);
  if (writing.units) text += line_of({"-", "mm", "kg", "-"}, writing);
  for (const Row& row : rows_for(writing)) {
    text += line_of({row.name, number(row.x, writing), number(row.y, writing), row.group}, writing);
    if (writing.comments && row.name.find("3x") != std::string::npos) text += "# half of it" + writing.line_end;
  }
  return encoded(text, writing.encoding);
}

void expect_same(const Table& table, const Writing& writing) {
  const std::vector<Row> rows = rows_for(writing);
  ASSERT_EQ(table.columns.size(), 4u);
  ASSERT_EQ(table.rows, rows.size());
  EXPECT_EQ(table.has_header, writing.header);
  if (writing.header) EXPECT_EQ(table.columns[2].name.substr(0, 7), "größe");
  if (writing.header) EXPECT_EQ(table.columns[0].name, "name");
  for (const std::size_t c : {0, 3}) ASSERT_TRUE(table.columns[c].is_text) << c;
  for (const std::size_t c : {1, 2}) ASSERT_FALSE(table.columns[c].is_text) << c;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(table.columns[0].texts[i], rows[i].name);
    EXPECT_EQ(table.columns[3].texts[i], rows[i].group);
    for (const auto& [column, value] : {std::pair(1, rows[i].x), std::pair(2, rows[i].y)}) {
      const auto read = table.columns[static_cast<std::size_t>(column)].numbers[i];
      EXPECT_EQ(std::isnan(read), !value.has_value()) << i;
      if (value) EXPECT_FLOAT_EQ(static_cast<float>(read), static_cast<float>(*value));
    }
  }
}

// Reads the table as it is; after an error, as its first remedy says, and numbers that were read as texts as their
// hints say. Returns how often that was needed.
int read_and_compare(const Writing& writing) {
  const TemporaryFolder folder;
  const std::string path = folder.write("table.txt", written(writing));
  TableFormat format;
  int helped = 0;
  for (; helped < 5; ++helped) try {
      const Table table = load_table({.source = path, .format = format});
      const auto& guesses = table.text_reading->guesses;
      const auto unread = std::find_if(guesses.begin(), guesses.end(), [](const ReadingGuess& guess) {
        return guess.kind == ReadingGuess::Kind::column && guess.taken == "Text";
      });
      if (unread == guesses.end()) {
        expect_same(table, writing);
        return helped;
      }
      format = unread->others.at(0).format;
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
      if (error.remedies().empty()) {
        ADD_FAILURE() << error.what();
        return helped;
      }
      format = *error.remedies().front().format;
    }
  ADD_FAILURE() << "not read";
  return helped;
}

TEST(Dialects, OfOneTableAreReadAsTheSameTable) {
  int dialects = 0, helped = 0;
  for (const char separator : {',', ';', '\t', '|', ' '})
    for (const Quoting quoting : {Quoting::minimal, Quoting::all, Quoting::none})
      for (const bool header : {true, false})
        for (const char decimal : {'.', ','}) {
          if (separator == ',' && decimal == ',' && quoting == Quoting::none) continue;  // no program can read that
          Writing writing{separator, quoting, header, decimal};
          writing.encoding = static_cast<Encoding>(dialects % 3);
          writing.line_end = std::vector<std::string>{"\n", "\r\n", "\r"}[dialects / 2 % 3];
          writing.comments = dialects % 2 == 1;
          writing.title = dialects % 7 == 3;
          writing.units = header && dialects % 5 == 2;
          SCOPED_TRACE(writing.text());
          helped += read_and_compare(writing);
          ++dialects;
        }
  EXPECT_GE(dialects, 40);
  EXPECT_LE(helped, 16) << "titles, and decimal commas in quotes between commas";
}

// As UCI's auto-mpg: numbers between blanks, and one tab before a name in quotes.
TEST(Dialects, OfNumbersBetweenBlanksMayHoldOneTab) {
  const std::string cars =
      "18.0   8   307.0   12.0   70  1\t\"chevrolet malibu\"\n25.0   4   ?   19.0   71  1\t\"ford pinto\"\n"
      "15.0   8   350.0   11.5   70  1\t\"buick skylark 320\"\n";
  const Table table = read_bytes(cars);
  ASSERT_EQ(table.columns.size(), 7u);
  EXPECT_EQ(table.rows, 3u);
  EXPECT_EQ(table.columns[0].numbers[1], 25);
  EXPECT_TRUE(std::isnan(table.columns[2].numbers[1]));
  EXPECT_EQ(table.columns[6].texts, (Names{"chevrolet malibu", "ford pinto", "buick skylark 320"}));
  // Texts with blanks; numbers with blanks between thousands; names that are fewer than the words below them.
  EXPECT_EQ(read_bytes("Ann Lee\t120 80\nBob Ray\t135 85\n").columns.size(), 2u);
  EXPECT_EQ(read_bytes("Ann Lee\t5 to 7\nBob Ray\t8 or 9\n").columns.size(), 2u);
  EXPECT_EQ(read_bytes("New York\t8 336 817\nLos Angeles\t3 979 576\nSan Jose\t1 021 795\n").columns.size(), 2u);
  EXPECT_EQ(read_bytes("name\tblood pressure\nAnn Lee\t120 80\nBob Ray\t135 85\n").columns.size(), 2u);
}

}  // namespace
}  // namespace kinescope::sim::dialects_test
