#include "sim/data/choose.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "sim/core/by_text.hpp"
#include "sim/core/suggest.hpp"
#include "sim/data/choose_label.hpp"
#include "sim/data/graph/edges.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/scales.hpp"
#include "sim/data/shell_words.hpp"
#include "sim/data/text.hpp"
#include "sim/data/unread.hpp"

namespace kinescope::sim {
namespace {

std::string known_columns(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  std::string known;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) known += (i ? ", " : "") + shown(names[i]);
  if (names.size() > most) known += ", … (" + std::to_string(names.size()) + " in all)";
  return known;
}

// The remedy of reading a column of texts as numbers, for tables of text.
Error with_numbers(const Error& error, const Table& table, const DataRequest& request, const std::string& column) {
  if (!table.text_reading) return error;
  TableFormat format = request.format;
  std::erase(format.texts, column);
  format.numbers.push_back(column);
  return error.with({.text = "Read " + shown(column) + " as numbers",
                     .format = std::make_shared<const TableFormat>(std::move(format))});
}

// Of a column that is mostly numbers, with few others: more make no categories.
constexpr std::size_t most_numbers_as_categories = 20;

// Whether most texts of a column are numbers, so that a few others made it one of texts.
bool is_mostly_numbers(const Column& column) {
  std::size_t numbers = 0, values = 0;
  for (const std::string& text : column.texts) {
    values += !text.empty();
    numbers += kind_of_cell(text) == CellKind::number;
  }
  return 2 * numbers > values;
}

// Whether the first two of two or three columns are texts, of which one at least is in both.
bool may_be_edges(const Table& table) {
  if (table.columns.size() < 2 || table.columns.size() > 3) return false;
  const Column &from = table.columns[0], &to = table.columns[1];
  if (!from.is_text || !to.is_text) return false;
  const std::set<std::string_view> nodes(from.texts.begin(), from.texts.end());
  return std::ranges::any_of(to.texts, [&](const std::string& name) { return !name.empty() && nodes.contains(name); });
}

// The error of a table without a column that makes distances. It names the first that was meant to.
Error no_numbers(const Table& table, const DataRequest& request, const Chosen& so_far) {
  const Column* unread = nullptr;
  std::string why;
  for (std::size_t i = 0; i < table.columns.size() && !unread; ++i) {
    const Column& column = table.columns[i];
    if (!so_far.unread[i].empty()) {
      unread = &column;
      why = "; " + unread_sentence(table, column.name, so_far.unread[i]);
    } else if (table.text_reading && column.is_text && is_mostly_numbers(column)) {
      unread = &column;
      why = "; `" + names_option("--numbers", {column.name}) + "` reads the numbers of " + shown(column.name);
    }
  }
  if (!unread && may_be_edges(table)) why = "; if its rows are edges, glimmer reads them with `--set metric=graph`";
  const Error error = file_error(table.source, "no column has numbers from which distances can be computed" + why);
  return unread ? with_numbers(error, table, request, unread->name) : error;
}

std::vector<const Column*> choose_all(const Table& table, const DataRequest& request, const Chosen& so_far) {
  const Column* const label = so_far.label_takes_part ? nullptr : so_far.label;
  std::vector<const Column*> numbers, categories, both;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    if (&column == label || column.annotates) continue;
    const std::size_t before = numbers.size() + categories.size();
    if (!column.is_text && has_number(column)) numbers.push_back(&column);
    if (so_far.categories[i] > 0 && so_far.unread[i].empty()) categories.push_back(&column);
    if (numbers.size() + categories.size() > before) both.push_back(&column);
  }
  // The points' own colours take no part, unless there is nothing else.
  const auto is_colour = [&](const Column* column) { return so_far.colours.has(column); };
  if (!std::ranges::all_of(numbers, is_colour)) {
    std::erase_if(numbers, is_colour);
    std::erase_if(both, is_colour);
  }
  if (numbers.empty() && categories.empty()) throw no_numbers(table, request, so_far);
  if (request.reading == Reading::mixed) return both;
  return numbers.empty() ? categories : numbers;
}

