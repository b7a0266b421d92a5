// kinescope data: what a file holds.
#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "app/cli/commands/commands.hpp"
#include "app/cli/commands/loading.hpp"
#include "app/io/output.hpp"
#include "app/io/streams.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/number_facts.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/statistics.hpp"
#include "sim/data/text.hpp"
#include "sim/data/text_reading.hpp"

namespace kinescope::app {
namespace {

// A wide file's columns are shown from both ends.
constexpr std::size_t shown_columns = 24, shown_last = 4, shown_rows = 5, shown_row_columns = 8;

// Whole numbers, and large ones, without an exponent.
std::string number_text(double value) {
  constexpr double longest = 9007199254740992, large = 1e6;  // from 2^53 on double loses digits
  const bool whole = value == std::floor(value) || std::abs(value) >= large;
  return whole && std::abs(value) < longest ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

std::vector<std::string> column_row(std::size_t index, const sim::Column& column, const sim::NumberFacts& facts) {
  const auto absent =
      column.is_text ? static_cast<std::size_t>(std::ranges::count(column.texts, std::string())) : facts.missing;
  const auto row_of = [&](const char* type, const std::vector<std::string>& rest) {
    std::vector<std::string> cells = {std::to_string(index + 1), printable(column.name, 40), type,
                                      sim::with_commas(absent)};
    cells.insert(cells.end(), rest.begin(), rest.end());
    return cells;
  };
  if (sim::is_empty(column)) return row_of("empty", {"-", "-", "-", ""});
  if (column.is_text)
    return row_of("text", {"", "", "", sim::with_commas(sim::count_different(column.texts)) + " different"});
  double sum = facts.sum;
  if (std::isnan(sum)) {
    sum = 0;
    column.numbers.visit([&](auto numbers) {
      for (const double value : numbers)
        if (!std::isnan(value)) sum += value;
    });
  }
  const double mean = sum / static_cast<double>(column.size() - absent);
  const bool whole = facts.whole && std::isfinite(sum), any = facts.missing < column.size();
  const double minimum = any ? facts.low : INFINITY, maximum = any ? facts.high : -INFINITY;
  if (!sim::holds_dates(column))
    return row_of(whole ? "integer" : "real",
                  {number_text(minimum), std::isnan(mean) ? "-" : number_text(mean), number_text(maximum), ""});
  const sim::ColumnStatistics found = sim::statistics_of(column);
  return row_of("date", {printable(found.low_text, 24), sim::date_text(mean), printable(found.high_text, 24),
                         "days since 1970-01-01"});
}

std::string columns_text(const sim::Table& table, const std::vector<sim::NumberFacts>& facts) {
  const std::size_t count = table.columns.size();
  const bool wide = count > shown_columns;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < count; ++i)
    if (!wide || i < shown_columns - shown_last || i >= count - shown_last) shown.push_back(i);
  std::vector<std::vector<std::string>> described(shown.size());
  sim::in_parallel(shown.size(), 1, [&](std::size_t i) {
    described[i] = column_row(shown[i], table.columns[shown[i]], facts[shown[i]]);
  });
  Rows rows = {{"#", "column", "type", "missing", "min", "mean", "max", ""}};
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (wide && i == shown_columns - shown_last)
      rows.push_back({"", fmt::format("… {} more …", sim::with_commas(count - shown_columns))});
    rows.push_back(std::move(described[i]));
  }
  return aligned(rows, {0, 3, 4, 5, 6});
}

std::string cell_text(const sim::Column& column, std::size_t row) {
  if (sim::is_missing(column, row)) return "?";
  return column.texts.empty() ? number_text(column.numbers[row]) : printable(column.texts[row], 24);
}

// "c566 0.1219, c2606 0.082, …"
std::string stored_row_text(const sim::SparseRows& rows, std::size_t row) {
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size_of(row), shown_row_columns); ++i)
    text += fmt::format("{}{} {:.6g}", i > 0 ? ", " : "",
                        rows.names.empty() ? sim::numbered_name(rows.index_of(row)[i])
                                           : printable(rows.names[rows.index_of(row)[i]], 24),
                        rows.value_of(row)[i]);
  return text + (rows.size_of(row) > shown_row_columns ? ", …" : "");
}

