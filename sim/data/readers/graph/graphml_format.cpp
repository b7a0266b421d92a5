// GraphML (U. Brandes et al., "GraphML Progress Report", 2001; graphml.graphdrawing.org/primer).
#include <string>
#include <string_view>

#include "kinescope/error.hpp"
#include "sim/data/readers/graph/xml_file.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// What the <data> of a key mean.
struct GraphmlKey {
  std::string name;
  bool of_nodes = false, of_edges = false, is_truth = false;
};

class GraphmlReader : XmlGraph {
 public:
  using XmlGraph::XmlGraph;

  Table read() {
    const pugi::xml_node root = xml_.root(), graph = XmlGraph::graph();
    for (const pugi::xml_node parent : {root, graph})
      for (const pugi::xml_node key : parent.children())
        if (XmlFile::name(key) == "key") add_key(key);
    std::size_t graphs = 0;
    for (const pugi::xml_node each : root.children()) graphs += XmlFile::name(each) == "graph";
    if (graphs > 1) builder_.remark(count_of(graphs - 1, "further graph") + " left out: the first is read");
    if (std::string_view(graph.attribute("edgedefault").value()) == "directed") builder_.directed();
    each_part(graph, [&](pugi::xml_node element, std::string_view name) {
      if (name == "node") read_node(element);
      if (name == "edge") read_edge(element);
      if (name == "hyperedge") builder_.remark("hyperedges are not read");
      return name == "node" || name == "graph";
    });
    return builder_.finish("GraphML");
  }

 private:
  void add_key(pugi::xml_node element) {
    GraphmlKey key;
    key.name = element.attribute("attr.name").as_string(element.attribute("id").value());
    const std::string_view of = element.attribute("for").as_string("all");
    key.of_nodes = of == "node" || of == "all";
    key.of_edges = of == "edge" || of == "all";
    key.is_truth = std::string_view(element.attribute("attr.type").value()) == "boolean";
    if (const pugi::xml_node other = XmlFile::child(element, "default")) {
      const std::string_view value = value_of(key.is_truth, other.text().get());
      if (key.of_nodes && !is_label(key)) builder_.set_default(key.name, value);
      if (key.of_edges) builder_.weigh_default(key.name, value);
    }
    keys_.insert_or_assign(element.attribute("id").value(), key);
  }

  static bool is_label(const GraphmlKey& key) { return equals_ignoring_case(key.name, "label"); }

  const GraphmlKey& key_of(pugi::xml_node data) const {
    const char* const id = data.attribute("key").value();
    const auto found = keys_.find(std::string_view(id));
    if (found == keys_.end()) throw error(data, "there is no <key> " + shown(id));
    return found->second;
  }

  void read_node(pugi::xml_node element) {
    const std::uint32_t node = declare(element);
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
        builder_.set(node, key.name, value_of(key.is_truth, data.text().get()));
    }
  }

  void read_edge(pugi::xml_node element) {
    add_edge(element);
    for (const pugi::xml_node data : element.children())
      if (XmlFile::name(data) == "data") builder_.weigh(key_of(data).name, data.text().get());
  }

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
