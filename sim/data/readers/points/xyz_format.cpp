// Points as lines of numbers: the XYZ files of chemistry (a count, a comment, then "ELEMENT x y z" lines, frame after
// frame), of scanners ("x y z", "x y z r g b"), and Leica's .pts (a count, then "x y z intensity r g b").
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/points/point_cloud.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view xyz_endings = ".xyz .pts";

// The only number of a line, if it is a whole one.
std::optional<std::uint64_t> count_of_line(std::string_view line) {
  const std::string_view word = next_word(line);
  return next_word(line).empty() ? parse_whole(word) : std::nullopt;
}

bool all_numbers(const std::vector<std::string_view>& cells, std::size_t from) {
  return std::all_of(cells.begin() + static_cast<std::ptrdiff_t>(from), cells.end(),
                     [](std::string_view cell) { return kind_of_cell(cell) != CellKind::text; });
}

bool is_atom(const std::vector<std::string_view>& cells) {
  return cells.size() >= 4 && std::isalpha(static_cast<unsigned char>(cells[0][0])) != 0 &&
         all_numbers({cells.begin() + 1, cells.begin() + 4}, 0);
}

// The first lines of the file, at most `most`.
std::vector<std::string_view> first_lines_of(std::string_view head, std::size_t most) {
  std::vector<std::string_view> lines;
  while (!head.empty() && lines.size() < most) lines.push_back(next_line(head));
  return lines;
}

bool is_molecule(const InputFile& file) {
  const std::vector<std::string_view> lines = first_lines_of(file.head(), 3);
  return has_ending(file.path(), ".xyz") && lines.size() == 3 && count_of_line(lines[0]) && is_atom(words_of(lines[2]));
}

// Whether the first lines hold points, after a line with their number or not.
bool is_scan(const InputFile& file) {
  if (!has_ending(file.path(), xyz_endings)) return false;
  std::vector<std::string_view> lines = first_lines_of(file.head(), 20);
  if (!lines.empty() && count_of_line(lines[0])) lines.erase(lines.begin());
  if (lines.size() > 1 && !file.head_is_all()) lines.pop_back();  // it may be cut off
  std::size_t points = 0;
  for (const std::string_view line : lines) {
    const std::vector<std::string_view> cells = words_of(line);
    if (cells.empty() || cells[0].starts_with('#')) continue;
    if (cells.size() < 3 || !all_numbers(cells, 0)) return false;
    ++points;
  }
  return points > 0;
}

Table read_molecule(InputFile& file) {
  Table table;
  table.format = "XYZ, atoms";
  table.columns.resize(5);
  static constexpr std::array<const char*, 5> names = {"element", "x", "y", "z", "frame"};
  for (std::size_t i = 0; i < names.size(); ++i) table.columns[i].name = names[i];
  table.columns[0].is_text = true;
  TextLines lines(file);
  std::size_t frames = 0, further = 0;
  while (lines.next()) {
    if (trimmed(lines.text()).empty()) continue;
    const std::optional<std::uint64_t> atoms = count_of_line(lines.text());
    if (!atoms) throw lines.error("expected a number of atoms, found " + shown(lines.text()));
    ++frames;
    if (*atoms == 0) throw lines.error("no atoms");
    if (!lines.next()) throw lines.error("cut off: the comment of the atoms is missing");
    for (std::uint64_t atom = 0; atom < *atoms; ++atom) {
      if (!lines.next())
        throw lines.error("cut off: " + std::to_string(atom) + " of " + std::to_string(*atoms) + " atoms");
      const std::vector<std::string_view> cells = words_of(lines.text());
      if (cells.size() < 4) throw lines.error("expected an element and x, y, z, found " + shown(lines.text()));
      table.columns[0].texts.push_back(to_utf8(cells[0]));
      for (std::size_t k = 1; k < 4; ++k) {
        double value = 0;
        if (parse_cell(cells[k], value) != CellKind::number)
          throw lines.error("expected a number, found " + shown(cells[k]));
        table.columns[k].numbers.push_back(value);
      }
      table.columns[4].numbers.push_back(static_cast<float>(frames));
      table.row_lines.push_back(lines.number());
      further = std::max(further, cells.size() - 4);
      constexpr std::size_t rows_between_checks = 1 << 20;
      if (++table.rows % rows_between_checks == 0)
        require_memory(file.path(), static_cast<double>(table.rows) * (4 * sizeof(double) + sizeof(std::string)));
    }
  }
  if (table.rows == 0) throw file_error(file.path(), "no atoms");
  if (frames == 1) table.columns.pop_back();
  if (further > 0) table.remarks.push_back(count_of(further, "further number") + " of each atom left out");
  let_places_take_part(table);
  return table;
}

// Names by how many numbers a line has; the last three of six are colours if they can be, else a normal.
std::vector<std::string> names_of(const std::vector<std::string_view>& cells, bool colours) {
  std::vector<std::string> names = {"x", "y", "z"};
  if (cells.size() == 4 || cells.size() == 7) names.emplace_back("intensity");
  if (cells.size() >= 6 && cells.size() <= 7)
    for (const char* name : colours ? std::array{"r", "g", "b"} : std::array{"nx", "ny", "nz"})
      names.emplace_back(name);
  if (cells.size() == 9)
    for (const char* name : {"r", "g", "b", "nx", "ny", "nz"}) names.emplace_back(name);
  while (names.size() < cells.size()) names.push_back(numbered_name(names.size()));
  return names;
}

Table read_scan(InputFile& file) {
  Table table;
  table.format = "XYZ, points";
  TextLines lines(file);
  std::optional<std::uint64_t> stated;
  bool begun = false, colours = true;
  while (lines.next()) {
    const std::string_view line = lines.text();
    if (!begun && !stated && (stated = count_of_line(line))) continue;
    const std::vector<std::string_view> cells = words_of(line);
    if (cells.empty() || cells[0].starts_with('#')) continue;
    if (!begun) {
      table.columns.resize(cells.size());
      begun = true;
    }
    if (cells.size() != table.columns.size())
      throw lines.error("expected " + count_of(table.columns.size(), "number") + ", found " +
                        std::to_string(cells.size()));
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const double value = lines.value_of(cells[k]);
      table.columns[k].numbers.push_back(value);
      if (k + 3 >= cells.size()) colours = colours && value >= 0 && value <= 255;
    }
    table.row_lines.push_back(lines.number());
    constexpr std::size_t rows_between_checks = 1 << 20;
    if (++table.rows % rows_between_checks == 0)
      require_memory(file.path(), static_cast<double>(table.rows * table.columns.size() * sizeof(double)));
  }
  if (table.rows == 0) throw file_error(file.path(), "no points");
  if (stated && *stated != table.rows)
    throw file_error(file.path(),
                     std::to_string(table.rows) + " points, but the first line says " + std::to_string(*stated));
  const std::vector<std::string> names = names_of(std::vector<std::string_view>(table.columns.size()), colours);
  for (std::size_t k = 0; k < names.size(); ++k) table.columns[k].name = names[k];
  let_places_take_part(table);
  return table;
}

}  // namespace

extern const FileFormat xyz_format = {
    .name = "XYZ point clouds",
    .endings = xyz_endings,
    .fit = [](InputFile& file) { return fit_if(is_molecule(file) || is_scan(file), Fit::likely); },
    .read =
        [](const SourceFile& source) {
          return is_molecule(source.file) ? read_molecule(source.file) : read_scan(source.file);
        }};

}  // namespace kinescope::sim
