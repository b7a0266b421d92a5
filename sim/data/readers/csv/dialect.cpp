#include "sim/data/readers/csv/dialect.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "sim/data/readers/csv/csv_records.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

using SeparatorCounts = std::array<std::size_t, 3>;

// How often each candidate occurs outside quotes, in each of the first lines that are neither blank nor comments.
std::vector<SeparatorCounts> count_separators(std::string_view head, const std::array<char, 3>& candidates) {
  constexpr std::size_t lines_to_look_at = 20;
  std::vector<SeparatorCounts> lines;
  SeparatorCounts count{};
  bool in_quotes = false, blank = true, comment = false;
  for (const char c : head) {
    if ((c == '\n' || c == '\r') && !in_quotes) {
      if (!blank && !comment) lines.push_back(count);
      if (lines.size() == lines_to_look_at) return lines;
      count = {};
      blank = true;
      comment = false;
      continue;
    }
    comment = comment || (blank && c == '#');
    blank = blank && c == ' ';
    if (c == '"' && !comment) in_quotes = !in_quotes;
    for (int i = 0; i < 3 && !in_quotes; ++i) count[i] += c == candidates[i];
  }
  if (lines.empty()) lines.push_back(count);  // one unfinished line
  return lines;
}

// The cells of the first lines, up to the end of the head; quotes removed.
using Lines = std::vector<std::vector<std::string_view>>;

Lines split_lines(std::string_view head, char separator) {
  constexpr std::size_t lines_to_look_at = 20;
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const auto trimmed = [&](std::string_view cell) {
    while (!cell.empty() && is_blank(cell.front())) cell.remove_prefix(1);
    while (!cell.empty() && is_blank(cell.back())) cell.remove_suffix(1);
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    return cell;
  };
  Lines lines;
  while (!head.empty() && lines.size() < lines_to_look_at) {
    std::vector<std::string_view> cells;
    bool in_quotes = false;
    std::size_t begin = 0, at = 0;
    for (; at < head.size() && (in_quotes || (head[at] != '\n' && head[at] != '\r')); ++at) {
      if (head[at] == '"') in_quotes = !in_quotes;
      const bool divides = separator == ' ' ? is_blank(head[at]) : head[at] == separator;
      if (in_quotes || !divides) continue;
      if (separator != ' ' || at > begin) cells.push_back(trimmed(head.substr(begin, at - begin)));
      begin = at + 1;
    }
    const std::string_view last = trimmed(head.substr(begin, at - begin));
    if (separator != ' ' || !last.empty()) cells.push_back(last);
    const std::string_view line = trimmed(head.substr(0, at));
    const bool whole = at < head.size() || lines.empty();
    head.remove_prefix(std::min(at + 1, head.size()));
    if (whole && !line.empty() && line.front() != '#') lines.push_back(std::move(cells));
  }
  return lines;
}

bool divides_alike(const Lines& lines) {
  return !lines.empty() && lines.front().size() > 1 && std::all_of(lines.begin(), lines.end(), [&](const auto& cells) {
    return cells.size() == lines.front().size();
  });
}

// As R writes tables: the header is one name shorter than the rows, which begin with their names.
bool names_rows(const Lines& lines) {
  return lines.size() > 2 && lines[0].size() + 1 == lines[1].size() && divides_alike({lines.begin() + 1, lines.end()});
}

// What the numbers look like in the lines after the first (or in the only one).
struct Numerals {
  std::size_t cells = 0, numbers = 0;  // numbers includes missing ones
  bool plain_points = false;           // "1.5"
  bool grouping_points = false;        // "1.500", which is 1500 if commas are decimal
  bool commas = false;                 // "1,5"
  bool clear_commas = false;           // commas that do not separate thousands
  bool other_commas = false;           // commas in cells that are not numbers

  bool points() const { return plain_points || (grouping_points && !clear_commas); }
};

Numerals numerals(const Lines& lines) {
  Numerals found;
  for (std::size_t i = lines.size() > 1 ? 1 : 0; i < lines.size(); ++i)
    for (const std::string_view cell : lines[i]) {
      double value = 0;
      const bool comma = is_decimal_comma(cell), number = comma || parse_cell(cell, value) != CellKind::text;
      ++found.cells;
      found.numbers += number;
      const bool point = number && !comma && cell.find('.') != std::string_view::npos;
      found.plain_points = found.plain_points || (point && !is_grouped(cell, '.'));
      found.grouping_points = found.grouping_points || (point && is_grouped(cell, '.'));
      found.commas = found.commas || comma;
      found.clear_commas = found.clear_commas || (comma && !is_grouped(cell));
      found.other_commas = found.other_commas || (!comma && cell.find(',') != std::string_view::npos);
    }
  return found;
}

bool between_numbers(const Numerals& found) {
  return 2 * found.numbers >= found.cells;
}

struct CommonSeparator {
  char separator = ',';
  bool alike = false;  // equally often in each line, from the first on
  bool found = false;
};

// The separator that occurs equally often in each line. If there is none, and no title above the table, one that occurs
// in the first line. Of several, the one that makes the most fields.
CommonSeparator common_separator(std::string_view head) {
  constexpr std::array<char, 3> candidates = {',', '\t', ';'};
  std::vector<SeparatorCounts> lines = count_separators(head, candidates);
  const auto table = std::find_if(lines.begin(), lines.end(), [](auto& line) { return line != SeparatorCounts{}; });
  const bool titled = table != lines.begin();
  lines.erase(lines.begin(), table);
  CommonSeparator best;
  std::size_t best_count = 0;
  for (const bool alike_only : {true, titled}) {
    for (int i = 0; i < 3 && !lines.empty(); ++i) {
      const std::size_t count = lines.front()[i];
      const bool alike = std::all_of(lines.begin(), lines.end(), [&](const auto& line) { return line[i] == count; });
      if (count <= best_count || (alike_only && !alike)) continue;
      best = {candidates[i], alike && !titled, true};
      best_count = count;
    }
    if (best_count > 0) break;
  }
  return best;
}

}  // namespace

char named_separator(std::string_view head) {
  constexpr std::string_view key = "sep=";
  if (head.starts_with(byte_order_mark)) head.remove_prefix(byte_order_mark.size());
  const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
  if (line.size() != key.size() + 1 || !equals_ignoring_case(line.substr(0, key.size()), key)) return '\0';
  const bool divides = !std::isalnum(static_cast<unsigned char>(line.back())) && line.back() != '"';
  return divides ? line.back() : '\0';
}

Dialect sniff_dialect(std::string_view head, char known) {
  if (head.starts_with(byte_order_mark)) head.remove_prefix(byte_order_mark.size());
  if (known == ',') return {',', false};
  if (known) {
    const Numerals found = numerals(split_lines(head, known));
    const bool commas = known == ';' || (found.clear_commas && !found.other_commas);
    return {known, commas && !found.points()};
  }
  for (const char separator : {';', '\t', ' '}) {
    const Lines lines = split_lines(head, separator);
    if (!divides_alike(lines)) continue;
    const Numerals found = numerals(lines);
    const bool commas = found.commas && !found.other_commas && !found.points();
    if (commas && (separator == ';' || found.clear_commas) && (separator != ' ' || between_numbers(found)))
      return {separator, true};
  }
  const CommonSeparator common = common_separator(head);
  if (!common.alike)
    if (const Lines lines = split_lines(head, ' ');
        (divides_alike(lines) || (!common.found && names_rows(lines))) && between_numbers(numerals(lines)))
      return {' ', false};
  return {common.separator, common.separator == ';' && !numerals(split_lines(head, ';')).points()};
}

}  // namespace kinescope::sim
