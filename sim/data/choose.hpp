// What of a table becomes points: which columns take part, which one labels, which rows stay.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/core/table.hpp"
#include "sim/data/load.hpp"

namespace kinescope::sim {

// A column of texts is one of categories if it has from 2 to 40 different ones, and one of them at least twice.
inline constexpr std::size_t most_categories = 40;

// How many different texts a column of categories has; 0 for any other, and for numbers with a stray text. O(rows).
std::size_t category_count(const Column& column);

struct Chosen {
  const Column* label = nullptr;        // null: none
  std::vector<const Column*> columns;   // that take part: of numbers, or of categories
  std::vector<std::size_t> rows;        // that stay, ascending
  std::vector<std::size_t> categories;  // category_count of each column of the table
};

// The label is the one asked for, else a column named class or label, else one of categories: the last of the table's
// columns, if that is one, else the first that is. Unless columns are asked for, all of numbers take part but the
// label; where there are none, those of categories. Throws Error (input) as make_dataset does.
Chosen choose(const Table& table, const DataRequest& request);

// Of what is not there.
bool is_missing(const Column& column, std::size_t row);

}  // namespace kinescope::sim
