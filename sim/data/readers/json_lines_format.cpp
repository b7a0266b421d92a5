// Tables in JSON: lines that are objects or lists, or one list of them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/data/json_file.hpp"
#include "kinescope/error.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/json_words.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view json_blanks = " \t\r\n\xEF\xBB\xBF";

// The values of one name. What is both numbers and texts becomes texts.
struct JsonColumn {
  Column column;
  std::size_t rows = 0, numbers = 0, texts = 0;
  std::size_t missing_words = 0;  // texts such as "" and "NA", which make no column one of texts
  bool inexact = false;           // some numbers have more digits than doubles
  std::string title;              // its name in the first row, if that names the columns
  bool left_out = false;          // it is of a list that is not read
  bool is_outer = false;          // it is an object or a list in other rows

  void fill_to(std::size_t row) {
    for (; rows < row; ++rows) {
      column.numbers.push_back(no_value);
      if (!column.texts.empty()) column.texts.emplace_back();
    }
  }
  void add_number(double number, const std::string& digits) {
    const bool exact = digits.empty() || !loses_digits(digits, number);
    inexact = inexact || !exact;
    if (!exact || texts > 0) fill_texts(column, rows);
    column.numbers.push_back(number);
    ++rows, ++numbers;
    if (!exact)
      column.texts.push_back(digits);
    else if (!column.texts.empty())
      column.texts.push_back(number_text(column.numbers, rows - 1));
  }
  void add_text(std::string text) {
    fill_texts(column, rows);
    column.numbers.push_back(no_value);
    ++rows, ++(kind_of_cell(text) == CellKind::missing ? missing_words : texts);
    column.texts.push_back(std::move(text));
  }
  bool is_of_texts() const { return texts > 0 || (numbers == 0 && missing_words > 0); }
  // A column of numbers keeps texts only for digits that doubles lose.
  void forget_texts() {
    if (!inexact) column.texts = {};
    for (std::size_t row = 0; row < column.texts.size(); ++row)
      if (std::isnan(column.numbers[row])) column.texts[row].clear();
  }
};

// The file for the parser, which asks for one byte after the other. What InputFile::read throws passes through it.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(InputFile& file) : file_(file) {}

 protected:
  int_type underflow() override {
    json_.clear();
    for (bool ended = false; json_.empty() && !ended;) {
      const std::size_t count = file_.read(block_.data(), block_.size());
      words_.add({block_.data(), count}, json_);
      ended = count == 0;
      if (ended) words_.end(json_);
    }
    setg(json_.data(), json_.data(), json_.data() + json_.size());
    return json_.empty() ? traits_type::eof() : traits_type::to_int_type(json_.front());
  }

 private:
  InputFile& file_;
  std::vector<char> block_ = std::vector<char>(1 << 18);
  std::string json_;
  JsonWords words_;
};

