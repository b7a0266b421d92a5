// Makes columns of Apache Arrow's lists of numbers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "sim/data/readers/arrow/arrow_columns.hpp"

namespace kinescope::sim {

// A column for each place in the lists, which must all have one length. `format` is the list's, `type` that of its
// numbers; `file` and `rows` as for make_arrow_column.
std::unique_ptr<ArrowColumn> make_arrow_list_column(const std::string& file, const std::string& name,
                                                    std::string_view format, const ArrowNumberType& type,
                                                    std::size_t rows);

}  // namespace kinescope::sim
