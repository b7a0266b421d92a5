// What the layouts of HDF5 files share. A layout (AnnData, biom, …) is a FileFormat of its own, recognized by opening
// the file; hdf5_format reads the files that have none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/table.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/hdf5/hdf5_file.hpp"

namespace kinescope::sim {

// Whether there is HDF5's signature at byte 0, or at 512, 1024, … behind a block of the user's. The file may be
// damaged.
bool begins_like_hdf5(const InputFile& file);

// Whether the file has this layout: `fits` may ask which groups and arrays there are. False if it cannot be opened.
Fit fit_hdf5(InputFile& file, bool (*fits)(const Hdf5File& file));

// Opens the file and reads it; `part` is what follows the file's name and a colon.
Table read_hdf5(const SourceFile& source,
                Table (*read)(const Hdf5File& file, const std::string& part, LoadProgress* progress));

// A sparse matrix as SciPy keeps it: the arrays indptr, indices and data of `group`.
struct Hdf5Sparse {
  std::string group;
  bool by_columns = false;  // indptr is of the columns (CSC)
  std::uint64_t rows = 0, columns = 0;
};

// The matrix of AnnData's and h5sparse's attributes; nullopt if the group is none. Throws Error (input) if they are
// not as they must be.
std::optional<Hdf5Sparse> sparse_at(const Hdf5File& file, const std::string& group);
// Ascending within each row. Several values in one place add up; zeros are dropped. Throws Error (input) for indices
// and counts that do not fit together, and for values that are infinite or beyond float32. O(values), unless the
// indices of a row do not ascend.
std::shared_ptr<SparseRows> read_sparse(const Hdf5File& file, const Hdf5Sparse& matrix, LoadProgress* progress);

// The array of numbers, or the sparse matrix, at this path as rows; `names` are those of its columns, or none. Throws
// Error (input) if it is neither.
Table read_matrix(const Hdf5File& file, const std::string& path, LoadProgress* progress,
                  const std::vector<std::string>& names = {});
// The path of the only matrix of two dimensions, or of the array or sparse matrix that `part` names. Throws Error
// (input) if several could be meant, with a list of their names and shapes. `others`: gets a list of the other arrays
// of numbers, if none was named.
std::string choose_matrix(const Hdf5File& file, const std::string& part, std::string* others = nullptr);
std::string path_of(const std::string& part);  // with a slash at its beginning

// A list of `rows` numbers, texts or booleans (then texts: True, False) as a column that annotates, with infinities as
// missing values; nullopt if there is none.
std::optional<Column> annotation_at(const Hdf5File& file, const Hdf5Place& place, const std::string& name,
                                    std::size_t rows);
// The first three columns of a matrix of numbers as columns NAME.0, … that annotate; none if it has another shape.
std::vector<Column> first_columns_at(const Hdf5File& file, const Hdf5Place& place, const std::string& name,
                                     std::size_t rows);
// Makes infinities missing values; true if there were some.
bool drop_infinities(Column& column);

}  // namespace kinescope::sim
