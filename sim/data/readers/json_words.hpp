// NaN, Infinity and -Infinity, which are not JSON, but which Python and others write into it; and zero bytes, which the
// parser would take for the end.
#pragma once

#include <string>
#include <string_view>

namespace kinescope::sim {

// Writes `null` for these words where they are values, and a byte that is no JSON for zero bytes, part by part.
// O(bytes).
class JsonWords {
 public:
  void add(std::string_view part, std::string& to);
  void end(std::string& to);  // after the last part

 private:
  bool in_text_ = false, escaped_ = false;
  std::string word_;  // letters, and a sign before them, that may go on
};

// The text with `null` for these words.
std::string with_nulls(std::string_view text);

}  // namespace kinescope::sim
