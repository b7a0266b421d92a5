// GML (M. Himsolt, "GML: A portable Graph File Format", 1997): keys and values, which are numbers, texts or lists.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/readers/graph/entities.hpp"
#include "sim/data/readers/graph/graph_builder.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view gml_blanks = " \t\r\n\f\v";

// The words of a text: keys, numbers, "texts", [ and ].
class GmlWords {
 public:
  enum class Kind { end, word, text, open, close };

  GmlWords(const std::string& path, std::string_view text) : path_(path), rest_(text) {}

  // Goes to the next word. Throws Error (input) for a text that is never closed.
  Kind next() {
    skip_blanks();
    word_line_ = line_;
    if (rest_.empty()) return Kind::end;
    if (rest_.front() == '"') return read_text();
    if (rest_.front() == '[' || rest_.front() == ']') {
      word_ = take(1);
      return word_.front() == '[' ? Kind::open : Kind::close;
    }
    word_ = take(std::min(rest_.find_first_of(" \t\r\n\f\v[]\""), rest_.size()));
    return Kind::word;
  }
  std::string_view word() const { return word_; }
  std::size_t line() const { return word_line_; }
  Error error(const std::string& message) const { return file_error(path_, word_line_, message); }

 private:
  std::string_view take(std::size_t bytes) {
    const std::string_view taken = rest_.substr(0, bytes);
    line_ += static_cast<std::size_t>(std::ranges::count(taken, '\n'));
    rest_.remove_prefix(bytes);
    return taken;
  }
  void skip_blanks() {
    for (;;) {
      take(std::min(rest_.find_first_not_of(gml_blanks), rest_.size()));
      if (!rest_.starts_with('#')) return;
      take(std::min(rest_.find('\n'), rest_.size()));
    }
  }
  Kind read_text() {
    const std::size_t end = rest_.find('"', 1);
    if (end == std::string_view::npos) throw error("a quote is never closed");
    word_ = take(end + 1);
    word_ = word_.substr(1, word_.size() - 2);
    if (word_.find('&') != std::string_view::npos) word_ = decoded_ = without_entities(word_);
    return Kind::text;
  }

  const std::string& path_;
  std::string_view rest_, word_;
  std::string decoded_;
  std::size_t line_ = 1, word_line_ = 1;
};

// A key and its value, which is no list.
struct GmlPair {
  std::string key, value;
};

class GmlReader {
 public:
  explicit GmlReader(const SourceFile& source)
      : text_(read_whole(source.file)), words_(source.path(), without_mark(text_)), builder_(source) {}

  Table read() {
    bool found = false;
    for (Kind kind = words_.next(); kind != Kind::end; kind = words_.next()) {
      const bool is_graph = equals_ignoring_case(key(kind), "graph");
      if (words_.next() != Kind::open) continue;
      if (is_graph && !found)
        read_graph();
      else
        read_list();
      if (is_graph && found) builder_.remark("further graphs are left out: the first is read");
      found = found || is_graph;
    }
    if (!found) throw words_.error("there is no graph");
    return builder_.finish("GML");
  }

 private:
  using Kind = GmlWords::Kind;

  std::string_view key(Kind kind) const {
    if (kind == Kind::word) return words_.word();
    if (kind == Kind::end) throw words_.error("cut off: a [ is never closed");
    throw words_.error("expected a key, found " + shown(words_.word()));
  }

