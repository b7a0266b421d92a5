#include "sim/data/readers/written_number.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "sim/core/by_text.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view minus_sign = "\u2212";
constexpr std::array<std::string_view, 9> signs = {"%",      " ",      "$",      "\u20AC", "\u00A3",
                                                   "\u00A5", "\u20B9", "\u00A0", "\u202F"};

bool is_digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
}

bool is_plain(std::string_view text) {
  return kind_of_cell(text) == CellKind::number;
}

// Fortran's "1.0D+03" with an E; "" for other texts.
std::string with_e(std::string_view text) {
  const std::size_t d = text.find_first_of("dD");
  if (d == std::string_view::npos || d == 0 || !(is_digit_at(text, d - 1) || text[d - 1] == '.')) return "";
  const bool sign = d + 1 < text.size() && (text[d + 1] == '-' || text[d + 1] == '+');
  std::string number(text);
  number[d] = 'e';
  return is_digit_at(text, d + (sign ? 2 : 1)) && is_plain(number) ? number : "";
}

// "0x1F", "0x1.8p3".
std::optional<double> hexadecimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, std::chars_format::hex);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return negative ? -value : value;
}

// "1_000" without the underscores; "" for other texts.
std::string without_underscores(std::string_view text) {
  if (!is_grouped(text, '_')) return "";
  std::string plain(text);
  std::erase(plain, '_');
  return is_plain(plain) ? plain : "";
}

bool is_of_a_program(std::string_view text) {
  return !with_e(text).empty() || hexadecimal(text) || !without_underscores(text).empty();
}

}  // namespace

std::string_view unit_of(std::string_view text) {
  std::size_t begin = text.size();
  const auto in_unit = [](unsigned char c) { return std::isalpha(c) || c >= 0x80 || c == '/'; };
  while (begin > 0 && in_unit(static_cast<unsigned char>(text[begin - 1]))) --begin;
  return text.substr(begin);
}

namespace {

// A text taken apart: what is left to be read, and what was taken off it.
struct Parts {
  std::string rest;  // digits, points, commas, a sign
  std::string unit;
  std::vector<std::string_view> taken;
  double factor = 1;     // of the unit, if that is a multiple
  bool grouped = false;  // its thousands were parted by blanks or apostrophes
  bool read = true;      // false: blanks or signs are in odd places
  bool joined = false;   // the unit follows without a blank
};

// Takes blanks off both ends, and from between a sign and the digits. Others must part groups of three digits.
void take_blanks(Parts& parts) {
  std::string& rest = parts.rest;
  rest.erase(0, rest.find_first_not_of(' '));
  rest.erase(rest.find_last_not_of(' ') + 1);
  const bool sign = rest.starts_with('-') || rest.starts_with('+');
  if (sign) rest.erase(1, rest.find_first_not_of(' ', 1) - 1);
  if (rest.find(' ') == std::string::npos) return;
  parts.grouped = is_grouped(rest, ' ');
  parts.read = parts.read && parts.grouped;
  std::erase(rest, ' ');
}

// Takes Swiss apostrophes from between groups of three digits.
void take_apostrophes(Parts& parts) {
  constexpr std::string_view curved = "\u2019";
  for (std::size_t at = 0; (at = parts.rest.find(curved, at)) != std::string::npos;)
    parts.rest.replace(at, curved.size(), "'");
  if (!is_grouped(parts.rest, '\'')) return;
  parts.grouped = true;
  std::erase(parts.rest, '\'');
}

// Takes signs and blanks off. Signs between digits are none of a number.
void take_signs(std::string_view text, Parts& parts) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t last = text.find_last_of(digits);
  const char* const end = last == std::string_view::npos ? text.data() : text.data() + last;
  bool any_digit = false;
  while (!text.empty()) {
    const auto sign = std::find_if(signs.begin(), signs.end(), [&](auto each) { return text.starts_with(each); });
    if (sign == signs.end()) {
      any_digit = any_digit || digits.find(text.front()) != std::string_view::npos;
      parts.rest += text.front();
      text.remove_prefix(1);
      continue;
    }
    const bool blank = *sign == " " || *sign == "\u00A0" || *sign == "\u202F";
    if (blank) parts.rest += ' ';
    if (!blank) parts.taken.push_back(*sign);
    if (!blank && any_digit && text.data() < end) parts.read = false;
    text.remove_prefix(sign->size());
  }
  take_blanks(parts);
  take_apostrophes(parts);
}

