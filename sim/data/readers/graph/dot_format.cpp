// Graphviz' language DOT (E. Gansner, E. Koutsofios, S. North, "Drawing graphs with dot"; graphviz.org/doc/info/lang).
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/graph/dot_words.hpp"
#include "sim/data/readers/graph/entities.hpp"
#include "sim/data/readers/graph/graph_builder.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// A value of an attribute.
struct DotValue {
  std::string text;
  bool html = false;
};
using DotAttributes = std::vector<std::pair<std::string, DotValue>>;

// The attributes that new nodes have. A subgraph begins with those around it, which it does not copy.
class DotDefaults {
 public:
  const DotAttributes& all() const { return all_; }
  void set(const std::string& name, DotValue value) {
    const auto [known, is_new] = places_.try_emplace(name, all_.size());
    if (is_new) all_.push_back({name, {}});
    std::swap(all_[known->second].second, value);
    if (!begins_.empty()) undo_.emplace_back(known->second, is_new ? std::nullopt : std::optional(std::move(value)));
  }
  void begin_subgraph() { begins_.push_back(undo_.size()); }
  // All are again what they were before it.
  void end_subgraph() {
    for (; undo_.size() > begins_.back(); undo_.pop_back()) {
      auto& [place, before] = undo_.back();
      if (before) {
        all_[place].second = std::move(*before);
      } else {
        places_.erase(all_.back().first);
        all_.pop_back();
      }
    }
    begins_.pop_back();
  }

 private:
  DotAttributes all_;
  ByText<std::size_t> places_;
  std::vector<std::pair<std::size_t, std::optional<DotValue>>> undo_;  // places in all_; nothing: it was not there
  std::vector<std::size_t> begins_;                                    // of subgraphs, in undo_
};

// The plain text of a label, in which \n ends a line, \N is the node's name, and HTML has tags.
std::string label_text(const DotValue& value, std::string_view node) {
  std::string text;
  const std::string_view from = value.text;
  if (value.html) {
    bool in_tag = false;
    for (const char c : from) {
      if (!in_tag && c != '<' && !(c == ' ' && text.ends_with(' '))) text += c;
      if (in_tag && c == '>' && !text.empty() && text.back() != ' ') text += ' ';
      in_tag = in_tag ? c != '>' : c == '<';
    }
    return without_entities(text);
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != '\\' || i + 1 == from.size()) {
      text += from[i];
      continue;
    }
    const char c = from[++i];
    if (c == 'N')
      text += node;
    else
      text += c == 'n' || c == 'l' || c == 'r' ? ' ' : c;
  }
  return without_entities(text);
}

// At most so many bytes are in a label's text.
std::size_t most_label_bytes(const DotValue& value, std::string_view node) {
  std::size_t bytes = value.text.size();
  for (std::size_t at = 0; (at = value.text.find("\\N", at)) != std::string::npos; at += 2) bytes += node.size();
  return bytes;
}

class DotReader {
 public:
  explicit DotReader(const SourceFile& source)
      : source_(source), text_(read_whole(source.file)), words_(source.path(), text_), builder_(source) {
    builder_.declares_nodes = false;
    builder_.lengths_first = "len";
  }

  Table read() {
    words_.next();
    if (words_.is("strict")) words_.next();
    if (words_.is("digraph"))
      builder_.directed();
    else if (!words_.is("graph"))
      throw words_.expected("graph or digraph");
    words_.next();
    if (words_.is_name()) words_.next();
    if (!words_.is('{')) throw words_.expected("{");
    words_.next();
    scopes_.emplace_back();
    read_statements();
    if (words_.kind() != Kind::end) {
      if (!words_.is("strict") && !words_.is("graph") && !words_.is("digraph")) throw words_.expected("the end");
      builder_.remark("further graphs are left out: the first is read");
    }
    for (auto& [node, text] : labels_) builder_.label(node, std::move(text));
    return builder_.finish("Graphviz");
  }

 private:
  using Kind = DotWords::Kind;
  using Members = std::vector<std::uint32_t>;
  // An end of an edge: the one node, or the first nodes of a subgraph, which all its ends share, and which may grow.
  struct End {
    std::shared_ptr<const Members> members;
    std::size_t count = 0;
    explicit End(std::shared_ptr<const Members> of) : members(std::move(of)), count(members->size()) {}
    auto begin() const { return members->begin(); }
    auto end() const { return members->begin() + static_cast<std::ptrdiff_t>(count); }
  };
  using Chain = std::vector<End>;  // the ends of edges in a row