// A matrix of distances may have a further first column, with the rows' names or numbers, which takes no part.
// Numbers are numbers of the rows only if the rest has the same value all along the diagonal.
bool names_rows_of_matrix(const Table& table, const DataRequest& request) {
  if (request.reading != Reading::matrix || table.sparse || table.columns.size() != table.rows + 1) return false;
  const std::vector<Column>& columns = table.columns;
  if (columns.front().is_text) return true;
  for (std::size_t row = 0; row < table.rows; ++row)
    if (columns[row + 1].is_text || std::abs(columns[row + 1].numbers[row] - columns[1].numbers[0]) > 1e-6)
      return false;
  return true;
}

std::vector<const Column*> choose_columns(const Table& table, const DataRequest& request, const Chosen& so_far) {
  if (request.columns.empty()) return choose_all(table, request, so_far);
  std::vector<const Column*> chosen;
  ByTextView<const Column*> columns;  // a request may name very many
  for (const Column& column : table.columns) columns.emplace(column.name, &column);
  std::vector<bool> taken(table.columns.size());
  for (const std::string& name : request.columns) {
    const auto found = columns.find(name);
    const Column& column = found != columns.end() ? *found->second : required_column(table, name);
    if (&column == so_far.label && !so_far.label_takes_part)
      throw file_error(table.source, "column " + shown(name) + " is the label and not used for distances");
    const auto index = static_cast<std::size_t>(&column - table.columns.data());
    if (column.is_text && so_far.categories[index] == 0) {
      const std::string& unread = so_far.unread[index];
      const bool mostly = table.text_reading && unread.empty() && is_mostly_numbers(column);
      const Error error =
          file_error(table.source, "column " + shown(name) + " is text and cannot be used for distances" +
                                       (mostly ? "; `" + names_option("--numbers", {name}) + "` reads its numbers"
                                        : unread.empty() ? ""
                                                         : "; " + unread_sentence(table, name, unread)));
      throw mostly || !unread.empty() ? with_numbers(error, table, request, name) : error;
    }
    if (!column.is_text && !has_number(column))
      throw file_error(table.source, "column " + shown(name) + " has no values");
    if (taken[index]) throw file_error(table.source, "column " + shown(name) + " is named twice");
    taken[index] = true;
    chosen.push_back(&column);
  }
  return chosen;
}

// The latitude and the longitude: by their names, else the first two of these columns.
std::vector<const Column*> choose_degrees(const Table& table, const std::vector<const Column*>& columns) {
  const Column *latitude = nullptr, *longitude = nullptr;
  std::vector<const Column*> numbers;
  for (const Column* column : columns) {
    if (column->is_text) continue;
    numbers.push_back(column);
    const Degrees named = degrees_of(column->name);
    if (named == Degrees::latitude && !latitude) latitude = column;
    if (named == Degrees::longitude && !longitude) longitude = column;
  }
  if (latitude && longitude) return {latitude, longitude};
  if (numbers.size() < 2)
    throw file_error(table.source, "metric=haversine needs two columns of degrees, a latitude and a longitude");
  return {numbers[0], numbers[1]};
}

const NumberFacts& facts_in(const std::vector<NumberFacts>& facts, const Table& table, const Column& column) {
  return facts[static_cast<std::size_t>(&column - table.columns.data())];
}

// The rows that stay: those without a missing value in the columns that take part; those with at least one value for
// Reading::mixed; all rows if missing values are filled in, and for Reading::matrix.
std::vector<std::size_t> choose_rows(const Table& table, const std::vector<const Column*>& columns,
                                     const DataRequest& request, const std::vector<NumberFacts>& facts) {
  if (table.rows == 0) throw file_error(table.source, "no rows");
  const bool any_value = request.reading == Reading::mixed;
  std::vector<std::size_t> missing(table.rows);               // values of each row
  const bool in_matrix = request.reading == Reading::matrix;  // there a missing value is a pair without a distance
  if (any_value || (request.missing == Missing::leave_out && !in_matrix))
    for (const Column* column : columns)
      if (column->is_text || facts_in(facts, table, *column).missing > 0)
        each_missing(*column, [&](std::size_t row) { ++missing[row]; });
  const std::size_t too_many = any_value ? columns.size() : 1;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.rows; ++row)
    if (missing[row] < too_many) rows.push_back(row);
  if (rows.empty())
    throw file_error(table.source, "no rows left: each of the " + std::to_string(table.rows) + " rows" +
                                       " has a missing value; `--missing mean` fills them in");
  return rows;
}

