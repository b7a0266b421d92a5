// Reads JSON files that people write: presets, sessions, plants. All JSON is read here, so that the error is one line
// whatever a file holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace kinescope::sim {

inline constexpr std::size_t largest_text = 16 << 20;  // bytes
inline constexpr int deepest_json = 64;                // nesting of objects and lists
inline constexpr int most_json_keys = 4'096;           // in one object: ordered objects are searched linearly

// read_text returns the text of a regular file of at most `largest_text`; parse_json returns a text's content. Both
// throw Error (input), one line with the file's name and the line of a mistake.
std::string read_text(const std::string& path);
nlohmann::ordered_json parse_json(const std::string& path, const std::string& text);
inline nlohmann::ordered_json read_json(const std::string& path) {
  return parse_json(path, read_text(path));
}

// What stopped the library's parser: "is not valid JSON", or "a number is too large" for float64.
std::string json_flaw(const nlohmann::detail::exception& error);

// A parameter's value as text: a text unchanged, a number or a truth value as JSON writes it. Throws as above.
std::string value_text(const std::string& path, const std::string& name, const nlohmann::ordered_json& value);
// A whole number of at least 0. Throws as above.
std::uint64_t whole_number(const std::string& path, const std::string& name, const nlohmann::ordered_json& value);

}  // namespace kinescope::sim
