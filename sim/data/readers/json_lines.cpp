#include "sim/data/readers/json_lines.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <streambuf>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/csv/csv_block.hpp"
#include "sim/data/readers/csv/csv_names.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/readers/file_format.hpp"
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

  void fill_to(std::size_t row) {
    if (rows >= row) return;
    for (; rows < row; ++rows) {
      column.numbers.push_back(no_value);
      if (!column.texts.empty()) column.texts.emplace_back();
    }
  }
  void fill_texts() {
    for (std::size_t row = column.texts.size(); row < rows; ++row)
      column.texts.push_back(number_text(column.numbers, row));
  }
  void add_number(double number, const std::string& digits) {
    const bool exact = digits.empty() || !loses_digits(digits, number);
    if (!exact || texts > 0) fill_texts();
    column.numbers.push_back(number);
    ++rows, ++numbers;
    if (!exact)
      column.texts.push_back(digits);
    else if (!column.texts.empty())
      column.texts.push_back(number_text(column.numbers, rows - 1));
  }
  void add_text(std::string text) {
    fill_texts();
    column.numbers.push_back(no_value);
    column.texts.push_back(std::move(text));
    ++rows, ++texts;
  }
};

// The file for the parser, which asks for one byte after the other. What InputFile::read throws passes through it.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(InputFile& file) : file_(file) {}

 protected:
  int_type underflow() override {
    const std::size_t count = file_.read(block_.data(), block_.size());
    setg(block_.data(), block_.data(), block_.data() + count);
    return count == 0 ? traits_type::eof() : traits_type::to_int_type(block_.front());
  }

 private:
  InputFile& file_;
  std::vector<char> block_ = std::vector<char>(1 << 18);
};

// Receives the values of one line, or of the whole list, from the parser, which does not recurse.
class JsonRows : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonRows(const InputFile& file, bool list) : file_(file), base_(list ? 1 : 0) {}

  std::size_t rows() const { return rows_; }
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
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

  void begin_line() { levels_.clear(); }

  void finish(Table& table) {
    check_cells();
    std::vector<std::string> names;
    std::unordered_set<std::string> outer;  // names whose values are objects or lists in other rows
    for (const JsonColumn& each : columns_)
      for (std::size_t cut = 0; (cut = each.column.name.find_first_of("._", cut)) != std::string::npos; ++cut)
        outer.insert(each.column.name.substr(0, cut));
    for (JsonColumn& each : columns_) {
      if (each.numbers + each.texts == 0 && outer.contains(each.column.name)) continue;
      if (skipped_.contains(each.column.name)) continue;
      each.fill_to(rows_);
      if (each.texts > 0 && each.numbers > 0)
        table.remarks.push_back(shown(each.column.name) + " has numbers and texts: it is read as texts");
      if (each.texts > 0) {
        each.fill_texts();
        each.column.is_text = true;
        each.column.numbers = {};
        if (count_dates(each.column).is_of_dates()) turn_into_days(each.column);
      }
      names.push_back(each.column.name);
      table.columns.push_back(std::move(each.column));
    }
    names = column_names(names);
    for (std::size_t i = 0; i < names.size(); ++i) table.columns[i].name = std::move(names[i]);
    for (const auto& [name, why] : skipped_) table.remarks.push_back(shown(name) + " is not read: " + why);
  }

 private:
  static constexpr std::size_t deepest = 64;
  struct Level {
    bool list = false;
    std::string key;       // of the value that comes next in an object
    std::size_t next = 0;  // its place in a list
  };

  Error wrong(const std::string& what) const {
    return line > 0 ? file_error(file_.path(), line, what)
                    : file_error(file_.path(), "row " + std::to_string(rows_ + 1) + ": " + what);
  }

  bool open(bool list) {
    if (levels_.size() >= deepest) throw wrong("is nested too deep: more than 64 levels");
    if (levels_.size() == base_ && rows_ >= maximum_rows) throw wrong("too many rows");
    if (levels_.size() >= base_ + 2 && levels_.back().list)
      skip_list(name_of(levels_.size() - 1), "it holds lists or objects in lists");
    levels_.push_back({.list = list});
    return true;
  }
  bool close() {
    const Level closed = std::move(levels_.back());
    levels_.pop_back();
    if (levels_.size() == base_) {
      ++rows_;
      row_lines.push_back(line);
      constexpr std::size_t first_check = 1 << 16;
      if (rows_ >= first_check && std::has_single_bit(rows_))  // as many rows again may follow
        require_memory(file_.path(),
                       static_cast<double>(rows_) * static_cast<double>(columns_.size()) * sizeof(double));
    } else if (levels_.size() > base_) {
      if (closed.list) {
        const std::string name = name_of(levels_.size());
        const auto [known, is_new] = lengths_.try_emplace(name, closed.next);
        if (!is_new && known->second != closed.next)
          skip_list(name, "its lists have different lengths, " + std::to_string(known->second) + " and " +
                              std::to_string(closed.next));
      }
      ++levels_.back().next;
    }
    return true;
  }

  // The name of the value that comes next in the innermost of the first `levels` levels: a, c0, a.b, a.b_0.
  std::string name_of(std::size_t levels) const {
    const Level& row = levels_[base_];
    std::string name = row.list ? numbered_name(row.next) : row.key;
    for (std::size_t i = base_ + 1; i < levels; ++i)
      name += levels_[i].list ? "_" + std::to_string(levels_[i].next) : "." + levels_[i].key;
    return name;
  }
  // Whether the value that comes next is in a list that holds lists or objects, or whose lengths differ.
  bool is_skipped() const {
    for (std::size_t i = base_ + 1; i < levels_.size(); ++i)
      if (levels_[i].list && (i + 1 < levels_.size() || skipped_.contains(name_of(i)))) return true;
    return false;
  }
  // Leaves out all columns of a name whose lists cannot be columns.
  void skip_list(const std::string& name, const std::string& why) {
    if (!skipped_.try_emplace(name, why).second) return;
    std::erase_if(columns_, [&](const JsonColumn& each) {
      return each.column.name.starts_with(name + "_") &&
             each.column.name.find_first_not_of("0123456789", name.size() + 1) == std::string::npos;
    });
    places_.clear();
    for (std::size_t i = 0; i < columns_.size(); ++i) places_[columns_[i].column.name] = i;
  }

  bool number(double n, const std::string& digits) {
    return value([&](JsonColumn& column) { column.add_number(n, digits); });
  }

  template <class F>
  bool value(F add) {
    if (levels_.size() <= base_) throw wrong("expected an object or a list, found a single value");
    if (!is_skipped()) {
      JsonColumn& column = column_of(name_of(levels_.size()));
      column.fill_to(rows_);
      if (column.rows > rows_) throw wrong(shown(column.column.name) + " is named twice");
      add(column);
    }
    ++levels_.back().next;
    return true;
  }

  void check_cells() const {
    require_density(file_.path(), std::uint64_t{rows_} * columns_.size(), "cells", file_.bytes_read());
  }

  JsonColumn& column_of(std::string name) {
    const auto [found, is_new] = places_.try_emplace(std::move(name), columns_.size());
    if (is_new) {
      if (columns_.size() >= maximum_columns) throw wrong("more than 1,000,000 columns");
      check_cells();
      require_memory(file_.path(), static_cast<double>(rows_) * sizeof(double));
      columns_.push_back({});
      columns_.back().column.name = found->first;
    }
    return columns_[found->second];
  }

  const InputFile& file_;
  std::size_t base_;  // levels around a row
  std::size_t rows_ = 0;
  std::vector<Level> levels_;
  std::vector<JsonColumn> columns_;
  std::unordered_map<std::string, std::size_t> places_, lengths_;
  std::unordered_map<std::string, std::string> skipped_;
};

}  // namespace

