#include "app/features/table/row_search.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "kinescope/in_parallel.hpp"
#include "sim/core/letters.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr std::size_t search_grain = 1 << 14;  // rows, some tenths of a millisecond

constexpr auto small_letters = [] {
  std::array<char, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c) table[c] = sim::lower(char(c));
  return table;
}();

char small(char c) {
  return small_letters[static_cast<unsigned char>(c)];
}

// As they are written: 1e+21, inf.
bool may_be_in_a_number(std::string_view part) {
  return part.find_first_not_of("0123456789.-+eEinfINF") == std::string_view::npos;
}

}  // namespace

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  if (part.empty()) return true;
  if (text.size() < part.size()) return false;
  const char first = small(part[0]);
  const char *const begin = text.data(), *const last = begin + (text.size() - part.size());
  for (const char* at = begin; at <= last; ++at) {
    if (small(*at) != first) continue;
    std::size_t same = 1;
    while (same < part.size() && small(at[same]) == small(part[same])) ++same;
    if (same == part.size()) return true;
  }
  return false;
}

std::vector<std::uint32_t> rows_with(const sim::Table& table, std::string_view part, const std::stop_token& stop) {
  const bool in_numbers = may_be_in_a_number(part);
  std::vector<char> found(table.rows, 0);
  sim::in_parallel_ranges(table.rows, search_grain, [&](std::size_t begin, std::size_t end) {
    if (stop.stop_requested()) return;
    for (const sim::Column& column : table.columns) {
      const std::size_t there = std::min(end, column.size());
      if (!column.texts.empty()) {
        for (std::size_t row = begin; row < there; ++row)
          if (!found[row]) found[row] = contains_ignoring_case(column.texts[row], part);
      } else if (in_numbers) {
        for (std::size_t row = begin; row < there; ++row)
          if (!found[row]) found[row] = contains_ignoring_case(sim::number_text(column.numbers, row), part);
      }
    }
  });
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < found.size() && !stop.stop_requested(); ++row)
    if (found[row] || part.empty()) rows.push_back(std::uint32_t(row));
  return rows;
}

}  // namespace kinescope::app
