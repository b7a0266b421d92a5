// Tables as text: fields separated by commas, tabs, semicolons, pipes or blanks (dialect.hpp weighs which).
//
// A record is one line, or several if a quoted field holds line ends; quotes inside such a field are doubled. Blank
// lines and lines that begin with '#' are skipped, and so are lines of counts and units (first_lines.hpp). LF, CRLF and
// CR end a line. A first line "sep=;", as spreadsheets write it, names the separator.
#include <algorithm>
#include <deque>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "kinescope/executors/hand_over.hpp"
#include "sim/data/readers/csv/csv_block.hpp"
#include "sim/data/readers/csv/csv_guesses.hpp"
#include "sim/data/readers/csv/csv_records.hpp"
#include "sim/data/readers/csv/csv_slabs.hpp"
#include "sim/data/readers/csv/csv_table.hpp"
#include "sim/data/readers/csv/dialect.hpp"
#include "sim/data/readers/csv/first_lines.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/packing/packings.hpp"
#include "sim/data/readers/points/point_cloud.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t slab_bytes = 1 << 20;
constexpr std::size_t first_rows = 1001;            // these are read before the others
constexpr std::size_t most_first_bytes = 64 << 20;  // limit for the first rows if they are very long

// Reads a file's slabs into its table: the first rows decide which columns are texts, the others are read on all
// threads.
class CsvReader {
 public:
  CsvReader(CsvSlabs& slabs, CsvTable& table, std::size_t first_line)
      : slabs_(slabs), table_(table), line_(first_line) {}

  Table read() {
    read_first_rows();
    read_other_rows();
    return table_.finish(rows_of_start(), start_line_, first_rows_are_all_ ? first_rows : 0);
  }

 private:
  struct Slab {
    std::string text;
    std::shared_ptr<const CsvTable::Keeps> keeps;
    CsvBlock block;
    bool whole = false;         // false if reading the block has failed
    std::exception_ptr unread;  // set if reading the file failed here
  };

  void read_first_rows();
  bool read_first_record();
  void read_other_rows();
  std::string_view rows_of_start() const { return std::string_view(start_).substr(start_at_); }
  CsvBlock read_start() const {
    CsvBlock block;
    read_block(table_.shape(), *table_.keeps(), rows_of_start(), start_line_, block);
    return block;
  }
  Slab* next_slab();
  void join(Slab& slab);
  void add(CsvBlock& block) {
    table_.add(block);
    line_ += block.lines;
  }
  void count_comments();
  // Slabs are reused, so that their memory is not requested from the system each time.
  Slab* unused_slab() {
    const std::lock_guard lock(mutex_);
    if (unused_.empty()) return &all_.emplace_back();
    Slab* const slab = unused_.back();
    unused_.pop_back();
    return slab;
  }
  void put_away(Slab* slab) {
    slab->text.clear();
    const std::lock_guard lock(mutex_);
    unused_.push_back(slab);
  }

  CsvSlabs& slabs_;
  CsvTable& table_;
  std::string start_;                                 // the text of the first rows
  std::size_t start_at_ = 0, start_line_ = 0;         // where the text after record one begins in start_, and its line
  bool first_rows_are_all_ = false, failed_ = false;  // failed_: reading the file failed
  std::size_t line_;                                  // the line where the next slab begins
  std::mutex mutex_;
  std::deque<Slab> all_;  // a pipeline that an exception ends forgets what is in it
  std::vector<Slab*> unused_;
};

// True if there is a record; the table then begins with it.
bool CsvReader::read_first_record() {
  const CsvShape& shape = table_.shape();
  while (slabs_.read(start_, slab_bytes)) {
    CsvRecords records(shape, start_, line_);
    if (!records.next()) continue;
    std::vector<std::string> first(records.cells().begin(), records.cells().end());
    start_at_ = start_.size() - records.rest().size();
    start_line_ = records.next_line();
    const std::size_t line = records.line();
    if (records.rest().empty()) slabs_.read(start_, slab_bytes);  // may move the text, so `records` is no longer valid
    table_.begin(std::move(first), line, CsvRecords(shape, rows_of_start(), start_line_));
    return true;
  }
  line_ += count_line_ends(start_);
  return false;
}

