#include "sim/data/shell_words.hpp"

#include <algorithm>
#include <string_view>

namespace kinescope::sim {

std::string for_shell(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,:/+%@=";
  if (word.find_first_not_of(plain) == std::string::npos) return word;
  const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; };
  const bool escaped = std::ranges::any_of(word, is_control);
  std::string quoted = escaped ? "$'" : "'";
  for (const char c : word)
    if (escaped && is_control(c))
      quoted.append(
          {'\\', static_cast<char>('0' + c / 64), static_cast<char>('0' + c / 8 % 8), static_cast<char>('0' + c % 8)});
    else if (escaped && (c == '\'' || c == '\\'))
      quoted.append({'\\', c});
    else
      quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string names_option(const std::string& option, const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    const bool comma = name.find_first_of(",\"") != std::string::npos;
    std::string quoted;
    for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
    if (!list.empty()) list += ',';
    list += comma ? '"' + quoted + '"' : name;
  }
  return option + " " + for_shell(list);
}

std::string separator_option(char separator) {
  if (separator == '\t') return "tab";
  if (separator == ' ') return "blank";
  return for_shell(std::string(1, separator));
}

}  // namespace kinescope::sim
