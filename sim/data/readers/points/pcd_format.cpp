// Point clouds of the Point Cloud Library (pointclouds.org, "The PCD file format", 0.7).
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <liblzf/lzf.h>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/points/point_cloud.hpp"
#include "sim/data/readers/records.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr bool swapped = std::endian::native == std::endian::big;

struct PcdHeader {
  std::vector<RecordField> fields;
  std::size_t record_bytes = 0;
  std::uint64_t points = 0;
  std::string_view data;  // "ascii", "binary", "binary_compressed"
  std::size_t bytes = 0, lines = 0;
};

std::vector<std::string_view> words_of_line(std::string_view rest) {
  std::vector<std::string_view> words;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) words.push_back(word);
  return words;
}

class PcdHeaderParser {
 public:
  explicit PcdHeaderParser(const InputFile& file) : path_(file.path()), head_(file.head()) {}

  PcdHeader parse();

 private:
  Error error(const std::string& message) const { return file_error(path_, header_.lines, message); }
  std::uint64_t whole(std::string_view word) const {
    std::uint64_t number = 0;
    const auto [stop, status] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || status != std::errc() || stop != word.data() + word.size())
      throw error("expected a whole number, found " + shown(word));
    return number;
  }
  void make_fields();

  const std::string path_;
  std::string_view head_;
  PcdHeader header_;
  std::vector<std::string_view> names_, sizes_, types_, counts_;
};

void PcdHeaderParser::make_fields() {
  if (names_.empty() || sizes_.size() != names_.size() || types_.size() != names_.size() ||
      (!counts_.empty() && counts_.size() != names_.size()))
    throw error("FIELDS, SIZE, TYPE and COUNT must have as many words");
  for (std::size_t i = 0; i < names_.size(); ++i) {
    RecordField field{to_utf8(names_[i]), '\0', whole(sizes_[i]), 0};
    const std::uint64_t count = counts_.empty() ? 1 : whole(counts_[i]);
    for (const auto& [name, kind] : {std::pair("I", 'i'), std::pair("U", 'u'), std::pair("F", 'f')})
      if (types_[i] == name) field.kind = kind;
    const bool known = field.kind == 'f' ? field.bytes == 4 || field.bytes == 8
                                         : field.kind != '\0' && std::has_single_bit(field.bytes) && field.bytes <= 8;
    if (!known) throw error("unknown type " + shown(types_[i]) + " of size " + shown(sizes_[i]));
    if (count > maximum_columns || header_.fields.size() + count > maximum_columns) throw error("too many fields");
    for (std::uint64_t k = 0; k < count; ++k) {
      RecordField& each = header_.fields.emplace_back(field);
      if (count > 1) each.name += "_" + std::to_string(k);
      each.at = header_.record_bytes;
      header_.record_bytes += field.bytes;
    }
  }
  if (header_.record_bytes == 0) throw error("no fields");
}

PcdHeader PcdHeaderParser::parse() {
  std::uint64_t width = 0, height = 1;
  bool counted = false;
  for (;;) {
    ++header_.lines;
    const std::size_t end = head_.find('\n', header_.bytes);
    if (end == std::string_view::npos) throw error("cut off: the PCD header has no DATA line");
    std::string_view line = head_.substr(header_.bytes, end - header_.bytes);
    header_.bytes = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::vector<std::string_view> words = words_of_line(line);
    if (words.empty() || words[0].starts_with('#')) continue;
    const std::string_view key = words[0];
    words.erase(words.begin());
    const auto first = [&] { return words.empty() ? std::string_view() : words[0]; };
    if (key == "FIELDS" || key == "COLUMNS") names_ = words;
    if (key == "SIZE") sizes_ = words;
    if (key == "TYPE") types_ = words;
    if (key == "COUNT") counts_ = words;
    if (key == "WIDTH") width = whole(first());
    if (key == "HEIGHT") height = whole(first());
    if (key == "POINTS") header_.points = whole(first()), counted = true;
    if (key != "DATA") continue;
    header_.data = first();
    if (!counted && height > 0 && width > maximum_rows / height) throw error("too many points");
    if (!counted) header_.points = width * height;
    make_fields();
    return std::move(header_);
  }
}