  // Reads to the end of a list that has begun, into pairs_; what is in lists in it is called OUTER.KEY.
  void read_list() {
    pairs_ = 0;
    std::string prefix;
    std::vector<std::size_t> outer;  // lengths of the prefix around
    for (;;) {
      Kind kind = words_.next();
      if (kind == Kind::close) {
        if (outer.empty()) return;
        prefix.resize(outer.back());
        outer.pop_back();
        continue;
      }
      const std::string_view name = key(kind);
      if (pairs_ == list_.size()) list_.emplace_back();
      builder_.repeat(prefix.size() + name.size());
      list_[pairs_].key = prefix;
      list_[pairs_].key += name;
      kind = words_.next();
      if (kind == Kind::open) {
        if (outer.size() >= deepest_graph) throw words_.error("is nested too deep");
        outer.push_back(prefix.size());
        prefix += name;
        prefix += '.';
      } else if (kind == Kind::word || kind == Kind::text) {
        list_[pairs_++].value = words_.word();
      } else {
        throw words_.error("expected a value of " + shown(list_[pairs_].key));
      }
    }
  }

  const std::string* value_of(std::string_view name) const {
    for (std::size_t i = 0; i < pairs_; ++i)
      if (equals_ignoring_case(list_[i].key, name)) return &list_[i].value;
    return nullptr;
  }
  const std::string& required(const char* name, const char* of, std::size_t line) const {
    if (const std::string* found = value_of(name)) return *found;
    throw builder_.error({line}, std::string(of) + " without " + name);
  }

  void read_graph() {
    for (Kind kind = words_.next(); kind != Kind::close; kind = words_.next()) {
      const std::string_view name = key(kind);
      const std::size_t line = words_.line();
      const bool is_node = equals_ignoring_case(name, "node"), is_edge = equals_ignoring_case(name, "edge");
      const bool is_direction = equals_ignoring_case(name, "directed");
      kind = words_.next();
      if (kind == Kind::end || kind == Kind::close) throw words_.error("expected a value");
      if (is_direction && words_.word() == "1") builder_.directed();
      if (kind != Kind::open) continue;
      read_list();
      if (is_node) add_node(line);
      if (is_edge) add_edge(line);
    }
  }

  void add_node(std::size_t line) {
    const std::uint32_t node = builder_.declare(required("id", "a node", line), {line});
    for (std::size_t i = 0; i < pairs_; ++i) {
      const auto& [name, value] = list_[i];
      if (equals_ignoring_case(name, "label"))
        builder_.label(node, value);
      else if (!equals_ignoring_case(name, "id"))
        builder_.set(node, name, value);
    }
  }

  void add_edge(std::size_t line) {
    const std::uint32_t from = builder_.mention(required("source", "an edge", line), {line});
    const std::uint32_t to = builder_.mention(required("target", "an edge", line), {line});
    builder_.add_edge(from, to, line);
    for (std::size_t i = 0; i < pairs_; ++i) builder_.weigh(list_[i].key, list_[i].value);
  }

  std::string text_;
  GmlWords words_;
  GraphBuilder builder_;
  std::vector<GmlPair> list_;  // of the last list; the strings are used again
  std::size_t pairs_ = 0;      // so many of them
};

// Whether a graph begins in the first lines, with nothing before it but comments and other keys.
bool is_gml(std::string_view head) {
  const std::string path;
  GmlWords words(path, without_mark(head));
  constexpr std::size_t most_words = 64;  // before the graph
  try {
    for (std::size_t i = 0; i < most_words; ++i) {
      if (words.next() != GmlWords::Kind::word) return false;
      const bool is_graph = equals_ignoring_case(words.word(), "graph");
      const GmlWords::Kind value = words.next();
      if (value == GmlWords::Kind::open) return is_graph;
      if (value != GmlWords::Kind::word && value != GmlWords::Kind::text) return false;
    }
  } catch (const Error&) {  // a quote is never closed
  }
  return false;
}

}  // namespace

extern const FileFormat gml_format = {.name = "GML",
                                      .endings = ".gml",
                                      .fit = [](InputFile& file) { return fit_if(is_gml(file.head()), Fit::certain); },
                                      .read = [](const SourceFile& source) { return GmlReader(source).read(); },
                                      .otherwise = "not a graph in GML: it does not begin with graph [",
                                      .is_graph = true};

}  // namespace kinescope::sim
