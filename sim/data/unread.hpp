// Columns that people read as numbers but that were read as texts: "1,000", "1.000,5", "12 %", "$5",
// "(51)", "158 cm", and dates such as "31.12.2023".
#pragma once

#include <string>
#include <string_view>

#include "kinescope/table.hpp"

namespace kinescope::sim {

// If all texts of a column are numbers and some are written like that, the first such text; "" for other columns. A
// unit in letters must be the same in all rows: "12a" and "14" are no quantities. O(rows).
std::string unread_number(const Column& column);

// "31.12.2023", "12/31/2023", "2023/12/31", also before a time of the day: dates that are not written year-month-day
// with hyphens; the order of day and month may be uncertain.
bool is_date_of_other_order(std::string_view text);

// If all texts of a column are dates, but not as ISO 8601 writes them ("31.12.2023", "12/31/2023"), the first of them;
// else "".
std::string unread_date(const Column& column);

// A sentence without a full stop that names the column and says how its numbers, or dates, can be read.
std::string unread_sentence(const Table& table, const std::string& column, const std::string& example);

}  // namespace kinescope::sim
