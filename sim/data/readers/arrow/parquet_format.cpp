#include "sim/data/readers/arrow/arrow_file.hpp"

namespace kinescope::sim {

extern const FileFormat parquet_format = {
    .name = "Parquet files",
    .endings = ".parquet .pq",
    .fit = [](InputFile& file) { return fit_if(file.head().starts_with("PAR1"), Fit::certain); },
    .read = [](const SourceFile& source) { return read_arrow(source, "Parquet file"); },
    .otherwise = "not a Parquet file"};

}  // namespace kinescope::sim
