#include "sim/data/readers/csv/csv_names.hpp"

#include <unordered_set>
#include <utility>

#include "sim/data/choose.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

std::vector<std::string> column_names(const std::vector<std::string>& cells) {
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    // The first suffix is the column's number, so that the search for a free name is short even if many names are
    // equal.
    names.push_back(free_name(!cells[i].empty() ? to_utf8(cells[i]) : numbered_name(i), taken, i));
  }
  return names;
}

Error no_column(const std::string& path, const std::string& name, const std::vector<std::string>& names) {
  Table table;
  table.source = path;
  for (const std::string& each : names) table.columns.push_back({.name = each});
  try {
    required_column(table, name);
  } catch (const Error& error) {
    return error;
  }
  return file_error(path, "column " + shown(name) + " is named by its place, but has a name");
}

}  // namespace kinescope::sim
