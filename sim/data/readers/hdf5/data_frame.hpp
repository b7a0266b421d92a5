// The data frames of AnnData, which are stored in different ways from version to version:
// https://anndata.readthedocs.io
// ("On-disk format"); for 0.5 to 0.7 the readers in anndata's `_io/h5ad.py`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/table.hpp"
#include "sim/data/readers/hdf5/hdf5_file.hpp"

namespace kinescope::sim {

class DataFrame {
 public:
  // `path` is a group (0.7 and later) or an array of records (0.5, 0.6).
  DataFrame(const Hdf5File& file, std::string path);

  bool exists() const { return records_ || group_; }
  std::uint64_t rows() const { return rows_; }
  // Of the columns, in their order, without the index.
  const std::vector<std::string>& columns() const { return columns_; }
  const std::string& index_name() const { return index_; }
  // The names of the rows; none if they are not texts.
  std::vector<std::string> names() const;
  // Categories, as texts, also of numbers; booleans as the texts True and False; nullable values. Nullopt if it holds
  // something else, or has not as many values as there are rows. Throws Error (input) for a code without a category.
  std::optional<Column> read(const std::string& column) const;

 private:
  Hdf5Place place(const std::string& column) const;
  std::optional<Column> categories(const std::string& name, const Hdf5Place& codes, const Hdf5Place& of) const;
  std::optional<Column> nullable(const std::string& name, const std::string& group) const;

  const Hdf5File& file_;
  std::string path_, index_;
  std::vector<std::string> columns_;
  std::uint64_t rows_ = 0;
  bool records_ = false, group_ = false;
};

}  // namespace kinescope::sim