// Receives the values of one line, or of the whole list, from the parser, which does not recurse.
class JsonRows : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonRows(const InputFile& file, bool list) : file_(file), base_(list ? 1 : 0) {}

  std::size_t rows() const { return rows_; }
  std::size_t rows_passed() const { return rows_ + (header_.empty() ? 0 : 1); }  // with the one that names the columns
  std::size_t line = 0;  // of the text that is being read; 0 if it is the whole file
  std::vector<std::size_t> row_lines;

  bool null() override {
    return value([](auto&) {});
  }
  bool boolean(bool truth) override { return number(truth ? 1 : 0, ""); }
  bool number_integer(number_integer_t n) override { return number(static_cast<double>(n), std::to_string(n)); }
  bool number_unsigned(number_unsigned_t n) override { return number(static_cast<double>(n), std::to_string(n)); }
  bool number_float(number_float_t n, const string_t& text) override { return number(n, text); }
  bool string(string_t& text) override {
    return value([&](JsonColumn& column) { column.add_text(std::move(text)); });
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    levels_.back().key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    flaw_ = json_flaw(error);
    return false;
  }
  const std::string& flaw() const { return flaw_; }  // why the parser stopped

  void begin_line() { levels_.clear(); }

  // Columns named in `as_texts` will be texts: words for missing values stay in them.
  void finish(Table& table, const std::vector<std::string>& as_texts) {
    check_cells();
    if (!header_.empty()) table.remarks.push_back(header_);
    for (const Named& each : named_)
      if (each.column && each.holds_columns) each.column->is_outer = true;
    std::vector<std::string> names;
    for (JsonColumn& each : columns_) {
      if (each.left_out) continue;
      if (each.numbers + each.texts == 0 && each.is_outer) continue;
      if (const auto list = lists_.find(each.column.name); list != lists_.end() && !list->second.why.empty()) continue;
      each.fill_to(rows_);
      if (each.texts > 0 && each.numbers > 0)
        table.remarks.push_back(shown(each.column.name) + " has numbers and texts: it is read as texts");
      if (!each.is_of_texts() && each.missing_words > 0 &&
          std::ranges::find(as_texts, each.column.name) == as_texts.end())
        each.forget_texts();
      if (each.is_of_texts()) {
        fill_texts(each.column, each.rows);
        each.column.is_text = true;
        each.column.numbers = {};
        if (count_dates(each.column).is_of_dates()) turn_into_days(each.column);
      }
      names.push_back(std::move(each.title.empty() ? each.column.name : each.title));
      table.columns.push_back(std::move(each.column));
    }
    names = column_names(std::move(names));
    for (std::size_t i = 0; i < names.size(); ++i) table.columns[i].name = std::move(names[i]);
    for (const auto& [name, list] : lists_)
      if (!list.why.empty()) table.remarks.push_back(shown(name) + " is not read: " + list.why);
  }

 private:
  static constexpr std::size_t deepest = 64;
  std::string flaw_ = "is not valid JSON";
  struct List {
    std::optional<std::size_t> length;
    std::string why;                    // it is not read; "" if it is
    std::vector<JsonColumn*> elements;  // their columns
  };
  // What has a name. It is found by the number of what is around it and its own key, so that a long name around many
  // values is not written again for each value.
  struct Named {
    std::size_t number = 0;
    bool holds_columns = false;
    JsonColumn* column = nullptr;  // null if it was no value yet
    List* list = nullptr;          // null if it was no list yet
  };
  struct Level {
    bool list = false;
    bool in_list = false;    // nothing here is read: it is in a list that should hold single values
    Named* named = nullptr;  // null for a row, and in such a list
    std::string key = {};    // of the value that comes next in an object
    std::size_t next = 0;    // its place in a list

    bool is_read() const { return !in_list && (!named || !list || named->list->why.empty()); }
  };

  Error wrong(const std::string& what) const {
    return line > 0 ? file_error(file_.path(), line, what)
                    : file_error(file_.path(), "row " + std::to_string(rows_passed() + 1) + ": " + what);
  }

  bool open(bool list) {
    if (levels_.size() >= deepest) throw wrong("is nested too deep: more than 64 levels");
    if (levels_.size() == base_ && rows_ >= maximum_rows) throw wrong("too many rows");
    Level level{.list = list};
    if (levels_.size() > base_) {
      const Level& around = levels_.back();
      level.in_list = around.in_list || (around.named && around.list);
      if (!level.in_list) {
        level.named = &named();
        if (list && !level.named->list) level.named->list = &lists_[name()];
      } else if (!around.in_list) {
        leave_out(*around.named->list, "it holds lists or objects in lists");
      }
    }
    levels_.push_back(std::move(level));
    return true;
  }
  bool close() {
    const Level closed = std::move(levels_.back());
    levels_.pop_back();
    if (levels_.size() == base_) {
      ++rows_;
      row_lines.push_back(line);
      if (rows_ == 2 && closed.list && header_.empty()) take_titles();
      constexpr std::size_t first_check = 1 << 16;
      if (rows_ >= first_check && std::has_single_bit(rows_))  // as many rows again may follow
        require_memory(file_.path(), static_cast<double>(rows_) * static_cast<double>(columns_read_) * sizeof(double));
    } else if (levels_.size() > base_) {
      if (closed.list && closed.named) {
        List& list = *closed.named->list;
        if (!list.length) list.length = closed.next;
        if (*list.length != closed.next)
          leave_out(list, "its lists have different lengths, " + std::to_string(*list.length) + " and " +
                              std::to_string(closed.next));
      }
      ++levels_.back().next;
    }
    return true;
  }

  // The first of two rows names the columns if it holds different texts, one of them above a number.
  void take_titles() {
    TextViewSet titles;
    const std::string* above = nullptr;
    for (const JsonColumn& each : columns_) {
      const std::vector<std::string>& texts = each.column.texts;
      const Numbers& numbers = each.column.numbers;
      if (texts.empty() || texts[0].empty() || !std::isnan(numbers[0]) || !titles.insert(texts[0]).second) return;
      if (!above && numbers.size() > 1 && !std::isnan(numbers[1])) above = &texts[0];
    }
    if (!above) return;
    header_ = "row 1 is the header: " + shown(*above) + " stands above numbers";
    for (JsonColumn& each : columns_) {
      const std::vector<std::string> texts = std::exchange(each.column.texts, {});
      const Numbers numbers = std::exchange(each.column.numbers, {});
      each.title = texts[0];
      each.rows = each.numbers = each.texts = each.missing_words = 0;
      if (numbers.size() < 2) continue;
      const std::string text = texts.size() > 1 ? texts[1] : "";
      if (!std::isnan(numbers[1]))
        each.add_number(numbers[1], text);
      else if (!text.empty())
        each.add_text(text);
    }
    rows_ = 1;
    row_lines.erase(row_lines.begin());
  }

  // The name of the value that comes next: a, c0, a.b, a.b_0.
  std::string name() {
    const Level& row = levels_[base_];
    std::string name = row.list ? numbered_name(row.next) : row.key;
    for (std::size_t i = base_ + 1; i < levels_.size(); ++i)
      name += levels_[i].list ? "_" + std::to_string(levels_[i].next) : "." + levels_[i].key;
    names_.add(file_.path(), file_.bytes_read(), name.size());
    return name;
  }
  Named& named() {
    const Level& around = levels_.back();
    key_ = std::to_string(around.named ? around.named->number : 0);
    if (around.list)
      key_ += around.named ? "_" + std::to_string(around.next) : "." + numbered_name(around.next);
    else
      key_.append(".").append(around.key);
    const auto [found, is_new] = places_of_named_.try_emplace(key_, named_.size());
    return is_new ? named_.emplace_back(Named{named_.size() + 1}) : named_[found->second];
  }
  // Leaves out the columns of a list that cannot be columns.
  void leave_out(List& list, const std::string& why) {
    if (!list.why.empty()) return;
    list.why = why;
    for (JsonColumn* const each : list.elements) {
      columns_read_ -= !each->left_out;
      each->left_out = true;
      each->column.numbers = {};
      each->column.texts = {};
    }
  }

  bool number(double n, const std::string& digits) {
    return value([&](JsonColumn& column) { column.add_number(n, digits); });
  }

  template <class F>
  bool value(F add) {
    if (levels_.size() <= base_) throw wrong("expected an object or a list, found a single value");
    if (levels_.back().is_read()) {
      JsonColumn& column = column_of(named());
      if (!column.left_out) {
        column.fill_to(rows_);
        if (column.rows > rows_) throw wrong(shown(column.column.name) + " is named twice");
        add(column);
      }
    }
    ++levels_.back().next;
    return true;
  }

  void check_cells() const {
    require_density(file_.path(), std::uint64_t{rows_} * columns_read_, "cells", file_.bytes_read());
  }

  JsonColumn& column_of(Named& value) {
    if (value.column) return *value.column;
    std::string name = this->name();
    if (const auto same = places_.find(name); same != places_.end()) {
      value.column = same->second;
    } else {
      if (columns_.size() >= maximum_columns) throw wrong("more than 1,000,000 columns");
      check_cells();
      require_memory(file_.path(), static_cast<double>(rows_) * sizeof(double));
      columns_.emplace_back().column.name = std::move(name);
      value.column = &columns_.back();
      places_.emplace(value.column->column.name, value.column);
      ++columns_read_;
    }
    for (const Level& around : levels_)
      if (around.named) around.named->holds_columns = true;
    if (const Level& around = levels_.back(); around.list && around.named)
      around.named->list->elements.push_back(value.column);
    return *value.column;
  }

  const InputFile& file_;
  std::size_t base_;  // levels around a row
  std::size_t rows_ = 0;
  std::string header_;  // says that the first row, which is not counted, names the columns
  std::vector<Level> levels_;
  std::deque<JsonColumn> columns_;
  std::size_t columns_read_ = 0;
  ByTextView<JsonColumn*> places_;     // of columns, by name
  std::map<std::string, List> lists_;  // by name
  std::deque<Named> named_;
  ByText<std::size_t> places_of_named_;
  std::string key_;  // in places_of_named_
  RepeatedTexts names_{RepeatedTexts::of_names};
};

