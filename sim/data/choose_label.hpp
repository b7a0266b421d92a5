// Chooses the column, or the columns, that colour the points.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/table.hpp"
#include "sim/data/choose.hpp"

namespace kinescope::sim {

struct ChosenLabel {
  const Column* column = nullptr;  // null: none
  bool takes_part = false;         // it colours, and is used for distances like other columns
  bool is_telling = false;         // it was preferred to other columns of categories
};

// The requested column; else one called class or label, whatever it holds; else one called target, species, type,
// group, cluster or category, or as types and clusters of cells usually are, the first of these names first: texts that
// repeat, or numbers if these are 2 to 20 whole numbers; numbers then take part in the distances all the same. Else, of
// the columns with 2 to 20 categories, the one that explains most of the variance of the columns of numbers that take
// part: the mean η² (between the categories' means, of the whole) over at most 10,000 evenly spread rows; of equals the
// first. If no numbers take part, the last column of the table, if it is one of these, else the first of these. A
// column of texts that is requested for the distances, and the only column that can be used for them, colour only if
// that is requested too. `chosen` has its categories and unread numbers. Throws Error (input) if the requested column
// does not exist. O(rows × columns).
ChosenLabel choose_label(const Table& table, const DataRequest& request, const Chosen& chosen);

// Columns named r, g, b, or red, green, blue, or Rf, Gf, Bf (in any case), if all their numbers are 0 … 1, or all are
// 0 … 255. None for pictures and matrices. O(rows).
ColourColumns choose_colours(const Table& table, const DataRequest& request);

// Each row's colour, 8-bit sRGB, opaque; grey where a number is missing. O(rows).
std::vector<std::array<std::uint8_t, 4>> colours_of(const ColourColumns& chosen, std::size_t rows);

}  // namespace kinescope::sim
