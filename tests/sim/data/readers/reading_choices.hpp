// Reads small tables of text as people may ask for it, for tests of how that is decided.
#pragma once

#include <string>
#include <vector>

#include "sim/data/text_reading.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::reading_choices_test {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;
using Guess = ReadingGuess::Kind;

inline Table read_as(const std::string& bytes, const TableFormat& format, const std::string& name = "data.csv") {
  const TemporaryFolder folder;
  return load_table({.source = folder.write(name, bytes), .format = format});
}

inline std::string message_as(const std::string& bytes, const TableFormat& format) {
  return message_of_reading(bytes, "data.csv", {.format = format});
}

inline Names names_of(const Table& table) {
  Names names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

inline std::vector<double> numbers_of(const Table& table, std::size_t column) {
  return {table.columns.at(column).numbers.begin(), table.columns.at(column).numbers.end()};
}

inline const ReadingGuess* guess_of(const Table& table, Guess kind) {
  for (const ReadingGuess& guess : table.text_reading->guesses)
    if (guess.kind == kind) return &guess;
  return nullptr;
}

}  // namespace kinescope::sim::reading_choices_test