void CsvReader::read_first_rows() {
  if (!read_first_record()) return;
  CsvBlock block;
  std::size_t lines = count_line_ends(rows_of_start());
  for (std::size_t wanted = first_rows; !first_rows_are_all_; wanted *= 2) {
    while (lines < wanted && start_.size() < most_first_bytes && !first_rows_are_all_) {
      const std::size_t size = start_.size();
      first_rows_are_all_ = !slabs_.read(start_, slab_bytes);
      lines += count_line_ends(std::string_view(start_).substr(size));
    }
    block = read_start();
    if (block.rows >= first_rows || start_.size() >= most_first_bytes) break;
  }
  if (table_.decide_texts(block)) block = read_start();
  count_comments();
  line_ = start_line_;
  add(block);
  if (first_rows_are_all_) return;
  start_.clear(), start_.shrink_to_fit(), start_at_ = 0;
  table_.reserve(slabs_.part_read());
}

// Counts the comments above record one, which are in no block.
void CsvReader::count_comments() {
  CsvRecords above(table_.shape(), std::string_view(start_).substr(0, start_at_), 1, table_.columns());
  while (above.next()) {
  }
  table_.add_comments(above.comments_like_records());
}

CsvReader::Slab* CsvReader::next_slab() {
  Slab* const slab = unused_slab();
  slab->keeps = table_.keeps();
  try {
    if (failed_ || !slabs_.read(slab->text, slab_bytes)) return nullptr;
  } catch (...) {  // reported after any errors of the slabs before this one
    failed_ = true;
    slab->unread = std::current_exception();
  }
  return slab;
}

// Reads a slab again if its first reading failed, because the line of the error is known only now. Also reads it again
// if it was read before a column turned out to need its texts, or if it shows that one does.
void CsvReader::join(Slab& slab) {
  if (slab.unread) std::rethrow_exception(slab.unread);
  if (!slab.whole || slab.keeps != table_.keeps()) {
    read_block(table_.shape(), *table_.keeps(), slab.text, line_, slab.block);
  } else {
    for (std::size_t& line : slab.block.row_lines) line += line_;
    for (CsvBlock::Column& column : slab.block.columns) column.texts.first_line += line_;
  }
  if (table_.decide_texts(slab.block)) read_block(table_.shape(), *table_.keeps(), slab.text, line_, slab.block);
  add(slab.block);
}

void CsvReader::read_other_rows() {
  namespace tbb = oneapi::tbb;
  HandOver pipeline;
  const auto cut = [&](tbb::flow_control& flow) {
    Slab* slab = nullptr;
    pipeline.step([&] { slab = next_slab(); });
    if (!slab) flow.stop();
    return slab;
  };
  const auto read = [&](Slab* slab) {
    pipeline.step([&] {
      try {
        slab->whole = false;
        if (!slab->unread) read_block(table_.shape(), *slab->keeps, slab->text, 0, slab->block);
        slab->whole = true;
      } catch (const Error&) {  // join() reports it when the slab's turn comes
      }
    });
    return slab;
  };
  const auto waiting = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) + 2;
  if (table_.begun() && !first_rows_are_all_)
    tbb::parallel_pipeline(waiting,
                           tbb::make_filter<void, Slab*>(tbb::filter_mode::serial_in_order, cut) &
                               tbb::make_filter<Slab*, Slab*>(tbb::filter_mode::parallel, read) &
                               tbb::make_filter<Slab*, void>(tbb::filter_mode::serial_in_order, [&](Slab* slab) {
                                 pipeline.step([&] {
                                   join(*slab);
                                   put_away(slab);
                                 });
                               }));
  if (slabs_.too_long())
    throw file_error(
        table_.shape().path, line_,
        std::string("a line of more than 64 MiB") + (slabs_.in_quotes() ? "; is a quote never closed?" : ""));
}

// The head, in which lines that are left out are blank; without a byte order mark and zero bytes at the end.
std::string readable_head(std::string_view head, const LinesLeftOut& left_out) {
  head = without_mark(head);
  std::string text(head.substr(0, head.find_last_not_of('\0') + 1));
  std::size_t line = 1;
  auto next = left_out.more.begin();
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    while (next != left_out.more.end() && *next < line) ++next;
    if (line > left_out.first && next == left_out.more.end()) break;
    if (line <= left_out.first || *next == line)
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), end - at, ' ');
    at = end + (std::string_view(text).substr(std::min(end, text.size()), 2) == "\r\n" ? 2 : 1);
  }
  return text;
}

