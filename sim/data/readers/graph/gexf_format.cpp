// GEXF, Gephi's format (gexf.net, versions 1.1 to 1.3).
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/readers/graph/graph_builder.hpp"
#include "sim/data/readers/graph/xml_file.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

struct GexfAttribute {
  std::string name;
  bool is_truth = false;
};

class GexfReader {
 public:
  explicit GexfReader(const SourceFile& source) : source_(source), xml_(source), builder_(source) {}

  Table read() {
    const pugi::xml_node graph = XmlFile::child(xml_.root(), "graph");
    if (!graph) throw file_error(source_.path(), "has no <graph>");
    if (std::string_view(graph.attribute("mode").value()) == "dynamic")
      builder_.remark("the graph changes in time: all its nodes and edges are read, and the last of several values");
    if (std::string_view(graph.attribute("defaultedgetype").value()) == "directed") builder_.directed();
    for (const pugi::xml_node element : graph.children())
      if (XmlFile::name(element) == "attributes") read_attributes(element);
    read_parts(graph);
    return builder_.finish("GEXF");
  }

 private:
  static std::string_view value_of(const GexfAttribute& attribute, std::string_view text) {
    if (!attribute.is_truth) return text;
    return equals_ignoring_case(text, "true") ? "1" : equals_ignoring_case(text, "false") ? "0" : text;
  }

  void read_attributes(pugi::xml_node element) {
    const bool of_edges = std::string_view(element.attribute("class").value()) == "edge";
    for (const pugi::xml_node each : element.children()) {
      if (XmlFile::name(each) != "attribute") continue;
      GexfAttribute attribute;
      attribute.name = each.attribute("title").as_string(each.attribute("id").value());
      attribute.is_truth = std::string_view(each.attribute("type").value()) == "boolean";
      if (const pugi::xml_node other = XmlFile::child(each, "default")) {
        const std::string_view value = value_of(attribute, other.text().get());
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
    if (found == attributes.end())
      throw file_error(source_.path(), xml_.line(value), "there is no <attribute> " + shown(id));
    f(found->second, value.attribute("value").value());
  }

  // Nodes may hold nodes and edges, which belong to the graph.
  void read_parts(pugi::xml_node graph) {
    std::vector<pugi::xml_node> next = {graph.first_child()};  // at each level
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
      if (name != "node" && name != "nodes" && name != "edges" && name != "graph") continue;
      if (next.size() >= deepest_graph) throw file_error(source_.path(), xml_.line(element), "is nested too deep");
      next.push_back(element.first_child());
    }
  }

  void read_node(pugi::xml_node element) {
    const std::size_t line = xml_.line(element);
    const pugi::xml_attribute id = element.attribute("id");
    if (!id) throw file_error(source_.path(), line, "a <node> without an id");
    const std::uint32_t node = builder_.declare(id.value(), {line});
    if (const pugi::xml_attribute label = element.attribute("label")) builder_.label(node, label.value());
    for_values(element, of_nodes_, [&](const GexfAttribute& attribute, const char* text) {
      builder_.set(node, attribute.name, value_of(attribute, text));
    });
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
    if (std::string_view(element.attribute("type").value()) == "directed") builder_.directed();
    for_values(element, of_edges_,
               [&](const GexfAttribute& attribute, const char* text) { builder_.weigh(attribute.name, text); });
    if (const pugi::xml_attribute weight = element.attribute("weight")) builder_.weigh("weight", weight.value());
  }

  const SourceFile& source_;
  XmlFile xml_;
  GraphBuilder builder_;
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
