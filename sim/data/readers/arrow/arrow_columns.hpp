// Makes columns of Apache Arrow's batches of rows.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kinescope/table.hpp"
#include "sim/data/readers/arrow/arrow_numbers.hpp"

namespace kinescope::sim {

// One column of the file, which becomes any number of columns of the table.
class ArrowColumn {
 public:
  virtual ~ArrowColumn() = default;
  // Appends rows of the type that it was made for. Throws Error (run) if memory does not suffice. O(rows · columns).
  virtual void append(const ArrowRows& rows) = 0;
  // Adds its columns, and remarks on what was not read.
  virtual void finish(std::vector<Column>& columns, std::vector<std::string>& remarks) = 0;
};

// `file` is for messages; `rows`: how many to expect, 0 if that is not known.
std::unique_ptr<ArrowColumn> make_arrow_column(const std::string& file, const ArrowSchema& schema,
                                               const std::string& name, std::size_t rows);

// A column for each place in the lists, which must all have one length. `format` is the list's, `type` that of its
// numbers; `file` and `rows` as for make_arrow_column.
std::unique_ptr<ArrowColumn> make_arrow_list_column(const std::string& file, const std::string& name,
                                                    std::string_view format, const ArrowNumberType& type,
                                                    std::size_t rows);

}  // namespace kinescope::sim
