#include "sim/data/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "kinescope/table.hpp"
#include "sim/core/letters.hpp"

namespace kinescope::sim {
namespace {

// The length of the well-formed UTF-8 sequence at `i` (no overlong forms, no surrogates), or 0.
std::size_t sequence_length(std::string_view bytes, std::size_t i) {
  const auto at = [&](std::size_t k) { return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u; };
  const auto continues = [&](std::size_t k) { return (at(k) & 0xC0u) == 0x80u; };
  const unsigned first = at(i), second = at(i + 1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(i + 1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(i + 1) || !continues(i + 2)) return 0;
    return (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ? 0 : 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(i + 1) || !continues(i + 2) || !continues(i + 3)) return 0;
    return (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) ? 0 : 4;
  }
  return 0;
}

// Windows-1252's characters from 0x80 to 0x9F, where Latin-1 has none; "" where it has none either.
constexpr std::array<const char*, 32> windows_1252 = {"€", "",  "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š",
                                                      "‹", "Œ", "",  "Ž", "",  "",  "‘", "’", "“", "”", "•",
                                                      "–", "—", "˜", "™", "š", "›", "œ", "",  "ž", "Ÿ"};

}  // namespace

bool is_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = sequence_length(bytes, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string to_utf8(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else if (byte < 0xA0 && *windows_1252[byte - 0x80]) {
      text += windows_1252[byte - 0x80];
    } else {
      append_utf8(text, byte);
    }
  }
  return text;
}

void append_utf8(std::string& text, char32_t character) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (character < 0x80) return put(character);
  const int further = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;  // bytes, of 6 bits each
  put((0xFF00 >> (further + 1) & 0xFF) | character >> 6 * further);
  for (int shift = 6 * (further - 1); shift >= 0; shift -= 6) put(0x80 | (character >> shift & 0x3F));
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string line = to_utf8(text.substr(0, 4 * longest));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  if (line.size() > longest) {
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;  // not inside a character
    line = line.substr(0, end) + "…";
  }
  return "'" + line + "'";
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && equals_ignoring_case(text.substr(text.size() - ending.size()), ending);
}

std::string power_of_ten(int exponent) {
  static constexpr const char* superscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += superscripts[digit - '0'];
  return text;
}

namespace {

template <class Number>
std::string shortest(Number number) {
  constexpr auto longest_whole = static_cast<Number>(sizeof(Number) == sizeof(float) ? 1e15 : 9007199254740992);
  char text[32];
  const bool whole = number == std::floor(number) && std::abs(number) < longest_whole;
  const auto end = whole ? std::to_chars(text, text + sizeof text, number, std::chars_format::fixed)
                         : std::to_chars(text, text + sizeof text, number);
  return {text, end.ptr};
}

}  // namespace

std::string number_text(float number) {
  return shortest(number);
}
std::string number_text(double number) {
  return shortest(number);
}

std::string number_text(const Numbers& numbers, std::size_t row) {
  const double number = numbers[row];
  if (std::isnan(number)) return "";
  return numbers.single() ? number_text(static_cast<float>(number)) : number_text(number);
}

std::string written_cell(const Column& column, std::size_t row) {
  return column.texts.empty() ? number_text(column.numbers, row) : column.texts[row];
}

void fill_texts(Column& column, std::size_t rows) {
  for (std::size_t row = column.texts.size(); row < rows; ++row)
    column.texts.push_back(number_text(column.numbers, row));
}

void turn_into_texts(Column& column) {
  if (column.texts.empty()) fill_texts(column, column.numbers.size());
  column.numbers.clear();
  column.is_text = true;
}

std::string numbered_name(std::size_t column) {
  std::string name = "c";
  name += std::to_string(column);
  return name;
}

std::string free_name(const std::string& wanted, TextSet& taken, std::size_t suffix) {
  std::string name = wanted;
  for (; !taken.insert(name).second; ++suffix) name = wanted + "_" + std::to_string(suffix);
  return name;
}

std::vector<std::string> column_names(std::vector<std::string> cells) {
  ByTextView<std::size_t> taken;  // names, and the first suffix that none of them has had
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::string& name = cells[i];
    if (name.empty()) name = numbered_name(i);
    if (!is_utf8(name)) name = to_utf8(name);
    const auto [same, is_free] = taken.try_emplace(name, 0);
    if (is_free) continue;
    // The first suffix is the column's number. No suffix is tried twice.
    std::size_t suffix = std::max(same->second, i);
    const std::string wanted = std::move(name);
    do name = wanted + "_" + std::to_string(suffix++);
    while (!taken.try_emplace(name, 0).second);
    taken[wanted] = suffix;
  }
  return cells;
}

std::vector<std::string> names_beside(const std::vector<std::string>& own, const std::vector<std::string>& copied,
                                      std::size_t first) {
  TextSet taken(own.begin(), own.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < copied.size(); ++i) names.push_back(free_name(copied[i], taken, first + i));
  return names;
}

std::string file_name(const std::string& path) {
  const std::size_t last = path.find_last_not_of('/');
  if (last == std::string::npos) return path;
  const std::size_t slash = path.find_last_of('/', last);
  return path.substr(slash == std::string::npos ? 0 : slash + 1,
                     last - (slash == std::string::npos ? 0 : slash + 1) + 1);
}

std::string with_commas(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string count_of(std::size_t count, const std::string& noun) {
  std::string text = with_commas(count);
  text.append(" ").append(noun);
  if (count != 1) text += 's';
  return text;
}

std::string bytes_text(std::size_t bytes) {
  static constexpr std::array<const char*, 4> units = {"kB", "MB", "GB", "TB"};
  if (bytes < 1000) return count_of(bytes, "byte");
  double size = 1e-3 * static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 999.95 && unit + 1 < units.size(); ++unit) size *= 1e-3;
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %s", size, units[unit]);
  return text;
}

std::string listed(const std::vector<std::string>& texts, std::size_t most) {
  std::string list;
  for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) list.append(i ? ", " : "").append(texts[i]);
  return list + (texts.size() > most ? ", …" : "");
}

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 7;  // one more than is listed
  std::vector<std::string> all;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) all.push_back(shown(names[i]));
  return listed(all);
}

std::string sizes_text(const std::vector<std::uint64_t>& sizes) {
  std::string text;
  for (const std::uint64_t size : sizes) text += (text.empty() ? "" : " × ") + std::to_string(size);
  return text;
}

}  // namespace kinescope::sim
