// ISO dates in tables as numbers of days.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "kinescope/table.hpp"

namespace kinescope::sim {

// Days from 1970-01-01 to "2024-03-01", or, with fractions, to "2024-03-01T12:30", "2024-03-01 12:30:15.5",
// "2024-03-01T12:30:00Z" or "2024-03-01T12:30:00+02:00"; nullopt for other texts and for days that do not exist.
std::optional<double> days_to(std::string_view text);

// The day in which a time lies, "2024-03-01"; `days` counts from 1970-01-01.
std::string date_text(double days);

// How many texts of a column are dates. Counting is O(rows).
struct DateCount {
  std::size_t dates = 0, others = 0;
  std::size_t first_other = 0;  // its row
  bool others_differ = false;

  // There are more dates than other texts. Too many other texts make it a column of texts: ten or more that are a tenth
  // of all and not all the same.
  bool is_of_dates() const {
    return dates > others && !(others >= 10 && 10 * others >= dates + others && others_differ);
  }
};
DateCount count_dates(const Column& column);

// Turns a column of dates into days since 1970-01-01. Other texts among them become missing numbers. The texts stay
// beside the numbers as written.
void turn_into_days(Column& column);

// Whether it is a column of dates as days.
bool holds_dates(const Column& column);

}  // namespace kinescope::sim
