#include "sim/data/readers/csv/first_lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

#include "sim/core/by_text.hpp"
#include "sim/data/readers/csv/csv_records.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

using Cells = std::vector<std::string>;
using Records = std::vector<CsvSample::Record>;

// Whether the record `at` counts the rows below it, or these and their numbers.
bool counts_rows(const CsvSample& sample, std::size_t at, bool whole) {
  const Cells& cells = sample.records[at].cells;
  const std::size_t below = sample.records.size() - at - 1;
  if (below < 2 || sample.columns < 2 || cells.size() > 2 || cells.size() == sample.columns) return false;
  for (std::size_t i = at + 1; i < sample.records.size(); ++i)
    if (sample.records[i].cells.size() != sample.columns) return false;
  const std::optional<std::size_t> rows = parse_whole(cells.front());
  if (!rows) return false;
  if (cells.size() == 2) return *rows >= below && parse_whole(cells.back()) == sample.columns - 1;
  // Below a header as CloudCompare writes it, a wrong count is one too.
  if (at == 1 && sample.records.front().cells.front().starts_with("//")) return true;
  return whole ? *rows == below : *rows >= below;
}

bool is_text(const std::string& cell, bool decimal_comma) {
  return kind_of_cell(cell, decimal_comma) == CellKind::text && !days_to(cell);
}

// The columns whose cells, from record `from` on, are numbers or missing, and not all missing.
std::vector<std::size_t> columns_of_numbers(const CsvSample& sample, std::size_t from) {
  std::vector<std::size_t> found;
  for (std::size_t c = 0; c < sample.columns; ++c) {
    bool any = false, all = true;
    for (std::size_t i = from; i < sample.records.size() && all; ++i) {
      const Cells& cells = sample.records[i].cells;
      if (c >= cells.size()) continue;
      const std::string& cell = cells[c];
      const CellKind kind = kind_of_cell(cell, sample.dialect.decimal_comma);
      any = any || kind == CellKind::number || days_to(cell);
      all = kind == CellKind::number || kind == CellKind::missing || days_to(cell);
    }
    if (any && all) found.push_back(c);
  }
  return found;
}

bool name_columns(const Cells& cells, bool decimal_comma) {
  TextViewSet distinct(cells.begin(), cells.end());
  return distinct.size() == cells.size() &&
         std::ranges::all_of(cells, [&](const std::string& cell) { return is_text(cell, decimal_comma); });
}

// Whether each column has a name of its own; those without any value below need none.
bool name_filled_columns(const CsvSample& sample, std::size_t record) {
  const auto below = sample.records.begin() + static_cast<std::ptrdiff_t>(record) + 1;
  const Cells& cells = sample.records[record].cells;
  Cells names;
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (!cells[c].empty() ||
        std::any_of(below, sample.records.end(), [&](const CsvSample::Record& row) { return !row.cells[c].empty(); }))
      names.push_back(cells[c]);
  return name_columns(names, sample.dialect.decimal_comma);
}

// Texts that name or measure have a letter or a sign; '**' and '-' stand for values that are not given.
bool names_or_measures(const std::string& cell) {
  return std::ranges::any_of(cell,
                             [](unsigned char c) { return std::isalpha(c) || c >= 0x80 || c == '%' || c == '$'; });
}

// Whether a cell is a width and a type of the USGS's tables: "15s".
bool is_width(const std::string& cell) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c); };
  return cell.size() > 1 && std::string_view("sdnSDN").find(cell.back()) != std::string_view::npos &&
         std::all_of(cell.begin(), cell.end() - 1, is_digit);
}

