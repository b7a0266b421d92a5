// NumPy's `.npy` arrays, format versions 1.0 to 3.0.
#pragma once

#include "kinescope/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// A 2-D array as rows and columns c0, c1, …; a 1-D array as one column. Reads booleans, signed and unsigned integers of
// 1 to 8 bytes and floats of 2, 4 and 8, in either byte order, in C and Fortran order; NaN is a missing value. Throws
// Error (input) for another type or shape, data cut off, and more rows or columns than limits.hpp allows; Error (run)
// if memory is short; Cancelled. Rows of float32 or float64 of a file on the disk stay as they are, and the table's
// columns are columns of them. O(values), on all threads; of other files no memory is taken for the table before its
// first 8 MB have been read.
Table read_npy(InputFile& file);

// Makes a square array the distances between as many points. They stay in the file and are read a row at a time, so
// that neither their number nor the memory is a limit. Reads the whole file once to check it. Throws Error (input) if
// the array is not square, if a distance is negative or no number, if a point's distance from itself is not 0, or if a
// distance is not the same both ways. Throws Cancelled. O(values).
Table read_npy_distances(InputFile& file, LoadProgress* progress);

}  // namespace kinescope::sim
