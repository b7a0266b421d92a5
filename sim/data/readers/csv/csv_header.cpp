#include "sim/data/readers/csv/csv_header.hpp"

#include <array>
#include <cctype>
#include <cmath>
#include <string_view>

#include "sim/core/by_text.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/readers/csv/header_numbers.hpp"
#include "sim/data/readers/written_number.hpp"
#include "sim/data/text.hpp"
#include "sim/data/unread.hpp"

namespace kinescope::sim {
namespace {

struct Recurrence {
  std::size_t of_first = 0;   // rows that have the text of record one
  std::size_t rows = 0;       // rows that have a text
  std::size_t recurring = 0;  // rows whose text another row has too
};

Recurrence recurrence(const std::vector<std::string>& texts, const std::string& first) {
  ByTextView<std::size_t> counts;
  for (const std::string& text : first_of(texts))
    if (!text.empty()) ++counts[text];
  Recurrence found;
  for (const auto& [text, count] : counts) {
    found.rows += count;
    if (count > 1) found.recurring += count;
    if (text == first) found.of_first = count;
  }
  return found;
}

// A number with separators, a currency or a unit counts as a number, as does "<0.01".
CellKind kind_in_header(std::string_view cell, const CsvColumn& column, double& value, bool decimal_comma) {
  const CellKind kind = parse_cell(cell, value, decimal_comma);
  if (kind != CellKind::text) return kind;
  std::string_view rest = cell;
  if (rest.starts_with('<') || rest.starts_with('>')) rest.remove_prefix(1);
  const std::string_view unit = unit_of(cell), unit_below = unit_of(column.texts.first);
  if (!unit.empty() && unit == unit_below) rest.remove_suffix(unit.size());
  if (rest.ends_with(' ')) rest.remove_suffix(1);
  const bool is_number = is_number_with_signs(rest) ||
                         (rest.size() < cell.size() && kind_of_cell(rest, decimal_comma) == CellKind::number);
  return is_number ? CellKind::number : kind;
}

// Whether the cell is a number above texts that are no numbers however written. Few or equal texts may be a mark for
// missing numbers, but not words for true and false.
bool names_texts(std::string_view cell, const CsvColumn& column) {
  if (kind_of_cell(cell) != CellKind::number || column.dates || column.values == 0 ||
      column.texts.count != column.values)
    return false;
  static constexpr std::array<std::string_view, 8> truths = {"yes", "no", "true", "false", "y", "n", "t", "f"};
  const std::string_view first = column.texts.first;
  if (std::ranges::any_of(truths, [&](std::string_view each) { return equals_ignoring_case(first, each); }))
    return true;
  constexpr std::size_t fewest_texts = 3;
  return column.values >= fewest_texts && column.texts.differ && !is_number_with_signs(first) &&
         !std::isdigit(static_cast<unsigned char>(first.front()));
}

// A number or a date, however written.
bool is_value(std::string_view text) {
  if (kind_of_cell(text) == CellKind::number || days_to(text) || is_date_of_other_order(text)) return true;
  if (text.starts_with('<') || text.starts_with('>')) text.remove_prefix(1);
  return is_number_with_signs(text) || kind_of_cell(text) == CellKind::number;
}

// Whether the cell is a number or a date as people write it, and most of the texts below it are such too.
bool is_value_above_values(std::string_view cell, const CsvColumn& column, CellKind kind) {
  if (!column.column.is_text || kind_of_cell(cell) != CellKind::text) return false;
  if (kind != CellKind::number && !is_value(cell)) return false;
  if (!unread_number(column.column).empty()) return true;  // such as "3 cm" above "4 cm"
  std::size_t all = 0, values = 0;
  for (const std::string& text : first_of(column.column.texts))
    if (!text.empty()) ++all, values += is_value(text);
  return 2 * values > all;
}

// Capitals and digits, as "ND2", "310" and "B-17".
bool is_code(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isupper(c) || std::isdigit(c) || c == '-' || c == '.' || c == '/';
  });
}

// Whether "Infinity" and the like are all that could be numbers: names, then.
bool has_numbers_of_letters_alone(const std::vector<std::string>& texts) {
  return std::ranges::all_of(first_of(texts), [](const std::string& text) {
    return kind_of_cell(text) != CellKind::number || text.find_first_of("0123456789") == std::string::npos;
  });
}

