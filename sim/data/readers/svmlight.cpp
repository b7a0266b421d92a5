#include "sim/data/readers/svmlight.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
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
  std::size_t checked_ = 0;  // number of values at the last check of memory
};

void SvmlightRows::add_label(std::string_view word) {
  const bool labelled = is_label(word);
  if (lines_.empty()) labelled_ = labelled;
  if (labelled_ && !labelled) throw file_error(path_, line_, "no label, but the rows above have one");
  if (!labelled_) return;
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
  if (labelled_) rest = after_label;
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
  if (least_ > 0)
    for (std::uint32_t& index : rows_->index) --index;
  rows_->columns = std::size_t{largest_} + (least_ > 0 ? 0 : 1);
  Table table;
  table.source = path_;
  table.rows = lines_.size();
  table.row_lines = std::move(lines_);
  table.sparse = std::move(rows_);
  if (labelled_) table.columns.push_back(label_column());
  return table;
}

// "INDEX:VALUE"; `index` is set if so.
bool is_term(std::string_view word, std::uint64_t& index) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon + 1 == word.size()) return false;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + colon, index);
  return error == std::errc() && stop == word.data() + colon &&
         word.find_first_not_of("0123456789+-.eE", colon + 1) == std::string_view::npos;
}

bool is_row(std::string_view line) {
  std::string_view rest = without_comment(line);
  const std::string_view first = next_word(rest), second = next_word(rest);
  std::uint64_t one = 0, other = 0;
  if (is_label(first))
    return first.find_first_not_of("0123456789+-.eE,") == std::string_view::npos &&
           (is_query(second) || is_term(second, other));
  return is_term(first, one) && is_term(second, other) && one < other;
}

bool is_named_svmlight(std::string_view path) {
  if (ends_with_ignoring_case(path, ".gz")) path.remove_suffix(3);
  constexpr std::array<std::string_view, 3> endings = {".svm", ".svmlight", ".libsvm"};
  return std::any_of(endings.begin(), endings.end(), [&](auto each) { return ends_with_ignoring_case(path, each); });
}

}  // namespace

bool is_svmlight(const InputFile& file) {
  if (is_named_svmlight(file.path())) return true;
  std::string_view head = file.head();
  while (!head.empty()) {
    std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (std::string_view rest = without_comment(line); !next_word(rest).empty()) return is_row(line);
  }
  return false;
}

Table read_svmlight(InputFile& file) {
  SvmlightRows rows(file.path());
  TextLines lines(file);
  while (lines.next()) rows.add_row(lines.text(), lines.number());
  Table table = rows.finish();
  table.format = file.gzipped() ? "svmlight, gzipped" : "svmlight";
  return table;
}

}  // namespace kinescope::sim
