// Graphs in JSON, as networkx (node_link_data), d3, vis.js, Sigma and Cytoscape write them: an object with a list of
// nodes and a list of links or edges, which may be in further objects.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinescope/data/json_file.hpp"
#include "kinescope/error.hpp"
#include "sim/data/readers/graph/graph_builder.hpp"
#include "sim/data/readers/json_words.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view node_link_blanks = " \t\r\n\xEF\xBB\xBF";

bool is_links(std::string_view key) {
  return key == "links" || key == "edges";
}

// Finds the graph: the first object that holds both lists, and that objects alone lead to. Ends there.
class FindGraph : public JsonStructure<nlohmann::json> {
 public:
  // The number of the object, counted from 0 in the order of their beginnings: of the graph; of the first with nodes.
  std::optional<std::size_t> graph, nodes;
  bool links = false;  // some object has them

  bool start_object(std::size_t) override {
    if (lists_ == 0) around_.push_back({.number = objects_++});
    return true;
  }
  bool end_object() override {
    if (lists_ == 0) around_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override {
    if (lists_++ > 0 || around_.empty()) return true;
    Object& object = around_.back();
    object.nodes = object.nodes || object.key == "nodes";
    object.links = object.links || is_links(object.key);
    if (object.nodes && !nodes) nodes = object.number;
    if (object.nodes && object.links) graph = object.number;
    links = links || object.links;
    return !graph;
  }
  bool end_array() override {
    --lists_;
    return true;
  }
  bool key(string_t& name) override {
    if (lists_ == 0) around_.back().key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  struct Object {
    std::size_t number = 0;
    bool nodes = false, links = false;
    std::string key = {};  // of the value that comes next
  };
  std::vector<Object> around_;
  std::size_t lists_ = 0, objects_ = 0;  // lists that are open; objects so far
};

// Receives what the parser, which does not recurse, finds.
class NodeLinks : public nlohmann::json_sax<nlohmann::json> {
 public:
  // `graph`: the number of the object that has the lists (FindGraph).
  NodeLinks(const SourceFile& source, GraphBuilder& builder, std::size_t graph)
      : source_(source), builder_(builder), graph_(graph) {}

  // Reads the nodes, and the links if they come after them; false if they were passed over for coming before. Then a
  // second call reads them.
  bool read(const std::string& text) {
    levels_.clear();
    objects_ = 0;
    if (!nlohmann::json::sax_parse(text, this)) {
      const auto end = static_cast<std::ptrdiff_t>(std::min(text.size(), error_at_ > 0 ? error_at_ - 1 : 0));
      const auto line = static_cast<std::size_t>(1 + std::count(text.begin(), text.begin() + end, '\n'));
      throw file_error(source_.path(), line, flaw_);
    }
    if (!has_nodes_) throw file_error(source_.path(), "has no list of nodes");
    if (other_nodes_) builder_.remark("it holds several lists of nodes: only one is read, with the links beside it");
    return !links_first_ || has_links_;
  }

  bool null() override { return value({}, false); }
  bool boolean(bool truth) override {
    if (part_ == Part::none && !levels_.empty() && levels_.back().key == "directed" && truth) builder_.directed();
    return value(truth ? "1" : "0", false);
  }
  bool number_integer(number_integer_t n) override { return value(std::to_string(n), true); }
  bool number_unsigned(number_unsigned_t n) override { return value(std::to_string(n), true); }
  bool number_float(number_float_t, const string_t& text) override { return value(text, true); }
  bool string(string_t& text) override { return value(std::move(text), false); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    levels_.back().key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    error_at_ = position;
    flaw_ = json_flaw(error);
    return false;
  }

 private:
  enum class Part { none, nodes, links };
  struct Level {
    bool list = false;
    std::size_t object = 0;  // its number, if it is an object that objects alone lead to
    bool skipped = false;    // it is in a list that is no name of a node
    std::string key;         // of the value that comes next in an object
    std::string prefix;      // of names of values in an object
  };
  struct Item {
    std::string name, value;
    bool is_number = false;
  };

  // In a node's or a link's own object these hold its attributes (Cytoscape, Sigma).
  static bool is_wrapper(std::string_view key) { return key == "data" || key == "attributes"; }
  static bool is_identity(std::string_view name) {
    static constexpr std::array<std::string_view, 6> names = {"id", "key", "source", "target", "from", "to"};
    return std::ranges::find(names, name) != names.end();
  }

  GraphBuilder::Place place() const { return {0, (part_ == Part::nodes ? "node " : "link ") + std::to_string(count_)}; }
  // How deep a value is in a node or a link: 0 for the node or the link itself.
  std::size_t depth() const { return levels_.size() - base_; }

  bool open(bool list) {
    if (levels_.size() >= deepest_json) throw file_error(source_.path(), "is nested too deep: more than 64 levels");
    Level level{.list = list};
    if (part_ == Part::none) {
      begin_part(level);
    } else if (depth() == 0) {
      begin_item();
      if (list) throw builder_.error(place(), "expected an object, found a list");
    } else {
      const Level& around = levels_.back();
      level.skipped = around.skipped;
      if (around.skipped) {
        // nothing of it is read
      } else if (list && !tuple_ && depth() <= 2 && is_identity(name_of(around))) {
        tuple_ = true;  // networkx' names of nodes may be tuples
        tuple_depth_ = levels_.size();
        items_.push_back({name_of(around), "("});
      } else if (list && !tuple_) {
        level.skipped = true;
        builder_.remark(shown(name_of(around)) + " is not read: it holds lists");
      }
      if (!around.list && !(depth() == 1 && is_wrapper(around.key))) level.prefix = name_of(around) + ".";
    }
    levels_.push_back(std::move(level));
    return true;
  }

  void begin_part(Level& level) {
    const auto is_list = [](const Level& each) { return each.list; };
    if (std::ranges::any_of(levels_, is_list)) return;
    if (!level.list) level.object = objects_++;
    if (!level.list || levels_.empty()) return;
    const std::string& key = levels_.back().key;
    if (levels_.back().object != graph_) {
      other_nodes_ = other_nodes_ || key == "nodes";
      return;
    }
    if (key == "nodes" && !has_nodes_) {
      part_ = Part::nodes;
    } else if (is_links(key) && !has_links_ && has_nodes_) {
      part_ = Part::links;
      has_links_ = true;
    } else if (is_links(key) && !has_nodes_) {
      links_first_ = true;
    }
    count_ = 0;
    base_ = levels_.size() + 1;
  }

  void begin_item() {
    ++count_;
    items_.clear();
  }

  bool close() {
    levels_.pop_back();
    if (tuple_ && levels_.size() == tuple_depth_) {
      tuple_ = false;
      items_.back().value += ")";
      return true;
    }
    if (part_ == Part::none) return true;
    if (levels_.size() == base_) {
      part_ == Part::nodes ? add_node() : add_link();
    } else if (levels_.size() < base_) {
      if (part_ == Part::nodes) has_nodes_ = true;
      part_ = Part::none;
    }
    return true;
  }

  std::string name_of(const Level& level) const {
    builder_.repeat(level.prefix.size() + level.key.size());
    return level.prefix + level.key;
  }

  bool value(std::string text, bool is_number) {
    if (levels_.empty() || part_ == Part::none) return true;
    const Level& level = levels_.back();
    if (tuple_) {
      std::string& tuple = items_.back().value;
      if (tuple.size() > 1) tuple += ", ";
      tuple += text;
    } else if (depth() == 0) {
      begin_item();
      if (part_ == Part::links) throw builder_.error(place(), "expected an object");
      items_.push_back({"id", std::move(text), is_number});
      add_node();
    } else if (!level.skipped) {
      items_.push_back({name_of(level), std::move(text), is_number});
    }
    return true;
  }

  const Item* item(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names)
      for (const Item& each : items_)
        if (each.name == name) return &each;
    return nullptr;
  }

  void add_node() {
    const Item* const id = item({"id", "key"});
    const Item* const name = item({"name"});
    const Item* const label = item({"label"});
    const std::uint32_t node = builder_.declare(id ? id->value : std::to_string(builder_.nodes()), place());
    if (id && id->is_number) numbers_are_ids_ = true;
    if (const Item* const called = label ? label : name) builder_.label(node, called->value);
    if (!id && name) {
      if (const bool is_new = names_.emplace(name->value, node).second; !is_new) names_[name->value] = several;
    }
    for (const Item& each : items_)
      if (&each != id && &each != label && (label || &each != name)) builder_.set(node, each.name, each.value);
  }

  std::uint32_t end_of(const Item* end, const char* which) {
    if (!end) throw builder_.error(place(), std::string("has no ") + which);
    const auto missing = [&] { return builder_.error(place(), "there is no node " + shown(end->value)); };
    if (end->is_number && !numbers_are_ids_) {  // the place in the list of nodes
      const std::uint64_t node = parse_whole(end->value).value_or(builder_.nodes());
      if (node >= builder_.nodes()) throw missing();
      return static_cast<std::uint32_t>(node);
    }
    if (const auto named = names_.find(end->value); named != names_.end()) {
      if (named->second == several) throw builder_.error(place(), "several nodes are named " + shown(end->value));
      return named->second;
    }
    const std::size_t nodes = builder_.nodes();
    const std::uint32_t node = builder_.mention(end->value, place());
    if (node >= nodes) throw missing();
    return node;
  }

  void add_link() {
    const std::uint32_t from = end_of(item({"source", "from"}), "source");
    const std::uint32_t to = end_of(item({"target", "to"}), "target");
    builder_.add_edge(from, to, 0);
    for (const Item& each : items_) builder_.weigh(each.name, each.value);
  }

  static constexpr std::uint32_t several = 0xFFFFFFFFu;

  const SourceFile& source_;
  GraphBuilder& builder_;
  std::vector<Level> levels_;
  Part part_ = Part::none;
  std::size_t graph_, objects_ = 0;
  std::size_t base_ = 0, count_ = 0, error_at_ = 0, tuple_depth_ = 0;
  std::string flaw_ = "is not valid JSON";
  bool tuple_ = false, other_nodes_ = false, has_nodes_ = false, has_links_ = false, links_first_ = false,
       numbers_are_ids_ = false;
  std::vector<Item> items_;
  ByText<std::uint32_t> names_;  // of nodes without an identifier
};

Table read_node_links(const SourceFile& source) {
  const std::string text = with_nulls(read_whole(source.file));
  FindGraph found;
  nlohmann::json::sax_parse(text, &found);
  GraphBuilder builder(source);
  NodeLinks parts(source, builder, found.graph.value_or(found.nodes.value_or(0)));
  if (!parts.read(text)) parts.read(text);
  return builder.finish("JSON graph");
}

// An object with both lists; of a large file the second may be beyond the first bytes.
bool is_node_link(const InputFile& file) {
  std::string_view head = file.head();
  head.remove_prefix(std::min(head.find_first_not_of(node_link_blanks), head.size()));
  if (!head.starts_with('{')) return false;
  if (head.find("\"nodes\"") == std::string_view::npos && file.head_is_all()) return false;
  FindGraph found;
  nlohmann::json::sax_parse(with_nulls(head), &found);
  if (!found.graph && (file.head_is_all() || !(found.nodes || found.links))) return false;
  const std::string_view line = head.substr(0, head.find('\n'));
  const std::string_view rest = head.substr(line.size());
  // JSON Lines, each with such lists.
  return rest.find('{') == std::string_view::npos || !nlohmann::json::accept(line.begin(), line.end());
}

}  // namespace

extern const FileFormat node_link_format = {
    .name = "JSON graphs",
    .endings = ".json",
    .fit = [](InputFile& file) { return fit_if(is_node_link(file), Fit::certain); },
    .read = read_node_links,
    .is_graph = true};

}  // namespace kinescope::sim
