// Places new rows in an existing layout, whose points stay where they are.
#pragma once

#include <cstdint>
#include <string>

#include "kinescope/dataset.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/report.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

// Places each new row where the sum of (d − δ)² to the rows of `data` is least (to 2,000 rows drawn from them, if there
// are more than 5,000). The new point begins near each of its nearest rows in turn, makes SMACOF steps alone, and keeps
// the best place. Then the new rows, unless there are very many, also settle among each other.
//
// `layout` names a file as for the parameter `start`, with one row for each row of `data`. Its distances may be any
// multiple of the data's. The new rows are normalized by the columns of `data`. O(M N H) for M new rows, on all
// threads. The table has the columns x, y[, z], and label if the new rows have one. The figure is `stress`, Σ (d − δ)²
// / Σ δ² over the pairs of new rows (at most 1,000 of them) with all rows. `parameters` are Glimmer's. Throws Error
// (input) if the columns differ and for data without rows of numbers, and throws as layout_from_file does.
Table place_onto(const Dataset& added, const Dataset& data, const std::string& layout, ParameterSet& parameters,
                 std::uint64_t seed, Report& figures);

}  // namespace kinescope::sim
