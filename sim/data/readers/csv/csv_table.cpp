#include "sim/data/readers/csv/csv_table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <span>
#include <unordered_set>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/csv/csv_guesses.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/readers/csv/header_numbers.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/written_number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// Dates that are mixed with other texts become days, other texts numbers; what is neither is missing.
std::string read_numbers(Column& column, DecimalMark decimal, DecimalMark of_file) {
  if (!column.is_text) return "its dates are days";
  if (const DateCount dates = count_dates(column); dates.dates > dates.others) {
    turn_into_days(column);
    return "its dates are days, " + count_of(dates.others, "other value") + (dates.others == 1 ? " is" : " are") +
           " missing";
  }
  const WrittenNumbers found = turn_into_numbers(column, decimal, of_file);
  std::string told = count_of(found.numbers, "number");
  if (!found.stripped.empty()) told += " without " + found.stripped;
  if (found.missing == 0) return told;
  return told + "; " + count_of(found.missing, "other value") + (found.missing == 1 ? ", " : ", the first ") +
         shown(found.first_missing) + ", " + (found.missing == 1 ? "is" : "are") + " missing";
}

// Whether all cells but the first, and those of gaps, are years, each later than the last: two at least below an empty
// first cell, else three in a row.
bool are_years(const std::vector<std::string_view>& cells) {
  std::vector<double> years;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    double value = 0;
    if (cells[i].empty()) continue;
    if (parse_cell(cells[i], value) != CellKind::number || value < 1500 || value > 2500 || value != std::floor(value))
      return false;
    years.push_back(value);
  }
  const bool later = std::ranges::adjacent_find(years, std::greater_equal()) == years.end();
  return cells.front().empty() ? later && years.size() > 1 : years.size() > 2 && count_up(years);
}

}  // namespace

// Throws if record one is a title as spreadsheets write it: a text in the first cell of an otherwise empty row, and
// below it, perhaps after more such rows, the names of the columns, or years.
void CsvTable::refuse_title(CsvRecords following) const {
  constexpr int most_lines = 20;
  const auto filled = [](const auto& cells) {
    return std::ranges::count_if(cells, [](const auto& cell) { return !cell.empty(); });
  };
  const auto is_text = [&](std::string_view cell) {
    return kind_of_cell(cell, shape_.dialect.decimal_comma) == CellKind::text;
  };
  if (first_.size() < 3 || filled(first_) != 1 || !is_text(first_.front())) return;
  for (int lines = 0; lines < most_lines && following.next(); ++lines) {
    const std::vector<std::string_view>& cells = following.cells();
    if (filled(cells) <= 1) continue;
    const bool named = (std::all_of(cells.begin() + 1, cells.end(), is_text) || are_years(cells)) &&
                       (is_text(cells.front()) || cells.front().empty());  // as pandas writes names of columns
    if (cells.size() != first_.size() || !named) return;
    const std::size_t above = following.line() - 1;
    TableFormat skipping = shape_.format, as_row = shape_.format;
    skipping.skip_rows = above;
    as_row.header = Header::no;
    throw file_error(shape_.path, first_line_,
                     "is a title above the table; `--skip-rows " + std::to_string(above) +
                         "` skips it, `--header no` reads it as a row")
        .with({.text = "Skip " + count_of(above, "line"), .format = std::make_shared<const TableFormat>(skipping)})
        .with({.text = "Read as a row", .format = std::make_shared<const TableFormat>(as_row)});
  }
}

// A comment that was taken for the header keeps no '#', nor does a header keep the slashes of a point cloud's.
void CsvTable::clean_header() {
  std::string& first = first_.front();
  if (comment_ && first.empty()) first = "#";
  constexpr std::string_view slashes = "//";
  if (header_ == Header::no || !first.starts_with(slashes) || first.size() == slashes.size()) return;
  first.erase(0, slashes.size());
}