// Three bytes of colour in the four of a number: of `rgb`, often written as a float.
bool is_packed_colour(const RecordField& field) {
  return (field.name == "rgb" || field.name == "rgba") && field.bytes == 4;
}

// The values of the fields that are kept, as columns to be filled point by point.
class PcdColumns {
 public:
  explicit PcdColumns(const PcdHeader& header) {
    for (const RecordField& field : header.fields) {
      if (field.name == "_" || field.name.starts_with("__")) continue;  // padding
      if (is_packed_colour(field))
        for (const char* name : {"r", "g", "b"}) columns.emplace_back().name = name;
      else
        columns.emplace_back().name = field.name;
    }
  }
  void begin_point() { at_ = 0; }
  void add(const RecordField& field, double value) {
    if (field.name == "_" || field.name.starts_with("__")) return;
    if (is_packed_colour(field)) {
      const auto bits = field.kind == 'f'   ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                        : field.kind == 'i' ? static_cast<std::uint32_t>(static_cast<std::int64_t>(value))
                                            : static_cast<std::uint32_t>(value);
      add_colour(bits);
    } else if (is_float_type(field)) {
      columns[at_++].numbers.push_back(static_cast<float>(value));
    } else {
      columns[at_++].numbers.push_back(value);
    }
  }
  void add_colour(std::uint32_t bits) {
    for (const unsigned shift : {16U, 8U, 0U})
      columns[at_++].numbers.push_back(static_cast<float>(bits >> shift & 255));
  }

  std::vector<Column> columns;

 private:
  std::size_t at_ = 0;
};

void add_record(const PcdHeader& header, const char* record, PcdColumns& columns) {
  columns.begin_point();
  for (const RecordField& field : header.fields) {
    if (is_packed_colour(field)) {  // the bits of a NaN are a colour too
      RecordField bits = field;
      bits.kind = 'u';
      columns.add_colour(static_cast<std::uint32_t>(field_value(bits, record, swapped)));
    } else {
      columns.add(field, field_value(field, record, swapped));
    }
  }
}

std::vector<Column> read_pcd_binary(InputFile& file, const PcdHeader& header) {
  const bool plain = std::ranges::none_of(header.fields, [](const RecordField& field) {
    return is_packed_colour(field) || field.name == "_" || field.name.starts_with("__");
  });
  if (plain) return read_records(file, header.fields, header.record_bytes, header.points, swapped);
  require_table(file.path(), header.points, header.fields.size());
  PcdColumns columns(header);
  constexpr std::size_t block_bytes = 1 << 20;
  const std::size_t block = std::max<std::size_t>(1, block_bytes / header.record_bytes);
  std::vector<char> bytes(block * header.record_bytes);
  for (std::uint64_t done = 0; done < header.points;) {
    const std::size_t count = std::min<std::uint64_t>(block, header.points - done);
    file.read_exactly(bytes.data(), count * header.record_bytes, "its data");
    for (std::size_t k = 0; k < count; ++k) add_record(header, bytes.data() + k * header.record_bytes, columns);
    done += count;
  }
  return std::move(columns.columns);
}

// All values of a field, then all of the next, compressed by LZF as one block.
std::vector<Column> read_pcd_compressed(InputFile& file, const PcdHeader& header) {
  const RecordField size{"", 'u', 4, 0};
  char sizes[8] = {};
  file.read_exactly(sizes, sizeof sizes, "its data");
  const auto packed_bytes = static_cast<std::size_t>(field_value(size, sizes, swapped)),
             bytes = static_cast<std::size_t>(field_value(size, sizes + 4, swapped));
  if (bytes / header.record_bytes != header.points || bytes % header.record_bytes != 0)
    throw file_error(file.path(), "damaged: the size of the compressed points does not fit their number");
  if (file.plain_size() > 0 && packed_bytes > file.plain_size())
    throw file_error(file.path(), "the file ends within its data");
  require_table(file.path(), header.points, header.fields.size());
  require_memory(file.path(), static_cast<double>(packed_bytes) + static_cast<double>(bytes));
  std::vector<char> packed;
  constexpr std::size_t step = 8 << 20;  // the size may be false
  while (packed.size() < packed_bytes) {
    const std::size_t before = packed.size(), count = std::min(step, packed_bytes - before);
    packed.resize(before + count);
    file.read_exactly(packed.data() + before, count, "its data");
  }
  // LZF makes at most 264 bytes of 3.
  if (bytes / 88 > packed.size() + 1) throw file_error(file.path(), "damaged: the compressed points are too few");
  std::vector<char> unpacked(bytes);
  if (lzf_decompress(packed.data(), static_cast<unsigned>(packed.size()), unpacked.data(),
                     static_cast<unsigned>(bytes)) != bytes)
    throw file_error(file.path(), "damaged: the compressed points cannot be unpacked");
  PcdColumns columns(header);
  std::vector<char> record(header.record_bytes);
  for (std::uint64_t k = 0; k < header.points; ++k) {
    for (const RecordField& field : header.fields)
      std::memcpy(record.data() + field.at, unpacked.data() + field.at * header.points + k * field.bytes, field.bytes);
    add_record(header, record.data(), columns);
  }
  return std::move(columns.columns);
}

