// NumPy's `.npz`: a ZIP archive of `.npy` arrays, stored or deflated.
#pragma once

#include <string>

#include "sim/core/table.hpp"
#include "sim/data/load.hpp"
#include "sim/data/readers/input_file.hpp"
#include "sim/data/readers/inside.hpp"

namespace kinescope::sim {

// True for a ZIP archive whose first member is an `.npy` array, and for any file whose name ends in .npz.
bool is_npz(const InputFile& file);

// Reads the array named (with or without ".npy"), else the only one of two dimensions, else the only one. Throws Error
// (input) if there is none or a choice of several, which it then lists with their shapes; for archives that are cut
// off, damaged or encrypted; and what read_npy throws.
Table read_npz(const Inside& source, LoadProgress* progress);

}  // namespace kinescope::sim
