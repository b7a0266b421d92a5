// Sparse rows as text, in the format of SVMlight (T. Joachims) and LIBSVM (C.-C. Chang and C.-J. Lin), gzipped or not.
//
// A line is a row: LABEL INDEX:VALUE INDEX:VALUE … # comment
#pragma once

#include "sim/core/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// True if the name ends in .svm, .svmlight or .libsvm, or if the first line that is not empty looks like a row. Without
// a label it must have two ascending terms, for a single one may be a time of day.
bool is_svmlight(const InputFile& file);

// Indices count from 1, or from 0 if one is 0 anywhere; the largest gives the number of columns. Values of 0, `qid:N`,
// comments and empty lines are skipped. The labels are the column `label`, of numbers if all are; a file without labels
// has none. Throws Error (input) with file and line for indices that do not ascend or exceed 2^31, values that are no
// numbers or beyond float32, and a label that is missing or infinite; Cancelled. O(bytes).
Table read_svmlight(InputFile& file);

}  // namespace kinescope::sim
