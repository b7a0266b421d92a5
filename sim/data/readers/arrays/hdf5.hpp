// HDF5 files: arrays of two dimensions, and the tables of cells that AnnData keeps in them (`.h5ad`).
#pragma once

#include "sim/core/table.hpp"
#include "sim/data/load.hpp"
#include "sim/data/readers/input_file.hpp"
#include "sim/data/readers/inside.hpp"

namespace kinescope::sim {

bool is_hdf5(const InputFile& file);

// Reads the array that `source` names, which must hold numbers and have one or two dimensions. If none is named, reads
// `X` of a file of AnnData, else the only array of two dimensions. `X`, or the group named, may also hold sparse rows
// (csr_matrix, csc_matrix). AnnData's `obs`, and the first columns of the layouts in `obsm`, become columns that only
// annotate. Throws Error (input) if several arrays could be meant, with a list of their names and shapes. Also throws
// it for damage, for indices and counts that do not fit together, for sparse values that are infinite or beyond
// float32, and if the program was built without libhdf5. Throws Cancelled.
Table read_hdf5(const Inside& source, LoadProgress* progress);

}  // namespace kinescope::sim
