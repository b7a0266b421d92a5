// Helpers for the tests of opening tables: a table from bytes, and what was found in it.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/text.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::opening_cases {

using Names = std::vector<std::string>;
using Kind = Suggestion::Kind;

inline std::shared_ptr<const Dataset> open(const std::string& bytes, const DataRequest& request = {},
                                           const std::string& name = "table.data") {
  const TemporaryFolder folder;
  DataRequest whole = request;
  whole.source = folder.write(name, bytes);
  return load_dataset(whole);
}

inline Names of_use(const Findings& findings, ColumnUse use) {
  Names names;
  for (const ColumnFinding& column : findings.columns)
    if (column.use == use) names.push_back(column.name);
  return names;
}

inline std::vector<Kind> kinds(const Findings& findings) {
  std::vector<Kind> found;
  for (const Suggestion& suggestion : findings.suggestions) found.push_back(suggestion.kind);
  return found;
}

inline const Suggestion& of_kind(const Findings& findings, Kind kind) {
  const auto found = std::find_if(findings.suggestions.begin(), findings.suggestions.end(),
                                  [&](const Suggestion& each) { return each.kind == kind; });
  if (found == findings.suggestions.end()) throw std::runtime_error("no such suggestion");
  return *found;
}

inline Names numbered(std::size_t from, std::size_t to) {
  Names names;
  for (std::size_t i = from; i <= to; ++i) names.push_back(numbered_name(i));
  return names;
}

}  // namespace kinescope::sim::opening_cases
