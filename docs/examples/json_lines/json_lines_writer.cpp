// Tables as JSON Lines (https://jsonlines.org): a line for each row, an object with the columns' names. A missing value
// is null, and so is an infinite one, which JSON does not know. Numbers have as many digits as are needed to read the
// same ones back.
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kinescope/data/table_writer.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

std::string in_quotes(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_cell(const Column& column, std::size_t row) {
  if (!column.texts.empty()) return column.texts[row].empty() ? "null" : in_quotes(column.texts[row]);
  return std::isfinite(column.numbers[row]) ? number_text(column.numbers, row) : "null";
}

void append_json_lines(OutputFile& file, const Table& table) {
  std::vector<std::string> heads;  // what stands before each cell
  for (const Column& column : table.columns)
    heads.push_back((heads.empty() ? "{" : ", ") + in_quotes(column.name) + ": ");
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t i = 0; i < heads.size(); ++i) {
      file.append(heads[i]);
      file.append(json_cell(table.columns[i], row));
    }
    file.append(heads.empty() ? "{}\n" : "}\n");
  }
}

}  // namespace

extern const TableWriter json_lines_writer = {.ending = ".jsonl", .holds_texts = true, .append = append_json_lines};

}  // namespace kinescope::sim
