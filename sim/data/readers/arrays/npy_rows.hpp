// Rows of a NumPy `.npy` file that are read when they are requested.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/readers/packing/file_bytes.hpp"

namespace kinescope::sim {

class NpyRows {
 public:
  // `layout`: of an array by rows. Throws Error (input) if the file cannot be opened.
  NpyRows(const std::string& path, const NpyLayout& layout);

  const std::string& path() const { return file_.path(); }
  std::size_t rows() const { return layout_.rows; }
  std::size_t columns() const { return layout_.columns; }
  // Writes rows [first, first + count) to `to`, [count × columns], as they are in DenseRows::values. From any thread.
  // Throws Error (input) if reading fails, or if the file ends before.
  void read(std::size_t first, std::size_t count, float* to) const;

 private:
  std::vector<double> read_row(std::size_t row) const;

  const FileBytes file_;
  const NpyLayout layout_;
  std::vector<double> origin_;  // [columns]
};

// The rows that the request stands for, if these are all rows of such a file, unchanged. This holds only if no value is
// missing, which is not checked here. Null if the file is of another kind (packed, stored by columns, damaged), or if
// the request chooses columns, a label or categories, or fills in missing values.
std::shared_ptr<const NpyRows> rows_in_file(const DataRequest& request);

}  // namespace kinescope::sim
