#include "sim/data/choose_label.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <span>
#include <string_view>

#include "sim/core/by_text.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t most_colours = 20;       // classes that people can tell apart
constexpr std::size_t most_compared = 10'000;  // rows
constexpr double most_terms = 1e8;             // of all sums; with very many columns fewer are compared, and fewer rows

// Those of single cells stand last: the types of cells, then what clusters them.
constexpr std::string_view usual_names[] = {"target",
                                            "species",
                                            "type",
                                            "group",
                                            "cluster",
                                            "category",
                                            "cell_type",
                                            "celltype",
                                            "cell type",
                                            "cell_types",
                                            "celltypes",
                                            "cell_label",
                                            "cell_labels",
                                            "clusters",
                                            "seurat_clusters",
                                            "leiden",
                                            "louvain",
                                            "bulk_labels",
                                            "cell_ontology_class"};
constexpr std::string_view usual_beginnings[] = {"leiden", "louvain", "cell_type", "celltype"};  // "leiden_0.5"

// Whether the numbers are 2 to 20 different whole numbers.
bool are_few_whole(const Column& column) {
  std::set<double> values;
  for (const double value : column.numbers) {
    if (std::isnan(value)) continue;
    if (value != std::floor(value)) return false;
    if (values.insert(value).second && values.size() > most_colours) return false;
  }
  return values.size() >= 2;
}

// Whether some texts occur more than once.
bool repeats(const Column& column) {
  TextViewSet values;
  return std::any_of(column.texts.begin(), column.texts.end(),
                     [&](const std::string& text) { return !text.empty() && !values.insert(text).second; });
}

// The category of each compared row; −1: it has none.
std::vector<int> categories_of(const Column& column, const std::vector<std::size_t>& rows) {
  ByTextView<int> index;
  std::vector<int> categories;
  for (const std::size_t row : rows) {
    const std::string& text = column.texts[row];
    categories.push_back(text.empty() ? -1 : index.try_emplace(text, int(index.size())).first->second);
  }
  return categories;
}

// η²: the variance between the categories' means, as a part of the whole; NaN if the numbers do not vary.
double explained(const std::vector<int>& categories, const Column& numbers, const std::vector<std::size_t>& rows) {
  struct Sum {
    double count = 0, sum = 0;
  };
  std::vector<Sum> sums(most_colours);
  double origin = NAN, squares = 0;  // sums about a value of the column keep their digits
  Sum all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double value = numbers.numbers[rows[i]];
    if (categories[i] < 0 || !std::isfinite(value)) continue;
    if (std::isnan(origin)) origin = value;
    const double above = value - origin;
    Sum& own = sums[std::size_t(categories[i])];
    ++own.count, own.sum += above;
    ++all.count, all.sum += above;
    squares += above * above;
  }
  const double correction = all.count > 0 ? all.sum * all.sum / all.count : 0;
  double between = -correction;
  for (const Sum& each : sums)
    if (each.count > 0) between += each.sum * each.sum / each.count;
  const double whole = squares - correction;
  return whole > 1e-12 * squares ? between / whole : NAN;
}

// One row of each of `most` equal parts, at changing places in its part, so that rows that alternate are met alike; or
// one column.
std::vector<std::size_t> spread_rows(std::size_t rows, std::size_t most) {
  std::vector<std::size_t> spread;
  const std::size_t count = std::min(rows, most);
  const double part = double(rows) / double(count), golden = 0.6180339887498949;
  for (std::size_t i = 0; i < count; ++i) {
    const double place = std::fmod(double(i) * golden, 1.0);
    spread.push_back(std::min(rows - 1, std::size_t((double(i) + place) * part)));
  }
  return spread;
}

const Column* most_telling(const Table& table, const std::vector<const Column*>& candidates,
                           const std::vector<const Column*>& numbers) {
  if (candidates.size() < 2) return candidates.front();
  if (numbers.empty()) {  // nothing to explain: the class is often last
    const Column* last = &*std::find_if(table.columns.rbegin(), table.columns.rend(), std::not_fn(is_empty));
    return candidates.back() == last ? last : candidates.front();
  }
  const double fitting = most_terms / (double(candidates.size()) * double(numbers.size()));
  const auto rows = spread_rows(table.rows, std::size_t(std::clamp(fitting, 100.0, double(most_compared))));
  const double columns = most_terms / (double(candidates.size()) * double(rows.size() + most_colours));
  const auto compared = spread_rows(numbers.size(), std::size_t(std::clamp(columns, 4.0, 1e6)));
  const Column* best = candidates.front();
  double most = 0;
  for (const Column* candidate : candidates) {
    const std::vector<int> categories = categories_of(*candidate, rows);
    double sum = 0, count = 0;
    for (const std::size_t each : compared)
      if (const double part = explained(categories, *numbers[each], rows); !std::isnan(part)) sum += part, ++count;
    const double mean = count > 0 ? sum / count : 0;
    if (mean > most * (1 + 1e-9)) best = candidate, most = mean;
  }
  return best;
}

// Who may colour, and who takes part in the distances.
struct Candidates {
  const Table& table;
  const DataRequest& request;
  const Chosen& chosen;
  std::size_t first = 0;                                              // earlier columns do not colour
  TextViewSet asked{request.columns.begin(), request.columns.end()};  // may be very many

  bool others_are_left = are_others_left();  // for the distances, if one column of texts leaves them