// Whether a cell stands for a value that is not given, or is one: "n/d", "(D)", "[1]", "10%".
bool is_mark(const std::string& cell) {
  static constexpr std::array<std::string_view, 16> marks = {"n/d", "s/d", "b/d", "n/c", "n/m",  "n/r", "o/l", "o/r",
                                                             "nd",  "bdl", "lod", "na",  "none", "nil", "tr",  "trace"};
  static constexpr std::array<std::string_view, 5> in_brackets = {"d", "x", "n", "s", "z"};
  const auto is_one_of = [](std::string_view text, const auto& list) {
    return std::ranges::any_of(list, [&](std::string_view each) { return equals_ignoring_case(text, each); });
  };
  const bool bracketed = cell.size() > 2 && std::string_view("([").find(cell.front()) != std::string_view::npos;
  const std::string_view inner = bracketed ? std::string_view(cell).substr(1, cell.size() - 2) : std::string_view(cell);
  const auto digits = inner.substr(0, inner.size() - inner.ends_with('%'));
  const bool number = !digits.empty() && digits.find_first_not_of("0123456789.,") == std::string_view::npos;
  return number || is_one_of(inner, marks) || (bracketed && is_one_of(inner, in_brackets));
}

// Whether a cell measures: a unit, a type, a way to sum up (as data loggers name them), or a sentence about the column.
bool measures(const std::string& cell) {
  static constexpr std::array<std::string_view, 66> units = {
      "s",   "ms",    "us",    "ns",  "min",    "h",     "hr",       "hrs",  "d",    "yr",  "m",   "mm", "cm",   "km",
      "um",  "nm",    "g",     "kg",  "mg",     "ug",    "t",        "l",    "ml",   "K",   "C",   "F",  "degC", "degF",
      "deg", "deg C", "deg F", "rad", "Pa",     "hPa",   "kPa",      "MPa",  "mbar", "bar", "psi", "V",  "mV",   "kV",
      "A",   "mA",    "W",     "kW",  "MW",     "Hz",    "kHz",      "MHz",  "GHz",  "N",   "kN",  "J",  "kJ",   "eV",
      "mol", "ppm",   "ppb",   "dB",  "counts", "count", "unitless", "a.u.", "arb",  "psu"};
  static constexpr std::array<std::string_view, 8> sums = {"TS", "RN", "Avg", "Smp", "Std", "Min", "Max", "Tot"};
  constexpr std::size_t long_unit = 12, long_name = 40;
  if (is_mark(cell)) return false;
  const bool in_brackets = !cell.empty() && std::string_view("([{").find(cell.front()) != std::string_view::npos;
  const bool is_word = cell.size() <= long_unit && cell.find(' ') == std::string::npos;
  return cell.size() > long_name || in_brackets || is_width(cell) || cell.find_first_of("?\\") != std::string::npos ||
         (is_word && cell.find_first_of("/%^\xC2") != std::string::npos) ||
         std::ranges::find(units, cell) != units.end() || std::ranges::find(sums, cell) != sums.end();
}

// The records above the rows: `top` to `last`, the lowest of them with texts in columns of numbers.
struct Headers {
  const CsvSample& sample;
  std::size_t top, last;
  std::vector<std::size_t> numbers = columns_of_numbers(sample, last + 1);

