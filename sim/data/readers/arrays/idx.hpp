// IDX files (Y. LeCun, "The MNIST database": arrays of bytes, integers or floats, big-endian), gzipped or not.
#pragma once

#include "sim/core/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// True if a file begins like an IDX file of at least two dimensions.
bool is_idx(const InputFile& file);

// One row for each record, all further dimensions as columns c0, c1, …; bytes of images are divided by 255. If a file
// beside it has the same name with "labels" and "idx1" instead of "images" and "idx3", its numbers are the column
// `class`. Throws Error (input).
Table read_idx(InputFile& file, LoadProgress* progress);

}  // namespace kinescope::sim
