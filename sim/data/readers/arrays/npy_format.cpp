// NumPy's `.npy` arrays.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/data/readers/arrays/npy.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/records.hpp"
#include "sim/data/row_facts.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t block_bytes = 8 << 20, task_values = 1 << 14;
// Fewer columns than a line of the cache holds are read into columns: all of them together fill no line.
constexpr std::size_t fewest_side_by_side = 16;

// The columns as fields of records, which the rows are.
std::vector<RecordField> fields_of(const NpyLayout& layout) {
  std::vector<RecordField> fields(layout.columns);
  for (std::size_t c = 0; c < fields.size(); ++c)
    fields[c] = {numbered_name(c), layout.kind, layout.value_bytes, c * layout.value_bytes};
  return fields;
}

// Whether a value may be a whole number beyond 2^53.
bool any_beyond_double(const NpyLayout& layout, const char* bytes, std::size_t count) {
  if (layout.swapped) return true;
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  bool beyond = false;
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t value = 0;  // a larger one without a sign is negative here
    std::memcpy(&value, bytes + i * sizeof value, sizeof value);
    beyond |= value > exact || value < (layout.kind == 'i' ? -exact : 0);
  }
  return beyond;
}

// Whole numbers beyond 2^53 need their digits beside the doubles: identifiers are told apart by them. Appends the texts
// of the values [first, first + count) of a column that has such numbers, and of those before them.
void keep_digits(const NpyLayout& layout, const char* bytes, std::size_t first, std::size_t count,
                 std::vector<Column>& columns) {
  if (layout.value_bytes < 8 || layout.kind == 'f') return;
  const auto has_texts = [](const Column& column) { return !column.texts.empty(); };
  if (!any_beyond_double(layout, bytes, count) && std::ranges::none_of(columns, has_texts)) return;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = first + i, row = layout.fortran ? at % layout.rows : at / layout.columns,
                      column = layout.fortran ? at / layout.rows : at % layout.columns;
    const std::string digits = npy_digits(layout, bytes + i * layout.value_bytes);
    std::vector<std::string>& texts = columns[column].texts;
    if (digits.empty() && texts.empty()) continue;
    fill_texts(columns[column], row);
    texts.push_back(digits.empty() ? number_text(columns[column].numbers, row) : digits);
  }
}

// Copies rows to columns, and gives their memory back on the way.
template <class Number>
std::vector<Column> place_and_give_back(const NpyLayout& layout, NumberRows<Number>& rows) {
  constexpr std::size_t together = (64 << 10) / sizeof(Number);  // rows
  const std::vector<RecordField> fields = fields_of(layout);
  RecordColumns columns(fields, layout.columns * sizeof(Number), layout.rows, false);
  for (std::size_t row = 0; row < layout.rows; row += together) {
    const std::size_t count = std::min(together, layout.rows - row);
    Number* const from = rows.values.data() + row * layout.columns;
    columns.decode(reinterpret_cast<const char*>(from), count);
    give_back(from, count * layout.columns * sizeof(Number));
  }
  return columns.finish();
}

// Doubles that all fit into float32, as such; their memory is given back on the way.
std::shared_ptr<NumberRows<float>> as_floats(NumberRows<double>& rows) {
  constexpr std::size_t together = 16 << 20;
  auto made = std::make_shared<NumberRows<float>>();
  made->columns = rows.columns;
  made->values.reserve(rows.values.capacity());
  made->values.resize(rows.values.size());
  for (std::size_t first = 0; first < rows.values.size(); first += together) {
    const std::size_t count = std::min(together, rows.values.size() - first);
    double* const from = rows.values.data() + first;
    in_parallel_ranges(count, task_values, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) made->values[first + i] = static_cast<float>(from[i]);
    });
    give_back(from, count * sizeof(double));
  }
  return made;
}

template <class Number>
void make_columns(const std::shared_ptr<NumberRows<Number>>& rows, const RowFacts<Number>& facts, Table& table) {
  const auto keep = [&](std::size_t c, Numbers numbers) {
    numbers.keep_facts(std::make_shared<const NumberFacts>(facts.of(c, numbers)));
    table.columns[c].numbers = std::move(numbers);
  };
  if constexpr (sizeof(Number) == sizeof(float)) {
    for (std::size_t c = 0; c < rows->columns; ++c) keep(c, Numbers(rows, c, true));
  } else {
    std::size_t fitting = 0;
    for (std::size_t c = 0; c < rows->columns; ++c) fitting += facts.fit_float(c);
    const auto floats = fitting == rows->columns ? as_floats(*rows) : nullptr;
    for (std::size_t c = 0; c < rows->columns; ++c)
      keep(c, floats ? Numbers(floats, c, false) : Numbers(rows, c, facts.fit_float(c)));
  }
}