  const Cells& cells(std::size_t record) const { return sample.records[record].cells; }
  std::size_t texts(std::size_t record) const {
    return static_cast<std::size_t>(std::ranges::count_if(numbers, [&](std::size_t c) {
      return is_text(cells(record)[c], sample.dialect.decimal_comma) && names_or_measures(cells(record)[c]);
    }));
  }
  bool are_mostly_texts(std::size_t record) const { return 2 * texts(record) >= numbers.size(); }
  bool any_number(std::size_t record) const {
    return std::ranges::any_of(numbers, [&](std::size_t c) {
      return kind_of_cell(cells(record)[c], sample.dialect.decimal_comma) == CellKind::number ||
             days_to(cells(record)[c]);
    });
  }
  // Whether a record is a row of another table: numbers, and among them texts, such as the name and the place of what
  // is measured below.
  bool is_mixed(std::size_t record) const { return any_number(record) && texts(record) > 0; }
  // Whether a record with a text in a column of numbers has no other cells; others may make it a row.
  bool is_alone(std::size_t record) const {
    return sample.columns > 1 && std::ranges::count_if(cells(record), [](auto& cell) { return !cell.empty(); }) == 1;
  }
  bool is_row(std::size_t record) const { return any_number(record) && texts(record) == 0; }
  bool any_row() const {
    for (std::size_t i = top; i < last; ++i)
      if (is_row(i)) return true;
    return false;
  }
  // Whether all texts in columns of numbers stand for values that are not given.
  bool is_of_marks(std::size_t record) const {
    return std::ranges::all_of(numbers, [&](std::size_t c) {
      return cells(record)[c].empty() || (is_mark(cells(record)[c]) && !measures(cells(record)[c]));
    });
  }
  // Whether half of the texts or more in columns of numbers measure. Of letters, which may be marks and grades, alone
  // that is not sure.
  bool is_of_units(std::size_t record) const {
    const auto measuring = std::ranges::count_if(numbers, [&](std::size_t c) { return measures(cells(record)[c]); });
    return texts(record) > 0 && 2 * std::size_t(measuring) >= texts(record);
  }
  bool is_surely_of_units(std::size_t record) const {
    return is_of_units(record) && std::ranges::any_of(numbers, [&](std::size_t c) {
             return measures(cells(record)[c]) && cells(record)[c].size() > 1;
           });
  }
  // Whether those above the lowest record have one cell each, as titles have.
  bool are_titles() const {
    for (std::size_t i = top; i < last; ++i)
      if (std::ranges::count_if(cells(i), [](const std::string& cell) { return !cell.empty(); }) > 1) return false;
    return texts(last) > 0 && std::ranges::count_if(cells(last), [](auto& cell) { return !cell.empty(); }) > 1;
  }
  // Whether a record may be a row whose values are not given: it has a cell in a column of texts, as rows have their
  // names, and those in columns of numbers are few, or recur.
  bool may_be_row(std::size_t record) const {
    constexpr std::size_t many = 3;
    TextViewSet different;
    for (const std::size_t c : numbers) different.insert(cells(record)[c]);
    if (numbers.size() >= many && 10 * texts(record) >= 9 * numbers.size() &&
        10 * different.size() >= 9 * numbers.size())
      return false;
    for (std::size_t c = 0; c < sample.columns; ++c) {
      const std::string& cell = cells(record)[c];
      if (!cell.empty() && cell != "-" && cell != "text" && !std::ranges::binary_search(numbers, c) && !measures(cell))
        return true;
    }
    return false;
  }
  bool any_of_units(std::size_t from) const {
    for (std::size_t i = from; i <= last; ++i)
      if (is_of_units(i)) return true;
    return false;
  }
  // Whether the lowest record names all columns.
  bool ends_with_names() const {
    return numbers.size() > 1 && texts(last) == numbers.size() && name_filled_columns(sample, last);
  }
  // Whether those above it are names and values, as instruments write them: pairs, or with colons.
  bool are_pairs() const {
    for (std::size_t i = top; i < last; ++i)
      if (sample.columns != 2 && !cells(i).front().ends_with(':')) return false;
    return last > top + 1 && ends_with_names() && !any_of_units(top + 1);
  }
  // A record with nothing in the columns of numbers, as the one in which pandas names the columns of row names.
  bool is_gap(std::size_t record) const {
    return std::ranges::all_of(numbers, [&](std::size_t c) { return cells(record)[c].empty(); });
  }
  // Names made of all the records and the gap below them; empty if they are not all different.
  std::vector<std::string> joined(std::size_t end) const {
    std::vector<std::string> names(sample.columns);
    for (std::size_t i = top; i < end; ++i)
      for (std::size_t c = 0; c < sample.columns; ++c)
        if (!cells(i)[c].empty()) names[c] += (names[c].empty() ? "" : " ") + cells(i)[c];
    const TextViewSet different(names.begin(), names.end());
    return different.size() == names.size() ? names : std::vector<std::string>();
  }
};

