#include "sim/data/readers/csv/header_numbers.hpp"

#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr const char* numbers_of_columns = "its cells are the numbers of the columns";

using Values = std::vector<double>;
using Cells = std::vector<std::string>;
using Columns = std::vector<CsvColumn>;

bool is_whole(double number) {
  return number == std::floor(number);
}

bool is_year(double number, double last = 2100) {
  return number >= 1500 && number <= last && is_whole(number);
}

bool are_equal_steps(const Values& numbers, double step) {
  return std::ranges::adjacent_find(numbers, [&](double a, double b) { return b != a + step; }) == numbers.end();
}

// What the rows have below the numbers of record one.
struct Below {
  std::size_t rows = 0;                 // rows that have a number there
  std::size_t counting = 0, years = 0;  // of these, those that count up, and those that may be years themselves
  std::size_t values = 0, whole = 0, beyond = 0;  // numbers; whole ones; ones that are not among those of record one
};

// Three years of a person or a thing follow each other. Of fewer, each may be a year by chance.
bool may_be_years(const Values& row, std::size_t columns) {
  constexpr std::size_t fewest = 3;
  const auto is_a_year = [](double number) { return is_year(number); };
  if (columns < fewest) return std::ranges::any_of(row, is_a_year);
  return std::ranges::all_of(row, is_a_year) &&
         (std::ranges::is_sorted(row) || std::ranges::is_sorted(row, std::greater()));
}

Below look_below(const HeaderNumbers& numbers, const Columns& columns, std::size_t rows, bool decimal_comma) {
  constexpr std::size_t cells_to_look_at = 1'000'000;
  const auto [least, most] = std::ranges::minmax(numbers.values);
  Below below;
  Values row;
  for (std::size_t i = 0; i < std::min(rows, 1 + cells_to_look_at / numbers.columns.size()); ++i) {
    row.clear();
    for (const std::size_t c : numbers.columns) {
      const Column& column = columns[c].column;
      double value = std::numeric_limits<double>::quiet_NaN();
      if (!column.is_text && i < column.numbers.size()) value = column.numbers[i];
      if (column.is_text && i < column.texts.size()) parse_cell(column.texts[i], value, decimal_comma);
      if (std::isnan(value)) continue;
      row.push_back(value);
      below.whole += is_whole(value);
      below.beyond += !is_whole(value) || value < least || value > most;
    }
    if (row.empty()) continue;
    ++below.rows;
    below.values += row.size();
    below.counting += count_up(row);
    below.years += may_be_years(row, numbers.columns.size());
  }
  return below;
}

// The cells beside the numbers are names of columns of texts: texts that are not among these, or empty.
bool are_names_beside(const Cells& first, const HeaderNumbers& numbers, const Columns& columns) {
  for (std::size_t c = 0; c < first.size(); ++c) {
    if (std::ranges::binary_search(numbers.columns, c)) continue;
    const auto texts = first_of(columns[c].column.texts);
    if (!first[c].empty() && std::ranges::find(texts, to_utf8(first[c])) != texts.end()) return false;
  }
  return !numbers.columns.empty() && numbers.columns.front() > 0;
}

bool is_in_word(unsigned char c) {
  return std::isalpha(c) || c >= 0x80;
}

// Words that name the things in the rows of a table of years, where they are names of columns.
bool is_usual_key(std::string_view word) {
  static constexpr std::string_view keys =
      " age area category city code commune company country county département district economy entity gemeinde geo "
      "geography group id indicator industry item kreis land bundesland bezirk location month municipality municipio "
      "comune name names nation país pais pays place product province provincia region regione región région rownames "
      "school sector species stadt state station subject team territory town variable ";
  std::string lower(1, ' ');
  for (const char c : word) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return !word.empty() && keys.find(lower + ' ') != std::string_view::npos;
}