bool is_json_table(const InputFile& file) {
  std::string_view head = file.head();
  const auto next = [&] {
    head.remove_prefix(std::min(head.find_first_not_of(json_blanks), head.size()));
    const char c = head.empty() ? '\0' : head.front();
    head.remove_prefix(head.empty() ? 0 : 1);
    return c;
  };
  const std::string_view line = head.substr(0, head.find('\n'));
  const bool whole_line = nlohmann::json::accept(line.begin(), line.end());
  const char first = next(), second = next();
  if (first == '[')
    return second == '{' || second == '[' || (whole_line && (second == '-' || (second >= '0' && second <= '9')));
  if (first != '{' || second != '"' || !whole_line) return false;
  if (has_ending(file.path(), ".jsonl .ndjson")) return true;
  // A single object is a table only if nothing says that it is something else: GeoJSON, a graph, a notebook.
  const std::string_view rest = head.substr(std::min(head.size(), head.find('\n')));
  return rest.find('{') != std::string_view::npos;
}

Table read_json_table(InputFile& file, LoadProgress* progress) {
  Table table;
  table.source = file.path();
  const std::string_view head = file.head();
  const std::string_view begin = head.substr(std::min(head.size(), head.find_first_not_of(json_blanks)));
  const std::string_view first_line = begin.substr(0, begin.find('\n'));
  // Each line is a list, or the whole file is one.
  const bool more_lines = begin.find_first_not_of(json_blanks, first_line.size()) != std::string_view::npos;
  const bool list =
      begin.starts_with('[') && (!nlohmann::json::accept(first_line.begin(), first_line.end()) ||
                                 (!more_lines && first_line.find_first_of("[{", 1) != std::string_view::npos));
  JsonRows rows(file, list);
  if (list) {
    table.format = "JSON list";
    FileBuffer buffer(file);
    if (!nlohmann::json::sax_parse(std::istreambuf_iterator<char>(&buffer), std::istreambuf_iterator<char>(), &rows))
      throw file_error(file.path(), "row " + std::to_string(rows.rows() + 1) + ": is not valid JSON");
  } else {
    table.format = "JSON Lines";
    TextLines lines(file);
    while (lines.next()) {
      if (lines.text().find_first_not_of(json_blanks) == std::string_view::npos) continue;
      if (progress && progress->cancelled) throw Cancelled{};
      rows.line = lines.number();
      rows.begin_line();
      if (!nlohmann::json::sax_parse(lines.text().begin(), lines.text().end(), &rows))
        throw file_error(file.path(), lines.number(), "is not valid JSON");
    }
    table.row_lines = std::move(rows.row_lines);
  }
  table.rows = rows.rows();
  if (table.rows == 0) throw file_error(file.path(), "has no rows");
  rows.finish(table);
  if (table.columns.empty())
    throw file_error(file.path(),
                     "no column can be read" + (table.remarks.empty() ? std::string() : ": " + table.remarks.front()));
  return table;
}

}  // namespace kinescope::sim
