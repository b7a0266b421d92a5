// Turns a table and the choices about it into points.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/data/load.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/choose_label.hpp"
#include "sim/data/distance_matrix.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/gather.hpp"
#include "sim/data/gower.hpp"
#include "sim/data/graph/edge_list.hpp"
#include "sim/data/graph/edges.hpp"
#include "sim/data/graph/shortest_paths.hpp"
#include "sim/data/great_circles.hpp"
#include "sim/data/join.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view missing_label = "missing";

// One column for each category of a column of texts. Two rows of different categories are 1 apart.
std::vector<Column> indicators(const Column& column) {
  std::map<std::string_view, std::size_t> index;
  for (const std::string& text : column.texts)
    if (!text.empty()) index.try_emplace(text, 0);
  std::vector<Column> made;
  for (auto& [text, place] : index) {
    place = made.size();
    made.push_back({column.name + "=" + std::string(text), false, std::vector<float>(column.texts.size())});
  }
  for (std::size_t row = 0; row < column.texts.size(); ++row)
    if (column.texts[row].empty())
      for (Column& each : made) each.numbers.set(row, std::numeric_limits<float>::quiet_NaN());
    else
      made[index[column.texts[row]]].numbers.set(row, std::sqrt(0.5f));
  return made;
}

// Classes in ascending order of the number; rows without a number form the last class.
void label_by_number(const Column& column, Dataset& dataset) {
  std::vector<double> distinct;
  for (const double value : column.numbers)
    if (!std::isnan(value)) distinct.push_back(value);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());  // 0 and −0 are one class
  for (const double value : distinct)
    dataset.label_names.push_back(column.numbers.single() ? number_text(static_cast<float>(value) + 0.0f)
                                                          : number_text(value + 0.0));  // never "-0"
  if (std::any_of(column.numbers.begin(), column.numbers.end(), [](double value) { return std::isnan(value); }))
    dataset.label_names.emplace_back(missing_label);
  for (const double value : column.numbers) {
    const auto found = std::isnan(value) ? distinct.end() : std::lower_bound(distinct.begin(), distinct.end(), value);
    dataset.labels.push_back(static_cast<std::uint32_t>(found - distinct.begin()));
  }
}

// Classes in the order that the file tells, else in the byte order of their texts; if all are whole numbers, shorter
// texts come first ("2" before "10"). Rows without a text form the last class.
void label_by_text(const Column& column, Dataset& dataset) {
  ByTextView<std::uint32_t> index;
  for (const std::string& text : column.texts) index.try_emplace(text, 0);
  std::vector<std::string_view> distinct;
  for (const auto& [text, unused] : index)
    if (!text.empty()) distinct.push_back(text);
  const bool numbered = std::all_of(distinct.begin(), distinct.end(), [](std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos && (text.size() == 1 || text.front() != '0');
  });
  std::sort(distinct.begin(), distinct.end(), [&](std::string_view a, std::string_view b) {
    return numbered && a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  if (!column.order.empty()) {
    ByTextView<std::size_t> places;
    for (const std::string& text : column.order) places.try_emplace(text, places.size());
    const auto place = [&](std::string_view text) {
      const auto found = places.find(text);
      return found == places.end() ? places.size() : found->second;
    };
    std::ranges::stable_sort(distinct, {}, place);
  }
  if (index.contains("")) distinct.emplace_back("");
  for (const std::string_view text : distinct) {
    index[text] = static_cast<std::uint32_t>(dataset.label_names.size());
    dataset.label_names.emplace_back(text.empty() ? missing_label : text);
  }
  for (const std::string& text : column.texts) dataset.labels.push_back(index[text]);
}

template <class T>
void keep_rows(std::vector<T>& values, const std::vector<std::size_t>& rows) {
  if (values.empty() || rows.size() == values.size()) return;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (i != rows[i]) values[i] = std::move(values[rows[i]]);
  values.resize(rows.size());
}

// Removes the other rows from the table and notes their lines, or their row numbers from 1 if the format has no lines.
void leave_out_rows(const std::vector<std::size_t>& kept, Table& table, std::vector<std::size_t>& left_out) {
  std::size_t next = 0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (next < kept.size() && kept[next] == row)
      ++next;
    else
      left_out.push_back(table.row_lines.empty() ? row + 1 : table.row_lines[row]);
  }
  for (Column& column : table.columns) {
    column.numbers.keep(kept);
    keep_rows(column.texts, kept);
  }
  keep_rows(table.row_lines, kept);
  table.rows = kept.size();
}

// Pairs between components are those without a distance.
void note_components(std::vector<std::uint32_t> components, Dataset& dataset) {
  if (std::ranges::all_of(components, [](std::uint32_t component) { return component == 0; })) return;
  const auto pairs = [](std::uint64_t points) { return points * (points - 1) / 2; };
  std::vector<std::uint64_t> sizes;
  for (const std::uint32_t component : components) {
    if (sizes.size() <= component) sizes.resize(component + 1);
    ++sizes[component];
  }
  dataset.pairs_left_out = pairs(components.size());
  for (const std::uint64_t size : sizes) dataset.pairs_left_out -= pairs(size);
  dataset.components = std::move(components);
}

}  // namespace