// Of several records above the rows, finds the header and those that are not.
void find_other_headers(const CsvSample& sample, FirstLines& found) {
  const Records& records = sample.records;
  std::size_t top = sample.first;
  constexpr std::size_t fewest_rows = 2, most_headers = 5, most_remarks = 64;
  if (sample.alike < 1 || records.size() <= top + fewest_rows) return;
  for (std::size_t i = top; i < records.size(); ++i)
    if (records[i].cells.size() != sample.columns) return;
  const auto is_empty = [](const std::string& cell) { return cell.empty(); };
  while (top + fewest_rows < records.size() && std::ranges::all_of(records[top].cells, is_empty))
    found.skipped.push_back(records[top++].line);
  if (!found.skipped.empty()) found.reason = "nothing stands in it";
  for (std::size_t last = std::min(top + most_remarks, records.size() - fewest_rows) - 1; last > top; --last) {
    const bool far = last >= top + most_headers;
    if (far && (records.size() - last <= last - top || !name_filled_columns(sample, last))) continue;
    const Headers above{sample, top, last};
    if (above.numbers.empty() || above.any_number(last) || !above.are_mostly_texts(last) || above.any_row()) continue;
    if (above.is_of_marks(last)) continue;
    if (far && !above.ends_with_names()) continue;
    if (above.numbers.size() == 1 && !above.is_alone(last)) continue;
    if (last > top + 1 && above.is_mixed(last - 1) && name_filled_columns(sample, last)) {
      for (std::size_t i = top; i < last; ++i) found.skipped.push_back(records[i].line);
      found.reason = "the names of the columns are in a line below";
      return;
    }
    std::size_t header = top, end = last + 1;
    while (header < last && !name_filled_columns(sample, header)) ++header;
    const bool two = end == top + 2, measured = above.is_of_units(last);
    if (above.are_pairs() || above.are_titles()) header = last;
    if (last > top + 2 && measured && (sample.columns == 2 || records[top].cells.front().ends_with(':')) &&
        name_columns(records[last - 1].cells, sample.dialect.decimal_comma))
      header = last - 1;
    if (two && measured && above.texts(top) == above.numbers.size()) header = top;  // two names may be the same
    if (far && header != last) continue;
    const bool named = header < last || above.are_titles() || name_filled_columns(sample, header);
    if (header == top && named && above.may_be_row(last) && !above.is_surely_of_units(last)) continue;
    if (two && above.texts(top) == 0) continue;
    const bool levels = !named || records[top].cells.front().empty();
    while (levels && end + fewest_rows < records.size() && above.is_gap(end)) ++end;
    if (!named) found.names = above.joined(end);
    if (!named && two && (found.names.empty() || !above.are_mostly_texts(top))) {
      found.names.clear();
      continue;
    }
    if (!named) header = top;
    for (std::size_t i = top; i < end; ++i)
      if (i != header) found.skipped.push_back(records[i].line);
    const bool several = found.skipped.size() > 1;
    if (!found.names.empty()) {
      found.reason =
          several ? "their names are parts of the columns' names" : "its names are parts of the columns' names";
    } else if (header > top) {
      found.reason = "the names of the columns are in a line below";
    } else {
      found.reason = std::string(several ? "they stand" : "it stands") + " between the names and the numbers";
      std::vector<std::string> units;
      std::ranges::remove_copy(records[last].cells, std::back_inserter(units), "");
      if (two) found.reason += ", as units do: " + list_of(units);
    }
    return;
  }
}

// Below the names, Orange's types of the columns and their roles (orangedatamining.com, "Loading your data").
void find_types(const CsvSample& sample, FirstLines& found) {
  static constexpr std::array<std::string_view, 9> types = {"c",      "continuous", "d",    "discrete", "s",
                                                            "string", "t",          "time", "basket"};
  static constexpr std::array<std::string_view, 8> roles = {"", "class", "c", "meta", "m", "ignore", "i", "weight"};
  const std::size_t at = sample.first + 1;
  if (sample.records.size() < at + 2 || sample.columns < 2) return;
  const auto all_in = [&](std::size_t record, const auto& words) {
    const Cells& cells = sample.records[record].cells;
    return cells.size() == sample.columns && std::ranges::all_of(cells, [&](const std::string& cell) {
             return std::ranges::find(words, cell) != words.end();
           });
  };
  if (!all_in(at, types) || !all_in(at + 1, roles)) return;
  found.skipped = {sample.records[at].line, sample.records[at + 1].line};
  found.reason = "it has the types or roles of the columns";
}

