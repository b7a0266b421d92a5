// Files that a run of FitzHugh–Nagumo writes in addition to tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kinescope/table.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// For an axon columns x, v, w, one row per node; for a sheet x, y, v, w.
Table table_of(const std::vector<double>& v, const std::vector<double>& w, int dimensions, std::int64_t nodes,
               double dx);

// [2 × nodes × nodes] float32: v, then w.
void write_sheet_array(const std::string& path, const std::vector<double>& v, const std::vector<double>& w,
                       std::int64_t nodes);
// v as a picture with y upwards: blue at −0.4 and below, grey at 0, yellow at 1 and above.
void write_sheet_picture(const std::string& path, const std::vector<double>& v, std::int64_t nodes);

}  // namespace kinescope::sim::fitzhugh_nagumo
