// Binary files that are a sequence of records of one layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kinescope/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

struct RecordField {
  std::string name;
  char kind = 'f';        // as NpyLayout::kind: 'b', 'i', 'u' or 'f'
  std::size_t bytes = 4;  // of the value
  std::size_t at = 0;     // where it begins in the record
  std::size_t step = 0;   // bytes to the same value of the next record; 0: those of a record
};

// The value of one field of a record.
double field_value(const RecordField& field, const char* record, bool swapped);
// Appends such a value: as float32 if that holds all values of the type.
void add_value(const RecordField& field, double value, Column& column);

// Makes a column of each field.
class RecordColumns {
 public:
  RecordColumns(const std::vector<RecordField>& fields, std::size_t record_bytes, std::uint64_t rows, bool swapped);

  // Decodes the next records. O(values), on all threads.
  void decode(const char* records, std::size_t count);
  // Decodes values of a column from `row` on, each `step` bytes behind the one before.
  void put(std::size_t column, std::size_t row, const char* at, std::size_t step, std::size_t count);
  // So far; those behind are 0.
  std::vector<Column>& columns() { return columns_; }
  std::vector<Column> finish();

 private:
  const std::vector<RecordField>& fields_;
  std::size_t record_bytes_, done_ = 0;
  bool swapped_;
  std::vector<Column> columns_;
  std::vector<std::span<float>> floats_;  // of each column these, or the doubles
  std::vector<std::span<double>> doubles_;
};

// What read_records calls with each block of records, of which `first` is the first, once they are in the columns.
using LookAtRecords =
    std::function<void(const char* records, std::size_t first, std::size_t count, std::vector<Column>& columns)>;

// Reads `rows` records into one column for each field, from where the file stands. Throws Error (input) if the file
// ends before; Error (run) if memory is short; Cancelled. No memory is taken for the table before its first block of 8
// MB has been read. O(values), on all threads.
std::vector<Column> read_records(InputFile& file, const std::vector<RecordField>& fields, std::size_t record_bytes,
                                 std::uint64_t rows, bool swapped, const LookAtRecords& look = nullptr);

// For formats whose other readers pass over whatever follows the records: says in `remarks` if something does. `what`
// names the records.
void note_rest(InputFile& file, const std::string& what, std::vector<std::string>& remarks);

}  // namespace kinescope::sim
