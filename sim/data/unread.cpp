#include "sim/data/unread.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

bool is_plain_number(std::string_view text) {
  double value = 0;
  return parse_cell(text, value) == CellKind::number;
}

// "1,000", "1.000,5", "12 %", "$5"; "\u22125" with a typographic minus sign, "(51)" as accountants write −51.
bool is_number_with_signs(std::string_view text) {
  constexpr std::string_view minus = "\u2212";
  const bool in_brackets = text.size() > 2 && text.front() == '(' && text.back() == ')';
  if (in_brackets || text.starts_with(minus)) {
    text = in_brackets ? text.substr(1, text.size() - 2) : text.substr(minus.size());
    return is_plain_number(text) || is_number_with_signs(text);
  }
  if (is_grouped(text) || is_grouped(text, '.') || is_decimal_comma(text)) return true;
  bool digits = false, signs = false;
  while (!text.empty()) {
    static constexpr std::array<std::string_view, 8> known = {"%",      " ",      "$",      "\u20AC",
                                                              "\u00A3", "\u00A5", "\u00A0", "\u202F"};
    const auto sign = std::find_if(known.begin(), known.end(), [&](auto each) { return text.starts_with(each); });
    const bool is_sign = sign != known.end();
    if (!is_sign && std::string_view("0123456789.,-+").find(text.front()) == std::string_view::npos) return false;
    signs = signs || is_sign;
    digits = digits || std::isdigit(static_cast<unsigned char>(text.front()));
    text.remove_prefix(is_sign ? sign->size() : 1);
  }
  return digits && signs;
}

// The letters at the end, "cm" of "158 cm"; a degree sign and the like count as letters.
std::string_view unit_of(std::string_view text) {
  std::size_t begin = text.size();
  const auto in_unit = [](unsigned char c) { return std::isalpha(c) || c >= 0x80 || c == '/'; };
  while (begin > 0 && in_unit(static_cast<unsigned char>(text[begin - 1]))) --begin;
  return text.substr(begin);
}

// "31.12.2023", "12/31/2023", "2023/12/31", also before a time of the day: dates that are not written year-month-day
// with hyphens; the order of day and month may be uncertain.
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

}  // namespace

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

std::string unread_sentence(const std::string& column, const std::string& example, bool decimal_comma) {
  const std::string because = shown(column) + " was read as text because of " + shown(example);
  if (is_date_of_other_order(example)) return because + ": write its dates like 2023-12-31";
  return because + ": write its numbers like " + plain_number_example(decimal_comma) +
         ", without thousands separators, signs or units";
}

std::string plain_number_example(bool decimal_comma) {
  return decimal_comma ? "-1234,5" : "-1234.5";
}

}  // namespace kinescope::sim
