// A format in which tables are written. Each is one source file of this folder, NAME_writer.cpp, that defines
// `extern const TableWriter NAME_writer`; the build finds it by its name (docs/adding-an-output.md).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/output_file.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

struct TableWriter {
  std::string_view ending;   // of its files' names, in lower case: ".csv"; no simulation may use it for something else
  bool holds_texts = false;  // columns of texts too; else they are left out
  // Appends the whole table. The file is then kept by who made it. O(cells). Throws Error.
  void (*append)(OutputFile& file, const Table& table) = nullptr;
};

// Made when the program is built, from the files NAME_writer.cpp: CSV, then the others in the order of their names. A
// table that is saved without a question is of the first kind.
std::span<const TableWriter* const> table_writers();

// The writer of files that end so, in any case; null if there is none.
const TableWriter* find_table_writer(std::string_view path);

// Which endings the files of an output may have beside those of tables.
struct Endings {
  std::vector<std::string> first = {}, last = {};  // the simulation's own, for what is more than a table: ".png"
  bool need_texts = false;                         // only tables that hold texts
};
// The endings of table_writers() between the simulation's own, for OutputKind::endings.
std::vector<std::string> table_endings(const Endings& own = {});

// Writes the table by this writer, whatever the file's name ends in; completely or not at all. Throws Error.
void write_with(const TableWriter& writer, const std::string& path, const Table& table);

}  // namespace kinescope::sim