Dataset make_dataset(Table table, const DataRequest& asked) {
  Dataset dataset;
  DataRequest request = asked;
  if (request.reading == Reading::graph && !table.graph) {
    table = table_of_edges(table, std::exchange(request.columns, {}), request.edges_are);
    join_metadata(table, request);
  }
  dataset.name = file_name(table.source);
  read_as_categories(table, request.categories);
  const Chosen chosen = choose(table, request);
  const Column* label = chosen.label;
  const std::vector<std::size_t>& rows = chosen.rows;
  const bool mixed = request.reading == Reading::mixed && !table.graph;
  std::list<Column> made;  // a list, so that its elements keep their addresses
  std::vector<const Column*> columns;
  const bool degrees = request.reading == Reading::degrees && chosen.columns.size() == 2;
  for (const Column* column : mixed || degrees ? std::vector<const Column*>() : chosen.columns)
    if (!column->is_text)
      columns.push_back(column);
    else
      for (Column& indicator : indicators(*column)) columns.push_back(&made.emplace_back(std::move(indicator)));
  Findings findings = find_out(table, request, chosen);
  dataset.points = rows.size();
  dataset.dimensions = table.sparse ? table.sparse->columns : columns.size();
  if (table.sparse) dataset.value_names = table.sparse->names;
  for (const Column* column : columns) dataset.value_names.push_back(column->name);
  const bool drops_columns = !request.keep_columns && !table.graph;
  const bool gives_columns = drops_columns && !table.picture && !chosen.colours && !mixed && !degrees;
  const std::string kept = label ? label->name : "";
  for (Column& column : table.columns)
    if (gives_columns && column.name == kept) column.numbers.own();
  gather_values(columns, rows, request, table, gives_columns ? &kept : nullptr, dataset);
  if (table.sparse) dataset.numbers = table.sparse;
  if (request.reading == Reading::matrix && !table.sparse && !table.distances && !table.graph)
    tidy_distances(request, dataset, findings.remarks);
  if (!dataset.components.empty()) findings.components = 1 + *std::ranges::max_element(dataset.components);
  dataset.findings = std::make_shared<const Findings>(std::move(findings));
  if (degrees)
    dataset.numbers = std::make_shared<const GreatCircles>(table, *chosen.columns[0], *chosen.columns[1], rows);
  if (mixed) dataset.numbers = std::make_shared<const Gower>(chosen.columns, rows);
  if (table.distances) dataset.numbers = table.distances, dataset.pairs_left_out = table.pairs_left_out;
  if (table.graph) {
    table.graph = dataset.graph = std::make_shared<const Graph>(part_of(*table.graph, rows));
    dataset.numbers = std::make_shared<const ShortestPaths>(dataset.graph, table.source);
    note_components(components_of(*dataset.graph), dataset);
  }
  for (Column& column : table.columns)
    if (gives_columns && column.name != kept) column.numbers.clear();
  leave_out_rows(rows, table, dataset.rows_left_out);  // the columns keep their addresses, so `label` stays valid
  if (label) {
    dataset.label_name = label->name;
    label->texts.empty() ? label_by_number(*label, dataset) : label_by_text(*label, dataset);
  }
  if (table.picture) {  // no pixel lacks a value, so all rows stay
    dataset.picture = table.picture;
    dataset.colours = colours_of({{table.find("r"), table.find("g"), table.find("b")}}, table.rows);
  } else if (chosen.colours) {
    dataset.colours = colours_of(chosen.colours, table.rows);
    dataset.label_before_colours = !request.label.empty();
  }
  if (drops_columns)
    std::erase_if(table.columns, [&](const Column& column) { return column.name != dataset.label_name; });
  dataset.table = std::move(table);
  return dataset;
}

}  // namespace kinescope::sim
