// Figures of a run in the order in which they were added; the program writes them as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kinescope::sim {

struct Report {
  using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                             Report, std::vector<Report>>;
  std::vector<std::pair<std::string, Value>> entries;

  void add(std::string key, Value value) { entries.emplace_back(std::move(key), std::move(value)); }
};

}  // namespace kinescope::sim
