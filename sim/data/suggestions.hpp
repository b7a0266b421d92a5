// Suggestions of what would probably suit a table better than what was decided; each takes one click or one option.
#pragma once

#include <string>
#include <vector>

#include "sim/core/parameter.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/load.hpp"

namespace kinescope::sim {

struct Findings;

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
  std::vector<std::string> columns;      // the columns concerned
  std::string option;                    // on the command line: "--missing mean"
  std::vector<std::string> taking_part;  // columns that would take part; empty: no change
  std::string brief, brief_action;       // sentence and action in one short line
  std::string parameter, value;          // the simulation's parameter that would change; "": none
};

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