// The unit is cut off first: "5 \u20AC" has none, because the currency is a sign.
Parts take_apart(std::string_view text) {
  Parts parts;
  if (is_of_a_program(text)) {
    parts.rest = text;
    return parts;
  }
  bool negative = text.front() == '(' && is_number_with_signs(text);  // but not "(3 rows)"
  if (negative) text = text.substr(1, text.size() - 2);
  if (text.starts_with(minus_sign)) negative = true, text.remove_prefix(minus_sign.size());
  if (!is_plain(text) && !is_number_with_signs(text)) {
    parts.unit = unit_of(text);
    text.remove_suffix(parts.unit.size());
    parts.joined = !parts.unit.empty() && !text.ends_with(' ');
  }
  if (negative) parts.rest = "-";
  take_signs(text, parts);
  return parts;
}

struct Marks {
  char decimal = '.', grouping = ',';
};

// Digits in groups of three, or as in India of two before the last three.
bool take_groups(std::string& rest, Marks marks) {
  const std::size_t end = std::min(rest.find(marks.decimal), rest.size());
  std::string digits;
  std::size_t group = 0;
  for (std::size_t i = end; i-- > 0;) {
    if (rest[i] != marks.grouping) {
      digits += rest[i];
      ++group;
      continue;
    }
    if (group < 2 || group > 3 || (digits.size() < 3) || i == 0 || rest.starts_with('0')) return false;
    group = 0;
  }
  std::reverse(digits.begin(), digits.end());
  rest = digits + rest.substr(end);
  return true;
}

// Reads what is left of a text; `grouped` is set if it had groups of digits.
std::optional<double> number_of(const Parts& parts, Marks marks, bool& grouped) {
  if (!parts.read) return std::nullopt;
  std::string rest = parts.rest;
  if (const std::optional<double> value = hexadecimal(rest)) return value;
  if (const std::string plain = without_underscores(rest); !plain.empty()) {
    if (parts.joined) return std::nullopt;  // "100_220kV" is a name
    grouped = true, rest = plain;
  }
  if (const std::string plain = with_e(rest); !plain.empty()) rest = plain;
  if (rest.find(marks.grouping) != std::string::npos) {
    if (!take_groups(rest, marks)) return std::nullopt;
    grouped = true;
  }
  if (marks.decimal == ',') std::replace(rest.begin(), rest.end(), ',', '.');
  double value = 0;
  if (parse_cell(rest, value) != CellKind::number || !std::isfinite(value)) return std::nullopt;
  grouped = grouped || parts.grouped;
  return value;
}

// "5k" beside "300" or "2M" is 5,000. If all have the same letter it is like any other unit.
bool take_multiples(std::vector<Parts>& all) {
  const auto factor_of = [](std::string_view unit) { return unit == "k" || unit == "K" ? 1e3 : unit == "M" ? 1e6 : 0; };
  TextViewSet units;  // of the texts that hold digits
  for (const Parts& parts : all)
    if (parts.rest.find_first_of("0123456789") != std::string::npos) units.insert(parts.unit);
  const bool multiples = std::ranges::all_of(units, [&](auto each) { return each.empty() || factor_of(each) > 0; });
  if (units.size() < 2 || !multiples) return false;
  units.clear();
  for (Parts& parts : all)
    if (const double factor = factor_of(parts.unit); factor > 0) parts.factor = factor, parts.unit.clear();
  return true;
}

// Numbers with several commas that part no thousands: "3,4,5".
bool is_list(const Parts& parts) {
  const auto commas = std::ranges::count(parts.rest, ',');
  return commas > 1 && parts.rest.find_first_not_of("0123456789,") == std::string::npos;
}

// A number with several of one mark settles it, "1.000.000" for decimal commas and "1,23,456" for points. Else the
// file's own commas do, or a vote of the cells that are numbers in one way only: "1.000,5" and "1,25" for commas, "0.5"
// and "1,000.5" for points, and "1.250", a number as it stands. With lists among them, commas mean neither, nor in a
// column of digits and commas alone beside numbers with points: "1,7" is two numbers.
Marks marks_of(const std::vector<Parts>& all, DecimalMark decimal, DecimalMark of_file) {
  constexpr Marks points, commas{.decimal = ',', .grouping = '.'}, neither{.decimal = '.', .grouping = '\0'};
  if (decimal != DecimalMark::automatic) return decimal == DecimalMark::comma ? commas : points;
  std::size_t for_commas = 0, for_points = 0, sure_of_commas = 0, sure_of_points = 0;
  bool lists = false, quantities = false;  // quantities: cells with points, signs or units
  for (const Parts& parts : all) {
    bool grouped = false;
    quantities = quantities || parts.rest.find('.') != std::string::npos || !parts.taken.empty() || !parts.unit.empty();
    const bool by_commas = number_of(parts, commas, grouped).has_value(),
               by_points = number_of(parts, points, grouped).has_value();
    for_commas += by_commas && !by_points;
    for_points += by_points && (!by_commas || parts.rest.find('.') != std::string::npos);
    sure_of_commas += by_commas && !by_points && std::ranges::count(parts.rest, '.') > 1;
    sure_of_points += by_points && !by_commas && std::ranges::count(parts.rest, ',') > 1;
    lists = lists || (!by_commas && !by_points && is_list(parts));
  }
  if (!lists && (sure_of_commas > 0) != (sure_of_points > 0)) return sure_of_commas > 0 ? commas : points;
  if (of_file == DecimalMark::comma) return commas;
  lists = lists || (of_file == DecimalMark::point && !quantities && for_commas > for_points);
  return lists ? neither : for_commas > 0 && for_commas >= for_points ? commas : points;
}

