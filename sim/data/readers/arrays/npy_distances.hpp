// Distances in a NumPy `.npy` file that stay there.
#pragma once

#include "sim/core/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// Makes a square array the distances between as many points. They stay in the file and are read a row at a time, so
// that neither their number nor the memory is a limit. Reads the whole file once to check it. Throws Error (input) if
// the array is not square, if a distance is negative or no number, if a point's distance from itself is not 0, or if a
// distance is not the same both ways. Throws Cancelled. O(values).
Table read_npy_distances(InputFile& file, LoadProgress* progress);

}  // namespace kinescope::sim
