// Polygon files (G. Turk, "The PLY Polygon File Format", 1994): their vertices.
#include <algorithm>
#include <array>
#include <bit>
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

struct PlyProperty {
  RecordField value;  // its name and type; of a list, the type of its values
  bool is_list = false;
  RecordField length;  // of a list
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  bool has_lists() const { return std::ranges::any_of(properties, &PlyProperty::is_list); }
};

struct PlyHeader {
  bool ascii = false, big = false;
  std::vector<PlyElement> elements;
  std::size_t bytes = 0, lines = 0;
};

class PlyHeaderParser {
 public:
  explicit PlyHeaderParser(const InputFile& file) : path_(file.path()), head_(file.head()) {}

  PlyHeader parse();

 private:
  Error error(const std::string& message) const { return file_error(path_, header_.lines, message); }
  std::string_view next_line();
  void add_element(std::string_view rest);
  void add_property(std::string_view rest);
  RecordField type_of(std::string_view word) const;

  const std::string path_;
  std::string_view head_;
  PlyHeader header_;
};

std::string_view PlyHeaderParser::next_line() {
  ++header_.lines;
  const std::size_t end = head_.find_first_of("\r\n", header_.bytes);
  if (end == std::string_view::npos) throw error("cut off: the PLY header has no end_header");
  const std::string_view line = head_.substr(header_.bytes, end - header_.bytes);
  header_.bytes = end + (head_.substr(end, 2) == "\r\n" ? 2 : 1);
  return line;
}

RecordField PlyHeaderParser::type_of(std::string_view word) const {
  struct Type {
    std::string_view name, other;
    char kind;
    std::size_t bytes;
  };
  static constexpr std::array<Type, 8> types = {{{"char", "int8", 'i', 1},
                                                 {"uchar", "uint8", 'u', 1},
                                                 {"short", "int16", 'i', 2},
                                                 {"ushort", "uint16", 'u', 2},
                                                 {"int", "int32", 'i', 4},
                                                 {"uint", "uint32", 'u', 4},
                                                 {"float", "float32", 'f', 4},
                                                 {"double", "float64", 'f', 8}}};
  for (const Type& each : types)
    if (word == each.name || word == each.other) return {"", each.kind, each.bytes, 0};
  throw error("unknown type " + shown(word) + " of a PLY property");
}

void PlyHeaderParser::add_element(std::string_view rest) {
  PlyElement& element = header_.elements.emplace_back();
  element.name = next_word(rest);
  const std::string_view word = next_word(rest);
  const std::optional<std::uint64_t> count = parse_whole(word);
  if (!count) throw error("expected a number of elements, found " + shown(word));
  element.count = *count;
}

void PlyHeaderParser::add_property(std::string_view rest) {
  if (header_.elements.empty()) throw error("a PLY property before the first element");
  PlyProperty property;
  std::string_view word = next_word(rest);
  property.is_list = word == "list";
  if (property.is_list) {
    property.length = type_of(next_word(rest));
    if (property.length.kind == 'f') throw error("the length of a list must be a whole number");
    word = next_word(rest);
  }
  property.value = type_of(word);
  property.value.name = to_utf8(next_word(rest));
  if (property.value.name.empty()) throw error("a PLY property without a name");
  std::vector<PlyProperty>& properties = header_.elements.back().properties;
  if (properties.size() >= maximum_columns) throw error("too many PLY properties");
  properties.push_back(std::move(property));
}

PlyHeader PlyHeaderParser::parse() {
  next_line();  // "ply"
  for (;;) {
    std::string_view rest = next_line();
    const std::string_view key = next_word(rest);
    if (key == "end_header") return std::move(header_);
    if (key == "format") {
      const std::string_view name = next_word(rest);
      header_.ascii = name == "ascii";
      header_.big = name == "binary_big_endian";
      if (!header_.ascii && !header_.big && name != "binary_little_endian")
        throw error("unknown PLY format " + shown(name));
    } else if (key == "element") {
      add_element(rest);
    } else if (key == "property") {
      add_property(rest);
    } else if (!key.empty() && key != "comment" && key != "obj_info") {
      throw error("unknown word in a PLY header: " + shown(key));
    }
  }
}

// One value of a sequence of them in binary.
class PlyBytes {
 public:
  PlyBytes(InputFile& file, bool reversed) : file_(file), reversed_(reversed) {}

  double value(const RecordField& type) {
    char bytes[8] = {};
    file_.read_exactly(bytes, type.bytes, "its data");
    return field_value(type, bytes, reversed_);
  }
  void skip(std::uint64_t bytes) {
    char block[4096];
    for (; bytes > 0; bytes -= std::min<std::uint64_t>(bytes, sizeof block))
      file_.read_exactly(block, std::min<std::uint64_t>(bytes, sizeof block), "its data");
  }

 private:
  InputFile& file_;
  bool reversed_;
};

// Reads one element; `columns` is null to pass over it, else has one for each property that is no list.
void read_element(PlyBytes& bytes, const PlyElement& element, std::vector<Column>* columns) {
  std::size_t column = 0;
  for (const PlyProperty& property : element.properties) {
    if (!property.is_list) {
      const double value = bytes.value(property.value);
      if (columns) add_value(property.value, value, (*columns)[column++]);
    } else {
      const double length = bytes.value(property.length);
      bytes.skip(length > 0 ? static_cast<std::uint64_t>(length) * property.value.bytes : 0);
    }
  }
}

