#include "sim/data/readers/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/csv_block.hpp"
#include "sim/data/readers/csv_header.hpp"
#include "sim/data/readers/csv_records.hpp"
#include "sim/data/readers/csv_slabs.hpp"
#include "sim/data/readers/dates.hpp"
#include "sim/data/readers/dialect.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t slab_bytes = 1 << 20;
// A text in one of so many first rows makes its column one of texts; a later one is a stray.
constexpr std::size_t first_rows = 1001;
constexpr std::size_t most_first_bytes = 64 << 20;  // of first rows, where they are very long

using Keeps = std::vector<CsvKeeps>;

class CsvTable {
 public:
  CsvTable(const std::string& path, Header header, const Dialect& dialect, std::size_t first_line)
      : header_(header), line_(first_line) {
    shape_.path = path;
    shape_.separator = dialect.separator;
    shape_.decimal_comma = dialect.decimal_comma;
  }

  // The first rows decide which columns are texts; the others are read on all threads.
  void read_first_rows(CsvSlabs& slabs);
  void read_other_rows(CsvSlabs& slabs);
  Table finish();

 private:
  struct Slab {
    std::string text;
    std::shared_ptr<const Keeps> keeps;
    CsvBlock block;
    bool whole = false;         // false if reading the block has failed
    std::exception_ptr unread;  // the file ends here, with an error
  };

  bool read_first_record(CsvSlabs& slabs);
  void name_columns(const CsvRecords& following);
  CsvBlock read_start(const Keeps& keeps) const {
    CsvBlock block;
    read_block(shape_, keeps, std::string_view(start_).substr(start_at_), start_line_, block);
    return block;
  }
  std::shared_ptr<Slab> next_slab(CsvSlabs& slabs);
  void join(Slab& slab);
  void add(CsvBlock& block);
  void add_cells(CsvColumn& growing, CsvBlock& block, std::size_t index);
  void reserve(double part_read);
  void decide_header();
  void put_first_row_in_front();
  void put_in_front(CsvColumn& growing, std::string_view cell);
  void count_comments();
  void find_dates();
  void turn_dates_into_days();
  void check_size() const;
  std::shared_ptr<const Keeps> keeps() {
    const std::lock_guard lock(mutex_);
    return keeps_;
  }
  // Slabs are used again, so that their memory need not be asked of the system each time.
  std::shared_ptr<Slab> unused_slab() {
    const std::lock_guard lock(mutex_);
    if (unused_.empty()) return std::make_shared<Slab>();
    std::shared_ptr<Slab> slab = std::move(unused_.back());
    unused_.pop_back();
    return slab;
  }
  void put_away(std::shared_ptr<Slab> slab) {
    slab->text.clear();
    const std::lock_guard lock(mutex_);
    unused_.push_back(std::move(slab));
  }
  void set_keeps(Keeps keeps) {
    const std::lock_guard lock(mutex_);
    keeps_ = std::make_shared<const Keeps>(std::move(keeps));
  }

  Header header_;
  CsvShape shape_;
  std::string start_;                           // the text of the first rows
  std::size_t start_at_ = 0, start_line_ = 0;   // what follows record one
  bool start_is_all_ = false, failed_ = false;  // failed_: reading the file has
  std::size_t line_;                            // of the next slab
  std::vector<std::string> first_;  // the cells of record one, kept until the others tell whether it is a header
  std::size_t first_line_ = 0;
  ShortHeader short_header_ = ShortHeader::no;
  std::mutex mutex_;
  std::shared_ptr<const Keeps> keeps_;
  std::vector<std::shared_ptr<Slab>> unused_;
  std::vector<CsvColumn> columns_;
  std::vector<std::size_t> lines_;
  std::size_t cells_unchecked_ = 0, comments_ = 0;
  std::string reason_;
};

// Gives every column its own name: an empty one its number, a repeated one a suffix.
std::vector<std::string> column_names(const std::vector<std::string>& cells) {
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string wanted = !cells[i].empty() ? to_utf8(cells[i]) : numbered_name(i);
    std::string name = wanted;
    // The first suffix is the column's number, so that many equal names cost no more than few.
    for (std::size_t suffix = i; !taken.insert(name).second; ++suffix) name = wanted + "_" + std::to_string(suffix);
    names.push_back(std::move(name));
  }
  return names;
}

