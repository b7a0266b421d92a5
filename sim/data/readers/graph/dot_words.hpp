// The words of Graphviz' language DOT.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kinescope/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

// The words of a text: names (plain, quoted, HTML), the two kinds of edges, and single characters.
class DotWords {
 public:
  enum class Kind { end, plain, quoted, html, edge, sign };

  // Begins before the first word; both must outlast it.
  DotWords(const std::string& path, std::string_view text);

  // Goes to the next word. Throws Error (input) for a quote, an HTML text or a comment that is never closed.
  void next();

  Kind kind() const { return kind_; }
  const std::string& word() const { return word_; }
  bool is(char sign) const { return kind_ == Kind::sign && word_[0] == sign; }
  bool is(std::string_view keyword) const { return kind_ == Kind::plain && equals_ignoring_case(word_, keyword); }
  bool is_name() const { return kind_ == Kind::plain || kind_ == Kind::quoted || kind_ == Kind::html; }
  std::size_t line() const { return word_line_; }
  Error error(const std::string& message) const { return file_error(path_, word_line_, message); }
  Error expected(const std::string& what) const;

 private:
  // Letters, digits, and what is in numbers.
  static bool is_letter(char c);
  void set(Kind kind, std::string_view word);
  std::string_view take(std::size_t bytes);
  std::size_t place_of(std::string_view what, std::size_t from) const;
  void skip_blanks();
  void read_quoted();
  void read_html();

  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0, line_ = 1, word_line_ = 1;
  Kind kind_ = Kind::end;
  std::string word_;
};

}  // namespace kinescope::sim