std::string in_words(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

// The most frequent unit of those texts whose rest begins like a number; the first of several. "" if more have none:
// the few with one may measure something else, as "1.75 m" among 170 and "+1 lap" among seconds.
std::string usual_unit(const std::vector<Parts>& all, Marks marks) {
  ByTextView<std::size_t> counts;
  std::string_view usual;
  std::size_t without = 0;
  for (const Parts& parts : all) {
    bool grouped = false;
    if (parts.rest.find_first_of("0123456789") == std::string::npos) continue;
    if (!parts.unit.empty())
      ++counts[parts.unit];
    else
      without += number_of(parts, marks, grouped).has_value();
  }
  for (const Parts& parts : all)
    if (const auto found = counts.find(parts.unit);
        found != counts.end() && (usual.empty() || found->second > counts[usual]))
      usual = parts.unit;
  return usual.empty() || counts[usual] < without ? "" : std::string(usual);
}

}  // namespace

bool holds_digits_and_signs(std::string_view text) {
  bool digits = false, any_sign = false;
  while (!text.empty()) {
    const auto sign = std::find_if(signs.begin(), signs.end(), [&](auto each) { return text.starts_with(each); });
    const bool is_sign = sign != signs.end();
    any_sign = any_sign || is_sign;
    if (!is_sign && std::string_view("0123456789.,-+").find(text.front()) == std::string_view::npos) return false;
    digits = digits || std::isdigit(static_cast<unsigned char>(text.front()));
    text.remove_prefix(is_sign ? sign->size() : 1);
  }
  return digits && any_sign;
}

bool is_number_with_signs(std::string_view text) {
  constexpr std::size_t longest = 64;
  if (text.empty() || text.size() > longest) return false;
  const bool in_brackets = text.size() > 2 && text.front() == '(' && text.back() == ')';
  if (in_brackets || text.starts_with(minus_sign)) {
    text = in_brackets ? text.substr(1, text.size() - 2) : text.substr(minus_sign.size());
    return is_plain(text) || is_number_with_signs(text);
  }
  if (is_of_a_program(text)) return true;
  if (is_plain(text)) return false;
  Parts parts;
  take_signs(text, parts);
  bool grouped = false;
  return number_of(parts, {}, grouped) || number_of(parts, {.decimal = ',', .grouping = '.'}, grouped);
}

WrittenNumbers turn_into_numbers(Column& column, DecimalMark decimal, DecimalMark of_file) {
  WrittenNumbers found;
  std::vector<Parts> all;
  all.reserve(column.texts.size());
  for (const std::string& text : column.texts) all.push_back(take_apart(text));
  const bool multiples = take_multiples(all);
  const Marks marks = marks_of(all, decimal, of_file);
  const std::string unit = usual_unit(all, marks);
  std::vector<std::string> stripped;
  bool grouped = false, with_unit = false;
  column.is_text = false;
  column.numbers.clear();
  column.numbers.reserve(all.size());
  for (std::size_t row = 0; row < all.size(); ++row) {
    const Parts& parts = all[row];
    const bool empty = column.texts[row].empty();
    const std::optional<double> value =
        empty || (!parts.unit.empty() && parts.unit != unit) ? std::nullopt : number_of(parts, marks, grouped);
    column.numbers.push_back(value ? *value * parts.factor : std::numeric_limits<double>::quiet_NaN());
    found.numbers += value.has_value();
    if (!empty && !value && found.missing++ == 0) found.first_missing = column.texts[row];
    if (!value) continue;
    with_unit = with_unit || !parts.unit.empty();
    for (const std::string_view sign : parts.taken)
      if (std::find(stripped.begin(), stripped.end(), shown(sign)) == stripped.end()) stripped.push_back(shown(sign));
  }
  if (grouped) stripped.emplace(stripped.begin(), "thousands separators");
  if (with_unit) stripped.push_back(shown(unit));
  if (multiples) stripped.emplace_back("'k' (\u00D7 1,000) or 'M' (\u00D7 1,000,000)");
  found.stripped = in_words(stripped);
  column.texts = {};
  return found;
}

}  // namespace kinescope::sim
