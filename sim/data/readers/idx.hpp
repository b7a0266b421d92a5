// IDX files (Y. LeCun, "The MNIST database": arrays of bytes, integers or floats, big-endian), gzipped or not.
#pragma once

#include "sim/core/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// True for a file that begins as an IDX file of at least two dimensions does.
bool is_idx(const InputFile& file);

// One row a record, all further dimensions as columns c0, c1, …; images' bytes from 0 to 255 are divided by 255. Where
// a file beside it has the same name with "labels" and "idx1" instead of "images" and "idx3", its numbers are the
// column `class`. Throws Error (input).
Table read_idx(InputFile& file, LoadProgress* progress);

}  // namespace kinescope::sim
