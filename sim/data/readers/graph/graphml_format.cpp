// GraphML (U. Brandes et al., "GraphML Progress Report", 2001; graphml.graphdrawing.org/primer).
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/readers/graph/graph_builder.hpp"
#include "sim/data/readers/graph/xml_file.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// What the <data> of a key mean.
struct GraphmlKey {
  std::string name;
  bool of_nodes = false, of_edges = false, is_truth = false;
};

class GraphmlReader {
 public:
  explicit GraphmlReader(const SourceFile& source) : source_(source), xml_(source), builder_(source) {}

  Table read() {
    const pugi::xml_node root = xml_.root();
    const pugi::xml_node graph = XmlFile::child(root, "graph");
    if (!graph) throw file_error(source_.path(), "has no <graph>");
    for (const pugi::xml_node parent : {root, graph})
      for (const pugi::xml_node key : parent.children())
        if (XmlFile::name(key) == "key") add_key(key);
    std::size_t graphs = 0;
    for (const pugi::xml_node each : root.children()) graphs += XmlFile::name(each) == "graph";
    if (graphs > 1) builder_.remark(count_of(graphs - 1, "further graph") + " left out: the first is read");
    read_graph(graph);
    return builder_.finish("GraphML");
  }

 private:
  // "true" and "false" of a truth value are 1 and 0.
  static std::string_view value_of(const GraphmlKey& key, std::string_view text) {
    if (!key.is_truth) return text;
    return equals_ignoring_case(text, "true") ? "1" : equals_ignoring_case(text, "false") ? "0" : text;
  }

  void add_key(pugi::xml_node element) {
    GraphmlKey key;
    key.name = element.attribute("attr.name").as_string(element.attribute("id").value());
    const std::string_view of = element.attribute("for").as_string("all");
    key.of_nodes = of == "node" || of == "all";
    key.of_edges = of == "edge" || of == "all";
    key.is_truth = std::string_view(element.attribute("attr.type").value()) == "boolean";
    if (const pugi::xml_node other = XmlFile::child(element, "default")) {
      const std::string_view value = value_of(key, other.text().get());
      if (key.of_nodes && !is_label(key)) builder_.set_default(key.name, value);
      if (key.of_edges) builder_.weigh_default(key.name, value);
    }
    keys_.insert_or_assign(element.attribute("id").value(), key);
  }

  static bool is_label(const GraphmlKey& key) { return equals_ignoring_case(key.name, "label"); }

  const GraphmlKey& key_of(pugi::xml_node data) const {
    const char* const id = data.attribute("key").value();
    const auto found = keys_.find(std::string_view(id));
    if (found == keys_.end()) throw file_error(source_.path(), xml_.line(data), "there is no <key> " + shown(id));
    return found->second;
  }

  // Nodes may hold graphs: their nodes and edges belong to the graph.
  void read_graph(pugi::xml_node graph) {
    std::vector<pugi::xml_node> next = {graph.first_child()};  // at each level
    if (std::string_view(graph.attribute("edgedefault").value()) == "directed") builder_.directed();
    while (!next.empty()) {
      const pugi::xml_node element = next.back();
      if (!element) {
        next.pop_back();
        continue;
      }
      next.back() = element.next_sibling();
      const std::string_view name = XmlFile::name(element);
      if (name == "node") read_node(element);
      if (name == "edge") read_edge(element);
      if (name == "hyperedge") builder_.remark("hyperedges are not read");
      if (name != "node" && name != "graph") continue;
      if (next.size() >= deepest_graph) throw file_error(source_.path(), xml_.line(element), "is nested too deep");
      next.push_back(element.first_child());
    }
  }

  void read_node(pugi::xml_node element) {
    const std::size_t line = xml_.line(element);
    const pugi::xml_attribute id = element.attribute("id");
    if (!id) throw file_error(source_.path(), line, "a <node> without an id");
    const std::uint32_t node = builder_.declare(id.value(), {line});
    for (const pugi::xml_node data : element.children()) {
      if (XmlFile::name(data) != "data") continue;
      const GraphmlKey& key = key_of(data);
      // yEd keeps labels in its drawings of nodes.
      const bool drawn = data.first_child().type() == pugi::node_element;
      const pugi::xml_node label =
          drawn ? data.find_node([](pugi::xml_node each) { return XmlFile::name(each) == "NodeLabel"; })
                : pugi::xml_node();
      if (label) builder_.label(node, label.text().get());
      if (drawn) continue;
      if (is_label(key))
        builder_.label(node, data.text().get());
      else
        builder_.set(node, key.name, value_of(key, data.text().get()));
    }
  }

  std::uint32_t end_of(pugi::xml_node edge, const char* which, std::size_t line) {
    const pugi::xml_attribute id = edge.attribute(which);
    if (!id) throw file_error(source_.path(), line, std::string("an <edge> without a ") + which);
    return builder_.mention(id.value(), {line});
  }

  void read_edge(pugi::xml_node element) {
    const std::size_t line = xml_.line(element);
    const std::uint32_t from = end_of(element, "source", line), to = end_of(element, "target", line);
    builder_.add_edge(from, to, line);
    for (const pugi::xml_node data : element.children())
      if (XmlFile::name(data) == "data") builder_.weigh(key_of(data).name, data.text().get());
  }

  const SourceFile& source_;
  XmlFile xml_;
  GraphBuilder builder_;
  ByText<GraphmlKey> keys_;
};

}  // namespace

extern const FileFormat graphml_format = {
    .name = "GraphML",
    .endings = ".graphml",
    .fit = [](InputFile& file) { return fit_if(begins_with_element(file.head(), "graphml"), Fit::certain); },
    .read = [](const SourceFile& source) { return GraphmlReader(source).read(); },
    .otherwise = "not GraphML: its first element is not <graphml>",
    .is_graph = true};

}  // namespace kinescope::sim
