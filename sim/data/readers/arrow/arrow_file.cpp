#include "sim/data/readers/arrow/arrow_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/arrow/arrow_c.hpp"
#include "sim/data/readers/arrow/arrow_columns.hpp"
#include "sim/data/readers/reader_process.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// Owns a structure of Arrow's C interface.
template <class T>
struct Released {
  T value{};

  Released() = default;
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() { release(); }
  void release() {
    if (value.release) value.release(&value);
    value = {};
  }
};

std::string a_or_an(std::string_view format) {
  return (format.starts_with('A') ? "an " : "a ") + std::string(format);
}

// The function of our library that uses Arrow. It lies beside the program, or in the lib folder beside its folder.
OpenArrow* load_arrow(const std::string& path, std::string_view format) {
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  for (const auto& folder : {program, program.parent_path() / "lib"}) {
    const std::filesystem::path plugin = folder / arrow_plugin_name;
    if (!std::filesystem::exists(plugin, none)) continue;
    void* const library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays loaded
    void* const function = library ? dlsym(library, open_arrow_name) : nullptr;
    if (function) return reinterpret_cast<OpenArrow*>(function);
    const char* const reason = dlerror();
    std::string lacking = reason ? reason : "";
    lacking = lacking.substr(0, lacking.find(':'));
    throw file_error(path, a_or_an(format) + " needs Apache Arrow's library, and " + lacking +
                               " cannot be loaded: install it again as it was when this program was built (`pip "
                               "install " KINESCOPE_ARROW_FROM "`), or build again");
  }
  throw file_error(path,
                   a_or_an(format) +
                       " needs Apache Arrow's library, and this program was built without it: install libarrow-dev "
                       "and libparquet-dev, or Python's package pyarrow, and build again");
}

class ArrowFile {
 public:
  ArrowFile(OpenArrow* open, std::string path, const std::string& opened_path, std::string_view format, bool threads)
      : path_(std::move(path)), format_(format) {
    std::array<char, 400> error{};
    if (!open(opened_path.c_str(), threads, &stream_.value, &rows_, error.data(), error.size()))
      throw damaged(error.data());
    if (stream_.value.get_schema(&stream_.value, &schema_.value) != 0) throw damaged_stream();
  }

  // The number of rows that the file states; -1 if it states none.
  std::int64_t rows() const { return rows_; }
  const ArrowSchema& schema() const { return schema_.value; }
  // False at the end.
  bool next(Released<ArrowArray>& batch) {
    batch.release();
    if (stream_.value.get_next(&stream_.value, &batch.value) != 0) throw damaged_stream();
    return batch.value.release;
  }
  Error damaged(const std::string& reason) const {
    const bool is_utf8_error = reason.find("UTF8") != std::string::npos;
    return file_error(path_, "a damaged or unsupported " + format_ +
                                 (is_utf8_error ? ": its texts are not in UTF-8" : explained(reason)));
  }

 private:
  Error damaged_stream() {
    const char* const reason = stream_.value.get_last_error(&stream_.value);
    return damaged(reason ? reason : "");
  }
  // Arrow's reason, as far as it can be shown.
  static std::string explained(const std::string& reason) {
    constexpr std::size_t most = 160;
    std::string text = to_utf8(reason.substr(0, reason.find('\n')));
    for (char& c : text)
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    if (text.size() > most) text = text.substr(0, text.rfind(' ', most)) + " …";
    return text.empty() || !is_utf8(text) ? "" : ": Arrow says: " + text;
  }

  std::string path_, format_;
  std::int64_t rows_ = -1;
  Released<ArrowArrayStream> stream_;
  Released<ArrowSchema> schema_;
};

// A value of the schema's metadata: a number of pairs, then for each its two texts, with their lengths before them.
std::string metadata_of(const ArrowSchema& schema, std::string_view wanted) {
  const char* at = schema.metadata;
  if (!at) return "";
  const auto number = [&] {
    std::int32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
  };
  const auto text = [&] {
    const auto length = static_cast<std::size_t>(number());
    return std::string_view(std::exchange(at, at + length), length);
  };
  for (std::int32_t count = number(); count > 0; --count) {
    const std::string_view key = text(), value = text();
    if (key == wanted) return std::string(value);
  }
  return "";
}

// The columns that hold the names of pandas' rows.
TextSet index_columns(const ArrowSchema& schema) {
  TextSet names;
  // No recursion and no exceptions: the text may be anything.
  const auto pandas = nlohmann::json::parse(
      metadata_of(schema, "pandas"), [](int depth, auto, const auto&) { return depth < 8; }, false);
  if (pandas.is_object() && pandas.contains("index_columns") && pandas["index_columns"].is_array())
    for (const auto& name : pandas["index_columns"])
      if (name.is_string()) names.insert(name.get<std::string>());
  return names;
}

