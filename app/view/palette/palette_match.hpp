// What of the command palette's list fits what is typed, and in which order.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kinescope::app {

// Something that can be chosen in the palette.
struct PaletteEntry {
  std::string title;   // "Save the session"
  std::string detail;  // beside it, small: what it is, or its present value
  std::string key;     // "Ctrl S"; "": none
  std::function<void()> run;
  // Takes the last word of what is typed after the title: "clusters 5". Null: it takes none.
  std::function<void(const std::string& value)> set = nullptr;
};

// How well the entry fits: smaller is better; none if a word of `typed` does not occur in title or detail. A word's
// beginning counts before its inside, and the title before the detail. Letters from A to Z count as small ones.
std::optional<int> palette_rank(const PaletteEntry& entry, const std::string& typed);

// Splits "clusters 5" or "clusters=5" into the name and the value behind it; none if there are not both.
std::optional<std::pair<std::string, std::string>> name_and_value(const std::string& typed);

// The entries that fit, the best first, those that fit equally well in their order. Before them come those that a value
// can be given to, if what is typed ends in one; their `run` gives it.
std::vector<PaletteEntry> palette_matches(const std::vector<PaletteEntry>& entries, const std::string& typed);

}  // namespace kinescope::app
