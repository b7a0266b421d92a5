#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/json_lines.hpp"

namespace kinescope::sim {

extern const FileFormat json_lines_format = {
    .name = "JSON Lines",
    .endings = ".jsonl .ndjson .json",
    .fit = [](InputFile& file) { return fit_if(is_json_table(file), Fit::likely); },
    .read =
        [](const SourceFile& source) {
          return read_json_table(source.file, source.request.format.texts, source.progress);
        }};

}  // namespace kinescope::sim
