// A table of named columns: what a file holds, and what a simulation gives back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinescope::sim {

struct Column {
  std::string name;
  bool is_text = false;
  std::vector<float> numbers;      // one a row, NaN where missing; empty if is_text
  // One a row, "" where missing. Beside numbers only where float32 would lose digits, as of long identifiers: what is
  // shown and written then.
  std::vector<std::string> texts;

  // The first text among its numbers, which keeps it out of the distances, and the line it stands in; 0: there is none.
  std::string stray_text;
  std::size_t stray_line = 0;

  std::size_t size() const { return is_text ? texts.size() : numbers.size(); }
};

// The size of a picture whose pixels are the rows, from the top row down; 0 where they are not.
struct PictureSize {
  std::size_t width = 0, height = 0;
  explicit operator bool() const { return width > 0; }
};

struct Table {
  std::string source;           // the file or the name of the made data, for messages
  std::string format;           // "CSV", "NumPy array", ...
  std::vector<Column> columns;  // all of `rows` entries
  std::size_t rows = 0;
  // The line (from 1) each row began at in its file; empty where lines mean nothing.
  std::vector<std::size_t> row_lines;
  PictureSize picture;
  // Of a table of text: whether its first row named the columns, and in words why it was taken so; "" elsewhere.
  bool has_header = false;
  std::string header_reason;

  const Column* find(std::string_view name) const {
    for (const Column& column : columns)
      if (column.name == name) return &column;
    return nullptr;
  }
};

}  // namespace kinescope::sim
