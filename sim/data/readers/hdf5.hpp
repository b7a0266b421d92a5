// HDF5 files: arrays of two dimensions, and the tables of cells that AnnData keeps in them (`.h5ad`).
#pragma once

#include "sim/core/table.hpp"
#include "sim/data/load.hpp"
#include "sim/data/readers/input_file.hpp"
#include "sim/data/readers/inside.hpp"

namespace kinescope::sim {

bool is_hdf5(const InputFile& file);

// Reads the array named, of numbers and of one or two dimensions, else `X` of a file of AnnData, else the only array of
// two dimensions. `X`, or the group named, may also hold sparse rows (csr_matrix, csc_matrix). Beside the rows stand
// AnnData's `obs`, and the first columns of the layouts in `obsm`, as columns that annotate. Throws Error (input) if
// there is a choice of several, which it then lists with their shapes; for damage, indices and counts that do not fit
// together, infinities and numbers beyond float32; Cancelled. Where the program was built without libhdf5 it says so.
Table read_hdf5(const Inside& source, LoadProgress* progress);

}  // namespace kinescope::sim
