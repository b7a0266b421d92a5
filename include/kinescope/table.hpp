// A table of named columns: the content of a file, or the result of a simulation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/distance_feeder.hpp"
#include "kinescope/graph.hpp"
#include "kinescope/numbers.hpp"
#include "kinescope/sparse_rows.hpp"

namespace kinescope::sim {

struct TextReading;  // sim/data/text_reading.hpp

struct Column {
  std::string name;
  bool is_text = false;
  Numbers numbers;  // one per row, NaN where missing; empty if is_text
  // One per row, "" where missing. A column of numbers has texts only if they hold more than the numbers: for dates,
  // and for long identifiers whose digits double would lose. Then the texts are shown and written instead of the
  // numbers.
  std::vector<std::string> texts;
  // The order of the categories of a column of texts, where the file tells one; else none.
  std::vector<std::string> order = {};

  bool annotates = false;  // takes no part in the distances unless it is requested by name, whatever it holds

  std::size_t size() const { return is_text ? texts.size() : numbers.size(); }
};

// The picture whose pixels are the rows, from the top row down and from left to right, without the fully transparent
// ones; of no size if the rows are not pixels.
struct Picture {
  std::size_t width = 0, height = 0;
  int bits = 8;  // of each colour in its file, 8 or 16
  // [height × width] of each pixel, 0 … 65535: a pixel of opacity 0 has no row. Null if all pixels are opaque.
  std::shared_ptr<const std::vector<std::uint16_t>> opacity;

  explicit operator bool() const { return width > 0; }
};

struct Table {
  std::string source;           // the file or the name of the made data, for messages
  std::string format;           // "CSV", "NumPy array", ...
  std::vector<Column> columns;  // each has `rows` entries
  std::size_t rows = 0;
  // The line (from 1) of the file where each row began; empty if the format has no lines.
  std::vector<std::size_t> row_lines;
  Picture picture;
  // The numbers of a file of sparse rows, [rows]; `columns` then only annotate. Null for other tables.
  std::shared_ptr<const SparseRows> sparse;
  // The graph whose nodes are the rows; `columns` then only annotate. Null for other tables.
  std::shared_ptr<const Graph> graph;
  // The distances between the rows, which stay in the file; there are no columns. Null for other tables.
  std::shared_ptr<const DistanceFeeder> distances;
  std::uint64_t pairs_left_out = 0;  // how many pairs of rows have none
  // For a table of text: whether its first row named the columns, and the reason in words; "" for others.
  bool has_header = false;
  std::string header_reason;
  bool decimal_comma = false;  // "1,5" is a number in this table
  // How a table of text was read, and what else it might have been; null for others.
  std::shared_ptr<const TextReading> text_reading;
  std::size_t joined = 0;  // how many of the last columns come from a second table (sim/data/join.hpp)
  // Other decisions of the reader, in sentences without full stops.
  std::vector<std::string> remarks;

  const Column* find(std::string_view name) const {
    for (const Column& column : columns)
      if (column.name == name) return &column;
    return nullptr;
  }
};

}  // namespace kinescope::sim
