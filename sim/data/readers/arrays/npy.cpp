#include "sim/data/readers/arrays/npy.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/in_parallel.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t block_bytes = 8 << 20, task_values = 1 << 14;

// The columns' numbers while they are read: as float32 for types of which it holds all values, else as double.
struct Targets {
  std::vector<std::span<float>> floats;
  std::vector<std::span<double>> doubles;

  Targets(const NpyLayout& layout, std::vector<Column>& columns) {
    const bool small = layout.value_bytes <= 2 || (layout.kind == 'f' && layout.value_bytes == 4);
    for (Column& column : columns)
      small ? floats.push_back(column.numbers.write_floats(layout.rows))
            : doubles.push_back(column.numbers.write_doubles(layout.rows));
  }
};

// Puts the values [first, first + count) of the file, in its order, into the columns.
template <class Number>
void place_values(const NpyLayout& layout, const char* bytes, std::size_t first, std::size_t count,
                  const std::vector<std::span<Number>>& columns) {
  const NpyDecode decode = npy_decoder(layout);
  // The file's order is by rows, or, from Fortran, by columns.
  const std::size_t inner = layout.fortran ? layout.rows : layout.columns;
  in_parallel((count + task_values - 1) / task_values, 1, [&](std::size_t task) {
    const std::size_t begin = task * task_values, end = std::min(count, begin + task_values);
    std::size_t outer = (first + begin) / inner, at = (first + begin) % inner;
    for (std::size_t i = begin; i < end; ++i) {
      const auto value = static_cast<Number>(decode(bytes + i * layout.value_bytes, layout.swapped));
      if (layout.fortran)
        columns[outer][at] = value;
      else
        columns[at][outer] = value;
      if (++at == inner) at = 0, ++outer;
    }
  });
}

// Whole numbers beyond 2^53 need their digits beside the doubles: identifiers are told apart by them. Appends the texts
// of the values [first, first + count) of a column that has such numbers, and of those before them.
void keep_digits(const NpyLayout& layout, const char* bytes, std::size_t first, std::size_t count, Table& table) {
  if (layout.value_bytes < 8 || layout.kind == 'f') return;
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

void read_values(InputFile& file, const NpyLayout& layout, Table& table) {
  const std::size_t total = layout.rows * layout.columns, block = std::min(total, block_bytes / layout.value_bytes);
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
