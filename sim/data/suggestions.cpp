#include "sim/data/suggestions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "sim/core/by_text.hpp"
#include "sim/data/far_rows.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/made.hpp"
#include "sim/data/scales.hpp"
#include "sim/data/shell_words.hpp"
#include "sim/data/text.hpp"
#include "sim/data/transpose.hpp"

namespace kinescope::sim {
namespace {

using Names = std::vector<std::string>;

// The variance over the rows that stay; all pairs' squared distances add up to N² times it.
double variance(const Column& column, const std::vector<std::size_t>& rows) {
  double origin = NAN, sum = 0, squares = 0, count = 0;
  for (const std::size_t row : rows) {
    const double value = column.numbers[row];
    if (std::isnan(value)) continue;
    if (std::isnan(origin)) origin = value;
    sum += value - origin;
    squares += (value - origin) * (value - origin);
    ++count;
  }
  return count > 0 ? std::max(0.0, squares / count - sum / count * (sum / count)) : 0;
}

// With very many columns, words instead of a list.
std::string columns_option(const Names& names) {
  constexpr std::size_t longest = 301;
  std::size_t size = 0;
  for (const std::string& name : names) size += name.size() + 1;
  if (size > longest) return "--columns with the other " + std::to_string(names.size()) + " columns";
  return names_option("--columns", names);
}

std::string label_option(const std::string& name) {
  return "--label " + for_shell(name);
}

Names taking_part(const Findings& findings) {
  Names names;
  for (const ColumnFinding& column : findings.columns)
    if (column.use == ColumnUse::distances) names.push_back(column.name);
  return names;
}

// The columns of numbers that take part and differ from row to row, without row numbers.
Names quantities(const Findings& findings) {
  Names names;
  for (const ColumnFinding& column : findings.columns)
    if (column.use == ColumnUse::distances && !column.constant && column.kind != ColumnKind::counter &&
        column.kind != ColumnKind::categories)
      names.push_back(column.name);
  return names;
}

Names without(const Names& names, const Names& left_out) {
  const TextViewSet out(left_out.begin(), left_out.end());
  Names rest;
  for (const std::string& name : names)
    if (!out.contains(name)) rest.push_back(name);
  return rest;
}

std::size_t complete_rows(const Table& table, const Names& columns) {
  std::vector<bool> complete(table.rows, true);
  const TextViewSet counted(columns.begin(), columns.end());
  for (const Column& column : table.columns) {
    if (!counted.contains(column.name)) continue;
    each_missing(column, [&](std::size_t row) { complete[row] = false; });
  }
  return static_cast<std::size_t>(std::count(complete.begin(), complete.end(), true));
}

void suggest_for_missing(const Table& table, Findings& findings) {
  if (findings.rows_left_out == 0) return;
  const Names all = taking_part(findings);
  Names lacking, lacking_much;
  for (const ColumnFinding& column : findings.columns) {
    if (column.use != ColumnUse::distances || column.missing == 0) continue;
    lacking.push_back(column.name);
    if (20 * column.missing > table.rows) lacking_much.push_back(column.name);
  }
  const std::string left_out = with_commas(findings.rows_left_out) + " of " + count_of(table.rows, "row") +
                               (findings.rows_left_out == 1 ? " lacks a value and was" : " lack a value and were") +
                               " left out";
  findings.suggestions.push_back({Suggestion::Kind::fill_missing,
                                  left_out,
                                  "Fill with mean",
                                  lacking,
                                  "--missing mean",
                                  {},
                                  count_of(findings.rows_left_out, "row") + " left out",
                                  "Fill with mean"});
  const Names& dropped = lacking_much.empty() ? lacking : lacking_much;
  const Names rest = without(all, dropped);
  // Suggests nothing if it would lose a larger share of the columns than of the rows, or keep only row numbers.
  const bool costs_more = dropped.size() * table.rows > findings.rows_left_out * all.size();
  const TextViewSet left(rest.begin(), rest.end());
  const bool measures = std::any_of(findings.columns.begin(), findings.columns.end(), [&](const ColumnFinding& column) {
    return column.kind != ColumnKind::counter && left.contains(column.name);
  });
  if (costs_more || !measures) return;
  std::string sentence = "without " + list_of(dropped);
  if (dropped.size() > 1) sentence += " (" + count_of(dropped.size(), "column") + ")";
  sentence += ", " + with_commas(complete_rows(table, rest)) + " of " + count_of(table.rows, "row") + " would be kept";
  findings.suggestions.push_back(
      {Suggestion::Kind::leave_out_incomplete, sentence,
       dropped.size() == 1 ? "Leave out this column" : "Leave out these columns", dropped, columns_option(rest), rest,
       dropped.size() == 1 ? dropped.front() + " has gaps" : count_of(dropped.size(), "column") + " have gaps",
       "Leave out"});
}

void suggest_for_counters(Findings& findings) {
  Names counters;
  bool in_order = true;
  for (const ColumnFinding& column : findings.columns) {
    if (column.use != ColumnUse::distances || column.kind != ColumnKind::counter) continue;
    counters.push_back(column.name);
    in_order = in_order && column.statistics.low <= 1;
  }
  const std::string what = in_order ? "number" : "identify";
  const Names rest = without(taking_part(findings), counters);
  if (counters.empty() || rest.empty()) return;
  const bool one = counters.size() == 1;
  const std::string sentence = list_of(counters) + (one ? " seems" : " seem") + " to " + what + " the rows, but " +
                               (one ? "is" : "are") + " used for distances";
  findings.suggestions.push_back({Suggestion::Kind::leave_out_counters, sentence,
                                  one ? "Leave it out" : "Leave them out", counters, columns_option(rest), rest,
                                  one ? counters.front() + (in_order ? " numbers the rows" : " identifies the rows")
                                      : count_of(counters.size(), "row number"),
                                  "Leave out"});
}

// Files without names often have the class in the last column. A column of numbers that colours by its name may be one.
void suggest_for_classes(const Table& table, Findings& findings) {
  constexpr std::size_t most_classes = 10;
  if (findings.columns.size() < 2) return;
  std::size_t index = findings.columns.size() - 1;
  while (index > 0 && findings.columns[index].kind == ColumnKind::empty) --index;
  if (!findings.label.empty())
    for (index = 0; index + 1 < findings.columns.size() && findings.columns[index].name != findings.label;) ++index;
  const ColumnFinding& last = findings.columns[index];
  if (last.kind != ColumnKind::integers || last.use != ColumnUse::distances || last.constant) return;
  std::set<double> classes;
  for (const double value : table.columns[index].numbers)
    if (!std::isnan(value) && classes.insert(value).second && classes.size() > most_classes) return;
  if (2 * classes.size() > table.rows) return;
  if (taking_part(findings).size() < 2) return;
  findings.suggestions.push_back({Suggestion::Kind::use_as_label,
                                  shown(last.name) + " has " + std::to_string(classes.size()) +
                                      " different values, like a class, but is used for distances",
                                  "Use it as label",
                                  {last.name},
                                  label_option(last.name),
                                  {},
                                  last.name + ": a class?",
                                  "Use as label"});
}

// The columns to use are those that take part and the categories, without the row numbers that are suggested to be left
// out.
void suggest_for_categories(const Table& table, Findings& findings, bool asked) {
  Names unused, all;
  bool numbers = false;
  for (std::size_t i = 0; i < findings.columns.size(); ++i) {
    const ColumnFinding& column = findings.columns[i];
    const bool category = !table.columns[i].annotates && column.kind == ColumnKind::categories &&
                          column.use == ColumnUse::annotation && column.unread.empty();
    numbers = numbers || (column.use == ColumnUse::distances && column.kind != ColumnKind::categories);
    if (category) unused.push_back(column.name);
    if (category || column.use == ColumnUse::distances) all.push_back(column.name);
  }
  if (asked || unused.empty() || !numbers) return;
  for (const Suggestion& each : findings.suggestions)
    if (each.kind == Suggestion::Kind::leave_out_counters) all = without(all, each.columns);
  const bool one = unused.size() == 1;
  const std::string sentence = list_of(unused) + (one ? " holds" : " hold") + " categories, but " +
                               (one ? "is" : "are") + " not used for distances";
  findings.suggestions.push_back(
      {Suggestion::Kind::use_categories, sentence, one ? "Use this column too" : "Use these columns too", unused,
       columns_option(all), all,
       one ? unused.front() + " holds categories" : count_of(unused.size(), "category column"),
       one ? "Use it" : "Use them"});
}

// The variance of each column of the table; 0 for columns of categories and for those that take no part.
std::vector<double> variances(const Table& table, const Chosen& chosen, const Findings& findings) {
  std::vector<double> found;
  for (std::size_t i = 0; i < findings.columns.size(); ++i) {
    const ColumnFinding& column = findings.columns[i];
    const bool counts = column.use == ColumnUse::distances && column.kind != ColumnKind::categories;
    found.push_back(counts ? variance(table.columns[i], chosen.rows) : 0);
  }
  return found;
}

// Places have one unit: a long valley is not to be stretched into a square.
bool scales_differ(const std::vector<double>& variances, const Findings& findings) {
  return !are_places(quantities(findings)) &&
         (dominating_column(findings, variances, false) || dominating_column(findings, variances, true));
}

bool suggest_for_scales(const std::vector<double>& variances, Findings& findings) {
  const auto dominating = dominating_column(findings, variances, false);
  if (!findings.scales_differ || !dominating) return false;
  char share[16];
  std::snprintf(share, sizeof share, "%.3g", std::floor(1000 * dominating->share) / 10);
  findings.suggestions.push_back({Suggestion::Kind::standardize,
                                  shown(dominating->name) + " accounts for " + share + " % of the squared distances",
                                  "Standardize",
                                  {dominating->name},
                                  "--set normalize=zscore",
                                  {},
                                  dominating->name + " dominates",
                                  "Standardize",
                                  "normalize",
                                  "zscore"});
  return true;
}

// If standardizing is suggested, finds the rows that are still far after it.
void find_far_rows(const Table& table, const Chosen& chosen, const std::vector<double>& variances, bool standardize,
                   Findings& findings) {
  std::vector<ScaledColumn> columns;
  std::size_t categories = 0;
  for (std::size_t i = 0; i < findings.columns.size(); ++i) {
    const ColumnFinding& column = findings.columns[i];
    if (column.use == ColumnUse::distances) categories += column.kind == ColumnKind::categories;
    if (variances[i] == 0) continue;
    columns.push_back({&table.columns[i], column.statistics.low, column.statistics.high,
                       standardize ? 1 / std::sqrt(variances[i]) : 1});
  }
  findings.far_rows = far_rows_sentence(table, chosen.rows.size(), far_rows(columns, categories, chosen.rows));
}

// True for a square table of numbers that are not negative, 0 on the diagonal and equal across it.
bool looks_like_distances(const Chosen& chosen) {
  const std::size_t size = chosen.columns.size();
  constexpr std::size_t fewest = 4, most_checked = 256;
  if (size < fewest || chosen.rows.size() != size) return false;
  for (const Column* column : chosen.columns)
    if (column->is_text) return false;
  const std::size_t step = (size + most_checked - 1) / most_checked;
  bool any = false;
  for (std::size_t i = 0; i < size; i += step)
    for (std::size_t j = 0; j <= i; ++j) {
      const double here = chosen.columns[j]->numbers[chosen.rows[i]],
                   across = chosen.columns[i]->numbers[chosen.rows[j]];
      if (!(here >= 0) || std::abs(here - across) > 1e-3 * here || (i == j && here != 0)) return false;
      any = any || here > 0;
    }
  return any;
}

// True for two columns, both of whole numbers or both of texts, and perhaps a third one of positive lengths. Columns of
// texts, and tables with lengths, must be called source and target, or from and to.
bool looks_like_edges(const Table& table, const Findings& findings) {
  const std::size_t columns = table.columns.size();
  constexpr std::size_t fewest = 8;
  if (columns < 2 || columns > 3 || table.rows < fewest) return false;
  std::unordered_set<double> numbers;
  for (std::size_t c = 0; c < 2; ++c) {
    const Column& column = table.columns[c];
    const ColumnKind kind = findings.columns[c].kind;
    const bool whole = kind == ColumnKind::integers || kind == ColumnKind::counter;
    if (findings.columns[c].missing > 0 || column.is_text != table.columns[0].is_text) return false;
    if (!whole && !column.is_text) return false;
    for (const double number : column.numbers) {
      if (number < 0) return false;
      numbers.insert(number);
    }
  }
  const ColumnFinding& last = findings.columns.back();
  if (columns == 3 && (table.columns[2].is_text || !(last.statistics.low > 0))) return false;
  const auto is_called = [&](std::size_t c, std::string_view name) {
    return equals_ignoring_case(table.columns[c].name, name);
  };
  if ((is_called(0, "source") && is_called(1, "target")) || (is_called(0, "from") && is_called(1, "to"))) return true;
  // Nodes are numbered without gaps, none has an edge to itself, and no edge is named twice; whole numbers that measure
  // something are seldom like that.
  const std::size_t nodes = numbers.size();
  if (table.columns[0].is_text || columns == 3 || nodes < fewest) return false;
  std::set<std::pair<double, double>> edges;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const double from = table.columns[0].numbers[row], to = table.columns[1].numbers[row];
    if (from == to || !edges.insert(std::minmax(from, to)).second) return false;
  }
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  return *low <= 1 && double(*high) - double(*low) + 1 == double(nodes) && nodes <= table.rows + 1;
}

// True for a symmetric matrix of ones.
bool is_adjacency(const SparseRows& rows) {
  if (rows.rows() != rows.columns || rows.value.empty()) return false;
  if (std::any_of(rows.value.begin(), rows.value.end(), [](float value) { return value != 1; })) return false;
  for (std::size_t row = 0; row < rows.rows(); ++row)
    for (const std::uint32_t column : rows.index_of(row)) {
      const auto across = rows.index_of(column);
      if (!std::binary_search(across.begin(), across.end(), std::uint32_t(row))) return false;
    }
  return true;
}

// Names of columns that name features: those that biologists count or measure in samples.
bool names_features(std::string_view name) {
  for (const std::string_view each :
       {"otu",        "otu id",        "otu_id",          "otuid",       "asv",         "asv id",     "asv_id",
        "feature id", "feature_id",    "featureid",       "gene",        "genes",       "gene id",    "gene_id",
        "geneid",     "gene name",     "gene_name",       "gene symbol", "gene_symbol", "genesymbol", "hugo_symbol",
        "ensembl",    "ensembl_id",    "ensembl_gene_id", "id_ref",      "probe",       "probe_id",   "probeid",
        "transcript", "transcript_id", "taxon",           "taxa"})
    if (equals_ignoring_case(name, each)) return true;
  return false;
}

// The mean correlation of neighbouring columns of numbers, of log(1 + x), over spread rows.
double correlation_of_neighbours(const std::vector<const Column*>& columns, std::size_t rows) {
  constexpr std::size_t most_rows = 2000;
  const std::size_t step = (rows + most_rows - 1) / most_rows;
  double sum = 0;
  for (std::size_t c = 1; c < columns.size(); ++c) {
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (std::size_t row = 0; row < rows; row += step) {
      const double a = std::log1p(columns[c - 1]->numbers[row]), b = std::log1p(columns[c]->numbers[row]);
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      ++n, x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
    }
    const double both = (n * xx - x * x) * (n * yy - y * y);
    if (both > 0) sum += (n * xy - x * y) / std::sqrt(both);
  }
  return sum / double(columns.size() - 1);
}

// Whether all columns of numbers measure the same: none is negative, and their means are within a factor of 30.
bool are_alike(const std::vector<const Column*>& columns) {
  double least = INFINITY, most = 0;
  for (const Column* column : columns) {
    double sum = 0, count = 0;
    for (const double value : column->numbers) {
      if (std::isnan(value)) continue;
      if (!(value >= 0) || std::isinf(value)) return false;
      sum += value, ++count;
    }
    if (count == 0) return false;
    if (sum > 0) least = std::min(least, sum / count), most = std::max(most, sum / count);
  }
  return most > 0 && most <= 30 * least;
}

// True for features × samples: a first column of different names, and columns of numbers with names that measure the
// same. The names of features must be called so, or there must be very many rows (1,000, and 10 for each column) that
// rank alike in all columns, as counts and expressions do.
bool lies_on_its_side(const Table& table) {
  constexpr std::size_t fewest = 3, fewest_unnamed = 6, very_many = 1000, times = 10;
  if (!table.has_header || table.columns.empty() || naming_column(table) != 0) return false;
  std::vector<const Column*> numbers;
  const std::size_t last = table.columns.size() - 1;
  for (std::size_t i = 1; i <= last; ++i) {
    const Column& column = table.columns[i];
    if (column.annotates || is_empty(column)) continue;
    if (column.is_text && i > 1 && i < last) return false;  // beside the names or at the end: descriptions
    if (!column.is_text) numbers.push_back(&column);
  }
  const Column& names = table.columns.front();
  const bool called = names_features(names.name);
  if (numbers.size() < fewest || table.rows < (called ? 1 : very_many)) return false;
  if (!called && (numbers.size() < fewest_unnamed || table.rows < times * numbers.size())) return false;
  TextViewSet different(names.texts.begin(), names.texts.end());
  if (!names.texts.empty() && 20 * different.size() < 19 * table.rows) return false;
  // Names that are numbers are years or days, if they aren't samples of a table of features.
  if (!called && std::ranges::any_of(numbers, [](const Column* column) {
        return column->name.find_first_not_of("0123456789.-/: ") == std::string::npos;
      }))
    return false;
  return are_alike(numbers) && (called || correlation_of_neighbours(numbers, table.rows) > 0.5);
}

void suggest_transposing(const Table& table, const DataRequest& request, Findings& findings) {
  if (request.transpose || request.reading != Reading::rows || !request.columns.empty() || !lies_on_its_side(table))
    return;
  findings.suggestions.push_back({Suggestion::Kind::transpose,
                                  "this looks like features in rows and samples in columns: " +
                                      shown(table.columns.front().name) + " names features",
                                  "Make the samples the rows",
                                  {table.columns.front().name},
                                  "--transpose",
                                  {},
                                  "Samples in columns?",
                                  "Transpose"});
}

void suggest_another_reading(const Table& table, const DataRequest& request, const Chosen& chosen, Findings& findings) {
  if (request.reading != Reading::rows) return;
  const auto suggest = [&](Suggestion::Kind kind, const char* what, const char* brief, const char* action,
                           const char* metric) {
    findings.suggestions.push_back({kind,
                                    std::string("this looks like ") + what,
                                    action,
                                    {},
                                    std::string("--set metric=") + metric,
                                    {},
                                    brief,
                                    action,
                                    "metric",
                                    metric});
  };
  if (table.sparse) {
    if (is_adjacency(*table.sparse))
      suggest(Suggestion::Kind::use_as_graph, "a graph", "A graph?", "Use as a graph", "graph");
  } else if (looks_like_distances(chosen)) {
    suggest(Suggestion::Kind::use_as_distances, "a table of distances", "Distances?", "Use as distances", "matrix");
  } else if (looks_like_edges(table, findings)) {
    suggest(Suggestion::Kind::use_as_graph, "a list of edges", "Edges?", "Use as a graph", "graph");
  }
}

// Two columns named as a latitude and a longitude, with numbers that can be these.
void suggest_great_circles(const DataRequest& request, Findings& findings) {
  const ColumnFinding *latitude = nullptr, *longitude = nullptr;
  const auto within = [](const ColumnFinding& column, double most) {
    return column.statistics.low >= -most && column.statistics.high <= most;
  };
  for (const ColumnFinding& column : findings.columns) {
    if (column.use != ColumnUse::distances || column.kind == ColumnKind::categories) continue;
    const Degrees named = degrees_of(column.name);
    if (named == Degrees::latitude && within(column, 90)) latitude = &column;
    if (named == Degrees::longitude && within(column, 360)) longitude = &column;
  }
  if (request.reading != Reading::rows || !latitude || !longitude) return;
  findings.suggestions.push_back(
      {Suggestion::Kind::use_great_circles,
       list_of({latitude->name, longitude->name}) +
           " are degrees: east and west of the date line are 360 apart; great circles measure "
           "distances on the Earth, from these two columns alone",
       "Use great circles",
       {latitude->name, longitude->name},
       "--set metric=haversine",
       {},
       "Degrees on the Earth",
       "Great circles",
       "metric",
       "haversine"});
}

}  // namespace

