// Chooses the part of a table that becomes points: the columns that take part, the label, the rows that stay.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "kinescope/table.hpp"
#include "sim/data/number_facts.hpp"

namespace kinescope::sim {

// A column of texts counts as categories if it has 2 to 40 different texts, at least one of them more than once.
inline constexpr std::size_t most_categories = 40;

// How many different texts a column of categories has; 0 for other columns. O(rows).
std::size_t category_count(const Column& column);

// Turns the numbers of these columns into texts, so that they count as categories. Throws Error (input) if there is no
// such column, or if the values of one are not categories as defined above.
void read_as_categories(Table& table, const std::vector<std::string>& names);

// Columns that hold the points' own colours.
struct ColourColumns {
  std::array<const Column*, 3> columns{};  // red, green, blue; null: there are none
  double scale = 1;                        // makes their numbers 0 … 255

  explicit operator bool() const { return columns[0] != nullptr; }
  bool has(const Column* column) const { return column == columns[0] || column == columns[1] || column == columns[2]; }
};

struct Chosen {
  const Column* label = nullptr;  // null: none
  bool label_takes_part = false;  // the label is used for distances too, if its column is among `columns`
  bool label_is_telling = false;  // it was preferred to other columns of categories
  ColourColumns colours;          // the points' own; they take part only if they are requested or there is no other
  std::vector<const Column*> columns;   // those that take part; none with sparse rows and with graphs
  std::vector<std::size_t> rows;        // those that stay, ascending
  std::size_t components = 1;           // of a graph: how many it has
  std::vector<std::size_t> categories;  // category_count of each column of the table
  std::vector<NumberFacts> facts;       // of each column of the table
  std::vector<std::string> unread;      // unread_number or unread_date of each column of the table
};

// choose_label.hpp says which column is the label. If no columns are requested, all columns of numbers take part,
// except a label that leaves the distances. If there are none, the columns of categories do, but not columns of numbers
// that were read as texts (unread.hpp). For Reading::mixed both kinds take part, and only rows without any value are
// left out. All columns of sparse rows take part. Of a graph all components stay, or the largest. Throws Error (input)
// as make_dataset does.
Chosen choose(const Table& table, const DataRequest& request);

// Throws Error (input), with the nearest name, if the table has no such column.
const Column& required_column(const Table& table, const std::string& name);
// The same error about a table in the file `path` with columns of these names.
Error no_column(const std::string& path, const std::string& name, const std::vector<std::string>& names);

// An input error about a row: names its line or, if the format has no lines, its number from 1.
Error row_error(const Table& table, std::size_t row, const std::string& message);

// Whether a number of the column is not missing. O(rows).
bool has_number(const Column& column);

// Whether the column has no value at all, as after a separator at the end of every line. O(rows).
bool is_empty(const Column& column);

// Whether the column has a whole number in each row, and none twice, as numbers that name rows are. O(rows).
bool are_different_whole_numbers(const Column& column);

// Whether the column has no value in this row.
bool is_missing(const Column& column, std::size_t row);

// Calls f(row) for each row in which the column has no value, ascending. O(rows).
template <class F>
void each_missing(const Column& column, F f) {
  if (column.is_text) {
    for (std::size_t row = 0; row < column.texts.size(); ++row)
      if (column.texts[row].empty()) f(row);
    return;
  }
  column.numbers.visit([&](auto numbers) {
    for (std::size_t row = next_missing(numbers, 0); row < numbers.size(); row = next_missing(numbers, row + 1)) f(row);
  });
}

}  // namespace kinescope::sim
