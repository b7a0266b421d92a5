// From a table to points: which columns take part, which one labels, which rows stay.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/load.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view missing_label = "missing";

std::string known_columns(const Table& table) {
  constexpr std::size_t most = 12;
  std::string names;
  for (std::size_t i = 0; i < table.columns.size() && i < most; ++i)
    names += (i ? ", " : "") + shown(table.columns[i].name);
  if (table.columns.size() > most) names += ", … (" + std::to_string(table.columns.size()) + " in all)";
  return names;
}

const Column& required_column(const Table& table, const std::string& name) {
  const Column* column = table.find(name);
  if (!column)
    throw file_error(table.source, "there is no column " + shown(name) + "; there is " + known_columns(table));
  return *column;
}

// Null if the points have no label. A column that was asked to take part is not taken for the label unasked.
const Column* choose_label(const Table& table, const DataRequest& request) {
  if (!request.label.empty()) return &required_column(table, request.label);
  for (const std::string_view name : {"class", "label"})
    for (const Column& column : table.columns) {
      const bool asked_for =
          std::find(request.columns.begin(), request.columns.end(), column.name) != request.columns.end();
      if (equals_ignoring_case(column.name, name) && !asked_for) return &column;
    }
  return nullptr;
}

bool has_value(const Column& column) {
  return std::any_of(column.numbers.begin(), column.numbers.end(), [](float value) { return !std::isnan(value); });
}

std::vector<const Column*> choose_all_numbers(const Table& table, const Column* label) {
  std::vector<const Column*> chosen;
  for (const Column& column : table.columns)
    if (!column.is_text && &column != label && has_value(column)) chosen.push_back(&column);
  if (chosen.empty()) throw file_error(table.source, "no column of numbers that distances could use");
  return chosen;
}

std::vector<const Column*> choose_columns(const Table& table, const DataRequest& request, const Column* label) {
  if (request.columns.empty()) return choose_all_numbers(table, label);
  std::vector<const Column*> chosen;
  for (const std::string& name : request.columns) {
    const Column& column = required_column(table, name);
    if (&column == label)
      throw file_error(table.source, "column " + shown(name) + " is the label and not used for distances");
    if (column.is_text)
      throw file_error(table.source, "column " + shown(name) + " is text and cannot be used for distances");
    if (!has_value(column)) throw file_error(table.source, "column " + shown(name) + " has no values");
    if (std::find(chosen.begin(), chosen.end(), &column) != chosen.end())
      throw file_error(table.source, "column " + shown(name) + " is asked for twice");
    chosen.push_back(&column);
  }
  return chosen;
}

float mean_of_present(const Column& column) {
  double sum = 0;
  std::size_t count = 0;
  for (const float value : column.numbers)
    if (!std::isnan(value)) sum += value, ++count;
  return static_cast<float>(sum / static_cast<double>(count));
}

// The rows, ascending, without a missing value in any of the columns that take part.
std::vector<std::size_t> complete_rows(const std::vector<const Column*>& columns, std::size_t rows) {
  std::vector<bool> complete(rows, true);
  for (const Column* column : columns)
    for (std::size_t row = 0; row < rows; ++row)
      if (std::isnan(column->numbers[row])) complete[row] = false;
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < rows; ++row)
    if (complete[row]) kept.push_back(row);
  return kept;
}

// [points × dimensions]; in blocks of rows, so that a block's lines of memory are filled while they are in the cache.
void gather_values(const std::vector<const Column*>& columns, const std::vector<std::size_t>& rows, Dataset& dataset) {
  constexpr std::size_t block = 64;
  dataset.values.resize(rows.size() * columns.size());
  std::vector<float> means;
  for (const Column* column : columns) means.push_back(mean_of_present(*column));
  for (std::size_t begin = 0; begin < rows.size(); begin += block)
    for (std::size_t column = 0; column < columns.size(); ++column)
      for (std::size_t i = begin; i < std::min(begin + block, rows.size()); ++i) {
        const float value = columns[column]->numbers[rows[i]];
        dataset.values[i * columns.size() + column] = std::isnan(value) ? means[column] : value;
      }
}

std::string shortest(float value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

// Classes in ascending order of the number; rows without one form the last class.
void label_by_number(const Column& column, Dataset& dataset) {
  std::vector<float> distinct;
  for (const float value : column.numbers)
    if (!std::isnan(value)) distinct.push_back(value);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());  // 0 and −0 are one class
  for (const float value : distinct) dataset.label_names.push_back(shortest(value == 0 ? 0.0f : value));
  if (std::any_of(column.numbers.begin(), column.numbers.end(), [](float value) { return std::isnan(value); }))
    dataset.label_names.emplace_back(missing_label);
  for (const float value : column.numbers) {
    const auto found = std::isnan(value) ? distinct.end() : std::lower_bound(distinct.begin(), distinct.end(), value);
    dataset.labels.push_back(static_cast<std::uint32_t>(found - distinct.begin()));
  }
}