// What the beginning of a file shows.
struct JsonBeginning {
  explicit JsonBeginning(const InputFile& file) : named_as_lines(has_ending(file.path(), ".jsonl .ndjson")) {
    const auto after_blanks = [](std::string_view text) {
      return text.substr(std::min(text.find_first_not_of(json_blanks), text.size()));
    };
    const std::string_view text = after_blanks(file.head());
    line = text.substr(0, text.find('\n')), after_line = text.substr(line.size());
    const bool cut_off = after_line.empty() && !file.head_is_all();
    line_is_value = nlohmann::json::accept(with_nulls(line)) || (named_as_lines && cut_off);
    if (text.empty()) return;
    const std::string_view rest = after_blanks(text.substr(1));
    first = text.front(), second = rest.empty() ? '\0' : rest.front();
  }

  // Whether the whole file is one list of rows: not each line one of them.
  bool is_list() const {
    if (first != '[') return false;
    const bool of_rows = second == '[' || second == '{';
    const bool only_line = after_line.find_first_not_of(json_blanks) == std::string_view::npos;
    return !line_is_value || (only_line && of_rows);
  }

  bool named_as_lines;
  char first = '\0', second = '\0';  // that are not blank
  std::string_view line, after_line;
  bool line_is_value = false;  // the first line; or it may be, as it is longer than what is seen
};