std::vector<Column> columns_of(const PlyElement& element) {
  std::vector<Column> columns;
  for (const PlyProperty& property : element.properties)
    if (!property.is_list) columns.emplace_back().name = property.value.name;
  return columns;
}

std::uint64_t bytes_of(const PlyElement& element) {
  std::uint64_t bytes = 0;
  for (const PlyProperty& property : element.properties) bytes += property.value.bytes;
  return bytes;
}

std::vector<Column> read_binary(InputFile& file, const PlyHeader& header, std::size_t vertex) {
  std::vector<char> skipped(header.bytes);
  file.read_exactly(skipped.data(), skipped.size(), "its header");
  const bool reversed = header.big != (std::endian::native == std::endian::big);
  PlyBytes bytes(file, reversed);
  for (std::size_t i = 0; i < vertex; ++i) {
    const PlyElement& element = header.elements[i];
    if (element.properties.empty()) continue;
    for (std::uint64_t k = 0; k < element.count; ++k) read_element(bytes, element, nullptr);
  }
  const PlyElement& element = header.elements[vertex];
  if (!element.has_lists()) {
    std::vector<RecordField> fields;
    std::size_t at = 0;
    for (const PlyProperty& property : element.properties) {
      fields.push_back(property.value);
      fields.back().at = at;
      at += property.value.bytes;
    }
    return read_records(file, fields, bytes_of(element), element.count, reversed);
  }
  std::vector<Column> columns = columns_of(element);
  require_table(file.path(), element.count, columns.size());
  for (std::uint64_t k = 0; k < element.count; ++k) read_element(bytes, element, &columns);
  return columns;
}

// Each element is a line.
std::vector<Column> read_ascii(InputFile& file, const PlyHeader& header, std::size_t vertex,
                               std::vector<std::size_t>& row_lines) {
  TextLines lines(file);
  const std::string& path = file.path();
  while (lines.number() < header.lines && lines.next()) {
  }
  const auto next_row = [&](const PlyElement& element) {
    while (lines.next())
      if (!trimmed(lines.text()).empty()) return;
    throw file_error(path, "cut off: fewer than the " + std::to_string(element.count) + " lines of " +
                               shown(element.name) + " that the header states");
  };
  for (std::size_t i = 0; i < vertex; ++i)
    for (std::uint64_t k = 0; k < header.elements[i].count; ++k) next_row(header.elements[i]);
  const PlyElement& element = header.elements[vertex];
  std::vector<Column> columns = columns_of(element);
  require_table(path, element.count, columns.size());
  for (std::uint64_t k = 0; k < element.count; ++k) {
    next_row(element);
    std::string_view rest = lines.text();
    std::size_t column = 0;
    for (const PlyProperty& property : element.properties) {
      const std::string_view word = next_word(rest);
      if (word.empty()) throw lines.error("fewer values than the PLY header says");
      const double value = lines.value_of(word);
      if (property.is_list)
        for (double left = value; left >= 1 && !rest.empty(); --left) next_word(rest);
      else
        add_value(property.value, value, columns[column++]);
    }
    if (!next_word(rest).empty()) throw lines.error("more values than the PLY header says");
    row_lines.push_back(lines.number());
  }
  if (vertex + 1 == header.elements.size()) lines.expect_end("more lines than the PLY header says");
  return columns;
}

// The scalar properties of the vertices as columns. Faces and other elements, and lists, are left out, said in the
// remarks. Throws Error (input) for a damaged header, and a file that is cut off; Error (run); Cancelled. O(bytes).
Table read_ply(const SourceFile& source) {
  const std::string& path = source.file.path();
  const PlyHeader header = PlyHeaderParser(source.file).parse();
  const auto vertex = std::ranges::find(header.elements, "vertex", &PlyElement::name);
  if (vertex == header.elements.end()) throw file_error(path, "a PLY file without vertices");
  const auto place = static_cast<std::size_t>(vertex - header.elements.begin());
  if (vertex->count == 0) throw file_error(path, "no vertices");
  if (columns_of(*vertex).empty()) throw file_error(path, "the vertices have no numbers");
  Table table;
  table.format = header.ascii ? "PLY, ascii" : "PLY, binary";
  table.columns =
      header.ascii ? read_ascii(source.file, header, place, table.row_lines) : read_binary(source.file, header, place);
  table.rows = vertex->count;
  if (!header.ascii && place + 1 == header.elements.size()) note_rest(source.file, "the points", table.remarks);
  for (const PlyElement& element : header.elements)
    if (element.name != "vertex" && element.count > 0)
      table.remarks.push_back(element.name == "face"
                                  ? count_of(element.count, "face") + " of the surface left out"
                                  : count_of(element.count, "element") + " " + shown(element.name) + " left out");
  for (const PlyProperty& property : vertex->properties)
    if (property.is_list) table.remarks.push_back("the lists " + shown(property.value.name) + " are left out");
  let_places_take_part(table);
  return table;
}

}  // namespace

extern const FileFormat ply_format = {
    .name = "PLY point clouds",
    .endings = ".ply",
    .fit =
        [](InputFile& file) {
          const std::string_view head = file.head();
          return fit_if((head.starts_with("ply\n") || head.starts_with("ply\r")) && head.find("format ") < 4096,
                        Fit::certain);
        },
    .read = read_ply,
    .otherwise = "not a PLY file"};

}  // namespace kinescope::sim