bool CsvTable::read_first_record(CsvSlabs& slabs) {
  while (slabs.read(start_, slab_bytes)) {
    CsvRecords records(shape_.path, start_, shape_.separator, line_);
    if (!records.next()) continue;
    first_.assign(records.cells().begin(), records.cells().end());
    first_line_ = records.line();
    start_at_ = start_.size() - records.rest().size();
    start_line_ = records.next_line();
    if (records.rest().empty()) slabs.read(start_, slab_bytes);
    return true;
  }
  line_ += count_line_ends(start_);
  return false;
}

// Until the columns' names are known, errors use the names that may be in record one.
void CsvTable::name_columns(const CsvRecords& following) {
  if (header_ != Header::no) short_header_ = short_header(first_, following, shape_.decimal_comma);
  if (short_header_ != ShortHeader::no) header_ = Header::yes;
  if (short_header_ == ShortHeader::of_row_names) first_.insert(first_.begin(), "row");
  if (short_header_ == ShortHeader::of_an_empty_end) first_.emplace_back();
  for (std::size_t i = 0; i < first_.size(); ++i) {
    float value = 0;
    const bool name = header_ == Header::yes || (header_ == Header::automatic &&
                                                 parse_cell(first_[i], value, shape_.decimal_comma) == CellKind::text);
    shape_.names.push_back(name && !first_[i].empty() ? to_utf8(first_[i]) : numbered_name(i));
  }
}

void CsvTable::read_first_rows(CsvSlabs& slabs) {
  if (!read_first_record(slabs)) return;
  const auto rest = [&] { return std::string_view(start_).substr(start_at_); };
  name_columns(CsvRecords(shape_.path, rest(), shape_.separator, start_line_));
  Keeps keeps(first_.size(), CsvKeeps::numbers);
  columns_.resize(first_.size());
  CsvBlock block;
  std::size_t lines = count_line_ends(rest());
  for (std::size_t wanted = first_rows; !start_is_all_; wanted *= 2) {
    while (lines < wanted && start_.size() < most_first_bytes && !start_is_all_) {
      const std::size_t size = start_.size();
      start_is_all_ = !slabs.read(start_, slab_bytes);
      lines += count_line_ends(std::string_view(start_).substr(size));
    }
    block = read_start(keeps);
    if (block.rows >= first_rows || start_.size() >= most_first_bytes) break;
  }
  bool any = false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const CsvTexts& texts = block.columns[i].texts;
    if (texts.count == 0 || texts.first_row >= first_rows) continue;
    keeps[i] = CsvKeeps::texts;
    columns_[i].column.is_text = any = true;
  }
  if (any) block = read_start(keeps);
  count_comments();
  line_ = start_line_;
  set_keeps(std::move(keeps));
  const std::size_t rows = block.rows;
  add(block);
  if (start_is_all_) return;
  start_ = {};
  if (const double part = slabs.part_read(); part > 0 && rows > 0) reserve(part);
}

// Memory for all rows, as far as the first tell how many there will be; what is not used is never touched.
void CsvTable::reserve(double part_read) {
  constexpr double more = 1.1;  // rows differ in length
  const auto rows = static_cast<std::size_t>(more * static_cast<double>(lines_.size()) / part_read) + 1;
  lines_.reserve(rows);
  for (CsvColumn& growing : columns_)
    growing.column.is_text ? growing.column.texts.reserve(rows) : growing.column.numbers.reserve(rows);
}

std::shared_ptr<CsvTable::Slab> CsvTable::next_slab(CsvSlabs& slabs) {
  std::shared_ptr<Slab> slab = unused_slab();
  slab->keeps = keeps();
  try {
    if (failed_ || !slabs.read(slab->text, slab_bytes)) return nullptr;
  } catch (...) {  // comes after the errors of the slabs before it
    failed_ = true;
    slab->unread = std::current_exception();
  }
  return slab;
}

// What failed is read again in its place, where its line is known; so is what began before a column turned out to need
// its texts.
void CsvTable::join(Slab& slab) {
  if (slab.unread) std::rethrow_exception(slab.unread);
  if (!slab.whole || slab.keeps != keeps_) {
    read_block(shape_, *keeps_, slab.text, line_, slab.block);
  } else {
    for (std::size_t& line : slab.block.row_lines) line += line_;
    for (CsvBlock::Column& column : slab.block.columns) column.texts.first_line += line_;
  }
  add(slab.block);
}

