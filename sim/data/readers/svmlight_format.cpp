// Sparse rows as text, in the format of SVMlight (T. Joachims) and LIBSVM (C.-C. Chang and C.-J. Lin).
//
// A line is a row: LABEL INDEX:VALUE INDEX:VALUE … # comment. Files of the Extreme Classification Repository (K. Bhatia
// et al., 2016) begin with a line "ROWS COLUMNS LABELS", and their indices count from 0; rows have several labels.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::uint64_t largest_index = std::uint64_t{1} << 31;

std::string_view without_comment(std::string_view line) {
  return line.substr(0, line.find('#'));
}

bool is_query(std::string_view word) {
  return word.starts_with("qid:");
}

bool is_label(std::string_view word) {
  return word.find(':') == std::string_view::npos;
}

class SvmlightRows {
 public:
  explicit SvmlightRows(const std::string& path) : path_(path) {}

  // The first line of the Extreme Classification Repository's files: how many rows, columns and labels there are.
  void set_sizes(std::uint64_t rows, std::uint64_t columns) { stated_rows_ = rows, stated_columns_ = columns; }
  void add_row(std::string_view line, std::size_t number);
  Table finish();

 private:
  void add_label(std::string_view word);
  void add_term(std::string_view word);
  void check_memory();
  Column label_column();

  std::string path_;
  std::size_t line_ = 0;
  std::shared_ptr<SparseRows> rows_ = std::make_shared<SparseRows>();  // indices as written
  std::int64_t last_index_ = -1;                                       // the last index of the present row
  std::uint32_t least_ = std::numeric_limits<std::uint32_t>::max(), largest_ = 0;
  bool labelled_ = false, labels_are_numbers_ = true;
  std::vector<std::string> labels_;
  std::vector<std::size_t> lines_;
  std::uint64_t stated_rows_ = 0, stated_columns_ = 0;  // 0: the file does not say
  std::size_t checked_ = 0;                             // number of values at the last check of memory
};

void SvmlightRows::add_label(std::string_view word) {
  const bool labelled = is_label(word);
  if (labelled && !labelled_) labelled_ = true, labels_.resize(lines_.size());
  if (!labelled_) return;
  if (!labelled) {  // a row of several labels may have none
    labels_.emplace_back();
    return;
  }
  double value = 0;
  const CellKind kind = parse_cell(word, value);
  if (kind == CellKind::number && std::isinf(value))
    throw file_error(path_, line_, "the label " + shown(word) + " is not a finite number");
  labels_are_numbers_ = labels_are_numbers_ && kind != CellKind::text;
  labels_.push_back(to_utf8(word));
}

void SvmlightRows::add_term(std::string_view word) {
  const std::size_t colon = word.find(':');
  const std::string_view before = word.substr(0, colon);
  const char* const end = before.data() + before.size();
  std::uint64_t index = 0;
  const auto [stop, error] = std::from_chars(before.data(), end, index);
  if (colon == std::string_view::npos || stop != end || error == std::errc::invalid_argument)
    throw file_error(path_, line_, "expected INDEX:VALUE, found " + shown(word));
  if (error == std::errc::result_out_of_range || index > largest_index)
    throw file_error(path_, line_, "the index " + shown(before) + " is beyond 2^31");
  const auto signed_index = static_cast<std::int64_t>(index);
  if (signed_index <= last_index_)
    throw file_error(path_, line_,
                     signed_index == last_index_ ? "the index " + shown(before) + " occurs twice"
                                                 : "the index " + shown(before) + " follows " +
                                                       std::to_string(last_index_) + "; indices must ascend");
  last_index_ = signed_index;
  const auto column = static_cast<std::uint32_t>(index);
  least_ = std::min(least_, column);
  largest_ = std::max(largest_, column);
  const std::string_view after = word.substr(colon + 1);
  double value = 0;
  const CellKind kind = parse_cell(after, value);
  if (kind == CellKind::number && !(std::abs(value) <= largest_float))
    throw file_error(path_, line_, shown(word) + " is beyond float32");
  if (kind != CellKind::number) throw file_error(path_, line_, "expected a number after ':', found " + shown(word));
  if (value == 0) return;
  rows_->index.push_back(column);
  rows_->value.push_back(static_cast<float>(value));
}

void SvmlightRows::add_row(std::string_view line, std::size_t number) {
  line_ = number;
  std::string_view rest = without_comment(line), after_label = rest;
  const std::string_view first = next_word(after_label);
  if (first.empty()) return;
  add_label(first);
  if (labelled_ && is_label(first)) rest = after_label;
  last_index_ = -1;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest))
    if (!is_query(word)) add_term(word);
  rows_->begin.push_back(rows_->index.size());
  lines_.push_back(number);
  check_memory();
}

// Vectors grow by doubling, so they may soon need as much memory again as they hold now.
void SvmlightRows::check_memory() {
  constexpr std::size_t values_between_checks = 1 << 20;
  const std::size_t values = rows_->index.size() + 8 * lines_.size();  // a row costs as much as eight values
  if (values < checked_ + values_between_checks) return;
  checked_ = values;
  const std::size_t each_row = sizeof(std::size_t) + (labelled_ ? sizeof(std::string) : 0);
  require_memory(path_, static_cast<double>(rows_->bytes() + each_row * lines_.size()));
}

Column SvmlightRows::label_column() {
  Column column{"label", !labels_are_numbers_, {}, {}};
  if (column.is_text) {
    column.texts = std::move(labels_);
    return column;
  }
  for (const std::string& label : labels_) {
    double value = 0;
    column.numbers.push_back(parse_cell(label, value) == CellKind::number ? value
                                                                          : std::numeric_limits<double>::quiet_NaN());
  }
  return column;
}

