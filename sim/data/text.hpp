// Small tools on text that the readers and writers share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinescope::sim {

// Text from a file as it may stand in a one-line message: in quotes, control characters replaced, cut to 40 bytes.
std::string shown(std::string_view text);

// Valid UTF-8 stays as it is; anything else is taken for Latin-1, so that no reader further on meets a broken sequence.
std::string to_utf8(std::string_view bytes);

// ASCII letters only.
bool equals_ignoring_case(std::string_view a, std::string_view b);
bool ends_with_ignoring_case(std::string_view text, std::string_view ending);

// The name of a column that has none: "c0" for the first.
std::string numbered_name(std::size_t column);

// The last part of a path.
std::string file_name(const std::string& path);

}  // namespace kinescope::sim
