// XML files of graphs, read by pugixml.
#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/data/readers/file_format.hpp"

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

}  // namespace kinescope::sim
