// Filters on the rows of a table: which rows pass, and how a session keeps the filters.
#pragma once

#include <string>
#include <vector>

#include "app/scenes/row_choice.hpp"
#include "kinescope/table.hpp"

namespace kinescope::app {

// The rows that pass all filters; a filter on a column that the table lacks is passed by none. O(rows × filters), on
// all threads.
std::vector<std::uint32_t> rows_passing(const sim::Table& table, const std::vector<RowFilter>& filters);

// As JSON; "" if there are none.
std::string text_of(const std::vector<RowFilter>& filters);
// Leaves out what cannot be read, and filters on columns that the table lacks.
std::vector<RowFilter> filters_of(const std::string& text, const sim::Table& table);

}  // namespace kinescope::app