  // Of the attributes of edges the last of each name of weights; so there are few.
  using Weights = std::map<std::size_t, std::shared_ptr<const std::pair<std::string, DotValue>>>;

  // A subgraph that has begun, or the graph itself.
  struct Scope {
    Weights of_edges;  // those set by edge [...] so far
    std::string name;
    Members members;
    // The chain of edges of which it is an end: what was before it.
    Chain chain;
    std::size_t chain_line = 0;
  };

  // Reads to the } that ends the graph. Subgraphs are kept in scopes_, not in the call stack.
  void read_statements() {
    Chain chain;
    std::size_t line = words_.line();
    for (;;) {
      if (chain.empty()) {
        if (words_.is(';') || words_.is(',')) {
          words_.next();
          continue;
        }
        line = words_.line();
        if (words_.is('}')) {
          words_.next();
          if (scopes_.size() == 1) return;
          chain = end_subgraph(line);
          if (!after_end(chain, line)) chain.clear();
          continue;
        }
        if (read_attributes_of_scope()) continue;
      }
      if (words_.is('{') || words_.is("subgraph")) {
        if (!begin_subgraph(chain, line)) {  // it is only named
          if (!after_end(chain, line)) chain.clear();
        }
        continue;
      }
      if (!words_.is_name()) throw words_.expected("a node");
      if (!read_node(chain, line)) continue;
      if (!after_end(chain, line)) chain.clear();
    }
  }

  // graph [...], node [...], edge [...], or NAME = VALUE without brackets, which is passed over.
  bool read_attributes_of_scope() {
    const bool nodes = words_.is("node"), edges = words_.is("edge");
    if (!nodes && !edges && !words_.is("graph")) return false;
    words_.next();
    if (!words_.is('[')) throw words_.expected("[");
    DotAttributes found = read_attributes();
    if (nodes)
      for (auto& [name, value] : found) of_nodes_.set(name, std::move(value));
    if (edges) add_weights(scopes_.back().of_edges, std::move(found));
    return true;
  }

  void add_weights(Weights& weights, DotAttributes attributes) const {
    for (auto& each : attributes)
      if (const auto place = builder_.weight_place(each.first))
        weights[*place] = std::make_shared<const std::pair<std::string, DotValue>>(std::move(each));
  }

  // "[a=b, c=d][e=f]", each with a value or without; the words are at [.
  DotAttributes read_attributes() {
    DotAttributes found;
    while (words_.is('[')) {
      words_.next();
      while (!words_.is(']')) {
        if (!words_.is_name()) throw words_.expected("an attribute or ]");
        auto& [name, value] = found.emplace_back();
        name = words_.word();
        value.text = "true";
        words_.next();
        if (words_.is('=')) {
          words_.next();
          if (!words_.is_name()) throw words_.expected("a value of " + shown(name));
          value = {words_.word(), words_.kind() == Kind::html};
          words_.next();
        }
        if (words_.is(',') || words_.is(';')) words_.next();
      }
      words_.next();
    }
    return found;
  }

  // The subgraph's nodes become the end of a chain, unless it begins here: then returns true.
  bool begin_subgraph(Chain& chain, std::size_t line) {
    std::string name;
    if (words_.is("subgraph")) {
      words_.next();
      if (words_.is_name()) {
        name = words_.word();
        words_.next();
      }
      if (!words_.is('{')) {
        if (name.empty()) throw words_.expected("{");
        chain.emplace_back(subgraph(name));
        return false;
      }
    }
    words_.next();
    if (scopes_.size() >= deepest_graph) throw words_.error("is nested too deep");
    of_nodes_.begin_subgraph();
    Scope scope;
    scope.of_edges = scopes_.back().of_edges;
    scope.name = std::move(name);
    scope.chain = std::move(chain);
    scope.chain_line = line;
    scopes_.push_back(std::move(scope));
    chain.clear();
    return true;
  }

  const std::shared_ptr<Members>& subgraph(const std::string& name) {
    std::shared_ptr<Members>& known = subgraphs_[name];
    if (!known) known = std::make_shared<Members>();
    return known;
  }