// Whether it is a column of texts, and not one of numbers with a few other texts. Numbers among texts may be codes:
// then the cell is one too, and as long as those of the column that are texts.
bool holds_texts_like(std::string_view cell, const CsvColumn& column) {
  if (!column.holds_texts() || !column.holds_numbers()) return column.holds_texts();
  if (!column.column.is_text) return false;
  if (has_numbers_of_letters_alone(column.column.texts)) return true;
  if (!is_code(cell)) return false;
  std::size_t shortest = std::string_view::npos, longest = 0;
  for (const std::string& text : first_of(column.column.texts)) {
    if (text.empty()) continue;
    if (!is_code(text)) return false;
    if (kind_of_cell(text) != CellKind::text) continue;
    shortest = std::min(shortest, text.size());
    longest = std::max(longest, text.size());
  }
  return cell.size() >= shortest && cell.size() <= longest;
}

bool are_codes_of_length(const std::vector<std::string>& texts, std::size_t length) {
  return std::ranges::all_of(first_of(texts), [&](const std::string& text) {
    return text.empty() || (is_code(text) && text.size() == length);
  });
}

// As genomic features (BED, GFF) have them: a strand or a dot.
bool is_sign(std::string_view cell) {
  return cell == "." || cell == "+" || cell == "-";
}

// Neither a year nor a round number.
bool is_odd(double number) {
  return number > 2500 && std::fmod(number, 5) != 0;
}

bool has_cell(const std::vector<std::string>& cells, std::string_view name) {
  return std::ranges::any_of(cells, [&](const std::string& cell) { return equals_ignoring_case(cell, name); });
}

// Whether the cells have the usual names of a node's or a person's columns.
bool name_nodes(const std::vector<std::string>& cells) {
  return (has_cell(cells, "id") && (has_cell(cells, "label") || has_cell(cells, "name"))) ||
         equals_ignoring_case(cells.front(), "name");
}

// Whether the cells have the usual names of the ends of an edge.
bool name_ends_of_edges(const std::vector<std::string>& cells) {
  return (has_cell(cells, "from") && has_cell(cells, "to")) || (has_cell(cells, "source") && has_cell(cells, "target"));
}

// Whether a table of texts, of which some are numbers, has a text of record one in more than a third of the rows. A
// name of a column may stand in it too, but not so often, unless the whole header stands there again.
bool is_row_of_texts(const std::vector<std::string>& first, const std::vector<CsvColumn>& columns) {
  std::size_t frequent = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!columns[i].holds_texts()) return false;
    const Recurrence found = recurrence(columns[i].column.texts, to_utf8(first[i]));
    frequent += 3 * found.of_first > found.rows;
  }
  return frequent > 0 && frequent < first.size();
}

// What is known about the cells of record one.
struct FirstRecord {
  std::string above_texts;  // a number above a column of texts alone
  bool all_text = true, columns_all_text = true;
  std::size_t above_numbers = 0;  // numbers above numbers
  // What no column is named, above others of its kind: a fraction, a negative number, a date, "1,234".
  bool any_value = false;
  bool any_of_a_feature = false;  // what hardly any column is named: a sign alone, or a number such as 55251623
  HeaderNumbers numbers;
};

}  // namespace

