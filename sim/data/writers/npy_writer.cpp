// Numbers as arrays of NumPy's format 1.0, little-endian, in C order.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "kinescope/data/table_writer.hpp"
#include "kinescope/data/write.hpp"

namespace kinescope::sim {
namespace {

template <class Number, class Bits>
void append_binary(OutputFile& file, Number value) {
  const auto bits = std::bit_cast<Bits>(value);
  char bytes[sizeof bits];
  for (std::size_t i = 0; i < sizeof bits; ++i) bytes[i] = static_cast<char>(bits >> (8 * i));
  file.append({bytes, sizeof bits});
}
void append_float(OutputFile& file, float value) {
  append_binary<float, std::uint32_t>(file, value);
}

std::string npy_header(const std::vector<std::size_t>& shape, const char* type = "<f4") {
  std::string sizes;
  for (const std::size_t size : shape) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  if (shape.size() == 1) sizes += ",";
  std::string dictionary = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
  constexpr std::size_t fixed_bytes = 10, alignment = 64;
  while ((fixed_bytes + dictionary.size() + 1) % alignment != 0) dictionary += ' ';
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

void append_npy(OutputFile& file, const Table& table) {
  std::vector<const Column*> columns;
  for (const Column& column : table.columns)
    if (!column.is_text) columns.push_back(&column);
  const bool single = std::all_of(columns.begin(), columns.end(), [](auto* each) { return each->numbers.fit_float(); });
  file.append(npy_header({table.rows, columns.size()}, single ? "<f4" : "<f8"));
  for (std::size_t row = 0; row < table.rows; ++row)
    for (const Column* column : columns)
      single ? append_float(file, static_cast<float>(column->numbers[row]))
             : append_binary<double, std::uint64_t>(file, column->numbers[row]);
}

}  // namespace

extern const TableWriter npy_writer = {.ending = ".npy", .append = append_npy};

void write_npy(const std::string& path, const Table& table) {
  write_with(npy_writer, path, table);
}

void write_npy(const std::string& path, const std::vector<std::size_t>& shape, std::span<const float> values) {
  OutputFile file(path);
  file.append(npy_header(shape));
  for (const float value : values) append_float(file, value);
  file.keep();
}

}  // namespace kinescope::sim