bool has_word(std::string_view text, std::string_view word) {
  while (!text.empty()) {
    const auto size = static_cast<std::size_t>(std::ranges::find_if_not(text, is_in_word) - text.begin());
    if (equals_ignoring_case(text.substr(0, size), word)) return true;
    text.remove_prefix(std::min(text.size(), size + 1));
  }
  return false;
}

// Whether the first cell has such a word in front, as "Country Code" and "geo\\time" do, or is "… name"; and no text
// below it has this word, as "Station 5" may. Or it is empty above a text in each row.
bool is_usual_key(const Cells& first, const CsvColumn& column, std::size_t rows) {
  const std::string_view cell = first.front();
  if (cell.empty()) return column.values == rows && rows > 1;
  const auto end_of_first = std::ranges::find_if_not(cell, is_in_word);
  std::string_view word = cell.substr(0, static_cast<std::size_t>(end_of_first - cell.begin()));
  constexpr std::array<std::string_view, 3> ends = {" name", " code", " id"};
  for (const std::string_view end : ends)
    if (cell.size() > end.size() && equals_ignoring_case(cell.substr(cell.size() - end.size()), end))
      word = cell.substr(cell.size() - end.size() + 1);
  return is_usual_key(word) && std::ranges::none_of(first_of(column.column.texts),
                                                    [&](const std::string& text) { return has_word(text, word); });
}

// The more it looks like a header, the more of the rows below may have years, or counts that might be some.
HeaderGuess guess_by_years(const Cells& first, const HeaderNumbers& numbers, const Columns& columns, std::size_t rows,
                           bool decimal_comma) {
  const Values& values = numbers.values;
  if (values.empty()) return {};
  const bool ascend = std::ranges::adjacent_find(values, std::greater_equal()) == values.end(),
             descend = std::ranges::adjacent_find(values, std::less_equal()) == values.end();
  if (!ascend && !descend) return {};
  const bool named = columns.front().column.is_text && are_names_beside(first, numbers, columns),
             consecutive = count_up(values);
  const auto may_name = [&](double number) { return is_year(number, consecutive ? 2500 : 2100); };
  if ((!named && !consecutive) || !std::ranges::all_of(values, may_name)) return {};
  const std::size_t count = values.size();
  const bool usual = named && is_usual_key(first, columns.front(), rows),
             even = count > 2 ? are_equal_steps(values, values[1] - values[0]) : consecutive && named;
  const Below below = look_below(numbers, columns, rows, decimal_comma);
  const bool few = 10 * below.years <= below.rows, fewer = 2 * below.years < below.rows || below.years == 0;
  constexpr std::size_t fewest_fractions = 10;  // so that it is no list of parameters and their values
  const bool fractions = below.years == 0 && 10 * below.whole <= below.values && below.values >= fewest_fractions;
  const bool are = count > 1 ? few || (fewer && (even || usual)) : (few && usual && below.rows > 0) || fractions;
  if (are)
    return {true, consecutive  ? "its numbers are consecutive years"
                  : count == 1 ? "its number is a year"
                               : "its numbers are years"};
  const bool doubt = count > 1 ? fewer : below.years == 0 && below.rows > 0;
  return {false, doubt ? "its numbers may be years or values; `--header yes` makes names of them" : ""};
}

// As pandas writes tables whose columns have no names, and people the rounds of a tournament or the months of a year.
// A few ranks or marks may count up too: then some of those below must be others, or fractions below fewer columns; not
// if the first column goes up or down from there, as time does.
HeaderGuess guess_by_columns(const HeaderNumbers& numbers, const Columns& columns, std::size_t rows,
                             bool decimal_comma) {
  constexpr std::size_t fewest = 3, many = 5, fewest_below = 10;
  const Values& values = numbers.values;
  if (values.size() != columns.size() || values.size() < fewest || values.front() != 0 || !count_up(values)) return {};
  const Below below = look_below(numbers, columns, rows, decimal_comma);
  if (2 * below.counting >= below.rows || below.beyond == 0) return {};
  const Numbers& first = columns.front().column.numbers;
  const bool goes_on = first.empty() || (first.front() >= 0 && std::ranges::is_sorted(first)) ||
                       (first.front() <= 0 && std::ranges::is_sorted(first, std::greater()));
  const bool fractions = 10 * below.whole <= below.values && below.values >= fewest_below;
  if (values.size() >= many || (fractions && !goes_on)) return {true, numbers_of_columns};
  return {false, below.counting == 0 && below.values >= fewest_below
                     ? "0, 1 and 2 in row 1 may be values, or the columns' numbers; `--header yes` makes names of them"
                     : ""};
}

