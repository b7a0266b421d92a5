// Columns that hold the points' own colours.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/core/table.hpp"
#include "sim/data/load.hpp"

namespace kinescope::sim {

struct ColourColumns {
  std::array<const Column*, 3> columns{};  // red, green, blue; null: there are none
  double scale = 1;                        // makes their numbers 0 … 255

  explicit operator bool() const { return columns[0] != nullptr; }
  bool has(const Column* column) const { return column == columns[0] || column == columns[1] || column == columns[2]; }
};

// Columns named r, g, b, or red, green, blue, or Rf, Gf, Bf (in any case), if all their numbers are 0 … 1, or all are
// 0 … 255. None for pictures and matrices. O(rows).
ColourColumns choose_colours(const Table& table, const DataRequest& request);

// Each row's colour, 8-bit sRGB, opaque; grey where a number is missing. O(rows).
std::vector<std::array<std::uint8_t, 4>> colours_of(const ColourColumns& chosen, std::size_t rows);

}  // namespace kinescope::sim
