// IDX files (Y. LeCun, "The MNIST database": arrays of bytes, integers or floats, big-endian).
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

struct IdxHeader {
  unsigned char type = 0;
  std::vector<std::uint64_t> sizes;  // of each dimension
};

std::size_t value_bytes(unsigned char type) {
  switch (type) {
    case 0x08:
    case 0x09:
      return 1;
    case 0x0B:
      return 2;
    case 0x0C:
    case 0x0D:
      return 4;
    case 0x0E:
      return 8;
    default:
      return 0;
  }
}

IdxHeader read_idx_header(InputFile& file) {
  unsigned char start[4] = {};
  file.read_exactly(reinterpret_cast<char*>(start), 4, "its header");
  IdxHeader header;
  header.type = start[2];
  if (start[0] != 0 || start[1] != 0 || value_bytes(header.type) == 0 || start[3] == 0)
    throw file_error(file.path(), "not an IDX file");
  for (int k = 0; k < start[3]; ++k) {
    unsigned char size[4] = {};
    file.read_exactly(reinterpret_cast<char*>(size), 4, "its header");
    header.sizes.push_back(std::uint64_t{size[0]} << 24 | std::uint64_t{size[1]} << 16 | std::uint64_t{size[2]} << 8 |
                           size[3]);
  }
  return header;
}

std::string stated_by(const IdxHeader& header) {
  std::string sizes;
  for (const std::uint64_t size : header.sizes) sizes += (sizes.empty() ? "" : " × ") + std::to_string(size);
  return "the " + sizes + " values that its header states";
}

double value_of(const unsigned char* bytes, unsigned char type) {
  std::uint64_t bits = 0;
  const std::size_t count = value_bytes(type);
  for (std::size_t k = 0; k < count; ++k) bits = bits << 8 | bytes[k];
  switch (type) {
    case 0x08:
      return static_cast<double>(bits);
    case 0x09:
      return static_cast<std::int8_t>(bits);
    case 0x0B:
      return static_cast<std::int16_t>(bits);
    case 0x0C:
      return static_cast<std::int32_t>(bits);
    case 0x0D:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    default:
      return std::bit_cast<double>(bits);
  }
}

// Calls f(record, index in the record, value) for all values. Bytes too many are an error: they may have been inserted
// anywhere, and then all values behind them are wrong.
template <class F>
void read_values(InputFile& file, const IdxHeader& header, std::uint64_t record, F f) {
  const std::size_t bytes = value_bytes(header.type), rows = header.sizes[0];
  std::vector<char> block(record * bytes);
  for (std::size_t row = 0; row < rows; ++row) {
    file.read_exactly(block.data(), block.size(), "its data");
    for (std::size_t k = 0; k < record; ++k) {
      const double value = value_of(reinterpret_cast<const unsigned char*>(block.data()) + k * bytes, header.type);
      if (std::isinf(static_cast<float>(value)))
        throw file_error(file.path(), "row " + std::to_string(row) + ", value " + std::to_string(k) +
                                          " (from 0): a number beyond float32");
      f(row, k, value);
    }
  }
  file.expect_end(stated_by(header));
}

Column read_labels(const std::string& path, std::size_t rows, LoadProgress* progress) {
  InputFile file(path, progress);
  const IdxHeader header = read_idx_header(file);
  if (header.sizes.size() != 1 || header.sizes[0] != rows)
    throw file_error(path, "expected " + std::to_string(rows) + " labels, one per image");
  Column column{"class", true, {}, std::vector<std::string>(rows)};
  read_values(file, header, 1, [&](std::size_t row, std::size_t, double value) {
    column.texts[row] = std::to_string(static_cast<long>(value));
  });
  file.require_unchanged();
  return column;
}

// True if a file begins like an IDX file of at least two dimensions.
bool is_idx(const InputFile& file) {
  const std::string_view head = file.head();
  return head.size() >= 12 && head[0] == 0 && head[1] == 0 && value_bytes(static_cast<unsigned char>(head[2])) > 0 &&
         head[3] >= 2 && head[3] <= 8;
}

// Of numbers alone: those that belong to the pictures of another file.
bool is_idx_labels(const InputFile& file) {
  const std::string_view head = file.head();
  if (head.size() < 8 || head[0] != 0 || head[1] != 0 || head[3] != 1) return false;
  std::uint64_t count = 0;
  for (std::size_t k = 4; k < 8; ++k) count = count << 8 | static_cast<unsigned char>(head[k]);
  const std::size_t bytes = value_bytes(static_cast<unsigned char>(head[2]));
  return bytes > 0 && count > 0 && (!file.head_is_all() || head.size() == 8 + count * bytes);
}

// The labels beside the pictures `path`: a file of the same name with "labels" and "idx1" instead of "images" and
// "idx3", if there is one. Throws Error (input) if it is not a regular file.
std::optional<std::string> labels_beside(const std::string& path) {
  const std::filesystem::path whole(path);
  std::string name = whole.filename().string();
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"images", "labels"}, {"idx3", "idx1"}}) {
    const std::size_t at = name.rfind(from);
    if (at == std::string::npos) return std::nullopt;
    name.replace(at, from.size(), to);
  }
  const std::filesystem::path beside = whole.parent_path() / name;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(beside, error);
  if (!std::filesystem::exists(status)) return std::nullopt;
  if (!std::filesystem::is_regular_file(status)) throw file_error(beside.string(), "is not a regular file");
  return beside.string();
}

// One row for each record, all further dimensions as columns c0, c1, …; bytes of images are divided by 255. If a file
// beside it has the same name with "labels" and "idx1" instead of "images" and "idx3", its numbers are the column
// `class`. Throws Error (input).
Table read_idx(InputFile& file, LoadProgress* progress) {
  const IdxHeader header = read_idx_header(file);
  std::uint64_t record = 1;
  for (std::size_t k = 1; k < header.sizes.size(); ++k) {
    record *= header.sizes[k];
    if (record > maximum_columns)
      throw file_error(file.path(), "more than " + std::to_string(maximum_columns) + " columns");
  }
  const std::uint64_t rows = header.sizes[0];
  require_table(file.path(), rows, record);
  Table table;
  table.source = file.path();
  table.format = "IDX array";
  table.rows = rows;
  const bool pixels = header.type == 0x08;  // 0 … 1
  read_values(file, header, record, [&](std::size_t row, std::size_t k, double value) {
    if (row == 0) table.columns.emplace_back().name = numbered_name(k);  // only now: the header may be false
    pixels ? table.columns[k].numbers.push_back(static_cast<float>(value / 255))
           : table.columns[k].numbers.push_back(value);
  });
  if (const std::optional<std::string> labels = labels_beside(file.path()))
    table.columns.push_back(read_labels(*labels, rows, progress));
  return table;
}

}  // namespace

extern const FileFormat idx_format = {
    .name = "IDX arrays",
    .endings = "",
    .fit = [](InputFile& file) { return fit_if(is_idx(file) || is_idx_labels(file), Fit::likely); },
    .read =
        [](const SourceFile& source) {
          if (is_idx_labels(source.file))
            throw file_error(
                source.path(),
                "an IDX file of labels alone: open the file of the pictures; labels beside it are read too");
          return read_idx(source.file, source.progress);
        },
    .other_files =
        [](InputFile& file) {
          const std::optional<std::string> labels = is_idx(file) ? labels_beside(file.path()) : std::nullopt;
          return labels ? std::vector<std::string>{*labels} : std::vector<std::string>();
        }};

}  // namespace kinescope::sim