HeaderGuess guess_header(const std::vector<std::string>& first, const std::vector<CsvColumn>& columns, std::size_t rows,
                         bool decimal_comma) {
  HeaderGuess none{false, "row 1 looks like the rows below it"};
  FirstRecord found;
  for (std::size_t i = 0; i < first.size(); ++i) {
    double value = 0;
    const Column& column = columns[i].column;
    const bool dates = columns[i].dates, numbers = dates || (columns[i].holds_numbers() && !columns[i].holds_texts());
    const CellKind kind = numbers && is_missing_dash(first[i]) ? CellKind::missing
                          : numbers && days_to(first[i])       ? CellKind::number
                                                         : kind_in_header(first[i], columns[i], value, decimal_comma);
    if (columns[i].values == 0 && kind == CellKind::missing) continue;
    if (kind == CellKind::text && !unread_number(column).empty())
      return {true, shown(to_utf8(first[i])) + " stands above numbers with signs"};
    if (kind == CellKind::text && numbers)
      return {true, shown(to_utf8(first[i])) + " stands above " + (dates ? "dates" : "numbers")};
    found.all_text = found.all_text && kind == CellKind::text;
    found.columns_all_text = found.columns_all_text && !numbers && holds_texts_like(first[i], columns[i]);
    found.above_numbers += kind == CellKind::number && numbers;
    found.any_value =
        found.any_value || is_value_above_values(first[i], columns[i], kind) ||
        (kind == CellKind::number && numbers && (days_to(first[i]) || value < 0 || value != std::floor(value)));
    found.any_of_a_feature = found.any_of_a_feature || is_sign(first[i]) || (kind == CellKind::number && is_odd(value));
    if (names_texts(first[i], columns[i])) found.above_texts = first[i];
    if (kind != CellKind::number) continue;
    found.numbers.values.push_back(value);
    found.numbers.columns.push_back(i);
  }
  if (name_ends_of_edges(first)) return {true, "its cells name the ends of edges"};
  if (rows == 0)
    return found.all_text ? HeaderGuess{true, shown(to_utf8(first.front())) + " stands above nothing"} : none;
  HeaderGuess by_numbers = guess_by_numbers(first, found.numbers, columns, rows, decimal_comma);
  if (by_numbers.header) return by_numbers;
  // A square table of numbers between rows that have numbers as names.
  if (first.front().empty() && first.size() == rows + 1 && found.numbers.values.size() == rows && rows > 1 &&
      columns.front().values == rows && std::ranges::equal(found.numbers.values, columns.front().column.numbers))
    return {true, "its cells are the names of the rows"};
  // As R and pandas write tables whose rows have numbers as names, from 1 and from 0.
  const CsvColumn& names = columns.front();
  if (first.front().empty() && names.values == rows && !names.holds_texts() && count_up(names.column.numbers) &&
      (names.column.numbers[0] == 0 || names.column.numbers[0] == 1) &&
      std::all_of(first.begin() + 1, first.end(),
                  [&](auto& cell) { return kind_of_cell(cell, decimal_comma) == CellKind::text; }))
    return {true, "its first cell is empty, above numbers that count the rows"};
  if (found.any_value) return none;
  if (!found.above_texts.empty() && found.above_numbers == 0)
    return {true, shown(found.above_texts) + " stands above texts"};
  if (found.all_text && !found.columns_all_text && !is_row_of_texts(first, columns))
    return {true, "all its cells are text, but not all columns are"};
  if (found.all_text && name_nodes(first)) return {true, "its cells are usual names of columns"};
  if (found.above_numbers > 0 && found.any_of_a_feature) return none;
  for (std::size_t i = 0; i < first.size() && 2 * found.above_numbers <= first.size(); ++i) {
    double value = 0;
    const bool texts = columns[i].holds_texts() && !columns[i].holds_numbers() && !columns[i].dates;
    if (parse_cell(first[i], value, decimal_comma) != CellKind::text || !texts) continue;
    // Beside numbers, a code above such codes is no name.
    if (found.above_numbers > 0 && is_code(first[i]) && are_codes_of_length(columns[i].column.texts, first[i].size()))
      continue;
    const Recurrence recurring = recurrence(columns[i].column.texts, to_utf8(first[i]));
    // If record one also holds numbers, it may well be data, so more of the other texts must recur.
    const std::size_t least = found.above_numbers > 0 ? recurring.rows - recurring.rows / 10 : (recurring.rows + 1) / 2;
    if (recurring.of_first == 0 && recurring.recurring > 0 && recurring.recurring >= least)
      return {true, shown(to_utf8(first[i])) + " is unique, but the other texts of its column recur"};
  }
  return by_numbers.reason.empty() ? none : by_numbers;
}

ShortHeader short_header(const std::vector<std::string>& first, CsvRecords following, bool decimal_comma) {
  const auto is_name = [&](std::string_view cell) { return kind_of_cell(cell, decimal_comma) == CellKind::text; };
  const bool ends_empty = first.size() > 2 && first.back().empty();
  const bool begins_empty = first.size() > 2 && first.front().empty();
  // R writes a vector with names as one column "x".
  if (first.size() == 1 && first.front() == "x") {
    int pairs = 0;
    for (; pairs < 2 && following.next() && following.cells().size() == 2 && !is_name(following.cells()[1]); ++pairs)
      continue;
    return pairs == 2 ? ShortHeader::of_row_names : ShortHeader::no;
  }
  if (first.size() < 2 || !std::all_of(first.begin() + begins_empty, first.end() - ends_empty, is_name))
    return ShortHeader::no;
  bool row_names = !ends_empty, empty_end = !ends_empty, longer = ends_empty;
  int records = 0;
  for (; records < 2 && following.next(); ++records) {
    const std::vector<std::string_view>& cells = following.cells();
    longer = longer && cells.size() + 1 == first.size();
    empty_end = empty_end && cells.size() > first.size() &&
                std::all_of(cells.begin() + static_cast<std::ptrdiff_t>(first.size()), cells.end(),
                            [](std::string_view cell) { return cell.empty(); });
    row_names = row_names && cells.size() == first.size() + 1 && !std::all_of(cells.begin() + 1, cells.end(), is_name);
  }
  if (records == 0) return ShortHeader::no;
  return longer      ? ShortHeader::with_an_empty_end
         : empty_end ? ShortHeader::of_an_empty_end
         : row_names ? ShortHeader::of_row_names
                     : ShortHeader::no;
}

}  // namespace kinescope::sim
