#include "sim/data/readers/json_words.hpp"

namespace kinescope::sim {
namespace {

constexpr char no_blank = '\x01';  // which JSON has nowhere

}  // namespace

void JsonWords::add(std::string_view part, std::string& to) {
  constexpr std::size_t longest = 16;
  for (const char c : part) {
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (!in_text_ && (letter || c == '-') && word_.size() < longest) {
      word_ += c;
      continue;
    }
    if (!word_.empty()) end(to);
    if (c == '"' && !escaped_) in_text_ = !in_text_;
    escaped_ = in_text_ && c == '\\' && !escaped_;
    to += c == '\0' ? no_blank : c;
  }
}

void JsonWords::end(std::string& to) {
  const std::string_view unsigned_word = std::string_view(word_).substr(word_.starts_with('-') ? 1 : 0);
  to += word_ == "NaN" || unsigned_word == "Infinity" ? "null" : word_;
  word_.clear();
}

std::string with_nulls(std::string_view text) {
  if (text.find("NaN") == std::string_view::npos && text.find("Infinity") == std::string_view::npos &&
      text.find('\0') == std::string_view::npos)
    return std::string(text);
  std::string json;
  JsonWords words;
  words.add(text, json);
  words.end(json);
  return json;
}

}  // namespace kinescope::sim
