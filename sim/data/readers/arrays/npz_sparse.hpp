// Sparse matrices as scipy.sparse.save_npz writes them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "sim/core/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// Opens the array of this name; null if the archive has none.
using OpenArray = std::function<std::unique_ptr<InputFile>(std::string_view name)>;

// The matrix's rows; `open` gives the arrays `format`, `shape`, `data` and, by the format (csr, csc or coo), `indices`
// and `indptr`, or `row` and `col`. Entries in the same place are added up. Throws Error (input), in the name of
// `path`, for another format, and for places outside the matrix; Error (run); Cancelled. O(entries log(entries of a
// row)).
Table read_sparse_npz(const std::string& path, const OpenArray& open, const LoadProgress* progress);

}  // namespace kinescope::sim