// The name of the format, with what is unusual about it.
std::string format_text(const Dialect& dialect) {
  std::string text = dialect.separator == '\t' ? "TSV" : "CSV";
  if (dialect.separator == ';') text += ", separated by semicolons";
  if (dialect.separator == ' ') text += ", separated by blanks";
  if (dialect.separator == '|') text += ", separated by pipes";
  if (dialect.decimal_comma) text += ", decimal commas";
  return text;
}

char known_separator(const InputFile& file, const TableFormat& format) {
  if (format.separator) return format.separator;
  if (const char named = named_separator(file.head())) return named;
  const bool named_tsv = ends_with_ignoring_case(without_packing(file.path()), ".tsv");
  return named_tsv && file.head().find('\t') != std::string_view::npos ? '\t' : '\0';
}

// A column with a text among its numbers becomes a column of texts, and Table::remarks say so; if the text comes late
// in the file, the texts above it are made from the numbers, without a second reading. A column of ISO dates becomes
// one of days (dates.hpp). Table::text_reading has each decision with its alternatives. The first 1,001 rows (64 MiB at
// most) are read before the others. The file is cut into slabs of whole records (csv_slabs.hpp), which all threads
// read; the table does not depend on their number. Throws Error (input) with file and line for records of different
// lengths, a line of more than 64 MiB, a quote that is never closed, columns in `format` that do not exist, and no
// rows; Cancelled. O(bytes). In addition to the table it needs memory for a slab of 1 MiB a thread.
Table read_csv(InputFile& file, const TableFormat& format) {
  LinesLeftOut left_out;
  left_out.first = std::max<std::size_t>(format.skip_rows, named_separator(file.head()) ? 1 : 0);
  std::ranges::copy_if(format.skip_lines, std::back_inserter(left_out.more), [](std::size_t line) { return line > 0; });
  const bool whole = file.head_is_all();
  const std::string head = readable_head(file.head(), left_out);
  DialectChoice choice = weigh_dialects(head, known_separator(file, format), format, whole);
  FirstLines first_lines;
  if (format.header != Header::no) first_lines = find_first_lines(choice.best, head, whole);
  if (std::ranges::find(format.skip_lines, 0U) != format.skip_lines.end())
    first_lines.skipped.clear(), first_lines.names.clear();
  left_out.more.insert(left_out.more.end(), first_lines.skipped.begin(), first_lines.skipped.end());
  left_out.header_comment = first_lines.header_comment;
  const std::size_t line = 1 + left_out.first;
  CsvSlabs slabs(file, choice.best.dialect, std::move(left_out));
  CsvTable growing({file.path(), choice.best.dialect, format, {}}, first_lines.header_comment > 0, first_lines.names);
  Table table = CsvReader(slabs, growing, line).read();
  table.format = format_text(choice.best.dialect);
  auto reading = std::make_shared<TextReading>(*table.text_reading);
  tell_quotes(choice, format, head.find('"') != std::string::npos, table, *reading);
  tell_decimal_mark(choice, format, table, *reading);
  tell_skipped(first_lines, format, table, *reading);
  tell_encoding(head, *reading);
  tell_zeros(choice.best, table, format, *reading);
  reading->guesses.insert(reading->guesses.begin(), guess_of_separator(choice, format));
  if (first_lines.rows == table.rows) reading->guesses.front().sure = true;
  if (head.starts_with("//")) let_places_take_part(table);  // CloudCompare's
  if (slabs.zero_bytes() > 0)
    table.remarks.push_back(count_of(slabs.zero_bytes(), "zero byte") + " at the end left out");
  table.text_reading = std::move(reading);
  return table;
}

}  // namespace

// Any text may be a table, so it is read as one if no other format fits.
extern const FileFormat csv_format = {
    .name = "CSV and TSV tables",
    .endings = ".csv .tsv .txt",
    .fit = [](InputFile&) { return Fit::no; },
    .read = [](const SourceFile& source) { return read_csv(source.file, source.request.format); },
    .takes_text_options = true};

}  // namespace kinescope::sim
