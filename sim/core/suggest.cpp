#include "sim/core/suggest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/core/letters.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t longest_word = 64;  // names are short, but a user's word may have any length

// Levenshtein's distance, ignoring the case of ASCII letters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  std::string nearest;
  if (word.size() > longest_word) return nearest;
  std::size_t least = word.size() == 1 ? 1 : std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& name : names)
    if (const std::size_t distance = edit_distance(word, name); distance < least) {
      least = distance;
      nearest = name;
    }
  return nearest;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(word, names);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace kinescope::sim
