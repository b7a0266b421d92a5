// ISO dates in tables as numbers of days.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/core/table.hpp"

namespace kinescope::sim {

// Days from 1970-01-01 to "2024-03-01", or, with fractions, to "2024-03-01T12:30", "2024-03-01 12:30:15.5",
// "2024-03-01T12:30:00Z" or "2024-03-01T12:30:00+02:00"; nullopt for other texts and days that no calendar has.
std::optional<double> days_to(std::string_view text);

// True for a column of texts all of which are dates. O(rows).
bool holds_dates(const Column& column);

// Makes such a column one of days since 1970-01-01, or since its first date where float32 would lose a minute. The
// dates stay beside the numbers as written.
void turn_into_days(Column& column);

// The date from which a column of days counts, "1970-01-01"; "" for other columns.
std::string first_day_of(const Column& column);

}  // namespace kinescope::sim
