// Places of TSPLIB's travelling salesman problems (G. Reinelt, "TSPLIB: A Traveling Salesman Problem Library", 1991):
// lines "KEY: VALUE", then NODE_COORD_SECTION, then a line for each place, its number and coordinates.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view coordinates = "NODE_COORD_SECTION";

struct TsplibHead {
  std::size_t places = 0;   // as the file states; 0: it does not
  bool geographic = false;  // the coordinates are a latitude and a longitude
};

// Reads lines up to the coordinates.
TsplibHead read_tsplib_head(const std::string& path, TextLines& lines) {
  TsplibHead head;
  while (lines.next()) {
    std::string_view rest = lines.text();
    const std::string_view key = next_word(rest);
    if (key == coordinates) return head;
    if (key.ends_with("_SECTION"))
      throw lines.error(shown(key) + " is not read: only problems with " + std::string(coordinates));
    std::string_view number = next_word(rest);
    if (number == ":") number = next_word(rest);
    if (key.starts_with("EDGE_WEIGHT_TYPE")) head.geographic = number == "GEO";
    if (!key.starts_with("DIMENSION")) continue;
    double value = 0;
    if (parse_cell(number, value) != CellKind::number || !(value >= 1) || value > double(maximum_rows))
      throw lines.error("expected the number of places, found " + shown(number));
    head.places = static_cast<std::size_t>(value);
  }
  throw file_error(path, "there is no " + std::string(coordinates));
}

// "-38.24" is 38 degrees and 24 minutes to the south or the west.
double decimal_degrees(double degrees_and_minutes) {
  const double degrees = std::trunc(degrees_and_minutes);
  return degrees + (degrees_and_minutes - degrees) / 0.6;
}

Table read_tsplib(const SourceFile& source) {
  TextLines lines(source.file);
  const auto [stated, geographic] = read_tsplib_head(source.path(), lines);
  const std::array<std::string, 3> names = {geographic ? "latitude" : "x", geographic ? "longitude" : "y", "z"};
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
        throw lines.error("expected a coordinate, found " + shown(word));
      if (table.rows == 0 && column < 3) table.columns.push_back({names[column]});
      if (column < table.columns.size())
        table.columns[column].numbers.push_back(geographic && column < 2 ? decimal_degrees(value) : value);
    }
    if (column < 2 || column != table.columns.size())
      throw lines.error("expected a number and " + std::to_string(std::max<std::size_t>(2, table.columns.size())) +
                        " coordinates, found " + count_of(column, "coordinate"));
    table.row_lines.push_back(lines.number());
    ++table.rows;
  }
  if (table.rows == 0 || (stated > 0 && table.rows != stated))
    throw file_error(source.path(), "cut off: " + count_of(table.rows, "place") +
                                        (stated > 0 ? " of " + std::to_string(stated) : std::string()));
  if (geographic) table.remarks.emplace_back("the degrees and minutes of GEO were made degrees");
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
