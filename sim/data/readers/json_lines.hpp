// Tables in JSON: lines that are objects or lists, or one list of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// Whether the first bytes are lines of JSON, each an object or a list, or a list of objects or lists. A single object
// is a table of one row only in a file whose name ends in .jsonl or .ndjson.
bool is_json_table(const InputFile& file);

// Reads numbers, texts, truth values (1 and 0) and nulls (missing) by their names; objects in objects become
// NAME.KEY, lists of numbers of one length NAME_0, NAME_1, …; texts that are ISO dates become dates. Without names
// (lists) columns are numbered. Other values are named in the remarks. Columns
// named in `as_texts` keep words for missing values, "NA", beside their numbers. Throws Error (input) with the line;
// Error (run) if memory does not suffice; Cancelled. O(bytes + rows · columns).
Table read_json_table(InputFile& file, const std::vector<std::string>& as_texts, LoadProgress* progress);

}  // namespace kinescope::sim
