#include "sim/data/readers/csv/csv_guesses.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/shell_words.hpp"
#include "sim/data/text.hpp"
#include "sim/data/unread.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t most_columns_told = 100;

std::string separator_name(char separator) {
  switch (separator) {
    case ',':
      return "Comma";
    case ';':
      return "Semicolon";
    case '\t':
      return "Tab";
    case ' ':
      return "Blanks";
    default:
      return std::string("Character ") + separator;
  }
}

template <class Change>
OtherReading other(std::string text, std::string option, TableFormat format, Change change) {
  change(format);
  return {std::move(text), std::move(option), std::move(format)};
}

OtherReading as_numbers(const std::string& name, const TableFormat& format) {
  return other("Read " + shown(name) + " as numbers", names_option("--numbers", {name}), format,
               [&](TableFormat& changed) { changed.numbers.push_back(name); });
}

// Other texts among numbers or dates, if these are more.
struct Mixed {
  std::size_t others = 0, line = 0;
  std::string first, values;  // the first other text; "19 dates"
};

Mixed mixed_with_texts(const CsvColumn& growing, const Column& column, const std::vector<std::size_t>& lines) {
  if (growing.dates) {
    const DateCount found = count_dates(column);
    if (found.others == 0) return {};
    return {found.others, lines[found.first_other], column.texts[found.first_other], count_of(found.dates, "date")};
  }
  const std::size_t others = growing.texts.count;
  if (growing.numbers() <= others || others == 0) return {};
  return {others, growing.texts.first_line, growing.texts.first, count_of(growing.numbers(), "number")};
}

}  // namespace

ReadingGuess guess_of_separator(const DialectChoice& choice, const TableFormat& format) {
  ReadingGuess guess{ReadingGuess::Kind::separator, "Separator", separator_name(choice.best.dialect.separator), "",
                     choice.sure};
  if (choice.best.columns > 1)
    guess.reason = choice.best.alike == 1 ? "all records have " + count_of(choice.best.columns, "cell")
                                          : "most records have " + count_of(choice.best.columns, "cell");
  for (const CsvSample& each : choice.others) {
    const char separator = each.dialect.separator;
    guess.others.push_back(other(separator_name(separator) + " (" + count_of(each.columns, "column") + ")",
                                 "--separator " + separator_option(separator), format, [&](TableFormat& changed) {
                                   changed.separator = separator;
                                   changed.texts = changed.numbers = changed.drop = {};
                                 }));
  }
  return guess;
}

ReadingGuess guess_of_header(const Table& table, const TableFormat& format) {
  const bool header = table.has_header;
  ReadingGuess guess{ReadingGuess::Kind::header, "Header", header ? "Row 1" : "None", table.header_reason};
  guess.sure = header || format.header != Header::automatic ||
               std::ranges::none_of(table.columns, [](const Column& column) { return column.is_text; });
  guess.others.push_back(other(header ? "Row 1 is data" : "Row 1 is the header",
                               header ? "--header no" : "--header yes", format, [&](TableFormat& changed) {
                                 changed.header = header ? Header::no : Header::yes;
                                 changed.texts = changed.numbers = changed.drop = {};  // the names change
                               }));
  return guess;
}

void tell_quotes(const DialectChoice& choice, const TableFormat& format, bool any, Table& table, TextReading& reading) {
  if (!any && format.quotes == Quotes::automatic && choice.about_quotes.empty()) return;
  const bool none = !choice.best.dialect.quotes;
  ReadingGuess guess{ReadingGuess::Kind::quotes, "Quotes", none ? "Characters" : "Around cells", choice.about_quotes};
  guess.sure = choice.about_quotes.empty();
  const bool asked = format.quotes == Quotes::none;
  if (!none || asked)
    guess.others.push_back(
        other(asked ? "Quotes around cells" : "Quotes are characters", asked ? "--quote auto" : "--quote none", format,
              [&](TableFormat& changed) { changed.quotes = asked ? Quotes::automatic : Quotes::none; }));
  reading.guesses.push_back(std::move(guess));
  if (!choice.about_quotes.empty()) table.remarks.push_back("quotes were read as characters: " + choice.about_quotes);
}

void tell_decimal_mark(const DialectChoice& choice, const TableFormat& format, Table& table, TextReading& reading) {
  const bool comma = choice.best.dialect.decimal_comma, asked = format.decimal != DecimalMark::automatic;
  if (choice.about_commas.empty() && !comma && !asked) return;
  ReadingGuess guess{ReadingGuess::Kind::decimal_mark, "Decimals", comma ? "After commas" : "After points",
                     choice.about_commas, choice.about_commas.empty()};
  const std::string option = comma ? "--decimal point" : "--decimal comma";
  guess.others.push_back(
      other(comma ? "Decimals after points" : "Decimals after commas", option, format, [&](TableFormat& changed) {
        changed.decimal = comma ? DecimalMark::point : DecimalMark::comma;
        changed.texts = changed.numbers = {};
      }));
  reading.guesses.push_back(std::move(guess));
  if (choice.about_commas.empty()) return;
  table.remarks.push_back(std::string("commas in numbers were ") + (comma ? "" : "not ") +
                          "taken for decimal commas; " + choice.about_commas + " (`" + option + "` reads them " +
                          (comma ? "as texts" : "so") + ")");
}

