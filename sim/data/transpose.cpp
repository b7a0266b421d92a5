#include "sim/data/transpose.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::array<std::string_view, 14> identifier_names = {"row",   "id",     "index",   "name",      "names",
                                                               "otu",   "asv",    "feature", "gene",      "geneid",
                                                               "probe", "sample", "c0",      "unnamed: 0"};

bool names_identifiers(std::string_view name) {
  for (const std::string_view ending : {" id", "_id", ".id"})
    if (ends_with_ignoring_case(name, ending)) return true;
  return std::ranges::any_of(identifier_names, [&](auto each) { return equals_ignoring_case(name, each); });
}

// The rows of the columns as columns of the same order.
template <class Number>
std::vector<Column> turned(const std::vector<const Column*>& columns, std::size_t rows, LoadProgress* progress) {
  constexpr std::size_t together = 64;  // rows, so that a cache line is used while it is in the cache
  std::vector<Column> made(rows);
  in_parallel((rows + together - 1) / together, 1, [&](std::size_t block) {
    if (progress && progress->cancelled) return;
    const std::size_t begin = block * together, end = std::min(begin + together, rows);
    std::vector<std::span<Number>> into;
    for (std::size_t row = begin; row < end; ++row) {
      Numbers& numbers = made[row].numbers;
      if constexpr (sizeof(Number) == sizeof(float))
        into.push_back(numbers.write_floats(columns.size()));
      else
        into.push_back(numbers.write_doubles(columns.size()));
    }
    for (std::size_t c = 0; c < columns.size(); ++c)
      columns[c]->numbers.visit([&](auto numbers) {
        for (std::size_t row = begin; row < end; ++row) into[row - begin][c] = static_cast<Number>(numbers[row]);
      });
    for (std::size_t row = begin; row < end; ++row) made[row].numbers.settle();
  });
  if (progress && progress->cancelled) throw Cancelled{};
  return made;
}

// The names of the rows, as names of columns; none if no column has them.
std::vector<std::string> names_of_rows(const Table& table, std::optional<std::size_t> naming) {
  std::vector<std::string> names(table.rows);
  for (std::size_t row = 0; naming && row < table.rows; ++row) names[row] = written_cell(table.columns[*naming], row);
  return names;
}

void check_size(const Table& table, const std::vector<const Column*>& numbers) {
  if (table.rows > maximum_columns)
    throw file_error(table.source, "--transpose: " + with_commas(table.rows) + " rows would be more than " +
                                       with_commas(maximum_columns) + " columns");
  std::size_t bytes = 0;
  for (const Column* column : numbers) bytes += (column->numbers.fit_float() ? 4 : 8) * table.rows;
  require_memory(table.source, static_cast<double>(bytes) + static_cast<double>(table.rows * sizeof(Column)));
}

// " alone: 'b' has '1,000'"; "" if no column has texts.
std::string example_of_text(const Table& table, std::optional<std::size_t> naming) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    if (naming == i || !column.is_text || column.annotates) continue;
    for (const std::string& text : column.texts)
      if (!text.empty() && kind_of_cell(text) != CellKind::number)
        return " alone: " + shown(column.name) + " has " + shown(text);
  }
  return "";
}

// Says what names what, and which columns are gone.
void tell(Table& made, const Table& before, std::optional<std::size_t> naming, bool named,
          const std::vector<std::string>& left_out) {
  std::string said = "transposed: the rows of the file are the columns";
  if (naming) said += ", named by " + shown(before.columns[*naming].name);
  if (named) said += "; the names of its columns name the rows";
  made.remarks.push_back(said);
  std::vector<std::string> rounded;  // columns whose whole numbers have more digits than a double, kept as texts
  for (const Column& column : before.columns)
    if (!column.is_text && !column.texts.empty() && !column.annotates) rounded.push_back(column.name);
  if (!rounded.empty())
    made.remarks.push_back(list_of(rounded) + (rounded.size() == 1 ? " has" : " have") +
                           " numbers of more digits than are kept when transposed, about 16");
  if (!left_out.empty())
    made.remarks.push_back(list_of(left_out) + (left_out.size() == 1 ? " describes" : " describe") +
                           " the rows of the file and " + (left_out.size() == 1 ? "is" : "are") + " left out");
}

}  // namespace

std::optional<std::size_t> naming_column(const Table& table) {
  const std::vector<Column>& columns = table.columns;
  const auto first = [&](auto is) -> std::optional<std::size_t> {
    const auto found = std::ranges::find_if(columns, is);
    if (found == columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - columns.begin());
  };
  if (const auto found = first([](const Column& column) { return column.is_text && column.annotates; })) return found;
  if (columns.empty()) return std::nullopt;
  if (columns.front().is_text) return 0;
  const bool named = table.has_header || columns.front().name == "row";
  if (named && names_identifiers(columns.front().name) && are_different_whole_numbers(columns.front())) return 0;
  return first([](const Column& column) { return column.is_text; });
}

Table transposed(Table table, LoadProgress* progress) {
  if (table.picture || table.graph || table.distances)
    throw file_error(table.source,
                     std::string("--transpose cannot be used with ") + (table.picture ? "pictures"
                                                                        : table.graph ? "graphs"
                                                                                      : "distances in a file"));
  const std::optional<std::size_t> naming = naming_column(table);
  std::vector<const Column*> numbers;
  std::vector<std::string> names, left_out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    if (naming == i) continue;
    if (table.sparse || column.is_text || column.annotates || is_empty(column)) {
      left_out.push_back(column.name);
      continue;
    }
    numbers.push_back(&column);
    names.push_back(column.name);
  }
  if (!table.sparse && numbers.empty())
    throw file_error(table.source, "--transpose: no column has numbers" + example_of_text(table, naming));
  Table made;
  made.source = table.source;
  made.format = table.format;
  made.has_header = table.has_header;
  made.header_reason = table.header_reason;
  made.decimal_comma = table.decimal_comma;
  made.text_reading = table.text_reading;
  made.remarks = table.remarks;
  if (table.sparse) names = table.sparse->names;
  bool named = false;  // by more than their numbers
  for (std::size_t i = 0; i < names.size(); ++i) named = named || names[i] != numbered_name(i);

  std::vector<std::string> features = names_of_rows(table, naming);
  if (named) {
    made.columns.push_back({.name = "name", .is_text = true, .texts = names, .annotates = true});
    features.insert(features.begin(), "name");
  }
  if (table.sparse) {
    require_memory(table.source, static_cast<double>(table.sparse->bytes()));
    auto rows = std::make_shared<SparseRows>(transposed(*table.sparse));
    made.rows = rows->rows();
    if (naming) {
      rows->names = column_names(features);
      if (named) rows->names.erase(rows->names.begin());
    }
    made.sparse = std::move(rows);
  } else {
    check_size(table, numbers);
    made.rows = numbers.size();
    features = column_names(features);
    const bool single = std::ranges::all_of(numbers, [](const Column* column) { return column->numbers.single(); });
    std::vector<Column> columns =
        single ? turned<float>(numbers, table.rows, progress) : turned<double>(numbers, table.rows, progress);
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].name = std::move(features[i + named]);
    made.columns.insert(made.columns.end(), std::make_move_iterator(columns.begin()),
                        std::make_move_iterator(columns.end()));
  }
  tell(made, table, naming, named, left_out);
  return made;
}

}  // namespace kinescope::sim
