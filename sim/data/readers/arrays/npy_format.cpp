#include "sim/data/readers/arrays/npy.hpp"
#include "sim/data/readers/arrays/npy_distances.hpp"
#include "sim/data/readers/file_format.hpp"

namespace kinescope::sim {

extern const FileFormat npy_format = {
    .name = "NumPy .npy arrays",
    .endings = ".npy",
    .fit = [](InputFile& file) { return fit_if(file.head().starts_with("\x93NUMPY"), Fit::certain); },
    .read =
        [](const SourceFile& source) {
          const DataRequest& request = source.request;
          const bool stays = request.reading == Reading::matrix && !request.similarities && !request.mean_of_halves &&
                             source.file.plain_size() > 0 && source.place.file != standard_input;
          return stays ? read_npy_distances(source.file, source.progress) : read_npy(source.file);
        },
    .otherwise = "not a NumPy array"};

}  // namespace kinescope::sim