  bool asked_for(const Column& column) const { return asked.contains(column.name); }
  bool has_categories(std::size_t i) const {
    return chosen.categories[i] > 0 && chosen.unread[i].empty() && !asked_for(table.columns[i]);
  }
  bool is_number(const Column& column) const {
    const bool wanted = request.columns.empty() ? !column.annotates : asked_for(column);
    return wanted && !column.is_text && has_number(column);
  }
  bool may_leave(const Column& column) const { return column.annotates || others_are_left; }
  bool are_others_left() const {
    if (table.sparse || table.graph || table.distances) return true;
    std::size_t usable = request.columns.size();
    for (std::size_t i = 0; i < table.columns.size() && usable < 2; ++i)
      usable += !table.columns[i].annotates &&
                ((!table.columns[i].is_text && has_number(table.columns[i])) || has_categories(i));
    return usable >= 2;
  }
};

ChosenLabel by_name(const Candidates& candidates) {
  const std::vector<Column>& columns = candidates.table.columns;
  for (const std::string_view name : {"class", "label"})
    for (const Column& column : std::span(columns).subspan(candidates.first))
      if (equals_ignoring_case(column.name, name) && !candidates.asked_for(column) && !is_empty(column))
        return {&column};
  if (candidates.request.reading == Reading::matrix) return {};
  const auto find = [&](auto is_usual) -> ChosenLabel {
    for (std::size_t i = candidates.first; i < columns.size(); ++i) {
      const Column& column = columns[i];
      if (!is_usual(std::string_view(column.name))) continue;
      if (!column.is_text && are_few_whole(column)) return {&column, true};
      const bool texts = column.is_text && candidates.chosen.unread[i].empty();
      if (texts && !candidates.asked_for(column) && repeats(column) && candidates.may_leave(column)) return {&column};
    }
    return {};
  };
  for (const std::string_view usual : usual_names)
    if (const auto found = find([&](auto name) { return equals_ignoring_case(name, usual); }); found.column)
      return found;
  for (const std::string_view usual : usual_beginnings)
    if (const auto found = find([&](auto name) { return equals_ignoring_case(name.substr(0, usual.size()), usual); });
        found.column)
      return found;
  return {};
}

ChosenLabel choose_among(const Candidates& all) {
  if (const ChosenLabel named = by_name(all); named.column) return named;
  const std::vector<Column>& columns = all.table.columns;
  std::vector<const Column*> candidates, numbers;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool few = all.has_categories(i) && all.chosen.categories[i] <= most_colours;
    if (few && i >= all.first && all.may_leave(columns[i])) candidates.push_back(&columns[i]);
    if (all.is_number(columns[i])) numbers.push_back(&columns[i]);
  }
  if (candidates.empty()) return {};
  return {most_telling(all.table, candidates, numbers), false, candidates.size() > 1 && !numbers.empty()};
}

const Column* column_of_numbers(const Table& table, std::string_view name) {
  const auto found = std::ranges::find_if(
      table.columns, [&](const Column& column) { return !column.is_text && equals_ignoring_case(column.name, name); });
  return found == table.columns.end() ? nullptr : &*found;
}

// The largest of them; NaN if one is outside 0 … 255, or there are none.
double largest_part(const Column& column) {
  double largest = NAN;
  for (const double value : column.numbers) {
    if (std::isnan(value)) continue;
    if (!(value >= 0 && value <= 255)) return NAN;
    largest = std::isnan(largest) ? value : std::max(largest, value);
  }
  return largest;
}

}  // namespace

ChosenLabel choose_label(const Table& table, const DataRequest& request, const Chosen& chosen) {
  if (request.label == no_label && !table.find(request.label)) return {};
  if (!request.label.empty()) return {&required_column(table, request.label)};
  if (table.joined > 0)
    if (const ChosenLabel joined = choose_among({table, request, chosen, table.columns.size() - table.joined});
        joined.column)
      return joined;
  return choose_among({table, request, chosen});
}

ColourColumns choose_colours(const Table& table, const DataRequest& request) {
  static constexpr std::array<std::array<std::string_view, 3>, 3> names = {
      {{"r", "g", "b"}, {"red", "green", "blue"}, {"rf", "gf", "bf"}}};
  if (table.picture || request.reading == Reading::matrix) return {};
  for (const auto& each : names) {
    ColourColumns found;
    double largest = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      found.columns[c] = column_of_numbers(table, each[c]);
      if (!found.columns[c]) break;
      const double part = largest_part(*found.columns[c]);
      largest = std::isnan(part) ? NAN : std::max(largest, part);
      if (std::isnan(largest)) break;
    }
    if (!found.columns[2] || std::isnan(largest)) continue;
    found.scale = largest <= 1 ? 255 : 1;
    return found;
  }
  return {};
}

std::vector<std::array<std::uint8_t, 4>> colours_of(const ColourColumns& chosen, std::size_t rows) {
  constexpr std::uint8_t grey = 128, opaque = 255;
  std::vector<std::array<std::uint8_t, 4>> colours(rows, {grey, grey, grey, opaque});
  for (std::size_t row = 0; row < rows; ++row) {
    std::array<double, 3> parts{};
    for (std::size_t c = 0; c < 3; ++c) parts[c] = chosen.columns[c]->numbers[row] * chosen.scale;
    if (std::ranges::any_of(parts, [](double part) { return std::isnan(part); })) continue;
    for (std::size_t c = 0; c < 3; ++c) colours[row][c] = static_cast<std::uint8_t>(std::lround(parts[c]));
  }
  return colours;
}

}  // namespace kinescope::sim
