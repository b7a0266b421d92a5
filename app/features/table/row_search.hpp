// Finds rows by a piece of text, in any column.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "kinescope/table.hpp"

namespace kinescope::app {

// The case of ASCII letters does not count.
bool contains_ignoring_case(std::string_view text, std::string_view part);

// The rows of which some cell, as it is shown, contains `part`, ascending; all rows if it is empty. Columns of numbers
// are left out if `part` cannot be in a number. Once `stop` is requested it ends early, and the result means nothing.
// O(characters) on all threads.
std::vector<std::uint32_t> rows_with(const sim::Table& table, std::string_view part, const std::stop_token& stop);

}  // namespace kinescope::app
