#include "sim/data/readers/npy.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/readers/npy_header.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t block_bytes = 1 << 20;

void read_values(InputFile& file, const NpyLayout& layout, Table& table) {
  const NpyDecode decode = npy_decoder(layout);
  const std::size_t total = layout.rows * layout.columns, block = block_bytes / layout.value_bytes;
  std::vector<char> bytes(block_bytes);
  std::size_t row = 0, column = 0;
  for (std::size_t done = 0; done < total;) {
    const std::size_t count = std::min(block, total - done);
    read_exactly(file, bytes.data(), count * layout.value_bytes, "its data");
    for (std::size_t i = 0; i < count; ++i) {
      const double value = decode(bytes.data() + i * layout.value_bytes, layout.swapped);
      const auto rounded = static_cast<float>(value);
      if (std::isinf(rounded))
        throw file_error(file.path(), "row " + std::to_string(row) + ", column " + std::to_string(column) +
                                          " (from 0): " + (std::isinf(value) ? "an infinity" : "a number") +
                                          " beyond float32");
      table.columns[column].numbers.push_back(rounded);
      if (layout.fortran ? ++row == layout.rows : ++column == layout.columns) {
        layout.fortran ? (row = 0, ++column) : (column = 0, ++row);
      }
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
