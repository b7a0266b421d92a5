// New rows in a layout that exists and stays where it is.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/dataset.hpp"
#include "sim/core/parameter.hpp"
#include "sim/core/report.hpp"
#include "sim/core/table.hpp"

namespace kinescope::sim {

// Each row goes where the sum of (d − δ)² to the rows of `data` (to 2,000 drawn of them, if there are more than 5,000)
// is least, by SMACOF steps of that point alone from the places of its nearest rows; then the new rows, unless they are
// very many, settle among each other too. `layout` is a file as `start`
// takes it, of the rows of `data`; any multiple of the data's distances will do. Columns are normalized as `data` are.
// O(M N H) for M new rows, on all threads. The table has the columns x, y[, z], and label if the new rows have one; the
// figure is `stress`, Σ (d − δ)² / Σ δ² over the pairs of new rows (at most 1,000) with all. `parameters` are
// Glimmer's. Throws Error (input) if the columns differ, for data without rows of numbers, and as start_layout does.
Table place_onto(const Dataset& added, const Dataset& data, const std::string& layout, ParameterSet& parameters,
                 std::uint64_t seed, Report& figures);

}  // namespace kinescope::sim
