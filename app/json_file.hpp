// JSON files that people write: presets and sessions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace kinescope::app {

// Of at most a mebibyte. Throws sim::Error (input), one line with the file's name, and the line of a mistake.
nlohmann::ordered_json read_json(const std::string& path);

// A parameter's value as it is set: a text as it is, a number or a truth value as JSON has it. Throws as above.
std::string value_text(const std::string& path, const std::string& name, const nlohmann::ordered_json& value);

}  // namespace kinescope::app
