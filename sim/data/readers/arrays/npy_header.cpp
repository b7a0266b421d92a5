#include "sim/data/readers/arrays/npy_header.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t maximum_header_bytes = 1 << 20;

// The header is a Python dictionary with three known keys; this parser reads that much of Python and no more.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  // False if the text is not such a dictionary.
  bool parse();

  std::optional<std::string> descr;
  bool structured = false;  // `descr` is a list: rows of several types
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::uint64_t>> shape;

 private:
  void skip_blanks() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n' || text_.front() == '\t'))
      text_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skip_blanks();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  bool parse_string(std::string& value);
  bool parse_shape();
  bool parse_entry();

  std::string_view text_;
};

bool HeaderParser::parse_string(std::string& value) {
  skip_blanks();
  if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return false;
  const std::size_t end = text_.find(text_.front(), 1);
  if (end == std::string_view::npos) return false;
  value = text_.substr(1, end - 1);
  text_.remove_prefix(end + 1);
  return true;
}

bool HeaderParser::parse_shape() {
  if (!take("(")) return false;
  std::vector<std::uint64_t> sizes;
  while (!take(")")) {
    skip_blanks();
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
    // A size that overflows counts as the largest possible one, which is refused later.
    if (error == std::errc::invalid_argument) return false;
    if (error == std::errc::result_out_of_range) size = std::numeric_limits<std::uint64_t>::max();
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    take("L");  // the suffix of Python 2's long integers
    sizes.push_back(size);
    if (!take(",") && !text_.starts_with(")")) return false;
  }
  shape = std::move(sizes);
  return true;
}

bool HeaderParser::parse_entry() {
  std::string key, value;
  if (!parse_string(key) || !take(":")) return false;
  if (key == "shape") return parse_shape();
  if (key == "fortran_order") {
    fortran_order = take("True");
    return *fortran_order || take("False");
  }
  if (key != "descr") return false;
  structured = take("[");
  if (structured) return true;
  if (!parse_string(value)) return false;
  descr = value;
  return true;
}

bool HeaderParser::parse() {
  if (!take("{")) return false;
  while (!take("}")) {
    if (!parse_entry()) return false;
    if (structured) return true;  // it will be refused anyway
    if (!take(",") && !text_.starts_with("}")) return false;
  }
  return descr && fortran_order && shape;
}

struct Preamble {
  std::string text;
  std::uint64_t end = 0;  // where the values begin in the file
};

Preamble read_preamble(InputFile& file) {
  unsigned char start[12] = {};
  file.read_exactly(reinterpret_cast<char*>(start), 8, "its header");
  if (std::memcmp(start, "\x93NUMPY", 6) != 0) throw file_error(file.path(), "not a NumPy array");
  const int version = start[6];
  if (version < 1 || version > 3)
    throw file_error(file.path(), "NumPy format " + std::to_string(version) + "." + std::to_string(start[7]) +
                                      " is not supported; supported: 1.0 to 3.0");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  file.read_exactly(reinterpret_cast<char*>(start + 8), length_bytes, "its header");
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = length << 8 | start[8 + i];
  if (length > maximum_header_bytes)
    throw file_error(file.path(), "damaged: a NumPy header of " + std::to_string(length) + " bytes");
  std::string header(length, ' ');
  file.read_exactly(header.data(), length, "its header");
  return {header, 8 + length_bytes + length};
}

void set_type(const std::string& path, const std::string& descr, NpyLayout& layout) {
  const Error unknown =
      file_error(path, "values of type " + shown(descr) +
                           " are not supported; supported: booleans, integers, float16, float32 and float64");
  if (descr.size() != 3) throw unknown;
  const char order = descr[0];
  if (order != '<' && order != '>' && order != '|' && order != '=') throw unknown;
  layout.kind = descr[1];
  layout.value_bytes = static_cast<std::size_t>(descr[2] - '0');
  const std::size_t bytes = layout.value_bytes;
  const bool integer =
      (layout.kind == 'i' || layout.kind == 'u') && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
  const bool floating = layout.kind == 'f' && (bytes == 2 || bytes == 4 || bytes == 8);
  if (!integer && !floating && !(layout.kind == 'b' && bytes == 1)) throw unknown;
  constexpr bool big = std::endian::native == std::endian::big;
  layout.swapped = (order == '<' && big) || (order == '>' && !big);
}

void set_shape(const std::string& path, const std::vector<std::uint64_t>& shape, NpyLayout& layout) {
  if (shape.size() != 1 && shape.size() != 2)
    throw file_error(path,
                     "expected 2 dimensions, found " + std::to_string(shape.size()) + "; reshape it to rows × columns");
  const std::uint64_t rows = shape[0], columns = shape.size() == 2 ? shape[1] : 1;
  if (rows == 0 || columns == 0) throw file_error(path, rows == 0 ? "no rows" : "no columns");
  if (rows > std::numeric_limits<std::uint64_t>::max() / sizeof(double) / columns)
    throw file_error(path, "damaged: an array of more bytes than a file can have");
  layout.rows = rows;
  layout.columns = columns;
}