void CsvTable::read_other_rows(CsvSlabs& slabs) {
  namespace tbb = oneapi::tbb;
  using SlabPointer = std::shared_ptr<Slab>;
  const auto cut = [&](tbb::flow_control& flow) {
    SlabPointer slab = next_slab(slabs);
    if (!slab) flow.stop();
    return slab;
  };
  const auto read = [&](SlabPointer slab) {
    try {
      slab->whole = false;
      if (!slab->unread) read_block(shape_, *slab->keeps, slab->text, 0, slab->block);
      slab->whole = true;
    } catch (const Error&) {  // told when its turn comes
    }
    return slab;
  };
  const auto waiting = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) + 2;
  if (!first_.empty() && !start_is_all_)
    tbb::parallel_pipeline(waiting, tbb::make_filter<void, SlabPointer>(tbb::filter_mode::serial_in_order, cut) &
                                        tbb::make_filter<SlabPointer, SlabPointer>(tbb::filter_mode::parallel, read) &
                                        tbb::make_filter<SlabPointer, void>(tbb::filter_mode::serial_in_order,
                                                                            [&](const SlabPointer& slab) {
                                                                              join(*slab);
                                                                              put_away(slab);
                                                                            }));
  if (slabs.too_long())
    throw file_error(
        shape_.path, line_,
        std::string("a line of more than 64 MiB") + (slabs.in_quotes() ? "; is a quote never closed?" : ""));
}

void CsvTable::add(CsvBlock& block) {
  for (std::size_t i = 0; i < columns_.size(); ++i) add_cells(columns_[i], block, i);
  lines_.insert(lines_.end(), block.row_lines.begin(), block.row_lines.end());
  line_ += block.lines;
  comments_ += block.comments;
  constexpr std::size_t cells_between_checks = 1 << 20;
  if ((cells_unchecked_ += block.rows * columns_.size()) < cells_between_checks) return;
  check_size();
  cells_unchecked_ = 0;
}

// A number that no digits are lost of, as people write it.
std::string written(float number) {
  constexpr float longest_whole = 1e15f;
  if (std::isnan(number)) return "";
  char text[32];
  const bool whole = number == std::floor(number) && std::abs(number) < longest_whole;
  const auto end = whole ? std::to_chars(text, text + sizeof text, number, std::chars_format::fixed)
                         : std::to_chars(text, text + sizeof text, number);
  return {text, end.ptr};
}