std::string first_rows_text(const sim::Table& table) {
  const std::size_t count = table.columns.size();
  const std::size_t shown = std::min(count, shown_row_columns);
  Rows rows(1);
  for (std::size_t i = 0; i < shown; ++i) rows[0].push_back(printable(table.columns[i].name, 24));
  for (std::size_t row = 0; row < std::min(table.rows, shown_rows); ++row) {
    rows.emplace_back();
    for (std::size_t i = 0; i < shown; ++i) rows.back().push_back(cell_text(table.columns[i], row));
    if (table.sparse) rows.back().push_back(stored_row_text(*table.sparse, row));
  }
  if (table.sparse) rows[0].emplace_back("nonzero values");
  if (shown < count)
    for (std::vector<std::string>& row : rows) row.push_back("…");
  return aligned(rows);
}

std::string header_text(const sim::Table& table) {
  if (table.header_reason.empty()) return "none: this format has no header";
  return (table.has_header ? "yes: " : "no: ") + printable(table.header_reason);
}

// How the file may be read otherwise, where that was a guess; columns of texts that may be numbers are told elsewhere.
std::string guesses_text(const sim::Table& table) {
  constexpr std::size_t most = 12;
  std::string text;
  std::size_t count = 0;
  if (!table.text_reading) return text;
  for (const sim::ReadingGuess& guess : table.text_reading->guesses) {
    const bool told = guess.kind == sim::ReadingGuess::Kind::column && guess.taken == "Text";
    if (guess.sure || told || guess.kind == sim::ReadingGuess::Kind::skipped_lines) continue;
    for (const sim::OtherReading& other : guess.others) {
      if (count++ == most) return text;
      text +=
          fmt::format("- {}: {}{}; {} ({})\n",
                      printable(guess.kind == sim::ReadingGuess::Kind::column ? guess.what : lower_first(guess.what)),
                      lower_first(guess.taken), guess.reason.empty() ? "" : ", " + printable(guess.reason),
                      printable(lower_first(other.text)), printable(other.option));
    }
  }
  return text.empty() ? text : "\nguessed; it may also be\n" + text;
}

// What a simulation would make of the table, in sentences, and suggestions of what might serve better. Sets `label` to
// the label column, if there is one.
std::string decided_text(const sim::Table& table, const sim::DataRequest& request, std::string& label) try {
  const sim::Findings findings = sim::find_out(table, request, sim::choose(table, request));
  if (!findings.label.empty()) label = printable(findings.label);
  std::string text = "\nhow a simulation would read it\n";
  for (const std::string& sentence : findings.sentences()) text += "- " + printable(sentence) + "\n";
  if (!findings.far_rows.empty()) text += "- " + findings.far_rows + "\n";
  if (findings.suggestions.empty()) return text;
  text += "\nsuggestions\n";
  for (const sim::Suggestion& suggestion : findings.suggestions)
    text += fmt::format("- {}: {} ({})\n", printable(suggestion.sentence), lower_first(suggestion.action),
                        printable(suggestion.option));
  return text;
} catch (const sim::Error& error) {
  return fmt::format("\nhow a simulation would read it\n- not at all: {}\n", printable(error.what()));
}

std::string describe(const sim::Table& table, const sim::DataRequest& request) {
  std::size_t values = 0;
  std::vector<bool> incomplete(table.rows);
  const std::vector<sim::NumberFacts> facts = sim::facts_of(table);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const sim::Column& column = table.columns[i];
    if ((column.is_text || facts[i].missing > 0) && !sim::is_empty(column))
      sim::each_missing(column, [&](std::size_t row) { ++values, incomplete[row] = true; });
  }
  const auto rows = static_cast<std::size_t>(std::count(incomplete.begin(), incomplete.end(), true));
  std::string label = "none";
  const std::string decided = decided_text(table, request, label);
  Rows head = {{"format", printable(table.format)},
               {"rows", sim::with_commas(table.rows)},
               {"columns", sim::with_commas(table.sparse ? table.sparse->columns : table.columns.size())},
               {"missing values",
                values == 0 ? "none" : fmt::format("{} in {}", sim::with_commas(values), sim::count_of(rows, "row"))},
               {"header", header_text(table)},
               {"label column", label}};
  if (table.sparse) head.insert(head.begin() + 3, {"stored", sim::stored_text(*table.sparse)});
  const std::string columns = table.columns.empty() ? "" : "\n" + columns_text(table, facts);
  return fmt::format("{}\n{}{}\nfirst rows\n{}{}{}", printable(table.source), aligned(head), columns,
                     first_rows_text(table), guesses_text(table), decided);
}

}  // namespace

void data_command(const Options& options) {
  choose_processor(options.backend);
  catch_interrupt();
  sim::DataRequest request = options.data;
  request.source = options.subject;
  print_text(load_with_progress(options.subject, [&](sim::LoadProgress& progress) {
    return describe(sim::load_table(request, &progress), options.data);
  }));
}

}  // namespace kinescope::app