// A series or a table, as pandas writes it if its columns have no names: nothing above dates, texts or whole numbers
// that count up, such as years, and 0, 1, … above the others.
bool numbers_a_series(const Cells& first, const HeaderNumbers& numbers, const Columns& columns, std::size_t rows) {
  constexpr std::size_t fewest_rows = 2;
  const CsvColumn& names = columns.front();
  if (!first.front().empty() || numbers.values.size() + 1 != first.size() || rows < fewest_rows || names.values != rows)
    return false;
  for (std::size_t i = 1; i < first.size(); ++i)
    if (first[i] != std::to_string(i - 1)) return false;
  return names.dates || !names.holds_numbers() || (!names.holds_texts() && count_up(names.column.numbers));
}

bool number_columns(const Cells& first, const HeaderNumbers& numbers, const Columns& columns, std::size_t rows,
                    bool decimal_comma) {
  constexpr std::size_t fewest = 3, many = 6;
  const Values& values = numbers.values;
  if (values.size() + 1 != first.size() || values.size() < fewest || !count_up(values)) return false;
  if (values.front() != 0 && values.front() != 1) return false;
  if (columns.front().values != rows || !are_names_beside(first, numbers, columns)) return false;
  const Below below = look_below(numbers, columns, rows, decimal_comma);
  if (below.rows == 0 || 2 * below.counting >= below.rows) return false;
  return values.size() >= many || below.beyond > 0 || (first.front().empty() && values.front() == 0);
}

// Whether the numbers are a scale, such as wavelengths, above measured values: they ascend or descend (fewer than eight
// in equal steps), each ten times as large as all below it. Beside them stand names of columns of texts, or nothing.
bool are_a_scale(const Cells& first, const HeaderNumbers& scale, const Columns& columns) {
  constexpr std::size_t fewest = 3, fewest_beside = 4, fewest_uneven = 8;
  const Values& numbers = scale.values;
  const bool beside = numbers.size() != columns.size();
  if (numbers.size() < (beside ? fewest_beside : fewest)) return false;
  if (beside && !are_names_beside(first, scale, columns)) return false;
  const double step = numbers[1] - numbers[0];
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const double here = numbers[i] - numbers[i - 1];
    if (here * step <= 0 || (numbers.size() < fewest_uneven && std::abs(here - step) > 1e-6 * std::abs(step)))
      return false;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Numbers& below = columns[scale.columns[i]].column.numbers;
    if (beside && below.empty()) return false;
    for (const double number : first_of(below))
      if (10 * std::abs(number) >= std::abs(numbers[i])) return false;
  }
  return true;
}

}  // namespace

HeaderGuess guess_by_numbers(const Cells& first, const HeaderNumbers& numbers, const Columns& columns, std::size_t rows,
                             bool decimal_comma) {
  HeaderGuess years = guess_by_years(first, numbers, columns, rows, decimal_comma);
  if (years.header) return years;
  if (rows > 1 && are_a_scale(first, numbers, columns)) return {true, "its numbers are a scale above smaller ones"};
  if (number_columns(first, numbers, columns, rows, decimal_comma) || numbers_a_series(first, numbers, columns, rows))
    return {true, numbers_of_columns};
  const HeaderGuess counted = guess_by_columns(numbers, columns, rows, decimal_comma);
  return counted.header || years.reason.empty() ? counted : years;
}

}  // namespace kinescope::sim
