// Suggestions; findings.hpp says what each is.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "kinescope/data/made.hpp"
#include "kinescope/data/metric.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/looks_like.hpp"
#include "sim/data/number_facts.hpp"
#include "sim/data/scales.hpp"
#include "sim/data/shell_words.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

using Names = std::vector<std::string>;

// With very many columns, words instead of a list.
std::string columns_option(const Names& names) {
  constexpr std::size_t longest = 301;
  std::size_t size = 0;
  for (const std::string& name : names) size += name.size() + 1;
  if (size > longest) return "--columns with the other " + std::to_string(names.size()) + " columns";
  return names_option("--columns", names);
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
  findings.suggestions.push_back({Suggestion::Kind::fill_missing, left_out, "Fill with mean", "--missing mean",
                                  count_of(findings.rows_left_out, "row") + " left out", "Fill with mean", lacking});
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
       dropped.size() == 1 ? "Leave out this column" : "Leave out these columns", columns_option(rest),
       dropped.size() == 1 ? dropped.front() + " has gaps" : count_of(dropped.size(), "column") + " have gaps",
       "Leave out", dropped, rest});
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
                                  one ? "Leave it out" : "Leave them out", columns_option(rest),
                                  one ? counters.front() + (in_order ? " numbers the rows" : " identifies the rows")
                                      : count_of(counters.size(), "row number"),
                                  "Leave out", counters, rest});
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
                                  "--label " + for_shell(last.name),
                                  last.name + ": a class?",
                                  "Use as label",
                                  {last.name}});
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
      {Suggestion::Kind::use_categories, sentence, one ? "Use this column too" : "Use these columns too",
       columns_option(all), one ? unused.front() + " holds categories" : count_of(unused.size(), "category column"),
       one ? "Use it" : "Use them", unused, all});
}

// The variance of each column of the table; 0 for columns of categories and for those that take no part.
std::vector<double> variances(const Table& table, const Chosen& chosen, const Findings& findings) {
  std::vector<std::size_t> places, missing;
  std::vector<const Numbers*> columns;
  for (std::size_t i = 0; i < findings.columns.size(); ++i) {
    const ColumnFinding& column = findings.columns[i];
    if (column.use != ColumnUse::distances || column.kind == ColumnKind::categories) continue;
    places.push_back(i);
    missing.push_back(column.missing);
    columns.push_back(&table.columns[i].numbers);
  }
  std::vector<double> found(findings.columns.size());
  const std::vector<double> variances = variances_of(columns, missing, chosen.rows);
  for (std::size_t i = 0; i < places.size(); ++i) found[places[i]] = variances[i];
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
                                  "--set normalize=zscore",
                                  dominating->name + " dominates",
                                  "Standardize",
                                  {dominating->name},
                                  {},
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

void suggest_transposing(const Table& table, const DataRequest& request, Findings& findings) {
  if (request.transpose || request.reading != Reading::rows || !request.columns.empty() || !lies_on_its_side(table))
    return;
  findings.suggestions.push_back({Suggestion::Kind::transpose,
                                  "this looks like features in rows and samples in columns: " +
                                      shown(table.columns.front().name) + " names features",
                                  "Make the samples the rows",
                                  "--transpose",
                                  "Samples in columns?",
                                  "Transpose",
                                  {table.columns.front().name}});
}

void suggest_another_reading(const Table& table, const DataRequest& request, const Chosen& chosen, Findings& findings) {
  if (request.reading != Reading::rows) return;
  const auto suggest = [&](Suggestion::Kind kind, const char* what, const char* brief, const char* action,
                           const char* metric) {
    findings.suggestions.push_back({kind,
                                    std::string("this looks like ") + what,
                                    action,
                                    std::string("--set metric=") + metric,
                                    brief,
                                    action,
                                    {},
                                    {},
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
       "--set metric=haversine",
       "Degrees on the Earth",
       "Great circles",
       {latitude->name, longitude->name},
       {},
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
                                    taken + "strengths, so the strongest edges are the shortest", "Take as lengths",
                                    "--edges-are length", "Strengths?", "Take as lengths"});
  else
    findings.suggestions.push_back({Suggestion::Kind::take_as_strengths,
                                    taken + "lengths, so the largest weights are the longest edges",
                                    "Take as strengths", "--edges-are strength", "Lengths?", "Take as strengths"});
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
  const auto* metric = parameters.find<MetricParameter>();
  return !findings.far_rows.empty() && !(metric && metric->value() == Metric::cosine);
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
