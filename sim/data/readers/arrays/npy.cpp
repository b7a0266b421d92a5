#include "sim/data/readers/arrays/npy.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/in_parallel.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t block_bytes = 8 << 20, task_values = 1 << 14;

// Puts the values [first, first + count) of the file, in its order, into the columns. Values beyond float32 become
// infinities; returns the first of them, or count.
std::size_t place_values(const NpyLayout& layout, const char* bytes, std::size_t first, std::size_t count,
                         Table& table) {
  const NpyDecode decode = npy_decoder(layout);
  std::atomic<std::size_t> beyond{count};
  // The file's order is by rows, or, from Fortran, by columns.
  const std::size_t inner = layout.fortran ? layout.rows : layout.columns;
  in_parallel((count + task_values - 1) / task_values, 1, [&](std::size_t task) {
    const std::size_t begin = task * task_values, end = std::min(count, begin + task_values);
    std::size_t outer = (first + begin) / inner, at = (first + begin) % inner;
    for (std::size_t i = begin; i < end; ++i) {
      const auto value = static_cast<float>(decode(bytes + i * layout.value_bytes, layout.swapped));
      if (std::isinf(value))
        for (std::size_t least = beyond; i < least && !beyond.compare_exchange_weak(least, i);) continue;
      if (layout.fortran)
        table.columns[outer].numbers[at] = value;
      else
        table.columns[at].numbers[outer] = value;
      if (++at == inner) at = 0, ++outer;
    }
  });
  return beyond;
}

void read_values(InputFile& file, const NpyLayout& layout, Table& table) {
  const std::size_t total = layout.rows * layout.columns, block = block_bytes / layout.value_bytes;
  std::vector<char> bytes(block_bytes);
  for (std::size_t done = 0; done < total;) {
    const std::size_t count = std::min(block, total - done);
    file.read_exactly(bytes.data(), count * layout.value_bytes, "its data");
    if (done == 0)  // only now that the first data are there: a gzipped file's header may be false
      for (Column& column : table.columns) column.numbers.resize(layout.rows);
    if (const std::size_t beyond = place_values(layout, bytes.data(), done, count, table); beyond < count) {
      const std::size_t at = done + beyond, row = layout.fortran ? at % layout.rows : at / layout.columns,
                        column = layout.fortran ? at / layout.rows : at % layout.columns;
      const double value = npy_decoder(layout)(bytes.data() + beyond * layout.value_bytes, layout.swapped);
      throw file_error(file.path(),
                       "row " + std::to_string(row) + ", column " + std::to_string(column) +
                           " (from 0): " + (std::isinf(value) ? "an infinite value" : "a number beyond float32"));
    }
    done += count;
  }
  if (file.read(bytes.data(), 1) > 0)
    throw file_error(file.path(), "more bytes follow the " + std::to_string(layout.rows) + " × " +
                                      std::to_string(layout.columns) + " values that its header states");
}

}  // namespace

Table read_npy(InputFile& file) {
  const NpyLayout layout = read_npy_layout(file);
  Table table;
  table.source = file.path();
  table.format = file.gzipped() ? "NumPy array, gzipped" : "NumPy array";
  table.rows = layout.rows;
  table.columns.resize(layout.columns);
  for (std::size_t i = 0; i < layout.columns; ++i) table.columns[i].name = numbered_name(i);
  read_values(file, layout, table);
  return table;
}

}  // namespace kinescope::sim
