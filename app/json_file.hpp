// JSON files that people write: presets and sessions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace kinescope::app {

// A file's text, of at most a mebibyte, and what it says. Both throw sim::Error (input), one line with the file's name,
// and the line of a mistake.
std::string read_text(const std::string& path);
nlohmann::ordered_json parse_json(const std::string& path, const std::string& text);
inline nlohmann::ordered_json read_json(const std::string& path) {
  return parse_json(path, read_text(path));
}

// A parameter's value as it is set: a text as it is, a number or a truth value as JSON has it. Throws as above.
std::string value_text(const std::string& path, const std::string& name, const nlohmann::ordered_json& value);

}  // namespace kinescope::app
