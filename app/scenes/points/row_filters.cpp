#include "app/scenes/points/row_filters.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kinescope/in_parallel.hpp"

namespace kinescope::app {
namespace {

constexpr std::size_t filter_grain = 1 << 16;  // rows

// Clears the marks of rows [begin, end) that do not pass.
void pass(const sim::Column* column, const RowFilter& filter, std::size_t begin, std::size_t end, char* marks) {
  const std::size_t there = column ? std::clamp(column->size(), begin, end) : begin;
  std::fill(marks + there, marks + end, 0);
  if (!column) return;
  if (column->is_text) {
    for (std::size_t row = begin; row < there; ++row)
      marks[row] = marks[row] && std::ranges::find(filter.texts, column->texts[row]) != filter.texts.end();
    return;
  }
  column->numbers.visit([&](const auto& numbers) {
    for (std::size_t row = begin; row < there; ++row) {
      const auto number = double(numbers[row]);
      marks[row] = char(int(marks[row]) & int(number >= filter.low) & int(number <= filter.high));
    }
  });
}

}  // namespace

std::vector<std::uint32_t> rows_passing(const sim::Table& table, const std::vector<RowFilter>& filters) {
  std::vector<char> marks(table.rows, 1);
  sim::in_parallel_ranges(table.rows, filter_grain, [&](std::size_t begin, std::size_t end) {
    for (const RowFilter& filter : filters) pass(table.find(filter.column), filter, begin, end, marks.data());
  });
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < marks.size(); ++row)
    if (marks[row]) rows.push_back(std::uint32_t(row));
  return rows;
}

std::string text_of(const std::vector<RowFilter>& filters) {
  if (filters.empty()) return "";
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const RowFilter& filter : filters) {
    nlohmann::ordered_json each{{"column", filter.column}};
    if (!filter.texts.empty()) each["texts"] = filter.texts;
    if (std::isfinite(filter.low)) each["low"] = filter.low;
    if (std::isfinite(filter.high)) each["high"] = filter.high;
    all.push_back(std::move(each));
  }
  return all.dump();
}

std::vector<RowFilter> filters_of(const std::string& text, const sim::Table& table) {
  std::vector<RowFilter> filters;
  const auto all = nlohmann::json::parse(text, nullptr, false);
  if (!all.is_array()) return filters;
  for (const auto& each : all) try {
      RowFilter filter{.column = each.at("column")};
      filter.texts = each.value("texts", filter.texts);
      filter.low = each.value("low", filter.low);
      filter.high = each.value("high", filter.high);
      if (table.find(filter.column)) filters.push_back(std::move(filter));
    } catch (const nlohmann::json::exception&) {
    }
  return filters;
}

}  // namespace kinescope::app
