// GEXF, Gephi's format (gexf.net, versions 1.1 to 1.3).
#include <string>
#include <string_view>

#include "kinescope/error.hpp"
#include "sim/data/readers/graph/xml_file.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

struct GexfAttribute {
  std::string name;
  bool is_truth = false;
};

class GexfReader : XmlGraph {
 public:
  using XmlGraph::XmlGraph;

  Table read() {
    const pugi::xml_node graph = XmlGraph::graph();
    if (std::string_view(graph.attribute("mode").value()) == "dynamic")
      builder_.remark("the graph changes in time: all its nodes and edges are read, and the last of several values");
    if (std::string_view(graph.attribute("defaultedgetype").value()) == "directed") builder_.directed();
    for (const pugi::xml_node element : graph.children())
      if (XmlFile::name(element) == "attributes") read_attributes(element);
    each_part(graph, [&](pugi::xml_node element, std::string_view name) {
      if (name == "node") read_node(element);
      if (name == "edge") read_edge(element);
      return name == "node" || name == "nodes" || name == "edges" || name == "graph";
    });
    return builder_.finish("GEXF");
  }

 private:
  void read_attributes(pugi::xml_node element) {
    const bool of_edges = std::string_view(element.attribute("class").value()) == "edge";
    for (const pugi::xml_node each : element.children()) {
      if (XmlFile::name(each) != "attribute") continue;
      GexfAttribute attribute;
      attribute.name = each.attribute("title").as_string(each.attribute("id").value());
      attribute.is_truth = std::string_view(each.attribute("type").value()) == "boolean";
      if (const pugi::xml_node other = XmlFile::child(each, "default")) {
        const std::string_view value = value_of(attribute.is_truth, other.text().get());
        of_edges ? builder_.weigh_default(attribute.name, value) : builder_.set_default(attribute.name, value);
      }
      (of_edges ? of_edges_ : of_nodes_).insert_or_assign(each.attribute("id").value(), attribute);
    }
  }

  // Calls f with the attribute and the text of each <attvalue>.
  template <class F>
  void for_values(pugi::xml_node element, const ByText<GexfAttribute>& attributes, F f) const {
    for (const pugi::xml_node child : element.children()) {
      if (XmlFile::name(child) == "attvalue") read_value(child, attributes, f);
      if (XmlFile::name(child) == "attvalues")
        for (const pugi::xml_node value : child.children()) read_value(value, attributes, f);
    }
  }

  template <class F>
  void read_value(pugi::xml_node value, const ByText<GexfAttribute>& attributes, F& f) const {
    // Version 1.0 says "id" for "for".
    const char* const id = value.attribute("for").as_string(value.attribute("id").value());
    const auto found = attributes.find(std::string_view(id));
    if (found == attributes.end()) throw error(value, "there is no <attribute> " + shown(id));
    f(found->second, value.attribute("value").value());
  }

  void read_node(pugi::xml_node element) {
    const std::uint32_t node = declare(element);
    if (const pugi::xml_attribute label = element.attribute("label")) builder_.label(node, label.value());
    for_values(element, of_nodes_, [&](const GexfAttribute& attribute, const char* text) {
      builder_.set(node, attribute.name, value_of(attribute.is_truth, text));
    });
  }

  void read_edge(pugi::xml_node element) {
    add_edge(element);
    if (std::string_view(element.attribute("type").value()) == "directed") builder_.directed();
    for_values(element, of_edges_,
               [&](const GexfAttribute& attribute, const char* text) { builder_.weigh(attribute.name, text); });
    if (const pugi::xml_attribute weight = element.attribute("weight")) builder_.weigh("weight", weight.value());
  }

  ByText<GexfAttribute> of_nodes_, of_edges_;
};

}  // namespace

extern const FileFormat gexf_format = {
    .name = "GEXF",
    .endings = ".gexf",
    .fit = [](InputFile& file) { return fit_if(begins_with_element(file.head(), "gexf"), Fit::certain); },
    .read = [](const SourceFile& source) { return GexfReader(source).read(); },
    .otherwise = "not GEXF: its first element is not <gexf>",
    .is_graph = true};

}  // namespace kinescope::sim
