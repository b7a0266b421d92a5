// Matrix Market files (R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats", NISTIR 5935), packed
// or not.
#include <charconv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/graph/edges.hpp"
#include "sim/data/graph/read_graph.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/sparse_entries.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view banner = "%%MatrixMarket";
// Entries are kept as they come. Only after this many entries is it checked that memory suffices for all that the
// header claims: so a short file with a false header gets an error about the header, not about memory.
constexpr std::uint64_t entries_before_check = 1 << 20;

enum class Field { real, integer, pattern };

enum class Symmetry { general, symmetric, skew_symmetric };

struct MatrixHeader {
  bool coordinate = false;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::uint64_t rows = 0, columns = 0;
  std::uint64_t entries = 0;  // in the file
};

// Reads the words of a file's lines; errors name the line.
class Reader {
 public:
  explicit Reader(InputFile& file) : file_(file), path_(file.path()), lines_(file) {}

  // Goes to the next line that holds something and is no comment; false at the end of the file.
  bool next() {
    while (lines_.next()) {
      rest_ = lines_.text();
      std::string_view look = rest_;
      const std::string_view first = next_word(look);
      if (!first.empty() && (first.front() != '%' || lines_.number() == 1)) return true;
    }
    return false;
  }
  std::string_view word() { return next_word(rest_); }
  Error error(const std::string& message) const { return lines_.error(message); }

  std::uint64_t whole(const char* what) {
    const std::string_view text = word();
    std::uint64_t number = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status == std::errc::result_out_of_range) throw error(std::string(what) + " " + shown(text) + " is too large");
    if (status != std::errc() || stop != text.data() + text.size())
      throw error("expected " + std::string(what) + ", found " + shown(text));
    return number;
  }
  double value(std::string_view text, Field field) const {
    double number = 0;
    const CellKind kind = parse_cell(text, number);
    if (kind == CellKind::number && !(std::abs(number) <= largest_float))
      throw error(shown(text) + " is beyond float32");
    if (kind != CellKind::number || (field == Field::integer && number != std::floor(number)))
      throw error(std::string("expected ") + (field == Field::integer ? "an integer" : "a number") + ", found " +
                  shown(text));
    return number;
  }
  void end_of_line() {
    if (const std::string_view more = word(); !more.empty())
      throw error("expected the end of the line, found " + shown(more));
  }
  const std::string& path() const { return path_; }
  std::uint64_t bytes_read() const { return file_.bytes_read(); }

 private:
  InputFile& file_;
  std::string path_;
  TextLines lines_;
  std::string_view rest_;
};

