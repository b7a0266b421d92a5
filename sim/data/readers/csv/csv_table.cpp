#include "sim/data/readers/csv/csv_table.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <unordered_set>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// Gives every column a name of its own: an empty name is replaced by the column's number, a repeated one gets a suffix.
std::vector<std::string> column_names(const std::vector<std::string>& cells) {
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string wanted = !cells[i].empty() ? to_utf8(cells[i]) : numbered_name(i);
    std::string name = wanted;
    // The first suffix is the column's number, so that the search for a free name is short even if many names are
    // equal.
    for (std::size_t suffix = i; !taken.insert(name).second; ++suffix) name = wanted + "_" + std::to_string(suffix);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

// Throws if record one is a title as spreadsheets write it: a text in the first cell of an otherwise empty row, and
// below it, perhaps after more such rows, the names of the columns.
void CsvTable::refuse_title(CsvRecords following) const {
  constexpr int most_lines = 20;
  const auto filled = [](const auto& cells) {
    return std::ranges::count_if(cells, [](const auto& cell) { return !cell.empty(); });
  };
  double value = 0;
  const auto is_text = [&](std::string_view cell) {
    return parse_cell(cell, value, shape_.decimal_comma) == CellKind::text;
  };
  if (first_.size() < 3 || filled(first_) != 1 || !is_text(first_.front())) return;
  for (int lines = 0; lines < most_lines && following.next(); ++lines) {
    const std::vector<std::string_view>& cells = following.cells();
    if (filled(cells) <= 1) continue;
    if (cells.size() != first_.size() || !std::ranges::all_of(cells, is_text)) return;
    const std::size_t above = following.line() - 1;
    throw file_error(shape_.path, first_line_,
                     "is a title above the table; `--skip-rows " + std::to_string(above) +
                         "` skips it, `--header no` reads it as a row")
        .with({.text = "Skip " + count_of(above, "line"), .skip_rows = above})
        .with({.text = "Read as a row", .no_header = true});
  }
}

// Until the columns' names are known, errors use the names that may be in record one.
void CsvTable::begin(std::vector<std::string> first, std::size_t line, const CsvRecords& following) {
  first_ = std::move(first);
  first_line_ = line;
  if (header_ == Header::automatic) refuse_title(following);
  if (header_ != Header::no) short_header_ = short_header(first_, following, shape_.decimal_comma);
  if (short_header_ != ShortHeader::no) header_ = Header::yes;
  if (short_header_ == ShortHeader::of_row_names) first_.insert(first_.begin(), "row");
  if (short_header_ == ShortHeader::of_an_empty_end) first_.emplace_back();
  for (std::size_t i = 0; i < first_.size(); ++i) {
    double value = 0;
    const bool name = header_ == Header::yes || (header_ == Header::automatic &&
                                                 parse_cell(first_[i], value, shape_.decimal_comma) == CellKind::text);
    shape_.names.push_back(name && !first_[i].empty() ? to_utf8(first_[i]) : numbered_name(i));
  }
  columns_.resize(first_.size());
  set_keeps(Keeps(first_.size(), CsvKeeps::numbers));
}

bool CsvTable::decide_texts(const CsvBlock& block, std::size_t rows) {
  Keeps keeps = *keeps_;
  bool any = false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const CsvTexts& texts = block.columns[i].texts;
    const bool gaps = is_missing_dash(texts.first) && !texts.differ && block.columns[i].values > texts.count;
    if (texts.count == 0 || texts.first_row >= rows || gaps) continue;
    keeps[i] = CsvKeeps::texts;
    columns_[i].column.is_text = any = true;
  }
  set_keeps(std::move(keeps));
  return any;
}

void CsvTable::reserve(double part_read) {
  if (part_read <= 0 || lines_.empty()) return;
  constexpr double more = 1.1;  // a margin, because rows differ in length
  const auto rows = static_cast<std::size_t>(more * static_cast<double>(lines_.size()) / part_read) + 1;
  lines_.reserve(rows);
  for (CsvColumn& growing : columns_)
    growing.column.is_text ? growing.column.texts.reserve(rows) : growing.column.numbers.reserve(rows);
}

void CsvTable::add(CsvBlock& block) {
  for (std::size_t i = 0; i < columns_.size(); ++i) add_cells(columns_[i], block, i);
  lines_.insert(lines_.end(), block.row_lines.begin(), block.row_lines.end());
  comments_ += block.comments;
  constexpr std::size_t cells_between_checks = 1 << 20;
  if ((cells_unchecked_ += block.rows * columns_.size()) < cells_between_checks) return;
  check_size();
  cells_unchecked_ = 0;
}

void CsvTable::add_cells(CsvColumn& growing, CsvBlock& block, std::size_t index) {
  Column& column = growing.column;
  CsvBlock::Column& more = block.columns[index];
  growing.values += more.values;
  growing.texts.add(more.texts, lines_.size());
  if (!column.is_text) {
    column.numbers.append(std::span(block.numbers).subspan(index * block.rows, block.rows), more.fit_float);
    if (more.kept.empty()) return;
    if ((*keeps_)[index] == CsvKeeps::numbers) {
      Keeps keeps = *keeps_;
      keeps[index] = CsvKeeps::both;
      set_keeps(std::move(keeps));
    }
    for (std::size_t row = column.texts.size(); row < lines_.size() + more.kept_from; ++row)
      column.texts.push_back(number_text(column.numbers, row));
  }
  std::move(more.kept.begin(), more.kept.end(), std::back_inserter(column.texts));
}

