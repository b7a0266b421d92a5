#include "sim/data/readers/hdf5/hdf5_reading.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t block_values = 1 << 20;

// Reads a block of rows at a time and distributes its values to the columns.
template <class Number>
void read_columns_as(const Hdf5File& file, const std::string& array, const Hdf5Shape& shape, Table& table,
                     LoadProgress* progress) {
  const std::uint64_t rows = shape.rows(), columns = shape.columns();
  for (std::size_t i = 0; i < columns; ++i) table.columns[i].numbers.reserve(rows);
  const std::uint64_t together = file.rows_together(array);
  std::uint64_t step = std::max<std::uint64_t>(1, block_values / columns);
  // Reads whole chunks of the file, unless one is larger than sixteen blocks.
  if (together > 1 && together * columns <= 16 * block_values) step = (step + together - 1) / together * together;
  std::vector<Number> block(std::min(step, rows) * columns);
  for (std::uint64_t first = 0; first < rows; first += step) {
    const std::uint64_t count = std::min(step, rows - first);
    file.read_rows(array, first, count, std::span(block).first(count * columns));
    for (std::uint64_t row = 0; row < count; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        table.columns[column].numbers.push_back(block[row * columns + column]);
    tell_progress(progress, first + count, rows);
  }
}

void check_shape(const Hdf5File& file, const std::string& array, const Hdf5Shape& shape) {
  if (!shape.numbers) throw file_error(file.path(), shown(array) + " does not hold numbers");
  if (shape.sizes.empty() || shape.sizes.size() > 2)
    throw file_error(file.path(), shown(array) + ": expected 2 dimensions, found " +
                                      std::to_string(shape.sizes.size()) + "; reshape it to rows × columns");
  const std::uint64_t rows = shape.rows(), columns = shape.columns();
  if (rows == 0 || columns == 0)
    throw file_error(file.path(), shown(array) + (rows == 0 ? " has no rows" : " has no columns"));
  require_table(file.path(), rows, columns);
  require_density(file.path(), rows * columns, "values", file.size());
}

bool is_marked_sparse(const Hdf5File& file, const std::string& group) {
  return !group.empty() && file.has(group + "/indptr") &&
         !(file.text_attribute(group, "encoding-type") + file.text_attribute(group, "h5sparse_format")).empty() &&
         file.has(group + "/indices") && file.has(group + "/data");
}

}  // namespace

bool begins_like_hdf5(const InputFile& file) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1A\n";
  constexpr std::size_t least_block = 512;
  const std::string_view head = file.head();
  if (head.starts_with(signature)) return true;
  for (std::size_t at = least_block; at < head.size(); at *= 2)
    if (head.substr(at).starts_with(signature)) return true;
  return false;
}

Fit fit_hdf5(InputFile& file, bool (*fits)(const Hdf5File& file)) {
  if (!begins_like_hdf5(file)) return Fit::no;
  try {
    return fit_if(fits(Hdf5File(file.seekable_path(), file.path())), Fit::certain);
  } catch (const Error&) {  // hdf5_format reports it
    return Fit::no;
  }
}

Table read_hdf5(const SourceFile& source,
                Table (*read)(const Hdf5File& file, const std::string& part, LoadProgress* progress)) {
  return read(Hdf5File(source.file.seekable_path(), source.path()), source.place.name, source.progress);
}

std::string path_of(const std::string& part) {
  return part.starts_with('/') ? part : "/" + part;
}

