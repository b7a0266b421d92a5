// What was found when a table was opened: the decisions made for the user, so that none is hidden, and suggestions of
// what would probably be better, each of which takes one click or one option.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/sparse_rows.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/load.hpp"
#include "sim/data/statistics.hpp"
#include "sim/data/suggestions.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

enum class ColumnKind {
  integers,
  reals,
  dates,       // as numbers of days
  counter,     // 0 or 1 … n in order, or all different and long or in a first column without a name: not a quantity
  categories,  // texts, as choose.hpp defines
  texts,       // other texts: they only annotate
  empty
};
const char* column_kind_name(ColumnKind kind);

enum class ColumnUse { distances, label, annotation };

struct ColumnFinding {
  std::string name;
  ColumnKind kind = ColumnKind::empty;
  ColumnUse use = ColumnUse::annotation;
  std::size_t missing = 0;  // rows without a value
  bool constant = false;    // all its numbers are the same
  bool rounded = false;     // some of its whole numbers have more digits than a double
  std::string unread;  // if people would read the texts as numbers or dates: one of them, "1,000" or "12%" (unread.hpp)
  std::string unread_sentence;  // that says so, and what to do
  ColumnStatistics statistics;
};

struct Findings {
  std::string format;                               // "CSV"
  std::size_t rows = 0;                             // in the file
  std::size_t rows_left_out = 0;                    // for missing values
  bool has_header = false;                          // for a table of text
  std::string header_reason;                        // "" if the format has no headers
  bool decimal_comma = false;                       // "1,5" is a number in it
  std::shared_ptr<const TextReading> text_reading;  // how a table of text was read; or null
  std::vector<std::string> remarks;                 // of the reader
  std::vector<ColumnFinding> columns;               // all columns of the table in their order
  std::string label;                                // the column that colours; "": none
  std::vector<std::string> colours;                 // the columns of the points' own colours; empty: none
  bool label_was_asked = false;                     // else the own colours come first
  bool label_is_telling = false;                    // it was preferred to other columns of categories
  bool scales_differ = false;                       // one column makes almost all distances, and columns are no places
  bool distances_in_file = false;                   // the rows' distances stay in the file; there are no columns
  std::shared_ptr<const SparseRows> sparse;         // all their columns take part, and none is in `columns`; or null
  std::shared_ptr<const Graph> graph;               // the whole graph whose nodes are the rows; or null
  bool picture = false;                             // the rows are a picture's pixels
  bool is_matrix = false;                           // the numbers are distances between the rows
  std::size_t components = 1;                       // of the graph
  bool gaps_stay = false;  // a missing cell is left out of its row's distances (Reading::mixed)
  std::vector<Suggestion> suggestions;
  std::string far_rows;  // names the rows that hide the rest (far_rows.hpp), in a sentence without a full stop; or ""

  // Plain sentences without full stops: size, header, types, label, what was left out.
  std::vector<std::string> sentences() const;
};

// O(rows × columns); reads each column once or twice.
Findings find_out(const Table& table, const DataRequest& request, const Chosen& chosen);

// "714,802 values that are not 0 (5.9 MB)".
std::string stored_text(const SparseRows& rows);

}  // namespace kinescope::sim
