// Places of TSPLIB's travelling salesman problems (G. Reinelt, "TSPLIB: A Traveling Salesman Problem Library", 1991):
// lines "KEY: VALUE", then NODE_COORD_SECTION, then a line for each place, its number and coordinates.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view coordinates = "NODE_COORD_SECTION";

// Reads lines up to the coordinates; returns how many places the file states, 0 if it does not.
std::size_t read_tsplib_head(const std::string& path, TextLines& lines) {
  std::size_t stated = 0;
  while (lines.next()) {
    std::string_view rest = lines.text();
    const std::string_view key = next_word(rest);
    if (key == coordinates) return stated;
    if (key.ends_with("_SECTION"))
      throw file_error(path, lines.number(),
                       shown(key) + " is not read: only problems with " + std::string(coordinates));
    if (!key.starts_with("DIMENSION")) continue;
    std::string_view number = next_word(rest);
    if (number == ":") number = next_word(rest);
    double value = 0;
    if (parse_cell(number, value) != CellKind::number || !(value >= 1) || value > double(maximum_rows))
      throw file_error(path, lines.number(), "expected the number of places, found " + shown(number));
    stated = static_cast<std::size_t>(value);
  }
  throw file_error(path, "there is no " + std::string(coordinates));
}

Table read_tsplib(const SourceFile& source) {
  TextLines lines(source.file);
  const std::size_t stated = read_tsplib_head(source.path(), lines);
  Table table;
  table.format = "TSPLIB";
  while (lines.next()) {
    std::string_view rest = lines.text();
    const std::string_view name = next_word(rest);
    if (name.empty()) continue;
    if (name == "EOF" || name.ends_with("_SECTION")) break;
    std::size_t column = 0;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest), ++column) {
      double value = 0;
      if (parse_cell(word, value) != CellKind::number || std::isinf(value))
        throw file_error(source.path(), lines.number(), "expected a coordinate, found " + shown(word));
      if (table.rows == 0 && column < 3) table.columns.push_back({std::string(1, "xyz"[column])});
      if (column < table.columns.size()) table.columns[column].numbers.push_back(value);
    }
    if (column < 2 || column != table.columns.size())
      throw file_error(source.path(), lines.number(),
                       "expected a number and " + std::to_string(std::max<std::size_t>(2, table.columns.size())) +
                           " coordinates, found " + count_of(column, "coordinate"));
    table.row_lines.push_back(lines.number());
    ++table.rows;
  }
  if (table.rows == 0 || (stated > 0 && table.rows != stated))
    throw file_error(source.path(), "cut off: " + count_of(table.rows, "place") +
                                        (stated > 0 ? " of " + std::to_string(stated) : std::string()));
  return table;
}

Fit fit_tsplib(InputFile& file) {
  const bool named = file.head().find("DIMENSION") != std::string_view::npos && has_ending(file.path(), ".tsp");
  return fit_if(named, Fit::likely);
}

}  // namespace

extern const FileFormat tsplib_format = {.name = "TSPLIB's places",
                                         .endings = ".tsp",
                                         .fit = fit_tsplib,
                                         .read = read_tsplib,
                                         .otherwise = "not a TSPLIB file: its DIMENSION is missing"};

}  // namespace kinescope::sim
