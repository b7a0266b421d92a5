#include "sim/data/choose_colours.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

const Column* column_of_numbers(const Table& table, std::string_view name) {
  const auto found = std::ranges::find_if(
      table.columns, [&](const Column& column) { return !column.is_text && equals_ignoring_case(column.name, name); });
  return found == table.columns.end() ? nullptr : &*found;
}

// The largest of them; NaN if one is outside 0 … 255, or there are none.
double largest_part(const Column& column) {
  double largest = NAN;
  for (const double value : column.numbers) {
    if (std::isnan(value)) continue;
    if (!(value >= 0 && value <= 255)) return NAN;
    largest = std::isnan(largest) ? value : std::max(largest, value);
  }
  return largest;
}

}  // namespace

ColourColumns choose_colours(const Table& table, const DataRequest& request) {
  static constexpr std::array<std::array<std::string_view, 3>, 3> names = {
      {{"r", "g", "b"}, {"red", "green", "blue"}, {"rf", "gf", "bf"}}};
  if (table.picture || request.reading == Reading::matrix) return {};
  for (const auto& each : names) {
    ColourColumns found;
    double largest = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      found.columns[c] = column_of_numbers(table, each[c]);
      if (!found.columns[c]) break;
      const double part = largest_part(*found.columns[c]);
      largest = std::isnan(part) ? NAN : std::max(largest, part);
      if (std::isnan(largest)) break;
    }
    if (!found.columns[2] || std::isnan(largest)) continue;
    found.scale = largest <= 1 ? 255 : 1;
    return found;
  }
  return {};
}

std::vector<std::array<std::uint8_t, 4>> colours_of(const ColourColumns& chosen, std::size_t rows) {
  constexpr std::uint8_t grey = 128, opaque = 255;
  std::vector<std::array<std::uint8_t, 4>> colours(rows, {grey, grey, grey, opaque});
  for (std::size_t row = 0; row < rows; ++row) {
    std::array<double, 3> parts{};
    for (std::size_t c = 0; c < 3; ++c) parts[c] = chosen.columns[c]->numbers[row] * chosen.scale;
    if (std::ranges::any_of(parts, [](double part) { return std::isnan(part); })) continue;
    for (std::size_t c = 0; c < 3; ++c) colours[row][c] = static_cast<std::uint8_t>(std::lround(parts[c]));
  }
  return colours;
}

}  // namespace kinescope::sim