std::vector<Column> read_pcd_ascii(InputFile& file, const PcdHeader& header, std::vector<std::size_t>& row_lines) {
  require_table(file.path(), header.points, header.fields.size());
  PcdColumns columns(header);
  TextLines lines(file);
  std::uint64_t points = 0;
  while (points < header.points && lines.next()) {
    std::string_view rest = lines.text();
    if (rest.find_first_not_of(" \t") == std::string_view::npos) continue;
    const std::size_t number = header.lines + lines.number();
    columns.begin_point();
    for (const RecordField& field : header.fields) {
      const std::string_view word = next_word(rest);
      double value = 0;
      const CellKind kind = parse_cell(word, value);
      if (word.empty()) throw file_error(file.path(), number, "fewer values than the PCD header has fields");
      if (kind == CellKind::text) throw file_error(file.path(), number, "expected a number, found " + shown(word));
      columns.add(field, kind == CellKind::missing ? std::numeric_limits<double>::quiet_NaN() : value);
    }
    if (!next_word(rest).empty()) throw file_error(file.path(), number, "more values than the PCD header has fields");
    row_lines.push_back(number);
    ++points;
  }
  if (points < header.points)
    throw file_error(file.path(), "cut off: " + std::to_string(points) + " of the " + std::to_string(header.points) +
                                      " points that the header states");
  if (const std::size_t line = next_filled_line(lines); line > 0)
    throw file_error(file.path(), header.lines + line, "more points than the PCD header says");
  return std::move(columns.columns);
}

// The fields as columns; `rgb` becomes r, g and b. Missing values are NaN. Throws Error (input) for a damaged header
// and for a file that is cut off; Error (run); Cancelled. O(bytes).
Table read_pcd(const SourceFile& source) {
  InputFile& file = source.file;
  const PcdHeader header = PcdHeaderParser(file).parse();
  const std::string data(header.data);
  std::vector<char> skipped(header.bytes);
  file.read_exactly(skipped.data(), skipped.size(), "its header");
  Table table;
  table.format = "PCD, " + data;
  table.rows = header.points;
  if (data == "ascii")
    table.columns = read_pcd_ascii(file, header, table.row_lines);
  else if (data == "binary")
    table.columns = read_pcd_binary(file, header);
  else if (data == "binary_compressed")
    table.columns = read_pcd_compressed(file, header);
  else
    throw file_error(file.path(), "unknown PCD data " + shown(data));
  if (table.columns.empty()) throw file_error(file.path(), "no fields");
  note_rest(file, "the points", table.remarks);  // there is none in ascii
  let_places_take_part(table);
  return table;
}

bool is_pcd(std::string_view head) {
  while (head.starts_with('#')) head.remove_prefix(std::min(head.find('\n'), head.size() - 1) + 1);
  return head.starts_with("VERSION ") && head.substr(0, 4096).find("\nFIELDS ") != std::string_view::npos;
}

}  // namespace

extern const FileFormat pcd_format = {.name = "PCD point clouds",
                                      .endings = ".pcd",
                                      .fit = [](InputFile& file) { return fit_if(is_pcd(file.head()), Fit::certain); },
                                      .read = read_pcd,
                                      .otherwise = "not a PCD file"};

}  // namespace kinescope::sim
