#include "sim/data/readers/npy.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/random.hpp"
#include "sim/data/distance_matrix.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::uint32_t stream_signs = 301;  // the purpose of random numbers
constexpr std::size_t maximum_header_bytes = 1 << 20;
constexpr std::size_t block_bytes = 1 << 20;

struct Layout {
  char kind = 'f';  // 'b' boolean, 'i' signed, 'u' unsigned, 'f' floating
  std::size_t value_bytes = 4;
  bool swapped = false;  // the byte order is not this machine's
  bool fortran = false;
  std::size_t rows = 0, columns = 0;
  std::uint64_t begin = 0;  // of the values in the file
};

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
    // A size that overflows counts as the largest: either is refused later.
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

void read_exactly(InputFile& file, char* into, std::size_t bytes, const char* what) {
  if (file.read(into, bytes) != bytes) throw file_error(file.path(), std::string("the file ends within ") + what);
}

struct Preamble {
  std::string text;
  std::uint64_t end = 0;  // where the values begin in the file
};

Preamble read_header(InputFile& file) {
  unsigned char start[12] = {};
  read_exactly(file, reinterpret_cast<char*>(start), 8, "its header");
  if (std::memcmp(start, "\x93NUMPY", 6) != 0) throw file_error(file.path(), "not a NumPy array");
  const int version = start[6];
  if (version < 1 || version > 3)
    throw file_error(file.path(), "NumPy format " + std::to_string(version) + "." + std::to_string(start[7]) +
                                      " is not known; 1.0 to 3.0 are");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  read_exactly(file, reinterpret_cast<char*>(start + 8), length_bytes, "its header");
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = length << 8 | start[8 + i];
  if (length > maximum_header_bytes)
    throw file_error(file.path(), "damaged: a NumPy header of " + std::to_string(length) + " bytes");
  std::string header(length, ' ');
  read_exactly(file, header.data(), length, "its header");
  return {header, 8 + length_bytes + length};
}

void set_type(const std::string& path, const std::string& descr, Layout& layout) {
  const Error unknown =
      file_error(path, "values of type " + shown(descr) + " are not read; booleans, integers, float32 and float64 are");
  if (descr.size() != 3) throw unknown;
  const char order = descr[0];
  if (order != '<' && order != '>' && order != '|' && order != '=') throw unknown;
  layout.kind = descr[1];
  layout.value_bytes = static_cast<std::size_t>(descr[2] - '0');
  const std::size_t bytes = layout.value_bytes;
  const bool integer =
      (layout.kind == 'i' || layout.kind == 'u') && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
  const bool floating = layout.kind == 'f' && (bytes == 4 || bytes == 8);
  if (!integer && !floating && !(layout.kind == 'b' && bytes == 1)) throw unknown;
  constexpr bool big = std::endian::native == std::endian::big;
  layout.swapped = (order == '<' && big) || (order == '>' && !big);
}

// `stays`: the values stay in the file, so that their number has no limit.
void set_shape(const std::string& path, const std::vector<std::uint64_t>& shape, bool stays, Layout& layout) {
  if (shape.size() != 1 && shape.size() != 2)
    throw file_error(path, "expected 2 dimensions, found " + std::to_string(shape.size()));
  const std::uint64_t rows = shape[0], columns = shape.size() == 2 ? shape[1] : 1;
  if (rows == 0 || columns == 0) throw file_error(path, rows == 0 ? "no rows" : "no columns");
  layout.rows = rows;
  layout.columns = columns;
  if (stays) return;
  if (columns > maximum_columns) throw file_error(path, "more than " + std::to_string(maximum_columns) + " columns");
  if (rows > maximum_values / columns) throw file_error(path, "more than 2^31 values");
}

Layout read_layout(InputFile& file, bool stays = false) {
  const Preamble header = read_header(file);
  HeaderParser parser(header.text);
  if (!parser.parse()) throw file_error(file.path(), "damaged: the NumPy header cannot be understood");
  if (parser.structured)
    throw file_error(file.path(), "rows of several types are not read; booleans, integers, float32 and float64 are");
  Layout layout;
  set_type(file.path(), *parser.descr, layout);
  set_shape(file.path(), *parser.shape, stays, layout);
  layout.begin = header.end;
  layout.fortran = *parser.fortran_order;
  const std::uint64_t bytes = static_cast<std::uint64_t>(layout.rows) * layout.columns * layout.value_bytes;
  // For a plain file it is known at once whether it is complete, so that a false header costs no memory.
  if (file.plain_size() > 0 && file.plain_size() < bytes)
    throw file_error(file.path(), "cut off: " + std::to_string(layout.rows) + " × " + std::to_string(layout.columns) +
                                      " values need " + std::to_string(bytes) + " bytes, and the whole file has " +
                                      std::to_string(file.plain_size()));
  if (!stays)
    require_memory(file.path(), static_cast<double>(bytes) / static_cast<double>(layout.value_bytes) * sizeof(float));
  return layout;
}

template <class T>
double value_as(const char* bytes, bool swapped) {
  char ordered[sizeof(T)];
  std::memcpy(ordered, bytes, sizeof(T));
  if (swapped) std::reverse(ordered, ordered + sizeof(T));
  T value;
  std::memcpy(&value, ordered, sizeof(T));
  return static_cast<double>(value);
}

using Decode = double (*)(const char* bytes, bool swapped);