// Classes in the order of their bytes, shorter ones first where all are whole numbers' texts ("2" before "10"); rows
// without a text form the last class.
void label_by_text(const Column& column, Dataset& dataset) {
  std::unordered_map<std::string_view, std::uint32_t> index;
  for (const std::string& text : column.texts) index.emplace(text, 0);
  std::vector<std::string_view> distinct;
  for (const auto& [text, unused] : index)
    if (!text.empty()) distinct.push_back(text);
  const bool numbered = std::all_of(distinct.begin(), distinct.end(), [](std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos && (text.size() == 1 || text.front() != '0');
  });
  std::sort(distinct.begin(), distinct.end(), [&](std::string_view a, std::string_view b) {
    return numbered && a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  if (index.contains("")) distinct.emplace_back("");
  for (const std::string_view text : distinct) {
    index[text] = static_cast<std::uint32_t>(dataset.label_names.size());
    dataset.label_names.emplace_back(text.empty() ? missing_label : text);
  }
  for (const std::string& text : column.texts) dataset.labels.push_back(index[text]);
}

template <class T>
void keep_rows(std::vector<T>& values, const std::vector<std::size_t>& rows) {
  if (values.empty() || rows.size() == values.size()) return;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (i != rows[i]) values[i] = std::move(values[rows[i]]);
  values.resize(rows.size());
}

// Takes the other rows out of the table and notes their lines, or their numbers from 1 where lines mean nothing.
void leave_out_rows(const std::vector<std::size_t>& kept, Table& table, std::vector<std::size_t>& left_out) {
  std::size_t next = 0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (next < kept.size() && kept[next] == row)
      ++next;
    else
      left_out.push_back(table.row_lines.empty() ? row + 1 : table.row_lines[row]);
  }
  for (Column& column : table.columns) {
    keep_rows(column.numbers, kept);
    keep_rows(column.texts, kept);
  }
  keep_rows(table.row_lines, kept);
  table.rows = kept.size();
}

std::vector<std::size_t> choose_rows(const Table& table, const std::vector<const Column*>& columns, Missing missing) {
  if (table.rows == 0) throw file_error(table.source, "no rows");
  std::vector<std::size_t> rows =
      missing == Missing::mean ? std::vector<std::size_t>() : complete_rows(columns, table.rows);
  if (missing == Missing::mean)
    for (std::size_t row = 0; row < table.rows; ++row) rows.push_back(row);
  if (rows.empty())
    throw file_error(table.source, "no rows left: each of the " + std::to_string(table.rows) + " rows" +
                                       " has a missing value; `--missing mean` fills them in");
  return rows;
}

void check_finite(const Table& table, const std::vector<const Column*>& columns) {
  for (const Column* column : columns)
    for (const float value : column->numbers)
      if (std::isinf(value))
        throw file_error(table.source, "column " + shown(column->name) + ": an infinity is beyond float32");
}

void colour_by_pixels(const Table& table, Dataset& dataset) {
  const Column* channels[3] = {table.find("r"), table.find("g"), table.find("b")};
  dataset.colours.resize(table.rows);
  for (std::size_t i = 0; i < table.rows; ++i) {
    for (std::size_t c = 0; c < 3; ++c) dataset.colours[i][c] = static_cast<std::uint8_t>(channels[c]->numbers[i]);
    dataset.colours[i][3] = 255;
  }
}

}  // namespace

Dataset make_dataset(Table table, const DataRequest& request) {
  Dataset dataset;
  dataset.name = file_name(table.source);
  const Column* label = choose_label(table, request);
  const std::vector<const Column*> columns = choose_columns(table, request, label);
  check_finite(table, columns);
  const std::vector<std::size_t> rows = choose_rows(table, columns, request.missing);
  dataset.points = rows.size();
  dataset.dimensions = columns.size();
  for (const Column* column : columns) dataset.value_names.push_back(column->name);
  gather_values(columns, rows, dataset);
  leave_out_rows(rows, table, dataset.rows_left_out);  // the columns stay where they are
  if (label) {
    dataset.label_name = label->name;
    label->is_text ? label_by_text(*label, dataset) : label_by_number(*label, dataset);
  }
  if (table.picture) {  // no pixel lacks a value: all rows are there
    dataset.picture = table.picture;
    colour_by_pixels(table, dataset);
  }
  dataset.table = std::move(table);
  return dataset;
}

}  // namespace kinescope::sim
