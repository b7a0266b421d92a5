#include "sim/data/readers/csv/csv.hpp"
#include "sim/data/readers/file_format.hpp"

namespace kinescope::sim {

// Any text may be a table, so it is read as one if no other format fits.
extern const FileFormat csv_format = {
    .name = "CSV and TSV tables",
    .endings = ".csv .tsv .txt",
    .fit = [](InputFile&) { return Fit::no; },
    .read = [](const SourceFile& source) { return read_csv(source.file, source.request.format); },
    .takes_text_options = true};

}  // namespace kinescope::sim
