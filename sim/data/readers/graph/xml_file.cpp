#include "sim/data/readers/graph/xml_file.hpp"

#include <algorithm>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

std::string_view without_prefix(std::string_view name) {
  return name.substr(name.find(':') + 1);  // npos + 1 is 0
}

}  // namespace

bool begins_with_element(std::string_view head, std::string_view element) {
  constexpr std::string_view blanks = " \t\r\n\xEF\xBB\xBF";
  for (;;) {
    head.remove_prefix(std::min(head.find_first_not_of(blanks), head.size()));
    if (!head.starts_with("<?") && !head.starts_with("<!")) break;
    std::size_t begin = 0;  // of the search for its end
    std::string_view close = ">";
    if (head.starts_with("<!--"))
      close = "-->";
    else if (const std::size_t open = head.find_first_of("[>"); open < head.size() && head[open] == '[')
      begin = std::min(head.find(']', open), head.size());  // declarations in <!DOCTYPE
    const std::size_t end = head.find(close, begin);
    if (end == std::string_view::npos) return false;
    head.remove_prefix(end + close.size());
  }
  if (!head.starts_with('<')) return false;
  head.remove_prefix(1);
  return without_prefix(head.substr(0, head.find_first_of(" \t\r\n/>"))) == element;
}

XmlFile::XmlFile(const SourceFile& source) : text_(read_whole(source.file)) {
  line_begins_.push_back(0);
  std::size_t elements = 0, attributes = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    elements += text_[i] == '<';
    attributes += text_[i] == '=';
    if (text_[i] == '\n') line_begins_.push_back(i + 1);
  }
  constexpr double node_bytes = 128, attribute_bytes = 48;  // of pugixml, with the text in an element
  require_memory(source.path(),
                 node_bytes * static_cast<double>(elements) + attribute_bytes * static_cast<double>(attributes));
  const pugi::xml_parse_result result =
      document_.load_buffer_inplace(text_.data(), text_.size(), pugi::parse_default | pugi::parse_trim_pcdata);
  if (result.status == pugi::status_out_of_memory) throw run_error(source.path() + ": out of memory");
  if (!result) {
    std::string what = result.description();
    what.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(what.front())));
    throw file_error(source.path(), line_at(result.offset), "is not valid XML: " + what);
  }
}

std::size_t XmlFile::line_at(std::ptrdiff_t offset) const {
  const auto after =
      std::ranges::upper_bound(line_begins_, static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)));
  return static_cast<std::size_t>(after - line_begins_.begin());
}

std::size_t XmlFile::line(pugi::xml_node node) const {
  return line_at(node.offset_debug());
}

std::string_view XmlFile::name(pugi::xml_node node) {
  return without_prefix(node.name());
}

pugi::xml_node XmlFile::child(pugi::xml_node node, std::string_view name) {
  return node.find_child([&](pugi::xml_node each) { return XmlFile::name(each) == name; });
}

pugi::xml_node XmlGraph::graph() const {
  const pugi::xml_node graph = XmlFile::child(xml_.root(), "graph");
  if (!graph) throw file_error(source_.path(), "has no <graph>");
  return graph;
}

std::uint32_t XmlGraph::declare(pugi::xml_node node) {
  const pugi::xml_attribute id = node.attribute("id");
  if (!id) throw error(node, "a <node> without an id");
  return builder_.declare(id.value(), {xml_.line(node)});
}

void XmlGraph::add_edge(pugi::xml_node edge) {
  const std::size_t line = xml_.line(edge);
  const auto end = [&](const char* which) {
    const pugi::xml_attribute id = edge.attribute(which);
    if (!id) throw error(edge, std::string("an <edge> without a ") + which);
    return builder_.mention(id.value(), {line});
  };
  const std::uint32_t from = end("source"), to = end("target");
  builder_.add_edge(from, to, line);
}

std::string_view XmlGraph::value_of(bool is_truth, std::string_view text) {
  if (!is_truth) return text;
  return equals_ignoring_case(text, "true") ? "1" : equals_ignoring_case(text, "false") ? "0" : text;
}

}  // namespace kinescope::sim
