#include "sim/data/readers/csv/csv_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "kinescope/error.hpp"
#include "kinescope/numbers.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr double missing_number = std::numeric_limits<double>::quiet_NaN();

struct Cell {
  std::string_view text;
  CellKind kind;
  double value;
};

Cell parsed(const CsvShape& shape, const CsvRecords& records, std::size_t index) {
  Cell cell{records.cells()[index], CellKind::number, records.numbers()[index]};
  const bool decimal_comma = shape.dialect.decimal_comma;
  if (!std::isnan(cell.value) && !decimal_comma) return cell;
  cell.value = missing_number;
  cell.kind = parse_cell(cell.text, cell.value, decimal_comma);
  return cell;
}

void keep_text(CsvBlock::Column& column, const Cell& cell) {
  column.kept.push_back(cell.kind == CellKind::missing ? std::string() : to_utf8(cell.text));
}

void add_cell(CsvKeeps keeps, CsvBlock& block, std::size_t index, Cell cell, std::size_t line) {
  if (keeps == CsvKeeps::all_texts && !cell.text.empty()) cell.kind = CellKind::text;
  CsvBlock::Column& column = block.columns[index];
  column.values += cell.kind != CellKind::missing;
  if (cell.kind == CellKind::text) column.texts.add(cell.text, block.rows, line);
  if (keeps == CsvKeeps::nothing) return;
  const bool begins = keeps != CsvKeeps::numbers || !column.kept.empty();
  if (!begins && !(cell.kind == CellKind::number && loses_digits(cell.text, cell.value))) return;
  if (column.kept.empty()) column.kept_from = block.rows;
  keep_text(column, cell);
}

// Transposes the block's numbers from rows to columns, in parts that stay in the cache.
void turn(CsvBlock& block, std::size_t columns) {
  constexpr std::size_t part = 16;  // doubles of two cache lines
  block.numbers.resize(block.rows * columns);
  for (std::size_t begin = 0; begin < block.rows; begin += part)
    for (std::size_t column = 0; column < columns; ++column) {
      bool fit = block.columns[column].fit_float;
      for (std::size_t row = begin; row < std::min(begin + part, block.rows); ++row) {
        const double number = block.by_rows[row * columns + column];
        fit = fit && fits_float(number);
        block.numbers[column * block.rows + row] = number;
      }
      block.columns[column].fit_float = fit;
    }
}

// True at a record of the wrong length if each row has one cell more, or one less, than the row before.
bool in_triangle(CsvRecords records, std::size_t columns) {
  const std::size_t found = records.cells().size();
  if (!records.next()) return false;
  const std::size_t next = records.cells().size();
  const bool grows = next == found + 1, shrinks = next + 1 == found, goes_on = records.next();
  if (goes_on && records.cells().size() != (grows ? next + 1 : next - 1)) return false;
  // If a first row names all columns, the row below it has a name, and perhaps a 0.
  return grows ? found == columns + 1 || (found <= 2 && goes_on) : shrinks && found + 1 == columns;
}

// Whether rows may be read as numbers alone: no column keeps texts.
bool may_be_plain(const CsvShape& shape, const std::vector<CsvKeeps>& keeps, const CsvBlock& block) {
  return !shape.dialect.decimal_comma && std::ranges::all_of(keeps, [](CsvKeeps kept) {
    return kept == CsvKeeps::numbers || kept == CsvKeeps::nothing;
  }) && std::ranges::all_of(block.columns, [](const CsvBlock::Column& column) { return column.kept.empty(); });
}

// Room for the numbers of the row that follows.
std::span<double> next_row(CsvBlock& block, std::size_t columns) {
  const std::size_t begin = block.rows * columns;
  if (block.by_rows.size() < begin + columns) block.by_rows.resize(2 * begin + columns);
  return std::span(block.by_rows).subspan(begin, columns);
}

void clear(CsvBlock& block, std::size_t columns) {
  block.rows = block.comments_above = block.comments_among = 0;
  block.row_lines.clear();
  block.columns.resize(columns);
  for (CsvBlock::Column& column : block.columns) {
    column.values = 0;
    column.fit_float = true;
    column.kept.clear();
    if (column.texts.count > 0) column.texts = {};
  }
}