// Until the columns' names are known, errors use the names that may be in record one.
void CsvTable::begin(std::vector<std::string> first, std::size_t line, const CsvRecords& following) {
  const bool decimal_comma = shape_.dialect.decimal_comma;
  first_ = joined_.size() == first.size() ? joined_ : std::move(first);
  first_line_ = line;
  clean_header();
  if (header_ == Header::automatic) refuse_title(following);
  if (header_ != Header::no) short_header_ = short_header(first_, following, decimal_comma);
  if (short_header_ != ShortHeader::no) header_ = Header::yes;
  if (short_header_ == ShortHeader::of_row_names) first_.insert(first_.begin(), "row");
  if (CsvRecords next = following; short_header_ == ShortHeader::of_an_empty_end && next.next())
    first_.resize(next.cells().size());
  if (short_header_ == ShortHeader::with_an_empty_end) first_.pop_back();
  shape_.names.reserve(first_.size());
  for (std::size_t i = 0; i < first_.size(); ++i) {
    const bool name = header_ == Header::yes ||
                      (header_ == Header::automatic && kind_of_cell(first_[i], decimal_comma) == CellKind::text);
    shape_.names.push_back(name && !first_[i].empty() ? to_utf8(first_[i]) : numbered_name(i));
  }
  columns_.resize(first_.size());
  keep_as_asked();
}

// Finds the columns that the format names, by the names that record one may hold. If it holds one, it is a header.
void CsvTable::keep_as_asked() {
  Keeps keeps(first_.size(), CsvKeeps::numbers);
  const TableFormat& format = shape_.format;
  ByText<std::size_t> places;
  if (!format.texts.empty() || !format.numbers.empty() || !format.drop.empty()) {
    for (std::size_t i = 0; i < first_.size(); ++i) places.emplace(numbered_name(i), i);
    if (header_ != Header::no) {
      const std::vector<std::string> names = column_names(first_);
      for (std::size_t i = 0; i < names.size(); ++i) places.insert_or_assign(names[i], i);
    }
  }
  const auto ask = [&](const std::vector<std::string>& names, CsvKeeps kept, std::string_view option) {
    for (const std::string& name : names) {
      const auto place = places.find(name);
      if (place == places.end()) throw no_column(shape_.path, name, shape_.names);
      const auto other = std::ranges::find(asked_, place->second, &Asked::index);
      if (other != asked_.end() && other->option == option)
        throw file_error(shape_.path, std::string(option) + " names column " + shown(name) + " twice");
      if (other != asked_.end())
        throw file_error(shape_.path, "column " + shown(name) + " is named by " + std::string(other->option) +
                                          " and by " + std::string(option));
      if (header_ == Header::automatic && name != numbered_name(place->second)) {
        header_ = Header::yes;
        reason_ = std::string(option) + " names " + shown(name);
      }
      keeps[place->second] = kept;
      columns_[place->second].column.is_text = kept != CsvKeeps::nothing;
      asked_.push_back({place->second, name, option});
    }
  };
  ask(format.texts, CsvKeeps::all_texts, "--text");
  ask(format.numbers, CsvKeeps::texts, "--numbers");
  ask(format.drop, CsvKeeps::nothing, "--drop");
  set_keeps(std::move(keeps));
}

bool CsvTable::decide_texts(const CsvBlock& block) {
  std::shared_ptr<Keeps> keeps;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const CsvBlock::Column& found = block.columns[i];
    if (found.texts.count == 0 || columns_[i].column.is_text) continue;
    if ((*keeps_)[i] == CsvKeeps::nothing) continue;
    const bool numbers = columns_[i].holds_numbers() || found.values > found.texts.count;
    if (is_missing_dash(found.texts.first) && !found.texts.differ && numbers) continue;
    if (!keeps) keeps = std::make_shared<Keeps>(*keeps_);
    (*keeps)[i] = CsvKeeps::texts;
    turn_into_texts(columns_[i].column);
  }
  if (keeps) set_keeps(std::move(*keeps));
  return keeps != nullptr;
}

void CsvTable::reserve(double part_read) {
  if (part_read <= 0 || lines_.empty()) return;
  constexpr double more = 1.1;  // a margin, because rows differ in length
  const auto rows = static_cast<std::size_t>(more * static_cast<double>(lines_.size()) / part_read) + 1;
  lines_.reserve(rows);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    Column& column = columns_[i].column;
    if ((*keeps_)[i] != CsvKeeps::nothing) column.is_text ? column.texts.reserve(rows) : column.numbers.reserve(rows);
  }
}

