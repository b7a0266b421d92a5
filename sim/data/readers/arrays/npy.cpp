#include "sim/data/readers/arrays/npy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/core/error.hpp"
#include "sim/core/in_parallel.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/row_facts.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t block_bytes = 8 << 20, task_values = 1 << 14;
// Fewer columns than a line of the cache holds are read into columns: all of them together fill no line.
constexpr std::size_t fewest_side_by_side = 16;

// The columns' numbers while they are read: as float32 for types of which it holds all values, else as double.
struct Targets {
  std::vector<std::span<float>> floats;
  std::vector<std::span<double>> doubles;

  Targets(const NpyLayout& layout, std::vector<Column>& columns) {
    const bool small = layout.value_bytes <= 2 || (layout.kind == 'f' && layout.value_bytes == 4);
    small ? floats.resize(columns.size()) : doubles.resize(columns.size());
    in_parallel(columns.size(), 1, [&](std::size_t i) {
      Numbers& numbers = columns[i].numbers;
      small ? void(floats[i] = numbers.write_floats(layout.rows))
            : void(doubles[i] = numbers.write_doubles(layout.rows));
    });
  }
};

// Puts the values [first, first + count) of the file, in its order, into the columns. `decode` gives value i of these.
template <class Number, class Decode>
void place_in_order(const NpyLayout& layout, std::size_t first, std::size_t count,
                    const std::vector<std::span<Number>>& columns, const Decode& decode) {
  // The file's order is by rows, or, from Fortran, by columns.
  const std::size_t inner = layout.fortran ? layout.rows : layout.columns;
  in_parallel((count + task_values - 1) / task_values, 1, [&](std::size_t task) {
    const std::size_t begin = task * task_values, end = std::min(count, begin + task_values);
    std::size_t outer = (first + begin) / inner, at = (first + begin) % inner;
    for (std::size_t i = begin; i < end; ++i) {
      (layout.fortran ? columns[outer][at] : columns[at][outer]) = decode(i);
      if (++at == inner) at = 0, ++outer;
    }
  });
}

// The same for whole rows, from `row` on: in tiles, so that lines of the cache are read and written whole.
template <class Number, class Decode>
void place_rows(const NpyLayout& layout, std::size_t row, std::size_t count,
                const std::vector<std::span<Number>>& columns, const Decode& decode) {
  constexpr std::size_t tile = 64 / sizeof(Number);
  const std::size_t width = layout.columns, tiles = (count + tile - 1) / tile;
  in_parallel(tiles, std::max<std::size_t>(1, task_values / (tile * width)), [&](std::size_t t) {
    const std::size_t begin = t * tile, end = std::min(begin + tile, count);
    for (std::size_t left = 0; left < width; left += tile)
      for (std::size_t c = left; c < std::min(left + tile, width); ++c) {
        Number* const to = columns[c].data() + row;
        for (std::size_t r = begin; r < end; ++r) to[r] = decode(r * width + c);
      }
  });
}

template <class Number>
void place_values(const NpyLayout& layout, const char* bytes, std::size_t first, std::size_t count,
                  const std::vector<std::span<Number>>& columns) {
  const auto place = [&](const auto& decode) {
    if (layout.fortran || first % layout.columns != 0 || count % layout.columns != 0)
      place_in_order(layout, first, count, columns, decode);
    else
      place_rows(layout, first / layout.columns, count / layout.columns, columns, decode);
  };
  if (layout.kind == 'f' && layout.value_bytes == sizeof(Number) && !layout.swapped)
    return place([&](std::size_t i) {
      Number value;
      std::memcpy(&value, bytes + i * sizeof value, sizeof value);
      return value;
    });
  const NpyDecode decode = npy_decoder(layout);
  place([&](std::size_t i) { return static_cast<Number>(decode(bytes + i * layout.value_bytes, layout.swapped)); });
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
void keep_digits(const NpyLayout& layout, const char* bytes, std::size_t first, std::size_t count, Table& table) {
  if (layout.value_bytes < 8 || layout.kind == 'f') return;
  const auto has_texts = [](const Column& column) { return !column.texts.empty(); };
  if (!any_beyond_double(layout, bytes, count) && std::ranges::none_of(table.columns, has_texts)) return;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = first + i, row = layout.fortran ? at % layout.rows : at / layout.columns,
                      column = layout.fortran ? at / layout.rows : at % layout.columns;
    const std::string digits = npy_digits(layout, bytes + i * layout.value_bytes);
    std::vector<std::string>& texts = table.columns[column].texts;
    if (digits.empty() && texts.empty()) continue;
    for (std::size_t before = texts.size(); before < row; ++before)
      texts.push_back(number_text(table.columns[column].numbers, before));
    texts.push_back(digits.empty() ? number_text(table.columns[column].numbers, row) : digits);
  }
}

// Copies rows to the columns, and gives their memory back on the way.
template <class Number>
void place_and_give_back(const NpyLayout& layout, NumberRows<Number>& rows, Table& table) {
  constexpr std::size_t together = 64 << 10;  // bytes of each column
  Targets targets(layout, table.columns);
  for (std::size_t row = 0; row < layout.rows; row += together / sizeof(Number)) {
    const std::size_t count = std::min(together / sizeof(Number), layout.rows - row) * layout.columns;
    Number* const from = rows.values.data() + row * layout.columns;
    const char* const bytes = reinterpret_cast<const char*>(from);
    if constexpr (sizeof(Number) == sizeof(float))
      place_values(layout, bytes, row * layout.columns, count, targets.floats);
    else
      place_values(layout, bytes, row * layout.columns, count, targets.doubles);
    give_back(from, count * sizeof(Number));
  }
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
  place_and_give_back(layout, *rows, table);
  in_parallel(table.columns.size(), 1, [&](std::size_t i) { table.columns[i].numbers.settle(); });
}

// Whether read_rows reads the file: its size is known to be true, and it has enough columns for vectors.
bool are_plain_rows(const InputFile& file, const NpyLayout& layout) {
  return file.is_regular() && layout.kind == 'f' && layout.value_bytes >= 4 && !layout.swapped && !layout.fortran &&
         layout.columns >= fewest_side_by_side;
}

void read_values(InputFile& file, const NpyLayout& layout, Table& table) {
  if (are_plain_rows(file, layout))
    return layout.value_bytes == 4 ? read_rows<float>(file, layout, table) : read_rows<double>(file, layout, table);
  const std::size_t total = layout.rows * layout.columns, most = block_bytes / layout.value_bytes,
                    block = std::min(total, most < layout.columns ? most : most / layout.columns * layout.columns);
  std::vector<char> bytes(block * layout.value_bytes);
  std::optional<Targets> targets;
  for (std::size_t done = 0; done < total;) {
    const std::size_t count = std::min(block, total - done);
    file.read_exactly(bytes.data(), count * layout.value_bytes, "its data");
    if (!targets) targets.emplace(layout, table.columns);  // only now: a packed file's header may be false
    if (targets->doubles.empty())
      place_values(layout, bytes.data(), done, count, targets->floats);
    else
      place_values(layout, bytes.data(), done, count, targets->doubles);
    keep_digits(layout, bytes.data(), done, count, table);
    done += count;
  }
  file.expect_end(layout.stated());
  in_parallel(table.columns.size(), 1, [&](std::size_t i) { table.columns[i].numbers.settle(); });
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

}  // namespace kinescope::sim
