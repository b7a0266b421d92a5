// The rows that a worker has in memory, and how it knows that they are those of the run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/data/readers/arrays/npy_rows.hpp"
#include "sim/k_means/points.hpp"

namespace kinescope::sim::k_means {

// CRC-32 of blocks of rows: who has read a few of them can compare these, and that of all follows from them.
struct Checksums {
  std::int64_t points = 0, dimensions = 0;
  std::int64_t block = 1;  // rows, a multiple of 128; the last block may have fewer
  std::vector<std::uint32_t> blocks;

  std::uint32_t whole() const;  // checksum_of() all values
  std::int64_t rows_in(std::int64_t index) const;
  bool hold(std::int64_t index, const float* values) const;  // of rows_in(index) rows

  std::string text() const;                             // as the note `rows` of a group
  static Checksums from_text(const std::string& text);  // throws Lost if it is none
};
Checksums checksums_of(const Dataset& data);  // O(values) on all threads

class HeldRows {
 public:
  explicit HeldRows(std::shared_ptr<const Dataset> all) : data_(std::move(all)) {}
  // Holds what it is dealt, read from a file as long and as wide as the data.
  HeldRows(std::shared_ptr<const NpyRows> file, Checksums checksums)
      : file_(std::move(file)), checksums_(std::move(checksums)) {}

  // `rows` of the run's data are rows `rows` of `data` here.
  struct Part {
    std::shared_ptr<const Dataset> data;
    Rows rows;
  };
  // Of a run with so many points and dimensions. Rows that it holds already are not read again. Nothing if they are not
  // those of the run. Throws Error if the file cannot be read or memory is short.
  std::optional<Part> deal(Rows rows, std::int64_t points, std::int64_t dimensions);

 private:
  std::shared_ptr<const NpyRows> file_;  // null: all rows are held
  Checksums checksums_;
  std::shared_ptr<const Dataset> data_;
  std::int64_t first_ = 0;  // of the blocks in data_
};

}  // namespace kinescope::sim::k_means
