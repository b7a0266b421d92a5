#include "kinescope/data/write.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>

#include "kinescope/data/output_file.hpp"
#include "kinescope/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

void append_text(OutputFile& file, std::string_view text) {
  const bool plain = text.find_first_of(",;\t\"\r\n") == std::string_view::npos &&
                     (text.empty() || (text.front() != ' ' && text.back() != ' ' && text.front() != '#'));
  if (plain) return file.append(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  file.append(quoted + '"');
}

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

}  // namespace

bool is_open_stream(const std::string& path) {
  std::error_code error;
  const std::string folder = std::filesystem::canonical(std::filesystem::path(path).parent_path(), error).string();
  return !error && folder.starts_with("/proc/") && folder.ends_with("/fd");
}

std::string written_file(const std::string& path) {
  std::filesystem::path file(path);
  std::error_code error;
  for (int links = 0; links < 40 && !is_open_stream(file.string()) &&
                      std::filesystem::is_symlink(std::filesystem::symlink_status(file, error));
       ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(file, error);
    if (error) break;
    file = target.is_absolute() ? target : file.parent_path() / target;
  }
  return file.string();
}

void write_bytes(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  for (std::size_t at = 0; at < bytes.size(); at += 1 << 16) file.append(bytes.substr(at, 1 << 16));
  file.keep();
}

void write_csv(const std::string& path, const Table& table) {
  OutputFile file(path);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) file.append(",");
    append_text(file, table.columns[i].name);
  }
  file.append("\n");
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Column& column = table.columns[i];
      const bool missing = column.is_text ? column.texts[row].empty() : std::isnan(column.numbers[row]);
      if (i > 0) file.append(",");
      if (missing && table.columns.size() == 1) file.append("\"\"");  // a blank line would be skipped when it is read
      if (missing) continue;
      column.texts.empty() ? file.append(number_text(column.numbers, row)) : append_text(file, column.texts[row]);
    }
    file.append("\n");
  }
  file.keep();
}

void write_npy(const std::string& path, const Table& table) {
  std::vector<const Column*> columns;
  for (const Column& column : table.columns)
    if (!column.is_text) columns.push_back(&column);
  OutputFile file(path);
  const bool single = std::all_of(columns.begin(), columns.end(), [](auto* each) { return each->numbers.fit_float(); });
  file.append(npy_header({table.rows, columns.size()}, single ? "<f4" : "<f8"));
  for (std::size_t row = 0; row < table.rows; ++row)
    for (const Column* column : columns)
      single ? append_float(file, static_cast<float>(column->numbers[row]))
             : append_binary<double, std::uint64_t>(file, column->numbers[row]);
  file.keep();
}

void write_npy(const std::string& path, const std::vector<std::size_t>& shape, std::span<const float> values) {
  OutputFile file(path);
  file.append(npy_header(shape));
  for (const float value : values) append_float(file, value);
  file.keep();
}

void write_table(const std::string& path, const Table& table) {
  if (ends_with_ignoring_case(path, ".csv")) return write_csv(path, table);
  if (ends_with_ignoring_case(path, ".npy")) return write_npy(path, table);
  throw file_error(path, "expected a name that ends in .csv or .npy");
}

void write_output(Simulation& simulation, const std::string& output, const std::string& path) {
  if (!simulation.write(output, path)) write_table(path, simulation.table(output));
}

}  // namespace kinescope::sim
