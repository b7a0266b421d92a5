// NaN, Infinity and -Infinity, which are not JSON, but which Python and others write into it; and zero bytes, which the
// parser would take for the end.
#pragma once

#include <nlohmann/json.hpp>
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

// The events of a JSON text, for readers to which its values do not matter.
template <class Json>
class JsonStructure : public nlohmann::json_sax<Json> {
 public:
  using typename nlohmann::json_sax<Json>::number_integer_t;
  using typename nlohmann::json_sax<Json>::number_unsigned_t;
  using typename nlohmann::json_sax<Json>::number_float_t;
  using typename nlohmann::json_sax<Json>::string_t;
  using typename nlohmann::json_sax<Json>::binary_t;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
};

}  // namespace kinescope::sim