// "__index_level_0__" is how pandas calls a column of names that has no name.
bool is_unnamed_index(std::string_view name) {
  return name.starts_with("__index_level_") && name.ends_with("__");
}

// A single column that names the rows takes no part in the distances.
void mark_index(const ArrowSchema& schema, Table& table) {
  const TextSet names = index_columns(schema);
  for (Column& column : table.columns) {
    const bool unnamed = is_unnamed_index(column.name);
    if (unnamed) column.name = "index";
    if (names.size() != 1 || !(unnamed || names.contains(column.name))) continue;  // several are groups of rows
    column.annotates = true;
    table.remarks.push_back(shown(column.name) + " names the rows (it is pandas' index): it is not used for distances");
  }
}

double bytes_a_row(const ArrowSchema& schema) {
  double bytes = 0;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const auto type = arrow_number_type(schema.children[i]->format);
    bytes += !type ? 0 : type->fits_float() ? sizeof(float) : sizeof(double);
  }
  return bytes;
}

void read_batches(ArrowFile& file, std::vector<std::unique_ptr<ArrowColumn>>& columns, Table& table,
                  std::uint64_t bytes, LoadProgress* progress) {
  Released<ArrowArray> batch;
  while (file.next(batch)) {
    if (progress && progress->cancelled) throw Cancelled{};
    const ArrowArray& rows = batch.value;
    const auto count = static_cast<std::size_t>(rows.length);
    if (count == 0) continue;
    table.rows += count;
    require_density(table.source, table.rows * columns.size(), "cells", bytes);
    if (table.rows > maximum_rows) require_table(table.source, table.rows, columns.size());
    if (file.rows() < 0) require_memory(table.source, 2 * bytes_a_row(file.schema()) * static_cast<double>(table.rows));
    in_parallel(columns.size(), 1, [&](std::size_t i) {
      const ArrowArray& column = *rows.children[i];
      columns[i]->append({&column, column.offset + rows.offset, count});
    });
    if (progress && file.rows() > 0)
      progress->fraction = static_cast<float>(static_cast<double>(table.rows) / static_cast<double>(file.rows()));
  }
}

void name_columns(std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  names = column_names(std::move(names));
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].name = std::move(names[i]);
}

// Arrow is written against damaged files, so large ones, whose reading takes long, are only opened beforehand.
void rehearse_arrow(OpenArrow* open, const std::string& path, const std::string& opened, std::string_view format) {
  constexpr std::uintmax_t small = 16 << 20;
  std::error_code none;
  const bool whole = std::filesystem::file_size(opened, none) <= small;
  ReaderProcess(path, "Arrow", ReaderProcess::patience(opened), [&](Channel&) {
    ArrowFile file(open, path, opened, format, false);
    Released<ArrowArray> batch;
    while (whole && file.next(batch)) continue;
  }).finish();
}

}  // namespace

Table read_arrow(const SourceFile& source, std::string_view format) {
  const std::string opened = source.file.seekable_path();
  OpenArrow* const open = load_arrow(source.path(), format);
  rehearse_arrow(open, source.path(), opened, format);
  ArrowFile file(open, source.path(), opened, format, true);
  const ArrowSchema& schema = file.schema();
  Table table;
  table.source = source.path();
  table.format = format;
  if (schema.n_children == 0 || file.rows() == 0 || file.rows() > static_cast<std::int64_t>(maximum_rows))
    require_table(table.source, static_cast<std::uint64_t>(std::max(file.rows(), std::int64_t{0})),
                  static_cast<std::uint64_t>(schema.n_children));
  const auto expected = static_cast<std::size_t>(std::max(file.rows(), std::int64_t{0}));
  const std::uint64_t bytes = std::filesystem::file_size(opened);
  require_density(table.source, expected * static_cast<std::uint64_t>(schema.n_children), "cells", bytes);
  require_memory(table.source, bytes_a_row(schema) * static_cast<double>(expected));
  std::vector<std::unique_ptr<ArrowColumn>> columns;
  for (std::int64_t i = 0; i < schema.n_children; ++i)
    columns.push_back(make_arrow_column(table.source, *schema.children[i], schema.children[i]->name, expected));
  read_batches(file, columns, table, bytes, source.progress);
  if (table.rows == 0) require_table(table.source, 0, static_cast<std::uint64_t>(schema.n_children));
  if (file.rows() >= 0 && table.rows != expected)
    throw file.damaged("it states " + count_of(expected, "row") + " and has " + with_commas(table.rows));
  for (const auto& column : columns) column->finish(table.columns, table.remarks);
  if (table.columns.empty())
    throw file_error(table.source,
                     "no column can be read" + (table.remarks.empty() ? std::string() : ": " + table.remarks.front()));
  mark_index(schema, table);
  name_columns(table.columns);
  return table;
}

}  // namespace kinescope::sim