// The other meaning of a graph's weights, if only their name or the format told.
void suggest_other_weights(const Graph& graph, Findings& findings) {
  if (graph.weights == EdgeWeights::none || graph.asked_for_weights || graph.lengths.empty()) return;
  const std::string taken =
      graph.weights_name.empty() ? "the weights were taken for " : shown(graph.weights_name) + " was taken for ";
  if (graph.weights == EdgeWeights::strengths)
    findings.suggestions.push_back({Suggestion::Kind::take_as_lengths,
                                    taken + "strengths, so the strongest edges are the shortest",
                                    "Take as lengths",
                                    {},
                                    "--edges-are length",
                                    {},
                                    "Strengths?",
                                    "Take as lengths",
                                    "",
                                    ""});
  else
    findings.suggestions.push_back({Suggestion::Kind::take_as_strengths,
                                    taken + "lengths, so the largest weights are the longest edges",
                                    "Take as strengths",
                                    {},
                                    "--edges-are strength",
                                    {},
                                    "Lengths?",
                                    "Take as strengths",
                                    "",
                                    ""});
}

void suggest(const Table& table, const DataRequest& request, const Chosen& chosen, Findings& findings) {
  if (table.graph) suggest_other_weights(*table.graph, findings);
  if (table.picture || table.graph || is_made(table.source)) return;  // these need no suggestions
  suggest_another_reading(table, request, chosen, findings);
  if (table.sparse || table.distances) return;
  suggest_transposing(table, request, findings);
  const std::vector<double> spreads = variances(table, chosen, findings);
  findings.scales_differ = scales_differ(spreads, findings);
  if (!findings.suggestions.empty()) return;
  if (!findings.gaps_stay) suggest_for_missing(table, findings);
  suggest_for_counters(findings);
  suggest_for_classes(table, findings);
  suggest_great_circles(request, findings);
  suggest_for_categories(table, findings, !request.columns.empty());
  if (findings.gaps_stay) return;
  find_far_rows(table, chosen, spreads, suggest_for_scales(spreads, findings), findings);
}

