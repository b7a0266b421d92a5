// Letters whose case does not count.
#pragma once

namespace kinescope::sim {

// Makes an ASCII letter small; other characters stay.
constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace kinescope::sim
