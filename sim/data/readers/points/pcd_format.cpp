// Point clouds of the Point Cloud Library (pointclouds.org, "The PCD file format", 0.7).
#include <algorithm>
#include <bit>
#include <liblzf/lzf.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
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

class PcdHeaderParser {
 public:
  explicit PcdHeaderParser(const InputFile& file) : path_(file.path()), head_(file.head()) {}

  PcdHeader parse();

 private:
  Error error(const std::string& message) const { return file_error(path_, header_.lines, message); }
  std::uint64_t whole(std::string_view word) const {
    if (const std::optional<std::uint64_t> number = parse_whole(word)) return *number;
    throw error("expected a whole number, found " + shown(word));
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
    std::vector<std::string_view> words = words_of(line);
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

bool is_padding(const RecordField& field) {
  return field.name == "_" || field.name.starts_with("__");
}

// The fields without padding, and the three bytes of packed colours as fields of their own.
std::vector<RecordField> kept_fields(const std::string& path, const PcdHeader& header) {
  std::vector<RecordField> kept;
  for (const RecordField& field : header.fields) {
    if (is_packed_colour(field))
      for (std::size_t k = 0; k < 3; ++k) kept.push_back({std::string(1, "rgb"[k]), 'u', 1, field.at + 2 - k});
    else if (!is_padding(field))
      kept.push_back(field);
  }
  require_table(path, header.points, header.fields.size());
  if (kept.empty()) throw file_error(path, "no fields");
  return kept;
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
  std::vector<RecordField> fields = kept_fields(file.path(), header);
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
  for (RecordField& field : fields) {
    const RecordField& own =
        *std::ranges::find_if(header.fields, [&](const RecordField& each) { return field.at < each.at + each.bytes; });
    field.step = own.bytes;
    field.at += own.at * (header.points - 1);
  }
  RecordColumns columns(fields, header.record_bytes, header.points, swapped);
  columns.decode(unpacked.data(), header.points);
  return columns.finish();
}

// The value of a packed colour as text has it.
std::uint32_t colour_of(const RecordField& field, double value) {
  if (field.kind == 'f') return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return field.kind == 'i' ? static_cast<std::uint32_t>(static_cast<std::int64_t>(value))
                           : static_cast<std::uint32_t>(value);
}

std::vector<Column> read_pcd_ascii(InputFile& file, const PcdHeader& header, std::vector<std::size_t>& row_lines) {
  std::vector<Column> columns;
  for (const RecordField& field : kept_fields(file.path(), header)) columns.emplace_back().name = field.name;
  TextLines lines(file, header.lines);
  std::uint64_t points = 0;
  while (points < header.points && lines.next()) {
    std::string_view rest = lines.text();
    if (trimmed(rest).empty()) continue;
    auto column = columns.begin();
    for (const RecordField& field : header.fields) {
      const std::string_view word = next_word(rest);
      if (word.empty()) throw lines.error("fewer values than the PCD header has fields");
      const double value = lines.value_of(word);
      if (is_padding(field)) continue;
      if (is_packed_colour(field))
        for (const unsigned shift : {16U, 8U, 0U})
          column++->numbers.push_back(static_cast<float>(colour_of(field, value) >> shift & 255));
      else
        add_value(field, value, *column++);
    }
    if (!next_word(rest).empty()) throw lines.error("more values than the PCD header has fields");
    row_lines.push_back(lines.number());
    ++points;
  }
  if (points < header.points)
    throw file_error(file.path(), "cut off: " + std::to_string(points) + " of the " + std::to_string(header.points) +
                                      " points that the header states");
  lines.expect_end("more points than the PCD header says");
  return columns;
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
    table.columns = read_records(file, kept_fields(file.path(), header), header.record_bytes, header.points, swapped);
  else if (data == "binary_compressed")
    table.columns = read_pcd_compressed(file, header);
  else
    throw file_error(file.path(), "unknown PCD data " + shown(data));
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
