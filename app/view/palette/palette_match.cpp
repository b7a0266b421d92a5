#include "app/view/palette/palette_match.hpp"

#include <algorithm>
#include <sstream>

#include "app/ui/widgets.hpp"

namespace kinescope::app {
namespace {

constexpr int in_detail = 3;  // a word that only the detail has ranks after all that the title has

// Letters beyond ASCII are bytes from 128, and belong to words.
bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 128;
}

// 0: the text begins with the word; 1: a word of it does; 2: the word is inside; none: it is not in the text.
std::optional<int> place_of_word(const std::string& text, const std::string& word) {
  std::optional<int> best;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const int place = at == 0 ? 0 : is_of_word(text[at - 1]) ? 2 : 1;
    best = std::min(best.value_or(place), place);
  }
  return best;
}

}  // namespace

std::optional<int> palette_rank(const PaletteEntry& entry, const std::string& typed) {
  const std::string title = small_letters(entry.title), detail = small_letters(entry.detail);
  std::istringstream words(small_letters(typed));
  int rank = 0;
  for (std::string word; words >> word;) {
    if (const auto place = place_of_word(title, word))
      rank += *place;
    else if (const auto beside = place_of_word(detail, word))
      rank += in_detail + *beside;
    else
      return std::nullopt;
  }
  return rank;
}

std::optional<std::pair<std::string, std::string>> name_and_value(const std::string& typed) {
  constexpr const char* blank = " \t";
  const std::size_t last = typed.find_last_not_of(blank);
  if (last == std::string::npos) return std::nullopt;
  const std::string text = typed.substr(0, last + 1);
  const std::size_t apart = text.find_last_of(" \t=");
  if (apart == std::string::npos || apart + 1 == text.size()) return std::nullopt;
  const std::size_t end = text.find_last_not_of(" \t=", apart);
  if (end == std::string::npos) return std::nullopt;
  std::string name = text.substr(0, end + 1);
  std::replace(name.begin(), name.end(), '_', ' ');
  return std::pair(name, text.substr(apart + 1));
}

std::vector<PaletteEntry> palette_matches(const std::vector<PaletteEntry>& entries, const std::string& typed) {
  std::vector<std::pair<int, PaletteEntry>> found;
  if (const auto wanted = name_and_value(typed)) {
    const auto& [name, value] = *wanted;
    for (const PaletteEntry& entry : entries) {
      if (!entry.set) continue;
      const auto rank = palette_rank({.title = entry.title}, name);
      if (!rank || *rank > 1) continue;  // its title, or a word of it, begins so
      found.push_back({*rank - 100,
                       {.title = entry.title + " = " + value,
                        .detail = entry.detail,
                        .run = [set = entry.set, given = value] { set(given); }}});
    }
  }
  for (const PaletteEntry& entry : entries)
    if (const auto rank = palette_rank(entry, typed)) found.emplace_back(*rank, entry);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<PaletteEntry> sorted;
  for (auto& each : found) sorted.push_back(std::move(each.second));
  return sorted;
}

}  // namespace kinescope::app