void CsvTable::add_cells(CsvColumn& growing, CsvBlock& block, std::size_t index) {
  Column& column = growing.column;
  CsvBlock::Column& more = block.columns[index];
  growing.values += more.values;
  growing.texts.add(more.texts, lines_.size());
  if (!column.is_text) {
    const auto begin = block.numbers.begin() + static_cast<std::ptrdiff_t>(index * block.rows);
    column.numbers.insert(column.numbers.end(), begin, begin + static_cast<std::ptrdiff_t>(block.rows));
    if (more.kept.empty()) return;
    if ((*keeps_)[index] == CsvKeeps::numbers) {
      Keeps keeps = *keeps_;
      keeps[index] = CsvKeeps::both;
      set_keeps(std::move(keeps));
      column.texts.reserve(column.numbers.capacity());
    }
    for (std::size_t row = column.texts.size(); row < lines_.size() + more.kept_from; ++row)
      column.texts.push_back(written(column.numbers[row]));
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
  // Asked for often, so that what is there grows little in between.
  constexpr double growth = 0.25;
  require_memory(shape_.path, growth * bytes * static_cast<double>(lines_.size()));
}

void CsvTable::decide_header() {
  if (short_header_ == ShortHeader::of_row_names) {
    reason_ = "it is one name shorter than the rows, which begin with names of their own";
  } else if (header_ == Header::automatic) {
    reason_ = reason_for_header(first_, columns_, lines_.size(), shape_.decimal_comma);
    header_ = reason_.empty() ? Header::no : Header::yes;
    if (reason_.empty()) reason_ = "row 1 looks like the rows below it";
  } else if (short_header_ == ShortHeader::of_an_empty_end) {
    reason_ = "all of it is text, and the rows end with one more separator";
  } else {
    reason_ = header_ == Header::yes ? "--header yes asks for it" : "--header no asks for it";
  }
}

void CsvTable::put_in_front(CsvColumn& growing, std::string_view cell) {
  Column& column = growing.column;
  float value = std::numeric_limits<float>::quiet_NaN();
  const CellKind kind = parse_cell(cell, value, shape_.decimal_comma);
  if (kind == CellKind::beyond)
    throw file_error(shape_.path, first_line_,
                     "column " + shown(column.name) + ": " + shown(cell) + " is beyond float32");
  growing.values += kind != CellKind::missing;
  if (kind == CellKind::text) growing.texts.add(cell, 0, first_line_);
  if (!column.is_text && column.texts.empty() && kind == CellKind::number && loses_digits(cell, value))
    for (const float number : column.numbers) column.texts.push_back(written(number));
  if (column.is_text || !column.texts.empty() || (kind == CellKind::number && loses_digits(cell, value)))
    column.texts.insert(column.texts.begin(), kind == CellKind::missing ? std::string() : to_utf8(cell));
  if (!column.is_text) column.numbers.insert(column.numbers.begin(), value);
}

void CsvTable::put_first_row_in_front() {
  // Record one is one of the first rows, too.
  Keeps keeps = *keeps_;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    float value = 0;
    columns_[i].column.name = numbered_name(i);
    if (start_is_all_ && lines_.size() < first_rows &&
        parse_cell(first_[i], value, shape_.decimal_comma) == CellKind::text)
      keeps[i] = CsvKeeps::texts;
  }
  if (keeps != *keeps_) {
    CsvBlock block = read_start(keeps);
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

// Those above record one, and between it and the other records, are not in a block.
void CsvTable::count_comments() {
  CsvRecords above(shape_.path, std::string_view(start_).substr(0, start_at_), shape_.separator, 1, columns_.size());
  while (above.next()) {
  }
  comments_ += above.comments_like_records();
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
    if (found.others > 0) {
      column.stray_text = column.texts[found.first_other];
      column.stray_line = lines_[found.first_other];
    }
    turn_into_days(column);
  }
}

Table CsvTable::finish() {
  if (first_.empty()) throw file_error(shape_.path, "no rows");
  find_dates();
  decide_header();
  if (header_ == Header::yes && lines_.empty()) throw file_error(shape_.path, "only a header, no rows");
  if (header_ == Header::no) {
    put_first_row_in_front();
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
    if (!both || (column.is_text && growing.is_text_with_numbers())) continue;
    column.stray_text = std::move(growing.texts.first);
    column.stray_line = growing.texts.first_line;
  }
  return table;
}

// The rest of the head after so many lines.
std::string_view without_lines(std::string_view head, std::size_t lines) {
  for (; lines > 0 && !head.empty(); --lines) {
    const std::size_t end = head.find_first_of("\r\n");
    if (end == std::string_view::npos) return "";
    head.remove_prefix(end + (head.substr(end, 2) == "\r\n" ? 2 : 1));
  }
  return head;
}

}  // namespace

Table read_csv(InputFile& file, const TableFormat& format) {
  std::string plain_name = file_name(file.path());
  if (ends_with_ignoring_case(plain_name, ".gz")) plain_name.resize(plain_name.size() - 3);
  const char named = named_separator(file.head());
  const std::size_t skipped = named ? std::max<std::size_t>(format.skip_rows, 1) : format.skip_rows;
  const char known = named ? named : ends_with_ignoring_case(plain_name, ".tsv") ? '\t' : '\0';
  const Dialect dialect = sniff_dialect(without_lines(file.head(), skipped), known);
  CsvSlabs slabs(file, dialect.separator, skipped);
  CsvTable building(file.path(), format.header, dialect, 1 + skipped);
  building.read_first_rows(slabs);
  building.read_other_rows(slabs);
  Table table = building.finish();
  table.format = dialect.separator == '\t' ? "TSV" : "CSV";
  if (dialect.separator == ';') table.format += ", separated by semicolons";
  if (dialect.separator == ' ') table.format += ", separated by blanks";
  if (dialect.decimal_comma) table.format += ", decimal commas";
  if (file.gzipped()) table.format += ", gzipped";
  return table;
}

}  // namespace kinescope::sim