// A comment cut into as many cells as there are columns; or nothing.
Cells cells_of(const CsvSample& sample, std::string_view comment) {
  CsvShape shape;
  shape.dialect = sample.dialect;
  shape.dialect.quotes = false;
  const std::string text = (sample.dialect.separator == ' ' ? "" : " ") + std::string(comment);
  CsvRecords records(shape, text, 1);
  if (!records.next() || records.cells().size() != sample.columns) return {};
  return {records.cells().begin(), records.cells().end()};
}

// Whether there is a name for each column; only the first may be empty.
bool are_names(const Cells& cells) {
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (kind_of_cell(cells[c]) != CellKind::text && !(c == 0 && cells[c].empty())) return false;
  return !cells.empty();
}

// A header may be a comment above the rows, if these have none of their own: the last one, or the one before if the
// last has units; or, where not blanks separate cells, as they do in prose, the only one that is cut into as many
// cells.
void find_header_comment(const CsvSample& sample, std::string_view head, FirstLines& found) {
  if (sample.records.empty() || sample.dialect.word_vectors || sample.columns < 2) return;
  const Cells& first = sample.records.front().cells;
  if (first.size() != sample.columns) return;
  const std::vector<std::size_t> numbers = columns_of_numbers(sample, 1);
  if (std::ranges::any_of(numbers, [&](std::size_t c) { return is_text(first[c], sample.dialect.decimal_comma); }))
    return;
  std::size_t last = 0, name = 0,
              before = 0;  // lines of comments: the last; the last with names; the one before, with names
  std::size_t pieces = 0;  // comments cut into as many cells
  Cells units;
  for (std::size_t line = 1; line < sample.records.front().line; ++line) {
    const std::string_view text = head.substr(0, head.find_first_of("\r\n"));
    const std::size_t begin = text.find_first_not_of(" \t");
    const bool says = begin != std::string_view::npos && names_or_measures(std::string(text.substr(begin)));
    if (says && begins_comment(text.substr(begin), sample.dialect.separator)) {  // rules and empty ones say nothing
      const Cells cells = cells_of(sample, text.substr(begin + 1));
      if (are_names(cells)) before = name == last ? name : 0, name = line, units = cells;
      last = line;
      pieces += !cells.empty();
    }
    head.remove_prefix(std::min(head.size(), text.size() + (head.substr(text.size(), 2) == "\r\n" ? 2 : 1)));
  }
  const bool measured = 2 * std::size_t(std::ranges::count_if(units, measures)) >= units.size();
  if (name == last && name > 0)
    found.header_comment = measured && before > 0 ? before : name;
  else if (pieces == 1 && sample.dialect.separator != ' ')
    found.header_comment = name;
}

}  // namespace

FirstLines find_first_lines(const CsvSample& sample, std::string_view head, bool whole) {
  FirstLines found;
  for (std::size_t at = 0; at < 2 && at < sample.records.size(); ++at) {
    if (at == 1 && sample.records.front().cells.size() != sample.columns) break;
    if (!counts_rows(sample, at, whole)) continue;
    found.skipped.push_back(sample.records[at].line);
    found.rows = parse_whole(sample.records[at].cells.front());
    found.reason = sample.records[at].cells.size() == 2 ? "it counts the rows and their numbers" : "it counts the rows";
    return found;
  }
  find_types(sample, found);
  if (found.skipped.empty()) find_other_headers(sample, found);
  if (found.skipped.empty()) find_header_comment(sample, head, found);
  return found;
}

}  // namespace kinescope::sim