// Names the first row with an infinity.
void check_finite(const Table& table, const std::vector<const Column*>& columns,
                  const std::vector<NumberFacts>& facts) {
  std::size_t first = table.rows;
  const Column* in = nullptr;
  for (const Column* column : columns)
    if (const std::size_t row = facts_in(facts, table, *column).first_infinite; row < first) first = row, in = column;
  if (!in) return;
  throw row_error(table, first, "column " + shown(in->name) + ": an infinite value cannot be used for distances");
}

// Throws if the request does not suit a graph, distances in a file or sparse rows. Sparse rows have neither column
// names nor missing values.
void refuse_choices(const Table& table, const DataRequest& request) {
  if (table.graph && !request.columns.empty())
    throw file_error(table.source, "--columns cannot be used here: only a table of edges has columns to choose from");
  if (table.graph && request.missing != Missing::leave_out)
    throw file_error(table.source, "--missing cannot be used with graphs");
  if (table.distances && (!request.columns.empty() || request.missing != Missing::leave_out))
    throw file_error(table.source,
                     "--columns and --missing cannot be used with distances in a file, which has no columns");
  if (table.graph || table.distances) return;
  if (request.reading == Reading::mixed || request.reading == Reading::degrees)
    throw file_error(table.source, std::string("metric=") +
                                       (request.reading == Reading::mixed ? "gower" : "haversine") +
                                       " cannot be used with sparse rows")
        .with({.parameter = "metric", .value = "euclidean"});
  if (!request.columns.empty())
    throw file_error(table.source, "--columns cannot be used with sparse rows, whose columns have no names");
  if (request.missing != Missing::leave_out)
    throw file_error(table.source,
                     "--missing cannot be used with sparse rows, in which values that are not stored are 0");
}

}  // namespace

const Column& required_column(const Table& table, const std::string& name) {
  if (const Column* column = table.find(name)) return *column;
  std::vector<std::string> names;
  for (const Column& each : table.columns) names.push_back(each.name);
  throw no_column(table.source, name, names);
}

Error no_column(const std::string& path, const std::string& name, const std::vector<std::string>& names) {
  if (std::ranges::find(names, name) != names.end())
    return file_error(path, "column " + shown(name) + " is named by its place, but has a name");
  const std::string lacking = "there is no column " + shown(name);
  for (const std::string& each : names)
    if (each.starts_with(name + ","))
      return file_error(path, lacking + ", but " + shown(each) +
                                  ": put a name that contains a comma in double quotes, and these in the shell's "
                                  "single quotes");
  const std::string nearest = nearest_name(name, names);
  return file_error(path, lacking + (nearest.empty() ? "; available: " + known_columns(names)
                                                     : "; did you mean " + shown(nearest) + "?"));
}

Error row_error(const Table& table, std::size_t row, const std::string& message) {
  return table.row_lines.empty() ? file_error(table.source, "row " + std::to_string(row + 1) + ": " + message)
                                 : file_error(table.source, table.row_lines[row], message);
}

bool has_number(const Column& column) {
  return std::any_of(column.numbers.begin(), column.numbers.end(), [](double value) { return !std::isnan(value); });
}

bool is_empty(const Column& column) {
  return !has_number(column) &&
         std::all_of(column.texts.begin(), column.texts.end(), [](auto& text) { return text.empty(); });
}

