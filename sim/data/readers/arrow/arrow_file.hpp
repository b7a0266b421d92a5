// Reads Parquet, Arrow IPC and Feather files through Apache Arrow's library, which is loaded when the first such file
// is opened. Without the library reading fails with one line that says what to install.
#pragma once

#include <string_view>

#include "sim/data/readers/file_format.hpp"

namespace kinescope::sim {

// `format` is Table::format and begins the error without the library: "Parquet file". Columns of lists of numbers of
// one length become columns NAME_0, NAME_1, …; structures become NAME.MEMBER; what is not read is named in the remarks.
// Throws as FileFormat::read, and Error (run) if memory does not suffice. O(rows · columns).
Table read_arrow(const SourceFile& source, std::string_view format);

}  // namespace kinescope::sim