void CsvTable::add(CsvBlock& block) {
  for (std::size_t i = 0; i < columns_.size(); ++i) add_cells(columns_[i], block, i);
  lines_.insert(lines_.end(), block.row_lines.begin(), block.row_lines.end());
  comments_ += block.comments;
  if (block.rows > 0) {
    const std::size_t since = std::exchange(comments_below_, 0) + block.comments_above;
    comments_among_ += block.comments_among + (lines_.size() > block.rows ? since : 0);
  }
  comments_below_ += block.comments_below;
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
  if ((*keeps_)[index] == CsvKeeps::nothing) return;
  if (!column.is_text) {
    column.numbers.append(std::span(block.numbers).subspan(index * block.rows, block.rows), more.fit_float);
    if (more.kept.empty()) return;
    if ((*keeps_)[index] == CsvKeeps::numbers) {
      Keeps keeps = *keeps_;
      keeps[index] = CsvKeeps::both;
      set_keeps(std::move(keeps));
    }
    fill_texts(column, lines_.size() + more.kept_from);
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
  if (!reason_.empty()) return;  // as the format says
  if (!joined_.empty()) {
    reason_ = "the names of the columns are in several lines";
  } else if (comment_) {
    reason_ = "it begins with #, and has as many cells as the rows";
  } else if (short_header_ == ShortHeader::with_an_empty_end) {
    reason_ = "all its cells are text, and it alone ends with an additional separator";
  } else if (short_header_ == ShortHeader::of_row_names) {
    reason_ = "it has one cell fewer than the rows, which begin with row names";
  } else if (header_ == Header::automatic) {
    HeaderGuess guess = guess_header(first_, columns_, lines_.size(), shape_.dialect.decimal_comma);
    header_ = guess.header ? Header::yes : Header::no;
    reason_ = std::move(guess.reason);
  } else if (short_header_ == ShortHeader::of_an_empty_end) {
    reason_ = "all its cells are text, and the rows end with additional separators";
  } else {
    reason_ = header_ == Header::yes ? "--header yes asks for it" : "--header no asks for it";
  }
}

void CsvTable::put_in_front(std::size_t index) {
  CsvColumn& growing = columns_[index];
  Column& column = growing.column;
  const std::string_view cell = first_[index];
  if ((*keeps_)[index] == CsvKeeps::nothing) return;
  double value = std::numeric_limits<double>::quiet_NaN();
  const bool all_texts = (*keeps_)[index] == CsvKeeps::all_texts && !cell.empty();
  const CellKind kind = all_texts ? CellKind::text : parse_cell(cell, value, shape_.dialect.decimal_comma);
  const bool gap = is_missing_dash(cell) && growing.holds_numbers();
  if (kind == CellKind::text && !column.is_text && !gap) turn_into_texts(column);
  growing.values += kind != CellKind::missing;
  if (kind == CellKind::text) {
    CsvTexts all;  // now with the first row's in front
    all.add(cell, 0, first_line_);
    all.add(growing.texts, 1);
    growing.texts = std::move(all);
  }
  const bool long_number = kind == CellKind::number && loses_digits(cell, value);
  if (!column.is_text && column.texts.empty() && long_number) fill_texts(column, column.numbers.size());
  if (column.is_text || !column.texts.empty() || long_number)
    column.texts.insert(column.texts.begin(), kind == CellKind::missing ? std::string() : to_utf8(cell));
  if (!column.is_text) column.numbers.push_front(value);
}

void CsvTable::put_first_row_in_front(std::string_view all, std::size_t line, std::size_t few) {
  // Rows that were all read at once are read again where record one makes a column one of texts.
  Keeps keeps = *keeps_;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].column.name = numbered_name(i);
    if (is_missing_dash(first_[i]) && !columns_[i].column.is_text && columns_[i].holds_numbers()) continue;
    const bool text = kind_of_cell(first_[i], shape_.dialect.decimal_comma) == CellKind::text;
    const bool decided = keeps[i] == CsvKeeps::nothing || keeps[i] == CsvKeeps::all_texts;
    if (lines_.size() < few && !decided && text) keeps[i] = CsvKeeps::texts;
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
  for (std::size_t i = 0; i < columns_.size(); ++i) put_in_front(i);
  lines_.insert(lines_.begin(), first_line_);
}

void CsvTable::find_dates() {
  in_parallel(columns_.size(), 1, [&](std::size_t i) {
    CsvColumn& growing = columns_[i];
    if (!growing.column.is_text || growing.holds_numbers()) return;
    growing.dates = count_dates(growing.column).is_of_dates();
  });
}

void CsvTable::turn_dates_into_days() {
  std::unordered_set<std::size_t> stay;  // texts that shall stay texts
  for (std::size_t i = 0; i < shape_.format.texts.size(); ++i) stay.insert(asked_[i].index);
  in_parallel(columns_.size(), 1, [&](std::size_t i) {
    Column& column = columns_[i].column;
    if (!column.is_text || columns_[i].holds_numbers() || stay.contains(i)) return;
    const DateCount found = count_dates(column);
    const bool gaps = found.others == 0 || (!found.others_differ && is_missing_dash(column.texts[found.first_other]));
    if (found.is_of_dates() && gaps) turn_into_days(column);
  });
}

