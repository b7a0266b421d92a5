#include "kinescope/data/json_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/readers/json_words.hpp"
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
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::string text(static_cast<std::size_t>(std::min<std::uintmax_t>(size, largest_text)), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (!error && size > largest_text) throw file_error(path, "is too large for a file of settings");
  return text;
}

namespace {

// Checks a text before the library makes objects of it. (With a callback for what is parsed, the library goes through
// a whole list at each of its objects' ends.)
class Checks : public JsonStructure<ordered_json> {
 public:
  explicit Checks(const std::string& path) : path_(path) {}

  bool start_object(std::size_t) override { return begin(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(string_t& name) override {
    if (names_.back().size() == most_json_keys)
      throw file_error(path_, "has more than " + std::to_string(most_json_keys) + " names in one object");
    if (!names_.back().insert(name).second) throw file_error(path_, shown(name) + " is named twice");
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;  // the library throws it when it makes objects
  }

 private:
  bool begin() {
    if (names_.size() == deepest_json)
      throw file_error(path_, "is nested too deep: more than " + std::to_string(deepest_json) + " levels");
    names_.emplace_back();
    return true;
  }
  bool end() {
    names_.pop_back();
    return true;
  }

  const std::string& path_;
  std::vector<TextSet> names_;  // of each object or list around
};

}  // namespace

std::string json_flaw(const nlohmann::detail::exception& error) {
  constexpr int number_overflow = 406;
  return error.id == number_overflow ? "a number is too large" : "is not valid JSON";
}

// The library parses without recursion, but copies and writes recursively: hence the limit on depth.
ordered_json parse_json(const std::string& path, const std::string& text) {
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos)  // the parser would take it for the end
    throw file_error(path,
                     static_cast<std::size_t>(1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(zero), '\n')),
                     "is not valid JSON");
  try {
    Checks checks(path);
    ordered_json::sax_parse(text, &checks);
    return ordered_json::parse(text);
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
