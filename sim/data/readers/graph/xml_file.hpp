// XML files of graphs, read by pugixml.
#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/graph/graph_builder.hpp"

namespace kinescope::sim {

// Whether the first element is called `element`, without a prefix such as "g:".
bool begins_with_element(std::string_view head, std::string_view element);

class XmlFile {
 public:
  // Throws Error (input), with the line, if the file is not XML; Error (run) if memory is too small; Cancelled.
  explicit XmlFile(const SourceFile& source);

  pugi::xml_node root() const { return document_.document_element(); }
  std::size_t line(pugi::xml_node node) const;

  // The names of an element, without a prefix.
  static std::string_view name(pugi::xml_node node);
  static pugi::xml_node child(pugi::xml_node node, std::string_view name);

 private:
  std::size_t line_at(std::ptrdiff_t offset) const;

  std::string text_;
  std::vector<std::size_t> line_begins_;
  pugi::xml_document document_;
};

// What the readers of GraphML and GEXF share.
class XmlGraph {
 public:
  explicit XmlGraph(const SourceFile& source) : source_(source), xml_(source), builder_(source) {}

 protected:
  Error error(pugi::xml_node element, const std::string& message) const {
    return file_error(source_.path(), xml_.line(element), message);
  }
  // Throws Error (input) if there is none.
  pugi::xml_node graph() const;
  // Calls f(element, name) for each element in the graph, and in those elements of it for which f returns true: nodes
  // may hold nodes and edges, which belong to the graph.
  template <class F>
  void each_part(pugi::xml_node graph, F f) const {
    std::vector<pugi::xml_node> next = {graph.first_child()};  // at each level
    while (!next.empty()) {
      const pugi::xml_node element = next.back();
      if (!element) {
        next.pop_back();
        continue;
      }
      next.back() = element.next_sibling();
      if (!f(element, XmlFile::name(element))) continue;
      if (next.size() >= deepest_graph) throw error(element, "is nested too deep");
      next.push_back(element.first_child());
    }
  }
  std::uint32_t declare(pugi::xml_node node);
  void add_edge(pugi::xml_node edge);
  // "true" and "false" of a truth value are 1 and 0.
  static std::string_view value_of(bool is_truth, std::string_view text);

  const SourceFile& source_;
  XmlFile xml_;
  GraphBuilder builder_;
};

}  // namespace kinescope::sim
