// HDF5 files of no particular layout: one array of numbers, or a sparse matrix.
#include "sim/data/readers/hdf5/hdf5_reading.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

Hdf5Table describe_hdf5(const Hdf5File& file, const std::string& part) {
  std::string others;
  const std::string path = choose_matrix(file, part, &others);
  Hdf5Table described = describe_matrix(file, path);
  described.table.format = "HDF5, " + shown(path);
  if (!others.empty()) described.table.remarks.push_back("the file also holds " + others);
  return described;
}

}  // namespace

extern const FileFormat hdf5_format = {
    .name = "HDF5 files",
    .endings = ".h5 .hdf5",
    .fit =
        [](InputFile& file) {
          return fit_if(begins_like_hdf5(file), Fit::likely);  // a layout is certain
        },
    .read = [](const SourceFile& source) { return read_hdf5(source, describe_hdf5); },
    .other_files =
        [](InputFile& file) {
          if (file.packed() || !begins_like_hdf5(file)) return std::vector<std::string>();
          return Hdf5File(file.seekable_path(), file.path()).other_files();
        },
    .otherwise = "not an HDF5 file",
    .has_parts = true};

}  // namespace kinescope::sim