void CsvTable::name_columns() {
  const std::vector<std::string> names = column_names(first_);
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns_[i].column.name = names[i];
    if (!first_[i].empty() && names[i] != to_utf8(first_[i])) renamed_.push_back(names[i]);
  }
}

// Where commas separate cells, fractions in other columns are written with points.
DecimalMark CsvTable::decimal_mark() const {
  if (shape_.dialect.decimal_comma) return DecimalMark::comma;
  if (shape_.dialect.separator != ',') return DecimalMark::automatic;
  const bool points = std::ranges::any_of(columns_, [&](const CsvColumn& growing) {
    return !growing.column.is_text && !growing.dates &&
           std::ranges::any_of(first_of(growing.column.numbers),
                               [](double x) { return std::isfinite(x) && x != std::floor(x); });
  });
  return points ? DecimalMark::point : DecimalMark::automatic;
}

// Reads numbers from the texts of the columns that shall be numbers, and leaves out those to be dropped.
void CsvTable::apply_format() {
  const TableFormat& format = shape_.format;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    const Asked& asked = asked_[i];
    if (columns_[asked.index].column.name != asked.name) {
      std::vector<std::string> names;
      for (const CsvColumn& growing : columns_) names.push_back(growing.column.name);
      throw no_column(shape_.path, asked.name, names);
    }
    const bool numbers = i >= format.texts.size() && i < format.texts.size() + format.numbers.size();
    if (numbers)
      columns_[asked.index].told = read_numbers(columns_[asked.index].column, format.decimal, decimal_mark());
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if ((*keeps_)[i] == CsvKeeps::nothing) continue;
    if (kept != i) columns_[kept] = std::move(columns_[i]);
    ++kept;
  }
  columns_.resize(kept);
  if (columns_.empty()) throw file_error(shape_.path, "--drop leaves no column");
}

void CsvTable::tell_comments(Table& table) const {
  if (comments_ == 0 && comments_among_ > 0)
    table.remarks.push_back(count_of(comments_among_, "line") + (comments_among_ == 1 ? " begins" : " begin") +
                            " with # and " + (comments_among_ == 1 ? "stands" : "stand") +
                            " among the rows; are these several tables?");
  if (comments_ == 0) return;
  table.remarks.push_back(
      std::to_string(comments_) + (comments_ == 1 ? " line begins" : " lines begin") + " with # and " +
      (comments_ == 1 ? "was taken for a comment, though it has" : "were taken for comments, though they have") +
      " as many fields as the rows");
}

// The error of a file without a row, some of whose lines begin with '#'.
constexpr const char* only_comments = "no rows: lines that begin with # are comments";

Table CsvTable::finish(std::string_view all, std::size_t line, std::size_t few) {
  const bool comments = all.find('#') != std::string_view::npos;
  if (!begun()) throw file_error(shape_.path, comments ? only_comments : "no rows");
  find_dates();
  decide_header();
  if (header_ == Header::yes && lines_.empty())
    throw file_error(shape_.path, comments ? only_comments : "only a header, no rows");
  header_ == Header::no ? put_first_row_in_front(all, line, few) : name_columns();
  turn_dates_into_days();
  apply_format();
  check_size();
  Table table;
  table.source = shape_.path;
  table.rows = lines_.size();
  table.row_lines = std::move(lines_);
  table.has_header = header_ == Header::yes;
  table.header_reason = std::move(reason_);
  table.decimal_comma = shape_.dialect.decimal_comma;
  tell_comments(table);
  if (!renamed_.empty())
    table.remarks.push_back(list_of(renamed_) + (renamed_.size() == 1 ? " has" : " have") +
                            " a number because another column has the name");
  auto reading = std::make_shared<TextReading>();
  reading->guesses.push_back(guess_of_header(table, shape_.format));
  table.columns.reserve(columns_.size());
  for (CsvColumn& growing : columns_) {
    Column& column = table.columns.emplace_back(std::move(growing.column));
    tell_column(growing, column, table.row_lines, shape_.format, table.remarks, *reading);
  }
  table.text_reading = std::move(reading);
  return table;
}

}  // namespace kinescope::sim
