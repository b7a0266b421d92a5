// Says how a table of text was read, and how else it might have been (text_reading.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinescope/table.hpp"
#include "sim/data/readers/csv/csv_header.hpp"
#include "sim/data/readers/csv/dialect.hpp"
#include "sim/data/readers/csv/first_lines.hpp"
#include "sim/data/text_reading.hpp"

namespace kinescope::sim {

// Each format is the one that the file was opened with; the alternatives change one thing in it.
ReadingGuess guess_of_separator(const DialectChoice& choice, const TableFormat& format);
ReadingGuess guess_of_header(const Table& table, const TableFormat& format);

// Add a guess if there is something to say, and a remark if it was not asked for.
void tell_quotes(const DialectChoice& choice, const TableFormat& format, bool any, Table& table, TextReading& reading);
void tell_decimal_mark(const DialectChoice& choice, const TableFormat& format, Table& table, TextReading& reading);
void tell_skipped(const FirstLines& found, const TableFormat& format, Table& table, TextReading& reading);
void tell_encoding(std::string_view head, TextReading& reading);
// `growing` holds the counts of the column, `lines` those of the rows; the remark is for a column of numbers or dates
// that a few texts make one of texts.
void tell_column(const CsvColumn& growing, const Column& column, const std::vector<std::size_t>& lines,
                 const TableFormat& format, std::vector<std::string>& remarks, TextReading& reading);
// Columns of numbers that begin with zeros, "007", which texts would keep.
void tell_zeros(const CsvSample& sample, const Table& table, const TableFormat& format, TextReading& reading);

}  // namespace kinescope::sim