// Whether the first bytes are lines of JSON, each an object or a list, or a list of objects or lists. A single object
// is a table of one row only in a file whose name ends in .jsonl or .ndjson.
bool is_json_table(const InputFile& file) {
  const JsonBeginning begins(file);
  if (begins.first == '[')
    return begins.second == '{' || begins.second == '[' || begins.line_is_value ||
           (file.head_is_all() && nlohmann::json::accept(with_nulls(file.head())));
  if (begins.first != '{' || (begins.second != '"' && begins.second != '}') || !begins.line_is_value) return false;
  // A single object is a table only if nothing says that it is something else: GeoJSON, a graph, a notebook.
  return begins.named_as_lines || begins.after_line.find('{') != std::string_view::npos;
}

// Reads numbers, texts, truth values (1 and 0) and nulls (missing) by their names; objects in objects become
// NAME.KEY, lists of numbers of one length NAME_0, NAME_1, …; texts that are ISO dates become dates. Without names
// (lists) columns are numbered. Other values are named in the remarks. Columns
// named in `as_texts` keep words for missing values, "NA", beside their numbers. Throws Error (input) with the line;
// Error (run) if memory does not suffice; Cancelled. O(bytes + rows · columns).
Table read_json_table(InputFile& file, const std::vector<std::string>& as_texts, LoadProgress* progress) {
  Table table;
  table.source = file.path();
  const bool list = JsonBeginning(file).is_list();
  JsonRows rows(file, list);
  if (list) {
    table.format = "JSON list";
    FileBuffer buffer(file);
    if (!nlohmann::json::sax_parse(std::istreambuf_iterator<char>(&buffer), std::istreambuf_iterator<char>(), &rows))
      throw file_error(file.path(), "row " + std::to_string(rows.rows_passed() + 1) + ": " + rows.flaw());
  } else {
    table.format = "JSON Lines";
    TextLines lines(file);
    while (lines.next()) {
      if (lines.text().find_first_not_of(json_blanks) == std::string_view::npos) continue;
      if (progress && progress->cancelled) throw Cancelled{};
      rows.line = lines.number();
      rows.begin_line();
      if (!nlohmann::json::sax_parse(with_nulls(lines.text()), &rows))
        throw file_error(file.path(), lines.number(), rows.flaw());
    }
    table.row_lines = std::move(rows.row_lines);
  }
  table.rows = rows.rows();
  if (table.rows == 0) throw file_error(file.path(), "has no rows");
  rows.finish(table, as_texts);
  if (table.columns.empty())
    throw file_error(file.path(),
                     "no column can be read" + (table.remarks.empty() ? std::string() : ": " + table.remarks.front()));
  return table;
}

}  // namespace

extern const FileFormat json_lines_format = {
    .name = "JSON Lines",
    .endings = ".jsonl .ndjson .json",
    .fit = [](InputFile& file) { return fit_if(is_json_table(file), Fit::likely); },
    .read =
        [](const SourceFile& source) {
          return read_json_table(source.file, source.request.format.texts, source.progress);
        }};

}  // namespace kinescope::sim
