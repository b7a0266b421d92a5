#include "sim/data/unread.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "sim/data/readers/number.hpp"
#include "sim/data/readers/written_number.hpp"
#include "sim/data/shell_words.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

bool is_plain_number(std::string_view text) {
  return kind_of_cell(text) == CellKind::number;
}

}  // namespace

bool is_date_of_other_order(std::string_view text) {
  const auto number = [&](std::size_t most_digits) {
    std::size_t digits = 0;
    int value = 0;
    for (; digits < most_digits && !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())); ++digits) {
      value = 10 * value + (text.front() - '0');
      text.remove_prefix(1);
    }
    return std::pair(digits, value);
  };
  const auto first = number(4);
  if (first.first == 0 || first.first == 3 || text.empty()) return false;
  const char separator = text.front();
  if (separator != '.' && separator != '/' && (separator != '-' || first.first == 4)) return false;
  text.remove_prefix(1);
  const auto second = number(2);
  if (second.first == 0 || !text.starts_with(separator)) return false;
  text.remove_prefix(1);
  const bool year_first = first.first == 4;
  const auto third = number(year_first ? 2 : 4);
  if (third.first == 0 || (!year_first && third.first != 4)) return false;
  const int a = second.second, b = (year_first ? third : first).second;
  const bool of_a_year = std::min(a, b) >= 1 && std::min(a, b) <= 12 && std::max(a, b) <= 31;
  return of_a_year &&
         (text.empty() || (text.starts_with(' ') && text.find_first_not_of("0123456789:. ") == std::string_view::npos));
}

std::string unread_date(const Column& column) {
  std::string_view example;
  for (const std::string& text : column.texts) {
    if (text.empty()) continue;
    if (!is_date_of_other_order(text)) return "";
    if (example.empty()) example = text;
  }
  return column.is_text ? std::string(example) : "";
}

std::string unread_number(const Column& column) {
  if (!column.is_text) return "";
  std::string_view example, unit;
  bool all_have_units = true;
  for (const std::string& text : column.texts) {
    if (text.empty()) continue;
    const bool plain = is_plain_number(text) && !is_grouped(text, '.'),
               without_letters = plain || is_number_with_signs(text);
    const std::string_view own = without_letters ? std::string_view() : unit_of(text);
    std::string_view number = std::string_view(text).substr(0, text.size() - own.size());
    while (number.ends_with(' ')) number.remove_suffix(1);
    if (!without_letters && !is_plain_number(number) && !is_number_with_signs(number)) return "";
    if (!plain && example.empty()) example = text;
    if (!own.empty() && !unit.empty() && own != unit) return "";
    if (!own.empty()) unit = own;
    all_have_units = all_have_units && !own.empty();
  }
  return unit.empty() || all_have_units ? std::string(example) : "";
}

std::string unread_sentence(const Table& table, const std::string& column, const std::string& example) {
  const std::string because = shown(column) + " was read as text because of " + shown(example);
  if (is_date_of_other_order(example)) return because + ": write its dates like 2023-12-31";
  if (table.text_reading) return because + "; `" + names_option("--numbers", {column}) + "` reads its numbers";
  return because + ": write its numbers like -1234.5, without thousands separators, signs or units";
}

}  // namespace kinescope::sim