bool applies(const Suggestion& suggestion, ParameterSet& parameters) {
  if (suggestion.parameter.empty()) return true;
  const Parameter* parameter = parameters.find(suggestion.parameter);
  if (!parameter || parameter->text() == suggestion.value) return false;
  if (suggestion.kind != Suggestion::Kind::standardize) return true;
  return parameter->text() == parameter->default_text() && are_distances_of_columns(parameters);
}

bool hides_the_rest(const Findings& findings, ParameterSet& parameters) {
  const Parameter* metric = parameters.find("metric");
  return !findings.far_rows.empty() && !(metric && metric->text() == "cosine");
}

DataRequest apply(const Suggestion& suggestion, DataRequest request) {
  if (suggestion.kind == Suggestion::Kind::fill_missing) request.missing = Missing::mean;
  if (suggestion.kind == Suggestion::Kind::take_as_lengths) request.edges_are = EdgesAre::lengths;
  if (suggestion.kind == Suggestion::Kind::take_as_strengths) request.edges_are = EdgesAre::strengths;
  if (suggestion.kind == Suggestion::Kind::use_as_label) {
    request.label = suggestion.columns.front();
    std::erase(request.columns, request.label);
  }
  if (suggestion.kind == Suggestion::Kind::transpose) {
    request.transpose = true;
    request.label.clear();
    request.columns.clear();
    request.categories.clear();
  }
  if (!suggestion.taking_part.empty()) request.columns = suggestion.taking_part;
  return request;
}

}  // namespace kinescope::sim
