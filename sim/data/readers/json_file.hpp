// JSON files that people write: presets, sessions, plants. The one way in for JSON: nothing that stands in such a file
// ends in more than a line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace kinescope::sim {

inline constexpr int deepest_json = 64;       // objects and lists within each other
inline constexpr int most_json_keys = 4'096;  // of all objects together: ordered objects are searched one by one

// A regular file's text, of at most a mebibyte, and what it says. Both throw Error (input), one line with the file's
// name, and the line of a mistake.
std::string read_text(const std::string& path);
nlohmann::ordered_json parse_json(const std::string& path, const std::string& text);
inline nlohmann::ordered_json read_json(const std::string& path) {
  return parse_json(path, read_text(path));
}

// A parameter's value as it is set: a text as it is, a number or a truth value as JSON has it. Throws as above.
std::string value_text(const std::string& path, const std::string& name, const nlohmann::ordered_json& value);

}  // namespace kinescope::sim
