// Binary files that are a sequence of records of one layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

struct RecordField {
  std::string name;
  char kind = 'f';        // as NpyLayout::kind: 'b', 'i', 'u' or 'f'
  std::size_t bytes = 4;  // of the value
  std::size_t at = 0;     // where it begins in the record
};

// Whether float32 holds all values of the type.
bool is_float_type(const RecordField& field);

// The value of one field of a record.
double field_value(const RecordField& field, const char* record, bool swapped);

// Reads `rows` records into one column for each field, from where the file stands. `check` looks at each block of
// records. Throws Error (input) if the file ends before; Error (run) if memory is short; Cancelled. No memory is taken
// for the table before its first block of 8 MB has been read. O(values), on all threads.
std::vector<Column> read_records(InputFile& file, const std::vector<RecordField>& fields, std::size_t record_bytes,
                                 std::uint64_t rows, bool swapped,
                                 void (*check)(const std::string& path, const char* records, std::size_t count,
                                               std::size_t record_bytes) = nullptr);

// For formats whose other readers pass over whatever follows the records: says in `remarks` if something does. `what`
// names the records.
void note_rest(InputFile& file, const std::string& what, std::vector<std::string>& remarks);

}  // namespace kinescope::sim
