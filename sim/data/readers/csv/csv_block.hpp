// The rows of a slab of CSV text, read without knowing the rest of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/data/readers/csv/csv_records.hpp"

namespace kinescope::sim {

// How the cells of a column are kept: as numbers, as texts, as texts of which only an empty one is missing (for
// `--text`), as numbers with the texts beside them, or not at all.
enum class CsvKeeps : std::uint8_t { numbers, texts, all_texts, both, nothing };

// Facts about the texts of one column, in one block or in all blocks together.
struct CsvTexts {
  std::size_t count = 0;
  std::size_t first_row = 0, first_line = 0;  // of the first text
  std::string first;
  bool differ = false;  // more than one text; dashes (number.hpp) count as one

  void add(std::string_view text, std::size_t row, std::size_t line);
  // Adds the texts of rows that follow.
  void add(CsvTexts& next, std::size_t rows_before);
};

struct CsvBlock {
  struct Column {
    std::size_t values = 0;  // numbers and texts
    CsvTexts texts;
    std::size_t kept_from = 0;
    std::vector<std::string> kept;  // the cells as written, from row `kept_from` to the last; "" where missing
    bool fit_float = true;          // float32 holds all its numbers exactly
  };

  std::size_t rows = 0;
  std::size_t lines = 0;  // of the slab
  // Lines that begin with '#': above its first row, between its rows, below its last.
  std::size_t comments_above = 0, comments_among = 0, comments_below = 0;
  std::size_t comments = 0;            // lines that begin with '#' and have as many fields as the records
  std::vector<std::size_t> row_lines;  // [rows]
  std::vector<double> numbers;         // [columns × rows]
  std::vector<double> by_rows;  // the same numbers [at least rows × columns], in the order in which they are read
  std::vector<Column> columns;
};

// Reads all records into `block`, whose memory is reused. Throws Error (input) with file and line. O(bytes).
void read_block(const CsvShape& shape, const std::vector<CsvKeeps>& keeps, std::string_view slab, std::size_t line,
                CsvBlock& block);

}  // namespace kinescope::sim