bool are_different_whole_numbers(const Column& column) {
  if (column.is_text || column.size() == 0) return false;
  const NumberFacts facts = facts_of(column.numbers);
  if (!facts.whole || facts.missing > 0) return false;
  const double range = facts.high - facts.low;
  const std::size_t count = column.numbers.size();
  if (range < static_cast<double>(count - 1)) return false;  // some would have to be equal
  constexpr double times = 64;                               // a table of bits is then smaller than the numbers
  if (range < times * static_cast<double>(count)) {
    std::vector<bool> seen(static_cast<std::size_t>(range) + 1);
    return std::ranges::all_of(column.numbers, [&](double value) {
      const auto place = static_cast<std::size_t>(value - facts.low);
      const bool again = seen[place];
      seen[place] = true;
      return !again;
    });
  }
  std::vector<double> sorted(column.numbers.begin(), column.numbers.end());
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end();
}

bool is_missing(const Column& column, std::size_t row) {
  return column.is_text ? column.texts[row].empty() : std::isnan(column.numbers[row]);
}

std::size_t category_count(const Column& column) {
  if (!column.is_text) return 0;
  TextViewSet distinct;
  std::size_t present = 0;
  for (const std::string& text : column.texts) {
    if (text.empty()) continue;
    ++present;
    distinct.insert(text);
    if (distinct.size() > most_categories) return 0;
  }
  return distinct.size() >= 2 && distinct.size() < present ? distinct.size() : 0;
}

void read_as_categories(Table& table, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    auto& column = const_cast<Column&>(required_column(table, name));
    if (column.is_text) continue;
    turn_into_texts(column);
    if (category_count(column) == 0)
      throw file_error(table.source, "column " + shown(name) + ": a column of categories must have 2 to " +
                                         std::to_string(most_categories) +
                                         " different values, some of them more than once");
  }
}

Chosen choose(const Table& table, const DataRequest& request) {
  Chosen chosen;
  chosen.facts = facts_of(table);
  for (const Column& column : table.columns) {
    chosen.categories.push_back(category_count(column));
    if (chosen.categories.back() > most_numbers_as_categories && is_mostly_numbers(column))
      chosen.categories.back() = 0;
    // In a column beside sparse rows, "1,3" is a list of labels.
    std::string& unread = chosen.unread.emplace_back();
    if (table.sparse || table.graph || column.annotates) continue;
    unread = unread_number(column);
    if (unread.empty()) unread = unread_date(column);
  }
  const ChosenLabel label = choose_label(table, request, chosen);
  chosen.label = label.column;
  chosen.label_takes_part = label.takes_part;
  chosen.label_is_telling = label.is_telling;
  chosen.colours = choose_colours(table, request);
  if (!chosen.label && request.label.empty() && names_rows_of_matrix(table, request))
    chosen.label = &table.columns.front();
  if (table.graph) {
    refuse_choices(table, request);
    const std::vector<std::uint32_t> components = components_of(*table.graph);
    if (const std::size_t dropped = table.graph->no_strength; table.graph->edges.empty())
      throw file_error(
          table.source,
          "no edge connects two nodes" +
              (dropped == 0 ? "" : ": " + count_of(dropped, "edge") + " of strength 0 dropped; " + with_equal_edges));
    for (std::size_t node = 0; node < components.size(); ++node)
      if (request.components == Components::all || components[node] == 0) chosen.rows.push_back(node);
    chosen.components = *std::max_element(components.begin(), components.end()) + std::size_t{1};
    return chosen;
  }
  if (table.sparse || table.distances) {
    refuse_choices(table, request);
    chosen.rows.resize(table.rows);
    std::iota(chosen.rows.begin(), chosen.rows.end(), std::size_t{0});
    return chosen;
  }
  chosen.columns = choose_columns(table, request, chosen);
  if (request.reading == Reading::degrees) chosen.columns = choose_degrees(table, chosen.columns);
  check_finite(table, chosen.columns, chosen.facts);
  chosen.rows = choose_rows(table, chosen.columns, request, chosen.facts);
  return chosen;
}

}  // namespace kinescope::sim
