// Which part of a table becomes points: the columns that take part, the label, the rows that stay.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/core/table.hpp"
#include "sim/data/load.hpp"

namespace kinescope::sim {

// A column of texts is one of categories if it has 2 to 40 different texts, and at least one of them twice.
inline constexpr std::size_t most_categories = 40;

// How many different texts a column of categories has; 0 for other columns, and for numbers with a stray text. O(rows).
std::size_t category_count(const Column& column);

// Makes texts of the numbers of these columns. Throws Error (input) if there is no such column, or if one of them has
// too many different values.
void read_as_categories(Table& table, const std::vector<std::string>& names);

struct Chosen {
  const Column* label = nullptr;        // null: none
  std::vector<const Column*> columns;   // those that take part; none with sparse rows and with graphs
  std::vector<std::size_t> rows;        // those that stay, ascending
  std::size_t other_components = 0;     // of a graph: how many were left out
  std::vector<std::size_t> categories;  // category_count of each column of the table
  std::vector<std::string> unread;      // unread_number or unread_date of each column of the table
};

// The label is the column asked for; else one named class or label; else one of categories: the table's last column if
// it is one (empty ones do not count), or the first that is. If no columns are asked for, all columns of numbers except
// the label take part; if there are none, those of categories, but not of numbers that were read as texts (unread.hpp).
// For Reading::mixed both do, and only rows without any value are left out. Of sparse rows everything takes part, of a
// graph the largest component stays. Throws Error (input) as make_dataset does.
Chosen choose(const Table& table, const DataRequest& request);

// Throws Error (input), with the nearest name, if the table has no such column.
const Column& required_column(const Table& table, const std::string& name);

// Whether the column has no value at all, as after a separator at the end of every line. O(rows).
bool is_empty(const Column& column);

// Whether the column has no value in this row.
bool is_missing(const Column& column, std::size_t row);

}  // namespace kinescope::sim
