// Small tools on text that the readers and writers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/numbers.hpp"
#include "sim/core/by_text.hpp"

namespace kinescope::sim {

struct Column;

// Text from a file, made fit for a one-line message: in quotes, control characters replaced, cut to 40 bytes.
std::string shown(std::string_view text);

// Valid UTF-8 stays unchanged; anything else is read as Windows-1252, which has Latin-1's letters, so that no later
// code meets a broken sequence.
std::string to_utf8(std::string_view bytes);
bool is_utf8(std::string_view bytes);
void append_utf8(std::string& text, char32_t character);

// Ignores the case of ASCII letters only.
bool equals_ignoring_case(std::string_view a, std::string_view b);
bool ends_with_ignoring_case(std::string_view text, std::string_view ending);

// The shortest text that reads back as the same number; its decimal point is '.' in every locale. Whole numbers are
// written in full up to 10^15.
std::string number_text(float number);
std::string number_text(double number);
// The number of a column, with the digits it was read with; "" if it is missing.
std::string number_text(const Numbers& numbers, std::size_t row);
// What a cell is shown and written as: its text if the column has texts, else its number's.
std::string written_cell(const Column& column, std::size_t row);
// Appends the texts of the numbers in those of the first `rows` rows that have none.
void fill_texts(Column& column, std::size_t rows);
// Makes a column of numbers one of texts.
void turn_into_texts(Column& column);
std::string power_of_ten(int exponent);  // "10⁻⁷"

// "4,177".
std::string with_commas(std::size_t number);

// "1 row", "4,177 rows".
std::string count_of(std::size_t count, const std::string& noun);

// "352 bytes", "5.9 MB".
std::string bytes_text(std::size_t bytes);

// The first texts with commas between: "a, b, …".
std::string listed(const std::vector<std::string>& texts, std::size_t most = 6);
// The first names as shown(): "'a', 'b', …".
std::string list_of(const std::vector<std::string>& names);
// "3 × 4".
std::string sizes_text(const std::vector<std::uint64_t>& sizes);

// The name of a column without one: "c0" for the first.
std::string numbered_name(std::size_t column);

// `wanted`, or if it is taken, with the first free suffix from `suffix` on ("x_3"); it is taken then.
std::string free_name(const std::string& wanted, TextSet& taken, std::size_t suffix);

// Gives every column a name of its own: an empty name is replaced by the column's number, a repeated one gets a suffix.
// O(cells), even if many are equal.
std::vector<std::string> column_names(std::vector<std::string> cells);

// The names of columns that are copied into a table, the first of them as its column `first`: their own, or with a
// suffix if one of the table's `own` columns, or a copied one before it, is called so.
std::vector<std::string> names_beside(const std::vector<std::string>& own, const std::vector<std::string>& copied,
                                      std::size_t first);

// The last part of a path.
std::string file_name(const std::string& path);

}  // namespace kinescope::sim