Table SvmlightRows::finish() {
  if (lines_.empty()) throw file_error(path_, "no rows");
  if (largest_ == 0 && least_ != 0) throw file_error(path_, "no values: all rows are empty");
  if (stated_rows_ > 0 && stated_rows_ != lines_.size())
    throw file_error(path_,
                     count_of(lines_.size(), "row") + ", but the first line says " + std::to_string(stated_rows_));
  if (stated_columns_ > 0 && largest_ >= stated_columns_)
    throw file_error(path_, "the index " + std::to_string(largest_) + " is beyond the " +
                                std::to_string(stated_columns_) + " columns that the first line says");
  const bool from_one = least_ > 0 && stated_columns_ == 0;
  if (from_one)
    for (std::uint32_t& index : rows_->index) --index;
  rows_->columns = stated_columns_ > 0 ? stated_columns_ : std::size_t{largest_} + (from_one ? 0 : 1);
  Table table;
  table.source = path_;
  table.rows = lines_.size();
  table.row_lines = std::move(lines_);
  table.sparse = std::move(rows_);
  if (labelled_) table.columns.push_back(label_column());
  return table;
}

// "INDEX:VALUE"; `index` is set if so. No index begins with a zero, as "05:30" does.
bool is_term(std::string_view word, std::uint64_t& index) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon + 1 == word.size()) return false;
  if (word.front() == '0' && colon > 1) return false;
  const std::optional<std::uint64_t> number = parse_whole(word.substr(0, colon));
  index = number.value_or(0);
  return number && word.find_first_not_of("0123456789+-.eE", colon + 1) == std::string_view::npos;
}

// Numbers between commas.
bool is_list_of_labels(std::string_view word) {
  while (!word.empty()) {
    const std::string_view label = word.substr(0, word.find(','));
    if (kind_of_cell(label) != CellKind::number) return false;
    word.remove_prefix(std::min(label.size() + 1, word.size()));
  }
  return true;
}

bool is_row(std::string_view line) {
  std::string_view rest = without_comment(line);
  const std::string_view first = next_word(rest), second = next_word(rest);
  std::uint64_t one = 0, other = 0;
  if (is_label(first)) return is_list_of_labels(first) && (is_query(second) || is_term(second, other));
  return is_term(first, one) && is_term(second, other) && one < other;
}

// "10:30".
bool is_time_of_day(std::string_view term) {
  std::uint64_t hour = 0;
  if (!is_term(term, hour) || hour > 23) return false;
  const std::string_view after = term.substr(term.find(':') + 1);
  return after.size() == 2 && parse_whole(after).value_or(60) < 60;
}

// Whether what follows the label is times of day alone.
bool has_times_alone(std::string_view line) {
  std::string_view rest = without_comment(line);
  std::string_view word = next_word(rest);
  if (is_label(word)) word = next_word(rest);
  while (is_time_of_day(word)) word = next_word(rest);
  return word.empty();
}

// "ROWS COLUMNS LABELS".
bool is_sizes(std::string_view line, std::uint64_t& rows, std::uint64_t& columns) {
  std::uint64_t labels = 0;
  for (std::uint64_t* const size : {&rows, &columns, &labels}) {
    *size = parse_whole(next_word(line)).value_or(largest_index + 1);
    if (*size > largest_index) return false;
  }
  return next_word(line).empty() && rows > 0 && columns > 0;
}

constexpr std::string_view endings = ".svm .svmlight .libsvm";

// Whether the first line that is not empty looks like a row, and not all lines at the file's beginning hold times of
// day. Without a label the first must have two ascending terms.
bool begins_with_row(const InputFile& file) {
  std::string_view head = file.head();
  bool first = true, any_row = false;
  while (!head.empty()) {
    if (any_row && head.find('\n') == std::string_view::npos) return false;  // the line may be cut off
    const std::string_view line = next_line(head);
    std::uint64_t rows = 0, columns = 0;
    const bool sizes = std::exchange(first, false) && is_sizes(line, rows, columns);
    if (std::string_view rest = without_comment(line); sizes || next_word(rest).empty()) continue;
    if (!any_row && !is_row(line)) return false;
    if (!has_times_alone(line)) return true;
    any_row = true;
  }
  return false;
}

// Indices count from 1, or from 0 if one is 0 anywhere; the largest gives the number of columns. Values of 0, `qid:N`,
// comments and empty lines are skipped. The labels are the column `label`, of numbers if all are, missing in rows
// without one; a file without labels has none. Throws Error (input) with file and line for indices that do not ascend
// or exceed 2^31, values that are no numbers or beyond float32, and an infinite label; Cancelled. O(bytes).
Table read_svmlight(InputFile& file) {
  SvmlightRows rows(file.path());
  TextLines lines(file);
  while (lines.next()) {
    std::uint64_t stated_rows = 0, columns = 0;
    if (lines.number() == 1 && is_sizes(lines.text(), stated_rows, columns))
      rows.set_sizes(stated_rows, columns);
    else
      rows.add_row(lines.text(), lines.number());
  }
  Table table = rows.finish();
  table.format = "svmlight";
  return table;
}

}  // namespace

extern const FileFormat svmlight_format = {
    .name = "svmlight files",
    .endings = endings,
    .fit =
        [](InputFile& file) {
          return begins_with_row(file) ? Fit::likely : fit_if(has_ending(file.path(), endings), Fit::possible);
        },
    .read = [](const SourceFile& source) { return read_svmlight(source.file); }};

}  // namespace kinescope::sim
