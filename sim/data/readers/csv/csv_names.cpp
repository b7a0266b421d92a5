#include "sim/data/readers/csv/csv_names.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/core/by_text.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

std::vector<std::string> column_names(std::vector<std::string> cells) {
  ByTextView<std::size_t> taken;  // names, and the first suffix that none of them has had
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::string& name = cells[i];
    if (name.empty()) name = numbered_name(i);
    if (!is_utf8(name)) name = to_utf8(name);
    const auto [same, is_free] = taken.try_emplace(name, 0);
    if (is_free) continue;
    // The first suffix is the column's number. No suffix is tried twice.
    std::size_t suffix = std::max(same->second, i);
    const std::string wanted = std::move(name);
    do name = wanted + "_" + std::to_string(suffix++);
    while (!taken.try_emplace(name, 0).second);
    taken[wanted] = suffix;
  }
  return cells;
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
