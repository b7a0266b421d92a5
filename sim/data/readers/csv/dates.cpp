#include "sim/data/readers/csv/dates.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "sim/data/readers/number.hpp"

namespace kinescope::sim {
namespace {

constexpr double minutes_a_day = 24 * 60;

// Takes parts off the front of a text.
class Parts {
 public:
  explicit Parts(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Takes a number of exactly `digits` digits; -1 if they are not there, or if the number is more than `most`.
  int number(std::size_t digits, int most) {
    int value = 0;
    if (rest_.size() < digits) return -1;
    for (std::size_t i = 0; i < digits; ++i) {
      const int digit = rest_[i] - '0';
      if (digit < 0 || digit > 9) return -1;
      value = 10 * value + digit;
    }
    if (value > most) return -1;
    rest_.remove_prefix(digits);
    return value;
  }
  // The digits after a decimal point.
  double fraction() {
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    double value = 0;
    for (std::size_t i = digits; i-- > 0;) value = (value + (rest_[i] - '0')) / 10;
    rest_.remove_prefix(digits);
    return value;
  }

 private:
  std::string_view rest_;
};

// "12:30", "12:30:15", "12:30:15.5"; nullopt if it is no time of a day.
std::optional<double> minutes_at(Parts& parts) {
  const int hour = parts.number(2, 23);
  const int minute = parts.take(':') ? parts.number(2, 59) : -1;
  if (hour < 0 || minute < 0) return std::nullopt;
  double second = 0;
  if (parts.take(':')) {
    const int whole = parts.number(2, 60);  // 60 is a leap second
    if (whole < 0) return std::nullopt;
    second = whole + (parts.take('.') ? parts.fraction() : 0);
  }
  return 60 * hour + minute + second / 60;
}

// "Z", "+02:00", "+0200", "+02" or nothing: how much the clock is ahead of UTC.
std::optional<double> minutes_ahead(Parts& parts) {
  if (parts.take('Z')) return 0;
  const bool ahead = parts.take('+');
  if (!ahead && !parts.take('-')) return 0;
  const int hours = parts.number(2, 23);
  int minutes = 0;
  if (parts.take(':') || !parts.done()) minutes = parts.number(2, 59);
  if (hours < 0 || minutes < 0) return std::nullopt;
  return (ahead ? 1 : -1) * (60.0 * hours + minutes);
}

}  // namespace

std::string date_text(double days) {
  const std::chrono::year_month_day date(std::chrono::sys_days(std::chrono::days(std::lround(std::floor(days)))));
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()));
  return text;
}

std::optional<double> days_to(std::string_view text) {
  Parts parts(text);
  std::array<int, 3> date{};
  for (std::size_t i = 0; i < date.size(); ++i) {
    if (i > 0 && !parts.take('-')) return std::nullopt;
    date[i] = parts.number(i == 0 ? 4 : 2, 9999);
    if (date[i] < 0) return std::nullopt;
  }
  const std::chrono::year_month_day day{std::chrono::year(date[0]), std::chrono::month(static_cast<unsigned>(date[1])),
                                        std::chrono::day(static_cast<unsigned>(date[2]))};
  if (!day.ok()) return std::nullopt;
  const double days = std::chrono::sys_days(day).time_since_epoch().count();
  if (parts.done()) return days;
  if (!parts.take('T') && !parts.take(' ')) return std::nullopt;
  const std::optional<double> minutes = minutes_at(parts);
  const std::optional<double> ahead = minutes ? minutes_ahead(parts) : std::nullopt;
  if (!ahead || !parts.done()) return std::nullopt;
  return days + (*minutes - *ahead) / minutes_a_day;
}

DateCount count_dates(const Column& column) {
  DateCount found;
  for (std::size_t row = 0; row < column.texts.size(); ++row) {
    const std::string& text = column.texts[row];
    if (text.empty()) continue;
    if (days_to(text)) {
      ++found.dates;
    } else {
      if (found.others++ == 0) found.first_other = row;
      found.others_differ = found.others_differ || !are_same_text(text, column.texts[found.first_other]);
    }
  }
  return found;
}

void turn_into_days(Column& column) {
  std::vector<double> days;
  days.reserve(column.texts.size());
  for (const std::string& text : column.texts)
    days.push_back(days_to(text).value_or(std::numeric_limits<double>::quiet_NaN()));
  column.is_text = false;
  column.numbers = std::move(days);
}

bool holds_dates(const Column& column) {
  if (column.is_text) return false;
  std::size_t row = 0;  // the first row whose number has a text
  while (row < column.texts.size() && (column.texts[row].empty() || std::isnan(column.numbers[row]))) ++row;
  return row < column.texts.size() && days_to(column.texts[row]);
}

}  // namespace kinescope::sim
