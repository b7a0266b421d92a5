// Tables as text: fields separated by commas, tabs, semicolons, pipes or blanks (dialect.hpp weighs which).
//
// A record is one line, or several if a quoted field holds line ends; quotes inside such a field are doubled. Blank
// lines and lines that begin with '#' are skipped, and so are lines of counts and units (first_lines.hpp). LF, CRLF and
// CR end a line. A first line "sep=;", as spreadsheets write it, names the separator.
//
// Record one is a header, unless TableFormat says otherwise, if
//   - it is a comment with as many cells as the rows, above rows without a header (first_lines.hpp), or
//   - a cell of it is text above a column that otherwise holds numbers or dates; a number with separators, a currency,
//     a percent sign or its column's unit is no text here, or
//   - it is one cell shorter than the records below it, which begin with their names or end with a separator, or one
//     cell longer, because it alone ends with one, or
//   - its numbers are years, the numbers of the columns, or a scale (header_numbers.hpp), or
//   - its first cell is empty above numbers that count the rows, as R names rows, and the others are text, or
//   - it holds no number or date, however written, that stands above others, and
//       - all its cells are text and not all columns are (columns without any cell do not count; numbers among codes
//         are texts if the cell above is such a code), or
//       - a number of it stands above a column of texts alone, and none above a column of numbers, or
//       - a cell of it is a text that never recurs, in a column of texts most of which do (10,000 rows are looked at),
//         or
//   - TableFormat names a column that it names.
// Otherwise it is data, and the columns are c0, c1, …
#pragma once

#include "sim/core/table.hpp"
#include "sim/data/load.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// A column with a text among its numbers becomes a column of texts, and Table::remarks say so; if the text comes late
// in the file, the texts above it are made from the numbers, without a second reading. A column of ISO dates becomes
// one of days (dates.hpp). Table::text_reading has each decision with its alternatives. The first 1,001 rows (64 MiB at
// most) are read before the others. The file is cut into slabs of whole records (csv_slabs.hpp), which all threads
// read; the table does not depend on their number. Throws Error (input) with file and line for records of different
// lengths, a line of more than 64 MiB, a quote that is never closed, columns in `format` that do not exist, and no
// rows; Cancelled. O(bytes). In addition to the table it needs memory for a slab of 1 MiB a thread.
Table read_csv(InputFile& file, const TableFormat& format = {});

}  // namespace kinescope::sim