Decode decoder(const Layout& layout) {
  const bool is_signed = layout.kind == 'i';
  if (layout.kind == 'f') return layout.value_bytes == 4 ? value_as<float> : value_as<double>;
  if (layout.kind == 'b') return [](const char* bytes, bool) { return *bytes != 0 ? 1.0 : 0.0; };
  switch (layout.value_bytes) {
    case 1:
      return is_signed ? value_as<std::int8_t> : value_as<std::uint8_t>;
    case 2:
      return is_signed ? value_as<std::int16_t> : value_as<std::uint16_t>;
    case 4:
      return is_signed ? value_as<std::int32_t> : value_as<std::uint32_t>;
    default:
      return is_signed ? value_as<std::int64_t> : value_as<std::uint64_t>;
  }
}

void read_values(InputFile& file, const Layout& layout, Table& table) {
  const Decode decode = decoder(layout);
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

// Reads rows of a square array when they are asked for.
class DistancesInFile final : public DistanceFeeder {
 public:
  DistancesInFile(std::string path, const Layout& layout)
      : path_(std::move(path)), layout_(layout), decode_(decoder(layout)), file_(std::fopen(path_.c_str(), "rb")) {
    if (!file_) throw file_error(path_, "cannot be read");
  }

  std::size_t points() const override { return layout_.rows; }
  std::string description() const override { return count_of(layout_.rows, "row") + " of distances in the file"; }

  void row(std::size_t from, std::span<float> distances) const override { read(from * points(), distances); }

  // Goes once through the file. Of a square matrix A and random signs s, A s and Aᵀ s are the same if A is symmetric,
  // and hardly ever otherwise.
  void check(LoadProgress* progress) const;

 private:
  void read(std::size_t first, std::span<float> to) const {
    thread_local std::vector<char> bytes;
    bytes.resize(to.size() * layout_.value_bytes);
    const auto at = layout_.begin + first * layout_.value_bytes;
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t count =
          pread(fileno(file_.get()), bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
      if (count <= 0) throw file_error(path_, "the file ends within its data");
      done += static_cast<std::size_t>(count);
    }
    for (std::size_t j = 0; j < to.size(); ++j)
      to[j] = static_cast<float>(decode_(bytes.data() + j * layout_.value_bytes, layout_.swapped));
  }
  Error refused(const std::string& why) const { return file_error(path_, "metric=matrix: " + why); }
  // The mirrored pair in row i that differs most.
  std::string different_pair(std::size_t i) const;

  std::string path_;
  Layout layout_;
  Decode decode_;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

void DistancesInFile::check(LoadProgress* progress) const {
  const std::size_t n = points(), block = std::clamp<std::size_t>((4 << 20) / n, 1, n);
  std::vector<double> sign(n), by_row(n), by_column(n);
  for (std::size_t i = 0; i < n; ++i) sign[i] = Random(0, stream_signs).words(i)[0] % 2 == 0 ? 1 : -1;
  std::vector<float> rows(block * n), largest(block);
  std::vector<std::string> complaints(block);
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t count = std::min(block, n - first);
    oneapi::tbb::parallel_for(std::size_t{0}, count, [&](std::size_t k) {
      const std::size_t i = first + k;
      const std::span<float> values(rows.data() + k * n, n);
      row(i, values);
      for (std::size_t j = 0; j < n; ++j) {
        const float value = values[j];
        if (!(value >= 0 && std::isfinite(value)) || (i == j && value != 0)) {
          complaints[k] =
              matrix_place(i, j) + (value < 0                        ? ": a distance is negative"
                                    : i == j && std::isfinite(value) ? ": a point has a distance from itself"
                                                                     : ": a distance is no number");
          return;
        }
        largest[k] = std::max(largest[k], value);
        by_row[i] += sign[j] * value;
      }
    });
    for (const std::string& each : complaints)
      if (!each.empty()) throw refused(each);
    oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, n, 1024), [&](const auto& columns) {
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t j = columns.begin(); j < columns.end(); ++j) by_column[j] += sign[first + k] * rows[k * n + j];
    });
    if (progress && progress->cancelled) throw Cancelled();
    if (progress) progress->fraction = static_cast<float>(first + count) / static_cast<float>(n);
  }
  // Beyond what the rounding of all the values of a row to float32 may add up to.
  const double most = *std::max_element(largest.begin(), largest.end()),
               allowed = 1e-5 * most * (1 + 0.01 * std::sqrt(static_cast<double>(n)));
  for (std::size_t i = 0; i < n; ++i)
    if (std::abs(by_row[i] - by_column[i]) > allowed) throw refused(different_pair(i));
}

std::string DistancesInFile::different_pair(std::size_t i) const {
  std::vector<float> values(points());
  row(i, values);
  std::size_t worst = 0;
  float difference = -1, mirrored = 0;
  for (std::size_t j = 0; j < points(); ++j) {
    read(j * points() + i, {&mirrored, 1});
    if (std::abs(values[j] - mirrored) > difference) difference = std::abs(values[j] - mirrored), worst = j;
  }
  return matrix_place(i, worst) + " and " + matrix_place(worst, i) + " differ, and should be one distance";
}

}  // namespace

Table read_npy_distances(InputFile& file, LoadProgress* progress) {
  const Layout layout = read_layout(file, true);
  if (layout.rows != layout.columns)
    throw file_error(file.path(), "metric=matrix: as many columns as rows are needed, found " +
                                      std::to_string(layout.rows) + " rows and " + std::to_string(layout.columns) +
                                      " columns");
  const auto distances = std::make_shared<const DistancesInFile>(file.path(), layout);
  distances->check(progress);
  Table table;
  table.source = file.path();
  table.format = "NumPy array";
  table.rows = layout.rows;
  table.distances = distances;
  return table;
}

std::vector<std::uint64_t> read_npy_shape(InputFile& file) {
  const Preamble header = read_header(file);
  HeaderParser parser(header.text);
  parser.parse();
  return parser.shape.value_or(std::vector<std::uint64_t>());
}

Table read_npy(InputFile& file) {
  const Layout layout = read_layout(file);
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
