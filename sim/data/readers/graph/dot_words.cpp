#include "sim/data/readers/graph/dot_words.hpp"

#include <algorithm>
#include <cctype>

#include "sim/data/readers/text_lines.hpp"

namespace kinescope::sim {

DotWords::DotWords(const std::string& path, std::string_view text) : path_(path), text_(without_mark(text)) {}

void DotWords::next() {
  skip_blanks();
  word_line_ = line_;
  if (at_ == text_.size()) return set(Kind::end, "");
  const char c = text_[at_];
  if (c == '"') return read_quoted();
  if (c == '<') return read_html();
  if (text_.substr(at_, 2) == "--" || text_.substr(at_, 2) == "->") return set(Kind::edge, take(2));
  std::size_t end = at_;
  while (end < text_.size() && is_letter(text_[end]) && (end == at_ || text_.substr(end, 2) != "--") &&
         (end == at_ || text_.substr(end, 2) != "->"))
    ++end;
  if (end > at_) return set(Kind::plain, take(end - at_));
  set(Kind::sign, take(1));
}

Error DotWords::expected(const std::string& what) const {
  if (kind_ == Kind::end) return error("cut off: expected " + what);
  return error("expected " + what + ", found " + shown(word_));
}

bool DotWords::is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

void DotWords::set(Kind kind, std::string_view word) {
  kind_ = kind;
  word_ = word;
}

std::string_view DotWords::take(std::size_t bytes) {
  const std::string_view taken = text_.substr(at_, bytes);
  line_ += static_cast<std::size_t>(std::ranges::count(taken, '\n'));
  at_ += taken.size();
  return taken;
}

std::size_t DotWords::place_of(std::string_view what, std::size_t from) const {
  return std::min(text_.find(what, from), text_.size());
}

void DotWords::skip_blanks() {
  for (;;) {
    take(std::min(text_.find_first_not_of(" \t\r\n\f\v", at_), text_.size()) - at_);
    const std::string_view rest = text_.substr(at_, 2);
    const bool begins_line = at_ == 0 || text_[at_ - 1] == '\n';
    if (rest == "//" || (begins_line && rest.starts_with('#'))) {
      take(place_of("\n", at_) - at_);
    } else if (rest == "/*") {
      const std::size_t end = text_.find("*/", at_ + 2);
      word_line_ = line_;
      if (end == std::string_view::npos) throw error("a comment is never closed");
      take(end + 2 - at_);
    } else {
      return;
    }
  }
}

void DotWords::read_quoted() {
  set(Kind::quoted, "");
  // "a" + "b" is one text.
  for (bool more = true; more;) {
    take(1);
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) throw error("a quote is never closed");
    std::string_view part = take(end - at_);
    take(1);
    for (; !part.empty(); part.remove_prefix(1)) {
      if (part.starts_with("\\\"")) part.remove_prefix(1);
      while (part.starts_with("\\\n") || part.starts_with("\\\r\n")) part.remove_prefix(part[1] == '\n' ? 2 : 3);
      if (part.empty()) break;
      word_ += part.front();
    }
    const std::size_t after = text_.find_first_not_of(" \t\r\n", at_);
    more = after != std::string_view::npos && text_[after] == '+';
    if (!more) return;
    take(after + 1 - at_);
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != '"') throw error("expected a quote after +");
  }
}

void DotWords::read_html() {
  std::size_t end = at_, depth = 0;
  do {
    if (end == text_.size()) throw error("a < is never closed");
    depth += text_[end] == '<';
    depth -= text_[end] == '>';
    ++end;
  } while (depth > 0);
  const std::string_view text = take(end - at_);
  set(Kind::html, text.substr(1, text.size() - 2));
}

}  // namespace kinescope::sim
