#include "sim/data/load.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/graph/edge_list.hpp"
#include "sim/data/made.hpp"
#include "sim/data/readers/arrays/hdf5.hpp"
#include "sim/data/readers/arrays/idx.hpp"
#include "sim/data/readers/arrays/npy.hpp"
#include "sim/data/readers/arrays/npy_distances.hpp"
#include "sim/data/readers/arrays/npz.hpp"
#include "sim/data/readers/csv/csv.hpp"
#include "sim/data/readers/input_file.hpp"
#include "sim/data/readers/inside.hpp"
#include "sim/data/readers/matrix_market.hpp"
#include "sim/data/readers/pictures/picture.hpp"
#include "sim/data/readers/svmlight.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view readable =
    "CSV and TSV tables, NumPy .npy and .npz arrays, IDX arrays, HDF5, svmlight and Matrix Market files, and PNG, "
    "JPEG, "
    "BMP and TGA pictures";

struct Signature {
  std::string_view bytes;  // first bytes of the file
  std::string_view name;
};

// A file with one of these endings should be a picture; if it is not one that can be read, the error says so.
constexpr std::array<std::string_view, 13> endings_of_pictures = {
    ".png", ".jpg", ".jpeg", ".bmp", ".tga", ".gif", ".webp", ".tif", ".tiff", ".heic", ".avif", ".jp2", ".svg"};

// Formats that people try; the error names them.
constexpr Signature other_formats[] = {{"\x89PNG", "a damaged PNG picture"},
                                       {"GIF8", "a GIF picture"},
                                       {"PK\x03\x04", "a ZIP archive or a spreadsheet"},
                                       {"%PDF", "a PDF document"},
                                       {"PAR1", "a Parquet file"},
                                       {"\x7F"
                                        "ELF",
                                        "a program"},
                                       {"BZh", "compressed with bzip2"},
                                       {"\xFD"
                                        "7zXZ",
                                        "compressed with xz"},
                                       {"\x28\xB5\x2F\xFD", "compressed with zstd"}};

Error not_readable(const std::string& path, const std::string& what) {
  return file_error(path, what + " is not supported. Supported: " + std::string(readable));
}

// True for a JSON object (after a byte order mark, too), and for a list of objects or lists.
bool is_json(std::string_view head) {
  const auto next = [&] {
    head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), head.size()));
    const char c = head.empty() ? '\0' : head.front();
    head.remove_prefix(head.empty() ? 0 : 1);
    return c;
  };
  const char first = next(), second = next();
  return (first == '{' && (second == '"' || second == '}')) || (first == '[' && (second == '{' || second == '['));
}

// A page of the web that was saved instead of the file it shows.
bool is_html(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), head.size()));
  static constexpr std::array<std::string_view, 4> beginnings = {"<!doctype html", "<html", "<table", "<head"};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](auto each) { return equals_ignoring_case(head.substr(0, each.size()), each); });
}

void require_text(const std::string& path, std::string_view head) {
  for (const Signature& format : other_formats)
    if (head.starts_with(format.bytes)) throw not_readable(path, std::string(format.name));
  if (std::ranges::any_of(endings_of_pictures, [&](auto each) { return ends_with_ignoring_case(path, each); }))
    throw file_error(path, "not a PNG, JPEG, BMP or TGA picture; other pictures are not supported");
  using namespace std::string_view_literals;
  if (head.starts_with("\xFF\xFE\0\0"sv) || head.starts_with("\0\0\xFE\xFF"sv))
    throw file_error(path, "text in UTF-32 is not supported: save it as UTF-8");
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF"))
    throw file_error(path, "text in UTF-16 is not supported: save it as UTF-8");
  if (head.starts_with("version https://git-lfs.github.com/spec/"))
    throw file_error(path, "this is a pointer of Git LFS, not the file itself: `git lfs pull` fetches it");
  if (is_html(head))
    throw file_error(path, "this is a web page (HTML), not a table: save the table itself, for example as CSV");
  if (is_json(head)) throw file_error(path, "JSON is not supported: save the data as a table, for example as CSV");
  // Zero bytes at the end are left out.
  head = head.substr(0, head.find_last_not_of('\0') + 1);
  if (head.find('\0') != std::string_view::npos) throw not_readable(path, "a file that is neither text nor a picture");
}

// Throws if the format says more than which columns are texts or left out.
void refuse_format(const std::string& path, const TableFormat& format) {
  const std::string of_text = " only to text tables such as CSV";
  if (format.header != Header::automatic || format.skip_rows > 0)
    throw file_error(path, "--header and --skip-rows apply" + of_text);
  for (const auto& [given, option] :
       {std::pair(!format.skip_lines.empty(), "--skip-lines"), std::pair(format.separator != '\0', "--separator"),
        std::pair(format.quotes != Quotes::automatic, "--quote"), std::pair(!format.numbers.empty(), "--numbers")})
    if (given) throw file_error(path, std::string(option) + " applies" + of_text);
}

