#include "sim/data/readers/json_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "sim/core/by_text.hpp"
#include "sim/core/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

using nlohmann::ordered_json;

std::string read_text(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) throw file_error(path, "is a directory");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw file_error(path, "is not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw file_error(path, std::strerror(errno));
  std::string text(largest_text + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > largest_text) throw file_error(path, "is too large for a file of settings");
  return text;
}

// The library parses without recursion, but copies and writes recursively: hence the limit on depth.
ordered_json parse_json(const std::string& path, const std::string& text) {
  int keys = 0;
  std::vector<TextSet> names;  // of each object around
  const auto guard = [&](int depth, ordered_json::parse_event_t event, const ordered_json& parsed) {
    if (depth >= deepest_json &&
        (event == ordered_json::parse_event_t::object_start || event == ordered_json::parse_event_t::array_start))
      throw file_error(path, "is nested too deep: more than " + std::to_string(deepest_json) + " levels");
    if (event == ordered_json::parse_event_t::key && ++keys > most_json_keys)
      throw file_error(path, "has more than " + std::to_string(most_json_keys) + " names");
    if (event == ordered_json::parse_event_t::object_start) {
      names.resize(static_cast<std::size_t>(depth) + 1);
      names.back().clear();
    }
    if (event == ordered_json::parse_event_t::key)
      if (const auto& name = parsed.get_ref<const std::string&>(); !names[std::size_t(depth) - 1].insert(name).second)
        throw file_error(path, shown(name) + " is named twice");
    return true;
  };
  try {
    return ordered_json::parse(text, guard);
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), error.byte ? error.byte - 1 : 0));
    throw file_error(path, static_cast<std::size_t>(1 + std::count(text.begin(), end, '\n')), "is not valid JSON");
  } catch (const nlohmann::json::out_of_range&) {
    throw file_error(path, "a number is too large");
  } catch (const nlohmann::json::exception&) {
    throw file_error(path, "is not valid JSON");
  }
}

std::string value_text(const std::string& path, const std::string& name, const ordered_json& value) {
  if (value.is_string() && value.get_ref<const std::string&>().find('\0') != std::string::npos)
    throw file_error(path, name + ": a text with a zero byte");
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  throw file_error(path, name + ": expected a number or a text");
}

std::uint64_t whole_number(const std::string& path, const std::string& name, const ordered_json& value) {
  if (!value.is_number_unsigned()) throw file_error(path, name + ": expected a whole number of at least 0");
  return value.get<std::uint64_t>();
}

}  // namespace kinescope::sim