template <class T>
T choice(const Reader& reader, std::string_view word, std::initializer_list<std::pair<std::string_view, T>> known) {
  std::string names;
  for (const auto& [name, value] : known) {
    if (equals_ignoring_case(word, name)) return value;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw reader.error("a Matrix Market file of kind " + shown(word) + " is not supported; supported: " + names);
}

// The number of entries that an array's file holds: only the lower half if the upper one is its mirror image.
std::uint64_t stored_entries(const MatrixHeader& header) {
  return header.symmetry == Symmetry::general ? header.rows * header.columns : header.rows * (header.rows + 1) / 2;
}

void check_size(const Reader& reader, const MatrixHeader& header) {
  if (header.rows == 0 || header.columns == 0) throw reader.error(header.rows == 0 ? "no rows" : "no columns");
  if (header.rows > maximum_rows || header.columns > maximum_rows)
    throw reader.error("more than " + std::to_string(maximum_rows) + " rows or columns");
  if (header.symmetry != Symmetry::general && header.rows != header.columns)
    throw reader.error("a symmetric matrix is square, not " + std::to_string(header.rows) + " × " +
                       std::to_string(header.columns));
  if (header.coordinate) return;
  if (header.columns > maximum_columns) throw reader.error("more than " + std::to_string(maximum_columns) + " columns");
}

MatrixHeader read_matrix_header(Reader& reader) {
  MatrixHeader header;
  reader.next();
  reader.word();  // the banner
  choice<int>(reader, reader.word(), {{"matrix", 0}});
  header.coordinate = choice<bool>(reader, reader.word(), {{"coordinate", true}, {"array", false}});
  using enum Field;
  const std::string_view field = reader.word();
  header.field = header.coordinate
                     ? choice<Field>(reader, field, {{"real", real}, {"integer", integer}, {"pattern", pattern}})
                     : choice<Field>(reader, field, {{"real", real}, {"integer", integer}});
  using enum Symmetry;
  const std::string_view symmetry = reader.word();
  header.symmetry =
      header.coordinate
          ? choice<Symmetry>(reader, symmetry,
                             {{"general", general}, {"symmetric", symmetric}, {"skew-symmetric", skew_symmetric}})
          : choice<Symmetry>(reader, symmetry, {{"general", general}, {"symmetric", symmetric}});
  reader.end_of_line();
  if (!reader.next()) throw reader.error("cut off: the size of the matrix is missing");
  header.rows = reader.whole("the number of rows");
  header.columns = reader.whole("the number of columns");
  if (header.coordinate) header.entries = reader.whole("the number of entries");
  reader.end_of_line();
  check_size(reader, header);
  if (!header.coordinate) header.entries = stored_entries(header);
  return header;
}

Error too_few(const Reader& reader, std::uint64_t found, const MatrixHeader& header) {
  return reader.error("cut off: " + std::to_string(found) + " of the " + std::to_string(header.entries) +
                      " entries that the header states");
}

Error too_many(const Reader& reader, const MatrixHeader& header) {
  return reader.error("more than the " + std::to_string(header.entries) + " entries that the header states");
}

double bytes_of_entries(const MatrixHeader& header) {
  return static_cast<double>(header.entries) * sizeof(Edge);
}

// Memory for the sparse rows, and for where each of them begins while they are sorted.
double bytes_of_rows(const MatrixHeader& header) {
  const double copies = header.symmetry == Symmetry::general ? 1 : 2;
  return copies * static_cast<double>(header.entries) * (sizeof(std::uint32_t) + sizeof(float)) +
         2.0 * sizeof(std::uint64_t) * static_cast<double>(header.rows + 1);
}

std::uint32_t place(Reader& reader, const char* what, std::uint64_t size) {
  const std::uint64_t number = reader.whole(what);
  if (number < 1 || number > size)
    throw reader.error(std::string(what) + " " + std::to_string(number) + " is outside 1 … " + std::to_string(size));
  return static_cast<std::uint32_t>(number - 1);
}

// Reads the entries as edges from row to column. With `lengths` the values are lengths of edges, and must be positive
// off the diagonal.
std::vector<Edge> read_entries(Reader& reader, const MatrixHeader& header, bool lengths) {
  const bool mirrored = header.symmetry != Symmetry::general, skew = header.symmetry == Symmetry::skew_symmetric;
  std::vector<Edge> entries;
  std::uint64_t read = 0;
  for (; reader.next(); ++read) {
    if (read == header.entries) throw too_many(reader, header);
    if (read == entries_before_check) require_memory(reader.path(), bytes_of_rows(header) + bytes_of_entries(header));
    Edge entry;
    entry.from = place(reader, "row", header.rows);
    entry.to = place(reader, "column", header.columns);
    if (mirrored && entry.from < entry.to)
      throw reader.error(std::string("an entry above the diagonal, though the header says ") +
                         (skew ? "skew-symmetric" : "symmetric"));
    const std::string_view value = header.field == Field::pattern ? "1" : reader.word();
    entry.length = reader.value(value, header.field);
    if (skew && entry.from == entry.to && entry.length != 0)
      throw reader.error("a value on the diagonal, though the header says skew-symmetric, which has zeros there");
    if (lengths && entry.from != entry.to && !(entry.length > 0))
      throw reader.error("the length of an edge must be positive, found " + shown(value));
    reader.end_of_line();
    entries.push_back(entry);
  }
  if (read < header.entries) throw too_few(reader, read, header);
  require_density(reader.path(), header.rows, "rows", reader.bytes_read());
  return entries;
}

// Includes the mirrored entries.
std::shared_ptr<SparseRows> to_rows(const std::string& path, const MatrixHeader& header,
                                    const std::vector<Edge>& entries, const LoadProgress* progress) {
  const auto each_entry = [&](auto f) {
    for (const Edge& entry : entries) {
      f(entry.from, entry.to, entry.length);
      if (header.symmetry == Symmetry::general || entry.from == entry.to) continue;
      f(entry.to, entry.from, header.symmetry == Symmetry::symmetric ? entry.length : -entry.length);
    }
  };
  const auto beyond = [&](std::size_t row, std::size_t column) {
    return file_error(path, "the entries of row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1) +
                                " add up to a number beyond float32");
  };
  return rows_of_entries<float>(header.rows, header.columns, each_entry, beyond, progress);
}

Table read_coordinates(Reader& reader, const MatrixHeader& header, const LoadProgress* progress) {
  Table table;
  table.rows = header.rows;
  const std::vector<Edge> entries = read_entries(reader, header, false);
  require_memory(reader.path(), bytes_of_rows(header));
  table.sparse = to_rows(reader.path(), header, entries, progress);
  return table;
}

Table read_graph(Reader& reader, const MatrixHeader& header, const std::string& format, EdgesAre asked) {
  if (!header.coordinate || header.rows != header.columns || header.symmetry == Symmetry::skew_symmetric)
    throw reader
        .error(std::string("metric=graph needs a square matrix of coordinates, ") +
               (!header.coordinate ? "not an array"
                : header.rows != header.columns
                    ? "not " + std::to_string(header.rows) + " × " + std::to_string(header.columns)
                    : "not a skew-symmetric one"))
        .with({.parameter = "metric", .value = "euclidean"});
  GraphInFile read;
  read.edges = read_entries(reader, header, asked != EdgesAre::strengths);
  for (Edge& edge : read.edges)
    if (edge.from == edge.to) edge.length = 1;  // it will be dropped, whatever it is
  read.nodes = header.rows;
  read.weighted = header.field != Field::pattern;
  return table_of_graph(reader.path(), format, std::move(read), asked);
}

// The file lists the values column by column; the columns of a symmetric array begin at the diagonal.
Table read_array(Reader& reader, const MatrixHeader& header) {
  const bool general = header.symmetry == Symmetry::general;
  Table table;
  table.rows = header.rows;
  std::uint64_t read = 0;
  while (reader.next())
    for (std::string_view word = reader.word(); !word.empty(); word = reader.word()) {
      if (read == entries_before_check)
        require_memory(reader.path(), static_cast<double>(header.rows * header.columns) * sizeof(float));
      if (read++ == header.entries) throw too_many(reader, header);
      if (table.columns.empty() ||
          table.columns.back().numbers.size() == header.rows - (general ? 0 : table.columns.size() - 1))
        table.columns.push_back({numbered_name(table.columns.size())});
      table.columns.back().numbers.push_back(reader.value(word, header.field));
    }
  if (read < header.entries) throw too_few(reader, read, header);
  if (general) return table;
  for (std::size_t column = header.columns; column-- > 0;) {
    std::vector<double> whole;
    for (std::size_t row = 0; row < column; ++row) whole.push_back(table.columns[row].numbers[column - row]);
    Numbers& numbers = table.columns[column].numbers;
    whole.insert(whole.end(), numbers.begin(), numbers.end());
    numbers = std::move(whole);
  }
  return table;
}

bool is_matrix_market(const InputFile& file) {
  return equals_ignoring_case(without_mark(file.head()).substr(0, banner.size()), banner);
}

// `coordinate` gives sparse rows, `array` a table with the columns c0, c1, …; both without names. Entries of a
// symmetric or skew-symmetric matrix are mirrored, entries in the same place are added up, and those of a pattern are
// 1. Throws Error (input) with file and line for other kinds of matrices, for more or fewer entries than the header
// states, for places outside the matrix or above the diagonal of a symmetric one, and for values that are no numbers or
// beyond float32; Cancelled. O(bytes + entries · log(entries of a row)); it is checked that memory suffices for what
// the header claims, before the memory is taken.
//
// With Reading::graph a square matrix of coordinates gives a table of nodes instead: each entry off the diagonal is an
// edge between its row and its column, and its value is the edge's length, or its strength if the request says so.
// Throws what table_of_graph throws.
Table read_matrix_market(InputFile& file, LoadProgress* progress, Reading reading, EdgesAre edges_are) {
  Reader reader(file);
  const MatrixHeader header = read_matrix_header(reader);
  const std::string format = header.coordinate ? "Matrix Market coordinates" : "Matrix Market array";
  if (reading == Reading::graph) return read_graph(reader, header, format, edges_are);
  Table table = header.coordinate ? read_coordinates(reader, header, progress) : read_array(reader, header);
  table.source = file.path();
  table.format = format;
  return table;
}

}  // namespace

extern const FileFormat matrix_market_format = {
    .name = "Matrix Market files",
    .endings = ".mtx",
    .fit = [](InputFile& file) { return fit_if(is_matrix_market(file), Fit::certain); },
    .read =
        [](const SourceFile& source) {
          return read_matrix_market(source.file, source.progress, source.request.reading, source.request.edges_are);
        },
    .otherwise = "not a Matrix Market file: it does not begin with %%MatrixMarket"};

}  // namespace kinescope::sim
