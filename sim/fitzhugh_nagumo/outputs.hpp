// What a run of FitzHugh–Nagumo writes beside tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/table.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// Columns x, v, w of an axon, a row a node; x, y, v, w of a sheet.
Table table_of(const std::vector<double>& v, const std::vector<double>& w, int dimensions, std::int64_t nodes,
               double dx);

// [2 × nodes × nodes] float32: v, then w.
void write_sheet_array(const std::string& path, const std::vector<double>& v, const std::vector<double>& w,
                       std::int64_t nodes);
// v as a picture, y upwards: blue at −0.4 and below, grey at 0, to yellow at 1 and above.
void write_sheet_picture(const std::string& path, const std::vector<double>& v, std::int64_t nodes);

}  // namespace kinescope::sim::fitzhugh_nagumo