// Whether the table may begin at this record: those above it have one cell each, like titles and remarks that people
// write above a table, or fewer by two at least than this one and the next; or it names columns, and is no row below a
// header.
bool may_begin_table(CsvRecords records, std::size_t columns) {
  constexpr std::size_t most_lines = 20;
  const std::size_t found = records.cells().size(), above = records.line() - 1;
  if (records.line() > most_lines || found < 2) return false;
  if (columns <= 1) return found > columns;
  const bool names = (above > 1 || found < columns) && std::ranges::all_of(records.cells(), [](std::string_view cell) {
                       return kind_of_cell(cell) == CellKind::text;
                     });
  return (names || found > columns + 1) && records.next() && records.cells().size() == found;
}

// The error of a record of the wrong length, with what it may be due to.
Error ragged(const CsvShape& shape, const CsvRecords& records, std::size_t columns) {
  const std::size_t found = records.cells().size(), above = records.line() - 1;
  const bool triangle = in_triangle(records, columns), titled = !triangle && may_begin_table(records, columns);
  const bool blanks = shape.dialect.separator == ' ' && found < columns, footnote = !blanks && found == 1;
  Error error = file_error(
      shape.path, records.line(),
      "expected " + count_of(columns, "column") + ", found " + std::to_string(found) +
          (triangle ? "; this looks like one triangle of a table of distances, but the whole square is needed"
           : titled ? "; if the table begins here, `--skip-rows " + std::to_string(above) + "` skips the lines above it"
           : blanks ? "; do blanks stand for missing values?"
           : footnote ? "; `--skip-lines " + std::to_string(records.line()) + "` skips it"
                      : ""));
  if (!titled && (triangle || !footnote)) return error;
  TableFormat format = shape.format;
  if (titled)
    format.skip_rows = above;
  else
    format.skip_lines.push_back(records.line());
  std::ranges::sort(format.skip_lines);
  const std::string text = titled ? "Skip " + count_of(above, "line") : "Skip line " + std::to_string(records.line());
  return error.with({.text = text, .format = std::make_shared<const TableFormat>(std::move(format))});
}

}  // namespace

void CsvTexts::add(std::string_view text, std::size_t row, std::size_t line) {
  if (count++ == 0) {
    first = to_utf8(text);
    first_row = row;
    first_line = line;
  }
  differ = differ || (text != first && !are_same_text(to_utf8(text), first));
}

void CsvTexts::add(CsvTexts& next, std::size_t rows_before) {
  if (next.count == 0) return;
  if (count == 0) {
    *this = std::move(next);
    first_row += rows_before;
    return;
  }
  count += next.count;
  differ = differ || next.differ || !are_same_text(next.first, first);
}

void read_block(const CsvShape& shape, const std::vector<CsvKeeps>& keeps, std::string_view slab, std::size_t line,
                CsvBlock& block) {
  const std::size_t columns = keeps.size();
  clear(block, columns);
  CsvRecords records(shape, slab, line, columns);
  bool plain = may_be_plain(shape, keeps, block);
  std::size_t plain_rows = 0;
  for (;; ++block.rows) {
    const std::span<double> row = next_row(block, columns);
    if (plain && records.next_numbers(row)) {
      ++plain_rows;
      if (records.gaps() > 0)  // taken off here, for the sum below
        for (std::size_t i = 0; i < columns; ++i) block.columns[i].values -= std::isnan(row[i]);
    } else if (records.next()) {
      if (records.cells().size() != columns) throw ragged(shape, records, columns);
      for (std::size_t i = 0; i < columns; ++i) {
        const Cell cell = parsed(shape, records, i);
        add_cell(keeps[i], block, i, cell, records.line());
        row[i] = cell.value;
      }
      plain = plain && may_be_plain(shape, keeps, block);
    } else {
      break;
    }
    block.row_lines.push_back(records.line());
    if (block.rows == 0) block.comments_above = records.comments();
    block.comments_among = records.comments() - block.comments_above;
  }
  for (CsvBlock::Column& column : block.columns) column.values += plain_rows;
  block.lines = records.next_line() - line;
  block.comments_below = records.comments() - block.comments_above - block.comments_among;
  block.comments = records.comments_like_records();
  turn(block, columns);
}

}  // namespace kinescope::sim
