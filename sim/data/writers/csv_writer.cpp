// Tables as CSV, with enough digits to read the same number back. A missing value is an empty cell; text is quoted
// where needed.
#include <cmath>

#include "kinescope/data/table_writer.hpp"
#include "kinescope/data/write.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

void append_text(OutputFile& file, std::string_view text) {
  const bool plain = text.find_first_of(",;\t\"\r\n") == std::string_view::npos &&
                     (text.empty() || (text.front() != ' ' && text.back() != ' ' && text.front() != '#'));
  if (plain) return file.append(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  file.append(quoted + '"');
}

void append_csv(OutputFile& file, const Table& table) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) file.append(",");
    append_text(file, table.columns[i].name);
  }
  file.append("\n");
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Column& column = table.columns[i];
      const bool missing = column.is_text ? column.texts[row].empty() : std::isnan(column.numbers[row]);
      if (i > 0) file.append(",");
      if (missing && table.columns.size() == 1) file.append("\"\"");  // a blank line would be skipped when it is read
      if (missing) continue;
      column.texts.empty() ? file.append(number_text(column.numbers, row)) : append_text(file, column.texts[row]);
    }
    file.append("\n");
  }
}

}  // namespace

extern const TableWriter csv_writer = {.ending = ".csv", .holds_texts = true, .append = append_csv};

void write_csv(const std::string& path, const Table& table) {
  write_with(csv_writer, path, table);
}

}  // namespace kinescope::sim
