// Distances in a NumPy `.npy` file that stay there.
#pragma once

#include "sim/core/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// A square array as the distances between as many points, which stay in the file and are read a row at a time: neither
// their number nor the memory is a limit. Goes once through the file. Throws Error (input) if it is not square, or if a
// distance is negative, no number, one of a point from itself, or not the same both ways; Cancelled. O(values).
Table read_npy_distances(InputFile& file, LoadProgress* progress);

}  // namespace kinescope::sim
