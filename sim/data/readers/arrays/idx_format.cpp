// IDX files (Y. LeCun, "The MNIST database": arrays of bytes, integers or floats, big-endian).
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <optional>
#include <tuple>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr bool little_endian = std::endian::native == std::endian::little;

// The type of values that a header's third byte names; of no bytes if there is none.
NpyLayout idx_type(char code) {
  static constexpr std::array<std::tuple<char, char, std::size_t>, 6> types = {
      {{0x08, 'u', 1}, {0x09, 'i', 1}, {0x0B, 'i', 2}, {0x0C, 'i', 4}, {0x0D, 'f', 4}, {0x0E, 'f', 8}}};
  NpyLayout found{.value_bytes = 0, .swapped = little_endian};
  for (const auto& [name, kind, bytes] : types)
    if (name == code) found.kind = kind, found.value_bytes = bytes;
  return found;
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

struct IdxHeader {
  NpyLayout type;
  std::vector<std::uint64_t> sizes;  // of each dimension

  bool holds_bytes() const { return type.kind == 'u'; }
};

IdxHeader read_idx_header(InputFile& file) {
  std::array<char, 4> word{};
  const auto read_word = [&] { file.read_exactly(word.data(), word.size(), "its header"); };
  read_word();
  IdxHeader header{idx_type(word[2]), std::vector<std::uint64_t>(static_cast<unsigned char>(word[3]))};
  if (word[0] != 0 || word[1] != 0 || header.type.value_bytes == 0 || header.sizes.empty())
    throw file_error(file.path(), "not an IDX file");
  for (std::uint64_t& size : header.sizes) {
    read_word();
    size = big_endian({word.data(), word.size()});
  }
  return header;
}

std::string stated_by(const IdxHeader& header) {
  return "the " + sizes_text(header.sizes) + " values that its header states";
}

// Calls f(record, index in the record, value) for all values. Bytes too many are an error: they may have been inserted
// anywhere, and then all values behind them are wrong.
template <class F>
void read_values(InputFile& file, const IdxHeader& header, std::uint64_t record, F f) {
  const NpyDecode decode = npy_decoder(header.type);
  const std::size_t bytes = header.type.value_bytes, rows = header.sizes[0];
  std::vector<char> block(record * bytes);
  for (std::size_t row = 0; row < rows; ++row) {
    file.read_exactly(block.data(), block.size(), "its data");
    for (std::size_t k = 0; k < record; ++k) {
      const double value = decode(block.data() + k * bytes, little_endian);
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
  return head.size() >= 12 && head[0] == 0 && head[1] == 0 && idx_type(head[2]).value_bytes > 0 && head[3] >= 2 &&
         head[3] <= 8;
}

// Of numbers alone: those that belong to the pictures of another file.
bool is_idx_labels(const InputFile& file) {
  const std::string_view head = file.head();
  if (head.size() < 8 || head[0] != 0 || head[1] != 0 || head[3] != 1) return false;
  const std::uint64_t count = big_endian(head.substr(4, 4)), bytes = idx_type(head[2]).value_bytes;
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
  const bool pixels = header.holds_bytes();  // 0 … 1
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
