// HDF5 files of no particular layout: one array of numbers, or a sparse matrix.
#include "sim/data/readers/hdf5/hdf5_reading.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

Table read_any_hdf5(const Hdf5File& file, const std::string& part, LoadProgress* progress) {
  std::string others;
  const std::string path = choose_matrix(file, part, &others);
  Table table = read_matrix(file, path, progress);
  table.format = "HDF5, " + shown(path);
  if (!others.empty()) table.remarks.push_back("the file also holds " + others);
  return table;
}

}  // namespace

extern const FileFormat hdf5_format = {
    .name = "HDF5 files",
    .endings = ".h5 .hdf5",
    .fit =
        [](InputFile& file) {
          return fit_if(begins_like_hdf5(file), Fit::likely);  // a layout is certain
        },
    .read = [](const SourceFile& source) { return read_hdf5(source, read_any_hdf5); },
    .other_files =
        [](InputFile& file) {
          if (file.packed() || !begins_like_hdf5(file)) return std::vector<std::string>();
          return Hdf5File(file.seekable_path(), file.path()).other_files();
        },
    .otherwise = "not an HDF5 file",
    .has_parts = true};

}  // namespace kinescope::sim
