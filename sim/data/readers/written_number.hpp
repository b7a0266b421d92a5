// Numbers as people write them: "1,000", "1.000,5", "1_000", "12 %", "$5", "3 kg", "(51)", "\u22125", "1.0D+03",
// "0x1F".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kinescope/data/table_format.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

// Whether the text is such a number without a unit in letters.
bool is_number_with_signs(std::string_view text);

// Whether there are signs and blanks among the digits, points and commas of the text, and nothing else: "120 80".
bool holds_digits_and_signs(std::string_view text);

// The unit at the end of a text, "cm" of "158 cm": letters, a degree sign and the like, and slashes. "" if none.
std::string_view unit_of(std::string_view text);

// What was taken off the texts of a column to make them numbers.
struct WrittenNumbers {
  std::size_t numbers = 0, missing = 0;  // texts that are numbers; others that are not, which become missing
  std::string first_missing;             // the first of them
  std::string stripped;                  // "thousands separators, '$' and 'kg'"; "" if nothing
};

// Turns a column of texts into numbers. Whether commas or points are decimal holds for the whole column: `decimal`
// says it, or its numbers, or `of_file`, what is so in the rest of the file (automatic: unknown). Of units in letters,
// the most frequent one is stripped, unless more numbers have none, and texts with another are missing; "k" and "M"
// multiply if a column mixes them. The column then has no texts. O(bytes).
WrittenNumbers turn_into_numbers(Column& column, DecimalMark decimal, DecimalMark of_file = DecimalMark::automatic);

}  // namespace kinescope::sim
