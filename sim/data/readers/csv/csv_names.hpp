// The names of a table's columns.
#pragma once

#include <string>
#include <vector>

#include "sim/core/error.hpp"

namespace kinescope::sim {

// Gives every column a name of its own: an empty name is replaced by the column's number, a repeated one gets a suffix.
// O(cells), even if many are equal.
std::vector<std::string> column_names(std::vector<std::string> cells);

// The input error that none of the columns `names` is called `name`, with the nearest one.
Error no_column(const std::string& path, const std::string& name, const std::vector<std::string>& names);

}  // namespace kinescope::sim