std::string choose_matrix(const Hdf5File& file, const std::string& part, std::string* others) {
  std::string asked = part.empty() ? "" : path_of(part);
  if (!part.empty() && (file.shape_of({asked}) || sparse_at(file, asked))) return asked;
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> matrices;
  for (const std::string& name : file.arrays()) {
    const std::string group = name.substr(0, name.rfind('/'));
    if (is_marked_sparse(file, group)) {
      if (!matrices.empty() && matrices.back().first == group) continue;
      const auto sparse = sparse_at(file, group);
      matrices.push_back({group, {sparse->rows, sparse->columns}});
      continue;
    }
    const auto shape = file.shape_of({name});
    if (shape && shape->numbers) matrices.push_back({name, shape->sizes});
  }
  std::string chosen;
  std::size_t fitting = 0;
  bool readable = false;
  for (const auto& [name, sizes] : matrices) {
    if (sizes.size() == 2 && ++fitting == 1) chosen = name;
    readable = readable || (!sizes.empty() && sizes.size() <= 2);
  }
  const bool found = asked.empty() && fitting == 1;
  if (found) std::erase_if(matrices, [&](const auto& each) { return each.first == chosen || each.second.empty(); });
  // The largest first, each with its whole path, by which it can be chosen.
  std::ranges::stable_sort(matrices, std::ranges::greater(), [](const auto& each) {
    double values = 1;
    for (const std::uint64_t size : each.second) values *= static_cast<double>(size);
    return values;
  });
  std::vector<std::string> texts;
  for (const auto& [name, sizes] : matrices)
    texts.push_back("'" + to_utf8(name) + "' (" + (sizes.empty() ? "one value" : sizes_text(sizes)) + ")");
  const std::string list = listed(texts);
  if (found && others) *others = list;
  if (found) return chosen;
  if (matrices.empty()) throw file_error(file.path(), "holds no array of numbers");
  if (asked.empty() && !readable)
    throw file_error(file.path(), "no array has rows and columns: it holds " + list + "; reshape one");
  throw no_such_part(file.path(), "array", asked, list, "/PATH");
}

Table read_matrix(const Hdf5File& file, const std::string& path, LoadProgress* progress,
                  const std::vector<std::string>& names) {
  Table table;
  if (const auto sparse = sparse_at(file, path)) {
    table.rows = sparse->rows;
    const std::shared_ptr<SparseRows> rows = read_sparse(file, *sparse, progress);
    if (names.size() == rows->columns) rows->names = names;
    for (std::size_t i = 0; i < rows->names.size(); ++i)
      if (rows->names[i].empty()) rows->names[i] = numbered_name(i);
    table.sparse = rows;
    return table;
  }
  const auto shape = file.shape_of({path});
  if (!shape) throw file_error(file.path(), shown(path) + " is neither an array nor a sparse matrix");
  check_shape(file, path, *shape);
  table.rows = shape->rows();
  table.columns.resize(shape->columns());
  const bool named = names.size() == table.columns.size();
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    table.columns[i].name = !named || names[i].empty() ? numbered_name(i) : names[i];
  shape->fit_float ? read_columns_as<float>(file, path, *shape, table, progress)
                   : read_columns_as<double>(file, path, *shape, table, progress);
  return table;
}

bool drop_infinities(Column& column) {
  const auto infinite = [](double value) { return std::isinf(value); };
  if (std::none_of(column.numbers.begin(), column.numbers.end(), infinite)) return false;
  for (std::size_t i = 0; i < column.numbers.size(); ++i)
    if (std::isinf(column.numbers[i])) column.numbers.set(i, std::numeric_limits<float>::quiet_NaN());
  return true;
}

std::optional<Column> annotation_at(const Hdf5File& file, const Hdf5Place& place, const std::string& name,
                                    std::size_t rows) {
  const auto shape = file.list_at(place, rows);
  if (!shape) return std::nullopt;
  Column column{name};
  column.annotates = true;
  column.is_text = shape->texts || shape->booleans;
  if (shape->texts) {
    column.texts = file.read_texts(place);
    return column;
  }
  std::vector<double> numbers = file.read_numbers(place);
  if (shape->booleans) {
    for (const double number : numbers) column.texts.emplace_back(number != 0 ? "True" : "False");
  } else if (shape->fit_float) {
    column.numbers = std::vector<float>(numbers.begin(), numbers.end());
  } else {
    column.numbers = std::move(numbers);
  }
  return column;
}

std::vector<Column> first_columns_at(const Hdf5File& file, const Hdf5Place& place, const std::string& name,
                                     std::size_t rows) {
  constexpr std::size_t most = 3;
  const auto shape = file.shape_of(place);
  if (!shape || !shape->numbers || shape->sizes.size() != 2 || shape->rows() != rows || shape->columns() == 0)
    return {};
  const std::vector<double> numbers = file.read_numbers(place);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < std::min<std::size_t>(most, shape->columns()); ++i) {
    Column& column = columns.emplace_back(Column{name + "." + std::to_string(i)});
    column.annotates = true;
    column.numbers.reserve(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const double value = numbers[row * shape->columns() + i];
      shape->fit_float ? column.numbers.push_back(static_cast<float>(value)) : column.numbers.push_back(value);
    }
  }
  return columns;
}

}  // namespace kinescope::sim