// Leaves out columns, and turns numbers into texts.
void apply_to_columns(Table& table, const TableFormat& format) {
  if (table.picture && !(format.texts.empty() && format.drop.empty()))
    throw file_error(table.source, "--text and --drop cannot be used with the pixels of a picture");
  for (const std::string& name : format.texts) {
    auto& column = const_cast<Column&>(required_column(table, name));
    if (column.is_text) continue;
    if (column.texts.empty())
      for (std::size_t row = 0; row < table.rows; ++row) column.texts.push_back(number_text(column.numbers, row));
    column.numbers = {};
    column.is_text = true;
  }
  for (const std::string& name : format.drop) required_column(table, name);
  const std::unordered_set<std::string_view> dropped(format.drop.begin(), format.drop.end());
  std::erase_if(table.columns, [&](const Column& column) { return dropped.contains(column.name); });
  if (table.columns.empty() && !dropped.empty() && !table.sparse)
    throw file_error(table.source, "--drop leaves no column");
}

Table read_any(const std::string& path, LoadProgress* progress, const TableFormat& format, Reading reading) {
  const Inside inside = split_inside(path);
  InputFile file(inside.file, progress);
  const bool archive = is_npz(file), hdf5 = is_hdf5(file);
  if (archive || hdf5) refuse_format(path, format);
  if (archive) return read_npz(inside, progress);
  if (hdf5) return read_hdf5(inside, progress);
  if (!inside.name.empty()) throw file_error(inside.file, "neither a NumPy archive nor an HDF5 file");
  const bool array = file.head().starts_with("\x93NUMPY"), picture = !array && is_picture(file);
  if (array || picture) refuse_format(path, format);
  if (array && reading == Reading::matrix && !file.gzipped()) return read_npy_distances(file, progress);
  if (array) return read_npy(file);
  if (ends_with_ignoring_case(path, ".npy") || ends_with_ignoring_case(path, ".npy.gz"))
    throw file_error(path, "not a NumPy array");
  if (picture) return read_picture(file);
  if (is_idx(file)) {
    refuse_format(path, format);
    return read_idx(file, progress);
  }
  require_text(path, file.head());
  const bool matrix = is_matrix_market(file), rows = !matrix && is_svmlight(file);
  if (matrix || rows) refuse_format(path, format);
  if (matrix) return read_matrix_market(file, progress, reading);
  if (rows) return read_svmlight(file);
  if (ends_with_ignoring_case(path, ".mtx") || ends_with_ignoring_case(path, ".mtx.gz"))
    throw file_error(path, 1, "not a Matrix Market file: it does not begin with %%MatrixMarket");
  return read_csv(file, format);
}

Table read_file(const std::string& path, LoadProgress* progress, const TableFormat& format, Reading reading) {
  Table table = read_any(path, progress, format, reading);
  if (!table.text_reading) apply_to_columns(table, format);
  return table;
}

}  // namespace

Table load_table(const std::string& source, LoadProgress* progress, const TableFormat& format, Reading reading) try {
  if (is_made(source)) refuse_format(source, format);
  Table table = is_made(source) ? make_data(source, progress).table : read_file(source, progress, format, reading);
  if (is_made(source)) apply_to_columns(table, format);
  if (reading == Reading::graph && format.header == Header::automatic && header_is_an_edge(table) &&
      std::filesystem::is_regular_file(source)) {
    TableFormat headless = format;
    headless.header = Header::no;
    table = read_file(source, progress, headless, reading);
    table.header_reason = "row 1 has nodes that are also in other rows";
  }
  if (progress) progress->fraction = 1;
  return table;
} catch (const std::bad_alloc&) {
  throw run_error(source + ": out of memory while reading; try a table with fewer rows or columns");
}

std::shared_ptr<const Dataset> load_dataset(const DataRequest& request, LoadProgress* progress) try {
  if (!is_made(request.source))
    return std::make_shared<const Dataset>(
        make_dataset(load_table(request.source, progress, request.format, request.reading), request));
  refuse_format(request.source, request.format);
  MadeData data = make_data(request.source, progress);
  apply_to_columns(data.table, request.format);
  DataRequest labelled = request;
  if (labelled.label.empty()) labelled.label = data.label;
  Dataset dataset = make_dataset(std::move(data.table), labelled);
  dataset.name = request.source;
  dataset.colours = std::move(data.colours);  // made data have no missing values, so all rows stay
  return std::make_shared<const Dataset>(std::move(dataset));
} catch (const std::bad_alloc&) {
  throw run_error(request.source + ": out of memory while reading; try a table with fewer rows or columns");
}

}  // namespace kinescope::sim
