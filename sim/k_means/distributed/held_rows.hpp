// The rows that a worker has in memory, and how it checks that they are those of the run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinescope/dataset.hpp"
#include "sim/data/readers/arrays/npy_rows.hpp"
#include "sim/k_means/points.hpp"

namespace kinescope::sim::k_means {

// CRC-32 checksums of blocks of rows. A process that has read only some blocks can compare theirs, and the checksum of
// all rows follows from those of the blocks.
struct Checksums {
  std::int64_t points = 0, dimensions = 0;
  std::int64_t block = 1;  // rows, a multiple of 128; the last block may have fewer
  std::vector<std::uint32_t> blocks;

  std::uint32_t whole() const;  // equals checksum_of() all values
  std::int64_t rows_in(std::int64_t index) const;
  bool hold(std::int64_t index, const float* values) const;  // whether these rows_in(index) rows match block `index`

  std::string text() const;                             // for the note `rows` of a group
  static Checksums from_text(const std::string& text);  // throws Lost if text has no checksums
};
Checksums checksums_of(const Dataset& data);  // O(values) on all threads

class HeldRows {
 public:
  explicit HeldRows(std::shared_ptr<const Dataset> all) : data_(std::move(all)) {}
  // Holds only the rows that it is dealt. It reads them from a file that has as many rows and columns as the data.
  HeldRows(std::shared_ptr<const NpyRows> file, Checksums checksums)
      : file_(std::move(file)), checksums_(std::move(checksums)) {}

  // The rows that were dealt, as rows `rows` of `data`.
  struct Part {
    std::shared_ptr<const Dataset> data;
    Rows rows;
  };
  // Returns the rows `rows` of a run whose data have so many points and dimensions. Rows that are already held are not
  // read again. Returns nothing if they are not those of the run. Throws Error if the file cannot be read or memory is
  // short.
  std::optional<Part> deal(Rows rows, std::int64_t points, std::int64_t dimensions);

 private:
  std::shared_ptr<const NpyRows> file_;  // null: all rows are in data_
  Checksums checksums_;
  std::shared_ptr<const Dataset> data_;
  std::int64_t first_ = 0;  // number of the first row in data_ if they are from file_
};

}  // namespace kinescope::sim::k_means