void tell_skipped(const FirstLines& found, const TableFormat& format, Table& table, TextReading& reading) {
  const bool sure = found.rows == table.rows;
  const std::string reason =
      found.rows && !sure ? found.reason + ", wrongly: there are " + with_commas(table.rows) : found.reason;
  for (std::size_t i = 0, next = 0; i < found.skipped.size(); i = next) {
    for (next = i + 1; next < found.skipped.size() && found.skipped[next] == found.skipped[next - 1] + 1; ++next) {
    }
    const bool several = next > i + 1;
    const std::string lines =
        (several ? "ines " : "ine ") + with_commas(found.skipped[i]) +
        (several ? (next == i + 2 ? " and " : " to ") + with_commas(found.skipped[next - 1]) : "");
    ReadingGuess guess{ReadingGuess::Kind::skipped_lines, "Skipped", "L" + lines, reason, sure};
    guess.others.push_back(other("Read l" + lines + " too", "--skip-lines 0", format,
                                 [](TableFormat& changed) { changed.skip_lines = {0}; }));
    reading.guesses.push_back(std::move(guess));
    table.remarks.push_back("l" + lines + (several ? " were" : " was") + " skipped: " + reason +
                            " (`--skip-lines 0` reads " + (several ? "them)" : "it)"));
  }
}

void tell_encoding(std::string_view head, TextReading& reading) {
  const std::size_t end = head.find_last_of("\r\n");  // the head may end within a character
  if (end != std::string_view::npos) head = head.substr(0, end);
  if (is_utf8(head)) return;
  reading.guesses.push_back({ReadingGuess::Kind::encoding, "Encoding", "Windows-1252", "it is not UTF-8", true});
}

void tell_column(const CsvColumn& growing, const Column& column, const std::vector<std::size_t>& lines,
                 const TableFormat& format, std::vector<std::string>& remarks, TextReading& reading) {
  if (reading.guesses.size() >= most_columns_told) return;
  ReadingGuess guess{ReadingGuess::Kind::column, column.name, column.is_text ? "Text" : "Numbers", growing.told};
  const auto named_in = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), column.name) != names.end();
  };
  const bool as_text = named_in(format.texts);
  if (as_text || named_in(format.numbers)) {
    guess.others.push_back(
        other("Read " + shown(column.name) + " as it is",
              "without " + names_option(as_text ? "--text" : "--numbers", {column.name}), format,
              [&](TableFormat& changed) { std::erase(as_text ? changed.texts : changed.numbers, column.name); }));
    if (!growing.told.empty()) remarks.push_back(shown(column.name) + " was read as numbers: " + growing.told);
    return reading.guesses.push_back(std::move(guess));
  }
  const std::string unread = unread_number(column);
  const Mixed mixed = column.is_text && unread.empty() ? mixed_with_texts(growing, column, lines) : Mixed();
  if (mixed.others == 0 && unread.empty()) return;
  guess.sure = false;
  guess.others.push_back(as_numbers(column.name, format));
  guess.reason = "because of " + shown(unread);
  if (unread.empty()) {
    guess.reason = "because of " + shown(mixed.first) + " in line " + with_commas(mixed.line) +
                   (mixed.others > 1 ? " and " + count_of(mixed.others - 1, "other value") : "");
    remarks.push_back(shown(column.name) + " was read as text " + guess.reason + "; `" + guess.others.front().option +
                      "` reads its " + mixed.values);
  }
  reading.guesses.push_back(std::move(guess));
}

void tell_zeros(const CsvSample& sample, const Table& table, const TableFormat& format, TextReading& reading) {
  const auto begins_with_zero = [](const std::string& cell) {
    return cell.size() > 1 && cell[0] == '0' && std::isdigit(static_cast<unsigned char>(cell[1]));
  };
  if (!format.drop.empty() || sample.columns != table.columns.size()) return;
  for (std::size_t c = 0; c < table.columns.size() && reading.guesses.size() < most_columns_told; ++c) {
    const Column& column = table.columns[c];
    const bool zeros = !column.is_text && column.texts.empty() &&
                       std::ranges::any_of(sample.records, [&](const CsvSample::Record& record) {
                         return c < record.cells.size() && begins_with_zero(record.cells[c]);
                       });
    if (!zeros) continue;
    ReadingGuess guess{ReadingGuess::Kind::column, column.name, "Numbers", "some begin with zeros, which numbers lose",
                       false};
    guess.others.push_back(other("Read " + shown(column.name) + " as text", names_option("--text", {column.name}),
                                 format, [&](TableFormat& changed) { changed.texts.push_back(column.name); }));
    reading.guesses.push_back(std::move(guess));
  }
}

}  // namespace kinescope::sim