void CsvTable::check_size() const {
  if (lines_.size() > maximum_rows)
    throw file_error(shape_.path, "more than " + std::to_string(maximum_rows) + " rows");
  double bytes = 0;
  for (const CsvColumn& growing : columns_) {
    bytes += growing.column.texts.empty() ? 0 : sizeof(std::string);
    bytes += growing.column.is_text ? 0 : sizeof(float);
  }
  // This is checked often, so that the table grows little between two checks.
  constexpr double growth = 0.25;
  require_memory(shape_.path, growth * bytes * static_cast<double>(lines_.size()));
}

void CsvTable::decide_header() {
  if (short_header_ == ShortHeader::of_row_names) {
    reason_ = "it has one cell fewer than the rows, which begin with row names";
  } else if (header_ == Header::automatic) {
    reason_ = reason_for_header(first_, columns_, lines_.size(), shape_.decimal_comma);
    header_ = reason_.empty() ? Header::no : Header::yes;
    if (reason_.empty()) reason_ = "row 1 looks like the rows below it";
  } else if (short_header_ == ShortHeader::of_an_empty_end) {
    reason_ = "all its cells are text, and the rows end with an additional separator";
  } else {
    reason_ = header_ == Header::yes ? "--header yes asks for it" : "--header no asks for it";
  }
}

void CsvTable::put_in_front(CsvColumn& growing, std::string_view cell) {
  Column& column = growing.column;
  double value = std::numeric_limits<double>::quiet_NaN();
  const CellKind kind = parse_cell(cell, value, shape_.decimal_comma);
  growing.values += kind != CellKind::missing;
  if (kind == CellKind::text) growing.texts.add(cell, 0, first_line_);
  if (!column.is_text && column.texts.empty() && kind == CellKind::number && loses_digits(cell, value))
    for (std::size_t row = 0; row < column.numbers.size(); ++row)
      column.texts.push_back(number_text(column.numbers, row));
  if (column.is_text || !column.texts.empty() || (kind == CellKind::number && loses_digits(cell, value)))
    column.texts.insert(column.texts.begin(), kind == CellKind::missing ? std::string() : to_utf8(cell));
  if (!column.is_text) column.numbers.push_front(value);
}

void CsvTable::put_first_row_in_front(std::string_view all, std::size_t line, std::size_t few) {
  // Record one now counts as one of the first rows, whose texts decide.
  Keeps keeps = *keeps_;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    double value = 0;
    columns_[i].column.name = numbered_name(i);
    if (is_missing_dash(first_[i]) && !columns_[i].column.is_text && columns_[i].holds_numbers()) continue;
    if (lines_.size() < few && parse_cell(first_[i], value, shape_.decimal_comma) == CellKind::text)
      keeps[i] = CsvKeeps::texts;
  }
  if (keeps != *keeps_) {
    CsvBlock block;
    read_block(shape_, keeps, all, line, block);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Column& column = columns_[i].column;
      if (keeps[i] != CsvKeeps::texts || column.is_text) continue;
      column.is_text = true;
      column.texts = std::move(block.columns[i].kept);
      column.numbers = {};
    }
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) put_in_front(columns_[i], first_[i]);
  lines_.insert(lines_.begin(), first_line_);
}

void CsvTable::find_dates() {
  for (CsvColumn& growing : columns_) {
    if (!growing.column.is_text || growing.holds_numbers()) continue;
    growing.dates = count_dates(growing.column).is_of_dates();
  }
}

void CsvTable::turn_dates_into_days() {
  for (CsvColumn& growing : columns_) {
    Column& column = growing.column;
    const DateCount found = column.is_text && !growing.holds_numbers() ? count_dates(column) : DateCount();
    if (!found.is_of_dates()) continue;
    if (found.others > 0 && (found.others_differ || !is_missing_dash(column.texts[found.first_other]))) {
      column.stray_text = column.texts[found.first_other];
      column.stray_line = lines_[found.first_other];
    }
    turn_into_days(column);
  }
}

Table CsvTable::finish(std::string_view all, std::size_t line, std::size_t few) {
  if (!begun()) throw file_error(shape_.path, "no rows");
  find_dates();
  decide_header();
  if (header_ == Header::yes && lines_.empty()) throw file_error(shape_.path, "only a header, no rows");
  if (header_ == Header::no) {
    put_first_row_in_front(all, line, few);
  } else {
    const std::vector<std::string> names = column_names(first_);
    for (std::size_t i = 0; i < names.size(); ++i) columns_[i].column.name = names[i];
  }
  turn_dates_into_days();
  check_size();
  Table table;
  table.source = shape_.path;
  table.rows = lines_.size();
  table.row_lines = std::move(lines_);
  table.has_header = header_ == Header::yes;
  table.header_reason = std::move(reason_);
  table.decimal_comma = shape_.decimal_comma;
  if (comments_ > 0)
    table.remarks.push_back(
        std::to_string(comments_) + (comments_ == 1 ? " line begins" : " lines begin") + " with # and " +
        (comments_ == 1 ? "was taken for a comment, though it has" : "were taken for comments, though they have") +
        " as many fields as the rows");
  for (CsvColumn& growing : columns_) {
    Column& column = table.columns.emplace_back(std::move(growing.column));
    const bool both = growing.holds_numbers() && growing.holds_texts();
    if (!both || growing.has_gaps_alone() || (column.is_text && growing.is_text_with_numbers())) continue;
    column.stray_text = std::move(growing.texts.first);
    column.stray_line = growing.texts.first_line;
  }
  return table;
}

}  // namespace kinescope::sim
