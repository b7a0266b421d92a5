// What was found when a table was opened: the decisions made for the user, so that none is hidden, and suggestions of
// what would probably be better, each of which takes one click or one option.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/sparse_rows.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/statistics.hpp"
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

// What would probably suit a table better than what was decided; it takes one click or one option.
struct Suggestion {
  enum class Kind {
    fill_missing,          // rows were left out; their columns' means would keep them
    leave_out_incomplete,  // leaving out the columns with most missing values would keep rows
    leave_out_counters,    // counters take part in distances, and should not
    use_as_label,          // the last column has few whole numbers
    use_categories,        // columns of categories may take part too
    standardize,           // one column decides almost all distances
    use_as_distances,      // a square table that looks like distances is read as rows
    use_great_circles,     // degrees of latitude and longitude are read as lengths
    transpose,             // features are the rows, and samples the columns
    use_as_graph,          // a list or a matrix that looks like edges is read as rows
    take_as_lengths,       // a graph's weights were taken for strengths
    take_as_strengths      // a graph's weights were taken for lengths
  };
  Kind kind;
  std::string sentence;                  // without a full stop
  std::string action;                    // for a button: "Fill with mean"
  std::string option;                    // on the command line: "--missing mean"
  std::string brief, brief_action;       // sentence and action in one short line
  std::vector<std::string> columns;      // the columns concerned
  std::vector<std::string> taking_part;  // columns that would take part; empty: no change
  std::string parameter, value;          // the simulation's parameter that would change; "": none
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
  std::string far_rows;  // names the rows that hide the rest (looks_like.hpp), in a sentence without a full stop; or ""

  // Plain sentences without full stops: size, header, types, label, what was left out.
  std::vector<std::string> sentences() const;
};

// O(rows × columns); reads each column once or twice.
Findings find_out(const Table& table, const DataRequest& request, const Chosen& chosen);

// "714,802 values that are not 0 (5.9 MB)".
std::string stored_text(const SparseRows& rows);

// Adds the suggestions and far rows to the findings, whose other members are complete. O(rows × columns).
void suggest(const Table& table, const DataRequest& request, const Chosen& chosen, Findings& findings);

// The request changed as the suggestion says; one that changes a parameter of the simulation changes nothing here.
DataRequest apply(const Suggestion& suggestion, DataRequest request);

// Whether the suggestion still makes sense with a simulation's parameters: if it sets a parameter, the simulation must
// have it, with another value; and nothing shall be normalized twice, nor where scales do not matter.
bool applies(const Suggestion& suggestion, ParameterSet& parameters);

// Whether there are far rows that matter to a simulation with these parameters: cosine distances depend on the
// directions of rows, not on how far away they are.
bool hides_the_rest(const Findings& findings, ParameterSet& parameters);

}  // namespace kinescope::sim