template <class T>
T value_of(const char* bytes, bool swapped) {
  char ordered[sizeof(T)];
  std::memcpy(ordered, bytes, sizeof(T));
  if (swapped) std::reverse(ordered, ordered + sizeof(T));
  T value;
  std::memcpy(&value, ordered, sizeof(T));
  return value;
}

struct Half {
  std::uint16_t bits;
  explicit operator double() const { return from_half(bits); }
};
struct Truth {
  char byte;
  explicit operator double() const { return byte != 0 ? 1.0 : 0.0; }
};

// Calls f with a value of the type in which the array's values are.
template <class F>
auto with_type(const NpyLayout& layout, F f) {
  const char kind = layout.kind;
  const std::size_t bytes = layout.value_bytes;
  if (kind == 'f') return bytes == 2 ? f(Half()) : bytes == 4 ? f(0.0F) : f(0.0);
  if (kind == 'b') return f(Truth());
  if (kind == 'i' && bytes == 1) return f(std::int8_t());
  if (kind == 'i' && bytes == 2) return f(std::int16_t());
  if (kind == 'i' && bytes == 4) return f(std::int32_t());
  if (kind == 'i') return f(std::int64_t());
  if (bytes == 1) return f(std::uint8_t());
  if (bytes == 2) return f(std::uint16_t());
  if (bytes == 4) return f(std::uint32_t());
  return f(std::uint64_t());
}

template <class T>
std::string digits_of(T value) {
  const auto rounded = static_cast<double>(value);
  if (std::abs(rounded) < 0x1p53) return "";
  const std::string digits = std::to_string(value);
  return loses_digits(digits, rounded) ? digits : "";
}

}  // namespace

double from_half(std::uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const double size = exponent == 0   ? std::ldexp(fraction, -24)
                      : exponent < 31 ? std::ldexp(1024 + fraction, exponent - 25)
                      : fraction == 0 ? std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::quiet_NaN();
  return (half & 0x8000) != 0 ? -size : size;
}

NpyLayout read_npy_layout(InputFile& file, bool stays) {
  const Preamble header = read_preamble(file);
  HeaderParser parser(header.text);
  if (!parser.parse()) throw file_error(file.path(), "damaged: the NumPy header cannot be read");
  if (parser.structured)
    throw file_error(
        file.path(),
        "rows of several types are not supported; supported: booleans, integers, float16, float32 and float64");
  NpyLayout layout;
  set_type(file.path(), *parser.descr, layout);
  set_shape(file.path(), *parser.shape, layout);
  layout.begin = header.end;
  layout.fortran = *parser.fortran_order;
  const std::uint64_t bytes = layout.bytes();
  // For a plain file it is known at once whether it is complete, so that a false header costs no memory.
  if (file.plain_size() > 0 && file.plain_size() < layout.begin + bytes)
    throw file_error(file.path(), "cut off: " + std::to_string(layout.rows) + " × " + std::to_string(layout.columns) +
                                      " values need " + std::to_string(bytes) + " bytes, but the whole file has " +
                                      std::to_string(file.plain_size()));
  if (!stays) require_table(file.path(), layout.rows, layout.columns);
  return layout;
}

std::vector<std::uint64_t> read_npy_shape(InputFile& file) {
  const Preamble header = read_preamble(file);
  HeaderParser parser(header.text);
  parser.parse();
  return parser.shape.value_or(std::vector<std::uint64_t>());
}

NpyDecode npy_decoder(const NpyLayout& layout) {
  return with_type(layout, []<class T>(T) -> NpyDecode {
    return [](const char* bytes, bool swapped) { return static_cast<double>(value_of<T>(bytes, swapped)); };
  });
}

template <class Number>
void npy_decode(const NpyLayout& layout, const char* at, std::size_t step, std::size_t count, Number* to) {
  with_type(layout, [&]<class T>(T) {
    const auto decode = [&](auto swapped) {
      for (std::size_t i = 0; i < count; ++i, at += step)
        to[i] = static_cast<Number>(static_cast<double>(value_of<T>(at, swapped)));
    };
    layout.swapped ? decode(std::true_type()) : decode(std::false_type());
  });
}
template void npy_decode(const NpyLayout&, const char*, std::size_t, std::size_t, float*);
template void npy_decode(const NpyLayout&, const char*, std::size_t, std::size_t, double*);

std::string npy_digits(const NpyLayout& layout, const char* bytes) {
  return layout.kind == 'i' ? digits_of(value_of<std::int64_t>(bytes, layout.swapped))
                            : digits_of(value_of<std::uint64_t>(bytes, layout.swapped));
}

}  // namespace kinescope::sim
