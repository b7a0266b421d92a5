// NumPy's `.npy` arrays, format versions 1.0 to 3.0.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// A 2-D array as rows and columns c0, c1, …; a 1-D array as one column. Reads booleans, signed and unsigned integers of
// 1 to 8 bytes and floats of 4 and 8, in either byte order, in C and Fortran order; NaN is a missing value. Throws
// Error (input) for another type or shape, data cut off, infinities and numbers beyond float32, and more than 2^31
// values; Cancelled. O(values); memory grows with what the file really holds, not with what its header claims.
Table read_npy(InputFile& file);

// A square array as the distances between as many points, which stay in the file and are read a row at a time: neither
// their number nor the memory is a limit. Goes once through the file. Throws Error (input) if it is not square, or if a
// distance is negative, no number, one of a point from itself, or not the same both ways; Cancelled. O(values).
Table read_npy_distances(InputFile& file, LoadProgress* progress);

// The sizes of an array, from its header. Throws as read_npy.
std::vector<std::uint64_t> read_npy_shape(InputFile& file);

}  // namespace kinescope::sim