// Reads rows of floating numbers as they are, and looks at them while they are in the cache. Of rows without gaps the
// columns then are columns of these rows.
template <class Number>
void read_rows(InputFile& file, const NpyLayout& layout, Table& table) {
  constexpr std::size_t together = 4 << 20, part = 512 << 10;  // bytes
  const std::size_t width = layout.columns, row_bytes = width * sizeof(Number),
                    block = std::max<std::size_t>(1, together / row_bytes);
  auto rows = std::make_shared<NumberRows<Number>>();
  rows->columns = width;
  rows->values.reserve(room_for_points(layout.rows) * width);
  rows->values.resize(layout.rows * width);
  std::optional<RowFacts<Number>> facts;
  for (std::size_t row = 0; row < layout.rows; row += block) {
    const std::size_t count = std::min(block, layout.rows - row);
    Number* const to = rows->values.data() + row * width;
    in_parallel((count * row_bytes + part - 1) / part, 1, [&](std::size_t i) {
      populate(reinterpret_cast<char*>(to) + i * part, std::min(part, count * row_bytes - i * part));
    });
    file.read_exactly(reinterpret_cast<char*>(to), count * row_bytes, "its data");
    if (!facts) facts.emplace(to, width);
    facts->look_at(to, count);
  }
  file.expect_end(layout.stated());
  if (facts->complete()) return make_columns(rows, *facts, table);
  table.columns = place_and_give_back(layout, *rows);
}

// Whether read_rows reads the file: its size is known to be true, and it has enough columns for vectors.
bool are_plain_rows(const InputFile& file, const NpyLayout& layout) {
  return file.is_regular() && layout.kind == 'f' && layout.value_bytes >= 4 && !layout.swapped && !layout.fortran &&
         layout.columns >= fewest_side_by_side;
}

// From Fortran: one column after the other.
std::vector<Column> read_by_columns(InputFile& file, const NpyLayout& layout) {
  const std::size_t total = layout.rows * layout.columns, value = layout.value_bytes, block = block_bytes / value;
  const std::vector<RecordField> fields = fields_of(layout);
  std::vector<char> bytes(std::min(block, total) * value);
  std::optional<RecordColumns> columns;
  for (std::size_t done = 0; done < total; done += block) {
    const std::size_t count = std::min(block, total - done);
    file.read_exactly(bytes.data(), count * value, "its data");
    if (!columns) columns.emplace(fields, value, layout.rows, layout.swapped);  // only now: the header may be false
    in_parallel((count + task_values - 1) / task_values, 1, [&](std::size_t task) {
      const std::size_t end = std::min(count, (task + 1) * task_values);
      for (std::size_t i = task * task_values, some = 0; i < end; i += some) {
        const std::size_t column = (done + i) / layout.rows, row = (done + i) % layout.rows;
        some = std::min(layout.rows - row, end - i);
        columns->put(column, row, bytes.data() + i * value, value, some);
      }
    });
    keep_digits(layout, bytes.data(), done, count, columns->columns());
  }
  return columns->finish();
}

void read_values(InputFile& file, const NpyLayout& layout, Table& table) {
  if (are_plain_rows(file, layout))
    return layout.value_bytes == 4 ? read_rows<float>(file, layout, table) : read_rows<double>(file, layout, table);
  const auto keep = [&](const char* records, std::size_t first, std::size_t count, std::vector<Column>& columns) {
    keep_digits(layout, records, first * layout.columns, count * layout.columns, columns);
  };
  table.columns = layout.fortran ? read_by_columns(file, layout)
                                 : read_records(file, fields_of(layout), layout.columns * layout.value_bytes,
                                                layout.rows, layout.swapped, keep);
  file.expect_end(layout.stated());
}

}  // namespace

Table read_npy(InputFile& file) {
  const NpyLayout layout = read_npy_layout(file);
  Table table;
  table.source = file.path();
  table.format = "NumPy array";
  table.rows = layout.rows;
  table.columns.resize(layout.columns);
  for (std::size_t i = 0; i < layout.columns; ++i) table.columns[i].name = numbered_name(i);
  read_values(file, layout, table);
  return table;
}

extern const FileFormat npy_format = {
    .name = "NumPy .npy arrays",
    .endings = ".npy",
    .fit = [](InputFile& file) { return fit_if(file.head().starts_with("\x93NUMPY"), Fit::certain); },
    .read =
        [](const SourceFile& source) {
          const DataRequest& request = source.request;
          const bool stays = request.reading == Reading::matrix && !request.similarities && !request.mean_of_halves &&
                             source.file.plain_size() > 0 && source.place.file != standard_input;
          return stays ? read_npy_distances(source.file, source.progress) : read_npy(source.file);
        },
    .otherwise = "not a NumPy array"};

}  // namespace kinescope::sim
