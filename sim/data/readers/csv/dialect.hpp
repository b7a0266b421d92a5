// Weighs what may separate the cells of a text table, whether quotes enclose them, and how its numbers are written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/data/readers/csv/csv_records.hpp"

namespace kinescope::sim {

// The first records of a file, as one dialect cuts them.
struct CsvSample {
  struct Record {
    std::size_t line;  // from 1
    std::vector<std::string> cells;
  };
  Dialect dialect;
  std::vector<Record> records;
  std::size_t columns = 0;     // cells of most records
  std::size_t first = 0;       // the first record with so many cells; those before it are titles
  double alike = 0;            // the part of the records from there on that have as many cells
  double score = 0;            // 0 … 1: how much it looks like a table
  bool broken_quotes = false;  // a quote is never closed, or text follows one that is
};

struct DialectChoice {
  CsvSample best;
  std::vector<CsvSample> others;  // that may be meant too, the better ones first; without their records
  bool sure = true;
  std::string about_quotes;  // why quotes are characters though nobody said so; or ""
  std::string about_commas;  // why commas in numbers are, or are not, decimal though that is not sure; or ""
};

// Cuts the head with each of , tab ; | and blanks, with and without quotes, and takes what makes the most like a table:
// all records with equally many cells, cells that are numbers, and texts without other separators in them. Blanks
// separate numbers only: at least half of the cells must be some. Quotes are characters if taking them for quotes
// breaks the head, and all records are alike without them; and in word vectors. A separator that is `known`, and the
// quotes and the decimal mark that `format` asks for, are not weighed. `whole`: the head is the whole file.
DialectChoice weigh_dialects(std::string_view head, char known = '\0', const TableFormat& format = {},
                             bool whole = true);

// The separator that a first line "sep=;" names; '\0' if there is no such line.
char named_separator(std::string_view head);

}  // namespace kinescope::sim
