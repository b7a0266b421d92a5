// What opening a table has found: what was decided, so that nothing happens behind a person's back, and what would
// probably serve better, each a click or an option away.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/core/parameter.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/load.hpp"

namespace kinescope::sim {

enum class ColumnKind {
  integers,
  reals,
  counter,     // whole numbers that number the rows, or are called id: not a quantity
  categories,  // texts, as choose.hpp says
  texts,       // other ones: they annotate
  empty
};
const char* column_kind_name(ColumnKind kind);

enum class ColumnUse { distances, label, annotation };

struct ColumnFinding {
  std::string name;
  ColumnKind kind = ColumnKind::empty;
  ColumnUse use = ColumnUse::annotation;
  std::size_t missing = 0;  // rows without a value
  bool constant = false;    // of numbers that are all the same
};

struct Suggestion {
  enum class Kind {
    fill_missing,          // rows were left out: their columns' means would keep them
    leave_out_incomplete,  // or to do without the columns that lack most
    leave_out_counters,    // they take part in distances, and should not
    use_as_label,          // the last column, of few whole numbers
    use_categories,        // columns of categories may take part too
    standardize            // one column decides almost all distances
  };
  Kind kind;
  std::string sentence;                  // without a full stop
  std::string action;                    // for a button: "Fill with mean"
  std::vector<std::string> columns;      // that it is about
  std::string option;                    // of the command line: "--missing mean"
  std::vector<std::string> taking_part;  // that would take part; empty where these stay as they are
  std::string brief, brief_action;       // sentence and action where there is room for one short line
};

// A column of what a person takes for numbers, which was read as texts.
struct UnreadNumbers {
  std::string name;
  std::string example;  // "1,000", "12%"
};

struct Findings {
  std::string format;                  // "CSV"
  std::size_t rows = 0;                // of the file
  std::size_t rows_left_out = 0;       // for missing values
  bool has_header = false;             // of a table of text
  std::string header_reason;           // "" where there is no such thing as a header
  std::vector<ColumnFinding> columns;  // all of the table, in its order
  std::string label;                   // the column that colours; "": none
  std::vector<UnreadNumbers> unread;
  std::vector<Suggestion> suggestions;

  // In plain sentences, without full stops: size, header, types, label, what was left out.
  std::vector<std::string> sentences() const;
};

// O(rows × columns); looks at each column once or twice.
Findings find_out(const Table& table, const DataRequest& request, const Chosen& chosen);

// The request that a suggestion asks for; Kind::standardize is a parameter of the simulation, and changes nothing here.
DataRequest apply(const Suggestion& suggestion, DataRequest request);

// Whether it still says something beside a simulation's parameters: nothing is to be standardized twice.
bool applies(const Suggestion& suggestion, ParameterSet& parameters);

// "1 row", "4,177 rows".
std::string count_of(std::size_t count, const std::string& noun);

}  // namespace kinescope::sim