  // Returns the chain that ends with the subgraph that ended.
  Chain end_subgraph(std::size_t& line) {
    Scope ended = std::move(scopes_.back());
    scopes_.pop_back();
    of_nodes_.end_subgraph();
    std::ranges::sort(ended.members);
    ended.members.erase(std::unique(ended.members.begin(), ended.members.end()), ended.members.end());
    Members& around = scopes_.back().members;
    around.insert(around.end(), ended.members.begin(), ended.members.end());
    if (!ended.name.empty()) {
      Members& all = *subgraph(ended.name);
      all.insert(all.end(), ended.members.begin(), ended.members.end());
    }
    ended.chain.emplace_back(std::make_shared<const Members>(std::move(ended.members)));
    line = ended.chain_line;
    return std::move(ended.chain);
  }

  // A node, with its port; false if it is NAME = VALUE.
  bool read_node(Chain& chain, std::size_t line) {
    const std::string name = words_.word();
    words_.next();
    if (words_.is('=') && chain.empty()) {
      words_.next();
      if (!words_.is_name()) throw words_.expected("a value of " + shown(name));
      words_.next();
      return false;
    }
    for (int part = 0; part < 2 && words_.is(':'); ++part) {
      words_.next();
      if (!words_.is_name()) throw words_.expected("a port");
      words_.next();
    }
    const std::size_t before = builder_.nodes();
    const std::uint32_t node = builder_.mention(name, {line});
    if (builder_.nodes() > before) set_attributes(node, name, of_nodes_.all());
    if (scopes_.size() > 1) scopes_.back().members.push_back(node);
    last_name_ = name;
    chain.emplace_back(std::make_shared<const Members>(1, node));
    return true;
  }

  void set_attributes(std::uint32_t node, const std::string& name, const DotAttributes& attributes) {
    for (const auto& [key, value] : attributes)
      if (equals_ignoring_case(key, "label")) {
        builder_.repeat(most_label_bytes(value, name));
        labels_.insert_or_assign(node, label_text(value, name));
      } else {
        builder_.set(node, key, value.text);
      }
  }

  // After an end of a chain of edges: goes on if another follows, else reads the attributes and adds the edges.
  bool after_end(Chain& chain, std::size_t line) {
    if (words_.kind() == Kind::edge) {
      words_.next();
      return true;
    }
    DotAttributes attributes = words_.is('[') ? read_attributes() : DotAttributes();
    if (chain.size() > 1)
      add_edges(chain, std::move(attributes), line);
    else if (chain.size() == 1 && chain[0].count == 1)
      set_attributes(*chain[0].begin(), last_name_, attributes);
    return false;
  }

  void add_edges(const Chain& chain, DotAttributes attributes, std::size_t line) {
    Weights weights = scopes_.back().of_edges;
    add_weights(weights, std::move(attributes));
    for (std::size_t i = 1; i < chain.size(); ++i) {
      const std::uint64_t more = std::uint64_t{chain[i - 1].count} * chain[i].count;
      if (more == 0) continue;  // not a step for each node of the other
      require_density(source_.path(), builder_.edges() + more, "edges", text_.size());
      for (const std::uint32_t from : chain[i - 1])
        for (const std::uint32_t to : chain[i]) {
          builder_.add_edge(from, to, line);
          for (const auto& [place, weight] : weights) builder_.weigh(weight->first, weight->second.text);
        }
    }
  }

  const SourceFile& source_;
  std::string text_;
  DotWords words_;
  GraphBuilder builder_;
  std::vector<Scope> scopes_;
  DotDefaults of_nodes_;  // those set by node [...] so far
  std::map<std::string, std::shared_ptr<Members>> subgraphs_;
  std::map<std::uint32_t, std::string> labels_;
  std::string last_name_;
};

// Whether it begins with "graph {", "digraph NAME {" and the like.
bool is_dot(std::string_view head) {
  const std::string path;
  DotWords words(path, head);
  try {
    words.next();
    if (words.is("strict")) words.next();
    if (!words.is("graph") && !words.is("digraph")) return false;
    words.next();
    if (words.is_name()) words.next();
    return words.is('{');
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

extern const FileFormat dot_format = {
    .name = "Graphviz' DOT",
    .endings = ".dot .gv",
    .fit = [](InputFile& file) { return fit_if(is_dot(file.head()), Fit::certain); },
    .read = [](const SourceFile& source) { return DotReader(source).read(); },
    .otherwise = "not a graph of Graphviz: it does not begin with graph { or digraph {",
    .is_graph = true};

}  // namespace kinescope::sim
