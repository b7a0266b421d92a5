// Rows of a NumPy `.npy` file that are read when they are asked for.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "sim/data/load.hpp"
#include "sim/data/readers/npy_header.hpp"

namespace kinescope::sim {

class NpyRows {
 public:
  NpyRows(std::string path, const NpyLayout& layout);  // an array by rows; throws Error (input) if it cannot be opened
  ~NpyRows();
  NpyRows(const NpyRows&) = delete;
  NpyRows& operator=(const NpyRows&) = delete;

  const std::string& path() const { return path_; }
  std::size_t rows() const { return layout_.rows; }
  std::size_t columns() const { return layout_.columns; }
  // Writes rows [first, first + count) to `to`, [count × columns], as read_npy() reads them. From any thread. Throws
  // Error (input) if the file ends before.
  void read(std::size_t first, std::size_t count, float* to) const;

 private:
  const std::string path_;
  const NpyLayout layout_;
  int file_ = -1;
};

// The rows that the request is of, if they are all rows of such a file as long as no value is missing. Null if the
// file is another (gzipped, by columns, damaged), or if the request chooses columns or fills in what is missing.
std::shared_ptr<const NpyRows> rows_in_file(const DataRequest& request);

}  // namespace kinescope::sim
