#include "app/json_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/core/error.hpp"

namespace kinescope::app {

using nlohmann::ordered_json;
using sim::file_error;

std::string read_text(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw file_error(path, "is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw file_error(path, std::strerror(errno));
  constexpr std::uintmax_t largest = 1 << 20;
  std::string text(largest + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > largest) throw file_error(path, "is too large for a file of settings");
  return text;
}

ordered_json parse_json(const std::string& path, const std::string& text) {
  try {
    return ordered_json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), error.byte ? error.byte - 1 : 0));
    throw file_error(path, static_cast<std::size_t>(1 + std::count(text.begin(), end, '\n')), "is not valid JSON");
  }
}

std::string value_text(const std::string& path, const std::string& name, const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  throw file_error(path, name + ": expected a number or a text");
}

}  // namespace kinescope::app
